"""Trees that stand for larger ones, of which each leaf stands for all that is below it, and where they do not.

Source: `broadcast_prefix` and `prefix_errors` of https://github.com/jax-ml/jax/blob/main/jax/_src/tree_util.py.
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from arraytyping.runtime.tree.flattening import PyTreeDef, flatten, leaves, unflatten
from arraytyping.runtime.tree.levels import flatten_one_level_with_keys, is_tree_node
from arraytyping.runtime.tree.paths import keystr

__all__ = ["broadcast_prefix", "prefix_errors", "prefix_leaves", "prefix_mismatch"]

_Error = Callable[[str], ValueError]
_Leaf = Callable[[Any], bool] | None


def broadcast_prefix(prefix_tree: Any, full_tree: Any, is_leaf: _Leaf = None) -> list[Any]:
    """For each leaf of a tree, the leaf of the prefix tree under which it stands.

    Raises:
        ValueError: if the prefix is none of the tree; the sentence says where.
    """
    found, spec = flatten(prefix_tree, is_leaf)
    try:
        parts = spec.flatten_up_to(full_tree)
    except ValueError:
        errors = prefix_errors(prefix_tree, full_tree, is_leaf)
        if not errors:
            raise
        raise errors[0]("broadcast_prefix prefix_tree") from None
    return [leaf for leaf, part in zip(found, parts) for _ in leaves(part)]


def prefix_leaves(prefix: Any, tree: Any) -> list[Any]:
    """The same, where `None` is a leaf of the prefix.

    Raises:
        ValueError: if the prefix is none of the tree.
    """
    return broadcast_prefix(prefix, tree, lambda x: x is None)


def prefix_errors(prefix_tree: Any, full_tree: Any, is_leaf: _Leaf = None) -> list[_Error]:
    """What is wrong at each place at which a tree is no prefix of another: exceptions, given the prefix's name."""
    return list(_errors((), prefix_tree, full_tree, is_leaf))


class _AnyLeaf:
    def __repr__(self) -> str:
        return "pytree leaf"


def prefix_mismatch(name: str, prefix: Any, treedef: PyTreeDef) -> str:
    """The sentence that says where a specification, such as `in_axes`, is no prefix of a value of this structure."""
    errors = prefix_errors(prefix, unflatten(treedef, [_AnyLeaf()] * treedef.num_leaves), lambda x: x is None)
    details = "\n  ".join([str(error(name)) for error in errors])
    specified = f"{name} specification must be a tree prefix of the corresponding value; "
    return f"{specified}\n  Mismatch details ({len(errors)} found):\n  {details}"


def _errors(path: tuple[Any, ...], prefix: Any, full: Any, is_leaf: _Leaf) -> Iterator[_Error]:
    if not is_tree_node(type(prefix)) or (is_leaf is not None and is_leaf(prefix)):
        return  # a leaf stands for any tree
    where = keystr(path)
    kind = type(prefix)
    if kind is not type(full):
        yield lambda name: ValueError(
            f"pytree structure error: different types at key path\n    {name}{where}\n"
            f"At that key path, the prefix pytree {name} has a subtree of type\n    {kind}\n"
            f"but at the same key path the full pytree has a subtree of different type\n    {type(full)}."
        )
        return
    (own, own_data), (other, other_data) = flatten_one_level_with_keys(prefix), flatten_one_level_with_keys(full)
    if isinstance(prefix, list | tuple) and len(prefix) != len(full):
        yield lambda name: ValueError(
            f"pytree structure error: different lengths of {kind.__name__} at key path\n    {name}{where}\n"
            f"At that key path, the prefix pytree {name} has a subtree of type {kind.__name__} of length "
            f"{len(prefix)}, but the full pytree has a subtree of the same type but of length {len(full)}."
        )
        return
    if len(own) != len(other):
        keys, other_keys = [_key(step) for step, _ in own], [_key(step) for step, _ in other]
        difference = [key for key in (*keys, *other_keys) if (key in keys) != (key in other_keys)]
        yield lambda name: ValueError(
            f"pytree structure error: different numbers of pytree children at key path\n    {name}{where}\n"
            f"At that key path, the prefix pytree {name} has a subtree of type\n    {kind}\n"
            f"with {len(own)} child keys\n    {' '.join(keys)}\n"
            f"but at the same key path the full pytree has a subtree of the same type but with {len(other)} child "
            f"keys\n    {' '.join(other_keys)}\n"
            f"so the symmetric difference on key sets is\n    {' '.join(difference)}"
        )
        return
    if own_data != other_data:
        texts = str(own_data), str(other_data)
        lines = textwrap.indent("\n".join(difflib.ndiff(texts[0].splitlines(), texts[1].splitlines())), prefix="    ")
        yield lambda name: ValueError(
            f"pytree structure error: different pytree metadata at key path\n    {name}{where}\n"
            f"At that key path, the prefix pytree {name} has a subtree of type\n    {kind}\n"
            f"with metadata\n    {texts[0]}\n"
            f"but at the same key path the full pytree has a subtree of the same type but with metadata\n"
            f"    {texts[1]}\nso the diff in the metadata at these pytree nodes is\n{lines}"
        )
        return
    for (step, child), (_, full_child) in zip(own, other):
        yield from _errors((*path, step), child, full_child, is_leaf)


def _key(step: Any) -> str:
    """A step as it is named among its kin."""
    return str(next(iter(vars(step).values()))) if hasattr(step, "__dict__") and vars(step) else str(step)
