"""Quaternions (x, y, z, w) on the last axis, and what else a rotation of three dimensions is written as.

Sources: Shuster, "A survey of attitude representations", Journal of the Astronautical Sciences 41 (1993); for Euler's
angles Bernardes and Viollet, "Quaternion to Euler angles conversion: a direct, general and computationally efficient
method", PLoS ONE 17 (2022).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Final

from arraytyping.numpy import (
    absolute,
    arctan2,
    argmax,
    concatenate,
    cos,
    cross,
    deg2rad,
    hypot,
    matrix_transpose,
    rad2deg,
    sin,
    sqrt,
    stack,
    vecdot,
    where,
    zeros_like,
)
from arraytyping.numpy.selecting import take_along_axis

__all__ = [
    "angle_of", "canonical", "euler_angles", "from_euler_angles", "from_matrix", "from_mrp", "from_rotation_vector",
    "inverse", "mrp", "normalized", "product", "rotated", "rotation_matrix", "rotation_vector",
]  # fmt: skip

_SMALL: Final = 1e-3
"""Up to this angle series are better than quotients, of which both parts vanish."""
_DEGENERATE: Final = 1e-7


def _norm(vector: Any) -> Any:
    return sqrt(vecdot(vector, vector))


def _column(values: Any) -> Any:
    return values[..., None]


def normalized(quaternion: Any) -> Any:
    """The quaternion of length 1."""
    return quaternion / _column(_norm(quaternion))


def product(first: Any, second: Any) -> Any:
    """Hamilton's product: `second`, then `first`."""
    v, a = first[..., :3], first[..., 3:4]
    w, b = second[..., :3], second[..., 3:4]
    return concatenate([a * w + b * v + cross(v, w), a * b - _column(vecdot(v, w))], -1)


def inverse(quaternion: Any) -> Any:
    """The conjugate."""
    return concatenate([-quaternion[..., :3], quaternion[..., 3:]], -1)


def canonical(quaternion: Any) -> Any:
    """Of the two quaternions of a rotation that of which the last part that is not zero is positive, w before all."""
    is_turned = False
    for part in (2, 1, 0, 3):
        value = quaternion[..., part]
        is_turned = where(value == 0, is_turned, value < 0)
    return where(_column(is_turned), -quaternion, quaternion)


def angle_of(quaternion: Any) -> Any:
    """How far is turned, in radians."""
    return 2.0 * arctan2(_norm(quaternion[..., :3]), absolute(quaternion[..., 3]))


def rotation_matrix(quaternion: Any) -> Any:
    """The matrix by which vectors are multiplied."""
    x, y, z, w = (quaternion[..., i] for i in range(4))
    rows = (
        (x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), -x * x + y * y - z * z + w * w, 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), -x * x - y * y + z * z + w * w),
    )
    return stack([stack(row, -1) for row in rows], -2)


def from_matrix(matrix: Any) -> Any:
    """The quaternion of a matrix, divided by the part of it that is largest.

    Raises:
        ValueError: if the matrix is not square.
    """
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
        raise ValueError(f"a matrix of a rotation has shape (..., 3, 3), and not {matrix.shape}")
    m = [[matrix[..., i, j] for j in range(3)] for i in range(3)]
    trace = m[0][0] + m[1][1] + m[2][2]
    candidates = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        parts = {i: 1 - trace + 2 * m[i][i], j: m[j][i] + m[i][j], k: m[k][i] + m[i][k], 3: m[k][j] - m[j][k]}
        candidates.append(stack([parts[part] for part in range(4)], -1))
    candidates.append(stack([m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + trace], -1))
    largest = argmax(stack([m[0][0], m[1][1], m[2][2], trace], -1), axis=-1)
    chosen = take_along_axis(stack(candidates, -2), largest[..., None, None], -2)
    return normalized(chosen[..., 0, :])


