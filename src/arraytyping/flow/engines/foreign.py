"""Objects of libraries that are pytrees, such as a layer of Equinox: their attributes, items and calls.

The structure is put together with placeholders in place of the leaves, and what comes out is read again.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from arraytyping.flow.interpreter import Interpreter
from arraytyping.flow.values import MISSING, DictValue, ListValue, MethodOf, TreeValue, Unknown, remake_tuple

if TYPE_CHECKING:
    from arraytyping.flow.engines import Engines

__all__ = ["call_tree", "tree_attribute", "tree_getitem", "tree_iterate"]


class _Placeholder:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def _with_placeholders(value: TreeValue) -> Any:
    return value.treedef.unflatten([_Placeholder(leaf) for leaf in value.leaves])


def _read(engines: Engines, value: Any) -> Any:
    """The value of an object that has placeholders in it."""
    if isinstance(value, _Placeholder):
        return value.value
    if isinstance(value, tuple):
        return remake_tuple(value, [_read(engines, v) for v in value])
    if isinstance(value, list):
        return ListValue([_read(engines, v) for v in value])
    if type(value) is dict:
        return DictValue({k: _read(engines, v) for k, v in value.items()})
    tree = engines.jax.tree_util
    try:
        leaves, treedef = tree.tree_flatten(value, is_leaf=lambda v: isinstance(v, _Placeholder))
    except Exception:
        return engines.from_python(value)
    if len(leaves) == 1 and leaves[0] is value:
        return engines.from_python(value)
    return TreeValue(
        treedef, tuple(leaf.value if isinstance(leaf, _Placeholder) else engines.from_python(leaf) for leaf in leaves)
    )


def tree_attribute(engines: Engines, it: Interpreter, value: TreeValue, name: str, node: ast.AST | None) -> Any:
    """An attribute of an object of a library."""
    try:
        real = _with_placeholders(value)
        found = getattr(real, name, MISSING)
    except Exception:
        return it.unknown(f"attribute {name} of a library's object")
    if found is MISSING:
        return MISSING
    if callable(found) and getattr(found, "__self__", None) is real:
        return MethodOf(value, name)
    if callable(found) and not isinstance(found, type) and hasattr(found, "__func__"):
        return MethodOf(value, name)
    if type(found).__name__ in ("BoundMethod", "_WrapMethod", "_wrap_method"):
        return MethodOf(value, name)
    return _read(engines, found)


def tree_getitem(engines: Engines, it: Interpreter, value: TreeValue, index: Any, node: ast.AST | None) -> Any:
    """An item of an object of a library."""
    try:
        return _read(engines, _with_placeholders(value)[index])
    except Exception:
        return it.unknown("an item of a library's object")


def tree_iterate(
    engines: Engines, it: Interpreter, value: TreeValue, node: ast.AST | None
) -> tuple[list[Any] | None, Any]:
    """The items of an object of a library."""
    try:
        return [_read(engines, v) for v in _with_placeholders(value)], MISSING
    except Exception:
        return None, Unknown("the items of a library's object")


def call_tree(
    engines: Engines, it: Interpreter, value: TreeValue, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None
) -> Any:
    """The result of calling an object of a library."""
    return engines.call(it, _call, [value, *args], kwargs, node)


def _call(tree: Any, *args: Any, **kwargs: Any) -> Any:
    return tree(*args, **kwargs)


def call_tree_method(
    engines: Engines,
    it: Interpreter,
    value: TreeValue,
    name: str,
    args: list[Any],
    kwargs: dict[str, Any],
    node: ast.AST | None,
) -> Any:
    """The result of a method of an object of a library."""
    return engines.call(it, _call_method, [name, value, *args], kwargs, node)


def _call_method(name: str, tree: Any, /, *args: Any, **kwargs: Any) -> Any:
    return getattr(tree, name)(*args, **kwargs)
