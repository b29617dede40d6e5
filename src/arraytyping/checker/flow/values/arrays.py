"""Arrays of JAX and NumPy, what JAX makes of them, and trees of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from typing_extensions import override

from arraytyping.checker.flow.values.basic import BaseValue, Value, births
from arraytyping.checker.flow.values.keys import KeyOrigin
from arraytyping.checker.flow.values.lives import Life
from arraytyping.checker.flow.values.missing import MISSING
from arraytyping.checker.flow.values.origins import place_of
from arraytyping.checker.flow.values.places import NOWHERE, Place
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import ShapedArray, array_str
from arraytyping.semantics.shardings import Spec, padded, read_spec
from arraytyping.semantics.sizes.polynomials import Size

__all__ = ["ArrayValue", "AtValue", "NumPyValue", "RefValue", "TreeValue"]

_KEY_WORDS: Final = (2, 4)
"""How many numbers of 32 bits a key is made of: those of threefry, and of rbg."""


class ArrayValue(BaseValue):
    """A JAX array; `traced` says that it is a tracer, so its value cannot be looked at.

    `origin` is the place (path, line) where it was computed.  A typed key array has a dtype such as `key<fry>`.
    `place` says where it lies, if that is known; `sharding` is the object of jax that it was put there with.
    `real` is the tracer of JAX that it stands for, with the number of the trace, while a function is followed live
    (see `engines.asking`).  `bounds` are the least and the greatest element of an array of integers, where
    both are known.  `key` is the identity of the random key that it is, if it is known to be one,
    and `life` is how long it can be used, if that is known.
    """

    __slots__ = ("aval", "bounds", "key", "life", "origin", "place", "real", "sharding", "traced")

    def __init__(self, aval: ShapedArray, traced: bool = False, origin: tuple[str, int] | None = None) -> None:
        self.aval: ShapedArray = aval
        self.traced: bool = traced
        self.origin: tuple[str, int] | None = origin
        self.real: tuple[int, Any] | None = None
        self.place: Place | None = None
        self.sharding: Any = None
        self.bounds: tuple[int, int] | None = None
        self.key: KeyOrigin | None = None
        self.life: Life | None = None

    def at(self, place: Place | None) -> ArrayValue:
        """The array itself, which was just made, at a place."""
        self.place = place
        return self

    def like(self, aval: ShapedArray, traced: bool) -> ArrayValue:
        """Another array that was made of this one at the same place; it is not known where, if it lies on a mesh."""
        return ArrayValue(aval, traced, place_of(self.origin)).at(NOWHERE if self.place is NOWHERE else None)

    def as_traced(self, traced: bool) -> ArrayValue:
        """The same array as a tracer, or as none; of its value nothing is known then."""
        aval = self.aval
        if aval.value is not None:
            aval = ShapedArray(aval.shape, aval.dtype, aval.weak_type)
        array = ArrayValue(aval, traced, self.origin)
        array.real = self.real
        array.key, array.place = self.key, self.place
        return array

    def with_key(self, key: KeyOrigin | None) -> ArrayValue:
        """Such an array as a key of this identity."""
        array = self.another()
        array.key = key
        return array

    def another(self) -> ArrayValue:
        """An array of its own of the same type; it is no key that was seen before."""
        array = ArrayValue(self.aval, self.traced, self.origin)
        array.real, array.bounds = self.real, self.bounds
        array.place, array.sharding = self.place, self.sharding
        array.life = self.life if self.traced else None
        return array

    @property
    def keys_shape(self) -> tuple[Value, ...] | None:
        """The shape of what may be an array of keys, typed or old ones of uint32; None if it cannot be one."""
        shape, dtype = self.aval.shape, self.aval.dtype
        if shape is None or dtype is None:
            return None
        if dtype == "uint32":
            return shape[:-1] if shape and shape[-1] in _KEY_WORDS else None
        return shape if self.is_key else None

    @property
    def cut(self) -> Spec | None:
        """Along which axes it is cut, if that is known: as its type says, or as it was put there."""
        shape = self.aval.shape
        if shape is None or self.place is None:
            return None
        spec = self.place.axes
        if spec is None and self.sharding is not None:
            spec = read_spec(self.sharding.spec)
        return None if spec is None else padded(spec, len(shape))

    @property
    def shown(self) -> str:
        """The array as messages show it: `float32[1024@data, 128]`."""
        aval = self.aval
        return array_str(aval.dtype, aval.weak_type, aval.shape, self.cut)

    @property
    def is_key(self) -> bool:
        """Whether it is a typed array of random keys."""
        return self.aval.dtype is not None and self.aval.dtype.startswith("key<")

    @property
    def is_full(self) -> bool:
        """Whether dtype, weak type, rank and all sizes are known (also by a name)."""
        aval = self.aval
        return aval.shape is not None and None not in aval.shape and aval.weak_type is not None

    @override
    def type_name(self) -> str:
        return "Array"

    def __repr__(self) -> str:
        return f"ArrayValue({self.aval}{', traced' if self.traced else ''})"


class NumPyValue(BaseValue):
    """A NumPy array, or a NumPy scalar if `is_scalar`; `data` holds its elements where they are known.

    `limits` are the least and the greatest that its integers may be, where they are known in symbols.  `rows` are the
    shape and the dtype that it has unless it is empty, as of a list of arrays that may have no items.  A scalar
    that is computed of sizes alone does not hang on the data of the program: its `is_data` is false.

    What has no known rank may be either: an item of an array is a scalar where the array has one dimension.
    """

    __slots__ = (
        "__weakref__", "alias", "born", "data", "dtype", "is_data", "is_scalar", "limits", "origin", "rows", "shape",
    )  # fmt: skip

    def __init__(
        self,
        shape: tuple[Any, ...] | None,
        dtype: str | None,
        is_scalar: bool = False,
        data: Any = None,
        origin: tuple[str, int] | None = None,
    ) -> None:
        self.shape: tuple[Any, ...] | None = shape
        self.dtype: str | None = dtype
        self.is_scalar: bool = is_scalar
        self.data: Any = data
        self.origin: tuple[str, int] | None = origin
        self.born: int = next(births)
        self.alias: Any = None
        self.is_data: bool = True
        self.limits: tuple[Size, Size] | None = None
        self.rows: tuple[tuple[Any, ...], str | None] | None = None

    @property
    def is_array(self) -> bool:
        """Whether it is certainly an array."""
        return not self.is_scalar and self.shape is not None

    def snapshot(self) -> Any:
        """What may change: the elements and the shape."""
        return self.data, self.shape

    def restore(self, snapshot: Any) -> None:
        """Go back to a snapshot."""
        self.data, self.shape = snapshot

    @override
    def type_name(self) -> str:
        return "numpy.ndarray"

    def __repr__(self) -> str:
        return f"NumPyValue({self.dtype}{self.shape}{', scalar' if self.is_scalar else ''})"


class AtValue(BaseValue):
    """`x.at`, and with an index `x.at[index]`."""

    __slots__ = ("array", "index")

    def __init__(self, array: Value, index: Value = MISSING) -> None:
        self.array: Value = array
        self.index: Value = index

    def __repr__(self) -> str:
        return f"AtValue({self.array}, {self.index})"


class RefValue(BaseValue):
    """A reference of JAX to an array that can be written (`jax.new_ref`), which keeps its shape and dtype."""

    __slots__ = ("aval", "origin")

    def __init__(self, aval: ShapedArray, origin: tuple[str, int] | None = None) -> None:
        self.aval: ShapedArray = aval
        self.origin: tuple[str, int] | None = origin

    def __repr__(self) -> str:
        return f"RefValue({self.aval})"


class Structure:
    """JAX's `PyTreeDef` where structures are compared: those whose metadata cannot be compared are different ones."""

    __slots__ = ("treedef",)

    def __init__(self, treedef: Any) -> None:
        self.treedef: Any = treedef

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Structure):
            return False
        if self.treedef is other.treedef:
            return True
        try:
            return bool(self.treedef == other.treedef)
        except Exception as error:  # of an array among the metadata, or of what a library compares in its own way
            swallow(error)
            return False

    def __hash__(self) -> int:
        try:
            return hash(self.treedef)
        except Exception as error:
            swallow(error)
            return int(self.treedef.num_nodes)


class TreeValue(BaseValue):
    """An object of a library that is a pytree, such as the state of an optimizer: its structure and its leaves.

    `treedef` is JAX's `PyTreeDef`; the leaves are values.
    """

    __slots__ = ("leaves", "treedef")

    def __init__(self, treedef: Any, leaves: tuple[Value, ...]) -> None:
        self.treedef: Any = treedef
        self.leaves: tuple[Any, ...] = leaves

    @property
    def structure(self) -> Structure:
        """What two objects of the same structure have in common."""
        return Structure(self.treedef)

    @override
    def parts(self) -> Sequence[Value]:
        return self.leaves

    @override
    def mapped(self, change: Callable[[Value], Value]) -> Value:
        return TreeValue(self.treedef, tuple(map(change, self.leaves)))

    def __repr__(self) -> str:
        return f"TreeValue({self.treedef}, {self.leaves})"
