"""Joins of trees of unknown structure: with one another, and with containers all of whose leaves are as theirs."""

from __future__ import annotations

from collections.abc import Callable

from arraytyping.checker.flow.state.aliases import watch
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    DictValue,
    ListValue,
    Mutable,
    OpenTree,
    TreeContents,
    Unknown,
    Value,
    of_any_shape,
)

__all__ = ["as_open_tree", "join_open_trees"]


class _Tree:
    """What is found in a tree: its leaves, what they are in, and what trees of unknown structure in it share."""

    def __init__(self) -> None:
        self.leaves: list[Value] = []
        self.is_of_dicts: bool = True
        self.containers: list[Mutable] = []
        self.contents: dict[int, TreeContents] = {}

    def take(self, value: Value) -> bool:
        """Whether there is nothing but arrays in it."""
        if isinstance(value, ArrayValue):
            self.leaves.append(value)
        elif isinstance(value, OpenTree):
            if value.leaf is None:
                return False
            self.leaves.append(value.leaf)
            self.is_of_dicts = self.is_of_dicts and value.is_of_dicts
            self.contents |= {id(c): c for c in value.contents}
        elif isinstance(value, DictValue | ListValue):
            if any(value is known for known in self.containers):
                return True
            self.containers.append(value)
            self.is_of_dicts = self.is_of_dicts and isinstance(value, DictValue)
            if value.items is None:
                return value.element is not MISSING and self.take(value.element)
            return all(map(self.take, value.items.values() if isinstance(value, DictValue) else value.items))
        else:
            self.is_of_dicts = self.is_of_dicts and value is None
            return value is None or (isinstance(value, tuple) and all(map(self.take, value)))
        return True

    def tree(self, why: str, join: Callable[[Value, Value], Value]) -> Value:
        """A tree of such leaves."""
        leaf = self.leaves[0]
        for other in self.leaves[1:]:
            # Only of dtypes is anything said; the shapes of leaves differ.
            leaf = join(of_any_shape(leaf) if isinstance(leaf, ArrayValue) else leaf, other)
        if not isinstance(leaf, ArrayValue) or leaf.aval.dtype is None:
            return Unknown(why)
        contents = [*self.contents.values()]
        if self.containers:
            watching = TreeContents(tuple(self.containers))
            watch(watching, *self.containers)
            contents.append(watching)
        return OpenTree(why, leaf, contents, self.is_of_dicts)


def join_open_trees(a: OpenTree, b: Value, join: Callable[[Value, Value], Value]) -> Value:
    """One of two trees, of which one is of unknown structure; unknown if their leaves are not alike.

    Whoever writes into the containers of the other one writes into the joined tree, too.
    """
    found = _Tree()
    is_tree = b is not None and found.take(a) and found.take(b)
    return found.tree(a.why, join) if is_tree else Unknown(a.why)


def as_open_tree(value: Value, join: Callable[[Value, Value], Value]) -> Value:
    """A container, or a tree that holds some, as a tree of unknown structure; unknown if its leaves are not alike."""
    found = _Tree()
    why = "a tree of unknown structure"
    return found.tree(why, join) if found.take(value) and found.leaves else Unknown(why)
