"""What a function with type variables promises of arrays: that its result is of a type, and not of the same shape.

`def first(tree: T) -> T: return jax.tree.map(lambda x: x[0], tree)` is written everywhere, and `einops.rearrange` is
declared so, since to other checkers every array is a `jax.Array`.  What comes back in the place of a type variable
keeps its classes and loses what is known of its arrays.  A function that is handed through, as by a decorator, stays.
"""

from __future__ import annotations

from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    Overloaded,
    TupleType,
    Type,
    TypeType,
    TypeVarType,
    UnionType,
)

from arraytyping_mypy.finite_types import get_finite_type, is_endless
from arraytyping_mypy.generalize import generalize

__all__ = ["as_promised", "has_variable_result"]


def as_promised(made: Type, declared: Type | None) -> Type:
    """What is known of a result: nothing of the arrays for which type variables stand in the declaration."""
    if isinstance(declared, Overloaded):
        return generalize(made) if any(_has_variables(item.ret_type) for item in declared.items) else made
    return _kept(made, declared.ret_type) if isinstance(declared, CallableType) else made


def has_variable_result(declared: Type | None) -> bool:
    """Whether type variables stand in the result of a function that is declared so."""
    return isinstance(declared, CallableType) and _has_variables(declared.ret_type)


def _kept(made: Type, declared: Type) -> Type:
    if not _has_variables(declared):
        return made
    p, d = get_finite_type(made), get_finite_type(declared)
    if isinstance(p, FunctionLike | TypeType | AnyType):
        return made
    if isinstance(p, TupleType) and isinstance(d, TupleType) and len(p.items) == len(d.items):
        return p.copy_modified(items=[_kept(a, b) for a, b in zip(p.items, d.items)])
    if isinstance(p, Instance) and isinstance(d, Instance) and p.type is d.type and len(p.args) == len(d.args):
        return p.copy_modified(args=[_kept(a, b) for a, b in zip(p.args, d.args)])
    return generalize(made)


def _has_variables(declared: Type) -> bool:
    if is_endless(declared):
        return False  # an alias that is used bare has no variables, and to look into it comes to no end
    d = get_finite_type(declared)
    if isinstance(d, TypeVarType):
        return True
    if isinstance(d, Instance):
        return any(map(_has_variables, d.args))
    return isinstance(d, TupleType | UnionType) and any(map(_has_variables, d.items))
