"""What was followed: one record for each function and call, and the mistakes that were met in its body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from mypy.nodes import Expression, FuncItem, Node
from mypy.types import Type

from arraytyping.semantics.rules.errors import Code

__all__ = ["Differentiated", "Followed", "Mistake", "Refused", "Told", "Tracing"]

Told = Literal["array-annotation", "array-call", "array-traced", "array-tree", "array-jax-version"]
"""The codes of what is told of followed functions beside what rules refuse."""


class Tracing(NamedTuple):
    """The trace of a function, in which each operation with a tracer gives a tracer: by `jit`, a loop or a branch."""

    by: str
    """The transformation."""
    function: str
    """The function that it traces, which may be one further out."""
    line: int
    tracers: frozenset[str]
    """The parameters of which each array is a tracer."""
    hashable: frozenset[str] = frozenset()
    """Those that were given what can be a static argument."""
    has_static: bool = False
    is_derivative: bool = False
    """Whether the tracers are those by which it is differentiated, which have values."""


class Mistake(NamedTuple):
    """What a rule says of an expression of a body, for the types of one call."""

    place: Node
    """The expression or statement of the program, not of the copy."""
    message: str
    code: Code | Told
    exception: type[Exception]


class Refused(NamedTuple):
    """What JAX refuses: what is said of it, with which code, and what is raised."""

    message: str
    code: Code | Told
    exception: type[Exception]


class Differentiated(NamedTuple):
    """What happens to a call of a function with derivatives of its own where it is differentiated."""

    result: Type | None
    """What the call gives there, by the rule; None if that is not known."""

    at_call: Refused | None
    """What is refused there."""
    backwards: Refused | None
    """What is refused when a derivative is taken backwards, where that is asked for."""
    forwards: str | None
    """The function's name, if it has no forward mode."""
    by: tuple[Expression, ...] = ()
    """The arguments of the call by which it may be."""


@dataclass(slots=True, eq=False)
class Followed:
    """One function as it was followed for a call, or a place from which calls are followed."""

    original: FuncItem | None
    """The function; None for what mypy itself checks."""
    arguments: Sequence[tuple[str, Type]] = ()
    """Its parameters, with what they were given."""
    types: Mapping[Expression, Type] = field(default_factory=dict)
    """Of the expressions of the function itself, not of the copy."""
    calls: list[Followed] = field(default_factory=list)
    """What was followed from here."""
    inner: dict[tuple[FuncItem, ...], Followed] = field(default_factory=dict)
    """What was followed from functions inside of this one, where mypy goes through them without any call of theirs."""
    met: set[tuple[FuncItem, Expression]] = field(default_factory=set)
    """The functions that were followed from here, with the call for which they were."""
    sites: dict[Followed, dict[Expression, Tracing | None]] = field(default_factory=dict)
    """What was followed from here, with the calls for which it was, and how it is traced there, if that is known."""
    assigned: Mapping[str, Type] = field(default_factory=dict)
    """What an `__init__` assigns to attributes."""
    cut: dict[FuncItem, set[Expression | None]] = field(default_factory=dict)
    """The functions of which a call is not followed from here, with the call that is."""
    mistakes: list[Mistake] = field(default_factory=list)
    custom: dict[Expression, Differentiated | None] = field(default_factory=dict)
    """The calls in it of functions with derivatives of their own; None for one that is several."""
    decided: Mapping[Expression, bool] = field(default_factory=dict)
    """How conditions in it came out that its arguments decide; of their parts there are no types."""
    computes_keys: bool = False
    """Whether something is read from a dict that is known by its keys, under one that is computed."""
    straight: tuple[FuncItem, Mapping[Node, Sequence[Node]], Mapping[Expression, Type]] | None = None
    """The copy, by the nodes of the program, and the types in it, where loops are written out that `break` leaves."""
