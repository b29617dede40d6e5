"""What `Array[float32, tuple[Literal[3], int]]` is at run time: a class that knows its dtype and sizes.

`isinstance` of it looks at the array's dtype, weak type and shape, also of a tracer's, so that beartype, typeguard and
everything else that asks `isinstance` checks them.  It is made once for each pair of parameters and then kept.

A parameter with type variables (`Array[D, S]` in a generic function or class) makes one of Python's own generic
aliases, which knows nothing of values.

Source: DESIGN of the types, JEP 12049; a class with `__instancecheck__` as in jaxtyping.
"""

from __future__ import annotations

import copyreg
import types
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, Union, get_args, get_origin

from typing_extensions import Unpack

from arraytyping.scalars import ABSTRACT, KINDS, SCALARS, bool_, generic
from arraytyping.semantics.annotation_names import short_name
from arraytyping.semantics.avals import ShapedArray, shape_tuple_str

__all__ = ["ArrayType", "Element", "Sizes", "abstract_value", "array_type", "element_of", "prng_key"]


class prng_key(generic):
    """A random key, as `random.key` makes them: not a number.

    NumPy's `issubdtype` takes another class of this name, which is one of NumPy's.
    """


_WEAK: Final[dict[type, str]] = {int: "i", float: "f", complex: "c"}
"""The kinds that a weak dtype has; unsigned ones are int too."""


Element = tuple[str, bool]
"""A dtype, and whether it is weak; all keys count as one dtype, `key`."""

_ALL: Final[tuple[Element, ...]] = (*((d, weak) for d in SCALARS for weak in (False, True)), ("key", False))


def abstract_value(array: Any) -> ShapedArray:
    """What is known of an array without its values, also of an array of keys, with which nothing computes."""
    try:
        return array.aval  # type: ignore[no-any-return]
    except AttributeError:
        return ShapedArray(tuple(array.shape), str(array.dtype))


def element_of(aval: ShapedArray) -> Element:
    """The dtype and weak type of an abstract value, of which the dtype is known."""
    dtype = str(aval.dtype)
    return ("key" if dtype.startswith("key<") else dtype), bool(aval.weak_type)


@cache
def _admitted(one: type) -> frozenset[Element]:
    return frozenset(element for element in _ALL if _is_of(element, one))


def _is_of(element: Element, one: type) -> bool:
    dtype, weak = element
    if one in _WEAK:
        return weak and KINDS[dtype].replace("u", "i") == _WEAK[one]
    # A weak bool never changes a later dtype; it is shown as bool_, and is bool_.
    return issubclass(SCALARS.get(dtype, prng_key), one) and (not weak or dtype == "bool")


@dataclass(frozen=True, slots=True)
class Sizes:
    """A tuple of sizes, each a set of admitted ones or None for any; `rest` is where any number of them may stand."""

    sizes: tuple[frozenset[int] | None, ...]
    rest: int | None = None

    def mismatch(self, shape: tuple[Any, ...]) -> str | None:
        """Why a shape is none of these; None if it is one."""
        fixed = len(self.sizes) - (self.rest is not None)
        if len(shape) < fixed or (self.rest is None and len(shape) != fixed):
            least = "at least " if self.rest is not None else ""
            return f"it has {_counted(len(shape))}, not {least}{fixed}"
        sizes = self.sizes if self.rest is None else self._expanded(len(shape))
        for axis, (size, wanted) in enumerate(zip(shape, sizes)):
            if wanted is not None and isinstance(size, int) and size not in wanted:
                return f"dimension {axis} has size {size}, not {' or '.join(map(str, sorted(wanted)))}"
        return None

    def _expanded(self, rank: int) -> tuple[frozenset[int] | None, ...]:
        assert self.rest is not None
        before, repeated, after = self.sizes[: self.rest], self.sizes[self.rest], self.sizes[self.rest + 1 :]
        return (*before, *(repeated,) * (rank - len(before) - len(after)), *after)


def _counted(rank: int) -> str:
    return f"{rank} dimension{'' if rank == 1 else 's'}"


