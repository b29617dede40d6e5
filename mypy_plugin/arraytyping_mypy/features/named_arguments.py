"""Arguments against annotations with named sizes: what each name gets from which part of which argument.

The names are bound by the code that flow has for it.  Where it is not known what is in a list, or which member of a
union is meant, any of the names there may have been bound.

Source: https://docs.kidger.site/jaxtyping/api/array/#shape, https://docs.kidger.site/jaxtyping/api/pytree/.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy.types import Instance, NoneType, Type, UnionType, get_proper_type

from arraytyping.semantics.avals import Shape
from arraytyping_mypy.features.named_parts import (
    contradiction,
    leaves_of,
    members_of,
    parts_of,
    shape_given,
    sizes_text,
    structure_of,
)
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.named_annotations import (
    blur,
    dims_of,
    is_checked_here,
    is_plain_tuple,
    named_array,
    several,
    tokens_of,
)
from arraytyping_mypy.named_trees import Tree, tree_of
from arraytyping_mypy.written import Given, Items, items_of

if TYPE_CHECKING:
    from arraytyping.checker.flow.contracts.bindings import Bindings
    from arraytyping.checker.flow.contracts.grammar import DimSpec
    from arraytyping_mypy.session import Session

__all__ = ["Matching"]


class Matching:
    """The names of one call, and what its arguments make of them."""

    def __init__(self, session: Session, loose: bool = False) -> None:
        from arraytyping.checker.flow.contracts.bindings import Bindings  # not needed in most programs

        self.bindings: Bindings = Bindings()
        self._session = session
        self._structures: dict[str, tuple[str, str]] = {}
        """How the trees of each name are built, and where that was seen."""
        self._is_loose = loose
        """Whether mypy does not say what it is: an item of a list, dict or tree, or what a followed function gives."""

    def match(self, expected: Type, given: Given, where: str) -> str | None:
        """Hold a value against its annotation, and bind names; why it cannot be, or None."""
        p = get_finite_type(expected)
        if not is_checked_here(p, self._is_loose):
            return None
        if isinstance(p, UnionType):
            return self._union(p, given, where)
        tree = tree_of(p)
        if tree is not None:
            return self._tree(tree, given, where)
        if is_plain_tuple(p) or several(p) is not None:
            return self._container(p, given, where)
        why = contradiction(p, given, where, self._session) if self._is_loose else None
        if why is not None:
            return why
        array = named_array(p)
        shape = shape_given(given, self._session)
        if array is None or shape is None:
            self._blur(p, given)
            return None
        return self._array(dims_of(array), shape, where)

    def _blur(self, expected: Type, given: Given) -> None:
        if given.type is None or not isinstance(get_proper_type(given.type), NoneType):
            blur(expected, self.bindings)

    def _array(self, dims: tuple[DimSpec, ...], shape: Shape, where: str, leaf: str | None = None) -> str | None:
        from arraytyping.checker.flow.contracts.dimensions import FITS, Mismatch, Place, check_shape

        if leaf is None and not self._is_loose and all(not d.variadic for d in dims) and len(dims) != len(shape):
            self._blur_dims(dims)  # mypy itself compares the number of dimensions
            return None
        before = self.bindings.copy()
        verdict = check_shape(dims, shape, self.bindings, Place(where, f"by {where}", leaf or None))
        if isinstance(verdict, Mismatch):
            self.bindings.take(before)
            text = f"{where} is {sizes_text(shape)}: " if not verdict.reason.startswith("'") else ""
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
        possible = members_of(union, given, self._session)
        shape = shape_given(given, self._session)
        if shape is not None and len(possible) > 1 and all(named_array(m) is not None for m in possible):
            possible = [m for m in possible if contradiction(m, given, where, self._session) is None] or possible
            possible = [m for m in possible if self._admits(m, shape)] or possible
            if len({tokens_of(m.args[1]) for m in map(get_finite_type, possible) if isinstance(m, Instance)}) == 1:
                possible = possible[:1]
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
        parts = None if items is None else parts_of(expected, items)
        if items is None or parts is None:
            self._blur(expected, given)
            return None
        was_loose, self._is_loose = self._is_loose, self._is_loose or several(expected) is not None
        try:
            return self._all(parts, items, where)
        finally:
            self._is_loose = was_loose

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

    def _structure(self, name: str, given: Given, where: str) -> str | None:
        """Hold how a tree is built against the others of this name."""
        found = structure_of(given, self._session) if name.isidentifier() else None
        if found is None or found == "None":  # which jaxtyping takes for any tree
            return None
        before, place = self._structures.setdefault(name, (found, where))
        if before == found:
            return None
        return f"{name!r} is {before} by {place}, and {found} by {where}; give both trees the same structure"

    def _tree(self, tree: Tree, given: Given, where: str) -> str | None:
        why = self._structure(tree.structure, given, where)
        if why is not None:
            return why
        for number, (path, leaf) in enumerate(leaves_of(given, self._session)):
            if leaf is None:
                self._blur_dims(tree.dims)
                return None
            shape = shape_given(leaf, self._session)
            if shape is None:
                self._blur_dims(tree.dims)
                continue
            name = f"of leaf {number} of {tree.structure}" if tree.structure else ""
            why = self._array(tree.dims, shape, f"{where}{path}", name)
            if why is not None:
                return why
        return None
