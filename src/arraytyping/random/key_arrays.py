"""`PRNGKeyArray`: an array whose elements are random keys, of a dtype such as `key<fry>`, around their bits.

It is a container (pytree) of its bits, an array of `uint32` with one dimension more, so that it goes through `jit`,
`vmap`, `scan` and `grad`.

Source: https://docs.jax.dev/en/latest/jep/9263-typed-keys.html.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, ClassVar, Final

import numpy as np

from arraytyping.basearray import Array
from arraytyping.random.key_types import THREEFRY, KeyTy
from arraytyping.runtime import tree
from arraytyping.runtime.array import ArrayImpl, array_of
from arraytyping.runtime.lax.aggregates import reduce_and_p, slice_along
from arraytyping.runtime.lax.structure import reshape, transpose

__all__ = ["PRNGKeyArray"]


class KeyOperandError(TypeError, AttributeError):
    """Keys were given to a function of numbers; an `AttributeError` too, since a key array has no abstract value."""


class PRNGKeyArray(Array):
    """An array of random keys: `key`, `split`, `fold_in` and `wrap_key_data` make it, random functions take it.

    It has the shape of an array and is indexed as one, compared with `==`, reshaped; it has no arithmetic.
    """

    __slots__ = ("__weakref__", "_base_array", "_key_type")
    hidden_dims = 1
    """How many dimensions of the array in it are none of its own."""
    _base_array: Any
    _key_type: KeyTy
    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __init__(self, key_data: Any, key_type: KeyTy = THREEFRY) -> None:
        self._base_array = key_data
        self._key_type = key_type

    def _with(self, key_data: Any) -> PRNGKeyArray:
        """Keys of the same implementation."""
        return PRNGKeyArray(key_data, self._key_type)

    @property
    def _sizes(self) -> tuple[int, ...]:
        return tuple(self._base_array.shape)

    @property
    def aval(self) -> Any:
        """Not there: keys are no operands of functions of numbers.

        Raises:
            KeyOperandError: always.
        """
        raise KeyOperandError(
            f"a {self.dtype} array of shape {self.shape} was given where numbers are expected; only functions of "
            "random take keys, and random.key_data(key) gives the bits of one"
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return self._sizes[:-1]

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._sizes) - 1

    @property
    def size(self) -> int:
        """The number of keys."""
        return math.prod(self._sizes[:-1])

    @property
    def dtype(self) -> KeyTy:
        """`key<fry>`, or that of another implementation."""
        return self._key_type

    @property
    def itemsize(self) -> int:
        """The bytes of one key."""
        return self._key_type.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all keys."""
        return self._key_type.itemsize * self.size

    weak_type = False

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object: the key array has no dimensions")
        return self.shape[0]

    def __iter__(self) -> Iterator[PRNGKeyArray]:
        if not self.shape:
            raise TypeError("iteration over a 0-d key array; use random.split to make several keys of it")
        data = self._base_array
        if type(data) is ArrayImpl:  # one copy to the host is faster than a slice for each
            return (self._with(array_of(row)) for row in np.array(data._value))
        return (self._with(reshape(slice_along(data, i, i + 1), data.aval.shape[1:])) for i in range(len(self)))

    def __getitem__(self, idx: Any, /) -> PRNGKeyArray:
        return self._with(self._base_array[_index(idx, self.ndim)])

    def __eq__(self, other: object) -> Any:
        return _compared(self, other)

    def __ne__(self, other: object) -> Any:
        result = _compared(self, other)
        return result if result is NotImplemented else _numpy("logical_not")(result)

    def __contains__(self, value: Any) -> bool:
        return bool(_numpy("any")(self == value))

    def __bool__(self) -> bool:
        raise TypeError("a key array cannot be converted to bool")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise TypeError(
            "JAX array with PRNGKey dtype cannot be converted to a NumPy array. Use random.key_data(key) for its "
            "bits, as uint32"
        )

    def __repr__(self) -> str:
        return f"Array({self.shape}, dtype={self.dtype}) overlaying:\n{self._base_array}"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec)

    def __reduce__(self) -> Any:
        return PRNGKeyArray, (self._base_array, self._key_type)

    def __copy__(self) -> PRNGKeyArray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> PRNGKeyArray:
        return self.copy()

    def copy(self) -> PRNGKeyArray:
        """A copy in memory of its own."""
        return self._with(_numpy("copy")(self._base_array))

    def reshape(self, *args: Any, order: str = "C", out_sharding: Any = None) -> PRNGKeyArray:
        """The keys in another shape, given as a tuple or as several ints."""
        sizes = args[0] if len(args) == 1 and not isinstance(args[0], int) else args
        if order != "C":
            raise ValueError(f"keys are reshaped in the order 'C', got {order!r}")
        sizes = list(sizes)
        if sizes.count(-1) == 1 and (others := -math.prod(sizes)) > 0:
            sizes[sizes.index(-1)] = self.size // others
        if -1 in sizes or math.prod(sizes) != self.size:
            raise TypeError(f"cannot reshape keys of shape {self.shape} into shape {tuple(args)}")
        return self._with(reshape(self._base_array, (*sizes, self._sizes[-1])))

    def ravel(self, order: str = "C", *, out_sharding: Any = None) -> PRNGKeyArray:
        """The keys in one dimension."""
        return self.reshape(self.size, order=order)

    flatten = ravel

    def squeeze(self, axis: Any = None) -> PRNGKeyArray:
        """The array without dimensions of size 1."""
        axes = [d for d, n in enumerate(self.shape) if n == 1] if axis is None else _axes(axis, self.ndim)
        if any(self.shape[d] != 1 for d in axes):
            raise ValueError(f"cannot squeeze {axis} of keys of shape {self.shape}: a size there is not 1")
        return self.reshape([n for d, n in enumerate(self.shape) if d not in axes])

    def transpose(self, *args: Any) -> PRNGKeyArray:
        """The dimensions in another order: reversed, or as a tuple or several ints say."""
        order = args[0] if len(args) == 1 and not isinstance(args[0], int) else args or None
        axes = range(self.ndim)[::-1] if order is None else _axes(order, self.ndim)
        if sorted(axes) != list(range(self.ndim)):
            raise ValueError(f"keys of shape {self.shape} are not transposed by {order}; name each axis once")
        return self._with(transpose(self._base_array, (*axes, self.ndim)))

    def take(self, indices: Any, axis: int | None = None, **options: Any) -> Any:
        """The keys at indices, by default of all keys in one dimension."""
        return _numpy("take")(self, indices, axis, **options)

    def swapaxes(self, axis1: int, axis2: int) -> PRNGKeyArray:
        """The array with two dimensions exchanged."""
        order = list(range(self.ndim))
        a, b = _axes((axis1, axis2), self.ndim)
        order[a], order[b] = b, a
        return self.transpose(order)

    @property
    def T(self) -> PRNGKeyArray:
        """The array with its dimensions in reverse order."""
        return self.transpose()

    @property
    def at(self) -> _At:
        """`keys.at[index].set(key)`: the array with some of its keys replaced."""
        return _At(self)

    def block_until_ready(self) -> PRNGKeyArray:
        """The array, when it is there."""
        self._base_array.block_until_ready()
        return self

    def to_device(self, device: Any, *, stream: Any = None) -> PRNGKeyArray:
        """The array on a device."""
        return self._with(self._base_array.to_device(device, stream=stream))


