"""What flow reports: a mistake at an expression, how the program came there, and whether it is certain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

from arraytyping.checker.notebooks.cells import in_cells, line_text, place_text
from arraytyping.checker.opt_in_codes import OPT_IN_CODES

__all__ = ["CallSite", "Condition", "Diagnostic", "Operand", "Step", "together"]

_SHOWN_WARNINGS: Final = frozenset(
    {"array-x64", "array-index", "array-key", "array-leak", "array-recompile", "array-unused"} | OPT_IN_CODES.keys()
)
"""What is shown although nothing raises: JAX warns of it, or says nothing."""
_AMOUNT: Final = re.compile(r"\[[^][]*\]|\b\d+ copies\b|\bindex -?\d+\b")
"""A shape in a message, a number of copies, or an index."""
_GIVEN: Final = re.compile(r" is (?s:.*?), but (?=\S.* is expected: )")
"""What a value is, in a message about an annotation."""
_LONGEST_CHAIN: Final = 8
_MOST_CONDITIONS: Final = 3


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call on the way to a mistake: the function, and the line of its caller where it was called."""

    function: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the program's data on which a mistake depends: where it is, and whether it holds there."""

    path: str
    line: int
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Operand:
    """A value that met others in a mistake: how it is written, what it is, and where it was made, if that is known."""

    text: str
    type: str
    path: str = ""
    line: int = 0
    is_recorded: bool = False
    """Whether it is known from a recording."""


class Step(NamedTuple):
    """One line of the way by which an array came to its dtype."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A mistake at an expression; lines count from 1 and columns from 0, as in `ast`."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    message: str
    chain: tuple[CallSite, ...] = ()
    is_certain: bool = True
    is_warning: bool = False
    operands: tuple[Operand, ...] = ()
    conditions: tuple[Condition, ...] = ()
    is_minor: bool = False
    """Whether it is shown as a warning: it contradicts an annotation, and most programs run all the same."""
    devices: tuple[int, ...] = ()
    """The numbers of devices with which it is one, in a program that looks at them."""
    steps: tuple[Step, ...] = ()
    """How a dtype came about, line by line."""
    others: tuple[Diagnostic, ...] = ()
    """What is told with it: mistakes of the same code at the same place, to which the program comes in other ways."""

    @property
    def severity(self) -> str:
        """As it is shown: "error" or "warning"."""
        return "warning" if self.is_minor else "error"

    @property
    def position(self) -> tuple[str, int, int, int, int]:
        """Where it is."""
        return self.path, self.line, self.column, self.end_line, self.end_column

    @property
    def lines(self) -> range:
        """The lines of the expression."""
        return range(self.line, self.end_line + 1)

    @property
    def is_shown(self) -> bool:
        """Whether it is shown where nothing is said of possible mistakes."""
        return self.is_certain and (not self.is_warning or self.is_minor or self.code in _SHOWN_WARNINGS)

    @property
    def as_error(self) -> Diagnostic:
        """The mistake where annotations are taken strictly."""
        is_of_annotation = self.is_minor and self.code == "array-annotation"
        return replace(self, is_warning=False, is_minor=False) if is_of_annotation else self

    @property
    def text(self) -> str:
        """The message; it says so if the mistake is only possible."""
        message = in_cells(self.path, self.message)
        return message if self.is_shown else f"possible: {message}"

    @property
    def note(self) -> str | None:
        """The way there and the values that met: `main -> step -> loss: x is float32[3] (line 4), y is ...`."""
        names = [call.function for call in self.chain]
        if len(names) > _LONGEST_CHAIN:
            names = [*names[:3], "...", *names[3 - _LONGEST_CHAIN :]]
        chain = " -> ".join(names)
        operands = ", ".join(f"{o.text} is {o.type}{self._where(o)}" for o in self.operands)
        path = ": ".join(part for part in (chain, operands) if part)
        return "; ".join(part for part in (path, self._conditions(), self._devices()) if part) or None

    @property
    def notes(self) -> list[str]:
        """The note, a line for each step by which a dtype came about, and how many more ways lead here."""
        ways = [
            f"{line_text(s.path, s.line) if s.path == self.path else place_text(s.path, s.line)}: {s.text}"
            for s in self.steps
        ]
        return [note for note in (self.note, *ways, self.more_ways) if note is not None]

    @property
    def more_ways(self) -> str | None:
        """How many more ways lead to a mistake here, and one of them; None if there are none."""
        if not self.others:
            return None
        count, first = len(self.others), self.others[0]
        return f"{count} more way{'' if count == 1 else 's'} to a mistake here, such as: {first.note or first.text}"

    def _devices(self) -> str:
        """`with 8 or 512 devices`."""
        if not self.devices:
            return ""
        *first, last = map(str, sorted(self.devices))
        return f"with {', '.join(first)}{' or ' if first else ''}{last} device{'' if self.devices == (1,) else 's'}"

    def _conditions(self) -> str:
        """`if the condition in line 12 holds`: the last ones of those on the way."""
        said = dict.fromkeys(
            f"the condition in {line_text(c.path, c.line) if c.path == self.path else place_text(c.path, c.line)} "
            f"{'holds' if c.holds else 'does not hold'}"
            for c in self.conditions
        )
        return f"if {' and '.join([*said][-_MOST_CONDITIONS:])}" if said else ""

    def _where(self, operand: Operand) -> str:
        recorded = ["recorded"] if operand.is_recorded else []
        own = operand.path == self.path
        if not operand.line or (own and operand.line == self.line):
            return f" ({recorded[0]})" if recorded else ""
        return f" ({', '.join([(line_text if own else place_text)(operand.path, operand.line), *recorded])})"

    def __str__(self) -> str:
        kind = "warning" if self.is_warning else "error"
        return f"{self.path}:{self.line}:{self.column + 1}: {kind}: {self.message}  [{self.code}]"

    def to_json(self) -> dict[str, Any]:
        """The mistake as JSON, without those that are told with it."""
        data = asdict(replace(self, others=()))
        del data["others"]
        return data

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Diagnostic:
        """The mistake that `to_json` wrote."""
        chain = tuple(CallSite(**call) for call in data["chain"])
        operands = tuple(Operand(**operand) for operand in data["operands"])
        conditions = tuple(Condition(**condition) for condition in data["conditions"])
        devices = tuple(data["devices"])
        return Diagnostic(
            **{
                **data,
                "chain": chain,
                "operands": operands,
                "conditions": conditions,
                "devices": devices,
                "steps": tuple(Step(*step) for step in data["steps"]),
            }
        )


def together(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The mistakes, of those of one code at one place the first, with the others behind it.

    An expression raises once; of what raises nothing there may be several at one place, so that only the same is told
    together, be it of arrays of several shapes.
    """
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for m in diagnostics:
        said = _AMOUNT.sub("[]", _GIVEN.sub(" ", m.message)) if m.is_warning else None
        groups.setdefault((m.position, m.code, m.severity, m.is_shown, said), []).append(m)
    return [replace(first, others=(*first.others, *others)) if others else first for first, *others in groups.values()]
