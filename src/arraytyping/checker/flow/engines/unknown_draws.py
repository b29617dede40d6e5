"""What is drawn where the key, a size, the shape or the dtype is not known: jax is asked with something in its place.

A key of any sort draws the same shapes and dtypes.  Of a shape or dtype that is put in, the result keeps nothing.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, ListValue, ScalarValue, Unknown, Value
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.key_implementations import KEY_SIZES, KEY_TAGS
from arraytyping.semantics.sizes.dims import differ

__all__ = ["draw", "is_for_draw", "whole_key"]

_WORDS: Final = {implementation: KEY_SIZES[name] for implementation, name in KEY_TAGS.items()}
"""How many numbers a key of each implementation has."""

_OF_SHAPES: Final = frozenset({
    "init", "zeros", "ones", "bernoulli", "bits", "cauchy", "exponential", "gumbel", "laplace", "logistic", "normal",
    "rademacher", "randint", "rayleigh", "truncated_normal", "uniform",
})  # fmt: skip
"""Functions whose result has the shape that they are given, and the dtype, where they take one."""

_BROADCAST: Final = ("minval", "maxval", "lower", "upper", "p")


def draw(it: Interpreter, function: Any, args: list[Value], kwargs: dict[str, Value], call: Callable[..., Any]) -> Any:
    """The result of `call` with arguments in the place of those that are not known."""
    given = _bound(function, args, kwargs)
    if given is None or (not _is_unknown_key(given.get("key")) and not any(map(_has_unknown, given.values()))):
        return call(args, kwargs)
    if _is_unknown_key(given["key"]):
        given["key"] = ArrayValue(ShapedArray((), "key<fry>", False))
    forgotten = set()
    if function.__name__ in _OF_SHAPES:
        if isinstance(given.get("shape"), Unknown):
            given["shape"] = ()
            forgotten.add("shape")
        elif "shape" in given:
            given["shape"] = _with_ints(given["shape"])
        if given.get("shape") is not None:
            for name in _BROADCAST:  # to the shape, so that they change nothing of it
                if isinstance(given.get(name), Unknown):
                    given[name] = ScalarValue(int if function.__name__ == "randint" else float)
        if isinstance(given.get("dtype"), Unknown):
            del given["dtype"]
            forgotten.add("dtype")
    if not forgotten:
        return call([], given)
    with it.quietly():
        result = call([], given)
    if not isinstance(result, ArrayValue):
        return it.unknown("what is drawn in a shape that is not known")
    aval = result.aval
    is_typed = "dtype" not in forgotten
    shape = None if "shape" in forgotten else aval.shape
    return ArrayValue(ShapedArray(shape, aval.dtype if is_typed else None, False if is_typed else None), result.traced)


def whole_key(jax: JaxEngine, args: list[Value]) -> list[Value]:
    """The arguments of a function of `jax.random`, where the bits of a key have the length that they must have.

    Any other is refused, so that `keys.reshape(n, -1)[i]` is a key of two numbers.
    """
    key = args[0] if args else None
    words = _WORDS.get(str(jax.config.jax_default_prng_impl))
    if not isinstance(key, ArrayValue) or key.aval.dtype != "uint32" or not key.aval.shape or words is None:
        return args
    *axes, last = key.aval.shape
    if isinstance(last, int) or differ(last, words):
        return args
    whole = key.with_key(key.key)
    whole.aval = replace(key.aval, shape=(*axes, words))
    return [whole, *args[1:]]


def _bound(function: Value, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value] | None:
    """The arguments by their names; None if the call does not fit, or has no key."""
    names = _parameters(function)
    if names is None or len(args) > len(names) or not (args or "key" in kwargs) or names[0] != "key":
        return None
    return {**dict(zip(names, args)), **kwargs}


@functools.cache
def _parameters(function: Any) -> tuple[str, ...] | None:
    try:
        kinds = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return tuple(p.name for p in kinds if p.kind is p.POSITIONAL_OR_KEYWORD)


def _is_unknown_key(key: Value) -> bool:
    return isinstance(key, Unknown) or (isinstance(key, ArrayValue) and not key.is_full)


def _has_unknown(value: Value) -> bool:
    return _has(value, Unknown)


def is_for_draw(value: Value) -> bool:
    """Whether an argument is not known, or is a size of which only that is known, which gets a name here."""
    return _has(value, Unknown | ScalarValue)


def _has(value: Value, kind: Any) -> bool:
    items = value.items if isinstance(value, ListValue) else value
    return isinstance(value, kind) or (isinstance(items, tuple | list) and any(_has(item, kind) for item in items))


def _with_ints(shape: Any) -> Value:
    """A shape in which a size of which nothing is known is an int."""
    items = shape.items if isinstance(shape, ListValue) else shape
    if not isinstance(items, tuple | list):
        return shape
    return tuple(ScalarValue(int) if isinstance(size, Unknown) else size for size in items)
