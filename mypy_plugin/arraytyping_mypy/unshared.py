"""Which objects nothing holds but what calls them: nobody else can change them after they were made."""

from __future__ import annotations

from collections import Counter
from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr, MypyFile, NameExpr, RefExpr, Var

from arraytyping_mypy.bindings import Bindings
from arraytyping_mypy.walk import nodes_of

__all__ = ["unshared_calls"]


_HOLDERS: Final = ("flax.nnx.helpers.Sequential",)
"""What does nothing with its arguments but call them."""


def unshared_calls(tree: MypyFile, bindings: Bindings) -> frozenset[CallExpr]:
    """The calls whose results are called where they stand, or by the one variable of a function that holds them.

    What is given to one that calls it, `nnx.Sequential(nnx.Linear(...), ...)`, is held by nothing else.
    """
    found: set[CallExpr] = set()
    references: Counter[Var] = Counter()
    calls: Counter[Var] = Counter()
    for node in nodes_of(tree):
        if isinstance(node, NameExpr) and isinstance(node.node, Var):
            references[node.node] += 1
        elif isinstance(node, CallExpr):
            called = _called(node.callee)
            if isinstance(called, CallExpr):
                found.add(called)
            elif isinstance(called, NameExpr) and isinstance(called.node, Var):
                calls[called.node] += 1
    for variable, count in references.items():
        value = bindings.only_value(variable)
        is_local = bindings.owner_of(variable) is not None
        if isinstance(value, CallExpr) and is_local and count == calls[variable] + 1:  # one is where it is bound
            found.add(value)
    for call in list(found):
        if isinstance(call.callee, RefExpr) and call.callee.fullname in _HOLDERS:
            found.update(e for e in call.args if isinstance(e, CallExpr))
    return frozenset(found)


def _called(callee: Expression) -> Expression:
    """What is called, be it by a method that changes nothing."""
    return callee.expr if isinstance(callee, MemberExpr) and callee.name == "attend" else callee
