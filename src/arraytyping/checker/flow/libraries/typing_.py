"""`typing`, `abc` and `enum`: what they do while a program runs, which is little."""

from __future__ import annotations

import ast
import enum
import typing
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles, handles_base
from arraytyping.checker.flow.python.instantiation import ABSTRACT
from arraytyping.checker.flow.python.methods_of_dicts import update
from arraytyping.checker.flow.python.named_tuples import make_namedtuple
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ClassValue, DictValue, FunctionValue, HandlerValue, Value, is_concrete
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

Kwargs = dict[str, Any]
Node = ast.AST | None


def _both(*names: str) -> tuple[str, ...]:
    return tuple(f"{module}.{name}" for name in names for module in ("typing", "typing_extensions"))


def _argument(at: int, *names: str) -> None:
    @handles(*names)
    def handle(it: Interpreter, call: Call) -> Value:
        return call.args[at] if len(call.args) > at else it.unknown(f"{names[0]} by keyword")


_argument(1, *_both("cast"))
_argument(
    0,
    *_both("assert_type", "reveal_type", "overload", "runtime_checkable", "final", "override", "no_type_check"),
    "enum.unique",
    "enum.member",
    "atexit.register",
)


@handles(*_both("dataclass_transform", "deprecated"), "warnings.deprecated")
def _marks(it: Interpreter, call: Call) -> Value:
    """A decorator that says something of a function or class, and gives it back."""
    return HandlerValue("marked", lambda it, call: call.args[0] if call.args else it.unknown("a mark of nothing"))


@handles("abc.abstractmethod")
def _abstract_method(it: Interpreter, call: Call) -> Value:
    if isinstance(call.args[0], FunctionValue):
        it.journal.touch(call.args[0])
        call.args[0].attributes[ABSTRACT] = True
    return call.args[0]


@handles(*_both("assert_never"))
def _assert_never(it: Interpreter, call: Call) -> Value:
    return it.fail(call.node, "array-call", "AssertionError: expected code to be unreachable")


@handles(*_both("NewType"))
def _new_type(it: Interpreter, call: Call) -> Value:
    return HandlerValue(
        "NewType",
        lambda it, call: call.args[0] if call.args else it.unknown("NewType"),
        (),
        {"__supertype__": call.args[1]},
    )


def _variable(name: str) -> None:
    @handles(*_both(name))
    def handle(it: Interpreter, call: Call) -> Value:
        if not call.args or type(call.args[0]) is not str:
            return it.unknown("a type variable of unknown name")
        kept = {k: v for k, v in call.kwargs.items() if is_concrete(v) and k != "default"}
        try:
            return getattr(typing, name)(*(a for a in call.args if is_concrete(a)), **kept)
        except Exception as error:
            swallow(error)
            return getattr(typing, name)(call.args[0])


for _name in ("TypeVar", "ParamSpec", "TypeVarTuple"):
    _variable(_name)


@handles(*_both("get_type_hints", "get_overloads"), "inspect.getsource")
def _reflection(it: Interpreter, call: Call) -> Value:
    return it.unknown("what is read off a function or class")


@handles(*_both("NamedTuple"))
def _named_tuple(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 2 or type(call.args[0]) is not str:
        return it.unknown("a NamedTuple of unknown fields")
    pairs, _ = it.iterate(call.args[1], call.node)
    names = [pair[0] for pair in pairs or () if isinstance(pair, tuple) and len(pair) == 2 and type(pair[0]) is str]
    if pairs is None or len(names) < len(pairs):
        return it.unknown("a NamedTuple of unknown fields")
    return make_namedtuple(it, ClassValue(call.args[0], (), {}, it.frame.module), names)


@handles_base(*_both("TypedDict"))
def _typed_dict(it: Interpreter, cls: ClassValue, base: Value, keywords: Kwargs, node: Node) -> Value:
    """A class whose instances are dicts."""

    def make(it: Interpreter, cls: Value, call: Call) -> Value:
        result = DictValue({})
        update(it, result, call)
        return result

    cls.options["instantiate"] = make
    return cls


@handles(*_both("TypedDict"))
def _functional_typed_dict(it: Interpreter, call: Call) -> Value:
    return HandlerValue("TypedDict", lambda it, call: it.call(dict, *call))


@handles("enum.auto")
def _auto(it: Interpreter, call: Call) -> Value:
    return enum.auto()
