"""`linear_transpose`: the transpose of a function that is linear.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.linear_transpose.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from arraytyping.runtime import tree
from arraytyping.runtime.jaxpr.syntax import Jaxpr, short_aval
from arraytyping.runtime.tracing.tangents import Zero, instantiate
from arraytyping.runtime.tracing.transposing import Linear, backward
from arraytyping.runtime.transformations.arguments import arrays_of, name_of
from arraytyping.runtime.transformations.staging_out import staged
from arraytyping.scalars import KINDS

__all__ = ["linear_transpose"]


def linear_transpose(fun: Callable[..., Any], *primals: Any, reduce_axes: tuple[Any, ...] = ()) -> Callable[..., Any]:
    """The function from a cotangent of the result of `fun` to those of its arguments, of which only the types count.

    Raises:
        TypeError: if arguments and results are neither all floats nor all integers; when called, for a cotangent that
            is not of the result's type.
        NotImplementedError: when called, if `fun` is not linear.
    """
    closed, flat = staged(fun, primals, {})
    kinds = {KINDS[str(a.dtype)] for a in (*closed.in_avals, *closed.out_avals)}
    if not (kinds <= set("fc") or kinds <= set("iu")):
        raise TypeError(
            "linear_transpose only supports [float or complex] -> [float or complex], and integer -> integer "
            f"functions, but got {[short_aval(a) for a in closed.in_avals]} -> "
            f"{[short_aval(a) for a in closed.out_avals]}"
        )

    derivative = _Transpose(closed.jaxpr, flat.in_tree, flat.out_tree, name_of(fun))
    return tree.Partial(derivative.apply, closed.consts)


@dataclass(eq=False, frozen=True, slots=True)
class _Transpose:
    """The transpose of a linear function, of the constants of its jaxpr and of a cotangent."""

    jaxpr: Jaxpr
    in_tree: Any
    out_tree: Any
    name: str

    def apply(self, consts: Sequence[Any], cotangent: Any) -> Any:
        """The cotangents of the arguments."""
        found, given_tree = tree.flatten(cotangent)
        if given_tree != self.out_tree:
            raise TypeError(
                f"cotangent tree does not match function output, expected {self.out_tree} but got {given_tree}"
            )
        given = arrays_of(found, self.apply, lambda i: f"(a cotangent of {self.name}) {self._path(i)}")
        for ct, aval in zip(given, self.jaxpr.out_avals):
            if (ct.aval.shape, ct.aval.dtype) != (aval.shape, aval.dtype):
                raise TypeError(
                    f"cotangent type does not match function output, expected {short_aval(aval)} but got "
                    f"{short_aval(ct.aval)}"
                )
        avals = self.jaxpr.in_avals
        cotangents = backward(self.jaxpr, consts, [Linear(a) for a in avals], given)
        outs = [instantiate(Zero(a) if ct is None else ct) for ct, a in zip(cotangents, avals)]
        args, _ = tree.unflatten(self.in_tree, outs)
        return args

    def _path(self, number: int) -> str:
        return tree.path_str(self.out_tree.paths()[number])
