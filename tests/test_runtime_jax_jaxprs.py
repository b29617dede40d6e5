"""The rules on real programs: JAX's own jaxprs, every equation held against the rule of its primitive here.

A program is traced by jax; our rules must give the very type (dtype, shape, weak type) that jax wrote on each equation.
"""

from __future__ import annotations

import contextlib
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.extend import core as jax_core
from runtime_primitive_cases import CASES, Case

from arraytyping.errors import JaxprTypeError
from arraytyping.runtime.jaxpr.typecheck import typecheck_jaxpr

F = jnp.ones((4, 6), jnp.float32)
KEY = jax.random.key(0)
cg: Any = jax.scipy.sparse.linalg.cg


def traced(function: Callable[..., Any], *args: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return jax.make_jaxpr(function)(*args)


def mlp(params: Any, x: Any, y: Any) -> Any:
    for w, b in params[:-1]:
        x = jax.nn.gelu(x @ w + b)
    w, b = params[-1]
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(x @ w + b) * y, axis=-1))


PARAMS = [(jnp.ones((6, 8)), jnp.zeros(8)), (jnp.ones((8, 3)), jnp.zeros(3))]


def sgd(params: Any, x: Any, y: Any) -> Any:
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(mlp)(params, x, y))


def adam(params: Any, state: Any, x: Any, y: Any) -> Any:
    step, m, v = state
    grads = jax.grad(mlp)(params, x, y)
    m = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, m, grads)
    v = jax.tree.map(lambda a, g: 0.999 * a + 0.001 * g**2, v, grads)
    scale = jnp.sqrt(1 - 0.999 ** (step + 1)) / (1 - 0.9 ** (step + 1))
    return jax.tree.map(lambda p, a, b: p - 1e-3 * scale * a / (jnp.sqrt(b) + 1e-8), params, m, v), (step + 1, m, v)


def attention(q: Any, k: Any, v: Any) -> Any:
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -jnp.inf), axis=-1)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v)


def recurrent(w: Any, xs: Any) -> Any:
    def step(carry: Any, x: Any) -> Any:
        h, n = carry
        h = jnp.tanh(h @ w + x)
        return (h, n + 1), h.sum()

    (h, n), sums = lax.scan(step, (jnp.zeros(6), 0), xs)
    return jnp.sum(h) + jnp.sum(sums) + n


def collatz(n: Any) -> Any:
    return lax.while_loop(
        lambda s: s[0] > 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, 0)
    )


