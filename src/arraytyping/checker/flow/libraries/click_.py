"""`click`: a command that is called is run with its options' values, and the program ends behind it.

Source: https://click.palletsprojects.com/en/stable/options/ and .../arguments/.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any

from arraytyping.checker.flow.libraries.click_lines import parse_words
from arraytyping.checker.flow.libraries.click_parameters import Parameter, declared, option_name
from arraytyping.checker.flow.libraries.command_lines import choose, command_line, nothing, of_kind
from arraytyping.checker.flow.libraries.held_values import LineEnds
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.state.program_words import note_absent
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import DictValue, FunctionValue, HandlerValue, ScalarValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = []

Kwargs = dict[str, Any]
Node = ast.AST | None


class Decorated(HandlerValue):
    """A function on its way to become a command, with its parameters so far; called, it is the function.

    `context` is how many arguments the decorators below pass first.
    """

    __slots__ = ("context", "function", "parameters")

    def __init__(self, function: Value, parameters: tuple[Parameter | None, ...], context: int = 0) -> None:
        def called(it: Interpreter, call: Call) -> Value:
            first = [it.unknown("the context of a command") for _ in range(context)]
            return it.call(function, *call.preceded_by(*first))

        super().__init__("decorated", called, (function,))
        self.function: Any = function
        self.parameters: tuple[Parameter | None, ...] = parameters
        self.context: int = context


class Command(HandlerValue):
    """A command, or with `commands` a group of them; calling it runs it and ends the program.

    `settings` are those that the program gave it.
    """

    __slots__ = ("commands", "decorated", "runs_alone", "settings")

    def __init__(
        self, decorated: Decorated, settings: Kwargs, commands: DictValue | None = None, runs_alone: bool = False
    ) -> None:
        methods: dict[str, Value] = {
            "callback": decorated,
            "main": HandlerValue("main", lambda it, call: run(it, self, call)),
            "name": ScalarValue(str),
        }
        if commands is not None:
            for name, make in (("command", _command), ("group", _group)):
                methods[name] = HandlerValue(name, _adding(make, commands))
            methods["add_command"] = HandlerValue(
                "add_command", lambda it, call: _add(it, commands, call.args, call.kwargs)
            )
            methods["result_callback"] = methods["callback"] = nothing("result_callback", nothing("decorator"))
        super().__init__("command", lambda it, call: run(it, self, call), (decorated,), methods)
        self.decorated: Decorated = decorated
        self.settings: Kwargs = settings
        self.commands: DictValue | None = commands
        self.runs_alone: bool = runs_alone


# ---------------------------------------------------------------------- making commands


def _decorate(value: Value) -> Decorated:
    return value if isinstance(value, Decorated) else Decorated(value, ())


@handles("click.command", "click.decorators.command")
def _command(it: Interpreter, call: Call) -> Value:
    return _maker(it, call.args, call.kwargs, lambda decorated: Command(decorated, call.kwargs))


@handles("click.group", "click.decorators.group")
def _group(it: Interpreter, call: Call) -> Value:
    alone = call.kwargs.get("invoke_without_command") is True
    return _maker(it, call.args, call.kwargs, lambda decorated: Command(decorated, call.kwargs, DictValue({}), alone))


def _maker(it: Interpreter, args: list[Value], kwargs: Kwargs, make: Callable[[Decorated], Any]) -> Value:
    """The decorator, or with a function as the only argument what it makes of it."""
    if "cls" in kwargs and kwargs["cls"] is not None:
        return it.unknown("a command of a class of its own")
    if args and not isinstance(args[0], str) and args[0] is not None:
        return make(_decorate(args[0]))
    return HandlerValue(
        "command", lambda it, call: make(_decorate(call.args[0])) if call.args else it.unknown("a command")
    )


def _adding(make: Callable[..., Any], commands: DictValue) -> Callable[..., Any]:
    """`group.command(...)`: the decorator makes a command and adds it to the group."""

    def method(it: Interpreter, call: Call) -> Value:
        named = call.args[0] if call.args and isinstance(call.args[0], str) else call.kwargs.get("name")
        direct = bool(call.args) and not isinstance(call.args[0], str)
        decorator = make(it, call.with_args([] if direct else call.args))

        def decorate(it: Interpreter, call: Call) -> Value:
            command = it.call(decorator, *call)
            _add(it, commands, [command, named] if named else [command], {})
            return command

        return decorate(it, call.with_kwargs({})) if direct else HandlerValue("command", decorate)

    return method


def _add(it: Interpreter, commands: DictValue, args: list[Value], kwargs: Kwargs) -> None:
    command = args[0] if args else kwargs.get("cmd")
    name = args[1] if len(args) > 1 else kwargs.get("name")
    if name is None and isinstance(command, Command):
        name = command_name(command.decorated.function)
    it.journal.touch(commands)
    if commands.items is not None and isinstance(name, str):
        commands.items[name] = command
    else:
        commands.items, commands.key, commands.element = None, ScalarValue(str), it.unknown("a command of unknown name")


def command_name(function: Value) -> str | None:
    """The name of a function's command."""
    while isinstance(function, Decorated):
        function = function.function
    if not isinstance(function, FunctionValue):
        return None
    click: Any = sys.modules.get("click")
    if click is None:
        return function.name.replace("_", "-")

    def named() -> None: ...

    named.__name__ = function.name  # releases of click differ in what they make of it
    name: str = click.command()(named).name
    return name


