"""The bill of materials: a CycloneDX 1.6 document of what the released files are made of."""

import json
import re
import tomllib
import uuid
from pathlib import Path
from typing import Any

from archives import output

# The crates that are compiled into what is released.
RELEASED = ["toponym-cli", "toponym-edge", "toponym-js", "toponym-python"]

# The npm packages with dependencies.
PACKAGES = ["mcp", "serve"]


def sbom(root: Path, version: str, time: str) -> str:
    """Returns the document for the tree at `root`."""
    components = sorted([*crates(root), *npm(root), *data(root)], key=lambda component: component["bom-ref"])
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time,
            "component": {"type": "application", "name": "toponym", "version": version, "bom-ref": f"toponym@{version}"},
        },
        "components": components,
    }
    # Of the content, so that the same release has the same number.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))
    return json.dumps({**document, "serialNumber": f"urn:uuid:{number}"}, indent=2, ensure_ascii=False) + "\n"


def crates(root: Path) -> list[dict[str, Any]]:
    """Returns the crates of others that a released crate is built from, without those of tests."""
    metadata = json.loads(output("cargo", "metadata", "--format-version=1", "--locked", "--manifest-path", root / "Cargo.toml"))
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    checksums = {(crate["name"], crate["version"]): crate.get("checksum") for crate in lock(root)}
    waiting = [id for id, package in packages.items() if package["name"] in RELEASED]
    found = set(waiting)
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            is_built = any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])
            if is_built and dependency["pkg"] not in found:
                found.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    others = [packages[id] for id in found if packages[id]["source"]]
    return [
        component("library", f"pkg:cargo/{crate['name']}@{crate['version']}", crate, crate["license"])
        | hashes(checksums[crate["name"], crate["version"]])
        for crate in others
    ]


def lock(root: Path) -> list[dict[str, Any]]:
    """Returns the crates of Cargo.lock."""
    crates: list[dict[str, Any]] = tomllib.loads((root / "Cargo.lock").read_text())["package"]
    return crates


def npm(root: Path) -> list[dict[str, Any]]:
    """Returns what the npm packages depend on, but for each other. npm knows what is behind these."""
    manifests = [json.loads((root / "pkg-build" / name / "package.json").read_text()) for name in PACKAGES]
    wanted = {name: version for manifest in manifests for name, version in manifest["dependencies"].items()}
    return [
        component("library", f"pkg:npm/{name.replace('@', '%40')}@{version}", {"name": name, "version": version}, None)
        for name, version in wanted.items()
        if not name.startswith("toponym")
    ]


def data(root: Path) -> list[dict[str, Any]]:
    """Returns the packages whose data is in the indexes."""
    sources = tomllib.loads((root / "data/sources.toml").read_text())["source"]
    return [
        component("data", f"pkg:{source['registry']}/{source['package']}@{source['version']}", source | {"name": source["package"]}, source["licence"])
        | hashes(source["sha256"])
        | {"copyright": source["attribution"]}
        for source in sources
    ]


def component(kind: str, url: str, item: dict[str, Any], licence: str | None) -> dict[str, Any]:
    """Returns a component; its licence is an SPDX expression."""
    # A slash is how crates wrote OR.
    expression = re.sub(r"\s*/\s*", " OR ", licence) if licence else None
    known = {"licenses": [{"expression": expression}]} if expression else {}
    return {"type": kind, "bom-ref": url, "name": item["name"], "version": item["version"], "purl": url, **known}


def hashes(sha256: str | None) -> dict[str, Any]:
    """Returns the checksum of a component, if it has one."""
    return {"hashes": [{"alg": "SHA-256", "content": sha256}]} if sha256 else {}