class ArrayType(type):
    """The class of the classes that `Array[...]` makes."""

    parameters: tuple[Any, Any]
    elements: frozenset[Element] | None
    """The dtypes that are admitted; None if all are."""
    shapes: tuple[Sizes, ...] | None
    """The shapes that are admitted; None if all are."""

    def mismatch(cls, aval: ShapedArray) -> str | None:
        """Why an abstract value is none of an array of this type, as a part of a sentence; None if it is one."""
        if cls.elements is not None and aval.dtype is not None and element_of(aval) not in cls.elements:
            return cls.other_dtype(aval)
        return cls.shape_mismatch(aval)

    def other_dtype(cls, aval: ShapedArray) -> str:
        """That the dtype is another one, as a part of a sentence."""
        members = _members(cls.parameters[0])
        wanted = " or ".join(f"weak {short_name(one)}" if one in _WEAK else short_name(one) for one in members)
        return f"its dtype is {'weak ' if aval.weak_type else ''}{aval.dtype}, not {wanted}"

    def shape_mismatch(cls, aval: ShapedArray) -> str | None:
        """Why the shape of an abstract value is none of this type's, as a part of a sentence; None if it is one."""
        if cls.shapes is None or aval.shape is None:
            return None
        reasons = [sizes.mismatch(aval.shape) for sizes in cls.shapes]
        if None in reasons:
            return None
        if len(reasons) == 1:
            return reasons[0]
        return f"its shape is {shape_tuple_str(aval.shape)}, none of {short_name(cls.parameters[1])}"

    def __instancecheck__(cls, instance: Any) -> bool:
        if "parameters" not in cls.__dict__:  # a class of a user's that inherits from one
            return bool(type.__instancecheck__(cls, instance))
        if not isinstance(instance, cls.__bases__[0]):
            return False
        aval = abstract_value(instance)
        if cls.elements is not None and aval.dtype is not None and element_of(aval) not in cls.elements:
            return False
        return cls.shapes is None or cls.shape_mismatch(aval) is None

    def __eq__(cls, other: object) -> bool:
        """Whether this is the class of the same arrays."""
        if cls is other or not isinstance(other, ArrayType):
            return cls is other
        return bool(_reduced(cls) == _reduced(other))

    def __hash__(cls) -> int:
        return hash(cls.parameters) if "parameters" in cls.__dict__ else type.__hash__(cls)

    def __repr__(cls) -> str:
        # As Python writes it in a union, which beartype asks for.
        return f"{cls.__module__}.{cls.__name__}" if "parameters" in cls.__dict__ else type.__repr__(cls)


def _reduced(cls: ArrayType) -> Any:
    if "parameters" not in cls.__dict__:
        return cls.__qualname__
    return _subscripted, (cls.__bases__[0], cls.parameters)


def _subscripted(origin: Any, parameters: Any) -> Any:
    return origin[parameters]


copyreg.pickle(ArrayType, _reduced)  # pickle asks this table before it takes a class for one that has a name


def array_type(origin: type, parameters: tuple[Any, ...]) -> Any:
    """The class of the arrays with these parameters; None if there are type variables in them.

    Raises:
        TypeError: if they are no dtype and no shape.
    """
    written = f"{origin.__name__}[{', '.join(map(short_name, parameters))}]"
    if not 1 <= len(parameters) <= 2:
        raise TypeError(
            f"{written}: Array takes a dtype and a shape, got {len(parameters)} parameters; a shape is one tuple type, "
            "such as tuple[Literal[3], int]"
        )
    if any(map(_has_variables, parameters)):
        return None
    dtype, shape = parameters if len(parameters) == 2 else (*parameters, Any)
    elements = _elements_of(dtype, written)
    shapes = _shapes_of(shape, written)
    if shape is Any:
        written = f"{origin.__name__}[{short_name(dtype)}]"
    return ArrayType(
        written,
        (origin,),
        {
            "__slots__": (), "__module__": "arraytyping", "__doc__": origin.__doc__,
            "parameters": (dtype, shape), "elements": elements, "shapes": shapes,
        },
    )  # fmt: skip


