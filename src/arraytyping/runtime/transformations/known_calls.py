"""How calls of a compiled function are told apart before anything is looked at closely: by a key of identities.

Equal abstract values of arrays are one object, and so are those of numbers of a kind; who keeps a program by such a
key keeps them alive.  Containers are taken apart by jaxlib (`EVAL.flatten`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter, itemgetter
from typing import Any, Final

import numpy as np

from arraytyping.runtime.array_likes import PYTHON_SCALARS, scalar_from
from arraytyping.runtime.core import EVAL
from arraytyping.runtime.transformations.jit_arguments import kind_of
from arraytyping.semantics.promotion.jax import JaxPromotion

__all__ = ["KnownCall", "Looks", "order_of"]

_AVAL: Final = attrgetter("aval")
_BUFFER: Final = attrgetter("_buffer")

_NUMBERS: Final = frozenset(PYTHON_SCALARS)


KnownCall = tuple[tuple[Any, ...], Sequence[Any], list[Any], tuple[str, ...] | None]
"""A call as it was given: its key, its arrays and numbers, their buffers, and the names of its keywords.

The names are in the order in which they were given; there are none where containers were taken apart.
"""


def order_of(known: KnownCall) -> tuple[int, ...] | None:
    """Which leaf is which argument of the program, whose keywords are sorted; None if they are in order."""
    _, leaves, _, names = known
    if names is None or [*names] == sorted(names):
        return None
    first = len(leaves) - len(names)
    return (*range(first), *[first + names.index(name) for name in sorted(names)])


class Looks:
    """How the calls of one function are looked at: once an argument was a container all are taken apart, and so on."""

    __slots__ = ("has_containers", "has_others", "has_static", "names", "numbers", "split")

    def __init__(self, static_numbers: frozenset[int], static_names: frozenset[str]) -> None:
        self.numbers: frozenset[int] = static_numbers
        self.names: frozenset[str] = static_names
        self.has_static: bool = bool(static_numbers or static_names)
        self.has_containers: bool = False
        self.has_others: bool = False
        self.split: _Splits = _Splits(static_numbers)

    def look(self, args: Sequence[Any], kwargs: dict[str, Any], promotion: JaxPromotion) -> KnownCall | None:
        """The call as it is found by; None if something in it is neither an array nor a number."""
        static, dynamic, named = self._split(args, kwargs) if self.has_static else ((), args, kwargs)
        names: tuple[str, ...] | None = None
        head: tuple[Any, ...]
        if self.has_containers:
            try:
                leaves, structure = EVAL.flatten((dynamic, named))
            except Exception:  # of a dict without an order, or of a class: those who look closely say it
                return None
            head = id(promotion), structure, static
        else:
            names = tuple(named)
            leaves = [*dynamic, *named.values()] if named else dynamic  # type: ignore[assignment]
            head = id(promotion), len(args), names, static
        if not self.has_others:
            try:
                return (*head, *map(id, map(_AVAL, leaves))), leaves, [*map(_BUFFER, leaves)], names
            except AttributeError:  # not arrays alone
                self.has_others = True
        if (found := _taken(leaves, promotion)) is not None:
            return (*head, *found[0]), leaves, found[1], names
        if self.has_containers:
            return None
        self.has_containers = True
        return self.look(args, kwargs, promotion)

    def _split(
        self, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], Sequence[Any], dict[str, Any]]:
        dynamic, values = self.split[len(args)](args)
        static: list[Any] = []
        for value in values:
            kind = type(value)
            static += (kind_of(value) if kind is float or kind is tuple else kind, value)
        if kwargs:
            for name in sorted(self.names.intersection(kwargs)):
                static += (name, kind_of(kwargs[name]), kwargs[name])
            kwargs = {n: v for n, v in kwargs.items() if n not in self.names}
        return tuple(static), dynamic, kwargs


_Split = Callable[[Sequence[Any]], tuple[tuple[Any, ...], tuple[Any, ...]]]


class _Splits(dict[int, _Split]):
    """For each number of positional arguments what splits them into dynamic ones and static ones."""

    def __init__(self, static_numbers: frozenset[int]) -> None:
        super().__init__()
        self.static_numbers: frozenset[int] = static_numbers

    def __missing__(self, count: int) -> _Split:
        dynamic = _getter([i for i in range(count) if i not in self.static_numbers])
        static = _getter([i for i in range(count) if i in self.static_numbers])
        self[count] = made = lambda args: (dynamic(args), static(args))
        return made


def _getter(places: list[int]) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """What takes the items at these places, always as a tuple."""
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1) if places else slice(0, 0))


def _taken(leaves: Sequence[Any], promotion: JaxPromotion) -> tuple[list[int], list[Any]] | None:
    """The identities of abstract values, and the buffers; None if a leaf is neither an array nor a number."""
    array_class = EVAL.array_class
    kinds, buffers = [], []
    try:
        for leaf in leaves:
            kind = type(leaf)
            if kind is array_class:
                kinds.append(id(leaf.aval))
                buffers.append(leaf._buffer)
            elif kind in _NUMBERS:
                scalar = scalar_from(leaf, promotion)
                kinds.append(id(scalar.aval))
                buffers.append(scalar._buffer if hasattr(scalar, "_buffer") else EVAL.buffer_of(scalar))
            elif kind is np.ndarray or isinstance(leaf, np.generic):
                buffer = EVAL.buffer_from(leaf if kind is np.ndarray else np.asarray(leaf), promotion)
                kinds.append(id(buffer.aval.aval))
                buffers.append(buffer)
            else:
                return None
    except (TypeError, OverflowError, NotImplementedError):
        return None
    return kinds, buffers
