"""Rotations of three dimensions and what lies between them, under the names of `jax.scipy.spatial.transform`.

Source: https://docs.jax.dev/en/latest/jax.scipy.html#module-jax.scipy.spatial.transform.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from arraytyping.numpy import array, atleast_1d, concatenate, diff, dot, maximum, ones, roll, searchsorted
from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.linalg import eigh
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.runtime import whole as whole
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.scipy import quaternions

__all__ = ["Rotation", "Slerp"]


def _axes_of(seq: str) -> tuple[list[int], bool]:
    """The numbers of axes, and whether they turn with what is turned.

    Raises:
        ValueError: for other axes than these, or two that are the same after each other.
    """
    if not re.fullmatch(r"[xyz]{1,3}|[XYZ]{1,3}", seq):
        raise ValueError(f"axes are one to three letters of xyz, or of XYZ for intrinsic ones, and {seq!r} was given")
    if any(a == b for a, b in itertools.pairwise(seq)):
        raise ValueError(f"two turns after each other are about different axes, and {seq!r} was given")
    return ["xyz".index(axis) for axis in seq.lower()], seq.isupper()


def _inexact(values: Any) -> Any:
    (known,) = promoted_inexact(array_from(values))
    return materialized(known)


class Rotation(NamedTuple):
    """`jax.scipy.spatial.transform.Rotation`: one rotation or several, as quaternions of shape (4,) or (n, 4)."""

    quat: Any

    @classmethod
    def concatenate(cls, rotations: Sequence[Rotation]) -> Rotation:
        """The rotations one after the other."""
        return cls(concatenate([rotation.quat for rotation in rotations]))

    @classmethod
    def from_euler(cls, seq: str, angles: Any, degrees: bool = False) -> Rotation:
        """Of Euler's angles about up to three axes, intrinsic ones in capital letters.

        Raises:
            ValueError: for axes that are none, and for another number of angles.
        """
        axes, is_intrinsic = _axes_of(seq)
        return cls(quaternions.from_euler_angles(atleast_1d(_inexact(angles)), axes, is_intrinsic, degrees))

    @classmethod
    def from_matrix(cls, matrix: Any) -> Rotation:
        """Of orthogonal matrices, of shape (3, 3) or (n, 3, 3)."""
        return cls(quaternions.from_matrix(_inexact(matrix)))

    @classmethod
    def from_mrp(cls, mrp: Any) -> Rotation:
        """Of modified Rodrigues parameters."""
        return cls(quaternions.from_mrp(_inexact(mrp)))

    @classmethod
    def from_quat(cls, quat: Any) -> Rotation:
        """Of quaternions of any length but zero."""
        return cls(quaternions.normalized(_inexact(quat)))

    @classmethod
    def from_rotvec(cls, rotvec: Any, degrees: bool = False) -> Rotation:
        """Of axes that are as long as the angles."""
        return cls(quaternions.from_rotation_vector(_inexact(rotvec), degrees))

    @classmethod
    def identity(cls, num: int | None = None, dtype: Any = float) -> Rotation:
        """The rotation that turns nothing.

        Raises:
            NotImplementedError: for several, which JAX does not make either.
        """
        if num is not None:
            raise NotImplementedError("identity makes one rotation; num has to be None")
        return cls(array([0.0, 0.0, 0.0, 1.0], dtype=dtype))

    @classmethod
    def random(cls, random_key: Any, num: int | None = None) -> NoReturn:
        """Of which JAX has the name alone.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("Rotation.random is not written, in JAX either")

    def __getitem__(self, indexer: Any) -> Rotation:
        if self.single:
            raise TypeError("a single rotation has no items")
        return Rotation(self.quat[indexer])

    def __len__(self) -> int:
        if self.single:
            raise TypeError("a single rotation has no length")
        return int(self.quat.shape[0])

    def __mul__(self, other: Rotation) -> Rotation:  # type: ignore[override]
        return Rotation.from_quat(quaternions.product(self.quat, other.quat))

    def apply(self, vectors: Any, inverse: bool = False) -> Any:
        """Vectors of shape (3,) or (n, 3), turned."""
        return quaternions.rotated(self.as_matrix(), asarray(array_from(vectors)), inverse)

    def as_euler(self, seq: str, degrees: bool = False) -> Any:
        """Euler's angles about three axes, intrinsic ones in capital letters.

        Raises:
            ValueError: for axes that are none, and for another number of them.
        """
        if len(seq) != 3:
            raise ValueError(f"Euler's angles are about three axes, and {seq!r} was given")
        return quaternions.euler_angles(self.quat, *_axes_of(seq), degrees)

    def as_matrix(self) -> Any:
        """Matrices, of shape (3, 3) or (n, 3, 3)."""
        return quaternions.rotation_matrix(self.quat)

    def as_mrp(self) -> Any:
        """Modified Rodrigues parameters."""
        return quaternions.mrp(self.quat)

    def as_rotvec(self, degrees: bool = False) -> Any:
        """Axes that are as long as the angles."""
        return quaternions.rotation_vector(self.quat, degrees)

    def as_quat(self, canonical: bool = False, scalar_first: bool = False) -> Any:
        """Quaternions, of the two of a rotation the canonical one if it is asked for, with w last or first."""
        quat = quaternions.canonical(self.quat) if canonical else self.quat
        return roll(quat, 1, axis=-1) if scalar_first else quat

    def inv(self) -> Rotation:
        """The rotation back."""
        return Rotation(quaternions.inverse(self.quat))

    def magnitude(self) -> Any:
        """How far is turned, in radians."""
        return quaternions.angle_of(self.quat)

    def mean(self, weights: Any = None) -> Rotation:
        """The rotation that is nearest to all; Markley et al., "Averaging quaternions", JGCD 30 (2007).

        Raises:
            ValueError: for weights of another rank or number.
        """
        dtype = self.quat.dtype
        given = ones(self.quat.shape[0], dtype=dtype) if weights is None else asarray(weights, dtype=dtype)
        if given.ndim != 1:
            raise ValueError(f"weights have one axis, and not shape {given.shape}")
        if given.shape[0] != len(self):
            raise ValueError(f"{len(self)} rotations need as many weights, and not {given.shape[0]}")
        _, vectors = eigh(dot(given[None, :] * self.quat.T, self.quat))
        return Rotation(vectors[:, -1])

    @property
    def single(self) -> bool:
        """Whether this is one rotation, and not an array of them."""
        return bool(self.quat.ndim == 1)


