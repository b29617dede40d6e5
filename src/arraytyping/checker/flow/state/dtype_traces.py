"""How an array came to its dtype: a chain of lines, from where it is back to where the dtype was first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from arraytyping.checker.flow.state.diagnostics import Step
from arraytyping.checker.flow.state.point_values import called
from arraytyping.checker.flow.state.written_operands import short, short_text, written
from arraytyping.checker.flow.values import ArrayValue, Value
from arraytyping.checker.flow.values.origins import Constant, Origin
from arraytyping.scalars import KINDS

__all__ = ["origins_of", "steps_of"]

_LONGEST: Final = 60
_MOST: Final = 12
_FARTHEST: Final = 500


def origins_of(value: Value) -> Iterator[Origin]:
    """The operations by which a value came to its dtype, the last one first."""
    seen: set[int] = set()
    while value is not None and len(seen) < _FARTHEST:
        made = value if isinstance(value, Origin) else getattr(value, "origin", None)
        if not isinstance(made, Origin) or id(made) in seen:
            return
        seen.add(id(made))
        yield made
        value = _cause(made)


def steps_of(value: Value) -> Iterator[Step]:
    """The lines by which a value came to its dtype, the last one first."""
    last: Value = value
    told = 0
    for made in origins_of(value):
        last = cause = _cause(made)
        if made.node is not None and "site-packages" not in made[0]:
            yield Step(made[0], made[1], _said(made, cause))
            told += 1
        if told == _MOST:
            return
    place = getattr(last, "origin", None)
    if isinstance(place, tuple) and not isinstance(place, Origin) and "site-packages" not in place[0]:
        yield Step(place[0], place[1], f"here it is {described(last)}")


def _cause(origin: Origin) -> Any:
    """The operand to which a result owes its dtype; None if it came by it here."""
    if _says_dtype(origin):
        return None
    operands = [*origin.inner, *origin.operands]
    alike = [v for v in operands if _is_array(v) and _dtype(v) == origin.aval.dtype]
    return next((v for v in alike if not _is_weak(v)), alike[0] if alike else None)


def _says_dtype(origin: Origin) -> bool:
    """Whether an operation says what dtype it gives."""
    return called(origin.op) in ("astype", "convert_element_type", "view") or "dtype" in origin.kwargs


def _dtype(value: Value) -> str | None:
    return value.aval.dtype if isinstance(value, ArrayValue | Origin) else getattr(value, "dtype", None)


def _is_weak(value: Value) -> bool:
    return isinstance(value, ArrayValue | Origin) and bool(value.aval.weak_type)


def _is_number(value: Value) -> bool:
    return KINDS.get(_dtype(value) or "", "b") != "b"


def _is_array(value: Value) -> bool:
    return isinstance(value, ArrayValue | Constant | Origin)


def _said(origin: Origin, cause: Value) -> str:
    """An operation, its dtype, and the operands that decide it."""
    result = origin.aval
    text = "" if origin.node is None else short(origin.node, _LONGEST)
    said = f"{text} is {'weak ' if result.weak_type else ''}{result.dtype or 'of an unknown dtype'}"
    texts = {id(value): short_text(t) for t, value in written(origin) if t}
    others = [v for v in origin.operands if _is_array(v) and _dtype(v) != result.dtype and _is_number(v)]
    shown = list(dict.fromkeys(_operand(v, texts) for v in others))
    if _says_dtype(origin):
        return f"{said}, as it says" + (f", of {shown[0]}" if shown else "")
    if cause is not None and shown:
        return f"{said}, since {_operand(cause, texts)} and {' and '.join(shown)}"
    return f"{said}, of {shown[0]}" if shown else said


def _operand(value: Value, texts: dict[int, str]) -> str:
    """`scale is a strong float32`, or what it is alone where it is not written by itself."""
    text = texts.get(id(value), "")
    return f"{text} is {described(value)}" if text else described(value)


def described(value: Value) -> str:
    """What an operand is: `a strong float32`, `a weak float32`, `the NumPy scalar float32`."""
    if isinstance(value, ArrayValue | Origin):
        aval = value.aval
        weak = {True: "a weak ", False: "a strong ", None: ""}[aval.weak_type]
        return f"{weak}{aval.dtype or 'an unknown dtype'}"
    if isinstance(value, Constant):
        return f"the NumPy {'scalar' if value.is_scalar else 'array'} {value.dtype}, which is strong"
    return "something else"
