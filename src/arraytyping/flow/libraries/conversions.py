"""Builtin classes as conversions: numbers, strings and containers; and what is computed of a single value."""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.avals import size_of
from arraytyping.flow.exactness import exactly, is_plain
from arraytyping.flow.interpreter import Interpreter
from arraytyping.flow.joins import scalar_kinds
from arraytyping.flow.libraries.builtin_functions import wrong_call
from arraytyping.flow.libraries.registry import handles
from arraytyping.flow.method_tables import unhashable
from arraytyping.flow.methods_of_dicts import update
from arraytyping.flow.methods_of_scalars import has_fixed_text
from arraytyping.flow.methods_of_sets import make_set
from arraytyping.flow.operators import kind_name
from arraytyping.flow.repeated import by_alternatives
from arraytyping.flow.values import (
    MISSING,
    ArrayValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    MethodOf,
    NumPyValue,
    PartialValue,
    ScalarValue,
    SetValue,
    Unknown,
)

__all__ = ["refuse_scalar", "text_of"]

Kwargs = dict[str, Any]
Node = ast.AST | None

_NO_NUMBERS: Final = (
    ListValue,
    DictValue,
    SetValue,
    FunctionValue,
    BoundMethod,
    MethodOf,
    PartialValue,
    ClassValue,
    tuple,
)


def refuse_scalar(it: Interpreter, name: str, value: Any, node: Node) -> Unknown | None:
    """A mistake if an array cannot become a Python scalar: a tracer, or one of several elements."""
    if isinstance(value, ArrayValue):
        if value.is_key:
            return it.fail(node, "array-call", f"TypeError: {name}() of a key array")
        if value.aval.shape:
            message = f"TypeError: {name}() of an array of shape {_shown(value.aval.shape)}: only rank 0 has it"
            return it.fail(node, "array-shape", message)
        if value.traced:
            what = f"{name}() of a tracer {value.aval}, which has no value yet"
            return it.fail(node, "array-traced", f"{what}; use .astype, or do this outside of the traced function")
    if isinstance(value, NumPyValue) and value.shape is not None:
        size = size_of(value.shape)
        if size is not None and size != 1:
            message = f"TypeError: {name}() of a NumPy array of shape {_shown(value.shape)}: it has several elements"
            return it.fail(node, "array-shape", message)
    return None


def _shown(shape: Any) -> str:
    return f"({', '.join('?' if d is None else str(d) for d in shape)}{',' if len(shape) == 1 else ''})"


