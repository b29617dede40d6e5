"""`click` on a command line that is known: a command with the same parameters is made once more, and parses it.

It has no callbacks and asks for nothing.  A type that is a function of the program is called by flow; the value of an
option with a callback, and of one that is not given but may come from the environment, is unknown.

Source: https://click.palletsprojects.com/en/stable/parameters/ and .../parameter-types/.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Any, Final

from arraytyping.checker.flow.libraries.click_parameters import Kind, Parameter
from arraytyping.checker.flow.libraries.held_values import Custody, Held, LineEnds, Undecided, call_converter, is_plain
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.values import BoundMethod, DictValue, FunctionValue, Value
from arraytyping.checker.swallowed import swallow

__all__ = ["parse_words"]

Kwargs = dict[str, Any]

_PASSED: Final = ("required", "nargs", "multiple", "is_flag", "flag_value", "count")
_SEEN: Final = (
    "default", "type", "callback", "envvar", "expose_value", "prompt", "help", "show_default", "hidden", "metavar",
    "show_choices", "show_envvar", "is_eager", "confirmation_prompt", "hide_input", "allow_from_autoenv",
    "shell_complete", "deprecated",
)  # fmt: skip
"""Settings of a parameter that are not handed on: they do not change how it is parsed, or are dealt with here."""
_COMMAND: Final = ("no_args_is_help", "add_help_option")
_TEXTS: Final = ("help", "epilog", "short_help", "options_metavar", "hidden", "deprecated", "name", "cls")
_OF_GROUP: Final = ("invoke_without_command", "subcommand_metavar")
_CONTEXT: Final = ("ignore_unknown_options", "allow_extra_args", "allow_interspersed_args")
_OF_HELP: Final = ("help_option_names", "show_default", "max_content_width", "terminal_width")


def parse_words(
    it: Interpreter,
    parameters: Sequence[Parameter | None],
    settings: Kwargs,
    words: list[str],
    is_group: bool,
    node: ast.AST | None,
) -> tuple[Kwargs, list[str]] | None:
    """The keyword arguments of a command and the words left over; None if that is not decided.

    Raises:
        LineEnds: if the command line is wrong, or asks for help.
    """
    mark = it.journal.mark
    try:
        return _parse(it, parameters, settings, words, is_group, node)
    except LineEnds:
        it.journal.undo(mark)
        raise
    except Exception as error:  # a declaration that click refuses, or what it does with a value that is not known
        swallow(error)
    it.journal.undo(mark)
    return None


def _parse(
    it: Interpreter,
    parameters: Sequence[Parameter | None],
    settings: Kwargs,
    words: list[str],
    is_group: bool,
    node: ast.AST | None,
) -> tuple[Kwargs, list[str]]:
    click: Any = sys.modules["click"]
    custody = Custody()
    made: dict[str, Any] = {}
    declared: dict[str, Parameter] = {}
    for parameter in reversed(parameters):  # the decorator next to the function comes last
        if parameter is None or parameter.name in declared:
            raise Undecided
        declared[parameter.name] = parameter
        made[parameter.name] = _made(it, click, custody, parameter, node)
    options: Kwargs = {name: settings[name] for name in _COMMAND if name in settings}
    if not all(map(is_plain, options.values())):
        raise Undecided
    if any(name not in (*_COMMAND, *_TEXTS, *_OF_GROUP, "context_settings") for name in settings):
        raise Undecided
    context = _context(settings.get("context_settings"))
    if is_group:
        context = {"allow_extra_args": True, "allow_interspersed_args": False, **context}
    command = click.Command("", params=list(made.values()), context_settings=context, **options)
    command.get_help = lambda ctx: ""
    try:
        ctx = command.make_context("", list(words))
    except (click.ClickException, click.exceptions.Exit, click.Abort) as error:
        raise LineEnds from error
    values: Kwargs = {}
    for name, parameter in declared.items():
        if parameter.kwargs.get("expose_value") is False:
            continue
        if made[name].name != name:
            raise Undecided
        source = ctx.get_parameter_source(name)
        is_given = source is not None and source.name == "COMMANDLINE"
        values[name] = _value(it, parameter, custody.release(ctx.params[name]), is_given)
    return values, list(ctx.args)


def _value(it: Interpreter, parameter: Parameter, found: Value, is_given: bool) -> Value:
    if parameter.kwargs.get("callback") is not None:
        return it.unknown("an option with a callback")
    if is_given:
        return found
    if parameter.kwargs.get("prompt") not in (None, False):
        return parameter.given
    if parameter.kwargs.get("envvar") is not None:
        return join(parameter.default, parameter.given)
    return parameter.default


def _made(it: Interpreter, click: Any, custody: Custody, parameter: Parameter, node: ast.AST | None) -> Value:
    """The parameter without its default: what was not given is told apart by where its value comes from."""
    kwargs = parameter.kwargs
    if any(name not in (*_PASSED, *_SEEN) for name in kwargs) or not all(type(n) is str for n in parameter.names):
        raise Undecided
    options: Kwargs = {name: kwargs[name] for name in _PASSED if name in kwargs}
    if "flag_value" in options:
        options["flag_value"] = Held(options["flag_value"])
    elif not all(map(is_plain, options.values())):
        raise Undecided
    has_default = kwargs.get("default") is not None
    asks = kwargs.get("prompt") not in (None, False) or kwargs.get("envvar") is not None
    required = kwargs.get("required")
    if required is None:
        required = parameter.is_argument and options.get("nargs", 1) != -1
    options["required"] = required and not has_default and not asks
    if not kwargs.get("count") and not parameter.is_flag:
        options["type"] = _type(it, click, parameter, node)
    elif parameter.is_flag and "flag_value" not in kwargs:
        options["is_flag"] = True
    elif parameter.is_flag:
        options["type"] = _converting(click, lambda value: value)
    cls = click.Argument if parameter.is_argument else click.Option
    return cls(list(parameter.names), **options)


def _type(it: Interpreter, click: Any, parameter: Parameter, node: ast.AST | None) -> Value:
    kind = parameter.kind
    if isinstance(kind, Kind):
        if kind.name in ("IntRange", "FloatRange", "Choice"):
            if not all(is_plain(v) for v in kind.kwargs.values()) or len(kind.args) > 5:
                raise Undecided
            args = [
                _plain_items(it, v, node) if i == 0 and kind.name == "Choice" else v for i, v in enumerate(kind.args)
            ]
            if not all(is_plain(v) or type(v) is list for v in args):
                raise Undecided
            return getattr(click, kind.name)(*args, **kind.kwargs)
        if (
            kind.name == "Path"
            and not kind.args
            and "path_type" not in kind.kwargs
            and "resolve_path" not in kind.kwargs
        ):
            return click.STRING  # whether it exists is not looked at
        if kind.name == "Tuple":
            raise Undecided
    elif kind in (None, str):
        return click.STRING
    elif kind in (int, float, bool):
        return {int: click.INT, float: click.FLOAT, bool: click.BOOL}[kind]
    elif isinstance(kind, FunctionValue | BoundMethod):
        return _converting(click, lambda text: call_converter(it, kind, text, node, ValueError))
    elif isinstance(parameter.kwargs.get("type"), tuple):
        raise Undecided
    return _converting(click, lambda text: Held(it.unknown("an option of a type that is not understood")))


def _plain_items(it: Interpreter, value: Value, node: ast.AST | None) -> list[Value]:
    items = it.iterate(value, node)[0]
    if items is None or not all(type(item) is str for item in items):
        raise Undecided
    return items


def _converting(click: Any, function: Any) -> Any:
    """A type that converts with a function."""

    def convert(self: Any, value: Any, param: Any, ctx: Any) -> Any:
        if isinstance(value, Held):
            return value
        try:
            return function(value)
        except ValueError:
            self.fail("", param, ctx)

    return type("Converted", (click.ParamType,), {"name": "converted", "convert": convert})()


def _context(said: Any) -> Kwargs:
    if said is None:
        return {}
    items = said.items if isinstance(said, DictValue) else None
    if items is None or any(name not in (*_CONTEXT, *_OF_HELP) for name in items):
        raise Undecided
    found = {name: value for name, value in items.items() if name in _CONTEXT}
    if not all(map(is_plain, found.values())):
        raise Undecided
    return found
