"""Whether a value is what a revealed type says, containers of arrays included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from test_typecheck_cases import admits

__all__ = ["describes"]

_OPEN = ("Any", "object", "Never")
_PLAIN = ("int", "float", "bool", "str", "complex")


def describes(claim: str, value: Any) -> bool:
    """Whether a type as mypy reveals it is true of a value; of functions nothing is held against it."""
    members = list(_split(claim, " | "))
    if len(members) > 1:
        return any(describes(m, value) for m in members)
    name, _, inside = claim.partition("[")
    if claim in _OPEN or claim.startswith(("def ", "Overload(")):
        return True
    if claim == "None":
        return value is None
    if claim.startswith("TypedDict({"):
        items = dict(item.split(": ", 1) for item in _split(claim[len("TypedDict({") : -2], ", "))
        found = {repr(k).rstrip(): v for k, v in value.items()} if isinstance(value, dict) else {}
        return items.keys() == found.keys() and all(describes(items[k], v) for k, v in found.items())
    if name == "tuple":
        parts = [] if inside == "()]" else list(_split(inside[:-1], ", "))
        if not isinstance(value, tuple):
            return False
        if parts[-1:] == ["..."]:
            return all(describes(parts[0], v) for v in value)
        return len(parts) == len(value) and all(describes(p, v) for p, v in zip(parts, value))
    if name == "list":
        return isinstance(value, list) and all(describes(inside[:-1], v) for v in value)
    if name == "dict":
        of_values = list(_split(inside[:-1], ", "))[1]
        return isinstance(value, dict) and all(describes(of_values, v) for v in value.values())
    if claim in _PLAIN or claim.endswith("?"):
        return claim == type(value).__name__ or claim == f"Literal[{value!r}]?"
    open_parts = claim.replace("Array[number, ", "Array[Any, ").replace("tuple[int, ...]", "Any")
    return admits(open_parts, value, {})


def _split(text: str, by: str) -> Iterator[str]:
    """The parts of a text between which this stands outside of all brackets and quotes."""
    depth, start, i = 0, 0, 0
    while i < len(text):
        depth += (text[i] in "[({") - (text[i] in "])}")
        if depth == 0 and text.startswith(by, i):
            yield text[start:i]
            i = start = i + len(by)
            continue
        i += 1
    yield text[start:]
