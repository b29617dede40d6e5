"""Pytrees under the names of `jax.tree_util`.

Source: https://docs.jax.dev/en/latest/jax.tree_util.html.
"""

from __future__ import annotations

import arraytyping.runtime as _runtime  # noqa: F401 (first: it says which library is missing)

# isort: split
from collections.abc import Iterable

import optree

from arraytyping.runtime.tree import (
    NAMESPACE,
    DictKey,
    FlattenedIndexKey,
    GetAttrKey,
    KeyEntry,
    KeyPath,
    Partial,
    PyTreeDef,
    SequenceKey,
    keystr,
    register_dataclass,
    register_pytree_node,
    register_pytree_node_class,
    register_pytree_with_keys,
    register_pytree_with_keys_class,
    register_static,
    transpose as tree_transpose,
    unflatten as tree_unflatten,
)
from arraytyping.runtime.tree.seen import (
    all as tree_all,
    all_leaves,
    broadcast as tree_broadcast,
    flatten as tree_flatten,
    flatten_one_level,
    flatten_one_level_with_keys,
    flatten_with_path as tree_flatten_with_path,
    is_tree_node,
    leaves as tree_leaves,
    leaves_with_path as tree_leaves_with_path,
    map as tree_map,
    map_with_path as tree_map_with_path,
    reduce as tree_reduce,
    reduce_associative as tree_reduce_associative,
    structure as tree_structure,
)

__all__ = [
    "DictKey",
    "FlattenedIndexKey",
    "GetAttrKey",
    "KeyEntry",
    "KeyPath",
    "Partial",
    "PyTreeDef",
    "SequenceKey",
    "all_leaves",
    "flatten_one_level",
    "flatten_one_level_with_keys",
    "is_tree_node",
    "keystr",
    "register_dataclass",
    "register_pytree_node",
    "register_pytree_node_class",
    "register_pytree_with_keys",
    "register_pytree_with_keys_class",
    "register_static",
    "tree_all",
    "tree_broadcast",
    "tree_flatten",
    "tree_flatten_with_path",
    "tree_leaves",
    "tree_leaves_with_path",
    "tree_map",
    "tree_map_with_path",
    "tree_reduce",
    "tree_reduce_associative",
    "tree_structure",
    "tree_transpose",
    "tree_unflatten",
    "treedef_children",
    "treedef_is_leaf",
    "treedef_tuple",
]


def treedef_children(treedef: PyTreeDef) -> list[PyTreeDef]:
    """The structures of a structure's children."""
    return treedef.children()


def treedef_is_leaf(treedef: PyTreeDef) -> bool:
    """Whether a structure is that of a leaf, or of an empty container."""
    return treedef.num_nodes == 1


def treedef_tuple(treedefs: Iterable[PyTreeDef]) -> PyTreeDef:
    """The structure of a tuple of values of these structures."""
    return optree.treespec_tuple(treedefs, namespace=NAMESPACE)
