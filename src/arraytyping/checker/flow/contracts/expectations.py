"""What an annotation asks for, in the few sorts that matter for arrays; all else is `ANYTHING`, and never checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from arraytyping.checker.flow.contracts.grammar import DimSpec
    from arraytyping.checker.flow.values import ClassValue

__all__ = [
    "ANYTHING",
    "NONE",
    "AnyArray",
    "ArrayOf",
    "DictOf",
    "Expectation",
    "ListOf",
    "UnionOf",
    "ProgramClass",
    "PythonClass",
    "Special",
    "TreeOf",
    "TupleOf",
    "arrays_in",
]


class Expectation:
    """What an annotation asks of a value."""

    __slots__ = ()


@dataclass(frozen=True)
class Special(Expectation):
    """Something without parts: anything at all, or None."""

    shown: str


ANYTHING: Final = Special("Any")
NONE: Final = Special("None")


@dataclass(frozen=True)
class ArrayOf(Expectation):
    """An array of a dtype and shape: `array_type` is the class of arrays, or `typing.Any`.

    `dtypes` are names, exact or as patterns, None for any; `dims` None for any shape.
    """

    array_type: Any
    dtypes: tuple[str | re.Pattern[str], ...] | None
    dims: tuple[DimSpec, ...] | None
    shown: str
    dtype_shown: str

    @property
    def single_dtype(self) -> str | None:
        """The dtype, if there is only one."""
        names = self.dtypes
        return names[0] if names is not None and len(names) == 1 and isinstance(names[0], str) else None


@dataclass(frozen=True)
class AnyArray(Expectation):
    """`jax.Array`, of whatever dtype and shape."""

    shown: str = "Array"


@dataclass(frozen=True)
class PythonClass(Expectation):
    """A type of Python's or NumPy's scalars: a type checker holds values against it, here it only settles unions."""

    cls: type

    @property
    def shown(self) -> str:
        """As it is written."""
        return self.cls.__name__


@dataclass(frozen=True, eq=False)
class ProgramClass(Expectation):
    """An instance of a class of the program: never checked, but made as an argument of an entry point."""

    cls: ClassValue

    @property
    def shown(self) -> str:
        """As it is written."""
        return self.cls.name


@dataclass(frozen=True)
class UnionOf(Expectation):
    """A union."""

    members: tuple[Expectation, ...]

    @property
    def shown(self) -> str:
        """As it is written."""
        return " | ".join(shown(m) for m in self.members)


@dataclass(frozen=True)
class TupleOf(Expectation):
    """A tuple: of these items, or of any number of the one in `items` if `is_variadic`."""

    items: tuple[Expectation, ...]
    is_variadic: bool = False

    @property
    def shown(self) -> str:
        """As it is written."""
        return f"tuple[{', '.join(map(shown, self.items)) or '()'}{', ...' if self.is_variadic else ''}]"


@dataclass(frozen=True)
class ListOf(Expectation):
    """A list, or another sequence or iterable by `name`, of one sort of items."""

    item: Expectation
    name: Literal["list", "Sequence"]

    @property
    def shown(self) -> str:
        """As it is written."""
        return f"{self.name}[{shown(self.item)}]"


@dataclass(frozen=True)
class DictOf(Expectation):
    """A dict or another mapping."""

    key: Expectation
    item: Expectation
    name: Literal["dict", "Mapping"]

    @property
    def shown(self) -> str:
        """As it is written."""
        return f"{self.name}[{shown(self.key)}, {shown(self.item)}]"


@dataclass(frozen=True)
class TreeOf(Expectation):
    """jaxtyping's `PyTree[leaf, "T"]`: the structure's name only says which leaf a `?name` belongs to."""

    leaf: Expectation
    structure: str | None = None

    @property
    def shown(self) -> str:
        """As it is written."""
        return f"PyTree[{shown(self.leaf)}]"


def shown(expectation: Expectation) -> str:
    """An expectation as it is written."""
    return str(getattr(expectation, "shown", "Any"))


def arrays_in(expectation: Expectation) -> Iterator[ArrayOf | AnyArray]:
    """The arrays in an expectation: without any, there is nothing to check."""
    if isinstance(expectation, ArrayOf | AnyArray):
        yield expectation
    elif isinstance(expectation, UnionOf):
        for member in expectation.members:
            yield from arrays_in(member)
    elif isinstance(expectation, TupleOf):
        for item in expectation.items:
            yield from arrays_in(item)
    elif isinstance(expectation, ListOf | DictOf):
        yield from arrays_in(expectation.item)
    elif isinstance(expectation, TreeOf):
        yield from arrays_in(expectation.leaf)