class _At:
    """The keys of an array, to be indexed and then replaced."""

    __slots__ = ("keys", "place")

    def __init__(self, keys: PRNGKeyArray, place: Any = None) -> None:
        self.keys: PRNGKeyArray = keys
        self.place: Any = place

    def __getitem__(self, idx: Any) -> _At:
        return _At(self.keys, _index(idx, self.keys.ndim))

    def set(self, values: Any, **options: Any) -> PRNGKeyArray:
        """The array with these keys there."""
        if not isinstance(values, PRNGKeyArray):
            raise TypeError(f"an array of keys is set to keys, got {type(values).__name__}; make one with random.key")
        if values.dtype != self.keys.dtype:
            raise TypeError(f"an array of {self.keys.dtype} is set to keys of its implementation, got {values.dtype}")
        return self.keys._with(self.keys._base_array.at[self.place].set(values._base_array, **options))

    def get(self, **options: Any) -> PRNGKeyArray:
        """The keys there."""
        return self.keys._with(self.keys._base_array.at[self.place].get(**options))


def _numpy(name: str) -> Callable[..., Any]:
    return getattr(import_module("arraytyping.numpy"), name)  # type: ignore[no-any-return]


def _index(idx: Any, ndim: int) -> tuple[Any, ...]:
    """The index of the bits that an index of keys is: the last dimension is taken whole.

    Raises:
        IndexError: for an index of more dimensions than there are.
    """
    items = idx if isinstance(idx, tuple) else (idx,)
    if (count := sum(i is not None and i is not Ellipsis and not isinstance(i, bool) for i in items)) > ndim:
        raise IndexError(f"Too many indices: the array of keys is {ndim}-dimensional, but {count} were indexed")
    return (*items, slice(None)) if any(i is Ellipsis for i in items) else (*items, Ellipsis, slice(None))


