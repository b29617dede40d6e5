"""Objects of libraries that are pytrees, such as a layer of Equinox: their attributes, items and calls.

The structure is put together with placeholders in place of the leaves, and what comes out is read again.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import Abort, Callback, Node
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.engines.tuple_classes import is_plain_tuple
from arraytyping.checker.flow.real_calls.library_functions import REFUSED_METHODS
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    JitValue,
    ListValue,
    MethodOf,
    TreeValue,
    Unknown,
    Value,
    is_concrete,
    remake_tuple,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__ = [
    "applied", "call_tree", "call_tree_method", "expand", "method_of_program", "placeholder", "rebuild", "replaced",
    "tree_attribute", "tree_class", "tree_getitem", "tree_iterate", "tree_super",
]  # fmt: skip


class _Placeholder:
    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


def placeholder(value: Value) -> Value:
    """What stands for a value where a library only moves it."""
    return _Placeholder(value)


def applied(engines: Together, function: Callable[[Any], Any], given: Any) -> Value:
    """What a function gives that only moves the placeholders in what it is given."""
    return _read(engines, function(given))


def _with_placeholders(value: TreeValue) -> Any:
    return value.treedef.unflatten([_Placeholder(leaf) for leaf in value.leaves])


def _read(engines: Together, value: Value) -> Value:
    """The value of an object that has placeholders in it."""
    if isinstance(value, _Placeholder):
        return value.value
    if value is None:  # a tree without leaves to jax
        return None
    if isinstance(value, Callback):
        return value.function
    if isinstance(value, Node):
        children = tuple(_read(engines, child) for child in value.children)
        return engines.instance_of(value.cls, children, value.rest)
    if isinstance(value, tuple) and is_plain_tuple(type(value)):
        return remake_tuple(value, [_read(engines, v) for v in value])
    if isinstance(value, list):
        return ListValue([_read(engines, v) for v in value])
    if type(value) is dict:
        return DictValue({k: _read(engines, v) for k, v in value.items()})
    tree = engines.jax.tree_util
    try:
        leaves, treedef = tree.tree_flatten(value, is_leaf=lambda v: isinstance(v, _Placeholder))
    except Exception as error:
        swallow(error)
        return engines.from_python(value)
    if len(leaves) == 1 and leaves[0] is value:
        return engines.from_python(value)
    return TreeValue(
        treedef, tuple(leaf.value if isinstance(leaf, _Placeholder) else engines.from_python(leaf) for leaf in leaves)
    )


class _Absent:
    """What stands for an attribute that an object does not have."""


_ABSENT: Final = _Absent()


def tree_attribute(engines: Together, it: Interpreter, value: TreeValue, name: str, node: ast.AST | None) -> Value:
    """An attribute of an object of a library."""
    try:
        real = _with_placeholders(value)
        found = getattr(real, name)
    except Exception as error:  # it may be computed from the leaves, or look at them when it is made
        swallow(error)
        kind = tree_class(value)
        if callable(getattr(kind, name, None)):
            return MethodOf(value, name)
        found = engines.call(it, _attribute, Call([value, name], {}, node))
        return MISSING if found is _ABSENT else found
    if callable(found) and getattr(found, "__self__", None) is real:
        return MethodOf(value, name)
    if type(found).__name__ in ("BoundMethod", "_WrapMethod", "_wrap_method"):
        return MethodOf(value, name)
    return _read(engines, found)


def _attribute(tree: Any, name: str) -> Any:
    return getattr(tree, name, _ABSENT)


def method_of_program(engines: Together, value: TreeValue, name: str) -> Value:
    """The function or property that the class of an object has from a class of the program; MISSING if none."""
    kind = tree_class(value)
    home = next((c for c in kind.__mro__ if name in vars(c)), None) if isinstance(kind, type) else None
    own = None if home is None else engines.class_of.get(home)
    found = MISSING if own is None else own.namespace.get(name, MISSING)
    return found if isinstance(found, FunctionValue | Descriptor | JitValue | HandlerValue) else MISSING


def tree_getitem(engines: Together, it: Interpreter, value: TreeValue, index: Value, node: ast.AST | None) -> Value:
    """An item of an object of a library."""
    if is_concrete(index):
        try:
            return _read(engines, _with_placeholders(value)[index])
        except Exception as error:  # it may be an item of a leaf
            swallow(error)
    return engines.call(it, _item, Call([value, index], {}, node))


def _item(tree: Any, index: Value) -> Value:
    return tree[index]


def tree_class(value: TreeValue) -> Value:
    """The class of an object of a library; MISSING if it is not known."""
    data = value.treedef.node_data()
    return MISSING if data is None else data[0]


def expand(engines: Together, value: TreeValue) -> tuple[Value, list[Value]]:
    """The children of an object of a library, and the structure of its first level."""
    real = _with_placeholders(value)
    children, one_level = engines.jax.tree_util.tree_flatten(real, is_leaf=lambda v: v is not real)
    return one_level, [_read(engines, child) for child in children]


def rebuild(engines: Together, one_level: Any, children: list[Value]) -> Value:
    """The object of a library of this structure and these children."""
    return _read(engines, one_level.unflatten([as_placeholders(child) for child in children]))


def as_placeholders(value: Value) -> Value:
    """A value as a pytree of Python with placeholders for leaves."""
    if isinstance(value, TreeValue):
        return _with_placeholders(value)
    if isinstance(value, tuple):
        return remake_tuple(value, [as_placeholders(v) for v in value])
    if isinstance(value, ListValue) and value.items is not None:
        return [as_placeholders(v) for v in value.items]
    if isinstance(value, DictValue) and value.items is not None and value.kind is dict:
        return {k: as_placeholders(v) for k, v in value.items.items()}
    return None if value is None else _Placeholder(value)


def replaced(
    engines: Together, value: TreeValue, positions: list[tuple[int, int]], olds: list[Value], news: list[Value]
) -> Value:
    """An object of a library with other subtrees in place of those that hold the leaves from one number to another.

    The old subtrees tell a part from one that has no other leaves, such as a layer from its only array.
    """
    tree = engines.jax.tree_util
    wanted = {
        (where, tree.tree_structure(as_placeholders(old))): as_placeholders(new)
        for where, old, new in zip(positions, olds, news)
    }

    def change(node: Any, first: int) -> tuple[Value, int]:
        structure = tree.tree_structure(node)
        count = structure.num_leaves
        if (new := wanted.pop(((first, first + count), structure), MISSING)) is not MISSING:
            return new, first + count
        children, one_level = tree.tree_flatten(node, is_leaf=lambda v: v is not node)
        if len(children) == 1 and children[0] is node:
            return node, first + 1
        changed = []
        for child in children:
            made, first = change(child, first)
            changed.append(made)
        return one_level.unflatten(changed), first

    changed = change(_with_placeholders(value), 0)[0]
    if wanted:
        raise Abort("a part of a library's object that is not found again")
    return _read(engines, changed)


def tree_iterate(
    engines: Together, it: Interpreter, value: TreeValue, node: ast.AST | None
) -> tuple[list[Value] | None, Value]:
    """The items of an object of a library."""
    try:
        return [_read(engines, v) for v in _with_placeholders(value)], MISSING
    except Exception as error:
        swallow(error)
        return None, Unknown("the items of a library's object")


def call_tree(engines: Together, it: Interpreter, value: TreeValue, call: Call) -> Value:
    """The result of calling an object of a library."""
    return engines.call(it, _call, call.preceded_by(value))


def _call(tree: Any, *args: Value, **kwargs: Value) -> Value:
    return tree(*args, **kwargs)


def call_tree_method(engines: Together, it: Interpreter, value: TreeValue, name: str, call: Call) -> Value:
    """The result of a method of an object of a library."""
    if name in REFUSED_METHODS or (name.startswith("_") and not name.endswith("__")):
        raise Abort(f"the method {name} of a library's object is not called")
    return engines.call(it, _call_method, call.preceded_by(name, value))


def _call_method(name: str, tree: Any, /, *args: Value, **kwargs: Value) -> Value:
    return getattr(tree, name)(*args, **kwargs)


def tree_super(engines: Together, it: Interpreter, value: TreeValue, after: Value, name: str) -> Value:
    """An attribute of `super()`, in a method of a class of the program whose instances are objects of a library."""
    kind = tree_class(value)
    real = engines.real_class(it, after) if isinstance(after, ClassValue) else None
    if not isinstance(kind, type) or real not in kind.__mro__:
        return it.unknown("super() of what is no class of the program")
    home = next((c for c in kind.__mro__[kind.__mro__.index(real) + 1 :] if name in vars(c)), None)
    if home is None or (name.startswith("_") and not name.endswith("__")):
        return it.unknown(f"super().{name}")
    if isinstance(vars(home)[name], property):
        return engines.call(it, _super_attribute, Call([name, real, value], {}, None))
    if isinstance(vars(home)[name], classmethod | staticmethod):
        return it.unknown(f"super().{name}, which is no method of an instance")
    return HandlerValue(name, lambda it, call: engines.call(it, _call_super, call.preceded_by(name, real, value)))


def _super_attribute(name: str, after: type, tree: Any) -> Any:
    return getattr(super(after, tree), name)


def _call_super(name: str, after: type, tree: Any, /, *args: Value, **kwargs: Value) -> Value:
    return getattr(super(after, tree), name)(*args, **kwargs)


FUNCTIONS: Final = frozenset({_attribute, _call, _call_method, _call_super, _item, _super_attribute})
"""What a library's object is asked with."""
