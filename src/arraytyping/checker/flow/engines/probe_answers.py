"""What several answers say together, each of a function that was asked with other arrays."""

from __future__ import annotations

from typing import Any, Final

from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    DictValue,
    ListValue,
    NumPyValue,
    OpenTree,
    TreeValue,
    Unknown,
    Value,
    mapped,
    parts_of,
)
from arraytyping.semantics.avals import ShapedArray

__all__ = ["agreed", "is_no_part", "of_any_size", "without_shapes", "without_sizes"]

_CONTAINERS: Final = (tuple, ListValue, DictValue, TreeValue)
_HANGS: Final = "what hangs on a shape that is not known"


def is_no_part(value: Value) -> bool:
    """Whether it is not known well enough that anything can be put in its place."""
    return isinstance(value, Unknown) and (type(value) is not OpenTree or value.leaf is None)


def agreed(first: Value, second: Value) -> Value:
    """The first answer with what both say of dtypes; MISSING if they have another structure."""
    if MISSING in (first, second) or _keys(first) != _keys(second):
        return MISSING
    if isinstance(first, ArrayValue) and isinstance(second, ArrayValue):
        if first.aval == second.aval:
            return first
        is_same = first.aval.dtype == second.aval.dtype
        weak = first.aval.weak_type if is_same and first.aval.weak_type is second.aval.weak_type else None
        shape = first.aval.shape if first.aval.shape == second.aval.shape else None
        return ArrayValue(ShapedArray(shape, first.aval.dtype if is_same else None, weak), first.traced)
    if isinstance(first, OpenTree) and isinstance(second, OpenTree):
        leaf: Any = agreed(first.leaf, second.leaf)
        return first.of(leaf) if leaf.aval.dtype is not None else Unknown(first.why)
    if not isinstance(first, _CONTAINERS):
        return first
    others = iter(parts_of(second))
    made = [agreed(part, next(others)) for part in parts_of(first)]
    if MISSING in made:
        return MISSING
    left = iter(made)
    return mapped(first, lambda _: next(left))


def _keys(value: Value) -> Any:
    """The kind of a value, and of a container what tells its items apart."""
    if isinstance(value, DictValue):
        return value.kind, None if value.items is None else list(value.items)
    if isinstance(value, TreeValue):
        return value.treedef
    return type(value), len(parts_of(value)) if isinstance(value, _CONTAINERS) else None


def of_any_size(tree_util: Any, first: Value, second: Value, is_of_ranks: bool) -> Value:
    """What two answers, of arrays of other sizes, say together of all sizes; of all ranks too, with `is_of_ranks`.

    What is no array is kept where it is the same and no number that may come from a size.
    """
    forget = without_shapes if is_of_ranks else without_sizes

    def change(value: Value, other: Value) -> Value:
        if isinstance(value, TreeValue) and isinstance(other, TreeValue) and value.structure != other.structure:
            value, other = _alike(tree_util, value, other), _alike(tree_util, other, value)
        if isinstance(value, _CONTAINERS) and _keys(value) == _keys(other):
            others = iter(parts_of(other))
            return mapped(value, lambda part: change(part, next(others)))
        if isinstance(value, ArrayValue | NumPyValue):
            return forget(value)
        is_same = type(value) is type(other) and value == other
        return value if is_same and not (type(value) is int and value not in (0, 1)) else Unknown(_HANGS)

    return agreed(change(first, second), change(second, first))


def _alike(tree_util: Any, tree: TreeValue, other: TreeValue) -> TreeValue:
    """A library's object of which those parts are unknown that have another structure in another one."""
    made = [t.treedef.unflatten(range(len(t.leaves))) for t in (tree, other)]
    parts, others = (tree_util.tree_leaves(m, is_leaf=lambda part, m=m: part is not m) for m in made)
    if type(made[0]) is not type(made[1]) or len(parts) != len(others):
        return tree
    structure = tree_util.tree_structure
    hanging = {id(part) for part, match in zip(parts, others) if structure(part) != structure(match)}
    leaves, treedef = tree_util.tree_flatten(made[0], is_leaf=lambda part: id(part) in hanging)
    return TreeValue(treedef, tuple(tree.leaves[v] if type(v) is int else Unknown(_HANGS) for v in leaves))


def without_sizes(value: Value) -> Value:
    """An answer of which the sizes mean nothing."""
    if isinstance(value, ArrayValue) and (shape := value.aval.shape) is not None:
        aval = value.aval
        return ArrayValue(ShapedArray((None,) * len(shape), aval.dtype, aval.weak_type), value.traced)
    if isinstance(value, tuple | ListValue | DictValue | TreeValue):
        return mapped(value, without_sizes)
    return without_shapes(value)


def without_shapes(value: Value) -> Value:
    """An answer of which the shapes mean nothing."""
    if isinstance(value, ArrayValue):
        return ArrayValue(ShapedArray(None, value.aval.dtype, value.aval.weak_type), value.traced)
    if isinstance(value, NumPyValue):
        return NumPyValue(None, value.dtype)
    if isinstance(value, tuple | ListValue | DictValue | TreeValue | OpenTree):
        return mapped(value, without_shapes)
    return value if value is None or isinstance(value, bool | str) else Unknown(_HANGS)
