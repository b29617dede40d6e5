"""What one kind of call of a jitted function runs: its jaxpr, and of that what a program needs.

Equations that no result depends on, and arguments and constants that no equation reads, are no part of the program.

Source: `keep_unused` of https://docs.jax.dev/en/latest/_autosummary/jax.jit.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from arraytyping.runtime import tree
from arraytyping.runtime.core import EVAL, Tracer
from arraytyping.runtime.jaxpr.dce import dce_jaxpr
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr
from arraytyping.runtime.transformations.arguments import with_held

__all__ = ["Entry", "Program", "program_of"]


@dataclass(slots=True)
class Program:
    """A jaxpr that is compiled: of the arguments it takes those of the numbers `kept`, and is given the `donated`."""

    closed: ClosedJaxpr
    kept: tuple[int, ...]
    donated: tuple[int, ...]
    in_shardings: tuple[Any, ...] | None = None
    out_shardings: tuple[Any, ...] | None = None

    def compiled(self, name: str) -> Any:
        """What runs it."""
        if self.in_shardings is None and self.out_shardings is None:
            return EVAL.compile(self.closed, name, self.donated)
        return EVAL.compile(self.closed, name, self.donated, self.in_shardings, self.out_shardings)

    def lying(self, leaves: Sequence[Any]) -> Program:
        """The program for arguments that lie as these do, or as their descriptions say (`ShapeDtypeStruct`)."""
        lies = [_place_of(leaf) for leaf in self.taken(leaves)]
        if all(one is None for one in lies):
            return self
        own = self.in_shardings or (None,) * len(lies)
        return replace(self, in_shardings=tuple([a if a is not None else b for a, b in zip(own, lies)]))

    def taken(self, leaves: Sequence[Any]) -> Sequence[Any]:
        """Of all arguments those that the program takes."""
        return leaves if len(self.kept) == len(leaves) else [leaves[i] for i in self.kept]


def program_of(jaxpr: ClosedJaxpr, consts: Sequence[Any], donated: Sequence[int], keep_unused: bool) -> Program:
    """The program of a jaxpr whose first inputs are these constants."""
    n, count = len(consts), len(jaxpr.in_avals)
    used_alone, used = dce_jaxpr(jaxpr.jaxpr, True, [*[False] * n, *[keep_unused] * (count - n)])
    kept = tuple(i for i, u in enumerate(used[n:]) if u)
    first = sum(used[:n])
    inner = Jaxpr(used_alone.invars[:first], used_alone.invars[first:], used_alone.eqns, used_alone.outvars)
    closed = ClosedJaxpr(inner, [c for c, u in zip(consts, used) if u])
    return Program(closed, kept, tuple(kept.index(i) for i in donated if i in kept))


def _place_of(leaf: Any) -> Any:
    """Where an argument is to lie, if that is said; a device alone says nothing here."""
    lies = getattr(leaf, "_sharding", None) if getattr(leaf, "_committed", False) else getattr(leaf, "lies", None)
    return lies if hasattr(lies, "spec") else None


@dataclass(slots=True)
class Entry:
    """What one kind of call runs; the first inputs of its jaxpr are the constants."""

    jaxpr: ClosedJaxpr
    consts: list[Any]
    out_tree: Any
    single: bool
    donated: tuple[int, ...]
    held: dict[int, Any]
    keep_unused: bool
    in_shardings: tuple[Any, ...] | None = None
    out_shardings: tuple[Any, ...] | None = None
    compiled: Any = None
    _program: Program | None = field(default=None, init=False)

    @property
    def is_kept(self) -> bool:
        """Whether it holds for later calls: not if it closes over tracers, which are others the next time."""
        return not any(isinstance(c, Tracer) for c in self.consts)

    @property
    def program(self) -> Program:
        """What of it is compiled."""
        if self._program is None:
            made = self._program = program_of(self.jaxpr, self.consts, self.donated, self.keep_unused)
            if self.in_shardings is not None:
                made.in_shardings = tuple([self.in_shardings[i] for i in made.kept])
            made.out_shardings = self.out_shardings
        return self._program

    def unhoisted(self) -> ClosedJaxpr:
        """The jaxpr with its constants as such."""
        jaxpr, n = self.jaxpr.jaxpr, len(self.consts)
        return ClosedJaxpr(Jaxpr(jaxpr.invars[:n], jaxpr.invars[n:], jaxpr.eqns, jaxpr.outvars), self.consts)

    def run(self, leaves: Sequence[Any], name: str) -> Sequence[Any]:
        """The arrays that the compiled program gives."""
        program = self.program
        if self.compiled is None:
            self.compiled = program.compiled(name)
        outs: Sequence[Any] = self.compiled(program.taken(leaves))
        return outs

    def result(self, outs: Sequence[Any]) -> Any:
        """The function's result, of the arrays that the program gave."""
        return tree.unflatten(self.out_tree, with_held(outs, self.held) if self.held else outs)