def convolved(x: Any, w: Any) -> Any:
    y = lax.conv_general_dilated(x, w, (2, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    pooled = lax.reduce_window(jax.nn.relu(y), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return jnp.mean(pooled**2)


def batch_normalized(x: Any) -> Any:
    mean, variance = x.mean(0, keepdims=True), x.var(0, keepdims=True)
    return ((x - mean) * lax.rsqrt(variance + 1e-5)).astype(jnp.bfloat16)


@jax.custom_vjp
def clipped(x: Any) -> Any:
    return x * 2


clipped.defvjp(lambda x: (x * 2, x), lambda x, g: (jnp.clip(g, -1, 1),))

PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "a loss": (mlp, (PARAMS, F, jnp.ones((4, 3)))),
    "a step of training": (jax.jit(sgd), (PARAMS, F, jnp.ones((4, 3)))),
    "a step of Adam": (adam, (PARAMS, (0, PARAMS, PARAMS), F, jnp.ones((4, 3)))),
    "the Hessian of a loss": (
        lambda w: jax.hessian(lambda v: mlp([(v, PARAMS[0][1]), PARAMS[1]], F, jnp.ones((4, 3))))(w),
        (PARAMS[0][0],),
    ),
    "attention": (attention, (jnp.ones((2, 5, 3, 8), jnp.bfloat16),) * 3),
    "the gradient of attention": (
        jax.grad(lambda *xs: attention(*xs).sum(), (0, 1, 2)),
        (jnp.ones((2, 5, 3, 8)),) * 3,
    ),
    "a recurrent network": (jax.value_and_grad(recurrent), (jnp.ones((6, 6)), jnp.ones((10, 6)))),
    "a recurrent network, mapped": (jax.vmap(recurrent, (None, 0)), (jnp.ones((6, 6)), jnp.ones((3, 10, 6)))),
    "checkpoint": (jax.grad(jax.checkpoint(recurrent)), (jnp.ones((6, 6)), jnp.ones((10, 6)))),
    "a while loop": (collatz, (7,)),
    "a while loop, mapped": (jax.vmap(collatz), (jnp.arange(5),)),
    "cond": (lambda x: lax.cond(x.sum() > 0, jnp.sin, lambda y: y * 2, x), (F,)),
    "cond, mapped": (jax.vmap(lambda x: lax.cond(x.sum() > 0, jnp.sin, lambda y: y * 2, x)), (F,)),
    "switch": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, lambda y: y], x), (1, F)),
    "fori_loop": (lambda x: lax.fori_loop(0, 5, lambda i, y: y.at[i % 4].add(i), x), (F,)),
    "convolutions": (jax.grad(convolved, (0, 1)), (jnp.ones((2, 9, 8, 3)), jnp.ones((3, 3, 3, 4)))),
    "normalization": (batch_normalized, (F,)),
    "Fourier": (lambda x: jnp.fft.irfft2(jnp.fft.rfft2(x) * 2) + jnp.abs(jnp.fft.fft(x)), (F,)),
    "the gradient of Fourier": (jax.grad(lambda x: jnp.abs(jnp.fft.rfft(x)).sum()), (F,)),
    "sorting": (
        lambda x: (jnp.sort(x), jnp.argsort(x, axis=0), lax.top_k(x, 2), jnp.median(x), jnp.unique(x, size=3)),
        (F,),
    ),
    "places": (lambda x: (x[jnp.array([0, 2])], x[1, ::2], x[:, -1], x[x.argmax() % 4], jnp.take(x, 3)), (F,)),
    "writing": (
        lambda x: (
            x.at[0].set(1).at[jnp.array([1, 2]), 3].add(2.5).at[2:].multiply(3).at[..., 0].min(0).at[1].apply(jnp.sin)
        ),
        (F,),
    ),
    "the gradient of places": (jax.grad(lambda x: x[jnp.array([0, 2, 2])].sum() + x[0, 1] ** 3), (F,)),
    "linear algebra": (
        lambda a: (jnp.linalg.inv(a), jnp.linalg.det(a), jnp.linalg.eigh(a), jnp.linalg.svd(a)),
        (jnp.eye(4),),
    ),
    "the gradient of linear algebra": (
        jax.grad(lambda a: jnp.linalg.slogdet(a)[1] + jnp.linalg.norm(a)),
        (jnp.eye(4),),
    ),
    "statistics": (
        lambda x: (jnp.cov(x), jnp.percentile(x, 30), jnp.histogram(x, 4), jnp.cumsum(x, 1), jnp.std(x)),
        (F,),
    ),
    "special functions": (
        lambda x: (jax.scipy.special.logsumexp(x), jax.scipy.stats.norm.logpdf(x), lax.lgamma(x)),
        (F,),
    ),
    "scans": (lambda x: (lax.associative_scan(jnp.add, x), jnp.cumprod(x), lax.cumlogsumexp(x)), (F,)),
    "bits": (lambda x: lax.bitcast_convert_type(x, jnp.uint32) ^ (jnp.uint32(3) << 2) | ~jnp.uint32(1), (F,)),
    "own derivatives": (jax.grad(lambda x: (clipped(x) + jax.nn.relu(x) + jax.nn.silu(x)).sum()), (F,)),
    "own derivatives, called": (lambda x: clipped(jax.nn.relu(x)), (F,)),
    "random numbers": (lambda k: jax.random.normal(jax.random.split(k)[0], (3, 4)), (KEY,)),
    "a key among what is carried": (
        lambda k: lax.scan(lambda c, _: (jax.random.fold_in(c, 1), jax.random.uniform(c)), k, length=3),
        (KEY,),
    ),
    "choices": (
        lambda k, x: (jax.random.permutation(k, x), jax.random.categorical(k, x), jax.random.bernoulli(k)),
        (KEY, F),
    ),
    "solvers": (jax.grad(lambda b: cg(lambda v: 2 * v, b)[0].sum()), (jnp.ones(4),)),
    "root": (lambda x: lax.custom_root(lambda y: y**2 - x, 1.0, lambda f, g: g * 2, lambda g, y: y / g(1.0)), (2.0,)),
    "scalars": (lambda x: (x * 2, x + 1.5, jnp.sqrt(2) * x, 2**x, x**2, x // 3, x % 2, -x, x > 1), (3,)),
}

RANDOM = {"random_bits", "random_fold_in", "random_seed", "random_split", "random_unwrap", "random_wrap"}
"""JAX's primitives of keys, whose dtype is no number; here keys are not of the primitives."""


def described(unchecked: Any) -> set[str]:
    """What was not checked, by its first word: the primitive."""
    return {what.split()[0] for what in unchecked if "key<" not in what}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_rules_give_what_jax_wrote(name: str) -> None:
    function, args = PROGRAMS[name]
    closed = traced(function, *args)
    kind = typecheck_jaxpr(closed)
    found = [(a.shape, a.dtype, a.weak_type) for a in kind.out_types]
    assert found == [(a.shape, a.dtype.name, a.weak_type) for a in closed.out_avals]
    assert kind.checked > 0
    assert described(kind.unchecked) <= RANDOM, kind.unchecked
    # each equation is either checked or counted: none is passed over
    assert kind.checked + sum(kind.unchecked.values()) == sum(1 for _ in seen(closed))


def seen(jaxpr: Any) -> Iterator[Any]:
    """The equations that a checker comes by: of those whose jaxpr says nothing of types, the outer one."""
    for eqn in getattr(jaxpr, "jaxpr", jaxpr).eqns:
        yield eqn
        if "scatter" not in eqn.primitive.name:
            jaxprs = [j for v in eqn.params.values() for j in (v if isinstance(v, tuple | list) else (v,))]
            yield from (e for j in jaxprs if hasattr(getattr(j, "jaxpr", j), "eqns") for e in seen(j))


def with_x64(function: Callable[[], Any], x64: bool) -> Any:
    with jax.enable_x64(True) if x64 else contextlib.nullcontext():
        return function()


DTYPES = ["bool", "int8", "uint8", "int32", "uint32", "int64", "float16", "bfloat16", "float32", "float64", "complex64"]
FUNCTIONS: list[Callable[[Any], Any]] = [
    lambda x: jnp.sum(x),
    lambda x: jnp.mean(x, 0),
    lambda x: x + 1,
    lambda x: x * 2.5,
    lambda x: x / x,
    lambda x: x @ x.T,
    jnp.exp,
    jnp.argmax,
    jnp.cumsum,
    jnp.sort,
    jnp.var,
    jnp.any,
    jnp.round,
    jnp.sign,
    jnp.abs,
    jnp.prod,
    jnp.nonzero,
    lambda x: jnp.nonzero(x, size=3),
    lambda x: jnp.where(x, x, 0),
    lambda x: jnp.concatenate([x, x.astype(jnp.float32)]),
    lambda x: jnp.power(x, 2),
    lambda x: jnp.clip(x, 0, 1),
    lambda x: jnp.linspace(0, 1, 5) * x[0, 0],
    lambda x: jnp.dot(x[0], x[0]),
    lambda x: jnp.tile(x, 2),
    lambda x: jnp.roll(x, 1),
    lambda x: jnp.pad(x, 1),
    lambda x: jnp.stack([x, x], 1),
    lambda x: jnp.split(x, 2),
    lambda x: jnp.einsum("ij,kj->ik", x, x),
    jnp.isnan,
    lambda x: jnp.floor_divide(x, 2),
    lambda x: jnp.searchsorted(x[0], x[1]),
    lambda x: jnp.interp(x[0], x[0], x[1]),
    lambda x: x.at[0, 0].set(1),
    lambda x: jnp.maximum(x, 1),
    lambda x: jnp.arange(x.size, dtype=x.dtype),
    jnp.fft.fft,
    jax.nn.softmax,
    jax.nn.gelu,
    jnp.ravel,
    jnp.linalg.norm,
    jnp.diff,
    jnp.bincount,
]


@pytest.mark.parametrize(
    ("dtype", "x64"), [(d, x64) for d in DTYPES for x64 in (False, True) if x64 or d not in ("int64", "float64")]
)
def test_every_dtype(dtype: str, x64: bool) -> None:
    def checked() -> tuple[int, Counter[str]]:
        count, unchecked = 0, Counter[str]()
        x = jnp.ones((2, 4), dtype)
        for function in FUNCTIONS:
            try:
                closed = traced(function, x)
            except (TypeError, ValueError, jax.errors.ConcretizationTypeError):
                continue  # jax does not take this dtype
            kind = typecheck_jaxpr(closed)
            count += kind.checked
            unchecked.update(kind.unchecked)
        return count, unchecked

    count, unchecked = with_x64(checked, x64)
    assert not unchecked
    assert count > 150


def moving_of(case: Case) -> list[int]:
    return [i for i, x in enumerate(case.operands) if jnp.issubdtype(np.asarray(x).dtype, jnp.inexact)]


@pytest.mark.parametrize("name", CASES)
def test_every_primitive(name: str) -> None:
    case = CASES[name]
    operands = [jnp.asarray(x) for x in case.operands]
    program = case.program(jax)

    def loss(*xs: Any) -> Any:
        leaves = [o for o in jax.tree.leaves(program(*xs)) if jnp.issubdtype(o.dtype, jnp.inexact)]
        return sum((jnp.abs(o) ** 2).sum() for o in leaves)

    assert not typecheck_jaxpr(traced(program, *operands)).unchecked
    if moving_of(case) and "vjp" not in case.without:
        try:
            closed = traced(jax.grad(loss, moving_of(case)), *operands)
        except (NotImplementedError, TypeError, ValueError):
            return  # jax has no derivative of it
        assert not typecheck_jaxpr(closed).unchecked


WRONG: dict[str, Callable[[Any], Any]] = {
    "shape": lambda aval: aval.update(shape=(*aval.shape, 2)),
    "dtype": lambda aval: aval.update(dtype=jnp.dtype("int16")),
    "weak type": lambda aval: aval.update(weak_type=not aval.weak_type),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("name", ["a step of Adam", "a recurrent network", "attention", "convolutions", "sorting"])
def test_a_type_that_jax_would_not_write_is_refused(name: str, what: str) -> None:
    function, args = PROGRAMS[name]
    closed = traced(function, *args)
    changed = 0
    for eqn in closed.jaxpr.eqns:
        var = eqn.outvars[0]
        if not isinstance(var, jax_core.Var):
            continue
        before = var.aval
        var.aval = WRONG[what](before)
        try:
            with pytest.raises(JaxprTypeError, match=r"by its rule, and its results are bound as"):
                typecheck_jaxpr(closed)
        finally:
            var.aval = before
        changed += 1
    assert changed > 3
    typecheck_jaxpr(closed)


def test_a_type_in_an_inner_jaxpr_is_refused() -> None:
    closed = traced(jax.jit(lambda x: jnp.sin(x) * 2), F)
    (call,) = closed.jaxpr.eqns
    inner = call.params["jaxpr"].jaxpr
    inner.eqns[0].outvars[0].aval = inner.eqns[0].outvars[0].aval.update(shape=(4, 7))
    with pytest.raises(JaxprTypeError, match=r"in a jaxpr of jit: sin gives \(f32\[4,6\]\) by its rule"):
        typecheck_jaxpr(closed)


def test_a_call_takes_what_its_jaxpr_takes() -> None:
    closed = traced(jax.jit(lambda x: jnp.sin(x) * 2), F)
    var = closed.jaxpr.invars[0]
    var.aval = var.aval.update(shape=(4, 7))
    with pytest.raises(JaxprTypeError, match=r"jit does not take \(f32\[4,7\]\)"):
        typecheck_jaxpr(closed)


def test_the_message_names_the_line_of_the_program() -> None:
    closed = traced(lambda x: jnp.sin(x), F)
    var = closed.jaxpr.eqns[0].outvars[0]
    var.aval = var.aval.update(shape=())
    with pytest.raises(JaxprTypeError, match=r"test_runtime_jax_jaxprs\.py:\d+ "):
        typecheck_jaxpr(closed)


def test_what_has_no_rule_is_counted() -> None:
    own: Any = jax_core.Primitive("my_own")
    own.def_abstract_eval(lambda x: x)
    kind = typecheck_jaxpr(traced(lambda x: own.bind(jnp.sin(x)), F))
    assert (kind.checked, kind.unchecked) == (1, {"my_own": 1})
    assert str(kind) == "(f32[4,6]) -> (f32[4,6]), unchecked: 1 my_own"


def test_a_parameter_that_no_rule_knows_is_counted() -> None:
    closed = traced(jnp.sin, F)
    closed.jaxpr.eqns[0].params["turns"] = 2
    assert typecheck_jaxpr(closed).unchecked == {"sin with turns": 1}


def test_what_is_no_jaxpr() -> None:
    with pytest.raises(TypeError, match="typecheck_jaxpr takes a jaxpr, got 3 of type int"):
        typecheck_jaxpr(3)
