"""Arrays of whatever can be one: numbers, NumPy's arrays, nested lists, other libraries' arrays; and other dtypes.

Source: https://docs.jax.dev/en/latest/jax.numpy.html, "Array creation"; `jax/_src/numpy/array_constructors.py`.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.runtime.array import ArrayImpl, array_of, own_buffer_of, where_set
from arraytyping.runtime.array_likes import convert_to, refuse_mask, scalar_from
from arraytyping.runtime.call_arguments import abstract, described
from arraytyping.runtime.calling import on_extended, operation
from arraytyping.runtime.core import TypedScalar, raised
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.placement import device_put
from arraytyping.semantics.avals import NumPyArray, ShapedArray, static_shape
from arraytyping.semantics.operations import OPERATIONS
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import integer_limits
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.user_warnings import warn_user

__all__ = ["array", "asarray", "astype", "copy", "from_dlpack", "frombuffer", "fromfunction",
           "fromiter", "fromstring"]  # fmt: skip

_PYTHON = frozenset({bool, int, float, complex})


def _leaves(value: Any) -> list[Any]:
    """The elements of nested lists and tuples."""
    return [leaf for item in value for leaf in _leaves(item)] if isinstance(value, list | tuple) else [value]


def _mapped(value: Any, leaves: Any) -> Any:
    """The nested lists with other elements."""
    return [_mapped(v, leaves) for v in value] if isinstance(value, list | tuple) else next(leaves)


def _read(value: Any) -> Any:
    """An array-like as an array, ours or NumPy's; what is none as it is."""
    if isinstance(value, Array | np.ndarray | np.generic) or type(value) in _PYTHON or value is None:
        return value
    if hasattr(value, "__jax_array__"):
        return value.__jax_array__()
    if isinstance(value, str | bytes | type):
        return value
    try:
        found = np.asarray(memoryview(value) if isinstance(value, bytearray) else value)
    except (TypeError, ValueError):
        return value
    return value if found.dtype.kind in "OSU" else found


def _plain(value: Any, leaves: Sequence[Any], dtype: Any) -> np.ndarray[Any, Any] | None:
    """The array of nested lists of Python scalars alone, where nothing speaks against it; else None."""
    kinds = set(map(type, leaves))
    if dtype is not None or not kinds or not kinds <= _PYTHON:
        return None
    try:
        found = np.asarray(value)
    except (ValueError, OverflowError):
        return None
    name = config.promotion().default(
        {"b": "bool", "i": "int", "f": "float", "c": "complex"}.get(found.dtype.kind, "int")
    )
    chosen = np_dtype(name)
    if found.dtype.kind == "i" and found.size:
        low, high = integer_limits(name)
        if found.min() < low or found.max() > high:
            return None
    if found.dtype.kind not in "bifc":
        return None
    with np.errstate(all="ignore"):
        return found.astype(chosen)


_MOST: Final = 4096
_known: Final[dict[Any, ShapedArray]] = {}
"""What the rule has said of arrays, by their abstract values and the other arguments, where it warned of nothing."""


def _expected(operation: str, value: Any, dtype: Any, ndmin: Any) -> ShapedArray:
    """The abstract value of the array, by the rule."""
    promotion = config.promotion()
    key = None
    if type(value) is NumPyArray or type(value) is ShapedArray:
        key = (id(promotion), type(value), value, type(dtype), dtype, ndmin)  # promotions are there for ever
        try:
            if (known := _known.get(key)) is not None:
                return known
        except TypeError:  # no dtype
            key = None
    result = _by_rule(operation, value, dtype, ndmin, Context(promotion))
    if key is not None and result[1]:
        if len(_known) >= _MOST:
            _known.clear()
        _known[key] = result[0]
    return result[0]


def _by_rule(operation: str, value: Any, dtype: Any, ndmin: Any, cx: Context) -> tuple[ShapedArray, bool]:
    """What the rule says, and whether it warns of nothing."""
    from arraytyping.semantics.rules.conversion import converted

    try:
        result = converted(cx, operation, value, described(dtype), ndmin)
    except RuleError as error:
        raise raised(error) from None
    messages = [w.message for w in cx.warnings]
    warn_user(messages)
    return result, not messages


def _of_number(value: Any) -> ArrayImpl | None:
    """The array of a Python number, weakly typed; None where the rule has to look at it closely."""
    if type(value) is int and not -0x80000000 <= value < 0x80000000:
        return None
    return where_set(ArrayImpl(own_buffer_of(scalar_from(value, config.promotion()))))


