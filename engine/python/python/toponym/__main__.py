"""The command `toponym`: answers one question offline, from the core index of the wheel."""

import argparse
import json
import sys
from collections.abc import Sequence

from toponym import Geocoder

# Exit codes, as those of the command in Rust.
FOUND = 0
NOT_FOUND = 3

EXIT_CODES = "It exits with 0 if a place was found, with 3 if none was, with 2 for wrong arguments."


def main(arguments: Sequence[str] | None = None) -> int:
    """Answers the question of the arguments, and returns the exit code."""
    parser = argparse.ArgumentParser("toponym", description="Finds the place that a text means, offline.", epilog=EXIT_CODES)
    parser.add_argument("text", nargs="*", help="the name of a place, in any language and with slips")
    parser.add_argument("--limit", type=int, default=1, help="shows up to so many places [1]")
    parser.add_argument("--lang", help="names places in this language, such as fr or pt-BR [en]")
    parser.add_argument("--json", action="store_true", help="prints the answers of Geocoder.forward() as JSON")
    parser.add_argument("--credits", action="store_true", help="prints the credits of the data: show them wherever you show results")
    chosen = parser.parse_args(arguments)
    if not chosen.text and not chosen.credits:
        parser.error("give the name of a place")
    geocoder = Geocoder()
    if chosen.credits:
        print("\n".join(geocoder.about()[0]["attribution"]))
        return FOUND
    text = " ".join(chosen.text)
    try:
        places = geocoder.forward(text, limit=chosen.limit, lang=chosen.lang)
    except ValueError as error:
        parser.error(str(error))
    if chosen.json:
        print(json.dumps(places, indent=2, ensure_ascii=False))
    elif places:
        print("\n".join(f"{place['display_name']}: {place['lat']}, {place['lon']} ({place['type']})" for place in places))
    else:
        print(f"no place is called {json.dumps(text, ensure_ascii=False)}", file=sys.stderr)
    return FOUND if places else NOT_FOUND


if __name__ == "__main__":
    sys.exit(main())
