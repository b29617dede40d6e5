"""Calls of which not all arguments are known: `f(*args, **options)` where nobody knows what is in `args` or `options`.

A parameter that is not given otherwise may be any item of the star, or of the mapping, or have its default.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.python.fields import FieldValue, fields_of
from arraytyping.checker.flow.state.forgetting import ANY_ARGUMENTS
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BaseValue,
    BoundMethod,
    ClassValue,
    FunctionValue,
    JitValue,
    ListValue,
    MethodOf,
    Mutable,
    NumPyValue,
    PartialValue,
    Unknown,
    Value,
    walk,
)
from arraytyping.checker.flow.values.calls import Call, RestArguments

__all__ = ["as_one", "filled", "gathers_rest", "takes_rest", "with_rest"]

_MOST: Final = 64
"""How many parameters a function may have that is called like this."""
_MOST_CALLS: Final = 2
"""How often one expression is followed like this: decorators of a library's kind are in every call that there is."""
_CALLS: Final[RunSlot[dict[ast.AST | None, int]]] = RunSlot("calls that were followed with unknown arguments", dict)

_TAKE_ONE: Final = frozenset({"reshape", "transpose"})

_TAKE_REST: Final[set[Any]] = set()


def takes_rest(handler: Any) -> Any:
    """Register a handler that may be given `RestArguments` as its last argument."""
    _TAKE_REST.add(handler)
    return handler


def with_rest(it: Interpreter, function: Value, call: Call, star: Value) -> Call | None:
    """A call with all that is in a list of unknown length behind its arguments; None if its handler takes no such."""
    if not isinstance(star, ListValue) or star.items is not None or star.element is MISSING:
        return None
    if call.kwargs or isinstance(function, BaseValue):
        return None
    if it.registry.find(function) not in _TAKE_REST:
        return None
    return call.with_args([*call.args, RestArguments(star).each(star.element)])


def as_one(it: Interpreter, function: Value, call: Call) -> Call | None:
    """A call of a method that takes sizes or axes one by one, or as one tuple, of which it is not known how many."""
    if not isinstance(function, MethodOf) or function.name not in _TAKE_ONE or call.kwargs:
        return None
    if not isinstance(function.receiver, ArrayValue | NumPyValue):
        return None
    return call.with_args([it.unknown("a tuple of unknown length")])


def gathers_rest(function: Value, before: int) -> bool:
    """Whether a function of the program gathers in one tuple all arguments behind so many."""
    if not isinstance(function, FunctionValue):
        return False
    spec = function.node.args
    return spec.vararg is not None and len(spec.posonlyargs) + len(spec.args) == before


def filled(it: Interpreter, function: Value, call: Call, star: Value, options: Value) -> Call | None:
    """A call with a value for each parameter that may be given; None where it is not known which those are.

    `star` is any item of what stands behind all other positional arguments, `options` any of the mapping's items;
    MISSING if there is none.
    """
    if any(isinstance(v, Mutable) for one in (star, options) if one is not MISSING for v in walk(one)):
        return None  # it would be changed in the call
    if isinstance(function, FunctionValue) and all(
        one is MISSING or isinstance(one, Unknown) for one in (star, options)
    ):
        # Decorators of a library's kind are in every call; what such a call gives is seldom known if it is followed.
        return None
    followed = _CALLS.of(it)
    if followed.get(call.node, 0) >= _MOST_CALLS:
        return None
    followed[call.node] = followed.get(call.node, 0) + 1
    return _filled(it, function, call, star, options, 0, frozenset())


def _filled(
    it: Interpreter, function: Value, call: Call, star: Value, options: Value, before: int, given: frozenset[str]
) -> Call | None:
    """`before` positional arguments and those that are `given` by name are bound already."""
    if isinstance(function, PartialValue):
        bound = given | function.kwargs.keys()
        return _filled(it, function.function, call, star, options, before + len(function.args), bound)
    if isinstance(function, BoundMethod):
        return _filled(it, function.function, call, star, options, before + 1, given)
    if isinstance(function, JitValue):
        made = _filled(it, function.function, call, star, options, before, given)
        return None if made is None or (made.args and made.args[-1] is ANY_ARGUMENTS) else made
    if isinstance(function, ClassValue):
        return _of_class(it, function, call, star, options, before, given)
    if not isinstance(function, FunctionValue) or not function.frame.module.is_program:
        return None
    spec = function.node.args
    names = [p.arg for p in (*spec.posonlyargs, *spec.args)]
    first = len(names) - len(function.defaults)
    positional = {name: MISSING if i < first else function.defaults[i - first] for i, name in enumerate(names)}
    only_named = dict(zip([p.arg for p in spec.kwonlyargs], function.kw_defaults))
    makes_more = spec.vararg is not None or spec.kwarg is not None
    made = _with_values(call, positional, only_named, len(spec.posonlyargs), star, options, before, given)
    if made is None or not makes_more:
        return made
    return made.with_args([*made.args, ANY_ARGUMENTS])


def _of_class(
    it: Interpreter, cls: ClassValue, call: Call, star: Value, options: Value, before: int, given: frozenset[str]
) -> Call | None:
    if "instantiate" in cls.options or "metaclass" in cls.options or cls.find("__new__") is not MISSING:
        return None
    init = cls.find("__init__")
    if init is not MISSING and cls.kind != "unknown":
        return _filled(it, init, call, star, options, before + 1, given)
    if cls.kind not in ("dataclass", "namedtuple") or star is not MISSING or call.args or before:
        return None
    fields: dict[str, Value] = {}
    declared = fields_of(cls)
    # What `collections.namedtuple` makes declares none.
    for name in declared if cls.tuple_type is None else cls.tuple_type._fields:  # type: ignore[attr-defined]
        default = declared[name][0].namespace.get(name, MISSING) if name in declared else cls.find(name)
        if isinstance(default, FieldValue):
            if default.options.get("init") is False:
                continue
            if "default_factory" in default.options:
                default = it.call(default.options["default_factory"], [], {}, call.node)
            else:
                default = default.options.get("default", MISSING)
        fields[name] = default
    return _with_values(call, {}, fields, 0, star, options, before, given)


def _with_values(
    call: Call,
    positional: dict[str, Value],
    only_named: dict[str, Value],
    unnamed: int,
    star: Value,
    options: Value,
    before: int,
    given: frozenset[str],
) -> Call | None:
    """The call with values for the parameters, given with their defaults, the first of which cannot be named."""
    if len(positional) + len(only_named) > _MOST:
        return None
    args, named = list(call.args), dict(call.kwargs)
    taken = given | named.keys()
    for i, (name, default) in enumerate(positional.items()):
        if i < before + len(call.args) or name in taken:
            continue
        may_be = [v for v in (star, options if i >= unnamed else MISSING, default) if v is not MISSING]
        if not may_be:
            return None  # which is a mistake, unless the mapping is given something else
        value = _either(may_be)
        if i < unnamed:
            args.append(value)
        else:
            named[name] = value
    if options is not MISSING:
        for name, default in only_named.items():
            if name not in taken:
                named[name] = _either([v for v in (options, default) if v is not MISSING])
    return call.with_args(args).with_kwargs(named)


def _either(values: list[Value]) -> Value:
    found = values[0]
    for value in values[1:]:
        found = join(found, value)
    return found
