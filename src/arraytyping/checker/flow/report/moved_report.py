"""What was found from an entry point, with the places where it stands after edits that change nothing of it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final

from arraytyping.checker.flow.sources.same_code import Moves

__all__ = ["moved_report"]

_POSITION: Final = ("line", "column", "end_line", "end_column")
_LINES: Final = re.compile(r"\blines? (\d+)")
_PLACES: Final = re.compile(r"([^\s()'\"]+):(\d+)\b")
_SIZES: Final = re.compile(r"\bi(\d+)_")
"""Lines in the names of sizes."""
_OF_ANOTHER: Final = frozenset({"array-annotation"})
"""Codes whose messages may name lines of other files than that of the mistake."""


class _Lost(Exception):
    """Something stands where nothing was found to stand."""


def moved_report(data: dict[str, Any], moves: Mapping[str, Moves]) -> dict[str, Any] | None:
    """The report as JSON with its places moved, by the names of files; None if one of them cannot be found."""
    others = {name: value for name, value in data.items() if name != "diagnostics"}
    if data["traces"] or any(name in moves for name, _, _ in data["errors"]) or _names_a_line(others, moves):
        return None
    for mistake in data["diagnostics"]:
        if _names_a_line(mistake, moves, "" if mistake["code"] in _OF_ANOTHER else mistake["path"]):
            return None
    try:
        return {
            **data,
            "diagnostics": [_moved(m, moves) for m in data["diagnostics"]],
            **{
                kind: [{name: _claims(name, file, moves) for name, file in files.items()} for files in data[kind]]
                for kind in ("claims", "rest_claims")
            },
            "reached": [[name, _line(name, line, moves)] for name, line in data["reached"]],
            "holdings": [_moved(held, moves) for held in data["holdings"]],
            "compiled": [
                [function, path, _line(path, line, moves), held, caller, _line(caller, at, moves), times]
                for function, path, line, held, caller, at, times in data["compiled"]
            ],
        }
    except _Lost:
        return None


def _names_a_line(value: Any, moves: Mapping[str, Moves], own: str = "") -> bool:
    """Whether a text may name a line that has moved; where it names no file, of its `own`, if there is one."""
    if isinstance(value, str):
        first = min((one.first for one in moves.values()), default=math.inf)
        in_own = first if not own else moves[own].first if own in moves else math.inf
        return (
            any(int(line) >= in_own for line in _LINES.findall(value))
            or any(int(line) >= first for line in _SIZES.findall(value))
            or any(name in moves and int(line) >= moves[name].first for name, line in _PLACES.findall(value))
        )
    if isinstance(value, dict):
        return any(_names_a_line(k, moves, own) or _names_a_line(v, moves, own) for k, v in value.items())
    return isinstance(value, list | tuple) and any(_names_a_line(v, moves, own) for v in value)


def _moved(value: dict[str, Any], moves: Mapping[str, Moves]) -> dict[str, Any]:
    """What has a `path` and a `line`, or a position, with all such in it."""
    made = {name: _inside(part, moves) for name, part in value.items()}
    if (own := moves.get(value.get("path", ""))) is None:
        return made
    if "end_column" in value:
        return {**made, **_position(value, own)}
    return {**made, "line": _line(value["path"], value["line"], moves)}


def _inside(part: Any, moves: Mapping[str, Moves]) -> Any:
    if isinstance(part, dict):
        return _moved(part, moves) if "line" in part else part
    if not isinstance(part, list | tuple):
        return part
    if len(part) == 3 and isinstance(part[0], str) and type(part[1]) is int and part[0] in moves:
        return [part[0], _line(part[0], part[1], moves), part[2]]  # a step
    return [_inside(one, moves) for one in part]


def _claims(name: str, file: dict[str, Any], moves: Mapping[str, Moves]) -> dict[str, Any]:
    if (own := moves.get(name)) is None:
        return file
    return {**file, "expressions": [{**e, **_position(e, own)} for e in file["expressions"]]}


def _position(value: dict[str, Any], own: Moves) -> dict[str, int]:
    line, column, end_line, end_column = (value[name] for name in _POSITION)
    new = own.positions.get((line, column, end_line, end_column))
    if new is None:
        raise _Lost
    return dict(zip(_POSITION, new))


def _line(name: str, line: int, moves: Mapping[str, Moves]) -> int:
    if line == 0 or (own := moves.get(name)) is None:
        return line
    if (new := own.lines.get(line)) is None:
        raise _Lost
    return new
