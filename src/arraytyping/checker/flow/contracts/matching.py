"""A value against what an annotation asks for: it fits, it may fit, or it certainly cannot.

Bindings that a mismatch has made are taken back, and those of a union or of alternatives hold only where it is certain
which one it is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from arraytyping.checker.flow.contracts.arrays import (
    NO_ARRAYS,
    NUMBERS,
    dtype_fits,
    no_array,
    other_array,
    plain_array,
    settle,
)
from arraytyping.checker.flow.contracts.bindings import Bindings
from arraytyping.checker.flow.contracts.dimensions import FITS, MAY_FIT, Mismatch, Place, Verdict, check_shape, least
from arraytyping.checker.flow.contracts.expectations import (
    NONE,
    AnyArray,
    ArrayOf,
    DictOf,
    Expectation,
    ListOf,
    PythonClass,
    TreeOf,
    TupleOf,
    UnionOf,
    arrays_in,
)
from arraytyping.checker.flow.contracts.jaxtyping_classes import holds
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.flow.values import ArrayValue, DictValue, ListValue, NumPyValue, ScalarValue, UnionValue, Value

__all__ = ["Matcher"]


class Matcher:
    """Matches the parts of one value; `only_dtype` leaves shapes and all that is no array alone, as for fields."""

    def __init__(self, bindings: Bindings, place: Place, only_dtype: bool = False) -> None:
        self.bindings = bindings
        self.place: Place = place
        self.only_dtype = only_dtype

    def match(self, expected: Expectation, value: Value, path: str = "") -> Verdict:
        """Hold a value against an expectation, and bind the names of dimensions."""
        before = self.bindings.copy()
        verdict = (
            self._alternatives(expected, value, path)
            if isinstance(value, UnionValue)
            else self._one(expected, value, path)
        )
        if isinstance(verdict, Mismatch):
            self.bindings.take(before)
            if verdict.expected is None:
                verdict.given, verdict.expected, verdict.path = value, expected, path
        elif verdict is MAY_FIT:
            self.blur(expected)
        return verdict

    def blur(self, expected: Expectation) -> None:
        """The names of an expectation may have been bound, where it is not known to what."""
        for array in arrays_in(expected):
            for spec in (array.dims or ()) if isinstance(array, ArrayOf) else ():
                if spec.kind == "named" and not spec.by_leaf:
                    self.bindings.blur(spec.text, spec.variadic)

    def _one(self, expected: Expectation, value: Value, path: str) -> Verdict:
        if isinstance(expected, ArrayOf):
            return self._array(expected, value)
        if isinstance(expected, UnionOf):
            return self._union(expected, value, path)
        if isinstance(expected, TreeOf):
            return self._tree(expected, value, path)
        if isinstance(expected, AnyArray):
            return MAY_FIT if self.only_dtype else plain_array(value)
        if isinstance(expected, TupleOf | ListOf | DictOf) and any(True for _ in arrays_in(expected)):
            return self._container(expected, value, path)
        return MAY_FIT

    # ------------------------------------------------------------------ alternatives

    def _alternatives(self, expected: Expectation, value: UnionValue, path: str) -> Verdict:
        """One of several values: a mismatch if none of them can fit."""
        before = self.bindings.copy()
        mismatches: list[Mismatch] = []
        possible: list[tuple[Verdict, Bindings]] = []
        for one in value.values:
            verdict = self.match(expected, one, path)
            if isinstance(verdict, Mismatch):
                mismatches.append(verdict)
            else:
                possible.append((verdict, self.bindings.copy()))
            self.bindings.take(before)
        if not possible:
            return next((m for m in mismatches if m.tolerable), mismatches[0])
        if len(possible) == 1:  # else it is a mistake
            self.bindings.take(possible[0][1])
        return FITS if not mismatches and all(verdict is FITS for verdict, _ in possible) else MAY_FIT

    def _union(self, expected: UnionOf, value: Value, path: str) -> Verdict:
        """One of several types, the first that fits: a mismatch if the value fits none of them."""
        if not any(True for _ in arrays_in(expected)):
            return MAY_FIT
        before = self.bindings.copy()
        mismatches: list[Mismatch] = []
        possible: list[tuple[Verdict, Bindings]] = []
        for member in expected.members:
            is_settled = member is NONE or isinstance(member, PythonClass)
            verdict = settle(member, value) if is_settled else self.match(member, value, path)
            if isinstance(verdict, Mismatch):
                mismatches += [] if is_settled else [verdict]
            else:
                possible.append((verdict, self.bindings.copy()))
            self.bindings.take(before)
            if verdict is FITS:
                break
        if not possible:
            if len(mismatches) == 1:
                return mismatches[0]
            # Of `Float[Array | ndarray, "n"]` one member is of the other library.
            reasons = {(m.reason, m.advice) for m in mismatches if not m.tolerable}
            return Mismatch(
                *(reasons.pop() if len(reasons) == 1 else ("it fits none of them", "")),
                tolerable=any(m.tolerable for m in mismatches),
                minor=bool(mismatches) and all(m.minor for m in mismatches),
            )
        if len(possible) > 1:
            return MAY_FIT
        self.bindings.take(possible[0][1])
        return possible[0][0]

    # ------------------------------------------------------------------ arrays

    def _array(self, expected: ArrayOf, value: Value) -> Verdict:
        if not isinstance(value, ArrayValue | NumPyValue):
            if self.only_dtype or not isinstance(value, (*NO_ARRAYS, tuple)) or hasattr(value, "dtype"):
                return MAY_FIT
            return no_array(value) if holds(expected.array_type, value) is False else MAY_FIT
        is_array = holds(expected.array_type, value)
        if is_array is False:
            return MAY_FIT if self.only_dtype else self._other_library(expected, value)
        if is_array is None:
            return MAY_FIT
        dtype = dtype_fits(expected, value)
        if isinstance(dtype, Mismatch):
            return dtype
        if self.only_dtype:
            return dtype
        return least([dtype, self.shape_of(expected, value)])

    def _other_library(self, expected: ArrayOf, value: ArrayValue | NumPyValue) -> Verdict:
        """An array of the other library: its shape is what matters, since either library takes the other's."""
        fits = self.shape_of(expected, value)
        return fits if isinstance(fits, Mismatch) else other_array(value)

    def shape_of(self, expected: ArrayOf, value: ArrayValue | NumPyValue) -> Verdict:
        """Hold the shape alone of an array against an annotation, and bind the names of its dimensions."""
        shape = value.aval.shape if isinstance(value, ArrayValue) else value.shape
        return FITS if expected.dims is None else check_shape(expected.dims, shape, self.bindings, self.place)

    # ------------------------------------------------------------------ containers

    def _container(self, expected: TupleOf | ListOf | DictOf, value: Value, path: str) -> Verdict:
        if isinstance(expected, TupleOf):
            if isinstance(value, tuple):
                return self._tuple(expected, value, path)
        elif isinstance(expected, ListOf):
            items = value.items if isinstance(value, ListValue) else value if isinstance(value, tuple) else None
            if items is not None:
                return self._items([(expected.item, v, f"{path}[{i}]") for i, v in enumerate(items)])
        elif isinstance(value, DictValue):
            if value.items is None:
                return MAY_FIT
            return self._items([(expected.item, v, f"{path}[{_key(k)}]") for k, v in value.items.items()])
        if (
            isinstance(value, ArrayValue)
            and not self.only_dtype
            and getattr(expected, "name", "") not in ("Sequence", "Mapping")
        ):
            return self._other_structure(expected, f"it is an array, not a {getattr(expected, 'name', 'tuple')}")
        return MAY_FIT

    def _other_structure(self, expected: Expectation, reason: str) -> Mismatch:
        """Another structure than is asked for: where it is one of arrays alone, minor as what is no array is."""
        is_plain = all(isinstance(array, AnyArray) for array in arrays_in(expected))
        return Mismatch(reason, "", tolerable=is_plain, minor=is_plain)

    def _tuple(self, expected: TupleOf, value: tuple[Value, ...], path: str) -> Verdict:
        if expected.is_variadic:
            return self._items([(expected.items[0], v, f"{path}[{i}]") for i, v in enumerate(value)])
        if expected.items and len(value) != len(expected.items):
            if self.only_dtype:
                return MAY_FIT
            count = f"{len(value)} item{'' if len(value) == 1 else 's'}"
            return self._other_structure(expected, f"it has {count}, not {len(expected.items)}")
        return self._items([(e, v, f"{path}[{i}]") for i, (e, v) in enumerate(zip(expected.items, value))])

    def _items(self, parts: list[tuple[Expectation, Value, str]]) -> Verdict:
        verdicts: list[Verdict] = []
        for expected, value, path in parts:
            verdict = self.match(expected, value, path)
            if isinstance(verdict, Mismatch) and not verdict.tolerable:
                return verdict
            verdicts.append(verdict)
        return least(verdicts)

    def _tree(self, expected: TreeOf, value: Value, path: str) -> Verdict:
        """Each leaf of a pytree; what fits a leaf as a whole is one, also if it is a container."""
        if value is None or not any(True for _ in arrays_in(expected)):
            return FITS
        outer = self.place
        verdicts: list[Verdict] = []
        for i, (leaf_path, leaf) in enumerate(self._leaves(expected.leaf, value, path)):
            if leaf_path is None:
                return MAY_FIT
            if expected.structure is not None:
                self.place = dataclasses.replace(outer, leaf=f"of leaf {i} of {expected.structure}")
            try:
                verdict = self.match(expected.leaf, leaf, leaf_path)
            finally:
                self.place = outer
            if isinstance(verdict, Mismatch) and not verdict.tolerable:
                return verdict
            verdicts.append(verdict)
        return least(verdicts)

    def _leaves(self, leaf: Expectation, value: Value, path: str) -> Iterator[tuple[str | None, Value]]:
        """The leaves that are certain, in JAX's order; a path of None says that from there on they are not."""
        if isinstance(value, UnionValue):
            yield None, value
        elif isinstance(value, tuple | ListValue | DictValue) and _has_containers(leaf):
            yield None, value  # it may be a leaf itself
        elif isinstance(value, tuple) and not hasattr(value, "_fields"):
            for i, item in enumerate(value):
                yield from self._leaves(leaf, item, f"{path}[{i}]")
        elif isinstance(value, tuple):
            for name, item in zip(getattr(value, "_fields"), value):  # noqa: B009
                yield from self._leaves(leaf, item, f"{path}.{name}")
        elif isinstance(value, ListValue) and value.kind is list and value.items is not None:
            for i, item in enumerate(value.items):
                yield from self._leaves(leaf, item, f"{path}[{i}]")
        elif isinstance(value, DictValue) and value.items is not None and _are_sortable(value.items):
            for key in sorted(value.items) if value.kind is dict else value.items:
                yield from self._leaves(leaf, value.items[key], f"{path}[{_key(key)}]")
        elif value is None:
            return
        elif isinstance(value, (ArrayValue, NumPyValue, ScalarValue, *NUMBERS, str)):
            yield path, value
        else:
            yield None, value


def _key(key: Any) -> str:
    """The key of a dict as it is written, or what it is."""
    return repr(key) if isinstance(key, str | bytes | int | float | None) else show(key)


def _has_containers(expected: Expectation) -> bool:
    members = expected.members if isinstance(expected, UnionOf) else (expected,)
    return any(isinstance(m, TupleOf | ListOf | DictOf | TreeOf) for m in members)


def _are_sortable(items: dict[Any, Value]) -> bool:
    return all(type(k) is str for k in items) or all(type(k) is int for k in items)
