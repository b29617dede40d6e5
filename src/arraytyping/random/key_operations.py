"""Functions of `jax.numpy` and `jax.lax` that take arrays of keys too, and make them.

What only moves elements about is computed on their numbers, 1, 2, ... in the place of the keys, and the keys are then
taken by what comes out; 0 stands for a key whose bits are 0, a negative number for one whose bits are all 1, as JAX
fills places that are not there.

Source: https://docs.jax.dev/en/latest/jep/9263-typed-keys.html.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from arraytyping import numpy
from arraytyping.random.key_arrays import PRNGKeyArray
from arraytyping.random.key_types import KeyTy
from arraytyping.runtime.array import array_of
from arraytyping.runtime.calling import ON_EXTENDED
from arraytyping.runtime.lax.gathering import GatherScatterMode

__all__: list[str] = []

_MOVING: Final[Mapping[str, str]] = {
    "numpy.append": "arr values", "numpy.array_split": "ary", "numpy.atleast_1d": "arys", "numpy.atleast_2d": "arys",
    "numpy.atleast_3d": "arys", "numpy.block": "arrays", "numpy.broadcast_arrays": "args",
    "numpy.broadcast_to": "array", "numpy.choose": "choices", "numpy.column_stack": "tup",
    "numpy.compress": "a fill_value", "numpy.concat": "arrays",
    "numpy.concatenate": "arrays", "numpy.delete": "arr", "numpy.diagonal": "a", "numpy.dsplit": "ary",
    "numpy.dstack": "tup", "numpy.expand_dims": "a", "numpy.extract": "arr fill_value",
    "numpy.fill_diagonal": "a val", "numpy.flip": "m",
    "numpy.fliplr": "m", "numpy.flipud": "m", "numpy.hsplit": "ary", "numpy.hstack": "tup",
    "numpy.insert": "arr values", "numpy.matrix_transpose": "x", "numpy.meshgrid": "xi", "numpy.moveaxis": "a",
    "numpy.pad": "array", "numpy.permute_dims": "a", "numpy.place": "arr vals", "numpy.put": "a v",
    "numpy.put_along_axis": "arr values", "numpy.ravel": "a", "numpy.repeat": "a", "numpy.reshape": "a",
    "numpy.resize": "a", "numpy.roll": "a", "numpy.rollaxis": "a", "numpy.rot90": "m",
    "numpy.select": "choicelist default", "numpy.split": "ary", "numpy.squeeze": "a", "numpy.stack": "arrays",
    "numpy.swapaxes": "a", "numpy.take": "a",
    "numpy.take_along_axis": "arr", "numpy.tile": "A", "numpy.transpose": "a", "numpy.tril": "m", "numpy.triu": "m",
    "numpy.unstack": "x", "numpy.vsplit": "ary", "numpy.vstack": "tup", "numpy.where": "x y",
    "lax.broadcast": "operand", "lax.broadcast_in_dim": "operand", "lax.collapse": "operand",
    "lax.concatenate": "operands", "lax.dynamic_index_in_dim": "operand", "lax.dynamic_slice": "operand",
    "lax.dynamic_slice_in_dim": "operand", "lax.dynamic_update_index_in_dim": "operand update",
    "lax.dynamic_update_slice": "operand update", "lax.dynamic_update_slice_in_dim": "operand update",
    "lax.expand_dims": "array", "lax.index_in_dim": "operand", "lax.reshape": "operand", "lax.rev": "operand",
    "lax.select": "on_true on_false", "lax.select_n": "cases", "lax.slice": "operand", "lax.slice_in_dim": "operand",
    "lax.split": "operand", "lax.squeeze": "array", "lax.transpose": "operand", "random.choice": "a",
}  # fmt: skip
"""The operations that move elements about, with the parameters whose elements these are."""


def _items(value: Any) -> list[Any]:
    """The arrays of an argument: in lists and tuples, or the argument itself."""
    return [leaf for item in value for leaf in _items(item)] if isinstance(value, list | tuple) else [value]


def _exchanged(value: Any, change: Callable[[Any], Any]) -> Any:
    """An argument, or a result, with other arrays."""
    if isinstance(value, list | tuple):
        return type(value)([_exchanged(v, change) for v in value])
    return change(value)


def _one_type(keys: Sequence[PRNGKeyArray]) -> KeyTy:
    """The implementation of keys that go together.

    Raises:
        TypeError: if there are several.
    """
    if len({k.dtype for k in keys}) > 1:
        raise TypeError(f"keys of one implementation go together, got {', '.join(str(k.dtype) for k in keys)}")
    return keys[0].dtype


def _moved(data: Sequence[str], function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """The result of an operation that moves elements about, on keys."""
    signature = inspect.signature(function)
    bound = signature.bind(*args, **kwargs)
    given = bound.arguments
    fills = "size" not in signature.parameters or given.get("size") is not None
    if fills and any(signature.parameters[name].default == 0 and name not in given for name in data):
        return NotImplemented  # the number 0 would be put among the keys
    keys = [k for name in data if name in given for k in _items(given[name])]
    others = [v for name, value in given.items() if name not in data for v in _items(value)]
    if not keys or not all(isinstance(k, PRNGKeyArray) for k in keys):
        return NotImplemented
    if any(isinstance(v, PRNGKeyArray) for v in others) or given.get("mode") == "constant":
        return NotImplemented
    if function.rule_name == "numpy.pad" and "mode" not in given:  # type: ignore[attr-defined]
        return NotImplemented  # it would put numbers there
    key_type = _one_type(keys)
    if given.get("dtype") is not None:
        if given["dtype"] != key_type:
            return NotImplemented
        given["dtype"] = None
    before = iter(np.cumsum([1, *(k.size for k in keys)]).tolist())

    def numbered(key: PRNGKeyArray) -> Any:
        start = next(before)
        return array_of(np.arange(start, start + key.size, dtype=np.int32).reshape(key.shape))

    for name in data:
        if name in given:
            given[name] = _exchanged(given[name], numbered)
    rows = numpy.concatenate([k._base_array.reshape(k.size, key_type.words) for k in keys])
    ends = (numpy.full((1, rows.shape[1]), bits, "uint32") for bits in (0, 0xFFFFFFFF))
    zeros, ones = ends
    rows = numpy.concatenate([zeros, rows, ones])

    def taken(numbers: Any) -> PRNGKeyArray:
        places = numpy.where(numbers < 0, rows.shape[0] - 1, numbers)
        return PRNGKeyArray(rows.at[places].get(mode=GatherScatterMode.PROMISE_IN_BOUNDS), key_type)

    return _exchanged(function(*bound.args, **bound.kwargs), taken)


def _compared(is_equal: bool, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Whether keys are the same, or not, each for itself."""
    x, y, *_ = args
    if not (isinstance(x, PRNGKeyArray) and isinstance(y, PRNGKeyArray)):
        return NotImplemented
    return x == y if is_equal else x != y


