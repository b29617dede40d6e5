"""`argparse`: what `parse_args` gives, by `argparse_lines` where the command line is known, and else by the defaults.

A group of options shares its parser's.  Without arguments, what must be given is unknown, but for its type.

Source: https://docs.python.org/3/library/argparse.html.
"""

from __future__ import annotations

import argparse
import ast
from typing import Any, Final

from arraytyping.checker.flow.libraries.argparse_actions import (
    actions_of,
    attribute_of_action,
    attribute_of_group,
    groups_of,
    note_action,
)
from arraytyping.checker.flow.libraries.argparse_lines import Declaration, Group, Settings, parse_line
from arraytyping.checker.flow.libraries.assumed_options import assumed_text
from arraytyping.checker.flow.libraries.command_lines import (
    choose,
    command_line,
    converted,
    given,
    instance_of,
    nothing,
    of_kind,
    synthetic_class,
)
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.state.program_words import note_absent
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    MISSING,
    BaseValue,
    ClassValue,
    HandlerValue,
    InstanceValue,
    ListValue,
    ScalarValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_CLASSES: Final[RunSlot[dict[str, ClassValue]]] = RunSlot("the classes of argparse", dict)

Kwargs = dict[str, Any]
Node = ast.AST | None


class Option(BaseValue):
    """One option: how it is written, where its value goes, its default, and what it is when given."""

    __slots__ = ("default", "dest", "given", "is_required", "name")

    def __init__(self, name: str, dest: str, default: Value, when_given: Value, is_required: bool) -> None:
        self.name: str = name
        self.dest: str = dest
        self.default: Value = default
        self.given: Value = when_given
        self.is_required: bool = is_required


@handles("argparse.ArgumentParser")
def _parser(it: Interpreter, call: Call) -> Value:
    parser = instance_of(_class(it, "ArgumentParser"))
    parents, _ = it.iterate(call.kwargs["parents"], call.node) if "parents" in call.kwargs else ([], None)
    options: tuple[Any, ...] = ()
    defaults: tuple[Value, ...] = ()
    declared: tuple[Value, ...] = () if parents is not None else (it.unknown("parents of a parser"),)
    for parent in parents or ():
        if isinstance(parent, InstanceValue):
            options += _tuple(parent, "options")
            defaults += _tuple(parent, "defaults")
            declared += _tuple(parent, "declared")
        else:
            declared += (it.unknown("a parent of a parser"),)
    parser.attributes.update(
        options=options,
        defaults=defaults,
        commands=(),
        otherwise=call.kwargs.get("argument_default", MISSING),
        declared=declared,
        settings=Settings(call.args, call.kwargs),
    )
    return parser


def _class(it: Interpreter, name: str) -> ClassValue:
    """The class, made once a run."""
    classes = _CLASSES.of(it)
    if name not in classes:
        hooks = {
            "ArgumentParser": _method, "Group": _of_group, "Subparsers": _of_subparsers, "Action": attribute_of_action,
        }  # fmt: skip
        classes[name] = synthetic_class(name, hooks.get(name, lambda it, v, n, node: MISSING))
        if name == "Namespace":
            classes[name].kind = "plain"
            classes[name].mro = [classes[name], argparse.Namespace]
    return classes[name]


def _method(it: Interpreter, parser: InstanceValue, name: str, node: Node) -> Value:
    """A method of a parser."""
    if name in ("_actions", "_action_groups"):
        return actions_of(it, parser) if name == "_actions" else groups_of(it, parser, _class(it, "Group"))
    handle = _METHODS.get(name)
    if handle is not None:
        return HandlerValue(name, lambda it, call: handle(it, parser, call))
    if name in ("print_help", "print_usage"):
        return nothing(name)
    if name in ("format_help", "format_usage", "prog", "usage", "description", "epilog"):
        return ScalarValue(str) if not name.startswith("format") else nothing(name, ScalarValue(str))
    return MISSING


