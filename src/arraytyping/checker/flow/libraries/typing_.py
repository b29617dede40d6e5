"""`typing`, `abc` and `enum`: what they do while a program runs, which is little."""

from __future__ import annotations

import ast
import enum
import typing
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles, handles_base
from arraytyping.checker.flow.python.classes import ABSTRACT, make_namedtuple
from arraytyping.checker.flow.python.methods_of_dicts import update
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ClassValue, DictValue, FunctionValue, HandlerValue, Value, is_concrete
from arraytyping.checker.swallowed import swallow

Kwargs = dict[str, Any]
Node = ast.AST | None


def _both(*names: str) -> tuple[str, ...]:
    return tuple(f"{module}.{name}" for name in names for module in ("typing", "typing_extensions"))


def _argument(at: int, *names: str) -> None:
    @handles(*names)
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        return args[at] if len(args) > at else it.unknown(f"{names[0]} by keyword")


_argument(1, *_both("cast"))
_argument(
    0,
    *_both("assert_type", "reveal_type", "overload", "runtime_checkable", "final", "override", "no_type_check"),
    "enum.unique",
    "enum.member",
    "atexit.register",
)


@handles(*_both("dataclass_transform", "deprecated"), "warnings.deprecated")
def _marks(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    """A decorator that says something of a function or class, and gives it back."""
    return HandlerValue("marked", lambda it, args, kwargs, node: args[0] if args else it.unknown("a mark of nothing"))


@handles("abc.abstractmethod")
def _abstract_method(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if isinstance(args[0], FunctionValue):
        it.journal.touch(args[0])
        args[0].attributes[ABSTRACT] = True
    return args[0]


@handles(*_both("assert_never"))
def _assert_never(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return it.fail(node, "array-call", "AssertionError: expected code to be unreachable")


@handles(*_both("NewType"))
def _new_type(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return HandlerValue(
        "NewType", lambda it, a, k, n: a[0] if a else it.unknown("NewType"), (), {"__supertype__": args[1]}
    )


def _variable(name: str) -> None:
    @handles(*_both(name))
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        if not args or type(args[0]) is not str:
            return it.unknown("a type variable of unknown name")
        kept = {k: v for k, v in kwargs.items() if is_concrete(v) and k != "default"}
        try:
            return getattr(typing, name)(*(a for a in args if is_concrete(a)), **kept)
        except Exception as error:
            swallow(error)
            return getattr(typing, name)(args[0])


for _name in ("TypeVar", "ParamSpec", "TypeVarTuple"):
    _variable(_name)


@handles(*_both("get_type_hints", "get_overloads"), "inspect.signature", "inspect.getsource")
def _reflection(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return it.unknown("what is read off a function or class")


@handles(*_both("NamedTuple"))
def _named_tuple(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if len(args) != 2 or type(args[0]) is not str:
        return it.unknown("a NamedTuple of unknown fields")
    pairs, _ = it.iterate(args[1], node)
    names = [pair[0] for pair in pairs or () if isinstance(pair, tuple) and len(pair) == 2 and type(pair[0]) is str]
    if pairs is None or len(names) < len(pairs):
        return it.unknown("a NamedTuple of unknown fields")
    return make_namedtuple(it, ClassValue(args[0], (), {}, it.frame.module), names)


@handles_base(*_both("TypedDict"))
def _typed_dict(it: Interpreter, cls: ClassValue, base: Value, keywords: Kwargs, node: Node) -> Value:
    """A class whose instances are dicts."""

    def make(it: Interpreter, cls: Value, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        result = DictValue({})
        update(it, result, args, kwargs, node)
        return result

    cls.options["instantiate"] = make
    return cls


@handles(*_both("TypedDict"))
def _functional_typed_dict(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return HandlerValue("TypedDict", lambda it, a, k, n: it.call(dict, a, k, n))


@handles("enum.auto")
def _auto(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return enum.auto()
