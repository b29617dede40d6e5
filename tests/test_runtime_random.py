"""Random functions against JAX's: keys, samples equal to the last bit, transformations, mistakes."""

from __future__ import annotations

import copy
import inspect
import pickle
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import numpy as np
import pytest
from answers import asked

import arraytyping as at
import arraytyping.numpy as anp
from arraytyping import random
from arraytyping.random.key_arrays import PRNGKeyArray
from arraytyping.runtime.jaxpr import parse_jaxpr, typecheck_jaxpr
from arraytyping.runtime.lax.control_flow.cond import cond
from arraytyping.runtime.lax.control_flow.scan import scan
from arraytyping.runtime.lax.threefry import threefry2x32_p

SEED = 7
FLOATS = ("cauchy", "exponential", "gumbel", "laplace", "logistic", "normal", "uniform")


def same(ours: Any, theirs: Any) -> bool:
    """Whether two trees of arrays (or keys) are equal to the last bit, in dtype, shape and weak type too."""
    if isinstance(theirs, dict):
        different = [k for k in theirs if not same(ours[k], theirs[k])]
        print("different:", different)
        return not different and ours.keys() == theirs.keys()
    if isinstance(theirs, tuple | list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if jax.numpy.issubdtype(theirs.dtype, jax.dtypes.prng_key):
        assert isinstance(ours, PRNGKeyArray)
        return repr(ours) == repr(theirs) and same(random.key_data(ours), jax.random.key_data(theirs))
    a, b = np.asarray(ours), np.asarray(theirs)
    return (
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes() and ours.weak_type == theirs.weak_type
    )


def both(function: Callable[..., Any], *arrays: Any, x64: bool = False) -> None:
    """The function `f(random, numpy, key, *arrays)` gives the same here and with JAX, compiled as one program."""
    with at.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = at.jit(lambda k, *a: function(random, anp, k, *a))(random.key(SEED), *arrays)
        assert same(ours, asked(partial(_theirs, function, arrays, x64)))


def _theirs(function: Callable[..., Any], arrays: tuple[Any, ...], x64: bool) -> Any:
    """What JAX gives for the same."""
    with jax.enable_x64(x64):
        return jax.jit(lambda k, *a: function(jax.random, jax.numpy, k, *a))(jax.random.key(SEED), *arrays)


@pytest.mark.parametrize(("dtype", "x64"), [("float32", False), ("bfloat16", False), ("float16", False),
                                            ("float64", True)])  # fmt: skip
def test_floats(dtype: str, x64: bool) -> None:
    def sampled(r: Any, np_: Any, key: Any) -> Any:
        found = {name: getattr(r, name)(key, (40, 3), dtype) for name in FLOATS}
        found["bounds"] = r.uniform(key, (40, 3), dtype, -1.3, np.array([0.1, 2, 3], np.float32))
        found["truncated"] = r.truncated_normal(key, -0.7, np.array([[1], [2]], np.float32), (2, 30), dtype)
        return found

    both(sampled, x64=x64)


@pytest.mark.parametrize("x64", [False, True])
def test_integers(x64: bool) -> None:
    names = ("int64", "uint64") if x64 else ("int4", "uint8", "int32", "uint32")

    def sampled(r: Any, np_: Any, key: Any) -> Any:
        found = {n: r.randint(key, (50,), -3, 6, n) for n in names}
        if x64:
            found["all"] = r.randint(key, (50,), -(2**63), 2**63 - 1)
            found["beyond"] = r.randint(key, (50,), 0, np.uint64(2**64 - 1), "int64")
            found["bits"] = r.bits(key, (5, 3))
            return found
        found["all"] = r.randint(key, (50,), -(2**31), 2**31 - 1)
        found["beyond"] = r.randint(key, (50,), -500, 500, "int8")
        found["empty"] = r.randint(key, (3,), 5, 5)
        found["arrays"] = r.randint(key, (4, 2), np.array([1, -9], np.int8), np.array([[3], [9], [2], [1]], np.int32))
        found["real"] = r.randint(key, (9,), 0.7, 9.9)
        found |= {f"bits {n}": r.bits(key, (5, 3), n) for n in (None, "uint8", "uint16", "uint4")}
        found["rademacher"] = r.rademacher(key, (30,), "uint8")
        return found

    both(sampled, x64=x64)


P = np.array([0.1, 0.2, 0.3, 0.4], np.float32)
X = np.arange(12.0, dtype=np.float32).reshape(4, 3)
LOGITS = np.log(np.array([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]], np.float32))