def converted_array(operation: str, value: Any, dtype: Any = None, ndmin: int = 0, *, copied: bool = False) -> Any:
    """The array that `asarray` makes of a value; with `copied` always one of its own memory.

    Raises:
        TypeError, ValueError, OverflowError: as the rule says.
    """
    try:
        return _converted_array(operation, value, dtype, ndmin, copied)
    except (AttributeError, TypeError):  # arrays of keys have no abstract value, rules do not know their dtypes
        if (result := on_extended("numpy.asarray", asarray, (value, dtype), {})) is NotImplemented:
            raise
        return result.copy() if copied else result


def _converted_array(operation: str, value: Any, dtype: Any, ndmin: int, copied: bool) -> Any:
    kind = type(value)
    if kind in _PYTHON and dtype is None and ndmin == 0 and (number := _of_number(value)) is not None:
        return number
    if isinstance(value, list | tuple):
        return _of_nested(operation, value, dtype, ndmin)
    if kind is not np.ndarray and not copied and isinstance(value, np.ma.MaskedArray):
        refuse_mask()  # a copy has none
    value = _read(value)
    seen = abstract(value, False)
    expected = _expected(operation, seen, dtype, ndmin)
    assert expected.dtype is not None
    assert expected.shape is not None
    if isinstance(value, Array):
        result = convert_to(value, expected.dtype, bool(expected.weak_type))
        if isinstance(result, TypedScalar):
            return _array(np.asarray(result.value), expected)
        if result is value and copied:
            result = copied_array(result)
        return _reshaped(result, expected.shape)
    return _array(np.asarray(value), expected)


def _of_nested(operation: str, value: Any, dtype: Any, ndmin: int) -> Any:
    leaves = list(map(_read, _leaves(value)))
    found = _plain(value, leaves, dtype)
    if found is not None:
        if ndmin > found.ndim:
            found = found.reshape((1,) * (ndmin - found.ndim) + found.shape)
        return array_of(found)
    nested = _mapped(value, iter(leaves))
    seen = _mapped(value, iter([abstract(leaf, False) for leaf in leaves]))
    expected = _expected(operation, seen, dtype, ndmin)
    assert expected.dtype is not None
    assert expected.shape is not None
    if not any(isinstance(leaf, Array) for leaf in leaves):
        return _array(np.asarray(nested, np_dtype(expected.dtype)), expected)
    return _reshaped(_stacked(nested, expected.dtype), expected.shape)


def _stacked(value: Any, dtype: str) -> Any:
    """Nested lists with arrays in them, stacked."""
    from arraytyping.runtime.lax.slicing import concatenate_p
    from arraytyping.runtime.lax.structure import expand_to

    if not any(isinstance(leaf, Array) for leaf in _leaves(value)):
        return array_of(np.asarray(value, np_dtype(dtype)))
    if isinstance(value, Array):
        return convert_to(value, dtype)
    parts = [_stacked(v, dtype) for v in value]
    parts = [expand_to(p, (1, *p.aval.shape)) for p in parts]
    while len(parts) > 1:  # a tree of them: very wide ones are slow to compile
        parts = [concatenate_p.bind(*parts[i : i + 16], dimension=0) for i in range(0, len(parts), 16)]
    return parts[0]


def _array(value: np.ndarray[Any, Any], expected: ShapedArray) -> ArrayImpl:
    """A NumPy array as one of ours, of this dtype, weak type and shape."""
    assert expected.dtype is not None
    assert expected.shape is not None
    chosen = np_dtype(expected.dtype)
    if value.dtype is not chosen:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # complex to real, as asked for
            value = value.astype(chosen, copy=False)
    return array_of(value.reshape(expected.shape), weak_type=bool(expected.weak_type))


def _reshaped(x: Any, shape: Any) -> Any:
    from arraytyping.runtime.lax.structure import reshape

    return reshape(x, tuple(shape))


def copied_array(x: Any) -> Any:
    """The same values in memory of their own; of a tracer itself, since its memory is the compiler's."""
    from arraytyping.runtime.placed_array import PlacedArray, from_parts
    from arraytyping.runtime.xla.jaxlib_api import copy_to_device, device_of

    if type(x) is ArrayImpl:
        return ArrayImpl(copy_to_device(x._buffer, device_of(x._buffer)))
    if type(x) is PlacedArray:
        values = [x._value[index] for index in x._sharding.indices(static_shape(x.aval))]
        return from_parts(values, x.aval, x._sharding, x._committed)
    return x


def _checked_order(order: Any, name: str) -> None:
    if order is not None and order != "K":
        raise NotImplementedError(f"{name}: only order='K' is supported, got {order!r}; leave it out")


