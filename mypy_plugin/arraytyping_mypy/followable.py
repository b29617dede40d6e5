"""Which functions may be followed: those that are not declared to return anything but arrays."""

from __future__ import annotations

from typing import Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    ListComprehension,
    ListExpr,
    Node,
    RefExpr,
)
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    TupleType,
    Type,
    UnionType,
    get_proper_type,
)

from arraytyping_mypy.features.instance_classes import declared_fields
from arraytyping_mypy.finite_types import get_finite_type, is_endless
from arraytyping_mypy.generalize import is_unknown
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.refined import annotates_arrays
from arraytyping_mypy.walk import nodes_of

__all__ = ["admits", "definition_of", "gains_by_copy"]


def definition_of(function: CallableType) -> FuncDef | None:
    """The definition of a function that may be followed: one that is declared to return nothing but arrays."""
    definition = function.definition
    if isinstance(definition, Decorator) and definition.decorators and all(map(_gives_same, definition.decorators)):
        definition = definition.func
    if not isinstance(definition, FuncDef) or function.is_type_obj() or function.variables:
        return None
    if function.type_guard is not None or function.type_is is not None:
        return None
    is_open = function.implicit or admits(function.ret_type) or annotates_arrays(function.ret_type)
    return definition if is_open or _is_procedure(definition, function) else None


def _is_procedure(definition: FuncDef, function: CallableType) -> bool:
    """Whether it is a function that is declared to return nothing and is known better in a copy, as `main` may be."""
    if definition.info or not isinstance(get_proper_type(function.ret_type), NoneType):
        return False
    return any(map(gains_by_copy, nodes_of(definition.body)))


def gains_by_copy(node: Node) -> bool:
    """Whether more is known of it in a copy: a loop is written out there, and a list keeps each of its items."""
    return isinstance(node, ForStmt | ListExpr | ListComprehension | GeneratorExpr)


def _gives_same(decorator: Expression) -> bool:
    """Whether a decorator gives a function that gives what the function gives: `jax.checkpoint`, with options too."""
    if isinstance(decorator, CallExpr):
        callee = decorator.callee
        is_partial = isinstance(callee, RefExpr) and callee.fullname == "functools.partial"
        return bool(decorator.args) and _gives_same(decorator.args[0]) if is_partial else _gives_same(callee)
    return isinstance(decorator, RefExpr) and jax_name(decorator.fullname) in _SAME


_SAME: Final = frozenset(
    f"{space}{name}"
    for space in ("jax.", "jax._src.ad_checkpoint.")
    for name in ("checkpoint", "checkpoint_wrapper", "remat")
)


def admits(declared: Type) -> bool:
    """Whether a declared type leaves open what is known of an array: Any, and arrays of any dtype and shape."""
    if is_endless(declared):
        return False  # to look into it comes to no end
    p = get_finite_type(declared)
    if isinstance(p, TupleType | UnionType):
        return any(map(admits, p.items))
    if isinstance(p, Instance):
        if p.type.fullname in ARRAYS:
            return is_unknown(p)
        return any(map(admits, p.args)) or any(map(_is_array, declared_fields(p.type)))
    return isinstance(p, AnyType)


def _is_array(t: Type) -> bool:
    p = get_proper_type(t)
    return isinstance(p, Instance) and p.type.fullname in ARRAYS and is_unknown(p)
