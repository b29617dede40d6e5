"""What a jaxpr is made of: variables, literals, equations.

    jaxpr  = { lambda constvars ; invars . let equations in outvars }
    eqn    = outvars = primitive[params] operands

Every variable is bound once, before it is used, and has an abstract value.

Source: https://docs.jax.dev/en/latest/jaxpr.html; https://docs.jax.dev/en/latest/autodidax.html, part 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.effects import NO_EFFECTS, Effects
from arraytyping.semantics.avals import ShapedArray

__all__ = ["Atom", "ClosedJaxpr", "Jaxpr", "JaxprEqn", "Literal", "Source", "Var", "jaxprs_in"]


class Source(NamedTuple):
    """The line of the program that an equation stands for, and the names of the scopes around it (`a/b`)."""

    file: str
    line: int
    function: str
    scope: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line} ({self.function})"


class Var:
    """A variable: equal to itself alone."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray) -> None:
        self.aval: ShapedArray = aval

    def __repr__(self) -> str:
        return f"Var(id={id(self)}):{short_aval(self.aval)}"


class Literal:
    """A constant without dimensions, written where it is used."""

    __slots__ = ("aval", "val")

    def __init__(self, val: bool | int | float | complex, aval: ShapedArray) -> None:
        self.val: bool | int | float | complex = val
        self.aval: ShapedArray = aval

    def __repr__(self) -> str:
        return f"{self.val}:{short_aval(self.aval)}"


Atom = Var | Literal


class JaxprEqn:
    """An equation: `outvars = primitive[params] invars`."""

    __slots__ = ("invars", "outvars", "params", "primitive", "source")

    def __init__(
        self,
        invars: Sequence[Atom],
        outvars: Sequence[Var],
        primitive: Primitive,
        params: dict[str, Any],
        source: Source | None = None,
    ) -> None:
        self.invars: Sequence[Atom] = invars
        self.outvars: Sequence[Var] = outvars
        self.primitive: Primitive = primitive
        self.params: dict[str, Any] = params
        self.source: Source | None = source

    @property
    def effects(self) -> Effects:
        """What it does besides giving results: what its primitive says, else what the jaxprs in it do."""
        primitive = self.primitive
        if primitive.effects_rule is not None:
            return primitive.effects_rule(self.params)
        if not primitive.has_jaxprs:
            return NO_EFFECTS
        return NO_EFFECTS.union(*(inner.effects for inner in jaxprs_in(self.params)))


class Jaxpr:
    """A program: `constvars` and `invars` are its inputs, `outvars` its results."""

    __slots__ = ("__weakref__", "_effects", "constvars", "eqns", "invars", "outvars")

    def __init__(
        self, constvars: Sequence[Var], invars: Sequence[Var], eqns: Sequence[JaxprEqn], outvars: Sequence[Atom]
    ) -> None:
        self.constvars: list[Var] = list(constvars)
        self.invars: list[Var] = list(invars)
        self.eqns: list[JaxprEqn] = list(eqns)
        self.outvars: list[Atom] = list(outvars)
        self._effects: Effects | None = None

    @property
    def effects(self) -> Effects:
        """What its equations do besides giving results."""
        if self._effects is None:
            self._effects = NO_EFFECTS.union(*(eqn.effects for eqn in self.eqns))
        return self._effects

    @property
    def in_avals(self) -> list[ShapedArray]:
        """The abstract values of the inputs, without the constants."""
        return [v.aval for v in self.invars]

    @property
    def out_avals(self) -> list[ShapedArray]:
        """The abstract values of the results."""
        return [v.aval for v in self.outvars]


class ClosedJaxpr:
    """A jaxpr with the values of its constants."""

    __slots__ = ("__weakref__", "cache", "consts", "jaxpr")

    def __init__(self, jaxpr: Jaxpr, consts: Sequence[Any]) -> None:
        assert len(jaxpr.constvars) == len(consts)
        self.jaxpr: Jaxpr = jaxpr
        self.consts: list[Any] = list(consts)
        self.cache: dict[Any, Any] = {}  # what transformations have made of it; goes when it goes

    @property
    def in_avals(self) -> list[ShapedArray]:
        """The abstract values of the inputs."""
        return self.jaxpr.in_avals

    @property
    def out_avals(self) -> list[ShapedArray]:
        """The abstract values of the results."""
        return self.jaxpr.out_avals

    @property
    def eqns(self) -> list[JaxprEqn]:
        """The equations."""
        return self.jaxpr.eqns

    @property
    def effects(self) -> Effects:
        """What the equations do besides giving results."""
        return self.jaxpr.effects

    @property
    def literals(self) -> list[Any]:
        """The values of the constants."""
        return self.consts


def short_dtype(dtype: str | None) -> str:
    """A dtype as jaxprs write it, in bits: `f32`, `bf16`, `i8`, `bool`, `f8_e4m3fn`."""
    if dtype is None:
        return "?"
    for long, short in (("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c")):
        if dtype.startswith(long):
            return short + dtype[len(long) :]
    return dtype


def short_aval(aval: ShapedArray) -> str:
    """An abstract value as jaxprs write it: `f32[3,4]`, a weak one as `~f32[]`."""
    shape = "..." if aval.shape is None else ",".join("?" if d is None else str(d) for d in aval.shape)
    return f"{'~' if aval.weak_type else ''}{short_dtype(aval.dtype)}[{shape}]"


def jaxprs_in(params: dict[str, Any]) -> Iterator[ClosedJaxpr]:
    """The jaxprs among the parameters of an equation."""
    for value in params.values():
        if isinstance(value, ClosedJaxpr):
            yield value
        elif isinstance(value, tuple) and value and isinstance(value[0], ClosedJaxpr):
            yield from value
