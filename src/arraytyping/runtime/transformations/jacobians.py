"""Jacobians and Hessians: derivatives in all directions at once, by `vmap`.

Source: https://docs.jax.dev/en/latest/jacobian-vector-products.html;
https://docs.jax.dev/en/latest/_autosummary/jax.jacfwd.html;
https://docs.jax.dev/en/latest/_autosummary/jax.jacrev.html.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, cast

from arraytyping import config
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.tracebacks import api_boundary
from arraytyping.runtime.transformations.arguments import arrays_of, normalized_argnums
from arraytyping.runtime.transformations.differentiation import jvp, vjp
from arraytyping.runtime.transformations.mapping import vmap
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import Element

__all__ = ["hessian", "jacfwd", "jacobian", "jacrev"]


def _chosen(
    fun: Callable[..., Any], argnums: int | Sequence[int], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """The function of the arguments `argnums` alone, and these."""
    numbers = normalized_argnums(argnums, "argnums", len(args))

    @functools.wraps(fun)
    def of_chosen(*values: Any) -> Any:
        given = list(args)
        for n, value in zip(numbers, values):
            given[n] = value
        return fun(*given, **kwargs)

    return of_chosen, tuple(args[n] for n in numbers)


def _require_function(fun: Any, what: str) -> None:
    if not callable(fun):
        raise TypeError(f"{what} takes a function, got {fun!r:.60} of type {type(fun).__name__}")


def _check(aval: ShapedArray, what: str, which: str, holomorphic: bool) -> None:
    """Refuse an input or output by which, or of which, there is no derivative of this kind.

    Raises:
        TypeError: with the dtype.
    """
    kind = KINDS[str(aval.dtype)]
    if holomorphic:
        if kind != "c":
            raise TypeError(f"{what} with holomorphic=True requires {which}s with complex dtype, but got {aval.dtype}.")
    elif kind != "f":
        raise TypeError(
            f"{what} requires real-valued {which}s ({which} dtype that is a sub-dtype of np.floating), but got "
            f"{aval.dtype}. "
            "For holomorphic differentiation, pass holomorphic=True. For differentiation of non-holomorphic functions "
            "involving complex or integer values, use jvp or vjp directly."
        )


def _shape(aval: ShapedArray) -> tuple[int, ...]:
    """The sizes, all of which are known of a value."""
    return cast(tuple[int, ...], aval.shape)


def _size(aval: ShapedArray) -> int:
    return math.prod(_shape(aval))


def _basis(avals: Sequence[ShapedArray]) -> list[Any]:
    """The parts of the unit vectors of all elements together, one for each array."""
    from arraytyping.runtime.lax.arithmetic import add_p
    from arraytyping.runtime.lax.comparisons import eq_p
    from arraytyping.runtime.lax.creation import iota_of
    from arraytyping.runtime.lax.structure import reshape

    sizes = [_size(a) for a in avals]
    n, start = sum(sizes), 0
    parts = []
    for aval, size in zip(avals, sizes):
        assert aval.dtype is not None
        columns = iota_of("int32", (n, size), 1)
        if start:
            columns = add_p.bind(columns, TypedScalar(start, ShapedArray((), "int32", False)))
        ones = convert_to(eq_p.bind(iota_of("int32", (n, size), 0), columns), aval.dtype)
        parts.append(reshape(ones, (n, *_shape(aval))))
        start += size
    return parts


def _split(x: Any, axis: int, avals: Sequence[ShapedArray], like: Sequence[ShapedArray]) -> list[Any]:
    """Consecutive parts along a dimension, which becomes those of each array; each of the dtype that `like` says."""
    from arraytyping.runtime.lax.aggregates import slice_along
    from arraytyping.runtime.lax.structure import reshape

    shape = x.aval.shape
    parts, start = [], 0
    for aval, example in zip(avals, like):
        size = _size(aval)
        part = x if size == shape[axis] else slice_along(x, start, start + size, 1, axis)
        part = reshape(part, (*shape[:axis], *_shape(aval), *shape[axis + 1 :]))
        parts.append(_as(part, example))
        start += size
    return parts


def _as(x: Any, example: ShapedArray) -> Any:
    if KINDS[x.aval.dtype] == "c" and KINDS[str(example.dtype)] != "c":
        from arraytyping.runtime.lax.complex_numbers import real_p

        x = real_p.bind(x)
    return convert_to(x, str(example.dtype), bool(example.weak_type))


def _common(avals: Sequence[ShapedArray]) -> list[ShapedArray]:
    """The types of directions: of one dtype all."""
    if not avals:
        return []
    joined = config.promotion().result_type([Element(str(a.dtype), bool(a.weak_type)) for a in avals])
    return [ShapedArray(a.shape, joined.dtype, False) for a in avals]


def jacfwd(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """A function that gives the Jacobian of `fun` by the arguments `argnums`, in forward mode: one pass for each input.

    Raises (when called):
        TypeError: if an input or output is not of floats (with `holomorphic`, of complex numbers).
    """
    _require_function(fun, "jacfwd")

    @api_boundary
    @functools.wraps(fun)
    def jacobian_of(*args: Any, **kwargs: Any) -> Any:
        f, chosen = _chosen(fun, argnums, args, kwargs)
        found, structure = tree.flatten(chosen)
        leaves = arrays_of(found, fun, lambda i: tree.path_str(structure.paths()[i]))
        avals = [leaf.aval for leaf in leaves]
        for aval in avals:
            _check(aval, "jacfwd", "input", holomorphic)
        primals = tree.unflatten(structure, leaves)

        def push(*directions: Any) -> Any:
            given = [convert_to(d, str(a.dtype)) for d, a in zip(directions, avals)]
            value, tangent, *aux = jvp(f, primals, tree.unflatten(structure, given), has_aux=has_aux)
            for leaf in tree.leaves(value):
                _check(leaf.aval, "jacfwd", "output", holomorphic)
            return (value, tangent, *aux)

        axes = (None, -1, None) if has_aux else (None, -1)
        value, tangents, *aux = vmap(push, out_axes=axes)(*_basis(_common(avals)))
        inner = structure.children()[0] if isinstance(argnums, int) else structure

        def block(y: Any, columns: Any) -> Any:
            parts = _split(columns, len(columns.aval.shape) - 1, avals, [y.aval] * len(avals))
            return tree.unflatten(inner, parts)

        result = tree.map(block, value, tangents)
        return (result, *aux) if has_aux else result

    return jacobian_of


def jacrev(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """A function that gives the Jacobian of `fun` by the arguments `argnums`, in reverse mode: a pass for each output.

    Raises (when called):
        TypeError: if an input or output is not of floats (with `holomorphic`, of complex numbers).
    """
    _require_function(fun, "jacrev")

    @api_boundary
    @functools.wraps(fun)
    def jacobian_of(*args: Any, **kwargs: Any) -> Any:
        f, chosen = _chosen(fun, argnums, args, kwargs)
        found, structure = tree.flatten(chosen)
        leaves = arrays_of(found, fun, lambda i: tree.path_str(structure.paths()[i]))
        avals = [leaf.aval for leaf in leaves]
        for aval in avals:
            kind = KINDS[str(aval.dtype)]
            if not (allow_int and kind in "iub") and (holomorphic or kind != "c"):
                _check(aval, "jacrev", "input", holomorphic)
        value, pull, *aux = vjp(f, *tree.unflatten(structure, leaves), has_aux=has_aux)
        outs, out_structure = tree.flatten(value)
        out_avals = [out.aval for out in outs]
        for aval in out_avals:
            _check(aval, "jacrev", "output", holomorphic)

        def rows(*directions: Any) -> list[Any]:
            given = [convert_to(d, str(a.dtype)) for d, a in zip(directions, out_avals)]
            found = tree.leaves(pull(tree.unflatten(out_structure, given)))
            return [ct for ct, a in zip(found, avals) if KINDS[str(a.dtype)] in "fc"]

        cotangents = iter(vmap(rows)(*_basis(_common(out_avals))))
        columns = [_blocks(cotangents, aval, out_avals) for aval in avals]
        inner = structure.children()[0] if isinstance(argnums, int) else structure
        by_output = [tree.unflatten(inner, [column[i] for column in columns]) for i in range(len(outs))]
        result = tree.unflatten(out_structure, by_output)
        return (result, *aux) if has_aux else result

    return jacobian_of


def _blocks(cotangents: Any, aval: ShapedArray, out_avals: Sequence[ShapedArray]) -> list[Any]:
    """The derivatives of each output by one input; by an integer, of the dtype float0, which holds nothing."""
    from arraytyping.runtime.transformations.differentiation import float0_zeros

    if KINDS[str(aval.dtype)] not in "fc":
        return [float0_zeros(ShapedArray((*(out.shape or ()), *(aval.shape or ())), aval.dtype)) for out in out_avals]
    return _split(next(cotangents), 0, out_avals, [aval] * len(out_avals))


def jacobian(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """As `jacrev`."""
    return jacrev(fun, argnums, has_aux, holomorphic, allow_int)


def hessian(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """A function that gives the second derivatives of `fun` by the arguments `argnums`: `jacfwd` of `jacrev`."""
    return jacfwd(jacrev(fun, argnums, has_aux, holomorphic), argnums, has_aux, holomorphic)
