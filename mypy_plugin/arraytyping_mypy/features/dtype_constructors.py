"""`jnp.float32(x)`: the dtypes of `jax.numpy` can be called.

Its stub declares them as `Any`, so nothing would be asked; they get the class that they have at run time instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from mypy.nodes import AssignmentStmt, CallExpr, MypyFile, NameExpr, RefExpr, SymbolTableNode, Var
from mypy.plugin import AnalyzeTypeContext, ClassDefContext, MethodContext
from mypy.types import AnyType, Type, TypeOfAny, UnboundType

from arraytyping.semantics.rules.registry import RULES
from arraytyping_mypy.arguments import bind
from arraytyping_mypy.calls import answer, report, result_type
from arraytyping_mypy.checker import analyzed_tree
from arraytyping_mypy.frameworks import DTYPE_CONSTRUCTORS
from arraytyping_mypy.names import SCALAR_META
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.sessions import Sessions

__all__ = ["accept_everywhere", "analyze_any", "annotation_hook", "call"]


@lru_cache(maxsize=1)  # it holds the tree, so that no other node gets one of the ids
def _declarations(tree: MypyFile) -> frozenset[int]:
    """The ids of the `Any`s that declare a dtype in `jax.numpy`."""
    return frozenset(
        id(statement.unanalyzed_type)
        for statement in tree.defs
        if isinstance(statement, AssignmentStmt)
        and isinstance(statement.unanalyzed_type, UnboundType)
        and statement.unanalyzed_type.name == "Any"  # our stubs declare them as what they are
        and isinstance(target := statement.lvalues[0], NameExpr)
        and f"jax.numpy.{target.name}" in DTYPE_CONSTRUCTORS
    )


def analyze_any(ctx: AnalyzeTypeContext) -> Type:
    """`Any`, or the class of the dtypes where it declares one."""
    # What is noted when a module is parsed is lost: mypy parses one anew that it had taken to be in the cache.
    tree = analyzed_tree(ctx.api)
    if tree is not None and tree.fullname == "jax.numpy" and id(ctx.type) in _declarations(tree):
        try:
            return ctx.api.named_type(SCALAR_META, [])
        except AssertionError:  # where imports are skipped, the class's module is not there
            return AnyType(TypeOfAny.explicit)
    return AnyType(TypeOfAny.explicit)


def annotation_hook(fullname: str, symbol: SymbolTableNode | None) -> Callable[[AnalyzeTypeContext], Type] | None:
    """The hook of a dtype as an annotation: to mypy alone a variable of type `Any` is one, and means `Any`."""
    is_variable = symbol is not None and isinstance(symbol.node, Var)
    return _annotation if is_variable and fullname in DTYPE_CONSTRUCTORS else None


def _annotation(ctx: AnalyzeTypeContext) -> Type:
    return AnyType(TypeOfAny.special_form)


def accept_everywhere(ctx: ClassDefContext) -> None:
    """A dtype of `jax.numpy` goes wherever `Any` went, as a `numpy.dtype` for example."""
    ctx.cls.info.fallback_to_any = True


def call(sessions: Sessions, ctx: MethodContext) -> Type:
    """`jnp.float32(x)`: the callee's name says which dtype it is."""
    session = sessions.of(ctx.api)
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    rule = jax_name(callee.fullname).removeprefix("jax.") if isinstance(callee, RefExpr) else ""
    if not session.is_active or rule not in RULES:
        return ctx.default_return_type
    bound = bind(ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names, session)
    made = answer(rule, *bound, session) if bound is not None else None
    if made is None:
        return ctx.default_return_type
    report(made, ctx.context, session)
    return result_type(made, ctx.default_return_type, session)
