"""The structure of a pytree of values, as JAX sees it: dicts by sorted keys, None without leaves.

Source: https://docs.jax.dev/en/latest/pytrees.html.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines import foreign
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.real_calls.own_programs import is_on_own_runtime
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.stateful import is_stateful_class
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BaseValue,
    DictValue,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    NumPyValue,
    OpenTree,
    ScalarValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    remake_tuple,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["Structure", "StructureValue", "flatten", "unflatten", "unflatten_value"]


class Structure:
    """A leaf (no `kind`), or a node of some kind with its children's structures."""

    __slots__ = ("children", "count", "data", "kind")

    def __init__(self, kind: str, data: Any = None, children: tuple[Structure, ...] = ()) -> None:
        self.kind: str = kind
        self.data: Any = data
        self.children: tuple[Structure, ...] = children
        self.count: int = 1 if kind == "leaf" else sum(c.count for c in children)

    @property
    def key(self) -> Value:
        """What tells structures apart."""
        data = self.data
        if self.kind == "instance":
            data = (data[0].born, identity(data[1]))
        elif self.kind == "tuple":
            data = type(data)
        elif self.kind == "dict":
            data = tuple(map(identity, data[1]))
        return self.kind, data, tuple(c.key for c in self.children)

    def flatten_up_to(self, it: Interpreter, value: Value, node: ast.AST | None) -> list[Value]:
        """The parts of another tree in place of this one's leaves.

        Raises:
            ValueError: if it has another structure; the message says how.
            Abort: if it is not known.
        """
        if self.kind == "leaf":
            return [value]
        if isinstance(value, OpenTree) and value.leaf is not None:
            return [value.leaf] * self.count
        if self.kind == "none":
            if isinstance(value, Unknown | UnionValue):
                raise Abort("a tree of unknown structure")
            if value is not None:
                raise ValueError(f"it has {_shown(value)} where the first has None")
            return []
        if self.kind == "object":
            raise Abort("the parts of a library's object")
        children = _children(it, value, node)
        if children is None or isinstance(value, Unknown):
            if isinstance(value, Unknown | UnionValue):
                raise Abort("a tree of unknown structure")
            raise ValueError(f"it has {_shown(value)} where the first has {_described(self)}")
        kind, data, parts = children
        if kind != self.kind:
            raise ValueError(f"it has {_shown(value)} where the first has {_described(self)}")
        if kind == "dict" and identity(tuple(data[1])) != identity(tuple(self.data[1])):
            raise ValueError(f"its keys are {list(data[1])}, and the first has {list(self.data[1])}")
        if kind == "tuple" and type(data) is not type(self.data):
            raise ValueError(f"it has a {type(data).__name__} where the first has a {type(self.data).__name__}")
        if kind == "instance" and data[0] is not self.data[0]:
            raise ValueError(f"it has an instance of {data[0].name} where the first has one of {self.data[0].name}")
        if len(parts) != len(self.children):
            raise ValueError(f"it has a {kind} of {len(parts)} items where the first has {len(self.children)}")
        return [leaf for child, part in zip(self.children, parts) for leaf in child.flatten_up_to(it, part, node)]


class StructureValue(BaseValue):
    """JAX's `PyTreeDef`."""

    __slots__ = ("structure",)

    def __init__(self, structure: Structure) -> None:
        self.structure: Structure = structure

    def attribute(self, name: str) -> Value:
        """An attribute of the structure; MISSING if it has none of this name."""
        if name == "num_leaves":
            return self.structure.count
        if name == "unflatten":
            return HandlerValue(
                "unflatten", lambda it, call: unflatten_value(it, self, call.args[0], call.node), (), self.structure.key
            )
        if name == "flatten_up_to":
            return HandlerValue(name, lambda it, call: _parts_of(it, self, call), (), self.structure.key)
        if name in (
            "num_nodes",
            "children",
            "node_data",
            "compose",
            "is_prefix",
            "from_iterable_tree",
        ):
            return Unknown(f"{name} of a tree's structure")
        return MISSING


@ATTRIBUTE(StructureValue)
def _attribute(it: Interpreter, value: StructureValue, name: str, node: ast.AST | None) -> Value:
    found = value.attribute(name)
    return it.unknown("what our structures have") if found is MISSING and is_on_own_runtime(it) else found


def _parts_of(it: Interpreter, treedef: StructureValue, call: Call) -> Value:
    """`treedef.flatten_up_to(tree)`: the parts of a tree that stand where the structure has leaves."""
    try:
        return ListValue(treedef.structure.flatten_up_to(it, call.argument(0, "xs"), call.node))
    except Abort as abort:
        return it.unknown(abort.why)
    except ValueError as error:
        return it.fail(call.node, "array-tree", f"ValueError: flatten_up_to: the tree has another structure: {error}")


