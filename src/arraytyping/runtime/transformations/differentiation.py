"""Derivatives: `jvp`, `linearize`, `vjp`, `grad`, `value_and_grad`.

Source: https://docs.jax.dev/en/latest/automatic-differentiation.html;
https://docs.jax.dev/en/latest/notebooks/autodiff_cookbook.html.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from arraytyping.basearray import Array
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import convert_to, python_scalar
from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import short_aval
from arraytyping.runtime.tracing.forward import jvp_flat
from arraytyping.runtime.tracing.partial_eval import linearize_flat
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, instantiate, is_zero
from arraytyping.runtime.tracing.transposing import Linear, backward
from arraytyping.runtime.transformations.arguments import FlatFunction, arrays_of, name_of, normalized_argnums
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray

__all__ = ["float0", "grad", "jvp", "linearize", "value_and_grad", "vjp"]

float0: Final = np.dtype([("float0", np.void, 0)])
"""The dtype of the tangents of integers and bools, which hold nothing."""


def float0_zeros(aval: ShapedArray) -> np.ndarray[Any, Any]:
    """The one tangent that an array of integers or bools has."""
    assert aval.shape is not None
    return np.zeros(tuple(d or 0 for d in aval.shape), float0)


def _flat(function: Callable[..., Any], args: Sequence[Any], what: str) -> tuple[FlatFunction, list[Any]]:
    if not callable(function):
        raise TypeError(f"{what} takes a function, got {function!r:.60} of type {type(function).__name__}")
    found, in_tree = tree.flatten(tuple(args))
    return FlatFunction(function, in_tree), arrays_of(found, function, lambda i: tree.path_str(in_tree.paths()[i]))


def _tangent(primal: Any, tangent: Any, what: str) -> Any:
    """A tangent that a user gives, checked against its primal.

    Raises:
        TypeError: if its dtype is not that of the tangent.
        ValueError: if its shape is not the primal's.
    """
    aval = primal.aval
    if not has_tangent(aval):
        if getattr(tangent, "dtype", None) != float0:
            given = getattr(tangent, "dtype", type(tangent).__name__)
            raise TypeError(
                f"{what}: a primal of {short_aval(aval)} has a tangent of dtype float0, got {given}; give "
                "np.zeros(shape, float0)"
            )
        return Zero(aval)
    (array,) = arrays_of([tangent], _tangent, lambda i: "tangent")
    if array.aval.dtype != aval.dtype:
        if array.aval.weak_type and KINDS[str(array.aval.dtype)] in "if":
            array = convert_to(array, aval.dtype)
        else:
            raise TypeError(
                f"{what}: a primal of {short_aval(aval)} has a tangent of {aval.dtype}, got {array.aval.dtype}; "
                f"convert it with .astype({aval.dtype!r})"
            )
    if array.aval.shape != aval.shape:
        raise ValueError(
            f"{what}: a primal of {short_aval(aval)} has a tangent of its shape, got {short_aval(array.aval)}"
        )
    return array


def _shown(tangent: Any, aval: ShapedArray) -> Any:
    """A tangent as a user sees it."""
    if not has_tangent(aval):
        return float0_zeros(aval)
    return instantiate(tangent)


def jvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> Any:
    """The value of a function, and its derivative in the direction of the tangents.

    Raises:
        TypeError: if primals and tangents are no tuples or lists, or differ in structure or dtype.
        ValueError: if they differ in shape.
    """
    if not isinstance(primals, tuple | list) or not isinstance(tangents, tuple | list):
        raise TypeError(
            f"primal and tangent arguments to jvp must be tuples or lists; found {type(primals).__name__} and "
            f"{type(tangents).__name__}"
        )
    aux: list[Any] = []
    flat, leaves = _flat(_without_aux(fun, aux) if has_aux else fun, primals, "jvp")
    given, given_tree = tree.flatten(tuple(tangents))
    if given_tree != flat.in_tree:
        raise TypeError(
            f"primal and tangent arguments to jvp must have the same tree structure; primals have {flat.in_tree} "
            f"whereas tangents have {given_tree}"
        )
    outs, out_tangents = jvp_flat(flat, leaves, [_tangent(p, t, "jvp") for p, t in zip(leaves, given)])
    value = tree.unflatten(flat.out_tree, outs)
    tangent = tree.unflatten(flat.out_tree, [_shown(t, o.aval) for o, t in zip(outs, out_tangents)])
    return (value, tangent, _primal_aux(aux)) if has_aux else (value, tangent)


def _without_aux(fun: Callable[..., Any], aux: list[Any]) -> Callable[..., Any]:
    """The function whose second result is put into `aux`."""

    @functools.wraps(fun)
    def first(*args: Any, **kwargs: Any) -> Any:
        result = fun(*args, **kwargs)
        if not isinstance(result, tuple | list) or len(result) != 2:
            raise TypeError(f"with has_aux, {name_of(fun)} must return a pair, got {type(result).__name__}")
        aux[:] = [result[1]]
        return result[0]

    return first


def _primal_aux(aux: list[Any]) -> Any:
    """The auxiliary result, without the tangents that its arrays carry."""
    from arraytyping.runtime.tracing.forward import JVPTracer

    def primal(x: Any) -> Any:
        while isinstance(x, JVPTracer) and x._trace.is_finished:
            x = x.primal
        return x

    return tree.map(primal, aux[0])


def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value of a function, and the linear function of tangents that is its derivative there."""
    aux: list[Any] = []
    flat, leaves = _flat(_without_aux(fun, aux) if has_aux else fun, primals, "linearize")
    outs, linear, zeros = linearize_flat(flat, leaves, [has_tangent(p.aval) for p in leaves])
    in_tree, out_tree = flat.in_tree, flat.out_tree

    def linear_map(*tangents: Any) -> Any:
        given, given_tree = tree.flatten(tuple(tangents))
        if given_tree != in_tree:
            raise TypeError(f"the linear function takes tangents of structure {in_tree}, got {given_tree}")
        checked = [_tangent(p, t, "linearize") for p, t in zip(leaves, given)]
        results = iter(eval_jaxpr(linear.jaxpr, linear.consts, *(t for t in checked if not is_zero(t))))
        found = [next(results) if zero is None else zero for zero in zeros]
        return tree.unflatten(out_tree, [_shown(t, o.aval) for o, t in zip(outs, found)])

    value = tree.unflatten(out_tree, outs)
    return (value, linear_map, _primal_aux(aux)) if has_aux else (value, linear_map)


