"""`jax.random`: what makes keys, what draws from them, and what only reads them.

Source: https://docs.jax.dev/en/latest/jax.random.html and jax.experimental.key_reuse.
"""

from __future__ import annotations

import ast
import importlib
from typing import Any, Final

from arraytyping.checker.flow.engines.unknown_draws import draw
from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.key_sorts import with_key_told
from arraytyping.checker.flow.state.keys import consume, new_key, origin_of
from arraytyping.checker.flow.values import MISSING, ArrayValue, ScalarValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_DRAWS: Final = (
    "ball", "bernoulli", "binomial", "bits", "beta", "categorical", "cauchy", "chisquare", "choice", "dirichlet",
    "double_sided_maxwell", "exponential", "f", "gamma", "generalized_normal", "geometric", "gumbel", "laplace",
    "logistic", "loggamma", "lognormal", "maxwell", "multinomial", "multivariate_normal", "normal", "orthogonal",
    "pareto", "permutation", "poisson", "rademacher", "randint", "rayleigh", "split", "t", "triangular",
    "truncated_normal", "uniform", "wald", "weibull_min",
)  # fmt: skip
_MAKERS: Final = ("PRNGKey", "key", "clone")
_FORWARDS: Final = ("key_data", "wrap_key_data")

Kwargs = dict[str, Any]


def _key_of(args: list[Value], kwargs: Kwargs) -> Value:
    return args[0] if args else kwargs.get("key", MISSING)


def _like(it: Interpreter, node: ast.AST | None) -> Value:
    """The array whose shape is drawn, as it is written: `normal(key, x.shape)`."""
    given = [*node.args[1:], *(k.value for k in node.keywords)] if isinstance(node, ast.Call) else []
    names = [a.value for a in given if isinstance(a, ast.Attribute) and a.attr == "shape"]
    return it.evaluate(names[0], it.frame) if len(names) == 1 and isinstance(names[0], ast.Name) else None


def _draw(name: str) -> Handler:
    """A handler of a function that consumes the key it is given."""

    def handle(it: Interpreter, call: Call) -> Value:
        real = getattr(it.engines.jax.jax.random, name)
        call = with_key_told(it, call)

        def called(given: list[Value], named: Kwargs) -> Value:
            return it.engines.call(it, real, Call(given, named, call.node))

        result = called(call.args, call.kwargs) if name == "split" else draw(it, real, call.args, call.kwargs, called)
        consume(it, _key_of(call.args, call.kwargs), f"random.{name}", _like(it, call.node))
        return new_key(it, result) if name == "split" else result

    handle.draws_as = f"random.{name}"  # type: ignore[attr-defined]
    return handle


def _maker(name: str) -> Handler:
    """A handler of a function that gives a key which nothing has drawn from."""

    def handle(it: Interpreter, call: Call) -> Value:
        args = with_key_told(it, call).args if name == "clone" else call.args
        if name != "clone" and args and isinstance(args[0], Unknown):
            args = [ScalarValue(int), *args[1:]]  # any seed makes the same sort of key
        made = it.engines.call(it, getattr(it.engines.jax.jax.random, name), call.with_args(args))
        return new_key(it, made, None if name == "clone" else call.node)

    return handle


def _forward(name: str) -> Handler:
    """A handler of a function that gives the same key in another form."""

    def handle(it: Interpreter, call: Call) -> Value:
        result = it.engines.call(it, getattr(it.engines.jax.jax.random, name), call)
        if isinstance(result, ArrayValue) and result.keys_shape is not None:
            return result.with_key(origin_of(call.positional(0)))
        return result

    return handle


@handles("jax.random.fold_in")
def _fold_in(it: Interpreter, call: Call) -> Value:
    """The same key for the same data, if they are known; it does not consume the key it is made of."""
    call = with_key_told(it, call)
    result = it.engines.call(it, it.engines.jax.jax.random.fold_in, call)
    data = call.argument(1, "data")
    origin = origin_of(_key_of(call.args, call.kwargs))
    if type(data) is int and origin is not None and isinstance(result, ArrayValue) and result.keys_shape is not None:
        return result.with_key(origin.derive(("fold", data)))
    return new_key(it, result)


_LAYERS: Final = (
    "Linear", "MLP", "Embedding", "GRUCell", "LSTMCell", "MultiheadAttention", "Conv", "Conv1d", "Conv2d", "Conv3d",
    "ConvTranspose", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d",
)  # fmt: skip


def _layer(name: str) -> Handler:
    """A handler of a layer of Equinox, which draws its weights from `key`."""

    def handle(it: Interpreter, call: Call) -> Value:
        real = getattr(importlib.import_module("equinox.nn"), name)
        result = it.engines.call(it, real, call)
        consume(it, call.kwargs.get("key", MISSING), f"eqx.nn.{name}")
        return result

    return handle


for _name in _LAYERS:
    handles(f"equinox.nn.{_name}")(_layer(_name))
for _name in _DRAWS:
    handles(f"jax.random.{_name}")(_draw(_name))
for _name in _MAKERS:
    handles(f"jax.random.{_name}")(_maker(_name))
for _name in _FORWARDS:
    handles(f"jax.random.{_name}")(_forward(_name))