def _with_parameter(parameter: Parameter | None) -> HandlerValue:
    def decorate(it: Interpreter, call: Call) -> Value:
        value = call.args[0] if call.args else it.unknown("an option of nothing")
        if isinstance(value, Command):
            d = value.decorated
            # click puts it behind the others, and not in front as below; only for arguments does the order count.
            further = {"params": None} if parameter is None or parameter.is_argument else {}
            return Command(
                Decorated(d.function, (*d.parameters, parameter), d.context),
                {**value.settings, **further},
                value.commands,
                value.runs_alone,
            )
        if isinstance(value, Decorated):
            return Decorated(value.function, (*value.parameters, parameter), value.context)
        return value if isinstance(value, Unknown) else Decorated(value, (parameter,))

    return HandlerValue("option", decorate)


@handles("click.pass_context", "click.pass_obj", "click.decorators.pass_context", "click.decorators.pass_obj")
def _pass_context(it: Interpreter, call: Call) -> Value:
    value = _decorate(call.args[0]) if call.args else None
    if value is None:
        return it.unknown("pass_context of nothing")
    return Decorated(value.function, value.parameters, value.context + 1)


@handles("click.confirmation_option")
def _confirmation(it: Interpreter, call: Call) -> Value:
    given = {"is_flag": True, "prompt": True, **call.kwargs, "expose_value": False}
    return _option(it, Call(call.args or ["--yes"], given, call.node))


@handles("click.version_option", "click.help_option")
def _no_parameter(it: Interpreter, call: Call) -> Value:
    return HandlerValue("option", lambda it, call: call.positional(0))


# ---------------------------------------------------------------------- parameters


@handles("click.option")
def _option(it: Interpreter, call: Call) -> Value:
    if not call.args or not all(isinstance(a, str) for a in call.args):
        return _with_parameter(None)
    return _with_parameter(declared(it, option_name(call.args), call.kwargs, False, call.args, call.node))


@handles("click.argument")
def _argument(it: Interpreter, call: Call) -> Value:
    if not call.args or not isinstance(call.args[0], str):
        return _with_parameter(None)
    return _with_parameter(
        declared(it, call.args[0].lower().replace("-", "_"), call.kwargs, True, call.args, call.node)
    )


# ---------------------------------------------------------------------- running


