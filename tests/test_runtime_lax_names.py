"""Collectives that split what they exchange, shapes of convolutions, approximate extremes and vector quantization."""

# ruff: noqa: E731  (programs are read more easily as expressions)

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import arraytyping as at

CUBE = np.arange(64, dtype=np.float32).reshape(4, 4, 4)
WIDE = np.arange(4 * 8 * 3, dtype=np.int32).reshape(4, 8, 3)


def outcome(program: Callable[..., Any], fw: Any) -> Any:
    """What a program gives, as plain values, or the class of the exception that it raises."""
    try:
        found = fw.tree.leaves(program(fw))
    except AssertionError:
        return ValueError  # of jax, where it looks at sizes
    except Exception as error:
        return type(error)
    return [
        int(x) if isinstance(x, int | np.integer) else (str(x.dtype), x.shape, np.asarray(x).tolist()) for x in found
    ]


def compare(program: Callable[..., Any]) -> None:
    assert outcome(program, at) == outcome(program, jax)


@pytest.mark.parametrize("tiled", [False, True])
def test_all_to_all(tiled: bool) -> None:
    for split, to in itertools.product((0, 1, -1), repeat=2):
        for dim in (0, 1):
            call = lambda fw, x, s=split, t=to: fw.lax.all_to_all(x, "i", s, t, tiled=tiled)
            if split < 0 or to < 0:
                assert outcome(lambda fw, c=call: fw.vmap(lambda x: c(fw, x), axis_name="i")(CUBE), at) != []
                continue  # jax counts them otherwise
            compare(lambda fw, c=call, d=dim: fw.vmap(lambda x: c(fw, x), d, axis_name="i")(CUBE))
            compare(
                lambda fw, c=call, d=dim: fw.grad(
                    lambda x: (fw.vmap(lambda x: c(fw, x), d, axis_name="i")(x) * fw.numpy.arange(4.0)).sum()
                )(CUBE)
            )
    compare(lambda fw: fw.vmap(lambda x: fw.lax.all_to_all(x, "i", 0, 1, tiled=tiled), axis_name="i")(WIDE))
    compare(lambda fw: fw.vmap(lambda x: fw.lax.all_to_all(x, "i", 1, 0, tiled=tiled), axis_name="i")(WIDE))
    compare(lambda fw: fw.lax.all_to_all(CUBE, "i", 0, 1, tiled=tiled))


def test_all_to_all_over_two_axes() -> None:
    x = CUBE.reshape(2, 2, 4, 4)
    for split, to in itertools.product((0, 1), repeat=2):
        f = lambda fw, s=split, t=to: fw.vmap(
            fw.vmap(lambda x: fw.lax.all_to_all(x, ("i", "j"), s, t), axis_name="j"), axis_name="i"
        )(x)
        compare(f)


@pytest.mark.parametrize("tiled", [False, True])
def test_psum_scatter(tiled: bool) -> None:
    for place in (0, 1):
        call = lambda fw, x, p=place: fw.lax.psum_scatter(x, "i", scatter_dimension=p, tiled=tiled)
        compare(lambda fw, c=call: fw.vmap(lambda x: c(fw, x), axis_name="i")(CUBE))
        compare(lambda fw, c=call: fw.vmap(lambda x: c(fw, x), 1, axis_name="i")(CUBE))
        if tiled:
            compare(lambda fw, c=call: fw.vmap(lambda x: c(fw, x), axis_name="i")(WIDE.astype(np.float32)))
    with pytest.raises(ValueError, match="must match shard count 4"):  # of which jax gives another size under vmap
        at.vmap(lambda x: at.lax.psum_scatter(x, "i"), axis_name="i")(WIDE)


def test_shuffled_and_sent() -> None:
    compare(lambda fw: fw.vmap(lambda x: fw.lax.pshuffle(x, "i", [2, 0, 3, 1]), axis_name="i")(CUBE))
    compare(lambda fw: fw.vmap(lambda x: fw.lax.pshuffle({"a": x}, "i", [2, 0, 3, 3]), axis_name="i")(CUBE))
    for source in range(4):
        compare(lambda fw, s=source: fw.vmap(lambda x: fw.lax.pbroadcast(x, "i", s), axis_name="i")(CUBE))
    with pytest.raises(ValueError, match="no example 4"):
        at.vmap(lambda x: at.lax.pbroadcast(x, "i", 4), axis_name="i")(CUBE)


WORDS = ("SAME", "VALID")
SIZES = [(5, 3, 1), (5, 3, 2), (6, 4, 3), (7, 1, 2), (2, 3, 2), (8, 8, 1)]


