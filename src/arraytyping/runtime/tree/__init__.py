"""Pytrees: nested containers of arrays, taken apart and put together again.

Tuples, lists, dicts (by sorted keys), named tuples, `None` (an empty container) and registered classes are
containers; everything else is a leaf.  The work is done by the library optree.  Programs see trees through `seen`.

Source: https://docs.jax.dev/en/latest/pytrees.html; https://optree.readthedocs.io.
"""

from arraytyping.runtime.tree.containers import (
    NAMESPACE as NAMESPACE,
    Container as Container,
    Partial,
    follow as follow,
    register_dataclass,
    register_pytree_node,
    register_pytree_node_class,
    register_pytree_with_keys,
    register_pytree_with_keys_class,
    register_static,
    static,
)
from arraytyping.runtime.tree.flattening import (
    PyTreeDef,
    flatten,
    flatten_as_given as flatten_as_given,
    leaves,
    map,
    structure,
    transpose,
    unflatten,
    with_sorted_keys as with_sorted_keys,
)
from arraytyping.runtime.tree.levels import (
    KeyEntry as KeyEntry,
    KeyPath as KeyPath,
)
from arraytyping.runtime.tree.paths import (
    DictKey,
    FlattenedIndexKey,
    GetAttrKey,
    SequenceKey,
    key_paths as key_paths,
    keystr as keystr,
    path_str as path_str,
)
from arraytyping.runtime.tree.prefixes import (
    broadcast_prefix as broadcast_prefix,
    prefix_errors as prefix_errors,
    prefix_leaves as prefix_leaves,
    prefix_mismatch as prefix_mismatch,
)

__all__ = [
    "DictKey",
    "FlattenedIndexKey",
    "GetAttrKey",
    "Partial",
    "PyTreeDef",
    "SequenceKey",
    "flatten",
    "leaves",
    "map",
    "register_dataclass",
    "register_pytree_node",
    "register_pytree_node_class",
    "register_pytree_with_keys",
    "register_pytree_with_keys_class",
    "register_static",
    "static",
    "structure",
    "transpose",
    "unflatten",
]