def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value of a function, and the function from cotangents of its results to those of its arguments."""
    aux: list[Any] = []
    flat, leaves = _flat(_without_aux(fun, aux) if has_aux else fun, primals, "vjp")
    outs, pull = _vjp_flat(flat, leaves, [has_tangent(p.aval) for p in leaves])
    in_tree, out_tree = flat.in_tree, flat.out_tree

    def pullback(cotangents: Any) -> Any:
        given, given_tree = tree.flatten(cotangents)
        if given_tree != out_tree:
            raise ValueError(
                f"the function from vjp takes a cotangent of the structure of the result, {out_tree}, got {given_tree}"
            )
        checked = [_tangent(o, ct, "vjp") for o, ct in zip(outs, given)]
        found = pull(checked)
        return tree.unflatten(in_tree, [_shown(ct, p.aval) for p, ct in zip(leaves, found)])

    value = tree.unflatten(out_tree, outs)
    return (value, pullback, _primal_aux(aux)) if has_aux else (value, pullback)


def _vjp_flat(
    function: Callable[..., Sequence[Any]], primals: Sequence[Any], active: Sequence[bool]
) -> tuple[list[Any], Callable[[Sequence[Any]], list[Any]]]:
    outs, linear, zeros = linearize_flat(function, primals, active)
    avals = [p.aval for p in primals]

    def pull(cotangents: Sequence[Any]) -> list[Any]:
        given = [ct for ct, zero in zip(cotangents, zeros) if zero is None]
        found = iter(
            backward(linear.jaxpr, linear.consts, [Linear(a) for a in linear.in_avals], given) if given else ()
        )
        if not given:
            return [Zero(a) for a in avals]
        return [next(found) if a else Zero(aval) for a, aval in zip(active, avals)]

    return outs, pull


def value_and_grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """A function that gives the value of `fun`, a scalar, and its gradient by the arguments `argnums`.

    Raises (when called):
        TypeError: if the value is no real scalar, or an argument by which it differentiates is no float.
    """
    if not callable(fun):
        raise TypeError(f"value_and_grad takes a function, got {fun!r:.60} of type {type(fun).__name__}")

    @functools.wraps(fun)
    def with_gradient(*args: Any, **kwargs: Any) -> Any:
        numbers = normalized_argnums(argnums, "argnums", len(args))
        chosen = tuple(args[n] for n in numbers)

        def of_chosen(*values: Any) -> Any:
            given = list(args)
            for n, value in zip(numbers, values):
                given[n] = value
            return fun(*given, **kwargs)

        functools.update_wrapper(of_chosen, fun, updated=())
        aux: list[Any] = []
        flat, leaves = _flat(_without_aux(of_chosen, aux) if has_aux else of_chosen, chosen, "grad")
        for leaf in leaves:
            _check_input(leaf.aval, holomorphic, allow_int)
        outs, pull = _vjp_flat(flat, leaves, [has_tangent(p.aval) for p in leaves])
        out_tree = flat.out_tree
        value = tree.unflatten(out_tree, outs)
        _check_output(value, fun, holomorphic)
        aval = outs[0].aval
        seed = TypedScalar(python_scalar(1, aval.dtype), ShapedArray((), aval.dtype, aval.weak_type))
        found = pull([seed])
        gradients = tree.unflatten(flat.in_tree, [_shown(g, p.aval) for g, p in zip(found, leaves)])
        gradient = gradients[0] if isinstance(argnums, int) else gradients
        return ((value, _primal_aux(aux)), gradient) if has_aux else (value, gradient)

    return with_gradient


def _check_input(aval: ShapedArray, holomorphic: bool, allow_int: bool) -> None:
    kind = KINDS[str(aval.dtype)]
    if holomorphic and kind != "c":
        raise TypeError(f"grad with holomorphic=True requires inputs with complex dtype, but got {aval.dtype}.")
    if kind in "iub" and not allow_int:
        raise TypeError(
            f"grad requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got "
            f"{aval.dtype}. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."
        )


def _check_output(value: Any, fun: Callable[..., Any], holomorphic: bool) -> None:
    if not isinstance(value, Array):
        raise TypeError(
            f"Gradient only defined for scalar-output functions. Output of {name_of(fun)} was "
            f"{type(value).__name__}; return one array without dimensions."
        )
    aval: ShapedArray = value.aval
    if aval.shape != ():
        raise TypeError(
            f"Gradient only defined for scalar-output functions. Output of {name_of(fun)} had shape: {aval.shape}; "
            "reduce it, for example with .sum() or .mean()."
        )
    kind = KINDS[str(aval.dtype)]
    if kind == "c" and not holomorphic:
        raise TypeError(
            f"grad requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got "
            f"{aval.dtype}. For holomorphic differentiation, pass holomorphic=True."
        )
    if kind in "iub":
        raise TypeError(
            f"grad requires real- or complex-valued outputs (output dtype that is a sub-dtype of np.inexact), but got "
            f"{aval.dtype}; for differentiation of functions with integer outputs, use vjp directly."
        )


def grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """A function that gives the gradient of `fun`, a scalar, by the arguments `argnums`.

    Raises (when called):
        TypeError: if the value is no real scalar, or an argument by which it differentiates is no float.
    """
    both = value_and_grad(fun, argnums, has_aux, holomorphic, allow_int)

    @functools.wraps(fun)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient
