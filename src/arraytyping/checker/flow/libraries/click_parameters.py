"""Parameters of `click`'s commands: the names, types and defaults of options and arguments.

Source: https://click.palletsprojects.com/en/stable/options/ and .../arguments/.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.libraries.command_lines import converted, given
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.values import (
    MISSING,
    BaseValue,
    FunctionValue,
    HandlerValue,
    ListValue,
    ScalarValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["Parameter", "declared", "option_name"]

Kwargs = dict[str, Any]
Node = ast.AST | None


class Parameter(BaseValue):
    """An option or argument: the parameter of the function that gets it, what it gets, and how it was declared."""

    __slots__ = ("default", "given", "is_argument", "is_flag", "kind", "kwargs", "name", "names")

    def __init__(self, name: str, names: list[Any], kwargs: Kwargs, is_argument: bool) -> None:
        self.name: str = name
        self.names: list[Any] = names
        self.kwargs: Kwargs = kwargs
        self.is_argument: bool = is_argument
        self.is_flag: bool = not is_argument and (kwargs.get("is_flag") is True or any("/" in d[1:] for d in names))
        self.kind: Value = None
        self.default: Value = None
        self.given: Value = None


class Kind(BaseValue):
    """A type of parameters, such as `click.IntRange(1, 8)`: what it converts to, and what there is to choose."""

    __slots__ = ("args", "choices", "kwargs", "name", "to")

    def __init__(self, to: Value, choices: Value, name: str, args: list[Value], kwargs: Kwargs) -> None:
        self.to: Value = to
        self.choices: Any = choices
        self.name: str = name
        self.args: list[Any] = args
        self.kwargs: Kwargs = kwargs


def option_name(names: list[Any]) -> str:
    """The name of the parameter: the one that is an identifier, else that with the most dashes."""
    for name in names:
        if name.isidentifier():
            return str(name)
    first = [name.split("/")[0].strip() for name in names]
    found = max(first, key=lambda n: len(n) - len(n.lstrip("-")))
    return str(found.lstrip("-").replace("-", "_").lower())


def declared(it: Interpreter, name: str, kwargs: Kwargs, is_argument: bool, names: list[Any], node: Node) -> Parameter:
    """The parameter that an option or argument with these settings declares."""
    parameter = Parameter(name, names, kwargs, is_argument)
    parameter.default, parameter.given = _values(it, parameter, node)
    return parameter


def _values(it: Interpreter, parameter: Parameter, node: Node) -> tuple[Any, Any]:
    """What it gets where it is not given, and what where it is."""
    kwargs, is_argument, is_flag = parameter.kwargs, parameter.is_argument, parameter.is_flag
    default = kwargs.get("default", MISSING)
    kind, choices = _kind(kwargs.get("type"), default, is_flag)
    parameter.kind = kwargs["type"] if isinstance(kwargs.get("type"), Kind) else kind

    def given_one() -> Value:
        if kind is MISSING:
            return it.unknown("an option of a type that is not understood")
        return given(it, kind, choices, node, parameter.name)

    one = given_one()
    nargs, multiple = kwargs.get("nargs", 1), kwargs.get("multiple") is True
    if is_flag and "flag_value" in kwargs:
        one, kind = join(kwargs["flag_value"], None), MISSING
    if kwargs.get("count") is True:
        one, default = ScalarValue(int), 0 if default is MISSING else default
    many = multiple or nargs == -1
    if many:
        one = it.unknown("a tuple of unknown length")
    elif type(nargs) is int and nargs > 1:
        one = tuple(given_one() for _ in range(nargs))
    if isinstance(default, FunctionValue | HandlerValue):
        default = it.call(default, [], {}, node)
    required = kwargs.get("required", is_argument and default is MISSING and nargs != -1)
    if required is True or kwargs.get("prompt") not in (None, False) or "callback" in kwargs:
        return it.unknown("an option with a callback") if "callback" in kwargs else one, one
    if default is MISSING:
        default = () if many else False if is_flag and "flag_value" not in kwargs else None
    elif isinstance(default, ListValue | tuple):
        items, _ = it.iterate(default, node)
        default = (
            it.unknown("a default of unknown length")
            if items is None
            else tuple(_convert(it, kind, v, node) for v in items)
        )
    else:
        default = _convert(it, kind, default, node)
    return default, one


def _convert(it: Interpreter, kind: Value, value: Value, node: Node) -> Value:
    return value if kind is MISSING else converted(it, kind, value, node)


def _kind(kind: Value, default: Any, is_flag: bool) -> tuple[Value, Value]:
    """What a parameter converts to (MISSING if that is not understood), and the choices."""
    if isinstance(kind, Kind):
        return kind.to, kind.choices
    if kind is None:
        found = next((k for k in (bool, int, float, str) if type(default) is k), None)
        if isinstance(default, ScalarValue) and len(default.kinds) == 1:
            found = default.kinds[0]
        return (bool if is_flag else found), None
    name = type(kind).__name__ if not isinstance(kind, type) else ""
    known = {"IntParamType": int, "FloatParamType": float, "StringParamType": str, "BoolParamType": bool}
    if name in known:
        return known[name], None
    return (kind if kind in (bool, int, float, str) or isinstance(kind, FunctionValue) else MISSING), None


@handles(
    "click.IntRange", "click.FloatRange", "click.Choice", "click.Path", "click.File", "click.Tuple", "click.DateTime"
)
def _type(it: Interpreter, call: Call) -> Value:
    called = getattr(call.node, "func", None)
    name = getattr(called, "attr", getattr(called, "id", ""))
    if name == "Choice":
        return Kind(str, call.argument(0, "choices"), name, call.args, call.kwargs)
    if name == "Path" and "path_type" not in call.kwargs:
        return Kind(str, None, name, call.args, call.kwargs)
    return Kind({"IntRange": int, "FloatRange": float}.get(name, MISSING), None, name, call.args, call.kwargs)
