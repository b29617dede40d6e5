"""What every abstract value is, and those without contents: unknown ones, scalars, alternatives."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from typing_extensions import override

from arraytyping.semantics.sizes.polynomials import Size

__all__ = [
    "AliasedValue",
    "BaseValue",
    "OWN_METHODS",
    "Mutable",
    "OfNumPy",
    "ScalarValue",
    "SavedValue",
    "DeclaredValue",
    "ShapeValue",
    "TracerText",
    "UnionValue",
    "Unknown",
    "Value",
    "births",
    "is_concrete",
    "own_methods",
    "type_name",
    "remake_tuple",
]

births: Iterator[int] = itertools.count()

# What a variable of the program may hold: a `BaseValue`, a tuple of values, or a concrete Python object, so that
# `isinstance` has to say which.  A text, so that nobody asks `isinstance(x, Value)`, which would be true of everything.
Value: TypeAlias = "object"


class BaseValue:
    """What is no concrete Python object."""

    __slots__ = ()

    def parts(self) -> Sequence[Value]:
        """The values that this one holds, as far as they are known; nothing is evaluated for it."""
        return ()

    def will_change(self) -> None:
        """Forget what is known only until something is written."""

    def mapped(self, change: Callable[[Value], Value]) -> Value:
        """Another value of this sort, of which each item is changed; what has no items that JAX sees stays itself."""
        return self

    def type_name(self) -> str:
        """The name of the type of what it stands for, as Python's messages have it."""
        return "object"


class Unknown(BaseValue):
    """It may be anything; `why` is shown to the user."""

    __slots__ = ("why",)

    def __init__(self, why: str) -> None:
        self.why: str = why

    def __repr__(self) -> str:
        return f"Unknown({self.why!r})"


class AliasedValue(Unknown):
    """It may be anything, and perhaps one of `others`, or what one of them holds or does.

    What is written to it, or done by calling it, may be done to them.
    """

    __slots__ = ("others",)

    def __init__(self, why: str, others: tuple[Value, ...]) -> None:
        super().__init__(why)
        self.others: tuple[Value, ...] = others


class ShapeValue(Unknown):
    """The shape of an array of unknown rank: a tuple of ints, each of which is the same whenever it is asked for."""

    __slots__ = ("sizes",)

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.sizes: dict[int, Value] = {}


class DeclaredValue(Unknown):
    """An instance of a class of Python's own library of which no more is known: `pathlib.Path(text)`."""

    __slots__ = ("cls",)

    def __init__(self, cls: type) -> None:
        super().__init__(f"an instance of {cls.__module__}.{cls.__qualname__}")
        self.cls: type = cls


class SavedValue(Unknown):
    """What a program has saved in an earlier run and goes on from: as what it has in its place if there is nothing.

    `loaded` is how often something had been loaded on the path on which it came about: where it meets one on which less
    has been loaded, this is as what that one has.
    """

    __slots__ = ("is_itself", "loaded")

    def __init__(self, why: str, loaded: int, is_itself: bool = False) -> None:
        super().__init__(why)
        self.loaded: int = loaded
        self.is_itself: bool = is_itself
        """Whether it is what was loaded, or a part of that, and not what was made of it."""


class OfNumPy:
    """Stands among the kinds of a scalar that may be one of NumPy's as well: beside `int`, it may be an `np.int64`."""


class ScalarValue(BaseValue):
    """A Python scalar or string whose value is not known; `kinds` are the types that it may have.

    `size` is what is known of an int: an expression in symbols, see `sizes`.  `is_data` tells a value that hangs on the
    program's data (values of arrays, random numbers, what is computed of these) from one that flow does not know for
    another reason: see `certainty`.
    """

    __slots__ = ("is_data", "kinds", "size")

    def __init__(self, *kinds: type, size: Size | None = None, is_data: bool = False) -> None:
        self.kinds: tuple[type, ...] = kinds
        self.size: Size | None = size
        self.is_data: bool = is_data

    @override
    def type_name(self) -> str:
        return self.kinds[0].__name__

    @property
    def of_python(self) -> ScalarValue:
        """The scalar as one of Python's, also where it may be NumPy's."""
        if OfNumPy not in self.kinds:
            return self
        kinds = (k for k in self.kinds if k is not OfNumPy)
        return ScalarValue(*kinds, size=self.size, is_data=self.is_data)

    def __repr__(self) -> str:
        of = f" = {self.size}" if self.size is not None else ""
        return f"ScalarValue({'|'.join(k.__name__ for k in self.kinds)}{of})"


class TracerText(ScalarValue):
    """A text in which a tracer is written in the place of a value; `life` is the trace's."""

    __slots__ = ("life",)

    def __init__(self, life: object) -> None:
        super().__init__(str, is_data=True)
        self.life: object = life


class UnionValue(BaseValue):
    """One of several values of different sorts, such as None or an array."""

    __slots__ = ("values",)

    def __init__(self, values: tuple[Value, ...]) -> None:
        self.values: tuple[Value, ...] = values

    @override
    def parts(self) -> Sequence[Value]:
        return self.values

    @override
    def mapped(self, change: Callable[[Value], Value]) -> Value:
        return UnionValue(tuple(map(change, self.values)))

    def __repr__(self) -> str:
        return f"UnionValue{self.values}"


class Mutable(BaseValue):
    """A value with an identity, whose contents may change.

    `born` orders them by age; `alias` says which others may be the same object (see `aliases`).
    """

    __slots__ = ("__weakref__", "alias", "born")

    def __init__(self) -> None:
        self.born: int = next(births)
        self.alias: Any = None

    def snapshot(self) -> Any:
        """The contents as they are now."""
        raise NotImplementedError

    def restore(self, snapshot: Any) -> None:
        """Go back to a snapshot."""
        raise NotImplementedError


OWN_METHODS: Final = "__own_methods__"
"""Where the type of a NamedTuple of the program has its special methods; no field has such a name."""


def own_methods(value: Any) -> Mapping[str, Any]:
    """The special methods that the program defines in a NamedTuple, by their names; none for any other value."""
    kind = type(value)
    # Only a named tuple may have them, and asking for what is not there takes its time.
    found: Mapping[str, Any] = getattr(kind, OWN_METHODS, {}) if kind is not tuple and issubclass(kind, tuple) else {}
    return found


def type_name(value: Value) -> str:
    """The name of a value's type, as Python's messages have it."""
    return value.type_name() if isinstance(value, BaseValue) else type(value).__name__


def is_concrete(value: Value) -> bool:
    """Whether a value is a concrete Python object, through and through."""
    if isinstance(value, BaseValue):
        return False
    if isinstance(value, tuple) or type(value) is slice:
        return _is_concrete_within(value)
    return True


def _is_concrete_within(value: Any) -> bool:
    """`is_concrete` of a tuple or slice; what occurs several times is looked at once."""
    stack, seen = [value], set()
    while stack:
        v = stack.pop()
        if type(v) is not tuple and own_methods(v):
            return False
        parts = v if isinstance(v, tuple) else (v.start, v.stop, v.step)
        for part in parts:
            if isinstance(part, BaseValue):
                return False
            if (isinstance(part, tuple) or type(part) is slice) and id(part) not in seen:
                seen.add(id(part))
                stack.append(part)
    return True


def remake_tuple(original: tuple[Any, ...], items: list[Value]) -> tuple[Value, ...]:
    """A tuple of the same type, also a NamedTuple, with other items."""
    if type(original) is tuple:
        return tuple(items)
    return tuple.__new__(type(original), items)
