"""Policies: what a checkpointed function keeps for the backward pass, all else being computed again.

A policy is asked of each primitive, with the abstract values of its operands and its parameters, whether its results
are kept.

Source: https://docs.jax.dev/en/latest/gradient-checkpointing.html; `checkpoint_policies` of
https://github.com/jax-ml/jax/blob/main/jax/_src/ad_checkpoint.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.contractions import dot_general_p
from arraytyping.runtime.transformations.arguments import arrays_of

__all__ = ["checkpoint_name", "checkpoint_policies", "name_p"]

Policy = Callable[..., bool]


def _same(cx: Any, x: Any, *, name: str) -> Any:
    return x


name_p: Primitive = Primitive("name", _same)
name_p.jvp_rule = lambda primals, tangents, *, name: (name_p.bind(*primals, name=name), tangents[0])
name_p.batching_rule = lambda axis, args, dims, *, name: (name_p.bind(*args, name=name), dims[0])
name_p.transpose_rule = lambda ct, x, *, name: [ct]


def checkpoint_name(x: Any, name: str) -> Any:
    """`jax.ad_checkpoint.checkpoint_name`: the same arrays, under a name by which a policy knows them.

    Raises:
        TypeError: for a name that is no str, and a leaf that is no array-like.
    """
    if not isinstance(name, str):
        raise TypeError(f"checkpoint_name takes a str as name, got {name!r:.60} of type {type(name).__name__}")
    found, structure = tree.flatten(x)
    arrays = arrays_of(found, checkpoint_name, lambda i: tree.path_str(structure.paths()[i]))
    return tree.unflatten(structure, [name_p.bind(materialized(a), name=name) for a in arrays])


def _is_dot(primitive: Primitive) -> bool:
    return primitive is dot_general_p


class checkpoint_policies:
    """`jax.checkpoint_policies`: the policies by name."""

    @staticmethod
    def everything_saveable(primitive: Primitive, *_: Any, **params: Any) -> bool:
        """Keep all."""
        return True

    @staticmethod
    def nothing_saveable(primitive: Primitive, *_: Any, **params: Any) -> bool:
        """Keep nothing: the same as no policy."""
        return False

    @staticmethod
    def dots_saveable(primitive: Primitive, *_: Any, **params: Any) -> bool:
        """Keep the products of matrices."""
        return _is_dot(primitive)

    checkpoint_dots = dots_saveable

    @staticmethod
    def dots_with_no_batch_dims_saveable(primitive: Primitive, *_: Any, **params: Any) -> bool:
        """Keep the products of matrices without batch dimensions."""
        return _is_dot(primitive) and params["dimension_numbers"][1] == ((), ())

    checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable

    @staticmethod
    def save_only_these_names(*names_which_can_be_saved: str) -> Policy:
        """Keep what `checkpoint_name` gave one of these names."""
        names = frozenset(names_which_can_be_saved)
        return lambda primitive, *_, **params: primitive is name_p and params["name"] in names

    @staticmethod
    def save_any_names_but_these(*names_not_to_save: str) -> Policy:
        """Keep what has a name that is none of these."""
        names = frozenset(names_not_to_save)
        return lambda primitive, *_, **params: primitive is name_p and params["name"] not in names

    @staticmethod
    def save_anything_except_these_names(*names_not_to_save: str) -> Policy:
        """Keep all but what has one of these names."""
        names = frozenset(names_not_to_save)
        return lambda primitive, *_, **params: primitive is not name_p or params["name"] not in names

    @staticmethod
    def save_from_both_policies(policy_1: Policy, policy_2: Policy) -> Policy:
        """Keep what one of two policies keeps."""
        return lambda primitive, *args, **params: bool(
            policy_1(primitive, *args, **params) or policy_2(primitive, *args, **params)
        )