def rotation_vector(quaternion: Any, degrees: bool) -> Any:
    """The axis, as long as the angle."""
    turned = where(quaternion[..., 3:] < 0, -quaternion, quaternion)
    vector = turned[..., :3]
    angle = 2.0 * arctan2(_norm(vector), turned[..., 3])
    square = angle * angle
    series = 2 + square / 12 + 7 * square * square / 2880
    scale = where(angle <= _SMALL, series, angle / sin(angle / 2))
    return _column(rad2deg(scale) if degrees else scale) * vector


def from_rotation_vector(vector: Any, degrees: bool) -> Any:
    """The quaternion of an axis that is as long as the angle."""
    if degrees:
        vector = deg2rad(vector)
    angle = _norm(vector)
    square = angle * angle
    series = 0.5 - square / 48 + square * square / 3840
    scale = where(angle <= _SMALL, series, sin(angle / 2) / angle)
    return concatenate([_column(scale) * vector, _column(cos(angle / 2))], -1)


def mrp(quaternion: Any) -> Any:
    """The modified Rodrigues parameters: the axis, as long as the tangent of a quarter of the angle."""
    sign = where(quaternion[..., 3:] < 0, -1.0, 1.0)
    return sign * quaternion[..., :3] / (1.0 + sign * quaternion[..., 3:])


def from_mrp(parameters: Any) -> Any:
    """The quaternion of modified Rodrigues parameters."""
    length = _column(vecdot(parameters, parameters) + 1)
    return concatenate([2 * parameters[..., :3], 2 - length], -1) / length


def from_euler_angles(angles: Any, axes: Sequence[int], is_intrinsic: bool, degrees: bool) -> Any:
    """Turns about axes one after the other, which turn with what is turned if they are intrinsic.

    Raises:
        ValueError: if there is not an angle for each axis.
    """
    if angles.shape[-1] != len(axes):
        raise ValueError(f"{len(axes)} axes need as many angles, and the last axis has size {angles.shape[-1]}")
    if degrees:
        angles = deg2rad(angles)
    turns = []
    for number, axis in enumerate(axes):
        half = angles[..., number] / 2.0
        parts = [zeros_like(half), zeros_like(half), zeros_like(half), cos(half)]
        parts[axis] = sin(half)
        turns.append(stack(parts, -1))
    return functools.reduce(product, turns if is_intrinsic else reversed(turns))


def euler_angles(quaternion: Any, axes: Sequence[int], is_intrinsic: bool, degrees: bool) -> Any:
    """The angles by which one turns about three axes; of two that turn alike the last in the order of turns is zero."""
    i, j, k = reversed(axes) if is_intrinsic else axes
    is_symmetric = i == k
    if is_symmetric:
        k = 3 - i - j
    sign = (i - j) * (j - k) * (k - i) // 2
    first, second, third, real = quaternion[..., i], quaternion[..., j], quaternion[..., k] * sign, quaternion[..., 3]
    if is_symmetric:
        a, b, c, d = real, first, second, third
    else:
        a, b, c, d = real - second, first + third, second + real, third - first
    middle = 2 * arctan2(hypot(c, d), hypot(a, b))
    is_zero, is_half = absolute(middle) <= _DEGENERATE, absolute(middle - math.pi) <= _DEGENERATE
    half_sum, half_difference = arctan2(b, a), arctan2(d, c)
    alone = where(is_zero, 2 * half_sum, 2 * half_difference * (1 if is_intrinsic else -1))
    is_degenerate = is_zero | is_half
    one, other = half_sum - half_difference, half_sum + half_difference
    outer, inner = (other, one) if is_intrinsic else (one, other)
    angles = [where(is_degenerate, alone, outer), middle, where(is_degenerate, 0.0, inner)]
    if not is_symmetric:
        last = 0 if is_intrinsic else 2
        angles[last] = angles[last] * sign
        angles[1] = middle - math.pi / 2
    wrapped = (stack(angles, -1) + math.pi) % (2 * math.pi) - math.pi
    return rad2deg(wrapped) if degrees else wrapped


def rotated(matrix: Any, vectors: Any, is_inverse: bool) -> Any:
    """Vectors on the last axis, multiplied by matrices, each by its own where there are several of both."""
    turn = matrix_transpose(matrix) if is_inverse else matrix
    return (turn @ _column(vectors))[..., 0]
