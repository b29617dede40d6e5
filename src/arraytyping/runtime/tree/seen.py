"""Trees as programs see them: deques, structures such as `time.struct_time` and arrays of keys are leaves, as in JAX.

To the runtime itself these are containers, so that what is in them goes through its transformations.

Source: https://docs.jax.dev/en/latest/jax.tree.html.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final

import optree

from arraytyping.runtime.tree import flattening, levels
from arraytyping.runtime.tree.containers import NAMESPACE
from arraytyping.runtime.tree.flattening import PyTreeDef, unflatten
from arraytyping.runtime.tree.levels import asked_with_path
from arraytyping.runtime.tree.paths import key_paths

__all__ = [
    "all", "all_leaves", "broadcast", "flatten", "flatten_one_level",
    "flatten_one_level_with_keys", "flatten_with_path", "is_tree_node", "leaves", "leaves_with_path", "map",
    "map_with_path", "reduce", "reduce_associative", "structure",
]  # fmt: skip

_map, _all = map, all
_Leaf = Callable[..., bool] | None
_NOTHING: Final = object()
_MOST: Final = 4096


class _Wholes(dict[type, bool]):
    """Whether the objects of a class are leaves to programs though they are containers to the runtime."""

    def __missing__(self, cls: type) -> bool:
        found = cls is deque or hasattr(cls, "hidden_dims") or optree.is_structseq_class(cls)
        return self.setdefault(cls, found)


_wholes: Final = _Wholes()
_with_wholes: Final[dict[PyTreeDef, bool]] = {}
"""Whether there are such objects in trees of a structure."""

_ROOTS: Final = (dict, list, tuple)
_structures: Final[dict[Any, PyTreeDef]] = {}
"""The structures of trees without classes of a program's own, by what `QUICK` says of them.

Keys that are equal to texts, such as those of an enumeration of texts, may come back as these.
"""

QUICK: Final[list[Callable[[Any], tuple[list[Any], Any]]]] = []
"""What takes such trees apart faster, once jaxlib is there: it gives the leaves, and what puts a tree together.

Where it does not take one, the tree is looked at again, for what is said of it.
"""


def is_whole(cls: type) -> bool:
    """Whether the objects of a class are leaves to programs though they are containers to the runtime."""
    return _wholes[cls]


def _stopping(is_leaf: _Leaf) -> Callable[..., bool]:
    """What says where a program's tree ends: the node may come after its path."""
    if is_leaf is None:
        return lambda node: _wholes[type(node)]
    return lambda *node: _wholes[type(node[-1])] or is_leaf(*node)


def _has_wholes(treedef: PyTreeDef) -> bool:
    if treedef.num_nodes == 1:
        return False
    found = _with_wholes.get(treedef)
    if found is None:
        if len(_with_wholes) >= _MOST:
            _with_wholes.clear()
        found = _with_wholes[treedef] = _contains(treedef)
    return found


def _contains(treedef: PyTreeDef) -> bool:
    return (treedef.type is not None and _wholes[treedef.type]) or any(_map(_contains, treedef.children()))


def flatten(tree: Any, is_leaf: _Leaf = None) -> tuple[list[Any], PyTreeDef]:
    """The leaves, and the structure that holds them; its dicts have their keys in order."""
    if is_leaf is not None:
        return flattening.flatten(tree, _stopping(is_leaf))
    form: Any = None
    if QUICK and isinstance(tree, _ROOTS):  # others are of a program's own, and would be taken apart twice
        try:
            found, form = QUICK[0](tree)
            return found, _structures[form]
        except KeyError:
            pass
        except Exception:  # what is wrong with it is said below
            form = None
    found, treedef = flattening.flatten(tree)
    if _has_wholes(treedef):
        found, treedef = flattening.flatten(tree, _stopping(is_leaf))
    if form is not None and flattening.is_plain(treedef):
        if len(_structures) >= _MOST:
            _structures.clear()
        _structures[form] = treedef
    return found, treedef


def leaves(tree: Any, is_leaf: _Leaf = None) -> list[Any]:
    """The leaves of a tree."""
    if is_leaf is None and QUICK:
        try:
            return QUICK[0](tree)[0]
        except Exception:  # what is wrong with it is said below
            pass
    return flatten(tree, is_leaf)[0]


def structure(tree: Any, is_leaf: _Leaf = None) -> PyTreeDef:
    """The structure of a tree."""
    return flatten(tree, is_leaf)[1]


def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: _Leaf = None) -> Any:
    """The tree in which each leaf is what the function makes of it (and of the same places in the other trees).

    Raises:
        ValueError: if the structures do not go together.
    """
    if is_leaf is None and QUICK:
        try:
            found, whole = QUICK[0](tree)
            others = [whole.flatten_up_to(other) for other in rest]
        except Exception:  # what is wrong with them is said below
            pass
        else:
            return whole.unflatten([*_map(f, found, *others)])
    found, treedef = flatten(tree, is_leaf)
    return unflatten(treedef, _map(f, found, *[treedef.flatten_up_to(other) for other in rest]))


def map_with_path(
    f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: _Leaf = None, is_leaf_takes_path: bool = False
) -> Any:
    """As `map`, with the path to the leaf as the function's first argument."""
    pairs, treedef = flatten_with_path(tree, is_leaf, is_leaf_takes_path)
    others = [treedef.flatten_up_to(other) for other in rest]
    return unflatten(treedef, [f(*pair, *given) for pair, *given in zip(pairs, *others)])


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
    return optree.tree_broadcast_prefix(prefix_tree, full_tree, _stopping(is_leaf), namespace=NAMESPACE)


def all(tree: Any, *, is_leaf: _Leaf = None) -> bool:
    """Whether every leaf is true."""
    return _all(leaves(tree, is_leaf))


def flatten_with_path(
    tree: Any, is_leaf: _Leaf = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[Any, Any]], PyTreeDef]:
    """Pairs of path and leaf, and the structure; `is_leaf` may be given the path to a node before the node."""
    if is_leaf is None or not is_leaf_takes_path:
        found, treedef = flatten(tree, is_leaf)
    else:
        found, treedef = flattening.flatten(tree, asked_with_path(_stopping(is_leaf)))
    return list(zip(key_paths(treedef), found)), treedef


def leaves_with_path(tree: Any, is_leaf: _Leaf = None, is_leaf_takes_path: bool = False) -> list[tuple[Any, Any]]:
    """Pairs of path and leaf."""
    return flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


def all_leaves(iterable: Iterable[Any], is_leaf: _Leaf = None) -> bool:
    """Whether each of these values is a leaf."""
    return optree.all_leaves(iterable, _stopping(is_leaf), namespace=NAMESPACE)


def is_tree_node(typ: type) -> bool:
    """Whether the objects of a class are containers."""
    return not _wholes[typ] and levels.is_tree_node(typ)


def flatten_one_level_with_keys(tree: Any) -> tuple[list[tuple[Any, Any]], Hashable]:
    """The children of a container, each with the step that leads to it, and what else it holds.

    Raises:
        ValueError: for a leaf.
    """
    if _wholes[type(tree)]:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    return levels.flatten_one_level_with_keys(tree)


def flatten_one_level(tree: Any) -> tuple[list[Any], Hashable]:
    """The children of a container, and what else it holds: the keys of a dict, the class of a named tuple.

    Raises:
        ValueError: for a leaf.
    """
    pairs, metadata = flatten_one_level_with_keys(tree)
    return [child for _, child in pairs], metadata
