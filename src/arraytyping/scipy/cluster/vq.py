"""Vector quantization, under the names of `jax.scipy.cluster.vq`."""

from __future__ import annotations

from typing import Any

from arraytyping.numpy import argmin
from arraytyping.numpy.linalg import norm
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.numpy.reshaping import expand_dims
from arraytyping.numpy.selecting import take_along_axis
from arraytyping.runtime import whole as whole
from arraytyping.runtime.array_likes import array_from, materialized

__all__ = ["vq"]


def vq(obs: Any, code_book: Any, check_finite: bool = True) -> tuple[Any, Any]:
    """`jax.scipy.cluster.vq.vq`: for each observation the number of the nearest code, and its distance.

    Raises:
        ValueError: for arrays of different ranks, or of another rank than 1 and 2.
    """
    points, codes = (materialized(x) for x in promoted_inexact(array_from(obs), array_from(code_book)))
    ranks = len(points.aval.shape), len(codes.aval.shape)
    if ranks[0] != ranks[1]:
        raise ValueError(f"Observation and code_book should have the same rank, got {ranks[0]} and {ranks[1]}")
    if ranks[0] not in (1, 2):
        raise ValueError(f"ndim different than 1 or 2 are not supported, got {ranks[0]}")
    if ranks[0] == 1:
        points, codes = expand_dims(points, 1), expand_dims(codes, 1)
    distances = norm(expand_dims(points, 1) - codes, axis=-1)
    nearest = argmin(distances, axis=-1)
    return nearest, take_along_axis(distances, expand_dims(nearest, 1), 1)[:, 0]
