"""Functions of neural networks against JAX's: values, derivatives, initializers, mistakes."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import numpy as np
import pytest
from answers import compiled

import arraytyping as at
import arraytyping.numpy as anp
from arraytyping import nn, random
from arraytyping.scipy.special import logsumexp

ACTIVATIONS = (
    "celu", "elu", "gelu", "glu", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "identity", "leaky_relu",
    "log_sigmoid", "log_softmax", "logsumexp", "mish", "relu", "relu6", "selu", "sigmoid", "silu", "soft_sign",
    "softmax",
    "softplus", "sparse_plus", "sparse_sigmoid", "squareplus", "standardize", "swish", "tanh",
)  # fmt: skip
X = np.array([[-9, -3, -1, -0.5, -0.0, 0], [0.3, 1, 3, 6, 7, 50]], np.float32)
MASK = np.array([[True, False, True, True, False, True], [False] * 6])
WEIGHTS = np.array([[1, 2, -3, 0.5, 1, 1], [-1, 0, 1, 1, 1, 0.5]], np.float32)


def close(ours: Any, theirs: Any, tolerance: float) -> None:
    """Assert that two trees of arrays are equal to rounding, and in dtype and weak type."""
    assert ours.keys() == theirs.keys()
    for name, expected in theirs.items():
        for a, b in zip(jax.tree.leaves(ours[name]), jax.tree.leaves(expected)):
            assert (a.dtype, a.shape, a.weak_type) == (b.dtype, b.shape, b.weak_type), name
            np.testing.assert_allclose(
                np.asarray(a).astype(np.complex128),
                np.asarray(b).astype(np.complex128),
                tolerance,
                tolerance,
                err_msg=name,
            )


def both(function: Callable[..., Any], *arrays: Any, tolerance: float = 2e-6) -> None:
    """The function `f(nn, framework, *arrays)` gives the same here and with JAX, compiled as one program."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = at.jit(lambda *a: function(nn, at, *a))(*arrays)
        theirs = compiled(partial(function, jax.nn, jax), *arrays)
    close(ours, theirs, tolerance)


@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 2e-6), ("bfloat16", 2e-2)])
def test_values_and_derivatives(dtype: str, tolerance: float) -> None:
    def evaluated(nn_: Any, framework: Any, x: Any) -> Any:
        found = {}
        for name in ACTIVATIONS:
            f = getattr(nn_, name)
            found[name] = f(x), framework.grad(lambda x, f=f: f(x).astype("float32").sum())(x)
        return found

    both(evaluated, anp.asarray(X, dtype).__array__(), tolerance=tolerance)


def test_along_axes() -> None:
    def evaluated(nn_: Any, framework: Any, x: Any, mask: Any, weights: Any) -> Any:
        def squared(f: Callable[[Any], Any]) -> Any:
            return f(x), framework.grad(lambda x: (f(x) ** 2).sum())(x)

        def finite(f: Callable[[Any], Any]) -> Any:  # minus infinity where nothing is
            return f(x), framework.grad(lambda x: framework.numpy.where(mask, f(x), 0).sum())(x)

        return {
            "softmax 0": squared(lambda x: nn_.softmax(x, 0)),
            "softmax all": squared(lambda x: nn_.softmax(x, (0, 1))),
            "softmax where": nn_.softmax(x, where=mask),
            "log_softmax 0": squared(lambda x: nn_.log_softmax(x, axis=0)),
            "log_softmax where": finite(lambda x: nn_.log_softmax(x[:1], where=mask[:1])),
            "logsumexp": [nn_.logsumexp(x, axis) for axis in (0, -1, (0, 1))],
            "logsumexp keeps": nn_.logsumexp(x, 1, keepdims=True),
            "logsumexp weighs": nn_.logsumexp(x, 1, b=weights),
            "logsumexp sign": nn_.logsumexp(x, 0, b=weights, return_sign=True),
            "logsumexp where": nn_.logsumexp(x, 1, where=mask),
            "logsumexp derivative": framework.grad(lambda x: nn_.logsumexp(x, 1).sum())(x),
            "logsumexp complex": nn_.logsumexp(x + 1j * weights),
            "logsumexp infinite": nn_.logsumexp(framework.numpy.log(framework.numpy.zeros(3))),
            "standardize": squared(lambda x: nn_.standardize(x, 0, algorithm="stable")),
            "standardize given": nn_.standardize(x, mean=0.5, variance=2.0, epsilon=0),
            "gelu exact": squared(lambda x: nn_.gelu(x, approximate=False)),
            "glu": nn_.glu(x, 0),
            "relus": framework.grad(lambda x: (nn_.relu(x * weights) + nn_.relu6(x + weights)).sum())(x),
        }

    both(evaluated, X, MASK, WEIGHTS, tolerance=1e-5)
    expected = jax.scipy.special.logsumexp(X, axis=0, b=WEIGHTS)
    np.testing.assert_allclose(logsumexp(X, axis=0, b=WEIGHTS), expected, rtol=1e-6)


def test_second_derivatives_and_batches() -> None:
    def evaluated(nn_: Any, framework: Any, x: Any) -> Any:
        return {
            name: framework.vmap(
                framework.grad(framework.grad(lambda x, f=f: f(framework.numpy.stack([x, 2 * x]))[0]))
            )(x)
            for name in ("relu", "relu6", "softmax", "gelu", "silu", "log_softmax", "elu")
            for f in [getattr(nn_, name)]
        } | {"forward": framework.jvp(lambda x: nn_.softmax(nn_.relu(x)), (x,), (x + 1,))}

    both(evaluated, X[1], tolerance=1e-5)


