"""Keys of other implementations than the default against jax: the functions of random, to the bit."""

from __future__ import annotations

import copy
import pickle
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from answers import asked

import arraytyping as at
import arraytyping.numpy as anp

LIBRARIES = (at, jax)
WORDS = {"rbg": 4, "unsafe_rbg": 4, "threefry4x32": 4, "philox2x32": 1, "philox4x32": 2}
IMPLEMENTATIONS = (*WORDS,)
STATE = np.array([1, 2, 3, 4], np.uint32)


def same(found: Any, expected: Any) -> None:
    found, expected = np.asarray(found), np.asarray(expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    if found.dtype.kind in "biu":
        np.testing.assert_array_equal(found, expected)
    else:
        wide = np.complex128 if found.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(found.astype(wide), expected.astype(wide), rtol=2e-6, atol=1e-7)


def generated(library: Any, algorithm: str, dtype: str, shape: Any) -> Any:
    return library.lax.rng_bit_generator(STATE, shape, dtype, getattr(library.lax.RandomAlgorithm, algorithm))


@pytest.mark.parametrize("algorithm", ["RNG_DEFAULT", "RNG_THREE_FRY", "RNG_PHILOX"])
def test_generated_bits(algorithm: str) -> None:
    for dtype, shapes in (("uint8", [(5,)]), ("uint16", [(5,)]), ("uint32", [(), [2, 3]])):
        for shape in shapes:
            state, bits = generated(at, algorithm, dtype, shape)
            their_state, their_bits = asked(partial(generated, jax, algorithm, dtype, shape))
            same(state, their_state)
            same(bits, their_bits)


def test_what_cannot_be_generated() -> None:
    for library in LIBRARIES:
        for dtype in ("float32", "int32", bool):
            with pytest.raises(TypeError):
                library.lax.rng_bit_generator(STATE, (2,), dtype)
        with pytest.raises(ValueError, match="must be"):
            library.lax.rng_bit_generator(STATE, (2,), None)


def test_a_batch_of_states_uses_the_first() -> None:
    states = np.arange(12, dtype=np.uint32).reshape(3, 4)
    ours, theirs = (
        library.vmap(lambda s, library=library: library.lax.rng_bit_generator(s, (2,)))(states) for library in LIBRARIES
    )
    for found, expected in zip(ours, theirs, strict=True):
        same(found, expected)


def derived(library: Any, impl: str) -> dict[str, Any]:
    """The texts of a key's dtype and implementation, and the bits of it and of the keys that are made of it."""
    random, key = library.random, library.random.key(42, impl=impl)
    return {
        "texts": np.array([str(key.dtype), str(random.key_impl(key))]),
        "key": random.key_data(key),
        "split": [random.key_data(random.split(key, number)) for number in (2, (2, 3), (), 0)],
        "folded": [random.key_data(random.fold_in(key, data)) for data in (0, 7, 2**32 - 1)],
    }


@pytest.mark.parametrize("impl", IMPLEMENTATIONS)
def test_keys(impl: str) -> None:
    found, expected = derived(at, impl), asked(partial(derived, jax, impl))
    assert list(found["texts"]) == list(expected["texts"].values)
    for mine, other in zip(
        [found["key"], *found["split"], *found["folded"]],
        [expected["key"], *expected["split"], *expected["folded"]],
        strict=True,
    ):
        same(mine, other)
    ours = at.random.key(42, impl=impl)
    assert all(at.random.split(ours, number).dtype == ours.dtype for number in (2, (2, 3), (), 0))
    for again in (
        pickle.loads(pickle.dumps(ours)),
        copy.deepcopy(ours),
        at.jit(lambda k: k)(ours),
        anp.stack([ours])[0],
    ):
        assert again.dtype == ours.dtype
        assert bool(again == ours)


@pytest.mark.parametrize("impl", IMPLEMENTATIONS)
def test_keys_of_another_implementation(impl: str) -> None:
    ours, other = at.random.key(0, impl=impl), at.random.key(0)
    mixing: list[Any] = [
        lambda: ours == other,
        lambda: anp.stack([ours, other]),
        lambda: at.random.split(ours).at[0].set(other),
    ]
    for mixed in mixing:
        with pytest.raises(TypeError, match="implementation"):
            mixed()
    for library in LIBRARIES:
        if WORDS[impl] != 2:  # else they could be the bits of a key of the default
            with pytest.raises((TypeError, ValueError)):
                library.random.normal(library.random.key_data(library.random.key(0, impl=impl)))
        with pytest.raises((TypeError, ValueError)):
            library.random.wrap_key_data(np.zeros(3, np.uint32), impl=impl)
        with pytest.raises(ValueError, match="unrecognized PRNG implementation"):
            library.random.key(0, impl="other")
        with pytest.raises(NotImplementedError, match="threefry2x32"):
            library.random.poisson(library.random.key(0, impl=impl), 3.0)


def under_default(library: Any, impl: str, words: int) -> list[Any]:
    """What is made while this implementation is the default, under which a compiled key has so many words."""
    make = library.jit(lambda: library.random.key_data(library.random.key(1)))
    assert make().shape == (2,)
    with library.default_prng_impl(impl):
        bits = library.random.PRNGKey(3)
        found = [
            bits, library.random.key_data(library.random.key(3)), library.random.normal(bits, (2,)),
            library.random.split(bits), library.random.key_data(library.random.wrap_key_data(bits)),
        ]  # fmt: skip
        assert make().shape == (words,)
    assert make().shape == (2,)
    return found


@pytest.mark.parametrize("impl", IMPLEMENTATIONS)
def test_the_default(impl: str) -> None:
    # jax runs what it compiled before
    ours, theirs = under_default(at, impl, WORDS[impl]), asked(partial(under_default, jax, impl, 2))
    for found, expected in zip(ours, theirs, strict=True):
        same(found, expected)
    with pytest.raises(ValueError, match="expected 'threefry2x32'"):
        at.config.update("default_prng_impl", "other")


CALLS: dict[str, list[tuple[Any, ...]]] = {
    "ball": [(3,)], "bernoulli": [(0.3, (5,))], "beta": [(2.0, 3.0, (3,))], "binomial": [(10, 0.3, (4,))],
    "bits": [((3,),), ((3,), "uint8"), ((3,), "uint16")], "categorical": [(np.ones((3, 4), np.float32),)],
    "choice": [(10, (4,)), (10, (4,), False)], "dirichlet": [(np.ones(3, np.float32), (2,))],
    "exponential": [((3,),)], "gamma": [(2.0, (3,))], "geometric": [(0.3, (4,))], "gumbel": [((3,),)],
    "multivariate_normal": [(np.zeros(2, np.float32), np.eye(2, dtype=np.float32), (3,))],
    "normal": [((3,),), ((2,), "complex64"), ((2,), "bfloat16")], "orthogonal": [(3,)],
    "permutation": [(10,), (np.arange(6).reshape(3, 2),)], "randint": [((5,), 0, 100), ((5,), 0, 100, "int8")],
    "t": [(3.0, (3,))], "truncated_normal": [(-1.0, 1.0, (3,))], "uniform": [((3,),)],
}  # fmt: skip


def sampled(library: Any, name: str, impl: str, call: tuple[Any, ...]) -> Any:
    return getattr(library.random, name)(library.random.key(42, impl=impl), *call)


QUICK = ("bits", "choice", "gamma")


@pytest.mark.parametrize("name", QUICK)
def test_samples(name: str) -> None:
    for call in CALLS[name][:2]:
        same(sampled(at, name, "rbg", call), asked(partial(sampled, jax, name, "rbg", call)))


@pytest.mark.thorough
@pytest.mark.parametrize("impl", IMPLEMENTATIONS)
@pytest.mark.parametrize("name", CALLS)
def test_samples_of_every_function(name: str, impl: str) -> None:
    for call in CALLS[name]:
        same(sampled(at, name, impl, call), sampled(jax, name, impl, call))


def transformed(library: Any, np_like: Any, impl: str) -> list[Any]:
    random, key = library.random, library.random.key(42, impl=impl)

    def drawn(key: Any) -> Any:
        one, other = random.split(key)
        return random.normal(one, (3,)), random.key_data(random.fold_in(other, 3))

    def gamma(a: Any) -> Any:
        return random.gamma(key, a, (3,)).sum()

    batch = random.split(key, 4)
    out = [*drawn(key), *library.jit(drawn)(key), *library.vmap(drawn)(batch)]
    _, scanned = library.lax.scan(lambda k, _: (k, drawn(k)[0]), key, np_like.arange(2))
    return [*out, scanned, library.grad(gamma)(2.0), library.grad(library.jit(gamma))(2.0)]


@pytest.mark.parametrize("impl", ["rbg", "unsafe_rbg", "philox2x32"])
def test_under_transformations(impl: str) -> None:
    ours, theirs = transformed(at, anp, impl), asked(partial(transformed, jax, jnp, impl))
    for found, expected in zip(ours, theirs, strict=True):
        same(found, expected)
