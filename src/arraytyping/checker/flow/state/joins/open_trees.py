"""Joins of trees of unknown structure: with one another, and with containers all of whose leaves are as theirs."""

from __future__ import annotations

from collections.abc import Callable

from arraytyping.checker.flow.state.aliases import watch
from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    ListValue,
    Mutable,
    OpenTree,
    TreeContents,
    Unknown,
    Value,
)

__all__ = ["join_open_trees"]


class _Tree:
    """What is found in a tree: its leaves, what they are in, and what trees of unknown structure in it share."""

    def __init__(self) -> None:
        self.leaves: list[Value] = []
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
            self.contents |= {id(c): c for c in value.contents}
        elif isinstance(value, DictValue | ListValue):
            if value.items is None or any(value is known for known in self.containers):
                return False
            self.containers.append(value)
            return all(map(self.take, value.items.values() if isinstance(value, DictValue) else value.items))
        else:
            return type(value) is tuple and all(map(self.take, value))
        return True


def join_open_trees(a: OpenTree, b: Value, join: Callable[[Value, Value], Value]) -> Value:
    """One of two trees, of which one is of unknown structure; unknown if their leaves are not alike.

    Whoever writes into the containers of the other one writes into the joined tree, too.
    """
    found = _Tree()
    if not found.take(a) or not found.take(b):
        return Unknown(a.why)
    leaf = found.leaves[0]
    for other in found.leaves[1:]:
        # Only of dtypes is anything said; the shapes of leaves differ.
        leaf = OpenTree(a.why, leaf).leaf if isinstance(leaf, ArrayValue) else leaf
        leaf = join(leaf, other)
    if not isinstance(leaf, ArrayValue) or leaf.aval.dtype is None:
        return Unknown(a.why)
    made = OpenTree(a.why, leaf, [*found.contents.values()])
    if found.containers:
        contents = TreeContents(tuple(found.containers))
        watch(contents, *found.containers)
        made.contents = (*made.contents, contents)
    return made
