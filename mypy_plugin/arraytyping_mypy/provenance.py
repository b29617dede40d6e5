"""Whether a function's type says which function it is.

mypy keeps the definition in the type wherever a type goes: also through a decorator that is declared to give what it is
given, and does something else.  So a definition counts only where the expression shows where the function comes from.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    TempNode,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.typeops import function_type
from mypy.types import AnyType, CallableType, Instance, TupleType, Type, UnionType, get_proper_type

from arraytyping_mypy.bindings import Bindings
from arraytyping_mypy.finite_types import get_finite_type, is_endless
from arraytyping_mypy.own_names import jax_name

__all__ = [
    "CALLING", "CUSTOM", "FILTERED", "GIVING", "NAMING", "PARTIAL", "RUNNING", "SHARDING", "custom_function",
    "gives_function", "is_traceable", "without_definitions",
]  # fmt: skip

_SPACES: Final = ("jax.", "jax._src.api.", "jax._src.ad_checkpoint.")
CUSTOM: Final = frozenset(
    f"{space}{name}"
    for space in ("jax.", "jax.custom_derivatives.", "jax._src.custom_derivatives.")
    for name in ("custom_jvp", "custom_vjp")
)
"""What gives a function with derivatives of its own."""

FILTERED: Final = {
    f"equinox.{module}{name}": name
    for module, names in (("_jit.", ("filter_jit",)), ("_ad.", ("filter_grad", "filter_value_and_grad")))
    for name in names
}
"""Equinox's transformations, which look at the leaves of arguments: their full names, with the short ones."""

SHARDING: Final = frozenset({"jax._src.shard_map.shard_map", "jax.shard_map", "jax.experimental.shard_map.shard_map"})
"""What gives a function that works on the parts of arrays."""

GIVING: Final = CUSTOM | FILTERED.keys() | SHARDING | frozenset(
    f"{space}{name}"
    for space in _SPACES
    for name in (
        "jit", "vmap", "grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian", "checkpoint", "remat",
        "checkpoint_wrapper",
    )
)  # fmt: skip
"""What gives a function that calls the one that it was given, and has a type that says how."""

RUNNING: Final = frozenset({"absl.app.run"})
"""What calls the program's main function, with the arguments of the command line."""

_LAX: Final = ("jax.lax.", "jax._src.lax.control_flow.loops.", "jax._src.lax.control_flow.conditionals.")
CALLING: Final = frozenset(
    [f"{space}{name}" for space in _LAX for name in ("scan", "fori_loop", "while_loop", "map", "cond", "switch")]
    + [f"{space}{name}" for space in _SPACES[:2] for name in ("jvp", "vjp", "linearize")]
    + [*RUNNING]
    + ["jax.tree.map", "jax._src.tree.map", "jax.tree_util.tree_map", "jax._src.tree_util.tree_map", "builtins.map"]
)
"""What calls the functions that it is given at once."""

PARTIAL: Final = frozenset({"functools.partial", "_functools.partial"})
"""What gives the function that it was given, with arguments."""

NAMING: Final = "builtins.getattr"
"""What gives a function by its name: of which one it is known is in its type, of any other nothing."""

_DEPTH: Final = 8


def gives_function(decorator: Expression) -> bool:
    """Whether a decorator gives a function that calls the one that it is given."""
    if isinstance(decorator, RefExpr):
        return jax_name(decorator.fullname) in GIVING
    if isinstance(decorator, CallExpr) and isinstance(decorator.callee, RefExpr):
        first = decorator.args[0] if decorator.args else None
        if decorator.callee.fullname in PARTIAL:
            return isinstance(first, RefExpr) and jax_name(first.fullname) in GIVING
        return jax_name(decorator.callee.fullname) in GIVING
    return False


