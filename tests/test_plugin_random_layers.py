"""Layers of flax and equinox made and called with what is drawn at random: what is claimed of the results is true."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import jax
import pytest
from mypy_runs import Mypy, shared_caches
from test_typecheck_cases import admits

HEAD = """import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import nnx

key = jax.random.key(0)
"""
EACH = 24
"""How many calls of each kind of layer are drawn."""
_DTYPES = ("jnp.float32", "jnp.bfloat16", "jnp.float16")
_Draw = Callable[[random.Random], tuple[str, str]]
"""What draws a layer with its call, in terms of `x` and `rngs`, and the array that it is given."""


def _shape(rng: random.Random, rank: int, last: int | None = None, low: int = 1, high: int = 9) -> list[int]:
    sizes = [rng.randint(low, high) for _ in range(rank)]
    return sizes if last is None else [*sizes[:-1], last]


def _array(rng: random.Random, shape: list[int], dtypes: tuple[str, ...] = (*_DTYPES, "jnp.int32")) -> str:
    return f"jnp.zeros({tuple(shape)}, {rng.choice(dtypes)})"


def _options(rng: random.Random, **choices: tuple[str, ...]) -> str:
    """Some of these options, each with one of its values."""
    return "".join(f", {name}={rng.choice(values)}" for name, values in choices.items() if rng.random() < 0.5)


def _of_dtype(rng: random.Random) -> str:
    return _options(rng, dtype=(*_DTYPES, "None"), param_dtype=_DTYPES)


def _parameters(rng: random.Random) -> str:
    initializers = ("nnx.initializers.lecun_normal()", "nnx.initializers.zeros", "nnx.initializers.zeros_init()")
    return _of_dtype(rng) + _options(rng, use_bias=("True", "False"), kernel_init=initializers)


def _linear(rng: random.Random) -> tuple[str, str]:
    n = rng.randint(1, 6)
    made = f"nnx.Linear({n}, out_features={rng.randint(1, 6)}{_parameters(rng)}, rngs=rngs)(x)"
    return made, _array(rng, _shape(rng, rng.randint(1, 4), n))


def _general(rng: random.Random) -> tuple[str, str]:
    shape = _shape(rng, rng.randint(1, 4))
    axes = rng.sample(range(len(shape)), rng.randint(1, len(shape)))
    given = [a - len(shape) if rng.random() < 0.5 else a for a in axes]
    sizes, out = [shape[a] for a in axes], _shape(rng, rng.randint(1, 2))
    axis = f"{given[0]}" if len(given) == 1 else f"{tuple(given)}"
    made = f"nnx.LinearGeneral({tuple(sizes)}, {tuple(out)}, axis={axis}{_parameters(rng)}, rngs=rngs)(x)"
    return made, _array(rng, shape)


def _window(rng: random.Random, rank: int, high: int) -> str:
    sizes = [rng.randint(1, high) for _ in range(rank)]
    return str(sizes[0]) if rng.random() < 0.4 else str(tuple(sizes))


def _padding(rng: random.Random, rank: int, *names: str) -> str:
    pairs = [(rng.randint(0, 2), rng.randint(0, 2)) if rng.random() < 0.5 else rng.randint(0, 2) for _ in range(rank)]
    return rng.choice([*map(repr, names), str(rng.randint(0, 2)), repr(pairs)])


def _convolution(rng: random.Random) -> tuple[str, str]:
    rank, groups, n = rng.randint(1, 3), rng.randint(1, 2), rng.randint(1, 3)
    window = tuple(rng.randint(1, 4) for _ in range(rank))
    options = _options(
        rng, strides=(_window(rng, rank, 3), "None"), kernel_dilation=(_window(rng, rank, 2),),
        input_dilation=(_window(rng, rank, 2),),
        padding=(_padding(rng, rank, "SAME", "VALID", "CIRCULAR", "REFLECT", "CAUSAL"),),
    )  # fmt: skip
    sizes = f"{n * groups}, {groups * 2}, {window}, feature_group_count={groups}"
    return f"nnx.Conv({sizes}{options}{_parameters(rng)}, rngs=rngs)(x)", _array(
        rng, _shape(rng, rank + rng.randint(1, 3), n * groups, low=4), _DTYPES
    )


def _upwards(rng: random.Random) -> tuple[str, str]:
    rank, n = rng.randint(1, 2), rng.randint(1, 3)
    window = tuple(rng.randint(1, 4) for _ in range(rank))
    options = _options(
        rng, strides=(_window(rng, rank, 3),), kernel_dilation=(_window(rng, rank, 2),),
        padding=(_padding(rng, rank, "SAME", "VALID", "CIRCULAR"),), transpose_kernel=("True", "False"),
    )  # fmt: skip
    made = f"nnx.ConvTranspose({n}, 2, {window}{options}{_parameters(rng)}, rngs=rngs)(x)"
    return made, _array(rng, _shape(rng, rank + rng.randint(1, 2), n, low=3), _DTYPES)


def _embedded(rng: random.Random) -> tuple[str, str]:
    made = f"nnx.Embed({rng.randint(1, 4)}, {rng.randint(1, 5)}{_of_dtype(rng)}, rngs=rngs)(x)"
    return made, _array(rng, _shape(rng, rng.randint(0, 3)), ("jnp.int32", "jnp.uint8"))


def _attended(rng: random.Random) -> tuple[str, str]:
    n = rng.randint(1, 5)
    made = f"nnx.Embed({rng.randint(1, 4)}, {n}{_of_dtype(rng)}, rngs=rngs).attend(x)"
    return made, _array(rng, _shape(rng, rng.randint(1, 3), n))


def _norm(rng: random.Random) -> tuple[str, str]:
    kind, n = rng.choice(["LayerNorm", "RMSNorm", "BatchNorm", "GroupNorm"]), rng.choice([2, 4, 6])
    options = _of_dtype(rng) + _options(rng, use_scale=("True", "False"))
    options += "" if kind == "RMSNorm" else _options(rng, use_bias=("True", "False"))
    groups = rng.choice([", 2", ", num_groups=None, group_size=2"]) if kind == "GroupNorm" else ""
    more = ", use_running_average=True" if kind == "BatchNorm" and rng.random() < 0.5 else ""
    return f"nnx.{kind}({n}{groups}{options}, rngs=rngs)(x{more})", _array(rng, _shape(rng, rng.randint(2, 4), n))


def _dropout(rng: random.Random) -> tuple[str, str]:
    rate, more = rng.choice(["0.5", "0.0", "1.0"]), rng.choice(["", ", deterministic=True", ", deterministic=False"])
    return f"nnx.Dropout({rate}, rngs=rngs)(x{more})", _array(rng, _shape(rng, rng.randint(0, 3)), _DTYPES)


def _attention(rng: random.Random) -> tuple[str, str]:
    n, options = rng.choice([4, 8]), _of_dtype(rng) + _options(rng, out_features=("3", "8"), qkv_features=("6",))
    made = f"nnx.MultiHeadAttention(2, {n}{options}, decode=False, rngs=rngs)(x)"
    return made, _array(rng, _shape(rng, rng.randint(2, 4), n), _DTYPES)


def _sequence(rng: random.Random) -> tuple[str, str]:
    sizes = _shape(rng, rng.randint(2, 4))
    parts = []
    for n, m in pairwise(sizes):
        parts.append(f"nnx.Linear({n}, {m}{_parameters(rng)}, rngs=rngs)")
        last = ("nnx.relu", "jax.nn.softmax", "jnp.tanh", f"nnx.LayerNorm({m}{_of_dtype(rng)}, rngs=rngs)")
        parts += rng.sample(last, rng.randint(0, 2))
    return f"nnx.Sequential({', '.join(parts)})(x)", _array(rng, _shape(rng, rng.randint(1, 3), sizes[0]))


_SUMS = ("ab,bc->ac", "...b,bc->...c", "ab, bcd -> acd", "ab,cb->c", "ab,ba->a", "ab,bc->ca")


def _sum(rng: random.Random) -> tuple[str, str, list[int], dict[str, int]]:
    text, sizes = rng.choice(_SUMS), {letter: rng.randint(1, 5) for letter in "abcd"}
    of_x, of_kernel = text.partition("->")[0].replace(" ", "").split(",")
    leading = [rng.randint(1, 3) for _ in range(rng.randint(0, 2))] if "..." in of_x else []
    kernel = tuple(sizes[letter] for letter in of_kernel)
    return repr(text), str(kernel), [*leading, *(sizes[letter] for letter in of_x if letter != ".")], sizes


def _einsum(rng: random.Random) -> tuple[str, str]:
    text, kernel, shape, _ = _sum(rng)
    return f"nnx.Einsum({text}, {kernel}{_of_dtype(rng)}, rngs=rngs)(x)", _array(rng, shape)


def _linen_einsum(rng: random.Random) -> tuple[str, str]:
    text, kernel, shape, _ = _sum(rng)
    options = _of_dtype(rng) + _options(rng, use_bias=("True", "False"))
    return f"nn.Einsum({kernel}, {text}{options}).init_with_output(key, x)[0]", _array(rng, shape)


def _linen_weights(rng: random.Random) -> tuple[str, str]:
    axes = _options(rng, feature_axes=("-1", "None"), use_scale=("True", "False"), dtype=_DTYPES)
    layer = f"nn.Dense({rng.randint(1, 5)}{_of_dtype(rng)})"
    return f"nn.WeightNorm({layer}{axes}).init_with_output(key, x)[0]", _array(rng, _shape(rng, rng.randint(1, 3)))


def _pooling(rng: random.Random) -> tuple[str, str]:
    rank, kind = rng.randint(1, 3), rng.choice(["Max", "Avg"])
    pairs = [(rng.randint(0, 1), rng.randint(0, 1)) for _ in range(rank)]
    options = _options(
        rng, stride=(_window(rng, rank, 3),), padding=(str(rng.randint(0, 1)), repr(pairs)), use_ceil=("True",) * 3
    )
    made = f"eqx.nn.{kind}Pool{rank}d({_window(rng, rank, 4)}{options})(x)"
    return made, _array(rng, _shape(rng, rank + 1, low=3), _DTYPES)


def _weights(rng: random.Random) -> tuple[str, str]:
    of, n = rng.choice(_DTYPES), rng.randint(1, 4)
    options = _options(rng, axis=("0", "1", "-1", "None"), weight_name=("'weight'",))
    if rng.random() < 0.5:
        layer, given = f"eqx.nn.Linear({n}, {rng.randint(1, 4)}, key=key, dtype={of})", _array(rng, [n])
    else:
        layer = f"eqx.nn.Conv1d({n}, 2, 3, key=key, dtype={of})"
        given = f"jnp.zeros({(n, rng.randint(3, 6))}, {of})"
    return f"eqx.nn.WeightNorm({layer}{options})(x)", given


def _rotary(rng: random.Random) -> tuple[str, str]:
    n, options = 2 * rng.randint(1, 4), _options(rng, theta=("100.0",), dtype=_DTYPES)
    return f"eqx.nn.RotaryPositionalEmbedding({n}{options})(x)", _array(rng, [rng.randint(1, 5), n])


KINDS: dict[str, _Draw] = {
    "linear": _linear, "linear of several axes": _general, "convolution": _convolution, "transposed": _upwards,
    "embedding": _embedded, "attend": _attended, "norm": _norm, "dropout": _dropout, "attention": _attention,
    "sequence": _sequence,
    "einsum": _einsum, "einsum of linen": _linen_einsum, "weights of linen": _linen_weights, "pooling": _pooling,
    "weights": _weights, "rotary": _rotary,
}  # fmt: skip
SELDOM_KNOWN = frozenset({"norm", "attention", "weights of linen", "einsum of linen"})
"""Layers whose dtype is only known where they name one, or for some of them."""


def _definition(name: str, made: str) -> str:
    layer, call = made.rsplit("(", 1) if made.endswith("(x)") else (made, "")
    held = (
        f"    layer = {layer}\n    return layer({call}\n" if call and "attend" not in made else f"    return {made}\n"
    )
    return f"def {name}(x):\n    rngs = nnx.Rngs(0)\n{held}\n"


@pytest.fixture(scope="module")
def drawn() -> dict[str, dict[str, tuple[str, Any]]]:
    """By kind, functions with calls that run: how each is called, and what the call gives."""
    rng, found = random.Random(7), dict[str, dict[str, tuple[str, Any]]]()
    for kind, draw in KINDS.items():
        calls = found[kind] = {}
        for n in range(3 * EACH):
            name = f"f_{kind.replace(' ', '_')}_{n}"
            made, given = draw(rng)
            scope: dict[str, Any] = {}
            exec(f"{HEAD}\n{_definition(name, made)}", scope)
            x = eval(given, scope)
            try:
                value = jax.eval_shape(scope[name], x)
                calls[name] = (f"{_definition(name, made)}reveal_type({name}({given}))\n", value)
            except Exception:  # what does not go together
                continue
            if len(calls) == EACH:
                break
    return found


@pytest.fixture(scope="module")
def claimed(drawn: dict[str, dict[str, tuple[str, Any]]], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What is claimed of each call, by the name of its function."""
    text, names = HEAD, dict[int, str]()
    for calls in drawn.values():
        for name, (part, _) in calls.items():
            text += part
            names[text.count("\n")] = name
    mypy = Mypy(tmp_path_factory.mktemp("layers"), shared_caches(tmp_path_factory))
    run = mypy.run({"layers.py": text})
    assert [m for m in run.messages if m.severity == "error"] == []
    return {names[m.line]: m.revealed for m in run.messages if m.revealed}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_claimed_of_layers_is_true(
    kind: str, drawn: dict[str, dict[str, tuple[str, Any]]], claimed: dict[str, str]
) -> None:
    calls = drawn[kind]
    assert len(calls) == EACH
    wrong = [
        f"{claimed[name]} of {value}: {text}"
        for name, (text, value) in calls.items()
        if not admits(claimed[name], value, {}, jax.ShapeDtypeStruct)
    ]
    assert not wrong, "\n".join(wrong)
    without_shape = [f"{claimed[n]}: {text}" for n, (text, _) in calls.items() if claimed[n].endswith(" Any]")]
    without_dtype = [f"{claimed[n]}: {text}" for n, (text, _) in calls.items() if claimed[n].startswith("Array[Any,")]
    assert len(without_shape) <= 0.1 * EACH, "\n".join(without_shape)
    assert len(without_dtype) <= (0.8 if kind in SELDOM_KNOWN else 0.1) * EACH, "\n".join(without_dtype)
