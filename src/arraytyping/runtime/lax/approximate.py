"""The greatest and the least elements, which JAX may find approximately; on CPU and GPU they are exact, as here.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.approx_max_k.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.lax.arithmetic import neg_p
from arraytyping.runtime.lax.sorting import top_k
from arraytyping.scalars import KINDS

__all__ = ["approx_max_k", "approx_min_k"]


def approx_max_k(
    operand: Any, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
) -> list[Any]:  # fmt: skip
    """`jax.lax.approx_max_k`: the greatest elements along one dimension, and their indices.

    Raises:
        ValueError: for an array of other numbers than floats.
        NotImplementedError: unless they are to be put together to k.
    """
    x = _floats("approx_max_k", operand, aggregate_to_topk)
    return list(top_k(x, k, axis=reduction_dimension))


def approx_min_k(
    operand: Any, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
) -> list[Any]:  # fmt: skip
    """`jax.lax.approx_min_k`: the least elements along one dimension, and their indices; raises as `approx_max_k`."""
    x = _floats("approx_min_k", operand, aggregate_to_topk)
    values, indices = top_k(neg_p.bind(x), k, axis=reduction_dimension)
    return [neg_p.bind(values), indices]


def _floats(name: str, operand: Any, aggregates: bool) -> Any:
    if not aggregates:
        raise NotImplementedError(f"{name}: aggregate_to_topk=False is not implemented; leave it out")
    x = materialized(array_from(operand))
    if KINDS[str(x.aval.dtype)] != "f":
        raise ValueError(f"{name} takes floats, got {x.aval}")
    return x