def _tuple(owner: InstanceValue, name: str) -> tuple[Any, ...]:
    found = owner.attributes.get(name, ())
    return found if type(found) is tuple else ()


def _extend(it: Interpreter, owner: InstanceValue, name: str, item: Value) -> None:
    it.journal.touch(owner)
    held = owner.attributes.get(name, ())
    owner.attributes[name] = (
        (*held, item) if type(held) is tuple else Unknown("options that are added on some paths only")
    )


# ---------------------------------------------------------------------- options


def _add_argument(it: Interpreter, parser: InstanceValue, call: Call) -> Value:
    return _add_option(it, parser, None, call)


def _add_option(it: Interpreter, parser: InstanceValue, group: Group | None, call: Call) -> Value:
    made = instance_of(_class(it, "Action"))
    _extend(it, parser, "declared", Declaration("argument", call.args, call.kwargs, group, made))
    dest = _dest(call.args, call.kwargs)
    note_action(it, made, dest, call)
    if dest is None:
        _extend(it, parser, "options", it.unknown("an option of unknown name"))
        return it.unknown("an option")
    positional = not call.args or not (isinstance(call.args[0], str) and call.args[0].startswith("-"))
    action = call.kwargs.get("action", "store")
    kind, nargs = call.kwargs.get("type"), call.kwargs.get("nargs")
    default = call.kwargs.get("default", MISSING)
    otherwise = parser.attributes.get("otherwise", MISSING)
    if action in ("help", "version"):
        return made
    when_given = _when_given(it, action, kind, nargs, call.kwargs, call.node, _dest(call.args, call.kwargs))
    if default is MISSING and action in ("store_true", "store_false"):
        default = action == "store_false"
    elif (default is MISSING or default is None) and positional and nargs == "*":
        default = ListValue([])  # also for None, which argparse takes for no default here
    elif default is MISSING:
        default = None if otherwise is MISSING else otherwise
    required = call.kwargs.get("required", False)
    if positional:
        required = nargs not in ("?", "*") and action == "store"
    is_text = isinstance(default, str) or (isinstance(default, ScalarValue) and str in default.kinds)
    if is_text and not _is_suppressed(default) and action in ("store", "append", "extend"):
        default = converted(it, kind, default, call.node)
    if required not in (True, False):
        default, required = join(default, when_given), False
    name = dest if positional else str(call.args[0])
    _extend(it, parser, "options", Option(name, dest, default, when_given, bool(required)))
    return made


def _is_suppressed(default: Value) -> bool:
    return isinstance(default, str) and default == argparse.SUPPRESS


def _dest(args: list[Any], kwargs: Kwargs) -> str | None:
    """The name of the attribute that holds an option's value."""
    if "dest" in kwargs:
        return kwargs["dest"] if isinstance(kwargs["dest"], str) else None
    if not args or not all(isinstance(a, str) for a in args):
        return None
    name = next((a for a in args if a.startswith("--")), args[0])
    return str(name.lstrip("-").replace("-", "_") if name.startswith("-") else name)


def _when_given(
    it: Interpreter, action: Any, kind: Value, nargs: Any, kwargs: Kwargs, node: Node, name: str | None
) -> Value:
    """What an option is that is given on the command line."""
    if action in ("store_true", "store_false") or action is argparse.BooleanOptionalAction:
        return ScalarValue(bool)
    if action == "count":
        return ScalarValue(int)
    if action in ("store_const", "append_const"):
        return kwargs.get("const")
    if action not in ("store", "append", "extend"):
        return it.unknown("an option with an action of its own")

    def one() -> Value:
        return given(it, kind, kwargs.get("choices"), node, name or "n")

    if action in ("append", "extend") or nargs in ("+", "*") or nargs is argparse.REMAINDER:
        return ListValue(None, ScalarValue(int) if kind is int else one())
    return ListValue([one() for _ in range(nargs)]) if type(nargs) is int and nargs < 64 else one()