def test_shapes_of_convolutions() -> None:
    for (n, k, s), padding in itertools.product(
        SIZES, (*WORDS, "SAME_LOWER", [(1, 2)], [(-2, 0)], [(-9, 0)], [(0, 0)] * 2)
    ):
        compare(lambda fw, n=n, k=k, s=s, p=padding: fw.lax.padtype_to_pads((n, n), (k, k), (s, s), p))
        compare(lambda fw, n=n, k=k, s=s, p=padding: fw.lax.conv_shape_tuple((2, 3, n), (4, 3, k), (s,), p))
        for numbers in (("NHC", "HIO", "NHC"), ("NCH", "OIH", "NCH"), ("HNC", "OHI", "CHN")):
            left = tuple({"N": 2, "C": 3, "H": n}[c] for c in numbers[0])
            right = tuple({"O": 4, "I": 3, "H": k}[c] for c in numbers[1])
            for name in ("conv_general_shape_tuple", "conv_transpose_shape_tuple"):
                compare(
                    lambda fw, m=name, a=left, b=right, s=s, p=padding, d=numbers: getattr(fw.lax, m)(a, b, (s,), p, d)
                )
    for numbers in (("NHC", "HIO", "NHC"), ("NCHW", "OIWH", "WHNC"), ("NHH", "HIO", "NHC"), ("NHC", "HIO", "NWC"),
                    ("NHHC", "HHIO", "NHHC")):  # fmt: skip
        compare(lambda fw, d=numbers: fw.lax.conv_general_permutations(d))
    for n, k, s in SIZES:
        for dilation in (None, (2, 3)):
            compare(
                lambda fw, n=n, k=k, s=s, d=dilation: fw.lax.reduce_window_shape_tuple(
                    (n, n + 1), (k, k), (s, 1), ((0, 1), (2, 0)), d, d
                )
            )


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int32", "bool"])
def test_approximate_extremes(dtype: str) -> None:
    x = np.random.default_rng(0).normal(size=(3, 8)).astype(np.float32)
    for name, axis, k in itertools.product(("approx_max_k", "approx_min_k"), (-1, 0, 1), (1, 3)):
        compare(lambda fw, m=name, a=axis, k=k: getattr(fw.lax, m)(fw.numpy.asarray(x).astype(dtype), k, a))


@pytest.mark.parametrize("dtypes", [*itertools.product(("float32", "int32", "float16"), repeat=2)])
def test_vector_quantization(dtypes: tuple[str, str]) -> None:
    points = np.array([[1.9, 2.3, 1.7], [1.1, 1.1, 1.2], [0.2, 0.3, 4]]).astype(dtypes[0])
    codes = np.array([[1, 2, 2], [2, 2, 2], [1, 1, 1]]).astype(dtypes[1])
    for a, b in ((points, codes), (points[:, 0], codes[0]), (points, codes[0]), (points[None], codes[None])):
        compare(lambda fw, a=a, b=b: fw.scipy.cluster.vq.vq(a, b))


def test_trapezoid() -> None:
    y = np.array([[1.0, 2, 4], [0, 3, 1]], np.float32)
    for args in ((y,), (y, np.array([0.0, 1, 3], np.float32)), (y, None, 0.5), (y, None, 2.0, 0)):
        compare(lambda fw, args=args: fw.scipy.integrate.trapezoid(*args))


def test_primitives_by_name() -> None:
    for name in ("and_p", "or_p", "xor_p", "not_p", "broadcast_in_dim_p", "reshape_p", "transpose_p", "reduce_sum_p"):
        assert isinstance(getattr(at.lax, name), at.core.Primitive)


def test_kernels_of_their_own_and_items_by_vectors() -> None:
    images = np.arange(180, dtype=np.float32).reshape(2, 3, 5, 6) / 100
    kernels = np.arange(960, dtype=np.float32).reshape(4, 12, 4, 5) / 1000
    indices = np.array([0, -1, 2, 7], np.int32)

    def found(m: Any) -> list[Any]:
        local = m.lax.conv_general_dilated_local
        first = local(images, kernels, (1, 1), "VALID", (2, 2))
        turned = images.transpose(0, 2, 3, 1), kernels.transpose(3, 2, 1, 0)
        last = local(*turned, (1, 1), "VALID", (2, 2), dimension_numbers=("NHWC", "WHIO", "NHWC"))
        x = m.numpy.asarray(images)
        taken = [m.lax.index_take(x, (indices,) * len(axes), axes) for axes in ((1,), (0, 2), (1, 3))]
        return [first, last, *taken, m.lax.shape_as_value((2, 3)), m.lax.shape_as_value(())]

    for ours, theirs in zip(found(at), found(jax), strict=True):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), 1e-5)


DTYPED: list[Callable[[Any, Any], Any]] = [
    *[lambda fw, jnp, v=v: v for v in (
        1, 1.0, 1j, True, int, float, complex, bool, None, "float64", "int64", "bfloat16", "f4", "foo", "", np.float64,
        np.int8, np.dtype("int64"), np.float32(1), np.float64(1), np.ones(2), np.ones(2, int), np.array(["a"]), str,
        np.dtype("U1"), [1, 2], [1.0, 2.0], (1, 2), np.array([None]), object(),
    )],
    lambda fw, jnp: jnp.ones(2), lambda fw, jnp: jnp.bfloat16, lambda fw, jnp: jnp.int64,
    lambda fw, jnp: fw.random.key(0), lambda fw, jnp: fw.random.key(0).dtype,
    lambda fw, jnp: fw.ShapeDtypeStruct((2,), "float16"), lambda fw, jnp: fw.dtypes.float0,
]  # fmt: skip


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.filterwarnings("ignore")
def test_dtype(x64: bool) -> None:
    def answer(fw: Any, value: Any) -> str:
        with fw.enable_x64(x64):
            try:
                return str(fw.lax.dtype(value(fw, fw.numpy)))
            except (TypeError, ValueError) as error:
                return type(error).__name__

    found = [(answer(at, value), answer(jax, value)) for value in DTYPED]
    assert [pair for pair in found if pair[0] != pair[1]] == []
