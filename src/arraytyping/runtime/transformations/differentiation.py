"""Derivatives: `jvp`, `linearize`, `vjp`, `grad`, `value_and_grad`.

Source: https://docs.jax.dev/en/latest/automatic-differentiation.html;
https://docs.jax.dev/en/latest/notebooks/autodiff_cookbook.html.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from arraytyping.basearray import Array
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import convert_to, materialized, python_scalar
from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr
from arraytyping.runtime.jaxpr.syntax import Jaxpr, short_aval
from arraytyping.runtime.tracebacks import api_boundary
from arraytyping.runtime.tracing.forward import jvp_flat
from arraytyping.runtime.tracing.partial_eval import linearize_flat
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, instantiate, is_zero
from arraytyping.runtime.tracing.transposing import Linear, backward
from arraytyping.runtime.transformations.arguments import (
    FlatFunction,
    arrays_of,
    float0,
    is_float0,
    name_of,
    normalized_argnums,
)
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray

__all__ = ["float0", "grad", "jvp", "linearize", "value_and_grad", "vjp"]


def float0_zeros(aval: ShapedArray) -> np.ndarray[Any, Any]:
    """The one tangent that an array of integers or bools has."""
    assert aval.shape is not None
    return np.zeros(tuple(d or 0 for d in aval.shape), float0)


def _flat(function: Callable[..., Any], args: Sequence[Any], what: str) -> tuple[FlatFunction, list[Any]]:
    if not callable(function):
        raise TypeError(f"{what} takes a function, got {function!r:.60} of type {type(function).__name__}")
    found, in_tree = tree.flatten(tuple(args))
    return FlatFunction(function, in_tree), arrays_of(found, function, lambda i: tree.path_str(in_tree.paths()[i]))


_INCONSISTENT: Final = {
    "jvp": "jvp",
    "linearize": "linearized function called on tangent values inconsistent with the original primal values",
    "vjp": "unexpected JAX type (e.g. shape/dtype) for argument to vjp function",
}


def _tangent(aval: ShapedArray, tangent: Any, what: str) -> Any:
    """A tangent that a user gives, checked against the abstract value of its primal.

    Raises:
        TypeError: if its dtype is not that of the tangent; (ValueError) of `linearize` and `vjp`.
        ValueError: if its shape is not the primal's.
    """
    wrong = TypeError if what == "jvp" else ValueError
    if not has_tangent(aval):
        if what == "vjp":  # of an integer result anything of its shape is taken, such as the result itself
            if np.shape(tangent) != aval.shape:
                raise ValueError(
                    f"vjp: a result of {short_aval(aval)} has a cotangent of its shape, got {tangent!r:.60}"
                )
            return Zero(aval)
        if getattr(tangent, "dtype", None) != float0:
            given = getattr(tangent, "dtype", type(tangent).__name__)
            raise wrong(
                f"{_INCONSISTENT[what]}: a primal of {short_aval(aval)} has a tangent of dtype float0, got {given}; "
                "give np.zeros(shape, float0)"
            )
        return Zero(aval)
    if is_float0(tangent):
        raise wrong(
            f"{_INCONSISTENT[what]}: a primal of {short_aval(aval)} has a tangent of {aval.dtype}, got one of float0"
        )
    (array,) = arrays_of([tangent], _tangent, lambda i: "tangent")
    if array.aval.dtype != aval.dtype:
        # `jvp` takes Python's numbers for a tangent of any float; a linear function was made for one type
        if what != "linearize" and array.aval.weak_type and KINDS[str(array.aval.dtype)] in "if":
            array = convert_to(array, str(aval.dtype))
        else:
            raise wrong(
                f"{_INCONSISTENT[what]}: a primal of {short_aval(aval)} has a tangent of {aval.dtype}, got "
                f"{array.aval.dtype}; convert it with .astype({aval.dtype!r})"
            )
    if array.aval.shape != aval.shape:
        raise ValueError(
            f"{_INCONSISTENT[what]}: a primal of {short_aval(aval)} has a tangent of its shape, got "
            f"{short_aval(array.aval)}"
        )
    return array


def _shown(tangent: Any, aval: ShapedArray) -> Any:
    """A tangent as a user sees it."""
    if not has_tangent(aval):
        return float0_zeros(aval)
    return materialized(instantiate(tangent))


def _results(flat: FlatFunction, outs: Sequence[Any]) -> Any:
    """The value of a function, of its flat results."""
    return tree.unflatten(flat.out_tree, map(materialized, outs))


@api_boundary
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
    outs, out_tangents = jvp_flat(flat, leaves, [_tangent(p.aval, t, "jvp") for p, t in zip(leaves, given)])
    value = _results(flat, outs)
    tangent = tree.unflatten(flat.out_tree, [_shown(t, o.aval) for o, t in zip(outs, out_tangents)])
    return (value, tangent, _primal_aux(aux)) if has_aux else (value, tangent)


def _without_aux(fun: Callable[..., Any], aux: list[Any]) -> Callable[..., Any]:
    """The function whose second result is put into `aux`."""

    @api_boundary
    @functools.wraps(fun)
    def first(*args: Any, **kwargs: Any) -> Any:
        result = fun(*args, **kwargs)
        if not isinstance(result, tuple | list) or len(result) != 2:
            raise TypeError(
                f"with has_aux, {name_of(fun)} must return a two-element tuple, got {type(result).__name__}"
            )
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


@dataclass(eq=False, frozen=True, slots=True)
class _LinearMap:
    """The derivative of a function at a point, of the constants of its jaxpr and of tangents or cotangents."""

    linear: Jaxpr
    zeros: Sequence[Any]
    in_avals: Sequence[ShapedArray]
    out_avals: Sequence[ShapedArray]
    in_tree: Any
    out_tree: Any
    name: str

    def push(self, consts: Sequence[Any], *tangents: Any) -> Any:
        """The tangents of the results."""
        given, given_tree = tree.flatten(tuple(tangents))
        if given_tree != self.in_tree:
            raise TypeError(f"the linear function takes tangents of structure {self.in_tree}, got {given_tree}")
        checked = [_tangent(a, t, "linearize") for a, t in zip(self.in_avals, given)]
        results = iter(eval_jaxpr(self.linear, consts, *(t for t in checked if not is_zero(t))))
        found = [next(results) if zero is None else zero for zero in self.zeros]
        return tree.unflatten(self.out_tree, map(_shown, found, self.out_avals))

    def pull(self, consts: Sequence[Any], *results: Any) -> Any:
        """The cotangents of the arguments."""
        if len(results) != 1:
            raise TypeError(
                f"The function returned by vjp applied to {self.name} was called with {len(results)} arguments, but "
                f"takes one, which corresponds to the one value that {self.name} returns, even if that is a tuple"
            )
        (cotangents,) = results
        given, given_tree = tree.flatten(cotangents)
        if given_tree != self.out_tree:
            raise ValueError(
                f"unexpected tree structure: the function from vjp takes a cotangent of the structure of the result, "
                f"{self.out_tree}, got {given_tree}"
            )
        checked = [_tangent(a, ct, "vjp") for a, ct in zip(self.out_avals, given)]
        found = _pulled(self.linear, consts, self.zeros, self.in_avals, checked)
        return tree.unflatten(self.in_tree, map(_shown, found, self.in_avals))


def _at_point(
    fun: Callable[..., Any], primals: Sequence[Any], has_aux: bool, what: str
) -> tuple[Any, _LinearMap, list[Any], list[Any]]:
    """The value of a function, its derivative, the constants of that, and the auxiliary result where there is one."""
    aux: list[Any] = []
    flat, leaves = _flat(_without_aux(fun, aux) if has_aux else fun, primals, what)
    outs, linear, zeros = linearize_flat(flat, leaves, [has_tangent(p.aval) for p in leaves])
    avals = [p.aval for p in leaves], [o.aval for o in outs]
    derivative = _LinearMap(linear.jaxpr, zeros, *avals, flat.in_tree, flat.out_tree, name_of(fun))
    return _results(flat, outs), derivative, linear.consts, aux


@api_boundary
def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value of a function, and the linear function of tangents that is its derivative there.

    The linear function is a container of arrays (a `Partial`): a jitted function may return it.
    """
    value, derivative, consts, aux = _at_point(fun, primals, has_aux, "linearize")
    linear_map = tree.Partial(derivative.push, consts)
    return (value, linear_map, _primal_aux(aux)) if has_aux else (value, linear_map)


