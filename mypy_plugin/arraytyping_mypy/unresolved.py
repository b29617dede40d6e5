"""Calls of a library that mypy finds no types of, by its names: those of Optax, which is not marked as typed.

mypy takes the module for `Any`, and asks no plugin about what is called on that.  Before it goes through a module, each
called name that a hook knows is made a function's that takes and gives anything; so mypy finds nothing else there, but
asks.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Final

from mypy.nodes import (
    GDEF,
    CallExpr,
    Context,
    Import,
    ImportFrom,
    MemberExpr,
    MypyFile,
    NameExpr,
    RefExpr,
    SymbolNode,
    Var,
)
from mypy.types import AnyType, TypeOfAny

from arraytyping_mypy.asked_calls import asked_function
from arraytyping_mypy.flow_diagnostics import planted_call
from arraytyping_mypy.last_function import imports
from arraytyping_mypy.session import Session
from arraytyping_mypy.walk import nodes_of

__all__ = ["LIBRARIES", "is_planted", "name_calls", "plant", "uses"]

LIBRARIES: Final = ("optax",)
_MARK: Final = -9
"""The line of the call at the beginning of a module."""


def uses(tree: MypyFile) -> bool:
    """Whether a module imports something of such a library."""
    return imports(tree, LIBRARIES)


def plant(tree: MypyFile) -> None:
    """Have the plugin asked before mypy goes through a module."""
    tree.defs.insert(0, planted_call(tree.defs[0].line if tree.defs else 1, _MARK))


def is_planted(context: Context) -> bool:
    """Whether this is the call at the beginning of such a module."""
    return context.line == _MARK


def name_calls(tree: MypyFile, known: Container[str], naming: Container[str], session: Session) -> None:
    """Have mypy ask about the calls of these functions, by their full names, wherever the module calls them.

    Those that are `naming` others are told by name which function they are given first.
    """
    imported = dict(_imported(tree, session))
    if not imported:
        return
    made: dict[str, Var] = {}
    function = session.api.named_generic_type("builtins.function", [])
    any_one = AnyType(TypeOfAny.from_unimported_type)
    for node in nodes_of(tree):
        callee = node.callee if isinstance(node, CallExpr) else None
        name = _full_name(callee, imported) if isinstance(callee, RefExpr) else None
        if name is None or name not in known or not isinstance(callee, RefExpr):
            continue
        if name not in made:
            made[name] = asked_function(name, function, any_one)
        callee.node, callee.fullname, callee.kind = made[name], name, GDEF
        first = node.args[0] if isinstance(node, CallExpr) and node.args and name in naming else None
        inner = _full_name(first, imported) if isinstance(first, RefExpr) else None
        if inner is not None and inner in known and isinstance(first, RefExpr):
            first.node = made.setdefault(inner, asked_function(inner, function, any_one))
            first.fullname, first.kind = inner, GDEF


def _imported(tree: MypyFile, session: Session) -> Iterator[tuple[SymbolNode, str]]:
    """The module's names for what mypy has not found, with their full names; nothing else is ever bound to these."""
    for statement in tree.imports:
        names: list[tuple[str, str]] = []
        if isinstance(statement, Import):
            names = [(other or name, name) for name, other in statement.ids if other or "." not in name]
        elif isinstance(statement, ImportFrom) and not statement.relative:
            names = [(other or name, f"{statement.id}.{name}") for name, other in statement.names]
        for own, full in names:
            symbol = tree.names.get(own)
            node = None if symbol is None else symbol.node
            if full.partition(".")[0] not in LIBRARIES or not isinstance(node, Var) or not node.is_suppressed_import:
                continue
            if session.bindings.is_settled(node) and not session.bindings.values(node):
                yield node, full


def _full_name(callee: RefExpr, imported: Mapping[SymbolNode, str]) -> str | None:
    """The full name of what is called: `optax.adam`, `optax.losses.l2_loss`, `adam` out of `from optax import adam`."""
    if isinstance(callee, NameExpr):
        return None if callee.node is None else imported.get(callee.node)
    if not isinstance(callee, MemberExpr) or not isinstance(callee.expr, RefExpr):
        return None
    owner = _full_name(callee.expr, imported)
    return None if owner is None else f"{owner}.{callee.name}"