def test_one_hot() -> None:
    def encoded(nn_: Any, framework: Any, x: Any) -> Any:
        return {
            "last": nn_.one_hot(x, 4), "first": nn_.one_hot(x, 4, axis=0), "bool": nn_.one_hot(x, 4, dtype=bool),
            "scalar": nn_.one_hot(2, 3, dtype="int8"), "none": nn_.one_hot(x, 0), "list": nn_.one_hot([0, 2], 3),
            "mapped": framework.vmap(lambda i: nn_.one_hot(x[0], 2, axis="i"), axis_name="i")(np.arange(2)),
        }  # fmt: skip

    both(encoded, np.array([[0, 3], [-1, 9]]))
    assert nn.one_hot([0, 2], 3).tolist() == [[1, 0, 0], [0, 0, 1]]


def test_eager() -> None:
    assert nn.relu(-2).weak_type
    assert nn.relu(np.int8([-1, 3])).dtype == "int8"  # type: ignore[arg-type]
    assert str(nn.sigmoid(0.0)) == "0.5"
    assert at.grad(nn.relu)(0.0) == at.grad(nn.relu6)(6.0) == 0
    assert nn.swish is nn.silu


INITIALIZERS = (
    "glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "lecun_normal", "lecun_uniform", "normal",
    "truncated_normal", "uniform",
)  # fmt: skip


def test_initializers() -> None:
    def drawn(framework: Any, key: Any) -> Any:
        init = framework.nn.initializers
        found = {name: getattr(init, name)()(key, (4, 3)) for name in INITIALIZERS}
        found |= {
            f"{name} bfloat16": getattr(init, name)(dtype="bfloat16")(key, (5, 3)) for name in ("he_normal", "normal")
        }
        found["axes"] = init.lecun_normal(in_axis=(0, 1), out_axis=-1)(key, (2, 3, 4))
        found["batch"] = init.variance_scaling(2.0, "fan_geo_avg", "normal", batch_axis=0)(key, (2, 3, 4))
        for kind in ("normal", "uniform", "truncated_normal"):
            found[f"complex {kind}"] = init.variance_scaling(2.0, "fan_out", kind)(key, (3, 4), "complex64")
        for axis, shape in ((-1, (4, 3)), (0, (4, 3)), (-1, (2, 3, 4)), (1, (0, 3))):
            found[f"orthogonal {axis} {shape}"] = init.orthogonal(2.0, axis)(key, shape)
        found["delta"] = init.delta_orthogonal()(key, (3, 2, 3)), init.delta_orthogonal()(key, (2, 3, 2, 2))
        found["constants"] = init.zeros(key, (2,)), init.ones(key, (2,), "int8"), init.constant(3)(key, (2,), "float16")
        return found

    ours = at.jit(lambda key: drawn(at, key))(random.key(0))
    theirs = compiled(lambda: drawn(jax, jax.random.key(0)))
    close(ours, theirs, 1e-6)
    assert nn.initializers.xavier_uniform is nn.initializers.glorot_uniform


WRONG: tuple[Callable[[Any], Any], ...] = (
    lambda nn_: nn_.relu([1.0]), lambda nn_: nn_.relu(None), lambda nn_: nn_.relu("a"), lambda nn_: nn_.sigmoid(1),
    lambda nn_: nn_.silu(np.arange(3)), lambda nn_: nn_.softmax(X, 5), lambda nn_: nn_.gelu(1j, False),
    lambda nn_: nn_.relu(),
    lambda nn_: nn_.standardize(X, algorithm="x"), lambda nn_: nn_.one_hot(np.arange(3), 2.5),
    lambda nn_: nn_.one_hot(np.arange(3), 3, axis=5), lambda nn_: nn_.initializers.glorot_normal()(0, (3,)),
    lambda nn_: nn_.initializers.variance_scaling(1.0, "x", "normal")(0, (3, 3)),
    lambda nn_: nn_.initializers.orthogonal()(0, (3,)), lambda nn_: nn_.initializers.delta_orthogonal()(0, (3, 3)),
    lambda nn_: nn_.initializers.delta_orthogonal()(0, (3, 3, 2)),
    lambda nn_: nn_.initializers.variance_scaling(1.0, "fan_in", "x")(0, (3, 3)), lambda nn_: nn_.logsumexp(X, 7),
    lambda nn_: nn_.leaky_relu(X, np.ones(5)),
)  # fmt: skip


@pytest.mark.parametrize("what", WRONG, ids=lambda w: str(WRONG.index(w)))
def test_mistakes(what: Callable[[Any], Any]) -> None:
    with pytest.raises((TypeError, ValueError)) as theirs:
        what(jax.nn)
    with pytest.raises((TypeError, ValueError)) as ours:
        what(nn)
    expected = next(c for c in theirs.type.__mro__ if c.__module__ == "builtins")
    assert issubclass(ours.type, expected), (ours.value, theirs.value)
    assert len(str(ours.value)) > 20


def test_signatures() -> None:
    for name in (*ACTIVATIONS, "one_hot"):
        real = inspect.signature(getattr(jax.nn, name)).parameters.values()
        found = inspect.signature(getattr(nn, name)).parameters.values()
        assert [(p.name, p.kind, p.default) for p in found] == [(p.name, p.kind, p.default) for p in real], name
    for name in (*INITIALIZERS, "constant", "zeros", "variance_scaling"):
        real = inspect.signature(getattr(jax.nn.initializers, name)).parameters.values()
        found = inspect.signature(getattr(nn.initializers, name)).parameters.values()
        assert [(p.name, p.kind, p.default) for p in found] == [(p.name, p.kind, p.default) for p in real], name