def _has_variables(parameter: Any) -> bool:
    if isinstance(parameter, typing.TypeVar | typing.TypeVarTuple):
        return True
    return get_origin(parameter) is not Literal and any(map(_has_variables, get_args(parameter)))


def _members(parameter: Any) -> tuple[Any, ...]:
    if isinstance(parameter, types.UnionType) or get_origin(parameter) is Union:
        return tuple(m for part in get_args(parameter) for m in _members(part))
    return (parameter,)


def _elements_of(parameter: Any, written: str) -> frozenset[Element] | None:
    members = _members(parameter)
    if Any in members:
        return None
    for one in members:
        is_class = isinstance(one, type) and get_origin(one) is None
        if not (is_class and (issubclass(one, generic) or one in _WEAK)):
            raise TypeError(
                f"{written}: the first parameter is a dtype: a scalar type such as arraytyping.float32, int, float or "
                f"complex for a weak type, a union of these, or Any; got {_got(one)}"
            )
    return frozenset().union(*map(_admitted, members))


def _got(one: Any) -> str:
    """What was given instead of a dtype; the scalar type that was meant, where its name says so."""
    name = one if isinstance(one, str) else getattr(one, "__name__", getattr(one, "name", None))
    scalars: dict[str, type[generic]] = {**SCALARS, **ABSTRACT, "bool_": bool_, "prng_key": prng_key}
    meant = scalars.get(name) if isinstance(name, str) else None
    home = "arraytyping.typing" if meant is prng_key else "arraytyping"
    return short_name(one) + (f"; write {home}.{meant.__name__}" if meant is not None else "")


def _shapes_of(parameter: Any, written: str) -> tuple[Sizes, ...] | None:
    members = _members(parameter)
    found = []
    for one in members:
        if one is Any or one is tuple:
            return None
        if get_origin(one) is not tuple:
            raise TypeError(
                f"{written}: the second parameter is a shape: a tuple type such as tuple[Literal[3], int], or Any; "
                f"got {short_name(one)}" + (f"; write tuple[Literal[{one}]]" if type(one) is int else "")
            )
        found.append(_sizes_of(get_args(one), written))
    return tuple(found)


def _sizes_of(items: tuple[Any, ...], written: str) -> Sizes:
    if len(items) == 2 and items[1] is Ellipsis:
        return Sizes((_size_of(items[0], written),), 0)
    sizes: list[frozenset[int] | None] = []
    rest = None
    for item in items:
        unpacked = _unpacked(item)
        if unpacked is None:
            sizes.append(_size_of(item, written))
            continue
        inner = _sizes_of(unpacked, written)
        if inner.rest is not None:
            if rest is not None:
                raise TypeError(f"{written}: only one part of a shape may have an unknown number of dimensions")
            rest = len(sizes) + inner.rest
        sizes += inner.sizes
    return Sizes(tuple(sizes), rest)


def _unpacked(item: Any) -> tuple[Any, ...] | None:
    """The items of `*tuple[int, ...]` or `Unpack[tuple[int, ...]]` in a shape; None if it is neither."""
    if get_origin(item) is Unpack:
        (item,) = get_args(item)
    elif not getattr(item, "__unpacked__", False):
        return None
    return get_args(item)


def _size_of(item: Any, written: str) -> frozenset[int] | None:
    if item is Any or item is int or getattr(item, "__supertype__", None) is int:
        return None
    sizes: set[int] = set()
    for one in _members(item):
        values = get_args(one) if get_origin(one) is Literal else (one,)
        if get_origin(one) is not Literal or not all(type(v) is int and v >= 0 for v in values):
            raise TypeError(
                f"{written}: a size in a shape is Literal[3], int, or Any; got {short_name(one)}"
                + (f"; write Literal[{one}]" if type(one) is int else "")
            )
        sizes.update(values)
    return frozenset(sizes)