def _set_defaults(it: Interpreter, parser: InstanceValue, call: Call) -> Value:
    _extend(it, parser, "declared", Declaration("defaults", call.args, call.kwargs))
    for name, value in call.kwargs.items():
        _extend(it, parser, "defaults", (name, value))
    return None


def _register(it: Interpreter, parser: InstanceValue, call: Call) -> Value:
    _extend(it, parser, "declared", it.unknown("a type or action that is registered"))
    return None


def _get_default(it: Interpreter, parser: InstanceValue, call: Call) -> Value:
    if not all(isinstance(parser.attributes.get(name, ()), tuple) for name in ("options", "defaults")):
        return it.unknown("a default of a parser of which not all options are known")
    values = {o.dest: o.default for o in _tuple(parser, "options") if isinstance(o, Option)}
    values.update(dict(_tuple(parser, "defaults")))
    return values.get(call.args[0]) if call.args and isinstance(call.args[0], str) else it.unknown("a default")


def _group(it: Interpreter, parser: InstanceValue, call: Call) -> Value:
    title = call.argument(0, "title", None)
    made = instance_of(_class(it, "Group"), parser=parser, group=Group(None, False, MISSING), title=title)
    _extend(it, parser, "groups", made)
    return made


def _exclusive_group(it: Interpreter, parser: InstanceValue, call: Call) -> Value:
    required = call.kwargs.get("required", call.positional(0, False))
    return instance_of(_class(it, "Group"), parser=parser, group=Group(None, True, required))


def _of_group(it: Interpreter, owner: InstanceValue, name: str, node: Node) -> Value:
    """A method of a group of options, most of which its parser answers."""
    parser, group = owner.attributes.get("parser"), owner.attributes.get("group")
    if not isinstance(parser, InstanceValue) or not isinstance(group, Group):
        return it.unknown("a group of options that is made on some paths only")
    if name == "_group_actions":
        return attribute_of_group(it, owner)
    if name == "add_argument":
        return HandlerValue(name, lambda it, call: _add_option(it, parser, group, call))
    if name in ("add_argument_group", "add_mutually_exclusive_group"):

        def add(it: Interpreter, call: Call) -> Value:
            made: Any = _METHODS[name](it, parser, call)
            made.attributes["group"].outer = group
            return made

        return HandlerValue(name, add)
    return _method(it, parser, name, node)


# ---------------------------------------------------------------------- subcommands


def _add_subparsers(it: Interpreter, parser: InstanceValue, call: Call) -> Value:
    dest = call.kwargs.get("dest")
    made = instance_of(
        _class(it, "Subparsers"),
        parsers=(),
        declared=(),
        dest=dest if isinstance(dest, str) else None,
        is_required=call.kwargs.get("required", False),
    )
    _extend(it, parser, "commands", made)
    _extend(it, parser, "declared", Declaration("commands", call.args, call.kwargs, made=made))
    return made


def _of_subparsers(it: Interpreter, owner: InstanceValue, name: str, node: Node) -> Value:
    if name != "add_parser":
        return MISSING

    def add(it: Interpreter, call: Call) -> Value:
        parser = _parser(
            it, Call([], {k: v for k, v in call.kwargs.items() if k not in ("name", "aliases")}, call.node)
        )
        name = call.argument(0, "name")
        _extend(it, owner, "parsers", (name, parser))
        _extend(it, owner, "declared", Declaration("parser", [name], call.kwargs, made=parser))
        return parser

    return HandlerValue("add_parser", add)


# ---------------------------------------------------------------------- parsing


def _parse(it: Interpreter, parser: InstanceValue, call: Call) -> Value:
    return _parse_with(it, parser, "parse_args", call)[0]


def _parse_intermixed(it: Interpreter, parser: InstanceValue, call: Call) -> Value:
    return _parse_with(it, parser, "parse_intermixed_args", call)[0]


