"""One level of a pytree: the children of a container, and the steps of a path that lead to them.

Source: https://docs.jax.dev/en/latest/jax.tree_util.html.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import optree

from arraytyping.runtime.tree.containers import NAMESPACE
from arraytyping.runtime.tree.paths import step_of

__all__ = ["KeyEntry", "KeyPath", "asked_with_path", "flatten_one_level_with_keys", "is_tree_node"]

KeyEntry = TypeVar("KeyEntry", bound=Any)
KeyPath = tuple[KeyEntry, ...]


def flatten_one_level_with_keys(tree: Any) -> tuple[list[tuple[Any, Any]], Hashable]:
    """The children of a container, each with the step that leads to it, and what else it holds.

    Raises:
        ValueError: for a leaf.
    """
    if not is_tree_node(type(tree)):
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    level = optree.tree_flatten_one_level(tree, namespace=NAMESPACE)
    steps = [step_of(level.path_entry_type(entry, level.type, level.kind)) for entry in level.entries]
    return list(zip(steps, level.children)), _hashable(level.metadata)


def _hashable(metadata: Any) -> Any:
    """The keys of dicts as a tuple."""
    if isinstance(metadata, list):
        return tuple(metadata)
    if isinstance(metadata, tuple) and len(metadata) == 2 and isinstance(metadata[1], list):  # of a defaultdict
        return metadata[0], tuple(metadata[1])
    return metadata


def is_tree_node(typ: type) -> bool:
    """Whether the objects of a class are containers."""
    if typ in (tuple, list, dict, type(None)) or optree.is_namedtuple_class(typ):
        return True
    return optree.register_pytree_node.get(typ, namespace=NAMESPACE) is not None


def asked_with_path(is_leaf: Callable[[Any, Any], bool]) -> Callable[[Any], bool]:
    """A function of nodes, as they come one after another, of one that is given the path to the node too.

    Nodes come before their children, children in order; this is how a tree is flattened.
    """
    paths: list[tuple[Any, ...]] = [()]

    def is_leaf_here(node: Any) -> bool:
        path = paths.pop()
        if is_leaf(path, node):
            return True
        if is_tree_node(type(node)):
            pairs, _ = flatten_one_level_with_keys(node)
            paths.extend((*path, step) for step, _ in reversed(pairs))
        return False

    return is_leaf_here
