"""The permissive types at run time: classes whose instances are what may stand for an array, a dtype or a shape.

Nothing is made of them; `isinstance` asks `mismatch`, which says why a value is none of them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final, SupportsIndex

from arraytyping.basearray import Array
from arraytyping.scalars import DTYPES, NAMES, ScalarType
from arraytyping.semantics.array_types import ArrayType, Element, abstract_value, element_of, prng_key
from arraytyping.semantics.avals import ShapedArray

__all__ = ["ArrayLike", "DTypeLike", "KeyArray", "Permissive", "ShapeLike"]


class Permissive(type):
    """The class of these classes."""

    def mismatch(cls, value: Any) -> str | None:
        """Why the value is none of this type, as a part of a sentence, which may be empty; None if it is one."""
        raise NotImplementedError

    def __instancecheck__(cls, instance: Any) -> bool:
        return cls.mismatch(instance) is None

    def __call__(cls, *args: object, **kwargs: object) -> Any:
        """Nothing is made of these.

        Raises:
            TypeError: always.
        """
        raise TypeError(f"{cls.__name__} is not called; it is for annotations, isinstance and typing.check")

    def __repr__(cls) -> str:  # as Python writes it in a union, which beartype asks for
        return f"{cls.__module__}.{cls.__name__}"


class _ArrayLike(Permissive):
    _array: Any
    """The type of the arrays that it admits: `Array`, or what `Array[...]` makes."""

    def __getitem__(cls, parameters: Any) -> Any:
        array = cls._array[parameters]
        if not isinstance(array, ArrayType):  # there are type variables in it, of which nothing is known here
            return cls
        if array not in _ARRAY_LIKES:
            name = f"ArrayLike{array.__name__.removeprefix('Array')}"
            _ARRAY_LIKES[array] = _ArrayLike(
                name, (), {"_array": array, "__doc__": cls.__doc__, "__module__": __package__}
            )
        return _ARRAY_LIKES[array]

    def mismatch(cls, value: Any) -> str | None:
        aval = _abstract(value)
        if aval is None:
            return "it is no array; make one of it with asarray" if isinstance(value, list | tuple) else ""
        if str(aval.dtype).startswith("key<"):
            return "keys are no numbers; random.key_data gives their bits"
        wanted: Any = cls._array
        if not isinstance(wanted, ArrayType):
            return None
        if not (wanted.elements is None or aval.dtype is None or _becomes(element_of(aval), wanted.elements)):
            canonical = "" if isinstance(value, Array) else "as an array, "
            return canonical + wanted.other_dtype(aval)
        return wanted.shape_mismatch(aval)


_ARRAY_LIKES: Final[dict[Any, Any]] = {}


def _abstract(value: Any) -> ShapedArray | None:
    """The abstract value of the array that is made of an array-like, None for what is none."""
    from arraytyping import config

    if isinstance(value, Array):
        return abstract_value(value)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray | numpy.generic):
        name = value.dtype.name
        return ShapedArray(value.shape, config.promotion().canonicalize(name)) if name in DTYPES else None
    for kind in (bool, int, float, complex):
        if isinstance(value, kind):
            return ShapedArray((), config.promotion().default(kind.__name__), True)
    return _abstract(value.__jax_array__()) if hasattr(type(value), "__jax_array__") else None


def _becomes(element: Element, wanted: frozenset[Element]) -> bool:
    """Whether an array of this element is of one that is wanted, or gives way to one, as Python's numbers do."""
    from arraytyping import config
    from arraytyping.semantics.promotion.jax import Element as PromotionElement

    if element in wanted:
        return True
    if not element[1]:
        return False
    promotion = config.promotion()
    node = promotion.node(PromotionElement(*element)) if element[0] != "bool" else "bool"
    others = {promotion.node(PromotionElement(*one)) for one in wanted if one[0] not in ("key", "bool")}
    return any(promotion.lattice.le(node, other) for other in others if other in promotion.lattice.elements)


class _DTypeLike(Permissive):
    def mismatch(cls, value: Any) -> str | None:
        if isinstance(value, str) and value in DTYPES:
            return None
        if isinstance(value, ScalarType):
            return None if value in NAMES else f"{value.__name__} stands for several dtypes; give one of them"
        if isinstance(value, type) and value in (bool, int, float, complex):
            return None
        import numpy as np

        if not isinstance(value, str | type | np.dtype):
            value = getattr(value, "dtype", None)
        try:
            return None if value is not None and np.dtype(value).name in DTYPES else ""
        except TypeError:
            return ""


class _ShapeLike(Permissive):
    def mismatch(cls, value: Any) -> str | None:
        if _is_size(value):
            return None
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            return ""
        for n, item in enumerate(value):
            if not _is_size(item):
                return f"item {n} is {item!r:.40}, which is no size"
        return None


def _is_size(value: Any) -> bool:
    """Whether this is an integer: Python's, NumPy's, or an array without dimensions whose value is known."""
    if not isinstance(value, SupportsIndex):
        return False
    try:
        return value.__index__() >= 0
    except TypeError:  # an array that is no integer, or has dimensions, or whose value is not known
        return False


class _KeyArrayType(ArrayType):
    def __getitem__(cls, shape: Any) -> Any:
        return Array[prng_key, shape]


def _form(kind: type[Permissive], name: str, doc: str, **attributes: Any) -> Any:
    return kind(name, (), {"__module__": __package__, "__doc__": doc, **attributes})


ArrayLike: Final = _form(
    _ArrayLike,
    "ArrayLike",
    "What functions of arrays make an array of: arrays, tracers, arrays and scalars of NumPy, numbers; no lists.",
    _array=Array,
)
DTypeLike: Final = _form(
    _DTypeLike, "DTypeLike", "What stands for a dtype: a scalar type, a Python type, a name, or what has a dtype."
)
ShapeLike: Final = _form(_ShapeLike, "ShapeLike", "What stands for a shape: an integer, or a sequence of integers.")
KeyArray: Final[Any] = _KeyArrayType(
    "KeyArray",
    (Array,),
    {
        **{n: vars(Array[prng_key])[n] for n in ("__slots__", "parameters", "elements", "shapes")},
        "__module__": __package__,
        "__doc__": "Random keys, as `random.key` makes them; its one parameter is the shape.",
    },
)
