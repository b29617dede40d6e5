"""`cond` and `switch`: one of several functions is run.

The primitive takes a number, the operands of all branches, and a jaxpr for each branch; what branches close over are
operands too.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html;
https://docs.jax.dev/en/latest/_autosummary/jax.lax.switch.html.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

from arraytyping import config
from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.runtime.core import Primitive, Tracer, TypedScalar, axes_of, vary, within_mesh
from arraytyping.runtime.cut_types import same_cut, shown
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, Var, short_aval
from arraytyping.runtime.lax.choices import clamp_p
from arraytyping.runtime.lax.control_flow.bodies import (
    Body,
    axes_text,
    leaves_of,
    run_compiled,
    structure_difference,
    traced,
)
from arraytyping.runtime.trace_state import manual_here
from arraytyping.runtime.tracebacks import api_boundary
from arraytyping.runtime.transformations.arguments import name_of
from arraytyping.runtime.varying import varying_axes
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.control_flow import check_types, disagreement, same_type

__all__ = ["cond", "cond_p", "switch"]


def _rule(cx: Any, index: ShapedArray, *operands: ShapedArray, branches: tuple[ClosedJaxpr, ...]) -> list[ShapedArray]:
    check_types("the index of cond", [index], [ShapedArray((), "int32")])
    for branch in branches:
        check_types("the operands of cond", operands, branch.in_avals)
        check_types("the results of the branches of cond", branch.out_avals, branches[0].out_avals)
    return branches[0].out_avals


cond_p: Final = Primitive("cond", _rule, multiple_results=True, has_jaxprs=True)
cond_p.eval_rule = lambda *args, branches: run_compiled(cond_p, branches[0], args, {"branches": branches})

_NOTHING = object()


def _operands(operands: tuple[Any, ...], operand: Any) -> tuple[Any, ...]:
    if operand is _NOTHING:
        return operands
    if operands:
        raise TypeError(
            f"the keyword operand was given, {operand!r:.60}, and {len(operands)} operands by position too; give all "
            "operands by position"
        )
    return (operand,)


@api_boundary
def cond(pred: Any, true_fun: Any, false_fun: Any, *operands: Any, operand: Any = _NOTHING, linear: Any = None) -> Any:
    """`jax.lax.cond`: what the one function gives where `pred` holds, else the other.

    Both are traced, one is run; under `vmap` with a batch of predicates both are, and the results are selected.

    Raises:
        TypeError: if the predicate is no scalar of bools or numbers, the functions are none, or their results differ in
            structure, shape or dtype.
    """
    del linear  # JAX takes it no longer into account
    if not (callable(true_fun) and callable(false_fun)):
        if callable(false_fun) and len(operands) == 2 and callable(operands[1]):  # cond(pred, x, f, y, g), deprecated
            x, f, y, g = true_fun, false_fun, *operands
            return cond(pred, lambda a, b: f(a), lambda a, b: g(b), x, y)
        raise TypeError(
            f"lax.cond: true_fun and false_fun arguments should be callable, got {true_fun!r:.60} and {false_fun!r:.60}"
        )
    operands = _operands(operands, operand)
    if pred is None:
        raise TypeError("cond predicate is None; give a bool or a number without dimensions")
    if isinstance(pred, list | tuple | str):
        raise TypeError(f"Pred must be a scalar, got {pred!r:.60} of type {type(pred).__name__}")
    try:
        chosen = array_from(pred)
    except TypeError:
        raise TypeError(f"Pred type must be either boolean or number, got {pred!r:.60}") from None
    if chosen.aval.shape != ():
        raise TypeError(f"Pred must be a scalar, got one of shape {chosen.aval.shape}; reduce it, with any() or all()")
    if KINDS[chosen.aval.dtype] not in "biuf":
        raise TypeError(f"Pred type must be either boolean or number, got {chosen.aval.dtype}")
    index = convert_to(convert_to(chosen, "bool"), "int32")
    return _one_of("cond", index, (false_fun, true_fun), ("false_fun", "true_fun"), operands)


@api_boundary
def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any, operand: Any = _NOTHING) -> Any:
    """`jax.lax.switch`: what the function with this number gives; the number is brought into the range of them.

    Raises:
        TypeError: if the index is no scalar of integers, a branch is no function, or results of branches differ in
            structure, shape or dtype.
        ValueError: if there are no branches.
    """
    branches = tuple(branches)
    for branch in branches:
        if not callable(branch):
            raise TypeError(
                f"lax.switch: branches argument should be a sequence of callables, got {branch!r:.60} in it"
            )
    operands = _operands(operands, operand)
    try:
        number = array_from(index)
    except TypeError:
        raise TypeError(f"Index type must be an integer, got {index!r:.60}") from None
    if number.aval.shape != ():
        raise TypeError(f"Branch index must be scalar, got one of shape {number.aval.shape}")
    if KINDS[number.aval.dtype] not in "iu":
        raise TypeError(f"Index type must be an integer, got {number.aval.dtype}")
    if not branches:
        raise ValueError("Empty branch sequence: lax.switch takes at least one function")
    if len(branches) == 1:
        return branches[0](*operands)
    int32 = ShapedArray((), "int32", False)
    last = len(branches) - 1
    clamped = clamp_p.bind(TypedScalar(0, int32), convert_to(number, "int32"), TypedScalar(last, int32))
    return _one_of("switch", clamped, branches, [f"branch {i}" for i in range(len(branches))], operands)


def _number_of(index: Any) -> int | None:
    """The number of the branch, where it is known now."""
    if isinstance(index, Tracer):
        return None
    value: Any = index.value if isinstance(index, TypedScalar) else index._literal()
    return int(value)


def _one_of(
    what: str, index: Any, functions: Sequence[Callable[..., Any]], names: Sequence[str], operands: tuple[Any, ...]
) -> Any:
    if config.jit_is_disabled() and (number := _number_of(index)) is not None:
        return functions[number](*operands)
    axes = varying_axes(index.aval) if (manual := manual_here()) is not None and manual.check else None
    if axes:
        own: list[list[Any]] = [[] for _ in functions]
        functions = [_varying(f, axes, found) for f, found in zip(functions, own)]
    leaves, in_tree = leaves_of(operands, functions[0])
    avals = [leaf.aval for leaf in leaves]
    # the order in which JAX traces, which is that of side effects and of whose mistake is reported
    order = range(len(functions)) if what == "switch" else (1, 0)
    bodies: list[Any] = [None] * len(functions)
    for i in order:
        bodies[i] = traced(functions[i], in_tree, avals)
    first = order[0]
    if axes and any(one != own[0] for one in own):
        raise TypeError(
            f"{what} branches must have equal output types but they differ: their outputs do not differ from device to "
            "device along the same axes; apply lax.pcast(..., axes, to='varying') to the one that differs along fewer"
        )
    for i in order[1:]:
        _check_branches(what, names[first], bodies[first], functions[first], names[i], bodies[i], functions[i])
    consts, branches = _with_common_consts(bodies)
    outs = cond_p.bind(index, *consts, *leaves, branches=branches)
    return tree.unflatten(bodies[first].out_tree, outs)


def _varying(function: Callable[..., Any], axes: Any, own: list[Any]) -> Callable[..., Any]:
    """A branch whose results differ from device to device along these axes, since the predicate does.

    The axes along which they differ by themselves are put into `own`.
    """

    def one(leaf: Any) -> Any:
        value = within_mesh(materialized(array_from(leaf)))
        own.append(axes_of(value))
        return vary(value, axes - axes_of(value))

    @functools.wraps(function)
    def branch(*operands: Any) -> Any:
        own.clear()
        return tree.map(one, function(*operands))

    return branch


def _check_branches(what: str, name: str, body: Body, f: Any, other: str, other_body: Body, g: Any) -> None:
    if body.out_tree != other_body.out_tree:
        difference = structure_difference(
            f"what {name} returns", body.out_tree, f"what {other} returns", other_body.out_tree
        )
        raise TypeError(
            f"{what} branch outputs must have the same pytree structure, but they differ: {difference}; {name} is "
            f"{name_of(f)} and {other} is {name_of(g)}"
        )
    differences = [
        f"the output of {name}{_at(tree.path_str(path))} has type {short_aval(a)} but the corresponding output of "
        f"{other} "
        f"has type {short_aval(b)}, so {disagreement(a, b)}"
        for path, a, b in zip(body.out_tree.paths(), body.out_avals, other_body.out_avals)
        if not same_type(a, b)
    ]
    differing = [
        f"the output of {name}{_at(tree.path_str(path))} differs from device to device along {axes_text(a)} and that "
        f"of {other} along {axes_text(b)}"
        for path, a, b in zip(body.out_tree.paths(), body.out_avals, other_body.out_avals)
        if (varying_axes(a) or frozenset()) != (varying_axes(b) or frozenset())
    ]
    differences += [
        f"the output of {name}{_at(tree.path_str(path))} has type {shown(a)} but the corresponding output of {other} "
        f"has type {shown(b)}, so they are cut in different ways"
        for path, a, b in zip(body.out_tree.paths(), body.out_avals, other_body.out_avals)
        if same_type(a, b) and not same_cut(a, b)
    ]
    if differing:
        raise TypeError(
            f"{what} branches must have equal output types but they differ: {'; '.join(differing)}; apply "
            "lax.pcast(..., axes, to='varying') to the one that differs along fewer axes"
        )
    if differences:
        raise TypeError(
            f"{what} branches must have equal output types but they differ: {'; '.join(differences)}; {name} is "
            f"{name_of(f)} and {other} is {name_of(g)}; convert one of them, for example with .astype"
        )


def _at(path: str) -> str:
    return f" at {path}" if path else ""


def _with_common_consts(bodies: Sequence[Body]) -> tuple[list[Any], tuple[ClosedJaxpr, ...]]:
    """What all branches close over, and jaxprs that take all of it."""
    values = {id(c): c for body in bodies for c in body.consts}
    if not values:
        return [], tuple(body.jaxpr for body in bodies)
    numbers = {key: i for i, key in enumerate(values)}
    branches = []
    for body in bodies:
        places = tuple(numbers[id(c)] for c in body.consts)
        key = ("common consts", places, tuple(c.aval for c in values.values()))
        if key not in body.jaxpr.cache:
            body.jaxpr.cache[key] = _taking(body, places, [c.aval for c in values.values()])
        branches.append(body.jaxpr.cache[key])
    return list(values.values()), tuple(branches)


def _taking(body: Body, places: Sequence[int], avals: Sequence[ShapedArray]) -> ClosedJaxpr:
    jaxpr, n = body.jaxpr.jaxpr, len(places)
    invars = [Var(a) for a in avals]
    for place, var in zip(places, jaxpr.invars):
        invars[place] = var
    return ClosedJaxpr(Jaxpr([], [*invars, *jaxpr.invars[n:]], jaxpr.eqns, jaxpr.outvars), [])
