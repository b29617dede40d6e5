"""`arraytyping.facts` on functions and classes of which a library fills in arguments that a call leaves out.

Source: https://github.com/google/gin-config/blob/master/docs/index.md.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from arraytyping.checker.flow.engines.signatures import FILLED_IN, signature_of
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.fields import initialize_dataclass, keyword_fields, positional_fields
from arraytyping.checker.flow.python.instantiation import initializer, make_instance
from arraytyping.checker.flow.state.forgetting import ANY_ARGUMENTS
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    ListValue,
    UnionValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call, RestArguments

__all__: list[str] = []

_OF_LIBRARY: Final = ("parent",)
"""What Flax fills in itself, in the classes of its modules."""


class _Parameters(NamedTuple):
    """The parameters of a callable: those given by position, and those by name only; whether it takes any others."""

    positional: list[str]
    by_name: list[str]
    has_more: bool = False

    @property
    def names(self) -> list[str]:
        return [*self.positional, *self.by_name]


@handles("arraytyping.facts.parameters")
def _parameters(it: Interpreter, call: Call) -> Any:
    found = _parameters_of(call.argument(0, "target"))
    return None if found is None or found.has_more else ListValue([*found.names])


def _parameters_of(target: Value) -> _Parameters | None:
    """None if they are not known."""
    if not isinstance(target, ClassValue):
        return _of_signature(signature_of(target))
    if (real := target.options.get("real class")) is not None:
        return _of_signature(signature_of(real))
    init = initializer(target)
    if isinstance(init, FunctionValue):
        return _of_signature(signature_of(BoundMethod(init, None)))
    if isinstance(init, ClassValue) or (isinstance(init, HandlerValue) and target.kind == "dataclass"):
        return _Parameters(positional_fields(target), keyword_fields(target))
    return None


def _of_signature(signature: inspect.Signature | None) -> _Parameters | None:
    if signature is None:
        return None
    found = _Parameters([], [])
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            found = found._replace(has_more=True)
        elif parameter.kind is parameter.KEYWORD_ONLY:
            found.by_name.append(parameter.name)
        elif parameter.kind is not parameter.VAR_POSITIONAL and parameter.name not in _OF_LIBRARY:
            found.positional.append(parameter.name)
    return found


@handles("arraytyping.facts.filled_in")
def _filled_in(it: Interpreter, call: Call) -> Any:
    """A function, or a class itself, whose arguments that are left out are filled in; or a class that stands for it."""
    given = call.named("target", "fill", "left_out", "is_new", "methods")
    target, is_new = given.get("target"), given.get("is_new") is True
    fill = _Fill(given.get("fill"), given.get("left_out"), _parameters_of(target))
    if not isinstance(target, ClassValue):
        return fill.around(target)
    if is_new:
        methods = given.get("methods")
        return _stand_for(target, fill, methods.items if isinstance(methods, DictValue) else {})
    if target.kind == "unknown" and "real class" not in target.options:
        return target  # whose instances are not known
    init = target.find("__init__")
    if "real class" in target.options or (init is MISSING and not target.is_record):
        if "instantiate" in target.options or not _is_made_plainly(target):
            _put_maker(target, fill)
    else:
        made = _of_fields(target) if init is MISSING else init
        it.journal.touch(target)
        target.namespace["__init__"] = fill.around(made, 1)
    return target


def _is_made_plainly(cls: ClassValue) -> bool:
    """Whether a class takes no arguments."""
    return cls.find("__new__") is MISSING and all(isinstance(base, ClassValue) or base is object for base in cls.mro)


def _of_fields(cls: ClassValue) -> HandlerValue:
    """The `__init__` that a decorator has made of the fields of a class."""

    def handle(it: Interpreter, call: Call) -> Value:
        if call.args and isinstance(call.args[0], InstanceValue):
            initialize_dataclass(it, call.args[0], call.with_args(call.args[1:]), cls)
            return None
        it.engines.havoc(it, call.values)
        return it.unknown("a class that is initialized by its fields")

    return HandlerValue("__init__", handle, (), cls)


def _put_maker(cls: ClassValue, fill: _Fill) -> None:
    """Fill in where instances are made of a class, not of those that derive from it."""
    before: Callable[[Interpreter, ClassValue, Call], Value] | None = cls.options.get("instantiate")

    def made(it: Interpreter, call: Call) -> Value:
        if before is not None:
            return before(it, cls, call)
        del cls.options["instantiate"]
        try:
            return make_instance(it, cls, call)
        finally:
            cls.options["instantiate"] = instantiate

    filled = fill.around(HandlerValue("type.__call__", made, (), cls))

    def instantiate(it: Interpreter, of: ClassValue, call: Call) -> Value:
        if of is cls:
            return it.call(filled, *call)
        return it.unknown("what derives from a class like this") if before is None else before(it, of, call)

    cls.options["instantiate"] = instantiate


def _stand_for(cls: ClassValue, fill: _Fill, methods: dict[Any, Any] | None) -> ClassValue:
    """A class that derives from another, and makes instances of that one; of itself if it has methods of its own."""
    made = ClassValue(cls.name, (cls,), dict(methods or {}), cls.module)
    made.mro = [made, *cls.mro]
    made.kind, made.tuple_type, made.pytree, made.node = cls.kind, cls.tuple_type, cls.pytree, cls.node
    if methods is None or (methods and "instantiate" in cls.options):
        made.kind = "unknown"
    elif methods:
        made.options = dict(cls.options)
        _put_maker(made, fill)
    else:
        filled = fill.around(cls)
        made.options = {**cls.options, "instantiate": lambda it, of, call: it.call(filled, *call)}
    return made


class _Fill:
    """What fills in arguments: a function that is told the names of those that are given, and says others by name.

    Arguments that are `left_out` are as good as not given.
    """

    def __init__(self, fill: Value, left_out: Value, parameters: _Parameters | None) -> None:
        self._fill = fill
        self._left_out = left_out
        self._parameters = parameters

    def around(self, function: Value, first: int = 0) -> HandlerValue:
        """The function, of whose arguments those that are left out are filled in, but none of the first ones."""
        return HandlerValue(FILLED_IN, lambda it, call: self._call(it, function, first, call), (function,), self)

    def _call(self, it: Interpreter, function: Value, first: int, call: Call) -> Value:
        receivers, args = call.args[:first], call.args[first:]
        if any(a is ANY_ARGUMENTS or isinstance(a, RestArguments) for a in args):
            return self._call_with_any(it, function, call)
        args = [self._as_given(it, a) for a in args]
        call = call.with_kwargs({n: self._as_given(it, a) for n, a in call.kwargs.items()})
        known = self._parameters
        positional = [] if known is None else known.positional
        given = [n for n, a in zip(positional, args) if not self._is_left_out(a)]
        given += [n for n, a in call.kwargs.items() if not self._is_left_out(a)]
        found = it.call(self._fill, [ListValue([*given])], {}, call.node)
        more: dict[Any, Any]
        if isinstance(found, DictValue) and found.items is not None:
            more = dict(found.items)
        elif known is not None and not known.has_more:
            more = {name: it.unknown("an argument that may be filled in") for name in known.names}
        else:
            return self._call_with_any(it, function, call)
        if known is None and args and more:  # which of them these are is not known
            return self._call_with_any(it, function, call)
        for name in given:
            more.pop(name, None)
        for i, name in enumerate(positional[: len(args)]):
            if name in more:
                args = [*args[:i], more.pop(name), *args[i + 1 :]]
        return it.call(function, [*receivers, *args], {**call.kwargs, **more}, call.node)

    def _call_with_any(self, it: Interpreter, function: Value, call: Call) -> Value:
        it.engines.havoc(it, [function, *call.values])
        return it.unknown("a call of which not all arguments are known")

    def _is_left_out(self, value: Value) -> bool:
        return value is self._left_out

    def _as_given(self, it: Interpreter, value: Value) -> Value:
        """An argument, not known where it may be left out."""
        may_be = isinstance(value, UnionValue) and any(map(self._is_left_out, value.values))
        return it.unknown("an argument that may be filled in") if may_be else value
