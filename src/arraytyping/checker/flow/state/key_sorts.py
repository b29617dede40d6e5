"""Keys of which nothing is known: where a program makes keys of one sort only, they are of this sort.

What is drawn from is one key, of the implementation in force: `uint32[2]`, or `key<fry>[]`.
"""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.made_values import made_values
from arraytyping.checker.flow.values import ArrayValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.key_implementations import KEY_SIZES, KEY_TAGS

__all__ = ["with_key_told"]

_RAW_SHAPES: Final = {name: (KEY_SIZES[tag],) for name, tag in KEY_TAGS.items()}
_TYPED_NAMES: Final = {name: f"key<{tag}>" for name, tag in KEY_TAGS.items()}


def with_key_told(it: Interpreter, call: Call) -> Call:
    """The call of a function of `jax.random`, whose key is what the program makes, if nothing else is known of it."""
    if call.args:
        told = _told(it, call.args[0])
        return call if told is call.args[0] else call.with_args([told, *call.args[1:]])
    if "key" in call.kwargs:
        told = _told(it, call.kwargs["key"])
        return call if told is call.kwargs["key"] else call.with_kwargs({**call.kwargs, "key": told})
    return call


def _told(it: Interpreter, key: Value) -> Value:
    is_traced = isinstance(key, ArrayValue) and key.aval.dtype is None and key.traced
    if not isinstance(key, Unknown) and not (isinstance(key, ArrayValue) and key.aval.dtype is None):
        return key
    made = made_values(it) & {"raw keys", "typed keys"}
    config = it.engines.jax.config
    if len(made) != 1 or config.jax_enable_custom_prng:
        return key
    implementation = str(config.jax_default_prng_impl)
    if "raw keys" in made and implementation in _RAW_SHAPES:
        return ArrayValue(ShapedArray(_RAW_SHAPES[implementation], "uint32", False), is_traced)
    if "typed keys" in made and implementation in _TYPED_NAMES:
        return ArrayValue(ShapedArray((), _TYPED_NAMES[implementation], False), is_traced)
    return key
