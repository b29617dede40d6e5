"""Methods that are functions of `arraytyping.numpy` with the array as first argument, but for reductions.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.Array.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.runtime.interface.installing import attribute, method, numpy_function

__all__: list[str] = []


@attribute
def T(self: Any) -> Any:
    """The array with its dimensions in reverse order."""
    return numpy_function("transpose")(self)


@attribute
def mT(self: Any) -> Any:
    """The array with its last two dimensions exchanged."""
    return numpy_function("matrix_transpose")(self)


@attribute
def real(self: Any) -> Any:
    """The real part."""
    return numpy_function("real")(self)


@attribute
def imag(self: Any) -> Any:
    """The imaginary part."""
    return numpy_function("imag")(self)


@attribute
def flat(self: Any) -> Any:
    """Not there, as in JAX.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError("JAX-style arrays have no .flat; use x.flatten() or x.ravel()")


@method()
def argpartition(self: Any, kth: int, axis: int = -1) -> Any:
    """The order that partitions the array."""
    return numpy_function("argpartition")(self, kth, axis)


@method()
def argsort(
    self: Any, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True,
    descending: bool = False,
) -> Any:  # fmt: skip
    """The order that sorts the array."""
    return numpy_function("argsort")(self, axis=axis, kind=kind, order=order, stable=stable, descending=descending)


@method()
def astype(self: Any, dtype: Any, copy: bool = False, device: Any = None) -> Any:
    """The elements in another dtype."""
    return numpy_function("astype")(self, dtype, copy=copy, device=device)


@method()
def byteswap(self: Any) -> Any:
    """The elements with their bytes in reverse order."""
    swapped = numpy_function("viewing.byteswap")

    return swapped(self)


@method()
def choose(self: Any, choices: Sequence[Any], out: None = None, mode: str = "raise") -> Any:
    """The elements of several arrays, of each the one that this array names."""
    return numpy_function("choose")(self, choices, out=out, mode=mode)


@method()
def clip(self: Any, min: Any = None, max: Any = None) -> Any:
    """The elements, moved to the nearest bound where they are beyond."""
    return numpy_function("clip")(self, min, max)


@method()
def compress(
    self: Any,
    condition: Any,
    axis: int | None = None,
    *,
    out: None = None,
    size: int | None = None,
    fill_value: Any = 0,
) -> Any:
    """The items for which a condition holds."""
    return numpy_function("compress")(condition, self, axis=axis, out=out, size=size, fill_value=fill_value)


@method()
def conj(self: Any) -> Any:
    """The complex conjugate."""
    return numpy_function("conj")(self)


@method()
def conjugate(self: Any) -> Any:
    """The complex conjugate."""
    return numpy_function("conjugate")(self)


@method()
def copy(self: Any) -> Any:
    """A copy in memory of its own."""
    return numpy_function("copy")(self)


@method()
def diagonal(self: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The diagonals of two dimensions."""
    return numpy_function("diagonal")(self, offset, axis1, axis2)


@method()
def dot(self: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The product of matrices, or of whatever rank."""
    return numpy_function("dot")(self, b, precision=precision, preferred_element_type=preferred_element_type)


@method()
def flatten(self: Any, order: str = "C", *, out_sharding: Any = None) -> Any:
    """The elements in one dimension."""
    return numpy_function("ravel")(self, order=order, out_sharding=out_sharding)


@method()
def nonzero(self: Any, *, fill_value: Any = None, size: int | None = None) -> Any:
    """The places of the elements that are not zero, by dimension."""
    return numpy_function("nonzero")(self, size=size, fill_value=fill_value)


@method()
def ravel(self: Any, order: str = "C", *, out_sharding: Any = None) -> Any:
    """The elements in one dimension."""
    return numpy_function("ravel")(self, order=order, out_sharding=out_sharding)


@method()
def repeat(
    self: Any,
    repeats: Any,
    axis: int | None = None,
    *,
    total_repeat_length: int | None = None,
    out_sharding: Any = None,
) -> Any:
    """The items, each several times."""
    return numpy_function("repeat")(
        self, repeats, axis, total_repeat_length=total_repeat_length, out_sharding=out_sharding
    )


@method()
def reshape(self: Any, *args: Any, order: str = "C", out_sharding: Any = None) -> Any:
    """The elements in another shape, given as a tuple or as several ints."""
    shape = args[0] if len(args) == 1 and not isinstance(args[0], int) else args
    return numpy_function("reshape")(self, shape, order=order, out_sharding=out_sharding)


@method()
def round(self: Any, decimals: int = 0, out: None = None) -> Any:
    """The elements rounded to so many decimals."""
    return numpy_function("round")(self, decimals, out)


@method()
def searchsorted(self: Any, v: Any, side: str = "left", sorter: Any = None, *, method: str = "scan") -> Any:
    """Where values would go in this sorted array."""
    return numpy_function("searchsorted")(self, v, side=side, sorter=sorter, method=method)


@method()
def sort(
    self: Any, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True,
    descending: bool = False,
) -> Any:  # fmt: skip
    """A sorted copy."""
    return numpy_function("sort")(self, axis=axis, kind=kind, order=order, stable=stable, descending=descending)


@method()
def squeeze(self: Any, axis: Any = None) -> Any:
    """The array without dimensions of size 1."""
    return numpy_function("squeeze")(self, axis=axis)


@method()
def swapaxes(self: Any, axis1: int, axis2: int) -> Any:
    """The array with two dimensions exchanged."""
    return numpy_function("swapaxes")(self, axis1, axis2)


@method()
def take(
    self: Any, indices: Any, axis: int | None = None, out: None = None, mode: str | None = None,
    unique_indices: bool = False, indices_are_sorted: bool = False, fill_value: Any = None,
) -> Any:  # fmt: skip
    """The items at these places."""
    return numpy_function("take")(
        self, indices, axis, out, mode, unique_indices=unique_indices, indices_are_sorted=indices_are_sorted,
        fill_value=fill_value,
    )  # fmt: skip


@method()
def trace(self: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: None = None) -> Any:
    """The sum of the diagonal."""
    return numpy_function("trace")(self, offset, axis1, axis2, dtype, out)


@method()
def transpose(self: Any, *args: Any) -> Any:
    """The dimensions in another order: reversed, or as a tuple or several ints say."""
    axes = None if not args else args[0] if len(args) == 1 and not isinstance(args[0], int) else args
    return numpy_function("transpose")(self, axes)


@method()
def view(self: Any, dtype: Any = None, type: None = None) -> Any:
    """The bits of the elements, read as another dtype."""
    viewed = numpy_function("viewing.view")

    return viewed(self, dtype, type)
