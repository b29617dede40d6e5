"""What the layers of equinox are made with and called with, as their modules here see it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mypy.nodes import CallExpr
from mypy.types import Instance, LiteralType, NoneType, TupleType, Type, get_proper_type

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.calls import answer, report
from arraytyping_mypy.convert import array_type, value_of
from arraytyping_mypy.session import Session

__all__ = ["Apply", "Call", "Layer", "Made", "is_none", "text_of", "value_in"]

Apply = Callable[[Type, Sequence[Type], Mapping[str, Type], Session], "Type | None"]
"""What a function or an instance gives that is called; None if that is not known."""

_MARK: Final = "exactly with "
"""How a text begins that no transformation of trees takes for a leaf."""


def text_of(value: object, session: Session) -> Type:
    """What stands in a layer's type for what is no leaf of it."""
    return LiteralType(_MARK + repr(value), session.api.named_generic_type("builtins.str", []))


def value_in(t: Type) -> Any:
    """The reverse of `text_of`; None for any other type."""
    p = get_proper_type(t)
    if not isinstance(p, LiteralType) or not isinstance(p.value, str) or not p.value.startswith(_MARK):
        return None
    return ast.literal_eval(p.value[len(_MARK) :])


def is_none(t: Type) -> bool:
    """Whether it is the type of None, as of a bias that a layer has not."""
    return isinstance(get_proper_type(t), NoneType)


@dataclass(frozen=True)
class Made:
    """The arguments that a layer is made with, by their names."""

    values: Mapping[str, Any]
    types: Mapping[str, Type]
    dtype: str | None
    """The dtype of the parameters; None if it is not known, or none of floats."""
    session: Session

    def get(self, name: str, default: Any = None) -> Any:
        """The value of an argument."""
        return self.values.get(name, default)

    def size(self, name: str) -> int | None:
        """An argument that is a number."""
        value = self.values.get(name)
        return value if type(value) is int else None

    def flag(self, name: str, default: bool) -> bool | None:
        """An argument that is true or false; None if that is not known."""
        value = self.values.get(name, default)
        return value if type(value) is bool else None

    def array(self, *shape: int | None) -> Type:
        """Parameters of this shape."""
        return array_type([ShapedArray(shape, self.dtype, False)], self.session)

    def layer(self, name: str, items: list[Type]) -> TupleType | None:
        """A layer that this one is made of, of a class that is known by its full name."""
        info = self.session.class_named(name)
        return None if info is None else TupleType(items, Instance(info, []))


@dataclass(frozen=True)
class Call:
    """A call of a layer: what it is given besides arrays, and how what it does is worked out."""

    session: Session
    apply: Apply
    site: CallExpr | None = None
    """Where a mistake is told; None if it is not."""
    named: Mapping[str, Type] = field(default_factory=dict)

    def of(self, rule: str, *operands: Any, **options: Any) -> ShapedArray | None:
        """What a rule gives; None if it refuses, or one operand is not known."""
        if any(operand is None for operand in operands):
            return None
        made = answer(rule, operands, options, self.session)
        if made is None or made.error is not None:
            if made is not None and self.site is not None:
                report(made, self.site, self.session)
            return None
        return made.value if isinstance(made.value, ShapedArray) else None

    def array(self, t: Type) -> ShapedArray | None:
        """An array, if it is one."""
        value = value_of(t, self.session)
        return value if isinstance(value, ShapedArray) else None

    def floats(self, t: Type) -> ShapedArray | None:
        """An array of floats of a known dtype that is not weak."""
        value = self.array(t)
        return value if value is not None and value.dtype in ANY_FLOAT and value.weak_type is False else None

    def type_of(self, array: ShapedArray | None) -> Type | None:
        """The type of what a layer gives."""
        return None if array is None else array_type([array], self.session)

    def refuse(self, sentence: str) -> None:
        """Tell that a layer refuses what it is given, by a `ValueError`."""
        if self.site is not None:
            self.session.fail(sentence, self.site, "array-shape", ValueError)


@dataclass(frozen=True)
class Layer:
    """A class of layers: what is kept of one that is made, and what it gives of which this is kept."""

    make: Callable[[Made], list[Type] | None]
    call: Callable[[Sequence[Type], Sequence[Type], Call], Type | None]
    fields: tuple[str, ...] = ()
    """The attributes that the first items of what is kept are."""
    functions: tuple[int, int | None] = (0, 0)
    """From which item to which they are functions and modules that it calls, or texts in their places."""
