"""Arrays of JAX and NumPy, what JAX makes of them, and trees of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from arraytyping.checker.flow.values.basic import Value, births
from arraytyping.checker.flow.values.missing import MISSING
from arraytyping.semantics.avals import ShapedArray

__all__ = ["ArrayValue", "AtValue", "NumPyValue", "RefValue", "TreeValue"]


class ArrayValue(Value):
    """A JAX array; `traced` says that it is a tracer, so its value cannot be looked at.

    `made` is the place (path, line) where it was computed.  A typed key array has a dtype such as `key<fry>`.
    `real` is the tracer of JAX that it stands for, with the number of the trace, while a function is followed live
    (see `engines.asking`).
    """

    __slots__ = ("aval", "made", "real", "traced")

    def __init__(self, aval: ShapedArray, traced: bool = False, made: tuple[str, int] | None = None) -> None:
        self.aval: ShapedArray = aval
        self.traced: bool = traced
        self.made: tuple[str, int] | None = made
        self.real: tuple[int, Any] | None = None

    def as_traced(self, traced: bool) -> ArrayValue:
        """The same array as a tracer, or as none; of its value nothing is known then."""
        aval = self.aval
        if aval.value is not None:
            aval = ShapedArray(aval.shape, aval.dtype, aval.weak_type)
        array = ArrayValue(aval, traced, self.made)
        array.real = self.real
        return array

    @property
    def is_key(self) -> bool:
        """Whether it is a typed array of random keys."""
        return self.aval.dtype is not None and self.aval.dtype.startswith("key<")

    @property
    def is_full(self) -> bool:
        """Whether dtype, weak type, rank and all sizes are known (also by a name)."""
        aval = self.aval
        return aval.shape is not None and None not in aval.shape and aval.weak_type is not None

    def __repr__(self) -> str:
        return f"ArrayValue({self.aval}{', traced' if self.traced else ''})"


class NumPyValue(Value):
    """A NumPy array, or a NumPy scalar if `is_scalar`; `data` holds its elements where they are known."""

    __slots__ = ("__weakref__", "alias", "born", "data", "dtype", "is_scalar", "made", "shape")

    def __init__(
        self,
        shape: tuple[Any, ...] | None,
        dtype: str | None,
        is_scalar: bool = False,
        data: Any = None,
        made: tuple[str, int] | None = None,
    ) -> None:
        self.shape: tuple[Any, ...] | None = shape
        self.dtype: str | None = dtype
        self.is_scalar: bool = is_scalar
        self.data: Any = data
        self.made: tuple[str, int] | None = made
        self.born: int = next(births)
        self.alias: Any = None

    def snapshot(self) -> Any:
        """What may change: the elements and the shape."""
        return self.data, self.shape

    def restore(self, snapshot: Any) -> None:
        """Go back to a snapshot."""
        self.data, self.shape = snapshot

    def __repr__(self) -> str:
        return f"NumPyValue({self.dtype}{self.shape}{', scalar' if self.is_scalar else ''})"


class AtValue(Value):
    """`x.at`, and with an index `x.at[index]`."""

    __slots__ = ("array", "index")

    def __init__(self, array: Any, index: Any = MISSING) -> None:
        self.array: Any = array
        self.index: Any = index

    def __repr__(self) -> str:
        return f"AtValue({self.array}, {self.index})"


class RefValue(Value):
    """A reference of JAX to an array that can be written (`jax.new_ref`), which keeps its shape and dtype."""

    __slots__ = ("aval", "made")

    def __init__(self, aval: ShapedArray, made: tuple[str, int] | None = None) -> None:
        self.aval: ShapedArray = aval
        self.made: tuple[str, int] | None = made

    def __repr__(self) -> str:
        return f"RefValue({self.aval})"


class TreeValue(Value):
    """An object of a library that is a pytree, such as the state of an optimizer: its structure and its leaves.

    `treedef` is JAX's `PyTreeDef`; the leaves are values.
    """

    __slots__ = ("leaves", "treedef")

    def __init__(self, treedef: Any, leaves: tuple[Any, ...]) -> None:
        self.treedef: Any = treedef
        self.leaves: tuple[Any, ...] = leaves

    @override
    def parts(self) -> Sequence[Any]:
        return self.leaves

    def __repr__(self) -> str:
        return f"TreeValue({self.treedef}, {self.leaves})"
