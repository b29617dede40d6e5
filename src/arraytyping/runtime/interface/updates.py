"""`x.at[index].set(values)` and its kin: new arrays that differ from one at some places.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html; `jax/_src/ops/scatter.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.runtime.interface.installing import NAMESPACE, attribute, numpy_function
from arraytyping.semantics.operations import OPERATIONS

__all__ = ["IndexUpdate", "IndexUpdater"]


class IndexUpdater:
    """`x.at`: index it to say which places are meant."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array: Any = array

    def __getitem__(self, index: Any) -> IndexUpdate:
        return IndexUpdate(self.array, index)

    def __repr__(self) -> str:
        return f"IndexUpdater({self.array!r})"


class IndexUpdate:
    """`x.at[index]`: reads the places, or makes an array in which they are changed; `x` stays as it is.

    `mode` says what happens out of bounds: reads move the index to the edge, or fill with `mode="fill"`; updates are
    dropped, or moved with `mode="clip"`; `"promise_in_bounds"` says that it does not happen.  `indices_are_sorted` and
    `unique_indices` promise that they are.  With `wrap_negative_indices=False` a negative index is out of bounds.
    """

    __slots__ = ("array", "index")

    def __init__(self, array: Any, index: Any) -> None:
        self.array: Any = array
        self.index: Any = index

    def __repr__(self) -> str:
        return f"IndexUpdate({self.array!r}, {self.index!r})"

    def get(
        self, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        fill_value: Any = None, out_sharding: Any = None, wrap_negative_indices: bool = True,
    ) -> Any:  # fmt: skip
        """`x[index]`, with a choice of what is read out of bounds.

        Raises:
            IndexError, TypeError: for what does not index the array.
            ValueError: for a mode that does not exist, and a fill value that is no scalar.
        """
        take_index = numpy_function("indexing.take_index")
        options = {
            "mode": mode, "fill_value": fill_value, "indices_are_sorted": indices_are_sorted,
            "unique_indices": unique_indices, "wrap_negative_indices": wrap_negative_indices,
        }  # fmt: skip
        if out_sharding is None:
            return take_index(self.array, self.index, **options)
        return OPERATIONS.computed_into("at[...].get", take_index, (self.array, self.index), options, out_sharding)

    def _update(self, method: str, array: Any, values: Any, options: dict[str, Any]) -> Any:
        update = numpy_function("updating.update")
        wanted = options.pop("out_sharding", None)
        if wanted is None:
            return update(method, array, self.index, values, **options)
        given = method, array, self.index, values
        return OPERATIONS.computed_into(f"at[...].{method}", update, given, options, wanted)

    def set(
        self, values: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: Any = None, wrap_negative_indices: bool = True,
    ) -> Any:  # fmt: skip
        """As `x[index] = values`."""
        return self._update("set", self.array, values, _options(locals()))

    def add(
        self, values: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: Any = None, wrap_negative_indices: bool = True,
    ) -> Any:  # fmt: skip
        """As `x[index] += values`, once for every time that a place is named."""
        return self._update("add", self.array, values, _options(locals()))

    def subtract(
        self, values: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: Any = None, wrap_negative_indices: bool = True,
    ) -> Any:  # fmt: skip
        """As `x[index] -= values`, once for every time that a place is named."""
        return self._update("subtract", self.array, values, _options(locals()))

    def multiply(
        self, values: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: Any = None, wrap_negative_indices: bool = True,
    ) -> Any:  # fmt: skip
        """As `x[index] *= values`, once for every time that a place is named."""
        return self._update("multiply", self.array, values, _options(locals()))

    mul = multiply

    def divide(
        self, values: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: Any = None, wrap_negative_indices: bool = True,
    ) -> Any:  # fmt: skip
        """As `x[index] /= values`, once for every time that a place is named."""
        return self._by_ones("divide", "true_divide", values, _options(locals()))

    def power(
        self, values: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: Any = None, wrap_negative_indices: bool = True,
    ) -> Any:  # fmt: skip
        """As `x[index] **= values`, once for every time that a place is named."""
        return self._by_ones("power", "power", values, _options(locals()))

    def min(
        self, values: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: Any = None, wrap_negative_indices: bool = True,
    ) -> Any:  # fmt: skip
        """As `x[index] = minimum(x[index], values)`."""
        return self._update("min", self.array, values, _options(locals()))

    def max(
        self, values: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
        out_sharding: Any = None, wrap_negative_indices: bool = True,
    ) -> Any:  # fmt: skip
        """As `x[index] = maximum(x[index], values)`."""
        return self._update("max", self.array, values, _options(locals()))

    def apply(
        self, func: Callable[[Any], Any], *, indices_are_sorted: bool = False, unique_indices: bool = False,
        mode: Any = None, wrap_negative_indices: bool = True,
    ) -> Any:  # fmt: skip
        """As `func.at(x, index)` of a ufunc of NumPy: the function of the elements, once for every time named.

        Raises:
            TypeError: if it is no function.
        """
        apply = numpy_function("updating.apply")

        return apply(self.array, self.index, func, **_options(locals()))

    def _by_ones(self, method: str, function: str, values: Any, options: dict[str, Any]) -> Any:
        """The array and an array of ones with the values multiplied into it, put together by a function."""
        numpy = NAMESPACE[0]
        ones = numpy.ones_like(self.array)
        return getattr(numpy, function)(self.array, self._update(method, ones, values, options))


def _options(given: dict[str, Any]) -> dict[str, Any]:
    """Those of a method's arguments that say how to update."""
    names = ("indices_are_sorted", "unique_indices", "mode", "wrap_negative_indices", "out_sharding")
    return {n: given[n] for n in names if n in given and (n != "out_sharding" or given[n] is not None)}


@attribute
def at(self: Any) -> IndexUpdater:
    """Index this to make arrays that differ from this one at some places: `x.at[0].set(1)`."""
    return IndexUpdater(self)
