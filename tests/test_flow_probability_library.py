"""The stand-in for TensorFlow Probability on JAX against the library, where it is installed.

Each method of each distribution and bijector is asked of flow and of the library: parameters of several dtypes, shapes
and weak types, other dtypes of what a method is given, with and without 64-bit dtypes.  The library is asked while jax
traces, which executes nothing; a test asks some of it eagerly as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import jax
import numpy as np
import pytest
from flow_values import difference
from test_flow_stand_ins import follow

pytest.importorskip("tensorflow_probability.substrates.jax")

_HEAD: Final = """
import numpy as np
import tensorflow_probability.substrates.jax as tfp
tfd, tfb = tfp.distributions, tfp.bijectors
jax.config.update("jax_enable_x64", {x64})
key = jax.random.key(0)
def half(*shape): return jnp.full(shape, 0.5, {dtype!r})
def weak(*shape): return jnp.full(shape, 0.5)
def wide(*shape): return np.full(shape, 0.5)
"""
_SCALARS: Final = {
    "Normal": 2, "Laplace": 2, "Logistic": 2, "Cauchy": 2, "HalfNormal": 1, "StudentT": 3, "TruncatedNormal": 4,
    "Uniform": 2, "Beta": 2, "Gamma": 2, "Exponential": 1, "Poisson": 1, "Deterministic": 1, "Bernoulli": 1,
    "LogNormal": 2, "Gumbel": 2,
}  # fmt: skip
_OTHERS: Final = [
    "tfd.Categorical(logits=half(2, 3))", "tfd.Categorical(probs=half(3))", "tfd.Categorical(weak(3))",
    "tfd.Categorical(half(3), dtype=jnp.int8)", "tfd.Categorical(half(3), dtype=jnp.float32)",
    "tfd.OneHotCategorical(logits=half(2, 3))", "tfd.OneHotCategorical(probs=half(3), dtype=jnp.float32)",
    "tfd.OneHotCategorical(weak(3))", "tfd.Bernoulli(probs=half(3), dtype=jnp.float32)", "tfd.Dirichlet(half(2, 3))",
    "tfd.Dirichlet(weak(3))", "tfd.MultivariateNormalDiag(half(2, 3), half(3))",
    "tfd.MultivariateNormalDiag(half(3), half(2, 3))", "tfd.MultivariateNormalDiag(weak(3), weak(3))",
    "tfd.MultivariateNormalDiag(weak(3), half(3))", "tfd.MultivariateNormalDiag(half(3), weak(3))",
    "tfd.MultivariateNormalDiag(wide(3), [0.5, 0.5, 0.5])", "tfd.MultivariateNormalDiag(half(2, 3))",
    "tfd.MultivariateNormalDiag(scale_diag=half(3))", "tfd.MultivariateNormalTriL(half(2, 3), half(3, 3))",
    "tfd.MultivariateNormalFullCovariance(half(3), half(2, 3, 3))", "tfd.Independent(tfd.Normal(half(2, 3), 0.5))",
    "tfd.Independent(tfd.Normal(half(2, 3), 0.5), 2)", "tfd.Independent(tfd.Normal(weak(2, 3), weak(3)), 0)",
    "tfd.Independent(tfd.Categorical(half(2, 3, 4)), 1)", "tfd.Independent(tfd.Bernoulli(half(2, 3)), 1)",
    "tfd.Independent(tfd.MultivariateNormalDiag(half(2, 4, 3), half(3)), 1)", "tfd.Sample(tfd.Normal(0.5, 0.5), 4)",
    "tfd.Sample(tfd.Normal(half(2, 3), 0.5), (4,))", "tfd.Sample(tfd.MultivariateNormalDiag(half(3), half(3)), [2, 4])",
    "tfd.MixtureSameFamily(tfd.Categorical(half(2, 3)), tfd.Normal(half(3), half(2, 1)))",
    "tfd.MixtureSameFamily(tfd.Categorical(half(3)), tfd.MultivariateNormalDiag(half(2, 3, 4), half(4)))",
    "tfd.TransformedDistribution(tfd.Normal(half(2, 3), 0.5), tfb.Tanh())", "tfb.Exp()(tfd.Normal(0.5, 0.5))",
    "tfd.TransformedDistribution(tfd.Normal(half(3), 0.5), tfb.Chain([tfb.Shift(0.5), tfb.Scale(half(3))]))",
    "tfd.TransformedDistribution(tfd.Normal(0.5, 0.5), tfb.Shift(half(3)))",
    "tfd.TransformedDistribution(tfd.MultivariateNormalDiag(half(2, 3), half(3)), tfb.Sigmoid(0.5, half(3)))",
    "tfb.Shift(0.5)(tfb.Tanh()(tfd.Independent(tfd.Normal(half(2, 3), 0.5), 1)))",
]  # fmt: skip
_BIJECTORS: Final = [
    "tfb.Identity()", "tfb.Exp()", "tfb.Log()", "tfb.Sigmoid()", "tfb.Sigmoid(0.5, half(3))", "tfb.Tanh()",
    "tfb.Softplus()", "tfb.Softplus(0.5)", "tfb.Softplus(low=0.5)", "tfb.Shift(half(3))", "tfb.Shift(weak(3))",
    "tfb.Scale(0.5)", "tfb.Scale(weak())", "tfb.Scale(log_scale=half(3))", "tfb.Softsign()", "tfb.Expm1()",
    "tfb.Log1p()", "tfb.NormalCDF()", "tfb.Chain([tfb.Scale(0.5), tfb.Shift(half(3))])", "tfb.Invert(tfb.Softplus())",
    "tfb.Chain([tfb.Tanh(), tfb.Exp()])", "tfb.Tanh()(tfb.Scale(0.5))", "tfb.Chain([])",
]  # fmt: skip
_GIVEN: Final = ("0.5", "1", "half(2, 3)", "half(2, 1, 1)", "weak()", "wide(3)", "jnp.ones((), 'float16')")
_INTEGERS: Final = "jnp.ones((2, 1), 'int32')"
_METHODS: Final = [
    "@.sample(seed=key)", "@.sample((2, 4), seed=key)", "@.sample(np.array([5]), key)", "@.mean()", "@.mode()",
    "@.stddev()", "@.variance()", "@.covariance()", "@.entropy()", "@.batch_shape.as_list()", "@.event_shape.as_list()",
    "@.log_prob(@.sample(2, seed=key))", "@.prob(@.sample(seed=key))", "@.kl_divergence(@)", "@.dtype",
    "jax.tree.leaves(@)", "jax.jit(lambda: @)().log_prob(@.sample(seed=key))", "np.shape(@.batch_shape_tensor())",
    *[f"@.log_prob({given})" for given in (*_GIVEN, _INTEGERS)],
    *[
        f"@.{name}({given})"
        for name in ("prob", "cdf", "log_cdf", "survival_function", "log_survival_function", "quantile")
        for given in ("half(2, 3)", "weak()", "jnp.ones((), 'float16')", _INTEGERS)
    ],
]  # fmt: skip
_OF_BIJECTORS: Final = [
    *[f"@.{name}({given})" for name in ("forward", "inverse") for given in ("half(2, 3)", *_GIVEN)],
    *[
        f"@.{name}_log_det_jacobian({given}, event_ndims={axes})"
        for name in ("forward", "inverse")
        for given, axes in (("0.5", 0), ("half(2, 3)", 0), ("half(2, 3)", 1), ("half(2, 3)", 2), ("weak(3)", 1))
    ],
    "@(half(3))", "@.forward_event_shape((2, 3)).as_list()", "jax.jit(lambda: @)().forward(half(3))",
    "@.inverse(@.forward(half(3)))", "@.inverse(@.forward(weak()))", "@.inverse(@.forward(jnp.arange(3)))",
    "jax.tree.leaves(@)",
]  # fmt: skip
_DTYPES: Final = [(False, "float32"), (False, "bfloat16"), (False, "float16"), (True, "float32"), (True, "float64")]


def _with_parameters(name: str, number: int) -> Iterator[str]:
    for given in (
        ["0.5"] * number, ["half(3)"] * number, ["weak(3)"] * number, ["wide(3)"] * number, ["1"] * number,
        ["half(2, 1)"] + ["0.5"] * (number - 1), ["0.5"] * (number - 1) + ["half(3)"],
        ["half(2, 1)"] + ["half(3)"] * (number - 1), ["jnp.ones(3, 'int32')"] * number,
        ["weak(3)"] + ["0.5"] * (number - 1), ["half(3)"] * (number - 1) + ["weak(3)"],
    ):  # fmt: skip
        yield f"tfd.{name}({', '.join(given)})"


@pytest.fixture(autouse=True)
def _narrow_afterwards() -> Iterator[None]:
    yield
    jax.config.update("jax_enable_x64", False)  # type: ignore[no-untyped-call]


class _Refused(Exception):
    """What the library does not do."""


def _kept(value: Any) -> Any:
    """An array, or arrays, without their values."""
    if isinstance(value, jax.Array):
        return _array(value.shape, value.dtype, value.aval.weak_type)
    return type(value)(map(_kept, value)) if type(value) in (list, tuple) else value


def _array(shape: tuple[int, ...], dtype: Any, weak_type: bool) -> Any:
    with jax.ensure_compile_time_eval():
        return jax._src.lax.lax._convert_element_type(np.zeros(shape, dtype), dtype, weak_type)


def _asked(expression: str, names: dict[str, Any], is_eager: bool) -> Any:
    """What the library gives."""
    found: list[Any] = []

    def ask() -> int:
        found.append(_kept(eval(expression, names)))
        return 0

    try:
        ask() if is_eager else jax.eval_shape(ask)
    except Exception as error:
        raise _Refused from error
    return found[0]


def _compare(
    directory: Path, made: str, methods: list[str], x64: bool, dtype: str, is_eager: bool = False
) -> tuple[int, int]:
    """Compare what each method gives; how many arrays there were, and of how many flow knows the shape."""
    head = _HEAD.format(x64=x64, dtype=dtype)
    names: dict[str, Any] = {}
    exec("import jax\nimport jax.numpy as jnp\n" + head, names)
    try:
        names["made"] = eval(made, names)
    except Exception:
        return 0, 0
    real, text = {}, head + f"made = {made}\n"
    for number, method in enumerate(methods):
        try:
            real[f"v{number}"] = _asked(method.replace("@", "made"), names, is_eager)
        except _Refused:
            continue
        text += f"v{number} = {method.replace('@', 'made')}\n"
    found, values = follow(directory, text)
    assert {m.code for m in found.diagnostics} <= {"array-key", "array-x64"}, (made, found.diagnostics)
    wrong = {m: difference(values[f"v{n}"], real[f"v{n}"]) for n, m in enumerate(methods) if f"v{n}" in real}
    assert not {method: text for method, text in wrong.items() if text}, made
    arrays = [name for name, value in real.items() if isinstance(value, jax.Array)]
    return len(arrays), sum(getattr(getattr(values[name], "aval", None), "shape", None) is not None for name in arrays)


def _compare_all(directory: Path, made: list[str], methods: list[str], x64: bool, dtype: str) -> None:
    counts = [_compare(directory, one, methods, x64, dtype) for one in made]
    arrays, known = (sum(count[at] for count in counts) for at in (0, 1))
    assert arrays > 0
    print(f"{known} of {arrays} shapes are known")
    assert known >= 0.4 * arrays  # after a change of dtype nothing is known of the way back through a bijector


def _told(expressions: list[str], x64: bool, dtype: str) -> list[str]:
    """What is asked with a dtype: all of float32, and of the others what they make a difference to."""
    if (x64, dtype) == _DTYPES[0]:
        return expressions
    return [text for text in expressions if not re.search("weak|wide|float16|int32|np.array|leaves", text)]


@pytest.mark.parametrize(("x64", "dtype"), _DTYPES)
@pytest.mark.parametrize("name", _SCALARS)
def test_distributions_of_numbers(tmp_path: Path, name: str, x64: bool, dtype: str) -> None:
    made = _told(list(_with_parameters(name, _SCALARS[name])), x64, dtype)
    _compare_all(tmp_path, made, _told(_METHODS, x64, dtype), x64, dtype)


@pytest.mark.parametrize(("x64", "dtype"), _DTYPES)
def test_other_distributions(tmp_path: Path, x64: bool, dtype: str) -> None:
    _compare_all(tmp_path, _told(_OTHERS, x64, dtype), _told(_METHODS, x64, dtype), x64, dtype)


@pytest.mark.parametrize(("x64", "dtype"), _DTYPES)
def test_bijectors(tmp_path: Path, x64: bool, dtype: str) -> None:
    _compare_all(tmp_path, _told(_BIJECTORS, x64, dtype), _told(_OF_BIJECTORS, x64, dtype), x64, dtype)


@pytest.mark.parametrize("made", ["tfd.Normal(half(3), 0.5)", "tfd.Laplace(weak(3), 0.5)", _OTHERS[0], _OTHERS[11]])
def test_what_is_executed(tmp_path: Path, made: str) -> None:
    arrays, known = _compare(tmp_path, made, _METHODS, False, "float32", is_eager=True)
    assert known >= 0.5 * arrays > 5
