"""`linear_transpose`: the transpose of a function that is linear.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.linear_transpose.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.runtime import tree
from arraytyping.runtime.jaxpr.syntax import short_aval
from arraytyping.runtime.tracing.tangents import Zero, instantiate
from arraytyping.runtime.tracing.transposing import Linear, backward
from arraytyping.runtime.transformations.arguments import arrays_of
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

    def transposed(cotangent: Any) -> Any:
        found, given_tree = tree.flatten(cotangent)
        if given_tree != flat.out_tree:
            raise TypeError(
                f"cotangent tree does not match function output, expected {flat.out_tree} but got {given_tree}"
            )
        given = arrays_of(found, fun, lambda i: f"(a cotangent) {tree.path_str(given_tree.paths()[i])}")
        for ct, aval in zip(given, closed.out_avals):
            if (ct.aval.shape, ct.aval.dtype) != (aval.shape, aval.dtype):
                raise TypeError(
                    f"cotangent type does not match function output, expected {short_aval(aval)} but got "
                    f"{short_aval(ct.aval)}"
                )
        cotangents = backward(closed.jaxpr, closed.consts, [Linear(a) for a in closed.in_avals], given)
        outs = [instantiate(Zero(a) if ct is None else ct) for ct, a in zip(cotangents, closed.in_avals)]
        args, _ = tree.unflatten(flat.in_tree, outs)
        return args

    return transposed
