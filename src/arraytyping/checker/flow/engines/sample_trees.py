"""A tree of unknown structure as functions of libraries see it: one of a few leaves.

What they give back of the same kind is a tree of unknown structure again; how many leaves it has is known of none.
"""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    ListValue,
    OpenTree,
    TreeValue,
    Unknown,
    Value,
    mapped,
)

__all__ = ["opened", "sample_tree"]

_WHY = "a tree of unknown structure"
_known_to: list[Any] = []
"""The modules `tree_util` to which the class is known."""


class SampleTree:
    """A node with some children."""

    def __init__(self, children: tuple[Any, ...]) -> None:
        self.children = children


def _register(jax: JaxEngine) -> None:
    if not any(known is jax.tree_util for known in _known_to):
        jax.tree_util.register_pytree_node(
            SampleTree, lambda tree: (tree.children, None), lambda _, children: SampleTree(tuple(children))
        )
        _known_to.append(jax.tree_util)


def sample_tree(jax: JaxEngine, leaves: list[ArrayValue]) -> TreeValue:
    """A tree of these leaves."""
    _register(jax)
    return TreeValue(jax.tree_util.tree_structure(SampleTree(tuple(range(len(leaves))))), tuple(leaves))


def opened(value: Value, is_of_dicts: bool) -> Value:
    """What a function gave for samples, as it is for any tree, of dicts if those were that were given."""
    if isinstance(value, TreeValue):
        if not _holds_sample(value.treedef):
            return value
        leaf = join_all(value.leaves)
        is_one = _is_sample(value.treedef) and all(child.num_nodes == 1 for child in value.treedef.children())
        return OpenTree(_WHY, leaf, (), is_of_dicts) if is_one and isinstance(leaf, ArrayValue) else Unknown(_WHY)
    return (
        mapped(value, lambda v: opened(v, is_of_dicts)) if isinstance(value, tuple | ListValue | DictValue) else value
    )


def _is_sample(treedef: Any) -> bool:
    data = treedef.node_data()
    return data is not None and data[0] is SampleTree


def _holds_sample(treedef: Any) -> bool:
    return _is_sample(treedef) or any(map(_holds_sample, treedef.children()))