def _axes(axes: Any, ndim: int) -> list[int]:
    found = []
    for axis in (axes,) if isinstance(axes, int) else axes:
        if not -ndim <= axis < ndim:
            raise ValueError(f"axis {axis} is out of bounds for a key array of dimension {ndim}")
        found.append(axis % ndim)
    return found


def _compared(keys: PRNGKeyArray, other: object) -> Any:
    if not isinstance(other, PRNGKeyArray):
        if isinstance(other, Array | np.ndarray | np.generic | bool | int | float | complex):
            raise TypeError(f"keys are compared with keys only, got {type(other).__name__}")
        return NotImplemented
    if keys.dtype != other.dtype:
        raise TypeError(f"keys are compared with keys of their implementation, got {keys.dtype} and {other.dtype}")
    same = _numpy("equal")(keys._base_array, other._base_array)
    return reduce_and_p.bind(same, axes=(len(same.aval.shape) - 1,))


_FORWARDED: Final = (
    "committed", "copy_to_host_async", "delete", "device", "devices", "is_deleted", "is_fully_addressable",
    "is_fully_replicated", "on_device_size_in_bytes", "sharding", "unsafe_buffer_pointer",
)  # fmt: skip
"""What is asked of the memory is asked of the bits."""

_KEPT: Final = frozenset({
    "__array_priority__", "__class_getitem__", "__dict__", "__doc__", "__init__", "__module__", "__orig_bases__",
    "__parameters__", "__setitem__", "__slots__",
})  # fmt: skip


def _refused(name: str) -> Any:
    """An attribute that arrays of numbers have."""

    def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{name} does not accept dtype {self.dtype}; random.key_data(key) gives the bits of a key")

    return refuse if callable(getattr(Array, name)) else property(refuse)


def _forwarded(name: str) -> property:
    """An attribute of the bits."""
    return property(lambda self: getattr(self._base_array, name))


for _name in sorted(vars(Array).keys() - vars(PRNGKeyArray).keys() - _KEPT):
    setattr(PRNGKeyArray, _name, _forwarded(_name) if _name in _FORWARDED else _refused(_name))

tree.register_pytree_node(
    PRNGKeyArray,
    lambda keys: ((keys._base_array,), keys._key_type),
    lambda key_type, children: PRNGKeyArray(next(iter(children)), key_type),
)