class Slerp(NamedTuple):
    """`jax.scipy.spatial.transform.Slerp`: rotations at any time between those that are known, at an even speed."""

    times: Any
    timedelta: Any
    rotations: Rotation
    rotvecs: Any

    @classmethod
    def init(cls, times: Any, rotations: Rotation) -> Slerp:
        """Of rotations at times that grow.

        Raises:
            TypeError: if `rotations` are none.
            ValueError: for less than two rotations, and for another rank or number of times.
        """
        if not isinstance(rotations, Rotation):
            raise TypeError(f"rotations are a Rotation, and not {type(rotations).__name__}")
        if rotations.single or len(rotations) == 1:
            raise ValueError("one interpolates between two rotations at least")
        known = asarray(times, dtype=rotations.quat.dtype)
        if known.ndim != 1:
            raise ValueError(f"times have one axis, and not shape {known.shape}")
        if known.shape[0] != len(rotations):
            raise ValueError(f"{len(rotations)} rotations need as many times, and not {known.shape[0]}")
        begins, ends = Rotation(rotations.quat[:-1]), Rotation(rotations.quat[1:])
        return cls(known, diff(known), begins, (begins.inv() * ends).as_rotvec())

    def __call__(self, times: Any) -> Rotation:
        """The rotations at these times, also before the first and after the last one.

        Raises:
            ValueError: for times of more than one axis.
        """
        wanted = asarray(times, dtype=self.times.dtype)
        if wanted.ndim > 1:
            raise ValueError(f"times are a number or have one axis, and not shape {wanted.shape}")
        all_times = atleast_1d(wanted)
        begin = maximum(searchsorted(self.times, all_times) - 1, 0)
        share = (all_times - self.times[begin]) / self.timedelta[begin]
        turned = Rotation.from_rotvec(self.rotvecs[begin] * share[:, None])
        found = Rotation(self.rotations.quat[begin]) * turned
        return found if wanted.ndim else Rotation(found.quat[0])