def test_other_samples() -> None:
    def sampled(r: Any, np_: Any, key: Any) -> Any:
        return {
            "complex": r.normal(key, (20,), "complex64"),
            "gumbel": [r.gumbel(key, (500,), mode=mode) for mode in ("high", "highest")],
            "bernoulli": [r.bernoulli(key), r.bernoulli(key, P, (9, 4), mode="high")],
            "permutation": [r.permutation(key, X, 1), r.permutation(key, 0), r.permutation(key, X, 1, True)],
        }

    both(sampled)


@pytest.mark.parametrize("x64", [False, True])
def test_draws(x64: bool) -> None:
    many = np.linspace(0, 1, 300, dtype=np.float32)

    def sampled(r: Any, np_: Any, key: Any) -> Any:
        if x64:  # the dtypes of indices are others
            return [r.permutation(key, 5), r.choice(key, 4, (3,), False, P), r.categorical(key, LOGITS)]
        return {
            "choice": [
                r.choice(key, 10, (5,)), r.choice(key, 10, (5,), False), r.choice(key, 4, (3,), False, P),
                r.choice(key, X, (2, 2), axis=1), r.choice(key, X, (0,)), r.choice(key, 300, (200,), p=many),
            ],
            "categorical": [
                r.categorical(key, LOGITS), r.categorical(key, LOGITS, shape=(5, 2)), r.categorical(key, LOGITS, 0),
                r.categorical(key, LOGITS, 0, (2, 3), False),
            ],
        }  # fmt: skip

    both(sampled, x64=x64)


def test_eager_is_compiled() -> None:
    """A function of random numbers is one program also where it is not jitted, and gives the same then."""
    key, theirs = random.key(SEED), jax.random.key(SEED)
    for name in ("uniform", "normal"):
        assert same(getattr(random, name)(key, (5,)), getattr(jax.random, name)(theirs, (5,)))
    assert same(
        random.uniform(key, (3,), minval=-2, maxval=anp.asarray(3.0)),
        jax.random.uniform(theirs, (3,), minval=-2, maxval=3.0),
    )
    assert same(random.randint(key, (3,), 0, np.int8(9)), jax.random.randint(theirs, (3,), 0, np.int8(9)))
    assert random.uniform(key, 3).shape == random.uniform(key, [anp.asarray(3)]).shape == (3,)


@pytest.mark.parametrize("x64", [False, True])
def test_keys(x64: bool) -> None:
    with at.enable_x64(x64), jax.enable_x64(x64):
        for seed in (
            0,
            7,
            -1,
            2**40 + 3,
            2**63 - 1,
            True,
            np.int8(-3),
            np.uint32(2**32 - 1),
            np.int64(-(2**50)),
            np.uint64(5),
        ):
            assert same(random.key(seed), jax.random.key(seed)), seed
        assert same(random.PRNGKey(3), jax.random.PRNGKey(3))
        traced = at.jit(random.key), jax.jit(jax.random.key)
        for seed in (np.int8(-3), np.int64(-(2**50))):
            assert same(traced[0](seed), traced[1](seed))
        ours, theirs = random.key(SEED), jax.random.key(SEED)
        for num in (2, 3, (2, 3), 0, ()):
            assert same(random.split(ours, num), jax.random.split(theirs, num))
        for data in (0, 5, 2**32 - 1, np.int8(-1), np.float32(3.7)):
            assert same(random.fold_in(ours, data), jax.random.fold_in(theirs, data))
        assert same(random.split(random.PRNGKey(1)), jax.random.split(jax.random.PRNGKey(1)))
        assert same(random.fold_in(np.array([1, 2], np.uint32), 3), jax.random.fold_in(np.array([1, 2], np.uint32), 3))
        bits = np.arange(6, dtype=np.uint32).reshape(3, 2)
        assert same(random.wrap_key_data(bits), jax.random.wrap_key_data(jax.numpy.asarray(bits)))
    assert random.key_impl(ours) == jax.random.key_impl(theirs)
    assert str(random.key_dtype()) == str(jax.random.key_dtype()) == str(ours.dtype) == "key<fry>"
    assert random.key(1, dtype=ours.dtype) == random.key(1, impl="threefry2x32") == random.clone(random.key(1))


