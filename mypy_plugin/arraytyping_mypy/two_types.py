"""mypy's messages that name two types, one of which is expected, and what is said of two arrays in their place."""

from __future__ import annotations

import re
from typing import Final

from arraytyping_mypy.disjoint import shown

__all__ = ["TWO_TYPES", "contradiction_sentence"]

TWO_TYPES: Final = {
    "arg-type": re.compile(
        r'(?P<what>Argument .+) has incompatible type \*{0,2}"(?P<given>[^"]+)"; expected "(?P<expected>[^"]+)"'
    ),
    "return-value": re.compile(
        r'Incompatible return value type \(got "(?P<given>[^"]+)", expected "(?P<expected>[^"]+)"\)'
    ),
    "assignment": re.compile(
        r"Incompatible (?:types in assignment|default for \w+ .*) "
        r'\((?:expression|default) has type "(?P<given>[^"]+)", \w+ has type "(?P<expected>[^"]+)"\)'
    ),
    "list-item": re.compile(r'.* has incompatible type "(?P<given>[^"]+)"; expected "(?P<expected>[^"]+)"'),
}
"""The messages that name two types, and nothing else."""


def contradiction_sentence(match: re.Match[str]) -> str:
    """What is said where the two types are arrays, and no array has both."""
    if "what" in match.groupdict():
        what = match["what"][0].lower() + match["what"][1:]
    else:
        what = "the returned value" if "return value" in match[0] else "the value"
    return (
        f"{what} is {shown(match['given'])}, but {shown(match['expected'])} is expected; "
        "change the value or the annotation"
    )
