"""Exceptions that the program itself handles where they are raised: `try`, `contextlib.suppress`, `pytest.raises`, ...

What is handled is no mistake.  Where it cannot be told which classes are handled, it may be this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    Context,
    Decorator,
    Expression,
    FuncDef,
    MypyFile,
    NameExpr,
    Node,
    RaiseStmt,
    RefExpr,
    TryStmt,
    TupleExpr,
    TypeInfo,
    WithStmt,
    YieldExpr,
)
from mypy.types import CallableType, Instance, LiteralType, TupleType, Type, get_proper_type

from arraytyping_mypy.walk import children

__all__ = ["Handlers", "may_swallow"]

_RAISES: Final = frozenset({
    "raises", "suppress", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp",
    "assertRaisesWithLiteralMatch", "assertRaisesWithPredicateMatch",
})  # fmt: skip
"""Functions of pytest, unittest, absl and contextlib that are told by arguments which exceptions they expect."""
_WARNS: Final = frozenset({"warns", "assertWarns", "assertWarnsRegex", "catch_warnings", "deprecated_call"})

Place = tuple[int, int]


class _Region(NamedTuple):
    """A part of the text in which exceptions of some classes are handled; without classes, of any."""

    start: Place
    end: Place
    classes: tuple[Expression, ...] | None
    warns: bool = False
    manager: Expression | None = None
    """A context manager of which only its type says whether it swallows exceptions."""


class Handlers:
    """Where a module handles exceptions."""

    def __init__(self, tree: MypyFile) -> None:
        self._regions = list(_regions(tree))

    def around(self, context: Context, exception: type[BaseException]) -> Iterator[Expression | None]:
        """What may handle such an exception at an expression: None for a handler, or else a context manager."""
        place = context.line, context.column
        is_warning = issubclass(exception, Warning)
        for region in self._regions:
            if not region.start <= place < region.end:
                continue
            if region.manager is not None:
                if not is_warning:
                    yield region.manager
            elif region.warns:
                if is_warning:
                    yield None
            elif region.classes is None:
                if not is_warning:
                    yield None
            elif any(_is_related(c, exception, is_warning) for c in region.classes):
                yield None


def may_swallow(manager: Type | None) -> bool:
    """Whether a context manager of this type may end an exception: its `__exit__` is declared to return a `bool`."""
    p = None if manager is None else get_proper_type(manager)
    if isinstance(p, TupleType):
        p = p.partial_fallback  # an instance that is known by its fields
    if not isinstance(p, Instance):
        return False
    for name in ("__exit__", "__aexit__"):
        symbol = p.type.get(name)
        declared = get_proper_type(symbol.type) if symbol is not None and symbol.type is not None else None
        result = get_proper_type(declared.ret_type) if isinstance(declared, CallableType) else None
        if isinstance(result, Instance) and result.type.fullname == "builtins.bool":
            return not (isinstance(result.last_known_value, LiteralType) and result.last_known_value.value is False)
        if isinstance(result, LiteralType) and result.value is True:
            return True
    return False


def _regions(tree: MypyFile) -> Iterator[_Region]:
    stack: list[Node] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, TryStmt):
            yield from _of_try(node)
        elif isinstance(node, WithStmt):
            for manager in node.expr:
                yield from _of_manager(manager, node.body.body)
        elif isinstance(node, CallExpr) and len(node.args) > 1 and _name(node.callee) in _RAISES:
            yield _Region(*_span([node]), _flat(node.args[:1]))  # pytest.raises(TypeError, lambda: x @ y)
        stack.extend(children(node))


def _of_try(node: TryStmt) -> Iterator[_Region]:
    start, end = _span(node.body.body)
    for written, handler in zip(node.types, node.handlers):
        if handler.body and isinstance(last := handler.body[-1], RaiseStmt) and last.expr is None:
            continue  # it is passed on
        yield _Region(start, end, None if written is None else _flat([written]))


def _of_manager(manager: Expression, body: Sequence[Node]) -> Iterator[_Region]:
    start, end = _span(body)
    callee = manager.callee if isinstance(manager, CallExpr) else manager
    name = _name(callee)
    if isinstance(manager, CallExpr) and name in _RAISES:
        classes = manager.args if name == "suppress" else manager.args[:1]
        if classes or name != "suppress":
            yield _Region(start, end, _flat(classes) if classes else None)
    elif name in _WARNS:
        yield _Region(start, end, None, warns=True)
    elif _catches_around_yield(callee):
        yield _Region(start, end, None)
    else:
        yield _Region(start, end, None, manager=manager)


def _catches_around_yield(callee: Expression) -> bool:
    """Whether this is a generator of the program's own, in which a `try` with handlers stands around a `yield`."""
    node = callee.node if isinstance(callee, RefExpr) else None
    function = node.func if isinstance(node, Decorator) else node
    if not isinstance(function, FuncDef):
        return False
    return any(
        isinstance(n, TryStmt) and n.handlers and any(isinstance(m, YieldExpr) for m in _below(n.body))
        for n in _below(function.body)
    )


def _below(node: Node) -> Iterator[Node]:
    yield node
    for child in children(node):
        yield from _below(child)


def _name(callee: Expression) -> str:
    return callee.name if isinstance(callee, RefExpr) and hasattr(callee, "name") else ""


def _flat(expressions: Iterable[Expression]) -> tuple[Expression, ...]:
    return tuple(i for e in expressions for i in (_flat(e.items) if isinstance(e, TupleExpr) else (e,)))


def _span(nodes: Sequence[Node]) -> tuple[Place, Place]:
    if not nodes:
        return (0, 0), (0, 0)
    last = nodes[-1]
    end = (last.end_line or last.line, last.end_column or last.column)
    return (nodes[0].line, nodes[0].column), end


def _is_related(handler: Expression, exception: type[BaseException], is_warning: bool) -> bool:
    """Whether a handler of this class may catch the exception, of which a base class may be all that is known."""
    node = handler.node if isinstance(handler, NameExpr | RefExpr) else None
    if not isinstance(node, TypeInfo):
        return not is_warning
    names = [f"{base.__module__}.{base.__qualname__}" for base in exception.__mro__]
    if is_warning:
        return any(base.fullname == "builtins.Warning" for base in node.mro)
    return node.fullname in names or any(base.fullname == names[0] for base in node.mro)