def run(it: Interpreter, command: Command, call: Call) -> Value:
    """Run a command with what the command line gives, its defaults, or what is not known if that is not known."""
    words, is_default = command_line(it, call.argument(0, "args"), call.node)
    is_standalone = call.kwargs.get("standalone_mode") is not False
    try:
        result = _invoke(it, command, words, is_default, call.node)
    except LineEnds:
        if is_standalone:
            raise ProgramEnds from None
        it.may_raise += 1  # it raises an exception of click's
        return it.unknown("a command with a wrong command line")
    if is_standalone:
        raise ProgramEnds
    return result


def _invoke(it: Interpreter, command: Command, words: list[str] | None, is_default: bool, node: Node) -> Value:
    group = command.commands
    answer = None
    if words is not None and (group is None or group.items is not None):
        decorated = command.decorated
        answer = parse_words(it, decorated.parameters, command.settings, words, group is not None, node)
    if answer is not None:
        values, left = answer
        inner = None
        if group is not None:
            inner = (group.items or {}).get(left[0]) if left else None
            if inner is None and (left or not command.runs_alone):
                raise LineEnds
        result = it.call(command.decorated, [], values, node)
        if inner is None:
            return result
        if isinstance(inner, Command):
            return _invoke(it, inner, left[1:], False, node)
        it.engines.havoc(it, [inner])
        return it.unknown("a command of a sort that is not understood")
    return _invoke_by_defaults(it, command, is_default, node)


def _invoke_by_defaults(it: Interpreter, command: Command, is_default: bool, node: Node) -> Value:
    """Run a command, each of those of a group in a run of its own, without knowing the command line."""
    group = command.commands
    inner = None
    if group is not None:
        if group.items is None or not is_default:
            it.engines.havoc(it, [command.decorated, *(group.items or {}).values()])
            return it.unknown("a group of commands that are not all known")
        name = choose(it, group.items)
        inner = None if name is None else group.items[name]
        if inner is None and not command.runs_alone:
            return None  # it prints its help
    values = parameters(it, command.decorated, is_default)
    if values is None:
        it.engines.havoc(it, [command.decorated])
        result: Value = it.unknown("a command with an option of unknown name")
    else:
        result = it.call(command.decorated, [], values, node)
    if isinstance(inner, Command):
        return _invoke_by_defaults(it, inner, is_default, node)
    return result if inner is None else it.call(inner, [], {}, node)


def parameters(it: Interpreter, decorated: Decorated, is_default: bool) -> Kwargs | None:
    """The keyword arguments of a command; None if they are not all known."""
    values: Kwargs = {}
    for p in decorated.parameters:
        if p is None:
            return None
        if p.kwargs.get("expose_value") is not False:
            is_given = not is_default or note_absent(it, p.default)
            values[p.name] = join(p.default, p.given) if is_given else p.default
    return values


# ---------------------------------------------------------------------- printing and asking


@handles("click.echo", "click.secho", "click.clear", "click.pause", "typer.echo", "typer.secho", "click.echo_via_pager")
def _echo(it: Interpreter, call: Call) -> Value:
    return None


@handles("click.style", "typer.style", "click.unstyle")
def _style(it: Interpreter, call: Call) -> Value:
    return ScalarValue(str)


@handles("click.prompt", "typer.prompt")
def _prompt(it: Interpreter, call: Call) -> Value:
    kind = call.kwargs.get("type")
    if kind is None and type(call.kwargs.get("default")) in (int, float, str, bool):
        kind = type(call.kwargs["default"])
    return of_kind(it, kind, call.node)


@handles("click.confirm", "typer.confirm")
def _confirm(it: Interpreter, call: Call) -> Value:
    return ScalarValue(bool)


@handles("click.progressbar", "typer.progressbar")
def _progress(it: Interpreter, call: Call) -> Value:
    iterable = call.argument(0, "iterable")
    return ContextValue("progressbar", it.unknown("a progress bar") if iterable is None else iterable)
