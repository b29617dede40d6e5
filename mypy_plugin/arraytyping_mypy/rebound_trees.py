"""Variables that are bound to dicts of several keys in turn, in the copy of a function.

To mypy a dict with more keys is one of those with fewer (structural subtyping), so where branches or the rounds of a
loop come together it keeps the latter alone, as if the others were never there.  What a variable is bound to whose keys
are others than those that it was bound to first is therefore unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mypy.nodes import CallExpr, Expression, FuncDef, Var
from mypy.types import AnyType, Instance, TupleType, Type, TypedDictType, TypeOfAny, UnionType

from arraytyping_mypy.finite_types import get_finite_type

__all__ = ["ReboundTrees"]


class ReboundTrees:
    """The keys of the dicts that the variables of a module's copies are bound to."""

    def __init__(self) -> None:
        self._variables: dict[Expression, Var] = {}
        self._keys: dict[Var, tuple[object, ...]] = {}
        self._elsewhere: set[Var] = set()
        """The variables that a function within the copied one binds again, of which mypy does not know when it runs."""

    def note(self, call: CallExpr, variable: Var, *, is_settled: bool) -> None:
        """Note to which variable what a call gives is bound, and whether no other function binds it."""
        self._variables[call] = variable
        if not is_settled:
            self._elsewhere.add(variable)

    def begin(self, function: FuncDef, types: Sequence[Type]) -> None:
        """Note what the parameters of a function are given."""
        for argument, t in zip(function.arguments, types):
            if keys := tuple(_keys(t)):
                self._keys[argument.variable] = keys

    def bound(self, call: Expression, t: Type) -> Type:
        """What a variable is bound to by a call, as far as mypy may know it."""
        variable = self._variables.get(call)
        keys = () if variable is None else tuple(_keys(t))
        if variable in self._elsewhere:
            return AnyType(TypeOfAny.special_form)
        if variable is None or not keys or self._keys.setdefault(variable, keys) == keys:
            return t
        return AnyType(TypeOfAny.special_form)


def _keys(t: Type) -> Iterator[object]:
    """The keys of each dict in a type."""
    p = get_finite_type(t)
    if isinstance(p, TypedDictType):
        yield frozenset(p.items), frozenset(p.required_keys)
        for key in sorted(p.items):
            yield from _keys(p.items[key])
    elif isinstance(p, TupleType | UnionType):
        for item in p.items:
            yield from _keys(item)
    elif isinstance(p, Instance):
        for item in p.args:
            yield from _keys(item)
