"""Arguments against annotations with named sizes: what each name gets from which part of which argument.

The names are bound by the code that flow has for it.  Where it is not known what is in a list, or which member of a
union is meant, any of the names there may have been bound.

Source: https://docs.kidger.site/jaxtyping/api/array/#shape, https://docs.kidger.site/jaxtyping/api/pytree/.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mypy.types import Instance, NoneType, TupleType, Type, UnionType, get_proper_type

from arraytyping.semantics.avals import Shape
from arraytyping_mypy.arguments import read
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.features.named_annotations import (
    blur,
    dims_of,
    dims_of_all,
    is_plain_tuple,
    may_be,
    named_array,
    several,
)
from arraytyping_mypy.named_trees import Tree, tree_of
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.statics import shape_in
from arraytyping_mypy.written import Given, Items, items_of

if TYPE_CHECKING:
    from arraytyping.checker.flow.contracts.bindings import Bindings
    from arraytyping.checker.flow.contracts.grammar import DimSpec
    from arraytyping_mypy.session import Session

__all__ = ["Matching"]

_LEAVES: Final = ARRAYS | {f"builtins.{name}" for name in ("int", "float", "complex", "bool", "str")}


class Matching:
    """The names of one call, and what its arguments make of them."""

    def __init__(self, session: Session) -> None:
        from arraytyping.checker.flow.contracts.bindings import Bindings  # not needed in most programs

        self.bindings: Bindings = Bindings()
        self._session = session

    def match(self, expected: Type, given: Given, where: str) -> str | None:
        """Hold a value against its annotation, and bind names; why it cannot be, or None."""
        p = get_proper_type(expected)
        if not any(True for _ in dims_of_all(p)):
            return None
        if isinstance(p, UnionType):
            return self._union(p, given, where)
        tree = tree_of(p)
        if tree is not None:
            return self._tree(tree, given, where)
        if is_plain_tuple(p) or several(p) is not None:
            return self._container(p, given, where)
        array = named_array(p)
        shape = self._shape(given)
        if array is None or shape is None:
            self._blur(p, given)
            return None
        return self._array(dims_of(array), shape, where)

    def _shape(self, given: Given) -> Shape | None:
        if given.expression is not None:
            return shape_in(read(given.expression, given.type, self._session))
        return None if given.type is None else shape_in(value_of(given.type, self._session))

    def _blur(self, expected: Type, given: Given) -> None:
        if given.type is None or not isinstance(get_proper_type(given.type), NoneType):
            blur(expected, self.bindings)

    def _array(self, dims: tuple[DimSpec, ...], shape: Shape, where: str, leaf: str | None = None) -> str | None:
        from arraytyping.checker.flow.contracts.dimensions import FITS, Mismatch, Place, check_shape

        if leaf is None and all(not d.variadic for d in dims) and len(dims) != len(shape):
            self._blur_dims(dims)  # mypy itself compares the number of dimensions
            return None
        before = self.bindings.copy()
        verdict = check_shape(dims, shape, self.bindings, Place(where, f"by {where}", leaf or None))
        if isinstance(verdict, Mismatch):
            self.bindings.take(before)
            text = f"{where} is {_sizes_text(shape)}: " if not verdict.reason.startswith("'") else ""
            return f"{text}{verdict.reason}" + (f"; {verdict.advice}" if verdict.advice else "")
        if verdict is not FITS:
            self._blur_dims(dims)
        return None

    def _blur_dims(self, dims: tuple[DimSpec, ...]) -> None:
        for spec in dims:
            if spec.kind == "named" and not spec.by_leaf:
                self.bindings.blur(spec.text, spec.variadic)

    # ------------------------------------------------------------------ unions

    def _union(self, union: UnionType, given: Given, where: str) -> str | None:
        """One of several types: the one that alone can be meant."""
        shape = self._shape(given)
        t = None if given.type is None else get_proper_type(given.type)
        if shape is not None and isinstance(t, UnionType):
            t = get_proper_type(t.items[0])  # several arrays of one shape
        possible = [m for m in union.items if t is None or may_be(m, t)]
        if shape is not None and len(possible) > 1 and all(named_array(m) is not None for m in possible):
            possible = [m for m in possible if self._admits(m, shape)] or possible
        if len(possible) == 1:
            return self.match(possible[0], given, where)
        if possible:
            self._blur(union, given)
        return None

    def _admits(self, member: Type, shape: Shape) -> bool:
        """Whether an array of this shape may be what a member of a union asks for."""
        from arraytyping.checker.flow.contracts.dimensions import Mismatch, Place, check_shape

        array = named_array(member)
        before = self.bindings.copy()
        verdict = None if array is None else check_shape(dims_of(array), shape, self.bindings, Place("", ""))
        self.bindings.take(before)
        return not isinstance(verdict, Mismatch)

    # ------------------------------------------------------------------ containers

    def _container(self, expected: Type, given: Given, where: str) -> str | None:
        items = items_of(given, self._session)
        parts = None if items is None else _parts(expected, items)
        if items is None or parts is None:
            self._blur(expected, given)
            return None
        return self._all(parts, items, where)

    def _all(self, parts: list[tuple[Type, str, Given]], items: Items, where: str) -> str | None:
        before = self.bindings.copy()
        for expected, path, one in parts:
            why = self.match(expected, one, f"{where}{path}")
            if why is not None and not items.empty:
                return why
        if items.empty:
            self.bindings.take(before)
        if items.empty or not items.whole:
            for expected, _, _ in parts:
                blur(expected, self.bindings)
        return None

    # ------------------------------------------------------------------ trees

    def _tree(self, tree: Tree, given: Given, where: str) -> str | None:
        for number, (path, leaf) in enumerate(self._leaves(given, "", 0)):
            if leaf is None:
                self._blur_dims(tree.dims)
                return None
            shape = self._shape(leaf)
            if shape is None:
                self._blur_dims(tree.dims)
                continue
            name = f"of leaf {number} of {tree.structure}" if tree.structure else ""
            why = self._array(tree.dims, shape, f"{where}{path}", name)
            if why is not None:
                return why
        return None

    def _leaves(self, given: Given, path: str, depth: int) -> Iterator[tuple[str, Given | None]]:
        """The leaves of a tree in JAX's order, and None for what may be any tree."""
        items = items_of(given, self._session)
        p = None if given.type is None else get_proper_type(given.type)
        if items is not None and not items.empty:
            parts = items.items
            if items.kind == "dict" and all(key.startswith("['") for key, _ in parts):
                parts = sorted(parts, key=lambda part: part[0])
            for key, one in parts:
                yield from self._leaves(one, path + key, depth + 1)
            if not items.whole:
                yield path, None
        elif isinstance(p, NoneType):
            return
        elif self._shape(given) is not None or (isinstance(p, Instance) and p.type.fullname in _LEAVES):
            yield path, given
        else:
            yield path, None


def _parts(expected: Type, items: Items) -> list[tuple[Type, str, Given]] | None:
    """What each item is held against; None if it is another kind of container, or not known how long."""
    container = several(expected)
    if container is not None:
        is_one = items.kind in container.kinds
        return [(container.item, path, one) for path, one in items.items] if is_one else None
    p = get_proper_type(expected)
    if not isinstance(p, TupleType) or items.kind != "tuple" or not items.whole or len(items.items) != len(p.items):
        return None
    return [(item, path, one) for item, (path, one) in zip(p.items, items.items)]


def _sizes_text(shape: Shape) -> str:
    return f"[{', '.join('?' if d is None else str(d) for d in shape)}]"
