"""`scipy.spatial.transform`: the same on jax, for every sort of what a rotation is written as, degenerate ones too."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.scipy.spatial.transform
import numpy as np
import pytest
from kept_leaves import leaves_of_jax

import arraytyping as at

QUATERNIONS = np.array(
    [[0.3, -0.2, 0.7, 0.5], [1, 2, -3, -1], [0, 0, 0, 1], [0, -1, 0, 0], [0.6, 0.8, 0, 1e-5], [-2, 0, 0, 0.001]]
)
SEQUENCES = [a + b + c for a, b, c in itertools.product("xyz", repeat=3) if a != b != c]
LESS_USUAL = ("float16", "int32")
SPECIAL = [0.0, np.pi / 2, np.pi, -np.pi / 2, 0.9]


def outcome(program: Callable[[Any], Any], fw: Any) -> Any:
    try:
        found = program(fw)
    except Exception as error:
        return type(error)
    return [
        (str(x.dtype), bool(x.weak_type), x.shape, np.asarray(x).astype(float) + 0.0) for x in fw.tree.leaves(found)
    ]


def differences(program: Callable[[Any], Any]) -> Any:
    ours, theirs = outcome(program, at), leaves_of_jax(partial(outcome, program, jax))
    if isinstance(ours, type) or isinstance(theirs, type):
        return None if ours is theirs else (ours, theirs)
    for (*ours_kind, a), (*their_kind, b) in zip(ours, theirs, strict=True):
        if ours_kind != their_kind or not np.allclose(
            a, b, rtol=2e-3 if "float16" in ours_kind else 1e-4, atol=2e-3, equal_nan=True
        ):
            return ours, theirs
    return None


def rotation(fw: Any, single: bool, dtype: str = "float32") -> Any:
    quaternions = fw.numpy.asarray(QUATERNIONS[0] if single else QUATERNIONS, dtype)
    return fw.scipy.spatial.transform.Rotation.from_quat(quaternions)


@pytest.mark.parametrize("dtype", ["float32", *(pytest.param(d, marks=pytest.mark.thorough) for d in LESS_USUAL)])
@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("form", ["matrix", "mrp", "rotvec", "quat"])
def test_forms_and_back(form: str, single: bool, dtype: str) -> None:
    def there(fw: Any) -> Any:
        found = rotation(fw, single, dtype)
        return found.magnitude(), getattr(found, f"as_{form}")()

    def back(fw: Any) -> Any:
        given = fw.numpy.asarray(np.asarray(getattr(rotation(jax, single), f"as_{form}")()), dtype)
        return getattr(fw.scipy.spatial.transform.Rotation, f"from_{form}")(given)

    def small(fw: Any) -> Any:
        given = fw.numpy.asarray([1e-4, 2e-4, -1e-4], "float32")
        return fw.scipy.spatial.transform.Rotation.from_rotvec(given, degrees=single).as_rotvec(degrees=True)

    for program in (there, back, small):
        assert differences(program) is None, program.__name__


@pytest.mark.parametrize("letters", [str.lower, str.upper])
def test_angles_of_euler(letters: Callable[[str], str]) -> None:
    for sequence in map(letters, SEQUENCES):

        def program(fw: Any, sequence: str = sequence) -> Any:
            angles = fw.numpy.asarray([[a, middle, -0.4] for middle in SPECIAL for a in (0.3, 2.0)], "float32")
            made = fw.scipy.spatial.transform.Rotation.from_euler(sequence, angles)
            return made, made.as_matrix(), rotation(fw, False).as_euler(sequence, degrees=True)

        assert differences(program) is None, sequence


@pytest.mark.parametrize("count", [1, 2, 3])
def test_angles_of_as_many_axes(count: int) -> None:
    def program(fw: Any) -> Any:
        of = fw.scipy.spatial.transform.Rotation.from_euler
        return of("zyx"[:count], fw.numpy.asarray([90, 45, 30][:count]), degrees=True), of(
            "ZXY"[:count], fw.numpy.asarray([1.0, 0.5, 2.0][:count])
        )

    assert differences(program) is None


@pytest.mark.parametrize("single", [True, False])
def test_what_rotations_do(single: bool) -> None:
    def program(fw: Any) -> Any:
        found, vectors = rotation(fw, single), fw.numpy.asarray(np.arange(18).reshape(6, 3), "float32")
        turn = fw.scipy.spatial.transform.Rotation.from_euler("z", 90, degrees=True)
        return (
            found.apply(vectors), found.apply(vectors[0], inverse=True), found.inv(), found * turn, turn * found,
            found.as_quat(canonical=True), found.as_quat(scalar_first=True),
            fw.scipy.spatial.transform.Rotation.identity().apply(vectors),
        )  # fmt: skip

    def parts(fw: Any) -> Any:
        found = rotation(fw, single)
        joined = fw.scipy.spatial.transform.Rotation.concatenate([found, found])
        return found[1:3], found[0], joined, fw.numpy.asarray(len(found))

    assert differences(program) is None
    assert differences(parts) is None


@pytest.mark.parametrize("weights", [[1.0, 2.0, 0.0, 0.5, 0.25, 1.0], None, [1.0], [[1.0]]])
def test_mean(weights: Any) -> None:
    def program(fw: Any) -> Any:
        return rotation(fw, False).mean(weights).as_matrix()  # either quaternion of the rotation may come

    assert differences(program) is None


@pytest.mark.parametrize("times", [0.5, [0.0, 0.5, 1, 3.7, 5.0, 6.5, -1.0], [[1.0]]])
def test_between(times: Any) -> None:
    def program(fw: Any) -> Any:
        slerp = fw.scipy.spatial.transform.Slerp.init([0, 1, 2, 4, 4.5, 5], rotation(fw, False))
        return slerp, slerp(times).as_matrix()

    assert differences(program) is None


@pytest.mark.parametrize("fw", [at, jax], ids=["ours", "jax"])
def test_what_is_refused(fw: Any) -> None:
    transform = fw.scipy.spatial.transform
    one, several, two = rotation(fw, True), rotation(fw, False), fw.numpy.ones(2)
    refused: list[tuple[Callable[[], Any], type[Exception]]] = [
        (lambda: transform.Rotation.from_euler("xX", two), ValueError),
        (lambda: transform.Rotation.from_euler("", 1.0), ValueError),
        (lambda: transform.Rotation.from_euler("xx", two), ValueError),
        (lambda: transform.Rotation.from_euler("xyz", two), ValueError),
        (lambda: transform.Rotation.from_matrix(fw.numpy.ones((2, 3))), ValueError),
        (lambda: one.as_euler("xy"), ValueError),
        (lambda: one[0], TypeError),
        (lambda: len(one), TypeError),
        (lambda: transform.Rotation.random(None), NotImplementedError),
        (lambda: transform.Slerp.init([0.0], one), ValueError),
        (lambda: transform.Slerp.init([0.0, 1.0], several), ValueError),
        (lambda: transform.Slerp.init([[0.0, 1.0]], several), ValueError),
        (lambda: transform.Slerp.init([0.0, 1.0], [one, one]), TypeError),
    ]
    for number, (call, kind) in enumerate(refused):
        try:
            found = call()
        except kind:
            continue
        raise AssertionError((number, found))


def test_transformed() -> None:
    def gradient(fw: Any) -> Any:
        of, ones = fw.scipy.spatial.transform.Rotation.from_rotvec, fw.numpy.ones(3)
        return fw.grad(lambda v: of(v).apply(ones)[0])(fw.numpy.asarray([0.1, 0.2, 0.3], "float32"))

    def compiled(fw: Any) -> Any:
        return fw.jit(lambda r, s: (r.inv() * s, s.apply(fw.numpy.ones(3))))(rotation(fw, False), rotation(fw, True))

    def mapped(fw: Any) -> Any:
        return fw.vmap(lambda r: r.as_euler("zyx"))(rotation(fw, False))

    for program in (gradient, compiled, mapped):
        assert differences(program) is None, program.__name__
