"""What is told of a port: changes of dtypes, failures, and how much was compared; also as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

__all__ = ["Change", "Place", "PortReport", "Problem"]


@dataclass(frozen=True, slots=True)
class Place:
    """An expression of the program: lines count from 1 and columns from 0, as in `ast`; `source` is one line."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    source: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column + 1}"


@dataclass(frozen=True, slots=True)
class Change:
    """An expression whose dtype changes: before and after, each perhaps one of several; one pair for each variant.

    `item` is the array's place in a tuple, list or dict, keys as Python shows them.  A change that no other one
    explains has a `reason`; all others say in `follows` where those stand that explain them (`train.py:7:5`), as far as
    that could be followed.
    """

    place: Place
    before: tuple[str, ...]
    after: tuple[str, ...]
    item: tuple[int | str, ...] = ()
    weak_type: bool = False
    reason: str | None = None
    follows: tuple[str, ...] = ()

    @property
    def is_origin(self) -> bool:
        """Whether the change begins here."""
        return self.reason is not None

    @property
    def dtypes(self) -> str:
        """`float64 -> float32`, with the number of the item in a tuple."""
        after = " | ".join(self.after) + (" (weak)" if self.weak_type else "")
        item = "".join(f"[{i}]" for i in self.item)
        return f"{item}{': ' if item else ''}{' | '.join(self.before)} -> {after}"


@dataclass(frozen=True, slots=True)
class Problem:
    """What the port does not do as the program does: it `fails` there, `may fail`, or changes nothing `in place`."""

    place: Place
    kind: Literal["fails", "may fail", "not in place"]
    message: str


@dataclass
class PortReport:
    """What becomes of a program; `expressions` were compared, of `unknown` ones a dtype was not known.

    `error` is the one sentence that says why nothing was compared; `notes` say what holds of all of it.
    """

    changes: list[Change] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    expressions: int = 0
    unknown: int = 0
    notes: list[str] = field(default_factory=list)
    error: str | None = None

    @property
    def origins(self) -> list[Change]:
        """The changes that no other one explains."""
        return [change for change in self.changes if change.is_origin]

    @property
    def followers(self) -> list[Change]:
        """The changes that follow from others."""
        return [change for change in self.changes if not change.is_origin]

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "changes": [{**asdict(change), "is_origin": change.is_origin} for change in self.changes],
            "problems": [asdict(problem) for problem in self.problems],
            "expressions": self.expressions,
            "unknown": self.unknown,
            "notes": self.notes,
            "error": self.error,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> PortReport:
        """The report that `to_json` wrote."""
        changes = [_change(change) for change in data["changes"]]
        problems = [Problem(**{**problem, "place": Place(**problem["place"])}) for problem in data["problems"]]
        return PortReport(changes, problems, data["expressions"], data["unknown"], data["notes"], data["error"])


def _change(data: Mapping[str, Any]) -> Change:
    return Change(
        Place(**data["place"]),
        tuple(data["before"]),
        tuple(data["after"]),
        tuple(data["item"]),
        data["weak_type"],
        data["reason"],
        tuple(data["follows"]),
    )