def _all_equal(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Whether all keys are the same."""
    x, y, *_ = args
    both = isinstance(x, PRNGKeyArray) and isinstance(y, PRNGKeyArray)
    is_equality = function.rule_name == "numpy.array_equal"  # type: ignore[attr-defined]
    if is_equality and (not both or x.shape != y.shape):
        return array_of(np.zeros((), bool))
    return numpy.all(x == y) if both else NotImplemented


def _one_of(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Whether each key is among other keys."""
    given = inspect.signature(function).bind(*args, **kwargs).arguments
    element, tests = given["element"], given["test_elements"]
    if not (isinstance(element, PRNGKeyArray) and isinstance(tests, PRNGKeyArray)):
        return NotImplemented
    among = numpy.any(numpy.expand_dims(element, -1) == numpy.ravel(tests), axis=-1)
    return numpy.logical_not(among) if given.get("invert") else among


def _none_is(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """What no key is."""
    (x,) = args
    return numpy.zeros(x.shape, bool) if isinstance(x, PRNGKeyArray) else NotImplemented


def _filled(value: Any, shape: Any, key_type: KeyTy) -> Any:
    """Keys of one key, or of one number in all places of their bits.

    Raises:
        ValueError: for a key of another implementation.
        TypeError: for an array of numbers.
    """
    if isinstance(value, PRNGKeyArray):
        if value.dtype != key_type:
            raise ValueError(f"an array of {key_type} is filled with keys of its implementation, got {value.dtype}")
        return numpy.broadcast_to(value, shape)
    bits = numpy.asarray(value)
    if bits.shape:
        raise TypeError(f"an array of {key_type} is filled with a key or one number, got an array of {bits.shape}")
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    return PRNGKeyArray(numpy.full((*sizes, *key_type.key_shape), bits.astype("uint32")), key_type)


def _made(value: Any, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Keys of one value: in a shape, or as many as there are in an array of keys."""
    given = inspect.signature(function).bind(*args, **kwargs).arguments
    value, shape, dtype = given.get("fill_value", value), given.get("shape"), given.get("dtype")
    named = dtype if isinstance(dtype, KeyTy) else None
    if function.rule_name.endswith("_like"):  # type: ignore[attr-defined]
        like = next(iter(given.values()))
        if not isinstance(like, PRNGKeyArray):
            return NotImplemented
        shape = like.shape if shape is None else shape
        if dtype is not None and named is None:
            return NotImplemented if isinstance(value, PRNGKeyArray) else numpy.full(shape, value, dtype)
        return _filled(value, shape, named or like.dtype)
    if named is None and (dtype is not None or not isinstance(value, PRNGKeyArray)):
        return NotImplemented
    return _filled(value, shape, named or value.dtype)


def _converted(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """The array that keys, or nested lists of them, already are."""
    value, dtype = args[0], kwargs.get("dtype", args[1] if len(args) > 1 else None)
    keys = _items(value)
    if not keys or not all(isinstance(k, PRNGKeyArray) for k in keys):
        return NotImplemented
    if dtype is not None and dtype != _one_type(keys):
        raise ValueError(f"keys cannot be converted to {dtype}; random.key_data(key) gives their bits")
    return _stacked(value)


def _stacked(value: Any) -> Any:
    return numpy.stack([_stacked(v) for v in value]) if isinstance(value, list | tuple) else value


def _on(handler: Callable[..., Any], first: Any) -> Callable[..., Any]:
    return lambda function, args, kwargs: handler(first, function, args, kwargs)


_HANDLERS: Final[Mapping[str, Callable[..., Any]]] = (
    {name: _on(_moved, tuple(data.split())) for name, data in _MOVING.items()}
    | {name: _on(_compared, True) for name in ("numpy.equal", "numpy.isclose", "lax.eq")}
    | {name: _on(_compared, False) for name in ("numpy.not_equal", "lax.ne")}
    | dict.fromkeys(("numpy.array_equal", "numpy.array_equiv", "numpy.allclose"), _all_equal)
    | {"numpy.isin": _one_of, "numpy.isnan": _none_is}
    | {name: _on(_made, 0) for name in ("numpy.zeros", "numpy.empty", "numpy.zeros_like", "numpy.empty_like")}
    | {name: _on(_made, 1) for name in ("numpy.ones", "numpy.ones_like")}
    | {name: _on(_made, None) for name in ("numpy.full", "numpy.full_like", "lax.full", "lax.full_like")}
    | dict.fromkeys(("numpy.astype", "numpy.asarray"), _converted)
)
for _name, _handler in _HANDLERS.items():
    ON_EXTENDED.setdefault(_name, []).append(_handler)