@api_boundary
def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value of a function, and the function from cotangents of its results to those of its arguments.

    That function is a container of arrays (a `Partial`): a jitted function may return it.
    """
    value, derivative, consts, aux = _at_point(fun, primals, has_aux, "vjp")
    pullback = tree.Partial(derivative.pull, consts)
    return (value, pullback, _primal_aux(aux)) if has_aux else (value, pullback)


def _pulled(
    linear: Jaxpr,
    consts: Sequence[Any],
    zeros: Sequence[Any],
    in_avals: Sequence[ShapedArray],
    cotangents: Sequence[Any],
) -> list[Any]:
    """The cotangents of all arguments, a `Zero` for those that have none."""
    given = [ct for ct, zero in zip(cotangents, zeros) if zero is None]
    if not given:
        return [Zero(a) for a in in_avals]
    found = iter(backward(linear, consts, [Linear(a) for a in linear.in_avals], given))
    return [next(found) if has_tangent(a) else Zero(a) for a in in_avals]


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

    @api_boundary
    @functools.wraps(fun)
    def with_gradient(*args: Any, **kwargs: Any) -> Any:
        numbers = normalized_argnums(argnums, "argnums", len(args), TypeError)
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
        outs, linear, zeros = linearize_flat(flat, leaves, [has_tangent(p.aval) for p in leaves])
        value = _results(flat, outs)
        _check_output(value, fun, holomorphic)
        aval = outs[0].aval
        seed = TypedScalar(python_scalar(1, aval.dtype), ShapedArray((), aval.dtype, aval.weak_type))
        found = _pulled(linear.jaxpr, linear.consts, zeros, [p.aval for p in leaves], [seed])
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

    @api_boundary
    @functools.wraps(fun)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient
