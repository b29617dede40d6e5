"""Trees taken apart into leaves and a structure, put together again, and what is done leaf by leaf."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, Final

import optree

from arraytyping.runtime.tree.containers import NAMESPACE
from arraytyping.runtime.tree.levels import asked_with_path
from arraytyping.runtime.tree.paths import key_paths

__all__ = [
    "PyTreeDef",
    "all",
    "broadcast",
    "flatten",
    "flatten_as_given",
    "flatten_with_path",
    "leaves",
    "leaves_with_path",
    "map",
    "map_with_path",
    "reduce",
    "reduce_associative",
    "structure",
    "transpose",
    "unflatten",
    "with_sorted_keys",
]

PyTreeDef = optree.PyTreeSpec
_map, _all = map, all
_Leaf = Callable[[Any], bool] | None
_NOTHING: Final = object()
_LEAF: Final = optree.treespec_leaf()


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
    return optree.treespec_transform(treedef, _sorted)


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


def map_with_path(
    f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[..., bool] | None = None,
    is_leaf_takes_path: bool = False,
) -> Any:  # fmt: skip
    """As `map`, with the path to the leaf as the function's first argument."""
    found, treedef = flatten(tree, asked_with_path(is_leaf) if is_leaf and is_leaf_takes_path else is_leaf)
    others = [treedef.flatten_up_to(other) for other in rest]
    return unflatten(treedef, [f(*given) for given in zip(key_paths(treedef), found, *others)])


def reduce(function: Callable[[Any, Any], Any], tree: Any, initializer: Any = _NOTHING, is_leaf: _Leaf = None) -> Any:
    """The leaves put together by a function of two.

    Raises:
        TypeError: if there are neither leaves nor an initializer.
    """
    first = () if initializer is _NOTHING else (initializer,)
    return functools.reduce(function, leaves(tree, is_leaf), *first)


def reduce_associative(
    operation: Callable[[Any, Any], Any], tree: Any, *, identity: Any = _NOTHING, is_leaf: _Leaf = None
) -> Any:
    """The leaves put together by an associative function of two, halves first; the identity if there are none.

    Raises:
        TypeError: if there are neither leaves nor an identity.
    """
    found = leaves(tree, is_leaf)
    if found:
        return _halved(operation, found)
    if identity is _NOTHING:
        raise TypeError("reduce_associative: a tree without leaves needs an identity; pass identity=")
    return identity


def _halved(operation: Callable[[Any, Any], Any], found: list[Any]) -> Any:
    if len(found) == 1:
        return found[0]
    middle = len(found) // 2
    return operation(_halved(operation, found[:middle]), _halved(operation, found[middle:]))


def broadcast(prefix_tree: Any, full_tree: Any, is_leaf: _Leaf = None) -> Any:
    """The full tree in which each leaf is that of the prefix tree under which it stands.

    Raises:
        ValueError: if the prefix is none of the tree.
    """
    return optree.tree_broadcast_prefix(prefix_tree, full_tree, is_leaf, namespace=NAMESPACE)


def all(tree: Any, *, is_leaf: _Leaf = None) -> bool:
    """Whether every leaf is true."""
    return _all(leaves(tree, is_leaf))


def flatten_with_path(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[Any, Any]], PyTreeDef]:
    """Pairs of path and leaf, and the structure; `is_leaf` may be given the path to a node before the node."""
    found, treedef = flatten(tree, asked_with_path(is_leaf) if is_leaf and is_leaf_takes_path else is_leaf)
    return list(zip(key_paths(treedef), found)), treedef


def leaves_with_path(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> list[tuple[Any, Any]]:
    """Pairs of path and leaf."""
    return flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


def transpose(outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: Any) -> Any:
    """The tree of trees with both levels exchanged; the inner structure is that of the first tree where it is None.

    Raises:
        ValueError, TypeError: if the tree has another structure.
    """
    if inner_treedef is None:
        inner_treedef = structure(outer_treedef.flatten_up_to(pytree_to_transpose)[0])
    return optree.tree_transpose(outer_treedef, inner_treedef, pytree_to_transpose)
