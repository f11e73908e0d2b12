"""Compares snippets with the stub of the wheel: `stub.py STUB SNIPPETS`, where SNIPPETS are names and texts as JSON. Prints
what is wrong with them. Each must be a program that calls methods of `Geocoder` with arguments that the stub has."""

import ast
import json
import sys


def methods(stub):
    """The definitions of Geocoder's methods by their names; an overloaded one has several."""
    [geocoder] = [node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == "Geocoder"]
    found = {}
    for node in geocoder.body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node.args)
    return found


def faults(call, definitions):
    """What is wrong with a call, by the definition that fits best."""
    names = [keyword.arg for keyword in call.keywords]
    return min((faults_by(call.args, names, arguments) for arguments in definitions), key=len)


def faults_by(positional, names, arguments):
    # Without `self`.
    takes = [argument.arg for argument in arguments.args][1:]
    known = takes[len(positional):] + [argument.arg for argument in arguments.kwonlyargs]
    required = takes[: len(takes) - len(arguments.defaults)]
    found = [f"no argument {name}" for name in names if name not in known]
    found += [f"without {name}" for name in required[len(positional):] if name not in names]
    return found + (["too many arguments"] if len(positional) > len(takes) else [])


def calls(snippet):
    """The calls on `geo` in a snippet."""
    for node in ast.walk(ast.parse(snippet)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "geo":
                yield node


def main(path, snippets):
    with open(path, encoding="utf-8") as file:
        known = methods(ast.parse(file.read()))
    for name, snippet in json.loads(snippets):
        found = list(calls(snippet))
        if len(found) != 1:
            print(f"{name}: {len(found)} calls\n{snippet}")
        for call in found:
            wrong = faults(call, known[call.func.attr]) if call.func.attr in known else [f"no method {call.func.attr}"]
            if wrong:
                print(f"{name}: {', '.join(wrong)}\n{snippet}")


main(*sys.argv[1:])