def unflatten_value(it: Interpreter, treedef: Any, leaves: Value, node: ast.AST | None) -> Value:
    """The tree of a structure and leaves."""
    items, element = it.iterate(leaves, node)
    if not isinstance(treedef, StructureValue):
        leaf = join_all(items) if items else element
        unknown = it.unknown("a tree of unknown structure")
        return OpenTree(unknown.why, leaf) if isinstance(leaf, ArrayValue) else unknown
    if items is None:
        return it.unknown("a tree of an unknown number of leaves")
    if len(items) != treedef.structure.count:
        message = f"ValueError: {len(items)} leaves are given for a tree that has {treedef.structure.count}"
        return it.fail(node, "array-tree", message)
    return unflatten(it, treedef.structure, items, node)


def _described(structure: Structure) -> str:
    return "None" if structure.kind == "none" else f"a {structure.kind} of {len(structure.children)} items"


def _shown(value: Value) -> str:
    if value is None:
        return "None"
    if isinstance(value, tuple):
        return f"a tuple of {len(value)} items"
    if isinstance(value, ListValue) and value.items is not None:
        return f"a list of {len(value.items)} items"
    return "a dict" if isinstance(value, DictValue) else "a leaf"


_ARRAYS: Final = (ArrayValue, NumPyValue, ScalarValue, bool, int, float, complex)
"""What is a leaf of a tree."""


def _children(it: Interpreter, value: Value, node: ast.AST | None) -> tuple[str, Any, list[Any]] | None:
    """The kind, the data and the children of a node; None for a leaf.

    Raises:
        Abort: if they are not known.
    """
    if isinstance(value, tuple):
        return "tuple", value, list(value)
    # A deque is a leaf to jax.
    if isinstance(value, ListValue):
        if value.kind is not list:
            return None
        if value.items is None:
            raise Abort("a list of unknown length in a tree")
        return "list", None, list(value.items)
    if isinstance(value, DictValue):
        if value.items is None:
            raise Abort("a dict of unknown keys in a tree")
        try:
            keys = list(value.items) if value.kind.__name__ == "OrderedDict" else sorted(value.items)
        except TypeError:
            raise Abort("a dict in a tree whose keys cannot be sorted") from None
        return "dict", (value.kind, keys), [value.items[k] for k in keys]
    if isinstance(value, TreeValue):
        return "tree", value.treedef, list(value.leaves)
    if isinstance(value, InstanceValue) and value.cls.pytree is not None:
        children, rest = it.engines.pytrees.flatten(it, value, node)
        return "instance", (value.cls, rest), list(children)
    if isinstance(value, UnionValue) and all(isinstance(one, _ARRAYS) for one in value.values):
        return None  # one leaf, whichever it is
    if isinstance(value, IteratorValue | UnionValue):
        raise Abort("a part of a tree that is not known")
    if is_stateful_class(type(value)) or (isinstance(value, InstanceValue) and "real class" in value.cls.options):
        raise Abort("a library's object in a tree")
    return None


def flatten(
    it: Interpreter,
    value: Value,
    is_leaf: Callable[[Any], bool] | None,
    node: ast.AST | None,
    unknown_leaves: bool = False,
) -> tuple[list[Value], Structure]:
    """The leaves and the structure; with `unknown_leaves` a part of which nothing is known counts as one leaf.

    Raises:
        Abort: if they are not known.
    """
    if is_leaf is not None and is_leaf(value):
        return [value], Structure("leaf")
    if value is None:
        return [], Structure("none")
    if isinstance(value, Unknown):
        raise Abort(value.why)
    if isinstance(value, HandlerValue) and value.name in ("vjp function", "linearize function"):
        raise Abort("the residuals of a derivative")
    if is_leaf is not None and isinstance(value, TreeValue):
        one_level, parts = foreign.expand(it.engines, value)
        found: tuple[str, Any, list[Any]] | None = ("object", one_level, parts)
    else:
        found = _children(it, value, node)
    if found is None:
        return [value], Structure("leaf")
    kind, data, children = found
    leaves: list[Any] = []
    structures: list[Structure] = []
    for child in children:
        below: list[Value]
        if unknown_leaves and isinstance(child, Unknown):
            below, structure = [child], Structure("leaf")
        else:
            below, structure = flatten(it, child, is_leaf, node, unknown_leaves)
        leaves += below
        structures.append(structure)
    return leaves, Structure(kind, data, tuple(structures))


def unflatten(it: Interpreter, structure: Structure, leaves: list[Value], node: ast.AST | None) -> Value:
    """The tree of these leaves."""
    return _build(it, structure, iter(leaves), node)


def _build(it: Interpreter, structure: Structure, leaves: Any, node: ast.AST | None) -> Value:
    kind = structure.kind
    if kind == "leaf":
        return next(leaves)
    if kind == "none":
        return None
    children = [_build(it, child, leaves, node) for child in structure.children]
    if kind == "list":
        return ListValue(children)
    if kind == "tuple":
        return remake_tuple(structure.data, children)
    if kind == "dict":
        dict_kind, keys = structure.data
        return DictValue(dict(zip(keys, children)), kind=dict_kind)
    if kind == "object":
        return foreign.rebuild(it.engines, structure.data, children)
    if kind == "tree":
        return TreeValue(structure.data, tuple(children))
    cls, rest = structure.data
    return it.engines.pytrees.unflatten(it, cls, tuple(children), rest, node)
