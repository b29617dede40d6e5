"""Real classes that stand for classes of the program which derive from a library's: their methods call back.

The program's code is not executed: each method is a function made here that hands its arguments to the interpreter.
"""

from __future__ import annotations

import ast
import dataclasses
import types
import typing
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import PROGRAM, Abort
from arraytyping.checker.flow.engines.loose_modules import loose_instance
from arraytyping.checker.flow.engines.signatures import signature_of
from arraytyping.checker.flow.python.fields import FieldValue
from arraytyping.checker.flow.real_calls.permissions import may_be_base
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    JitValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__ = ["Decorated", "make_real"]

_KEPT: Final = frozenset({"__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__slots__"})
_TRANSPARENT: Final = frozenset({"compact", "nowrap", "remat", "checkpoint", "jit"})
"""Decorators that change no argument and no result."""
_SPECIAL: Final[dict[str, Any]] = {
    "ClassVar": typing.ClassVar[typing.Any], "InitVar": dataclasses.InitVar[typing.Any], "KW_ONLY": dataclasses.KW_ONLY,
}  # fmt: skip
"""Annotations that say of what kind a field of a dataclass is."""


class Decorated(HandlerValue):
    """A method below a decorator of a library, which is applied when the real class is made."""

    __slots__ = ("decorator", "options")

    def __init__(self, decorator: Value, function: Value, args: list[Value], options: dict[str, Value]) -> None:
        super().__init__(
            getattr(decorator, "__name__", "decorator"),
            lambda it, call: _call_decorated(it, self, call),
            (function,),
            (id(decorator), tuple(args), tuple(options.items())),
        )
        self.decorator: tuple[Any, tuple[Any, ...]] = (decorator, tuple(args))
        self.options: dict[str, Any] = options


def _call_decorated(it: Interpreter, decorated: Decorated, call: Call) -> Value:
    """Call a decorated function that is no method, as in `nn.scan(body, ...)(module, carry)`."""
    decorator, bound = decorated.decorator
    (function,) = decorated.wraps
    if getattr(decorator, "__name__", "") in _TRANSPARENT:
        return it.call(function, *call)

    def transformed(target: Any, bound: Any, options: Any, /, *arguments: Any, **keywords: Any) -> Value:
        return decorator(target, *bound, **options)(*arguments, **keywords)

    options = DictValue(dict(decorated.options))
    return it.engines.call(it, transformed, call.preceded_by(function, bound, options))


def make_real(
    it: Interpreter,
    cls: ClassValue,
    keywords: dict[str, Value],
    node: ast.AST | None,
    adapter: Any,
    field: Callable[..., Any] = dataclasses.field,
) -> ClassValue:
    """Give a class of the program a real class to stand for it; a class that cannot have one is unknown.

    `field` is what makes the fields of the library's classes.
    """
    objects = it.engines.objects
    try:
        bases = _real_bases(it, cls)
        if "metaclass" in keywords:
            raise Abort(f"the metaclass of {cls.name}")
        with objects.inside():
            namespace = _namespace(it, cls, node, field)
            options = {k: objects.real(it, v, node) for k, v in keywords.items()}
            real = types.new_class(cls.name, bases, options, lambda made: made.update(namespace))
    except Abort as abort:
        it.unknown(abort.why)
        cls.kind = "unknown"
        return cls
    except TypeError as error:
        it.fail(node, "array-call", f"TypeError: {error}")
        cls.kind = "unknown"
        return cls
    except Exception as error:
        swallow(error)
        it.unknown(f"the class {cls.name}: {type(error).__name__}: {str(error)[:80]}")
        cls.kind = "unknown"
        return cls
    cls.options |= {"real class": real, "instantiate": _instantiate, "adapter": adapter}
    it.engines.class_of[real] = cls
    return cls


def _instantiate(it: Interpreter, cls: ClassValue, call: Call) -> Value:
    try:
        return it.engines.objects.call(it, cls.options["real class"], call)
    except Abort as abort:
        if (loose := loose_instance(it.engines, it, cls, call)) is not MISSING:
            return loose
        it.engines.havoc(it, call.values)
        return it.unknown(abort.why)