def custom_function(expression: Expression, bindings: Bindings, api: CheckerPluginInterface) -> CallableType | None:
    """The function behind the name of one that was given derivatives of its own; None for anything else."""
    node = expression.node if isinstance(expression, RefExpr) else None
    found = bindings.decorator(node) if isinstance(node, Var) else node
    if not isinstance(found, Decorator) or len(found.decorators) != 1 or found.func.info:
        return None
    decorator = found.decorators[0]
    if isinstance(decorator, CallExpr):
        is_partial = isinstance(decorator.callee, RefExpr) and decorator.callee.fullname in PARTIAL
        decorator = decorator.args[0] if is_partial and decorator.args else decorator.callee
    if not isinstance(decorator, RefExpr) or jax_name(decorator.fullname) not in CUSTOM:
        return None
    made = function_type(found.func, api.named_generic_type("builtins.function", []))
    return made if isinstance(made, CallableType) else None


def is_traceable(expression: Expression, bindings: Bindings, depth: int = 0) -> bool:
    """Whether an expression's value is the function that its type says."""
    if isinstance(expression, LambdaExpr | TempNode):
        return True
    if depth > _DEPTH:
        return False
    if isinstance(expression, CallExpr):
        callee = expression.callee
        if isinstance(callee, RefExpr) and (
            jax_name(callee.fullname) in GIVING or callee.fullname in PARTIAL or callee.fullname == NAMING
        ):
            return True
        if isinstance(callee, RefExpr) and isinstance(callee.node, FuncDef):
            made = callee.node.type  # without a result, what it gives is known by following it, or not at all
            return made is None or (
                isinstance(made, CallableType) and isinstance(get_proper_type(made.ret_type), AnyType)
            )
        if isinstance(callee, RefExpr) and isinstance(callee.node, TypeInfo) and not callee.node.type_vars:
            return True  # what is known of an instance's fields is what `__init__` was followed to
        return isinstance(callee, CallExpr) and gives_function(callee)
    if not isinstance(expression, RefExpr):
        return False
    node = expression.node or _method(expression, bindings)
    if isinstance(node, FuncDef | Decorator) and not all(map(_gives_itself, bindings.rebindings(node))):
        return False  # `f = jax.pmap(f)`: the name keeps the type of the definition
    if isinstance(node, FuncDef):
        return True
    if isinstance(node, Decorator):
        return all(map(gives_function, node.decorators))
    if isinstance(node, Var) and isinstance(expression, NameExpr):
        decorator = bindings.decorator(node)
        if decorator is not None:
            return all(map(gives_function, decorator.decorators))
        if node.is_argument:
            return not bindings.is_rebound(node)  # mypy keeps the first of two functions with the same signature
        item = bindings.only_item(node)
        value = bindings.only_value(node) if item is None else item.whole
        return value is not None and is_traceable(value, bindings, depth + 1)
    return False


def _method(expression: RefExpr, bindings: Bindings) -> FuncDef | None:
    """The method of a class that an attribute of it is, as the class's own statements define it."""
    if not isinstance(expression, MemberExpr) or not isinstance(expression.expr, RefExpr):
        return None
    owner = expression.expr.node
    symbol = owner.names.get(expression.name) if isinstance(owner, TypeInfo) else None
    found = None if symbol is None else symbol.node
    if not isinstance(found, FuncDef) or found.is_static or found.is_class or bindings.binds_attribute(found.name):
        return None
    return found


def _gives_itself(value: Expression | None) -> bool:
    """Whether what the name of a function is bound to again has a type that says how it calls the function."""
    return isinstance(value, CallExpr) and gives_function(value)


def without_definitions(t: Type) -> Type:
    """The type with functions in it of which it is not said which they are."""
    if is_endless(t):
        return t
    p = get_finite_type(t)
    if isinstance(p, CallableType):
        arguments = [without_definitions(a) for a in p.arg_types]
        return p.copy_modified(arg_types=arguments, ret_type=without_definitions(p.ret_type), definition=None)
    if isinstance(p, Instance) and p.args:
        args = [without_definitions(a) for a in p.args]
        return t if all(a is b for a, b in zip(args, p.args)) else p.copy_modified(args=args)
    if isinstance(p, TupleType | UnionType):
        items = [without_definitions(i) for i in p.items]
        if all(a is b for a, b in zip(items, p.items)):
            return t
        return p.copy_modified(items=items) if isinstance(p, TupleType) else UnionType.make_union(items)
    return t