def _parse_known(it: Interpreter, parser: InstanceValue, call: Call) -> Value:
    return _parse_with(it, parser, "parse_known_args", call)


def _parse_with(it: Interpreter, parser: InstanceValue, method: str, call: Call) -> tuple[Value, Value]:
    """The namespace, and the words that are left over."""
    values = call.named("args", "namespace")
    left = ListValue(None, of_kind(it, None))
    if values.get("namespace") is not None:
        return it.unknown("options that are added to a namespace"), left
    words, is_default = command_line(it, values.get("args"), call.node)
    if words is not None:
        answer = parse_line(it, parser, words, method, call.node)
        if answer is not None:
            return InstanceValue(_class(it, "Namespace"), answer[0]), ListValue(list(answer[1]))
    found: dict[str, Value] = {}
    if not _fill(it, parser, found, is_default, call.node):
        return it.unknown("options that are not all known"), left
    return InstanceValue(_class(it, "Namespace"), found), left


def _fill(it: Interpreter, parser: InstanceValue, found: dict[str, Value], is_default: bool, node: Node) -> bool:
    options, defaults = parser.attributes.get("options"), parser.attributes.get("defaults")
    if type(options) is not tuple or type(defaults) is not tuple or not all(isinstance(o, Option) for o in options):
        return False
    declared = (d for d in _tuple(parser, "declared") if isinstance(d, Declaration) and d.kind == "argument")
    if any(d.made is not None and d.made.attributes for d in declared):
        return False  # the program has changed an option after it was added
    said = dict(defaults)
    for option in options:
        default = said.pop(option.dest, option.default)
        if option.is_required:
            found[option.dest] = _assumed(it, option) if is_default else option.given
        elif _is_suppressed(default):
            if not is_default:
                found[option.dest] = it.unknown("an option without a default")
        elif option.dest not in found:
            is_given = not is_default or note_absent(it, default)
            found[option.dest] = join(default, option.given) if is_given else default
    for name, value in said.items():
        found.setdefault(name, value)
    return all(_fill_command(it, commands, found, is_default, node) for commands in _tuple(parser, "commands"))


def _assumed(it: Interpreter, option: Option) -> Value:
    """An option that must be given: a configuration beside the program, if it is one that its name calls so."""
    if isinstance(option.given, ScalarValue) and option.given.kinds == (str,):
        text = assumed_text(it, option.name, option.dest)
        return option.given if text is None else text
    return option.given


def _fill_command(it: Interpreter, commands: Any, found: dict[str, Value], is_default: bool, node: Node) -> bool:
    """The options of the subcommand that this run follows."""
    parsers = commands.attributes.get("parsers") if isinstance(commands, InstanceValue) else None
    if type(parsers) is not tuple or not is_default:
        return False
    by_name = {name: p for name, p in parsers if isinstance(name, str) and isinstance(p, InstanceValue)}
    if len(by_name) != len(parsers):
        return False
    name = choose(it, by_name)
    dest = commands.attributes["dest"]
    if name is None:
        if commands.attributes["is_required"] is True:
            raise ProgramEnds  # "the following arguments are required"
        if dest is not None:
            found[dest] = None
        return True
    if dest is not None:
        found[dest] = name
    of_command: dict[str, Value] = {}
    if not _fill(it, by_name[name], of_command, is_default, node):
        return False
    found.update(of_command)
    return True


def _ends(it: Interpreter, parser: InstanceValue, call: Call) -> Value:
    raise ProgramEnds


_METHODS = {
    "add_argument": _add_argument,
    "add_argument_group": _group,
    "add_mutually_exclusive_group": _exclusive_group,
    "set_defaults": _set_defaults,
    "get_default": _get_default,
    "add_subparsers": _add_subparsers,
    "parse_args": _parse,
    "parse_intermixed_args": _parse_intermixed,
    "parse_known_args": _parse_known,
    "register": _register,
    "error": _ends,
    "exit": _ends,
}