def array(
    object: Any, dtype: Any = None, copy: bool = True, order: str | None = "K", ndmin: int = 0, *, device: Any = None,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.numpy.array`: an array of numbers, of arrays, or of nested lists and tuples of them.

    Raises:
        TypeError, ValueError: for what is none, for lists of unequal lengths.
        OverflowError: for a number that the dtype does not hold.
        NotImplementedError: for an `order` other than "K".
    """
    _checked_order(order, "array")
    if out_sharding is not None:
        options = {"dtype": dtype, "copy": copy, "ndmin": ndmin}
        return OPERATIONS.computed_into("array", array, (object,), options, out_sharding)
    return device_put_if(converted_array("array", object, dtype, ndmin, copied=copy), device)


def asarray(
    a: Any, dtype: Any = None, order: str | None = None, *, copy: bool | None = None, device: Any = None,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.numpy.asarray`: the array that a value is, without a copy where there can be one.

    Raises:
        TypeError, ValueError, OverflowError, NotImplementedError: as `array`.
    """
    _checked_order(order, "asarray")
    if out_sharding is not None:
        return OPERATIONS.computed_into("asarray", asarray, (a, dtype), {"copy": copy}, out_sharding)
    return device_put_if(converted_array("asarray", a, dtype, copied=bool(copy)), device)


def device_put_if(x: Any, device: Any) -> Any:
    """The array on a device, if one is given."""
    return x if device is None else device_put(x, device)


def copy(a: Any, order: str | None = None) -> Any:
    """`jax.numpy.copy`: the array in memory of its own.

    Raises:
        TypeError: for what is no array-like.
    """
    _checked_order(order, "copy")
    if isinstance(a, list | tuple):
        raise TypeError(f"copy takes an array or a number, got {type(a).__name__}; use array, which makes a copy of it")
    return converted_array("copy", a, copied=True)


@operation("numpy.astype", "x", how="inline")
def _astype(x: Any, dtype: Any, /, *, copy: bool = False, device: Any = None) -> Any:
    """The array as it is: the rule's dtype is given to it by `operation`."""
    if dtype is not None and np.dtype(dtype) == np.bool_ and x.aval.dtype != "bool":
        from arraytyping.runtime.lax.arithmetic import constant_like
        from arraytyping.runtime.lax.comparisons import ne_p

        return ne_p.bind(x, constant_like(x, 0))
    return x


def astype(x: Any, dtype: Any, /, *, copy: bool = False, device: Any = None) -> Any:
    """`jax.numpy.astype`: the elements in another dtype.

    Raises:
        TypeError: for what is no array-like, or no dtype.
    """
    result = _astype(x, dtype)
    return device_put_if(copied_array(result) if copy and result is x else result, device)


def from_dlpack(x: Any, device: Any = None, *, copy: bool | None = None) -> Any:
    """`jax.numpy.from_dlpack`: an array of another library, whose memory is shared where it can be.

    Raises:
        TypeError: if it has no `__dlpack__`.
        BufferError: if it is not on the CPU, or of a dtype that does not exist here.
    """
    from arraytyping.runtime.xla.jaxlib_api import from_dlpack as buffer_from

    if isinstance(x, Array):
        return device_put_if(copied_array(x) if copy else x, device)
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack takes an object with __dlpack__, got {type(x).__name__}; try asarray")
    found = ArrayImpl(buffer_from(x))
    return device_put_if(asarray(np.array(found._value)) if copy else _canonical(found), device)


def _canonical(x: ArrayImpl) -> Any:
    dtype = config.promotion().canonicalize(str(x.aval.dtype))
    return convert_to(x, dtype)


def frombuffer(buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0) -> Any:
    """`jax.numpy.frombuffer`: the bytes of a buffer as elements of a dtype, in one dimension."""
    return asarray(np.frombuffer(buffer, np.dtype(dtype), count, offset))


def fromiter(*args: Any, **kwargs: Any) -> Any:
    """Not there, as in JAX, since the iterator would be used up when the program is traced.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError("fromiter is not there, since an iterator is used up; use array(list(iterator))")


def fromstring(string: str, dtype: Any = float, count: int = -1, *, sep: str) -> Any:
    """`jax.numpy.fromstring`: the numbers of a text, in one dimension."""
    return asarray(np.fromstring(string, np.dtype(dtype), count, sep=sep))


def fromfunction(function: Any, shape: Any, *, dtype: Any = float, **kwargs: Any) -> Any:
    """`jax.numpy.fromfunction`: a function of the indices, called once for every place, by `vmap`.

    Raises:
        TypeError: for a shape that is none.
    """
    import operator

    from arraytyping.numpy.ranges import arange
    from arraytyping.runtime.transformations.mapping import vmap

    sizes = tuple(map(operator.index, shape)) if isinstance(shape, tuple | list) else (operator.index(shape),)
    n = len(sizes)

    def call(*indices: Any) -> Any:
        return function(*indices, **kwargs)

    for i in range(n):
        axes = [None] * n
        axes[n - i - 1] = 0  # type: ignore[call-overload]
        call = vmap(call, in_axes=tuple(axes))
    return call(*(arange(size, dtype=dtype) for size in sizes))