def _number(kind: type, dunders: tuple[str, ...]) -> None:
    name = kind.__name__

    @handles(f"builtins.{name}")
    @by_alternatives
    def handle(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
        if not args:
            return kind() if not kwargs else ScalarValue(kind)
        value = args[0]
        if isinstance(value, InstanceValue):
            for dunder in dunders:
                if (method := value.cls.find(dunder)) is not MISSING:
                    return it.call(method, [value], {}, node)
            if value.cls.kind == "unknown" or any(isinstance(b, type) and b is not object for b in value.cls.mro):
                return ScalarValue(kind)
            return it.fail(node, "array-call", f"TypeError: {name}() argument must be a number, not {value.cls.name!r}")
        if isinstance(value, ArrayValue | NumPyValue):
            if (wrong := refuse_scalar(it, name, value, node)) is not None:
                return wrong
            if isinstance(value, NumPyValue) and value.data is not None:
                try:
                    return kind(value.data.item() if value.data.ndim == 0 else value.data)
                except (TypeError, ValueError, OverflowError):
                    return ScalarValue(kind)
            if isinstance(value, ArrayValue) and type(value.aval.value) in (int, bool) and kind is int:
                return int(value.aval.value)  # type: ignore[arg-type]
            return ScalarValue(kind)
        if isinstance(value, ScalarValue):
            if kind is int and value.size is not None:
                return value
            if value.kinds == (complex,) and kind is not complex:
                return it.fail(node, "array-call", f"TypeError: {name}() argument must be no complex number")
            it.hazards += not set(value.kinds) <= {bool, int}
            return ScalarValue(kind)
        if value is None or isinstance(value, _NO_NUMBERS):
            return it.fail(
                node, "array-call", f"TypeError: {name}() argument must be a number or string, not {kind_name(value)}"
            )
        if isinstance(value, Unknown):
            it.hazards += 1
            return ScalarValue(kind)
        result = exactly(it, kind, args, kwargs, node)
        return ScalarValue(kind) if result is MISSING else result


_number(int, ("__int__", "__index__", "__trunc__"))
_number(float, ("__float__", "__index__"))


@handles("builtins.complex")
@by_alternatives
def _complex(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    for value in args:
        if (wrong := refuse_scalar(it, "complex", value, node)) is not None:
            return wrong
    result = exactly(it, complex, args, kwargs, node)
    return ScalarValue(complex) if result is MISSING else result


@handles("builtins.bool")
@by_alternatives
def _bool(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if len(args) != 1:
        return wrong_call(it, "bool", node) if args else False
    if isinstance(args[0], Unknown):
        return it.unknown(args[0].why)
    known = it.truth(args[0], node)
    return ScalarValue(bool) if known is None else known


# ---------------------------------------------------------------------- strings


def text_of(it: Interpreter, value: Any, node: Node, names: tuple[str, ...] = ("__str__", "__repr__")) -> Any:
    """What `str` or `repr` gives."""
    if isinstance(value, InstanceValue):
        for name in names:
            if (method := value.cls.find(name)) is not MISSING:
                result = it.call(method, [value], {}, node)
                return result if str in scalar_kinds(result) or isinstance(result, Unknown) else ScalarValue(str)
        return ScalarValue(str)
    if isinstance(value, Unknown):
        return value  # a condition on its text is not one on data
    if has_fixed_text(value) or isinstance(value, type):
        result = exactly(it, str if names[0] == "__str__" else repr, [value], {}, node)
        return ScalarValue(str) if result is MISSING else result
    return ScalarValue(str)


@handles("builtins.str")
@by_alternatives
def _str(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if not args:
        return "" if not kwargs else ScalarValue(str)
    if len(args) > 1 or kwargs:
        result = exactly(it, str, args, kwargs, node)
        return ScalarValue(str) if result is MISSING else result
    return text_of(it, args[0], node)


@handles("builtins.repr", "builtins.ascii")
@by_alternatives
def _repr(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if len(args) != 1:
        return wrong_call(it, "repr", node)
    return text_of(it, args[0], node, ("__repr__",))


@handles("builtins.format")
@by_alternatives
def _format(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if args and isinstance(args[0], InstanceValue) and (method := args[0].cls.find("__format__")) is not MISSING:
        return it.call(method, [args[0], *(args[1:] or [""])], {}, node)
    if all(map(is_plain, args)):
        return exactly(it, format, args, kwargs, node)
    return ScalarValue(str)


def _of_plain(name: str, function: Any, *kinds: type) -> None:
    """A function of plain data, which gives a scalar of these kinds where its arguments are not known."""

    @handles(f"builtins.{name}")
    @by_alternatives
    def handle(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
        if args and all(map(is_plain, args)):
            return exactly(it, function, args, kwargs, node)
        for value in args:
            if isinstance(value, ArrayValue) and (wrong := refuse_scalar(it, name, value, node)) is not None:
                return wrong
        return ScalarValue(*kinds)


for _name, _function, _kind in (
    ("chr", chr, str),
    ("ord", ord, int),
    ("hex", hex, str),
    ("oct", oct, str),
    ("bin", bin, str),
):
    _of_plain(_name, _function, _kind)


@handles("builtins.hash")
@by_alternatives
def _hash(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if len(args) == 1 and (name := unhashable(args[0])) is not None:
        return it.fail(node, "array-call", f"TypeError: unhashable type: {name!r}")
    return ScalarValue(int)


@handles("builtins.id")
def _id(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    return ScalarValue(int)


@handles("builtins.bytes", "builtins.bytearray", "builtins.memoryview")
def _bytes(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    return it.unknown("bytes")


# ---------------------------------------------------------------------- arithmetic


@handles("builtins.abs")
@by_alternatives
def _abs(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if len(args) != 1:
        return wrong_call(it, "abs", node)
    value = args[0]
    if isinstance(value, InstanceValue):
        method = value.cls.find("__abs__")
        return it.call(method, [value], {}, node) if method is not MISSING else it.unknown("abs of an instance")
    if isinstance(value, ArrayValue | NumPyValue):
        return it.engines.unary(it, "abs", value, node)
    if isinstance(value, ScalarValue):
        kinds = dict.fromkeys({bool: int, complex: float}.get(k, k) for k in value.kinds if k not in (str, bytes))
        return (
            ScalarValue(*kinds)
            if kinds
            else it.fail(node, "array-call", "TypeError: bad operand type for abs(): 'str'")
        )
    result = exactly(it, abs, args, kwargs, node)
    return it.unknown("abs of what is not understood") if result is MISSING else result


@handles("builtins.round")
@by_alternatives
def _round(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if not args:
        return wrong_call(it, "round", node)
    value = args[0]
    digits = args[1] if len(args) > 1 else kwargs.get("ndigits")
    if isinstance(value, ArrayValue):
        return it.engines.method(it, value, "__round__", list(args[1:]), kwargs, node)
    if isinstance(value, NumPyValue):
        if value.is_scalar and digits is None:
            return ScalarValue(int)
        return value if value.is_scalar and value.data is None else it.unknown("round of a NumPy array")
    if isinstance(value, InstanceValue) and (method := value.cls.find("__round__")) is not MISSING:
        return it.call(method, [value, *args[1:]], {}, node)
    kinds = set(scalar_kinds(value))
    result = exactly(it, round, args, kwargs, node)
    if result is not MISSING:
        return result
    if kinds and kinds <= {bool, int, float}:
        if digits is None or kinds <= {bool, int}:
            return ScalarValue(int)
        if isinstance(digits, ScalarValue | int):
            return ScalarValue(*(k for k in (int, float) if k in kinds or (k is int and bool in kinds)))
    return it.unknown("round of what is not understood")


@handles("builtins.pow")
@by_alternatives
def _pow(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if len(args) == 3 and all(map(is_plain, args)):
        return exactly(it, pow, args, kwargs, node)
    if len(args) == 2 and not kwargs:
        return it.binary("pow", args[0], args[1], node)
    return it.unknown("pow of three arguments")


@handles("builtins.divmod")
@by_alternatives
def _divmod(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if len(args) != 2:
        return wrong_call(it, "divmod", node)
    if all(map(is_plain, args)):
        return exactly(it, divmod, args, kwargs, node)
    if any(isinstance(v, InstanceValue) for v in args):
        return it.unknown("divmod of an instance")
    return it.binary("floordiv", args[0], args[1], node), it.binary("mod", args[0], args[1], node)


# ---------------------------------------------------------------------- containers


@handles("builtins.list")
@by_alternatives
def _list(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if len(args) > 1 or kwargs:
        return wrong_call(it, "list", node)
    return ListValue(*it.iterate(args[0], node)) if args else ListValue([])


@handles("builtins.tuple")
@by_alternatives
def _tuple(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if len(args) > 1 or kwargs:
        return wrong_call(it, "tuple", node)
    items, element = it.iterate(args[0], node) if args else ([], MISSING)
    if items is not None:
        return tuple(items)
    return () if element is MISSING else it.unknown("a tuple of unknown length")


def _set_of(kind: type) -> None:
    @handles(f"builtins.{kind.__name__}")
    @by_alternatives
    def handle(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
        if len(args) > 1 or kwargs:
            return wrong_call(it, kind.__name__, node)
        if args and isinstance(args[0], SetValue):  # in any order
            return SetValue(None if args[0].items is None else dict(args[0].items), args[0].element, kind)
        return make_set(it, *(it.iterate(args[0], node) if args else ([], MISSING)), kind, node)


_set_of(set)
_set_of(frozenset)


@handles("builtins.dict")
@by_alternatives
def _dict(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if len(args) > 1:
        return wrong_call(it, "dict", node)
    result = DictValue({})
    update(it, result, args, kwargs, node)
    return result


@handles("builtins.slice")
def _slice(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    return slice(*args) if 1 <= len(args) <= 3 else wrong_call(it, "slice", node)


@handles("builtins.object")
def _object(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    return object()