def _real_bases(it: Interpreter, cls: ClassValue) -> tuple[type, ...]:
    bases: list[type] = []
    for base in cls.bases:
        if isinstance(base, ClassValue):
            real = base.options.get("real class")
            if real is not None:
                bases.append(real)
            elif base.kind == "unknown":
                raise Abort(f"the base {base.name} of {cls.name} is not understood")
            else:
                bases.append(_mixin(it, base))
        elif isinstance(base, type):
            if not may_be_base(base):
                raise Abort(f"the base {base.__name__} of {cls.name} is not followed")
            bases.append(base)
        elif isinstance(base, Unknown):
            raise Abort(base.why)
        elif isinstance(origin := typing.get_origin(base), type) and origin is not typing.Generic:
            if not may_be_base(origin):
                raise Abort(f"the base {origin.__name__} of {cls.name} is not followed")
            bases.append(origin)
    return tuple(bases)


def _mixin(it: Interpreter, cls: ClassValue) -> type:
    """The real class of a base that derives from no library's class."""
    real = type(cls.name, _real_bases(it, cls), _namespace(it, cls, cls.node, dataclasses.field))
    it.engines.class_of[real] = cls
    cls.options.setdefault("mixin", real)
    return real


def _namespace(it: Interpreter, cls: ClassValue, node: ast.AST | None, field: Callable[..., Any]) -> dict[str, Value]:
    found: dict[str, Any] = {"__module__": PROGRAM, "__qualname__": cls.name, "__annotations__": {}}
    for name, (annotation, _) in cls.fields.items():
        what = ast.unparse(annotation).strip("'\"").partition("[")[0].rpartition(".")[2]
        found["__annotations__"][name] = _SPECIAL.get(what, typing.Any)
    for name, value in cls.namespace.items():
        if name not in _KEPT and name != "__annotations__":
            found[name] = (
                _field(it, value, node, field) if isinstance(value, FieldValue) else _member(it, name, value, node)
            )
    return found


def _member(it: Interpreter, name: str, value: Value, node: ast.AST | None) -> Value:
    objects = it.engines.objects
    if isinstance(value, Decorated):
        decorator, args = value.decorator
        inner = _member(it, name, value.wraps[0], node)
        reals = [objects.real(it, a, node) for a in args]
        return decorator(inner, *reals, **{k: objects.real(it, v, node) for k, v in value.options.items()})
    if isinstance(value, FunctionValue | JitValue | HandlerValue):
        return _method(it, name, value)
    if isinstance(value, Descriptor):
        if value.kind in ("property", "cached_property"):
            return property(_method(it, name, value.function), _setter(it, name, value.setter))
        if value.kind == "staticmethod":
            return staticmethod(objects.callback(it, value.function, node))
        return classmethod(_class_method(it, name, value.function))
    return objects.real(it, value, node)


_OPTIONS: Final = frozenset({
    "default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only"
})  # fmt: skip
"""What a field of a dataclass takes; libraries' own fields take more."""


def _field(it: Interpreter, value: FieldValue, node: ast.AST | None, field: Callable[..., Any]) -> Any:
    options: dict[str, Any] = {k: _field_option(it, k, v, node) for k, v in value.options.items()}
    return field(**{k: v for k, v in options.items() if field is not dataclasses.field or k in _OPTIONS})


def _field_option(it: Interpreter, name: str, value: Value, node: ast.AST | None) -> Value:
    if name == "metadata" and isinstance(value, DictValue):
        return dict(value.items or {})
    return it.engines.objects.real(it, value, node)


def _setter(it: Interpreter, name: str, function: Value) -> Any:
    return None if function is None else _method(it, name, function)


def _method(it: Interpreter, name: str, value: Value) -> Any:
    """A real function that hands a method's arguments to the interpreter."""

    def method(self: Any, *args: Value, **kwargs: Value) -> Value:
        node = it.chain[-1][2] if it.chain else None
        return it.engines.objects.called_back(it, value, Call([self, *args], kwargs, node))

    method.__name__ = name
    method.__qualname__ = name
    method.__module__ = PROGRAM
    if (signature := signature_of(value)) is not None:  # libraries give only what a method takes
        method.__signature__ = signature  # type: ignore[attr-defined]
    return method


def _class_method(it: Interpreter, name: str, value: Value) -> Any:
    def method(cls: Value, *args: Value, **kwargs: Value) -> Value:
        node = it.chain[-1][2] if it.chain else None
        return it.engines.objects.called_back(it, value, Call([it.engines.class_of.get(cls, cls), *args], kwargs, node))

    method.__name__ = name
    return method