def test_key_arrays_are_arrays() -> None:
    ours: Any = random.split(random.key(SEED), (3, 2))
    theirs = jax.random.split(jax.random.key(SEED), (3, 2))
    is_array = isinstance(ours, at.Array)
    assert is_array
    looks: list[Callable[[Any], Any]] = [
        lambda k: k[1], lambda k: k[-1, 0], lambda k: k[..., 1], lambda k: k[:2], lambda k: k[None, 1:],
        lambda k: k[np.array([2, 0])],
        lambda k: k[np.array([True, False, True])], lambda k: k.reshape(2, -1), lambda k: k.reshape((6,)),
        lambda k: k.ravel(), lambda k: k.flatten(), lambda k: k.T, lambda k: k.transpose(1, 0),
        lambda k: k.swapaxes(0, -1),
        lambda k: k[:1].squeeze(), lambda k: k[:1].squeeze(0), lambda k: list(k)[2], lambda k: list(k[0])[1],
        lambda k: k == k[0], lambda k: k[0] != k, lambda k: k.at[0, 1].set(k[2, 0]), lambda k: k.at[1].get(),
        lambda k: k.copy(), lambda k: copy.copy(k), lambda k: copy.deepcopy(k), lambda k: pickle.loads(pickle.dumps(k)),
        lambda k: k.block_until_ready(),
    ]  # fmt: skip
    for look in looks:
        assert same(look(ours), look(theirs)), inspect.getsource(look)
    for name in ("shape", "ndim", "size", "itemsize", "nbytes"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert len(ours) == 3
    assert ours[0, 0] in [ours[0, 0]]
    assert f"{ours}" == str(ours) == repr(ours) == repr(theirs)
    assert ours.dtype == random.key_dtype() != "key<fry>"
    assert ours != None  # noqa: E711 (what is no array is unequal)


def test_keys_have_no_arithmetic() -> None:
    ours, theirs = random.key(SEED), jax.random.key(SEED)
    wrong: list[Callable[[Any], Any]] = [
        lambda k: k + 1, lambda k: 1 + k, lambda k: -k, lambda k: np.float32(1) * k, lambda k: k < k, lambda k: k == 0,
        lambda k: np.asarray(k), lambda k: bool(k), lambda k: float(k), lambda k: int(k), lambda k: hash(k),
        lambda k: len(k),
        lambda k: iter(k), lambda k: k[0], lambda k: k + k, lambda k: abs(k),
        lambda k: k.reshape(2), lambda k: k.__setitem__(0, k),
    ]  # fmt: skip
    for what in wrong:
        with pytest.raises((TypeError, IndexError)) as expected:
            what(theirs)
        with pytest.raises(expected.type):
            what(ours)
    for what in (lambda k: anp.add(k, 1), lambda k: k.sum(), lambda k: k.astype("int32"), lambda k: k.real):
        with pytest.raises(TypeError, match=r"key<fry>.*random\.key_data"):
            what(ours)


def test_through_transformations() -> None:
    def step(r: Any) -> Callable[..., Any]:
        def body(key: Any, _: Any) -> Any:
            key, subkey = r.split(key)
            return key, r.uniform(subkey)

        return body

    ours, theirs = random.key(SEED), jax.random.key(SEED)
    assert same(scan(step(random), ours, None, 4), jax.lax.scan(step(jax.random), theirs, None, 4))
    four, theirs_four = random.split(ours, 4), jax.random.split(theirs, 4)
    assert same(at.vmap(random.normal)(four), jax.vmap(jax.random.normal)(theirs_four))
    assert same(at.vmap(lambda k: random.split(k, 3))(four), jax.vmap(lambda k: jax.random.split(k, 3))(theirs_four))
    assert same(
        at.jit(at.vmap(random.fold_in, (None, 0)))(ours, anp.arange(5)),
        jax.jit(jax.vmap(jax.random.fold_in, (None, 0)))(theirs, np.arange(5)),
    )
    assert same(
        at.jit(at.vmap(lambda k, x: random.permutation(k, x)))(four, np.arange(20).reshape(4, 5)),
        jax.jit(jax.vmap(jax.random.permutation))(theirs_four, np.arange(20).reshape(4, 5)),
    )
    assert same(
        at.vmap(lambda low, high: random.uniform(ours, (2,), minval=low, maxval=high), (0, None))(
            np.array([0, 1, 2], np.float32), 3.0
        ),
        jax.vmap(lambda low, high: jax.random.uniform(theirs, (2,), minval=low, maxval=high), (0, None))(
            np.array([0, 1, 2], np.float32), 3.0
        ),
    )
    chosen = at.jit(lambda p, a, b: cond(p, lambda a, b: a, lambda a, b: b, a, b))(False, four[0], four[1])
    assert chosen == four[1]


def test_derivatives() -> None:
    def sampled(r: Any, np_: Any, key: Any, low: Any) -> Any:
        return (
            r.uniform(key, (4,), minval=low, maxval=2 * low) * r.normal(key, (4,))
            + r.truncated_normal(key, -low, low, (4,))
        ).sum()

    ours = at.jit(at.grad(lambda low, key: sampled(random, anp, key, low)))(0.5, random.key(SEED))
    theirs = jax.jit(jax.grad(lambda low, key: sampled(jax.random, jax.numpy, key, low)))(0.5, jax.random.key(SEED))
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    with pytest.raises(TypeError):
        at.grad(lambda key: random.uniform(key))(random.key(SEED))


def test_in_jaxprs() -> None:
    """The hash is one equation, whose text is read back and whose types are checked."""
    with at.enable_x64(False):
        closed = at.make_jaxpr(lambda key: random.normal(key, (3,)))(random.key(SEED))
    assert str(closed).count("threefry2x32") == 1
    assert str(parse_jaxpr(str(closed))) == str(closed)
    assert str(typecheck_jaxpr(closed.jaxpr)) == "(u32[2]) -> (f32[3])"
    with pytest.raises(TypeError, match="uint32"):
        threefry2x32_p.bind(*[anp.ones(3)] * 4)


def test_no_retracing() -> None:
    traced = at.jit(lambda key: random.uniform(key))
    for key in random.split(random.key(SEED), 3):
        traced(key)
    assert len(traced.traces) == 1


WRONG: tuple[Callable[[Any, Any], Any], ...] = (
    lambda r, k: r.uniform(0), lambda r, k: r.uniform(None), lambda r, k: r.uniform([0, 0]),
    lambda r, k: r.uniform("a"),
    lambda r, k: r.uniform(np.zeros(2)), lambda r, k: r.uniform(np.zeros(3, np.uint32)),
    lambda r, k: r.uniform(r.split(k)),
    lambda r, k: r.uniform(np.zeros((2, 2), np.uint32)), lambda r, k: r.uniform(k, (2.5,)),
    lambda r, k: r.uniform(k, dtype=int),
    lambda r, k: r.uniform(k, (2,), minval=np.zeros(3)), lambda r, k: r.uniform(k, (2,), minval=[0]),
    lambda r, k: r.uniform(k, minval=2**40), lambda r, k: r.uniform(k, dtype="float4_e2m1fn"),
    lambda r, k: r.normal(k, dtype="int8"), lambda r, k: r.bits(k, dtype="int32"), lambda r, k: r.gumbel(k, mode="x"),
    lambda r, k: r.randint(k, (2,), 0, 3, "float32"), lambda r, k: r.randint(k, (2,), 0, np.zeros(3)),
    lambda r, k: r.randint(k, (2,), None, 3), lambda r, k: r.bernoulli(k, 1), lambda r, k: r.bernoulli(k, mode="x"),
    lambda r, k: r.bernoulli(k, np.zeros(3, np.float32), (2,)), lambda r, k: r.permutation(k, 5.0),
    lambda r, k: r.permutation(k, [1, 2]), lambda r, k: r.permutation(k, np.zeros((2, 3)), 2),
    lambda r, k: r.choice(k, 5, 3),
    lambda r, k: r.choice(k, 5, (3,), p=np.ones(4)), lambda r, k: r.choice(k, 0, (3,)),
    lambda r, k: r.choice(k, 3, (4,), False),
    lambda r, k: r.categorical(k, np.zeros(3, np.int8)), lambda r, k: r.categorical(k, np.zeros(3, np.float32), 2),
    lambda r, k: r.categorical(k, np.zeros((2, 3), np.float32), shape=(5, 3)),
    lambda r, k: r.categorical(k, np.zeros(3, np.float32), shape=(5,), replace=False),
    lambda r, k: r.split(k, 2.5), lambda r, k: r.split(r.split(k)), lambda r, k: r.split(0), lambda r, k: r.key(1.5),
    lambda r, k: r.key(2**63), lambda r, k: r.key(np.arange(2)), lambda r, k: r.key(k), lambda r, k: r.key("a"),
    lambda r, k: r.key(0, impl="x"), lambda r, k: r.key(0, impl=3), lambda r, k: r.key(0, impl="rbg", dtype="rbg"),
    lambda r, k: r.fold_in(k, np.arange(2)), lambda r, k: r.fold_in(k, -1), lambda r, k: r.fold_in(k, 2**33),
    lambda r, k: r.fold_in(k, "a"), lambda r, k: r.wrap_key_data(np.zeros(3, np.uint32)),
    lambda r, k: r.wrap_key_data(np.zeros(2)),
    lambda r, k: r.permutation(k), lambda r, k: r.uniform(), lambda r, k: r.split(k, (2, None)),
)  # fmt: skip


@pytest.mark.parametrize("what", WRONG, ids=lambda w: str(WRONG.index(w)))
def test_mistakes(what: Callable[[Any, Any], Any]) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError, IndexError)) as theirs:
        what(jax.random, jax.random.key(SEED))
    with pytest.raises((TypeError, ValueError, OverflowError, IndexError)) as ours:
        what(random, random.key(SEED))
    expected = next(c for c in theirs.type.__mro__ if c.__module__ == "builtins")
    assert issubclass(ours.type, expected), (ours.value, theirs.value)
    assert len(str(ours.value)) > 20


def test_a_size_that_is_traced() -> None:
    for what in (lambda n: random.uniform(random.key(0), (n,)), lambda n: random.permutation(random.key(0), n)):
        with pytest.raises(TypeError, match="must be known when the program is traced"):
            at.jit(what)(3)


def test_signatures() -> None:
    for name in random.__all__:
        if name in ("key_dtype", "clone"):
            continue
        real = inspect.signature(getattr(jax.random, name)).parameters.values()
        ours = inspect.signature(getattr(random, name)).parameters.values()
        assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in real], name
