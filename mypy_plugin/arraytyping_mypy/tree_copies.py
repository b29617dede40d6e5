"""What mypy's copy of a part of a syntax tree leaves undone: stars, variables, and what calls are read as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from mypy.nodes import AssertTypeExpr, CallExpr, CastExpr, DictExpr, Expression, Node, RevealExpr, StarExpr, Var
from mypy.treetransform import TransformVisitor

from arraytyping_mypy.walk import nodes_of

__all__ = ["settled"]

_READ_AS: Final = (CastExpr, AssertTypeExpr, RevealExpr)


def settled(originals: Sequence[Node], copy: Node, transform: TransformVisitor, own: frozenset[Var]) -> list[Node]:
    """The nodes of a copy in the order of the originals, of whose own variables no type is inferred yet.

    Raises ValueError if it is another tree.
    """
    if any(node.__class__ is StarExpr for node in originals):
        for node in nodes_of(copy):
            if isinstance(node, StarExpr):  # mypy leaves what stands behind a star as it is
                node.expr = transform.expr(node.expr)
    for old, new in transform.var_map.items():
        if old is not new:
            new.is_inferred = old.is_inferred
            new.is_argument, new.is_index_var, new.is_cls = old.is_argument, old.is_index_var, old.is_cls
            if old.is_inferred or (old in own and not old.is_ready):
                new.type, new.is_ready = None, False
    copied = list(nodes_of(copy))
    if len(originals) != len(copied) or any(type(a) is not type(b) for a, b in zip(originals, copied)):
        raise ValueError("the copy is another tree")
    _settle_analyzed(originals, copied)
    return copied


def _settle_analyzed(originals: Sequence[Node], copied: Sequence[Node]) -> None:
    """Have what mypy reads a call as, a dict or a cast, in terms of the copied arguments, which it copies once more."""
    copies = dict(zip(originals, copied))
    for old, new in zip(originals, copied):
        if not isinstance(old, CallExpr) or not isinstance(new, CallExpr):
            continue
        if isinstance(old.analyzed, DictExpr) and isinstance(new.analyzed, DictExpr):
            new.analyzed.items = [
                (key, _copied(value, other, copies))
                for (_, value), (key, other) in zip(old.analyzed.items, new.analyzed.items)
            ]
        elif (
            isinstance(old.analyzed, _READ_AS) and isinstance(new.analyzed, _READ_AS) and old.analyzed.expr is not None
        ):
            new.analyzed.expr = _copied(old.analyzed.expr, new.analyzed.expr or old.analyzed.expr, copies)


def _copied(old: Expression, otherwise: Expression, copies: Mapping[Node, Node]) -> Expression:
    found = copies.get(old)
    return found if isinstance(found, Expression) else otherwise
