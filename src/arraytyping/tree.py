"""Pytrees: nested containers of arrays, taken apart and put together again.

Tuples, lists, dicts (by sorted keys), named tuples, `None` (an empty container) and registered classes are
containers; everything else is a leaf.  The work is done by the library optree; the names are those of `jax.tree`.

Source: https://docs.jax.dev/en/latest/pytrees.html; https://optree.readthedocs.io.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final

import optree

__all__ = [
    "PyTreeDef",
    "all",
    "flatten",
    "flatten_with_path",
    "leaves",
    "leaves_with_path",
    "map",
    "map_with_path",
    "reduce",
    "register_pytree_node",
    "register_pytree_node_class",
    "structure",
    "transpose",
    "unflatten",
]

NAMESPACE: Final = "arraytyping"
PyTreeDef = optree.PyTreeSpec
_map, _all = map, all
_Leaf = Callable[[Any], bool] | None


def flatten(tree: Any, is_leaf: _Leaf = None) -> tuple[list[Any], PyTreeDef]:
    """The leaves, and the structure that holds them."""
    return optree.tree_flatten(tree, is_leaf, namespace=NAMESPACE)


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
    return optree.tree_structure(tree, is_leaf, namespace=NAMESPACE)


def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: _Leaf = None) -> Any:
    """The tree in which each leaf is what the function makes of it (and of the same places in the other trees).

    Raises:
        ValueError: if the structures do not go together.
    """
    return optree.tree_map(f, tree, *rest, is_leaf=is_leaf, namespace=NAMESPACE)


def map_with_path(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: _Leaf = None) -> Any:
    """As `map`, with the path to the leaf as the function's first argument."""
    return optree.tree_map_with_path(f, tree, *rest, is_leaf=is_leaf, namespace=NAMESPACE)


def reduce(function: Callable[[Any, Any], Any], tree: Any, *initializer: Any, is_leaf: _Leaf = None) -> Any:
    """The leaves put together by a function of two."""
    return optree.tree_reduce(function, tree, *initializer, is_leaf=is_leaf, namespace=NAMESPACE)


def all(tree: Any, *, is_leaf: _Leaf = None) -> bool:
    """Whether every leaf is true."""
    return _all(leaves(tree, is_leaf))


def flatten_with_path(tree: Any, is_leaf: _Leaf = None) -> tuple[list[tuple[Any, Any]], PyTreeDef]:
    """Pairs of path and leaf, and the structure."""
    paths, found, treedef = optree.tree_flatten_with_path(tree, is_leaf, namespace=NAMESPACE)
    return list(zip(paths, found)), treedef


def leaves_with_path(tree: Any, is_leaf: _Leaf = None) -> list[tuple[Any, Any]]:
    """Pairs of path and leaf."""
    return flatten_with_path(tree, is_leaf)[0]


def transpose(outer_treedef: PyTreeDef, inner_treedef: PyTreeDef, pytree_to_transpose: Any) -> Any:
    """The tree of trees with both levels exchanged."""
    return optree.tree_transpose(outer_treedef, inner_treedef, pytree_to_transpose)


def register_pytree_node(
    nodetype: type,
    flatten_func: Callable[[Any], tuple[Iterable[Any], Hashable]],
    unflatten_func: Callable[[Any, Any], Any],
) -> None:
    """Make a class a container: `flatten_func(x)` gives its children and what else it holds."""
    optree.register_pytree_node(nodetype, flatten_func, unflatten_func, namespace=NAMESPACE)  # type: ignore[arg-type]


def register_pytree_node_class(cls: type) -> type:
    """Make a class with `tree_flatten` and `tree_unflatten` a container, as a decorator."""
    register_pytree_node(cls, lambda x: x.tree_flatten(), cls.tree_unflatten)  # type: ignore[attr-defined]
    return cls


def path_str(path: Iterable[Any]) -> str:
    """A path as a person writes it: `['w'][0]`."""
    return "".join(f"[{key!r}]" for key in path)


def prefix_leaves(prefix: Any, tree: Any) -> list[Any]:
    """For each leaf of a tree, the leaf of the prefix tree under which it stands; `None` is a leaf of the prefix.

    Raises:
        ValueError: if the prefix is none of the tree.
    """
    found, spec = flatten(prefix, lambda x: x is None)
    return [p for p, sub in zip(found, spec.flatten_up_to(tree)) for _ in leaves(sub)]
