"""The functions that control flow is given, as jaxprs: traced, compared, rearranged, run.

A function is traced once for each kind of arguments, as long as it lives: JAX, too, asks that it be pure.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from optree import treespec_tuple

from arraytyping import config
from arraytyping.runtime import tree
from arraytyping.runtime.core import EVAL, Primitive, Tracer, aval_of, axes_of, use_trace, vary
from arraytyping.runtime.cut_types import same_cut, shown
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, JaxprEqn, Var, short_aval
from arraytyping.runtime.trace_state import axis_key, manual_here
from arraytyping.runtime.tracing.staging import stage
from arraytyping.runtime.transformations.arguments import FlatFunction, arrays_of
from arraytyping.runtime.transformations.calls import hoisted
from arraytyping.runtime.varying import varying_axes
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.control_flow import disagreement, same_type

__all__ = [
    "Body", "axes_text", "check_carry", "handed_on", "leaves_of", "made_to_differ", "rearranged", "run_compiled",
    "select_by", "split", "staged_apart", "structure_difference", "structure_of_tuple", "traced", "with_fixed",
]  # fmt: skip


class Body(NamedTuple):
    """A traced function: what it closes over are the first inputs of its jaxpr, and `consts`."""

    jaxpr: ClosedJaxpr
    consts: list[Any]
    out_tree: Any

    @property
    def out_avals(self) -> list[ShapedArray]:
        """The types of the results."""
        return self.jaxpr.out_avals


_traced: Final[WeakKeyDictionary[Any, dict[Any, Body]]] = WeakKeyDictionary()


def traced(function: Callable[..., Any], in_tree: Any, avals: Sequence[ShapedArray]) -> Body:
    """The jaxpr of a function of these arguments; `in_tree` is the structure of the tuple of them.

    Raises:
        TypeError: if a result is no array-like.
    """
    known = _traced.setdefault(function, {}) if type(function) is FunctionType else {}
    key = (in_tree, tuple(avals), id(config.promotion()), axis_key())
    if key in known:
        return known[key]
    flat = FlatFunction(function, in_tree)
    jaxpr, consts = hoisted(stage(flat, avals))
    body = Body(jaxpr, consts, flat.out_tree)
    if not any(isinstance(c, Tracer) for c in consts):  # a tracer is another one the next time
        known[key] = body
    return body


def staged_apart(function: Callable[..., Sequence[Any]], avals: Sequence[ShapedArray]) -> ClosedJaxpr:
    """The jaxpr of a function of flat arguments that uses nothing of the values around it."""
    with use_trace(EVAL):
        return stage(function, avals)


def leaves_of(value: Any, function: Callable[..., Any]) -> tuple[list[Any], Any]:
    """The arrays in a tree, and its structure.

    Raises:
        TypeError: for a leaf that is no array-like.
    """
    found, structure = tree.flatten(value)
    return arrays_of(found, function, lambda i: tree.path_str(structure.paths()[i]) or "given"), structure


def structure_of_tuple(*structures: Any) -> Any:
    """The structure of a tuple of trees of these structures."""
    return treespec_tuple(structures, namespace=tree.NAMESPACE)


def structure_difference(what: str, given: Any, other: str, found: Any) -> str:
    """How two structures differ, in one clause: at the first place where one has a container of another kind."""
    place = ""
    while given.type is found.type and given.num_children == found.num_children and given.num_children:
        pairs = zip(given.entries(), given.children(), found.entries(), found.children())
        entry = next(((e, a, b) for e, a, f, b in pairs if a != b and e == f), None)
        if entry is None:
            break
        place, given, found = f"{place}[{entry[0]!r}]", entry[1], entry[2]
    if place:
        return f"at {place}, {what} is {_shown(given)} and {other} is {_shown(found)}"
    return f"{what} is {_shown(given)} and {other} is {_shown(found)}"


def _shown(structure: Any) -> str:
    if structure.is_leaf():
        return "an array"
    name = "None" if structure.type is None or structure.type is type(None) else structure.type.__name__
    n = structure.num_children
    if name == "None":
        return "None"
    return f"a {name} of {n}" + (f" with keys {list(structure.entries())}" if name == "dict" else "")


def check_carry(
    what: str, function: Callable[..., Any], in_tree: Any, avals: Sequence[ShapedArray], out_tree: Any,
    outs: Sequence[ShapedArray],
) -> None:  # fmt: skip
    """Refuse a body whose carry goes out of another type than that with which it came in.

    Raises:
        TypeError: with the component of the carry, its type before and after.
    """
    name = _first_parameter(function)
    if in_tree != out_tree:
        difference = structure_difference("the carry input", in_tree, "the carry output", out_tree)
        raise TypeError(
            f"{what} function carry input and carry output must have the same pytree structure, but they differ: "
            f"{difference}; revise the function so that it returns {name} in the structure in which it gets it"
        )
    differences = [
        f"{name}{tree.path_str(path)} has type {short_aval(a)} but the corresponding output carry component has type "
        f"{short_aval(b)}, so {disagreement(a, b)}"
        for path, a, b in zip(in_tree.paths(), avals, outs)
        if not same_type(a, b)
    ]
    differing = [
        f"{name}{tree.path_str(path)} differs from device to device along {axes_text(a)} and goes out along "
        f"{axes_text(b)}"
        for path, a, b in zip(in_tree.paths(), avals, outs)
        if (varying_axes(a) or frozenset()) != (varying_axes(b) or frozenset())
    ]
    differences += [
        f"{name}{tree.path_str(path)} has type {shown(a)} but the corresponding output carry component has type "
        f"{shown(b)}, so they are cut in different ways (reshard makes the one into the other)"
        for path, a, b in zip(in_tree.paths(), avals, outs)
        if same_type(a, b) and not same_cut(a, b)
    ]
    if differing:
        raise TypeError(
            f"{what} function carry input and carry output must have equal types, but they differ: the input carry "
            f"{'; the input carry '.join(differing)}; apply lax.pcast(..., axes, to='varying') to the one that differs "
            "along fewer axes"
        )
    if differences:
        raise TypeError(
            f"{what} function carry input and carry output must have equal types, but they differ: the input carry "
            f"{'; the input carry '.join(differences)}; revise the function so that all output types match the "
            "corresponding input types"
        )


def made_to_differ(function: Callable[..., Any], carry: list[Any], outs: Sequence[ShapedArray]) -> list[Any]:
    """A carry that differs over a mesh along the axes along which it goes out, for a body of this package.

    It is the carry itself if it does.  A program says so itself, with `pcast`, as in JAX.
    """
    manual = manual_here()
    if manual is None or not manual.check or not str(getattr(function, "__module__", "")).startswith("arraytyping."):
        return carry
    made = [vary(v, (varying_axes(o) or frozenset()) - axes_of(v)) for v, o in zip(carry, outs)]
    return carry if all(map(operator.is_, carry, made)) else made


def axes_text(aval: ShapedArray) -> str:
    """The axes of a mesh along which a value differs, in a sentence."""
    return ", ".join(sorted(map(repr, varying_axes(aval) or ()))) or "no axis"


def _first_parameter(function: Callable[..., Any]) -> str:
    """What a function calls its carry."""
    try:
        return next(iter(inspect.signature(function).parameters))
    except (TypeError, ValueError, StopIteration):
        return "carry"


def split(values: Sequence[Any], *sizes: int) -> list[list[Any]]:
    """Consecutive parts of these sizes, and the rest."""
    parts, start = [], 0
    for size in sizes:
        parts.append(list(values[start : start + size]))
        start += size
    return [*parts, list(values[start:])]


def select_by(flags: Sequence[bool], values: Sequence[Any]) -> list[Any]:
    """The values whose flag is set."""
    return [v for f, v in zip(flags, values) if f]


def rearranged(closed: ClosedJaxpr, inputs: Sequence[int], outputs: Sequence[int] | None = None) -> ClosedJaxpr:
    """The jaxpr with its inputs, and its results, in this order."""
    key = ("rearranged", tuple(inputs), None if outputs is None else tuple(outputs))
    if key not in closed.cache:
        jaxpr = closed.jaxpr
        outs = jaxpr.outvars if outputs is None else [jaxpr.outvars[i] for i in outputs]
        invars = [jaxpr.invars[i] for i in inputs]
        closed.cache[key] = ClosedJaxpr(Jaxpr(jaxpr.constvars, invars, jaxpr.eqns, outs), closed.consts)
    return closed.cache[key]  # type: ignore[no-any-return]


def handed_on(body: ClosedJaxpr, num_consts: int, num_carry: int) -> list[bool]:
    """Which carries a body hands on as they are."""
    jaxpr = body.jaxpr
    return [jaxpr.outvars[i] is jaxpr.invars[num_consts + i] for i in range(num_carry)]


def with_fixed(body: ClosedJaxpr, num_consts: int, fixed: Sequence[bool]) -> ClosedJaxpr:
    """The body with these of its carries as further consts, and without them among its results."""
    if not any(fixed):
        return body
    carry = [(num_consts + i, f) for i, f in enumerate(fixed)]
    inputs = [
        *range(num_consts), *(i for i, f in carry if f), *(i for i, f in carry if not f),
        *range(num_consts + len(fixed), len(body.in_avals)),
    ]  # fmt: skip
    outputs = [i for i in range(len(body.out_avals)) if i >= len(fixed) or not fixed[i]]
    return rearranged(body, inputs, outputs)


def run_compiled(primitive: Primitive, holder: ClosedJaxpr, args: Sequence[Any], params: dict[str, Any]) -> list[Any]:
    """The results on arrays, by a program that lives as long as the jaxpr `holder` among the parameters."""
    avals = tuple(map(aval_of, args))
    key = ("program", primitive, avals, *params.items())
    run = holder.cache.get(key)
    if run is None:
        invars = [Var(a) for a in avals]
        outvars = [Var(a) for a in primitive.abstract_eval(avals, params)]
        eqn = JaxprEqn(invars, outvars, primitive, params)
        run = holder.cache[key] = EVAL.compile(ClosedJaxpr(Jaxpr([], invars, [eqn], outvars), []), primitive.name)
    outs: list[Any] = run(args)
    return outs
