"""What a function with type variables promises of arrays: that its result is of a type, and not of the same shape.

`def first(tree: T) -> T: return jax.tree.map(lambda x: x[0], tree)` is written everywhere, and `einops.rearrange` is
declared so, since to other checkers every array is a `jax.Array`.  What comes back in the place of a type variable
keeps its classes and loses what is known of its arrays.  A function that is handed through, as by a decorator, stays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import Decorator, OverloadedFuncDef, Var
from mypy.plugin import MethodContext
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

__all__ = ["as_promised", "attribute_as_promised", "has_variable_result", "method_hook"]

_VARIABLE: Final = "flax.nnx.variablelib.Variable"


def as_promised(made: Type, declared: Type | None) -> Type:
    """What is known of a result: nothing of the arrays for which type variables stand in the declaration."""
    if isinstance(declared, Overloaded):
        return generalize(made) if any(_has_variables(item.ret_type) for item in declared.items) else made
    return _kept(made, declared.ret_type) if isinstance(declared, CallableType) else made


def attribute_as_promised(made: Type, owner: Type, name: str) -> Type:
    """What is known of an attribute: nothing of the arrays for which type variables of its class stand.

    Of `box.value = y` mypy says that it is none of the arrays that `Box(x)` was made with, and the program runs.
    """
    p = get_finite_type(owner)
    symbol = p.type.get(name) if isinstance(p, Instance) and p.args else None
    node = None if symbol is None else symbol.node
    if isinstance(node, OverloadedFuncDef) and node.is_property:
        node = node.items[0]
    variable = node.var if isinstance(node, Decorator) else node
    if not isinstance(variable, Var) or variable.type is None:
        return made
    declared = get_finite_type(variable.type)
    is_property = isinstance(node, Decorator)
    return _kept(made, declared.ret_type if is_property and isinstance(declared, CallableType) else declared)


def method_hook(
    fullname: str, otherwise: Callable[[MethodContext], Type] | None
) -> Callable[[MethodContext], Type] | None:
    """The hook of an operator or another method that a variable of nnx may have; `otherwise` is that of others.

    A variable may hold another array than it was made with, and of `x @ w` mypy says besides that it is like `w`.
    """
    is_operator = fullname.endswith("__") and not fullname.startswith("builtins.")
    return partial(_of_variable, otherwise) if is_operator or fullname.startswith("flax.nnx.") else otherwise


def _of_variable(otherwise: Callable[[MethodContext], Type] | None, ctx: MethodContext) -> Type:
    p = get_finite_type(ctx.type)
    if isinstance(p, Instance) and p.type.has_base(_VARIABLE):
        return generalize(ctx.default_return_type)
    return ctx.default_return_type if otherwise is None else otherwise(ctx)


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
