"""`typer`: a function's parameters are its options, with their defaults.

Source: https://typer.tiangolo.com/tutorial/.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.libraries.click_ import command_name
from arraytyping.checker.flow.libraries.command_lines import choose, converted, given
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds
from arraytyping.checker.flow.state.program_words import may_be_given
from arraytyping.checker.flow.values import (
    MISSING,
    BaseValue,
    DictValue,
    FunctionValue,
    HandlerValue,
    ListValue,
    ScalarValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

Kwargs = dict[str, Any]
Node = ast.AST | None

_KINDS = (bool, int, float, str)


class Info(BaseValue):
    """What `typer.Option(...)` says: the default, MISSING if there is none, and its other options."""

    __slots__ = ("default", "options")

    def __init__(self, default: Value, options: Kwargs) -> None:
        self.default: Value = default
        self.options: Kwargs = options


class App(HandlerValue):
    """An application: its commands by name, and its callback; calling it runs it and ends the program."""

    __slots__ = ("callback", "commands", "runs_alone")

    def __init__(self, runs_alone: bool) -> None:
        self.commands: DictValue = DictValue({})
        self.callback: ListValue = ListValue([])
        self.runs_alone: bool = runs_alone
        methods = {
            "command": HandlerValue("command", lambda it, call: _command(it, self, call)),
            "callback": HandlerValue("callback", lambda it, call: _callback(it, self, call)),
            "add_typer": HandlerValue("add_typer", lambda it, call: _add_typer(it, self, call)),
        }
        super().__init__("typer", lambda it, call: _run_app(it, self, call.kwargs, call.node), (), methods)


@handles("typer.Typer")
def _typer(it: Interpreter, call: Call) -> Value:
    return App(call.kwargs.get("invoke_without_command") is True)


def _command(it: Interpreter, app: App, call: Call) -> Value:
    named = call.argument(0, "name")

    def decorate(it: Interpreter, call: Call) -> Value:
        name = named or command_name(call.args[0])
        it.journal.touch(app.commands)
        if isinstance(name, str) and app.commands.items is not None:
            app.commands.items[name] = call.args[0]
        else:
            app.commands.items = None
        return call.args[0]

    return HandlerValue("command", decorate)


def _callback(it: Interpreter, app: App, call: Call) -> Value:
    app.runs_alone = app.runs_alone or call.kwargs.get("invoke_without_command") is True

    def decorate(it: Interpreter, call: Call) -> Value:
        it.journal.touch(app.callback)
        app.callback.items = [call.args[0]]
        return call.args[0]

    return HandlerValue("callback", decorate)


def _add_typer(it: Interpreter, app: App, call: Call) -> Value:
    inner = call.argument(0, "typer_instance")
    it.journal.touch(app.commands)
    if isinstance(call.kwargs.get("name"), str) and app.commands.items is not None:
        app.commands.items[call.kwargs["name"]] = inner
    else:
        app.commands.items = None
    return None


def _info(name: str) -> None:
    @handles(f"typer.{name}")
    def handle(it: Interpreter, call: Call) -> Value:
        default = call.argument(0, "default", MISSING)
        if isinstance(default, str) and default.startswith("-"):  # in Annotated the first argument is a name
            default = MISSING
        return Info(MISSING if default is ... else default, call.kwargs)


for _name in ("Option", "Argument"):
    _info(_name)


@handles("typer.run")
def _run(it: Interpreter, call: Call) -> Value:
    if call.args:
        _invoke(it, call.args[0], call.node)
    raise ProgramEnds


@handles("typer.Exit", "typer.Abort", "click.exceptions.Exit", "click.Abort")
def _exit(it: Interpreter, call: Call) -> Value:
    return SystemExit()


def _run_app(it: Interpreter, app: App, kwargs: Kwargs, node: Node) -> Value:
    _invoke_app(it, app, node)
    if kwargs.get("standalone_mode") is False:
        return it.unknown("what a command returns")
    raise ProgramEnds


def _invoke_app(it: Interpreter, app: App, node: Node) -> None:
    commands, callback = app.commands.items, app.callback.items or []
    if commands is None:
        it.engines.havoc(it, list(callback))
        it.unknown("commands that are not all known")
        return
    if len(commands) == 1 and not callback and not isinstance(next(iter(commands.values())), App):
        _invoke(it, next(iter(commands.values())), node)
        return
    name = choose(it, commands)
    if name is None and not app.runs_alone:
        return
    for function in callback:
        _invoke(it, function, node)
    inner = commands.get(name)
    if isinstance(inner, App):
        _invoke_app(it, inner, node)
    elif inner is not None:
        _invoke(it, inner, node)


def _invoke(it: Interpreter, function: Value, node: Node) -> Value:
    """Call a function with its options' defaults."""
    if not isinstance(function, FunctionValue) or isinstance(function.node, ast.Lambda):
        it.engines.havoc(it, [function])
        return it.unknown("a command that is no function of the program")
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    defaults = [MISSING] * (len(positional) - len(function.defaults)) + list(function.defaults)
    values: Kwargs = {}
    for parameter, default in zip([*positional, *spec.kwonlyargs], [*defaults, *function.kw_defaults]):
        value = _value(it, function, parameter, default, node)
        values[parameter.arg] = it.unknown("an option that may be given") if may_be_given(it) else value
    return it.call(function, [], values, node)


def _value(it: Interpreter, function: FunctionValue, parameter: ast.arg, default: Value, node: Node) -> Value:
    annotation = parameter.annotation
    info = default if isinstance(default, Info) else None
    if info is not None:
        default = info.default
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return it.unknown("an annotation that cannot be read")
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value).rpartition(".")[2] == "Annotated":
        parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        annotation = parts[0]
        said = [it.evaluate(p, function.frame) for p in parts[1:]]
        info = next((s for s in said if isinstance(s, Info)), info)
    options = info.options if info is not None else {}
    if "default_factory" in options and default is MISSING:
        default = it.call(options["default_factory"], [], {}, node)
    kind = MISSING if annotation is None else it.evaluate(annotation, function.frame)
    if annotation is not None and ast.unparse(annotation).rpartition(".")[2] == "Context":
        return it.unknown("the context of a command")
    if "callback" in options or "parser" in options or options.get("prompt") not in (None, False):
        return it.unknown("an option with a callback")
    if default is MISSING:
        if kind is MISSING:
            return ScalarValue(str)
        return given(it, kind) if kind in _KINDS else it.unknown("an argument of the command line")
    if isinstance(default, FunctionValue):
        return it.call(default, [], {}, node)
    if kind in _KINDS and default is not None:
        return converted(it, kind, default, node)
    return default
