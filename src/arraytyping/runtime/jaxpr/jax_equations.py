"""What the equations of JAX's own jaxprs are here: the primitive of the same meaning, and its parameters.

An equation without such a primitive, or with a parameter that the rule here does not know, has none, and the reason
says why: whoever checks it must say that it is not checked.  JAX is not imported; its objects are only read.

Source: https://docs.jax.dev/en/latest/jaxpr.html; the primitives of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np

from arraytyping.runtime.core import PRIMITIVES, Primitive
from arraytyping.runtime.jaxpr.parameters import RECORDS
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, Var
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.control_flow import check_types
from arraytyping.semantics.rules.named import named

__all__ = ["equation_of", "without_rule"]

_NAMES: Final[dict[str, str]] = {
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "not": "bitwise_not",
    "eq_to": "eq",  # in the total order of floats, as are the next two
    "le_to": "le",
    "lt_to": "lt",
    "closed_call": "jit",
    "core_call": "jit",
    "pjit": "jit",
    "remat2": "checkpoint",
    **{f"scatter-{kind}": f"scatter_{kind}" for kind in ("add", "sub", "mul", "min", "max")},
}
"""JAX's primitives that have another name here."""


def _copied(cx: Any, x: ShapedArray) -> ShapedArray:
    return x


def _placed(cx: Any, *arrays: ShapedArray) -> list[ShapedArray]:
    return list(arrays)


def _summed(cx: Any, x: ShapedArray, y: ShapedArray) -> ShapedArray:
    check_types("the second of two cotangents that are added", [y], [x])
    return x


def _empty(cx: Any, *, dtype: str) -> ShapedArray:
    return ShapedArray((), dtype, False)


def _platform(cx: Any, *, platforms: Any) -> ShapedArray:
    return ShapedArray((), "int32", False)


def _stacked(cx: Any, *arrays: ShapedArray, axis: int) -> Any:
    return named("lax.stack")(cx, arrays, axis)


def _values_first(cx: Any, x: ShapedArray, **params: Any) -> list[ShapedArray]:
    found: list[ShapedArray] = _own("svd")(cx, x, **params)
    return [found[1], found[0], found[2]] if params["compute_uv"] else found


def _while(
    cx: Any, *avals: ShapedArray, cond_jaxpr: ClosedJaxpr, cond_nconsts: int, body_jaxpr: ClosedJaxpr, body_nconsts: int
) -> list[ShapedArray]:
    """A loop; mapped by JAX its predicate may be one for each example: it goes on as long as one holds."""
    predicate = cond_jaxpr.out_avals[0]
    if predicate.shape:
        one = Jaxpr([], cond_jaxpr.jaxpr.invars, [], [Var(ShapedArray((), predicate.dtype, predicate.weak_type))])
        cond_jaxpr = ClosedJaxpr(one, [])
    found: list[ShapedArray] = _own("while")(
        cx, *avals, cond_jaxpr=cond_jaxpr, cond_nconsts=cond_nconsts, body_jaxpr=body_jaxpr, body_nconsts=body_nconsts
    )
    return found


def _own(name: str) -> Callable[..., Any]:
    rule = PRIMITIVES[name].rule
    assert rule is not None
    return rule


def _rule_alone(
    name: str, rule: Callable[..., Any], multiple_results: bool = False, has_jaxprs: bool = False
) -> Primitive:
    return Primitive(name, rule, multiple_results=multiple_results, has_jaxprs=has_jaxprs, is_registered=False)


_RULES: Final[dict[str, Primitive]] = {
    "add_any": _rule_alone("add_any", _summed),
    "copy": _rule_alone("copy", _copied),
    "copy_p": _rule_alone("copy_p", _copied),
    "device_put": _rule_alone("device_put", _placed, True),
    "empty2": _rule_alone("empty2", _empty),
    "platform_index": _rule_alone("platform_index", _platform),
    "split": _rule_alone("split", named("lax.split"), True),
    "squeeze": _rule_alone("squeeze", named("lax.squeeze")),
    "stack": _rule_alone("stack", _stacked),
    "svd": _rule_alone("svd", _values_first, True),
    "tile": _rule_alone("tile", named("lax.tile")),
    "unstack": _rule_alone("unstack", named("lax.unstack"), True),
    "while": _rule_alone("while", _while, True, has_jaxprs=True),
}
"""JAX's primitives which the runtime makes of others, or that differ from its own; the rules are those that the static
tools evaluate."""

_UNTYPED: Final = frozenset((
    "_split_transpose", "accuracy", "algorithm", "branches_platforms", "bwd", "compiler_options_kvs", "computation",
    "copy_semantics", "ctx_mesh", "devices", "differentiated", "donated_invars", "fwd_jaxpr_thunk", "implementation",
    "in_layouts", "in_shardings", "inline", "input_dtype", "jvp_jaxpr_fun", "keep_unused", "linear", "memory_space",
    "out_layouts", "out_sharding", "out_shardings", "out_trees", "policy", "precision", "prevent_cse",
    "select_callable", "sharding", "sort_eig_vals", "sort_eigenvalues", "srcs", "symbolic_zeros", "update_consts",
    "update_jaxpr", "use_magma",
))  # fmt: skip
"""Parameters of JAX's equations of which the types of results do not depend."""

