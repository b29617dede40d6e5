"""Types as functions that go through all of their parts meet them: without aliases that are made of themselves."""

from __future__ import annotations

from typing import Final, overload

from mypy.types import AnyType, ProperType, Type, TypeAliasType, TypeOfAny, get_proper_type

__all__ = ["get_finite_type", "is_endless"]

_ANYTHING: Final = AnyType(TypeOfAny.special_form)


@overload
def get_finite_type(t: Type) -> ProperType: ...
@overload
def get_finite_type(t: Type | None) -> ProperType | None: ...


def get_finite_type(t: Type | None) -> ProperType | None:
    """Mypy's `get_proper_type`, with `Any` for `Nested` of `Nested = list["Nested"] | jax.Array`.

    Such an alias, and a named tuple or `TypedDict` with itself in a field, has parts without end.  Whoever asks for the
    parts of the parts asks here.
    """
    return _ANYTHING if isinstance(t, TypeAliasType) and t.is_recursive else get_proper_type(t)


def is_endless(t: Type | None) -> bool:
    """Whether a type is an alias that is made of itself."""
    return isinstance(t, TypeAliasType) and t.is_recursive
