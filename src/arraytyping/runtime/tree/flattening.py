"""Trees taken apart into leaves and a structure, and put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import optree

from arraytyping.runtime.tree.containers import NAMESPACE

__all__ = [
    "PyTreeDef",
    "flatten",
    "flatten_as_given",
    "is_plain",
    "leaves",
    "map",
    "structure",
    "transpose",
    "unflatten",
    "with_sorted_keys",
]

PyTreeDef = optree.PyTreeSpec
_map = map
_Leaf = Callable[[Any], bool] | None
_LEAF: Final = optree.treespec_leaf()
_KIND: Final = optree.PyTreeKind
_PLAIN: Final = (_KIND.LEAF, _KIND.NONE, _KIND.TUPLE, _KIND.LIST, _KIND.NAMEDTUPLE)
_MOST: Final = 4096
_in_order: Final[dict[PyTreeDef, PyTreeDef]] = {}
"""Structures with sorted keys, by equal ones with their keys as given."""


def flatten(tree: Any, is_leaf: _Leaf = None) -> tuple[list[Any], PyTreeDef]:
    """The leaves, and the structure that holds them; its dicts have their keys in order."""
    found, treedef = optree.tree_flatten(tree, is_leaf, namespace=NAMESPACE)
    return found, with_sorted_keys(treedef)


def flatten_as_given(tree: Any) -> tuple[list[Any], PyTreeDef]:
    """The same, faster, with a structure whose dicts have their keys as given: equal, but unflattened otherwise."""
    return optree.tree_flatten(tree, namespace=NAMESPACE)


def with_sorted_keys(treedef: PyTreeDef) -> PyTreeDef:
    """The structure that gives dicts with sorted keys: as in JAX, what comes out does not say what went in."""
    if treedef.num_nodes == treedef.num_leaves + (treedef.kind is not optree.PyTreeKind.DICT):
        return treedef  # a leaf, or leaves in one container
    try:
        found = _in_order.get(treedef)
    except TypeError:  # a class holds what has no hash
        return optree.treespec_transform(treedef, _sorted)
    if found is None:
        found = optree.treespec_transform(treedef, _sorted)
        if is_plain(treedef):
            if len(_in_order) >= _MOST:
                _in_order.clear()
            _in_order[treedef] = found
    return found


def is_plain(treedef: PyTreeDef) -> bool:
    """Whether structures that are equal are the same but for the order of keys."""
    if treedef.kind is optree.PyTreeKind.DICT:
        if not all(type(key) is str for key in treedef.entries()):
            return False  # 1 and True are equal
    elif treedef.kind not in _PLAIN:
        return False
    return all(_map(is_plain, treedef.children()))


def _sorted(node: PyTreeDef) -> PyTreeDef:
    if node.kind is optree.PyTreeKind.DICT:
        keys = node.entries()
        _check_order(keys)
        return optree.treespec_dict(dict.fromkeys(keys, _LEAF), namespace=NAMESPACE) if len(keys) > 1 else node
    if node.kind is optree.PyTreeKind.DEFAULTDICT:
        factory: Any = optree.tree_unflatten(node, [0] * node.num_children)
        return optree.treespec_defaultdict(
            factory.default_factory, dict.fromkeys(node.entries(), _LEAF), namespace=NAMESPACE
        )
    return node


def _check_order(keys: list[Any]) -> None:
    try:
        sorted(keys)
    except TypeError:
        raise ValueError(
            f"the keys of a dict in a pytree are put in order, and {keys!r:.200} have none; make them of one type"
        ) from None


def unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """The tree of this structure with these leaves.

    Raises:
        ValueError: if their number is not that of the structure.
    """
    return optree.tree_unflatten(treedef, leaves)


def leaves(tree: Any, is_leaf: _Leaf = None) -> list[Any]:
    """The leaves of a tree."""
    return optree.tree_leaves(tree, is_leaf, namespace=NAMESPACE)


def structure(tree: Any, is_leaf: _Leaf = None) -> PyTreeDef:
    """The structure of a tree."""
    return with_sorted_keys(optree.tree_structure(tree, is_leaf, namespace=NAMESPACE))


def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: _Leaf = None) -> Any:
    """The tree in which each leaf is what the function makes of it (and of the same places in the other trees).

    Raises:
        ValueError: if the structures do not go together.
    """
    found, treedef = flatten(tree, is_leaf)
    return unflatten(treedef, _map(f, found, *[treedef.flatten_up_to(other) for other in rest]))


def transpose(outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: Any) -> Any:
    """The tree of trees with both levels exchanged; the inner structure is that of the first tree where it is None.

    Raises:
        ValueError, TypeError: if the tree has another structure.
    """
    if inner_treedef is None:
        inner_treedef = structure(outer_treedef.flatten_up_to(pytree_to_transpose)[0])
    return optree.tree_transpose(outer_treedef, inner_treedef, pytree_to_transpose)