_TAKEN: Final = frozenset((("rng_bit_generator", "algorithm"),))
"""Of these, the ones that a rule here is given nevertheless."""


class _Unknown(Exception):
    """An equation has something that the rule here does not know."""


def equation_of(
    name: str, params: dict[str, Any], operands: int, closed: Callable[[Any], ClosedJaxpr]
) -> tuple[Primitive, dict[str, Any]] | str:
    """The primitive and the parameters that an equation of JAX has here; else what is not known of it.

    `closed` gives the jaxpr that one of JAX's jaxprs is here; `operands` is the number of operands.
    """
    _load()
    try:
        name, params = _arranged(name, params)
        primitive = _RULES.get(name) or PRIMITIVES.get(name)
        if primitive is None or primitive.rule is None:
            return name
        signature = _signature(primitive)
        names = signature.parameters
        takes_all = any(p.kind is p.VAR_KEYWORD for p in names.values())
        given: dict[str, Any] = {}
        for key, value in params.items():
            untyped = key in _UNTYPED and (name, key) not in _TAKEN
            if untyped or (value is None and key not in names):
                continue
            if key not in names and not takes_all:
                return f"{name} with {key}"
            given[key] = _value(value, closed)
        signature.bind(None, *[None] * operands, **given)
    except _Unknown as unknown:
        return f"{name} with {unknown}"
    except TypeError as error:
        return f"{name} ({error})"
    return primitive, given


@cache
def without_rule(name: str) -> Primitive:
    """A primitive of which nothing is known here."""
    return Primitive(name, None, multiple_results=True, is_registered=False)


@cache
def _load() -> None:
    """Import the modules that make the primitives."""
    import_module("arraytyping.lax")
    for module in ("calls", "custom_calls", "custom_batching"):
        import_module(f"arraytyping.runtime.transformations.{module}")


@cache
def _signature(primitive: Primitive) -> inspect.Signature:
    """What the rule takes: of a rule that is found by its name, the rule itself."""
    from arraytyping.semantics.rules.table import RULES

    rule: Any = primitive.rule
    name = getattr(rule, "rule_name", None)
    return inspect.signature(rule if name is None else RULES[name].function)


def _arranged(name: str, params: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """An equation with the name and the names of parameters that are used here."""
    name = _NAMES.get(name, name)
    params = dict(params)
    if "call_jaxpr" in params:
        params["jaxpr"] = params.pop("call_jaxpr")
    elif name == "reduce_window" and not params.get("consts"):
        params.pop("consts", None)
    elif name in ("psum", "pmax", "pmin"):
        return _reduction(name, params)
    elif name in ("select_and_scatter_add", "select_and_gather_add"):
        params["select"] = params.pop("select_prim").name
    elif name == "custom_linear_solve":
        lengths, jaxprs = params["const_lengths"], params["jaxprs"]
        order = ["matvec", "solve", *(p for p in ("vecmat", "transpose_solve") if getattr(jaxprs, p) is not None)]
        params["const_lengths"] = tuple(getattr(lengths, part) for part in order)
        params["jaxprs"] = tuple(getattr(jaxprs, part) for part in order)
    return name, params


def _reduction(name: str, params: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A sum over mapped axes, or, where they have become dimensions, over these."""
    axes = params.pop("axes")
    if params.pop("axis_index_groups", None) is not None:
        raise _Unknown("axis_index_groups")
    if all(isinstance(a, int) for a in axes):
        return f"reduce_{name[1:]}", {**params, "axes": axes}
    if any(isinstance(a, int) for a in axes):
        raise _Unknown("axes of both kinds")
    return name, {**params, "axis_name": axes}


def _value(value: Any, closed: Callable[[Any], ClosedJaxpr]) -> Any:
    """A parameter of JAX as it stands in an equation here."""
    kind = type(value).__name__
    if hasattr(value, "eqns"):
        return closed(value)
    if value is None or type(value) in (bool, int, float, complex, str):
        return value
    if isinstance(value, np.dtype):
        return value.name
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, type) and issubclass(value, np.generic):
        return np.dtype(value).name
    if kind == "ShapedArray":
        return ShapedArray(tuple(value.shape), value.dtype.name, bool(value.weak_type))
    if isinstance(value, tuple) and kind in RECORDS:
        if getattr(RECORDS[kind], "_fields", ()) != getattr(value, "_fields", ()):
            raise _Unknown(f"other fields of {kind}")
        return RECORDS[kind](*(_value(v, closed) for v in value))
    if isinstance(value, tuple | list):
        return tuple(_value(v, closed) for v in value)
    return _member(value, kind)


def _member(value: Any, kind: str) -> Any:
    """A member of an enumeration of JAX's `lax`."""
    own = getattr(import_module("arraytyping.lax"), kind, None)
    if isinstance(own, type) and issubclass(own, enum.Enum) and getattr(value, "name", None) in own.__members__:
        return own[value.name]
    if isinstance(value, enum.IntEnum):
        return int(value)
    raise _Unknown(f"a parameter that is a {kind}")
