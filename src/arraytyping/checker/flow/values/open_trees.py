"""Trees whose structure is not known, such as the parameters of a model whose layers hang on a configuration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import override

from arraytyping.checker.flow.values.arrays import ArrayValue
from arraytyping.checker.flow.values.basic import Mutable, Unknown, Value
from arraytyping.semantics.avals import ShapedArray

__all__ = ["OpenTree", "TreeContents", "as_leaf", "of_any_shape"]


class TreeContents(Mutable):
    """What trees of unknown structure share that may be one object or parts of one: whether they have been changed.

    `sources` are the containers of which it is known that one of the trees may be made of them.
    """

    __slots__ = ("is_changed", "sources")

    def __init__(self, sources: tuple[Mutable, ...] = ()) -> None:
        super().__init__()
        self.is_changed: Any = False
        self.sources: tuple[Mutable, ...] = sources

    @override
    def parts(self) -> Sequence[Value]:
        return self.sources

    @override
    def snapshot(self) -> Any:
        return self.is_changed

    @override
    def restore(self, snapshot: Any) -> None:
        self.is_changed = snapshot


class OpenTree(Unknown):
    """A tree of dicts, or another pytree, or one leaf: `leaf` describes each of its leaves, by dtype and weak type.

    `is_of_dicts` says that each node in it is a dict.  It is unknown to all that do not ask for its
    leaves.  Whoever writes into it says so in `contents`: from then on nothing is known of the leaves.
    """

    __slots__ = ("_leaf", "contents", "is_of_dicts")

    def __init__(
        self, why: str, leaf: ArrayValue, contents: Sequence[TreeContents] = (), is_of_dicts: bool = False
    ) -> None:
        super().__init__(why)
        self.is_of_dicts: bool = is_of_dicts
        self._leaf: ArrayValue = of_any_shape(leaf)
        self.contents: tuple[TreeContents, ...] = tuple(contents) or (TreeContents(),)

    @property
    def leaf(self) -> ArrayValue | None:
        """An array that stands for each leaf; None if something may have been written into the tree."""
        return None if any(contents.is_changed is not False for contents in self.contents) else self._leaf

    @override
    def parts(self) -> Sequence[Value]:
        leaf = self.leaf
        return () if leaf is None else (leaf,)

    @override
    def mapped(self, change: Callable[[Value], Value]) -> Value:
        leaf = self.leaf
        changed = None if leaf is None else change(leaf)
        if not isinstance(changed, ArrayValue):
            return Unknown(self.why)
        return OpenTree(self.why, changed, self.contents, self.is_of_dicts)

    def of(self, leaf: Value) -> Value:
        """Another tree of the same structure, each of whose leaves is as this value."""
        if not isinstance(leaf, ArrayValue):
            return Unknown(self.why)
        return OpenTree(self.why, leaf, (), self.is_of_dicts)

    def part(self) -> Value:
        """A part of it: a tree, or a leaf."""
        leaf = self.leaf
        return Unknown(self.why) if leaf is None else OpenTree(self.why, leaf, self.contents, self.is_of_dicts)

    def __repr__(self) -> str:
        return f"OpenTree({self.leaf})"


def of_any_shape(leaf: ArrayValue) -> ArrayValue:
    """What is known of an array that stands for others too: its dtype and weak type, and whether it is a tracer."""
    return ArrayValue(ShapedArray(None, leaf.aval.dtype, leaf.aval.weak_type), leaf.traced, leaf.origin)


def as_leaf(value: Value) -> Any:
    """What a value is where only an array can stand, as beside an operator: a leaf, of a tree of unknown structure."""
    leaf = value.leaf if type(value) is OpenTree else None
    return value if leaf is None else leaf
