"""The parts of mypy's type checker that the plugin interface does not offer, in this one place.

A hook's `api` is mypy's `TypeChecker`; the functions here read its module, its scope, the stored type of an
expression, and report past an error filter.  `tests/test_mypy_private.py` says which of them a release of mypy broke.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mypy.nodes import Expression, FuncItem, MypyFile
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

__all__ = [
    "analyzed_module",
    "analyzed_tree",
    "current_function",
    "module_tree",
    "modules_of",
    "note",
    "stored_type",
    "unfiltered",
]


def module_tree(api: CheckerPluginInterface) -> MypyFile:
    """The syntax tree of the module under check."""
    tree: MypyFile = api.tree  # type: ignore[attr-defined]
    return tree


def modules_of(api: CheckerPluginInterface) -> dict[str, MypyFile]:
    """All modules of the build by name."""
    modules: dict[str, MypyFile] = api.modules  # type: ignore[attr-defined]
    return modules


def current_function(api: CheckerPluginInterface) -> FuncItem | None:
    """The innermost function around the expression under check."""
    function: FuncItem | None = api.scope.current_function()  # type: ignore[attr-defined]
    return function


def stored_type(api: CheckerPluginInterface, expression: Expression) -> Type | None:
    """The type that mypy has found for an expression so far, or None."""
    checker: Any = api
    for types in reversed(checker._type_maps):
        found: Type | None = types.get(expression)
        if found is not None:
            return found
    return None


def analyzed_module(api: object) -> str:
    """The name of the module in which a type is being analysed; empty if it cannot be told."""
    module: str = getattr(getattr(api, "api", None), "cur_mod_id", "")
    return module


def analyzed_tree(api: object) -> MypyFile | None:
    """The module in which a type is being analysed; None if it cannot be told."""
    tree = getattr(getattr(api, "api", None), "cur_mod_node", None)
    return tree if isinstance(tree, MypyFile) else None


def note(api: CheckerPluginInterface, message: str) -> None:
    """A note on the first statement of the module under check."""
    checker: Any = api
    tree = module_tree(api)
    checker.note(message, tree.defs[0] if tree.defs else tree)


@contextmanager
def unfiltered(api: CheckerPluginInterface) -> Iterator[None]:
    """Report errors at once, although mypy is only trying a variant of an operator.

    For `1 + x` mypy shows the error of `int.__add__`, and would lose that of `Array.__radd__`.
    """
    checker: Any = api
    watchers: list[Any] = checker.msg.errors._watchers
    held = watchers[:]
    watchers.clear()
    try:
        yield
    finally:
        watchers[:] = held
