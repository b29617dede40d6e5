"""`argparse` on a command line that is known: the program's parser is made once more, and parses it.

The parser gets what is concrete of the program's declarations.  A conversion other than Python's own is called by flow;
defaults and constants go through `argparse` unseen.  Where anything else is not concrete, nothing is decided.

Source: https://docs.python.org/3/library/argparse.html.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from typing_extensions import override

from arraytyping.checker.flow.libraries.held_values import Custody, Held, LineEnds, Undecided, call_converter, is_plain
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds
from arraytyping.checker.flow.values import BaseValue, DictValue, InstanceValue, ListValue, SetValue, Value
from arraytyping.checker.swallowed import swallow

__all__ = ["Declaration", "Group", "Settings", "parse_line"]

Kwargs = dict[str, Any]

_ACTIONS: Final = (
    "store", "store_const", "store_true", "store_false", "append", "append_const", "extend", "count", "help", "version",
)  # fmt: skip
_CONVERSIONS: Final = (int, float, complex, str, bool)
_SETTINGS: Final = ("add_help", "prefix_chars", "allow_abbrev", "exit_on_error", "conflict_handler", "argument_default")
_TEXTS: Final = ("prog", "usage", "description", "epilog", "help", "formatter_class", "title", "metavar", "deprecated")
"""What only shows in the help, which nobody reads here."""
_MOST_VALUES: Final = 64


class Settings(BaseValue):
    """With what a parser was made."""

    __slots__ = ("args", "kwargs")

    def __init__(self, args: list[Value], kwargs: Kwargs) -> None:
        self.args: list[Any] = args
        self.kwargs: Kwargs = kwargs


class Group(BaseValue):
    """A group of options, which may exclude each other, within another one or the parser."""

    __slots__ = ("excludes", "outer", "required")

    def __init__(self, outer: Group | None, excludes: bool, required: Value) -> None:
        self.outer: Group | None = outer
        self.excludes: bool = excludes
        self.required: Value = required


class Declaration(BaseValue):
    """One call that declares something of a parser; `made` is what it gave, and `kind` which method it was."""

    __slots__ = ("args", "group", "kind", "kwargs", "made")

    def __init__(
        self,
        kind: str,
        args: list[Value],
        kwargs: Kwargs,
        group: Group | None = None,
        made: InstanceValue | None = None,
    ) -> None:
        self.kind: str = kind
        self.args: list[Any] = args
        self.kwargs: Kwargs = kwargs
        self.group: Group | None = group
        self.made: InstanceValue | None = made


class _LineRaises(Exception):
    """The command line is wrong, and the parser was made to raise an exception then."""


def parse_line(
    it: Interpreter, parser: InstanceValue, words: list[str], method: str, node: ast.AST | None
) -> tuple[dict[str, Value], list[str]] | None:
    """The attributes of the namespace and the words left over; None if that is not decided.

    Raises:
        ProgramEnds: if parsing ends the program.
    """
    custody = Custody()
    mark = it.journal.mark
    try:
        rebuilt = _Builder(it, custody, node).parser(parser)
        answer = getattr(rebuilt, method)(list(words))
    except LineEnds:
        it.journal.undo(mark)
        raise ProgramEnds from None
    except _LineRaises:
        it.may_raise += 1
    except Exception as error:  # a declaration that argparse refuses, or a value that it does not only store
        swallow(error)
    else:
        namespace, left = answer if method == "parse_known_args" else (answer, [])
        return {name: custody.release(value) for name, value in vars(namespace).items()}, left
    it.journal.undo(mark)
    return None


class _Parser(argparse.ArgumentParser):
    """A parser that prints nothing and does not end this process."""

    @override
    def error(self, message: str) -> NoReturn:
        raise LineEnds

    @override
    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise LineEnds

    @override
    def print_help(self, file: Any = None) -> None:
        pass

    @override
    def _print_message(self, message: str, file: Any = None) -> None:
        pass


class _Choices:
    """The choices of an option, which are not written into a message: there may be a great many."""

    def __init__(self, values: Any) -> None:
        self._values = values

    def __contains__(self, value: object) -> bool:
        return isinstance(value, Held) or value in self._values

    def __iter__(self) -> Iterator[Value]:
        return iter(())


class _Builder:
    """Makes a parser of what was declared."""

    def __init__(self, it: Interpreter, custody: Custody, node: ast.AST | None) -> None:
        self._it = it
        self._custody = custody
        self._node = node

    def parser(self, described: InstanceValue, into: Any = None) -> argparse.ArgumentParser:
        """The parser; `into` is what makes one where it is that of a subcommand."""
        settings = described.attributes.get("settings")
        if not isinstance(settings, Settings) or len(settings.args) > 4:  # prog, usage, description, epilog
            raise Undecided
        allowed = (*_SETTINGS, *_TEXTS, "parents", "suggest_on_error", "color")
        if any(name not in allowed and value is not None for name, value in settings.kwargs.items()):
            raise Undecided
        given = {name: settings.kwargs[name] for name in _SETTINGS if name in settings.kwargs}
        if not all(is_plain(value) for value in given.values()):
            raise Undecided
        made: argparse.ArgumentParser = _Parser(prog="", **given) if into is None else into(prog="", **given)
        if given.get("exit_on_error") is False:
            made.error = _raise  # type: ignore[method-assign]
        declared = described.attributes.get("declared")
        if type(declared) is not tuple:
            raise Undecided
        groups: dict[Group, Any] = {}
        for declaration in declared:
            if not isinstance(declaration, Declaration):
                raise Undecided
            if declaration.kind == "argument":
                self._argument(made, declaration, groups)
            elif declaration.kind == "defaults":
                made.set_defaults(**{name: self._custody.hold(v) for name, v in declaration.kwargs.items()})
            else:
                self._commands(made, declaration)
        return made

    def _group(self, parser: Any, group: Group | None, groups: dict[Group, Any]) -> Any:
        if group is None:
            return parser
        if group not in groups:
            outer = self._group(parser, group.outer, groups)
            if not group.excludes:
                groups[group] = outer.add_argument_group()
            elif isinstance(group.required, bool):
                groups[group] = outer.add_mutually_exclusive_group(required=group.required)
            else:
                raise Undecided
        return groups[group]

    def _argument(self, parser: argparse.ArgumentParser, declared: Declaration, groups: dict[Group, Any]) -> None:
        if declared.made is None or declared.made.attributes or not all(type(name) is str for name in declared.args):
            raise Undecided  # the program has changed the action
        options: Kwargs = {}
        for name, value in declared.kwargs.items():
            if name in ("default", "const"):
                options[name] = self._custody.hold(value)
            elif name == "type":
                options[name] = self._conversion(value)
            elif name == "choices":
                options[name] = _choices(value)
            elif name == "action":
                if value is not argparse.BooleanOptionalAction and value not in _ACTIONS:
                    raise Undecided
                options[name] = value
            elif name == "version":
                options[name] = ""
            elif name not in _TEXTS:
                if not is_plain(value) or (type(value) is int and value > _MOST_VALUES):
                    raise Undecided
                options[name] = value
        self._group(parser, declared.group, groups).add_argument(*declared.args, **options)

    def _conversion(self, kind: Value) -> Value:
        if kind is None or any(kind is known for known in _CONVERSIONS):
            return kind

        def convert(text: Any) -> Value:
            return call_converter(self._it, kind, text, self._node, argparse.ArgumentTypeError)

        return convert

    def _commands(self, parser: argparse.ArgumentParser, declared: Declaration) -> None:
        given = {name: v for name, v in declared.kwargs.items() if name not in (*_TEXTS, "required", "dest")}
        dest, required = declared.kwargs.get("dest"), declared.kwargs.get("required", False)
        if given or declared.args or declared.made is None or type(required) is not bool:
            raise Undecided
        if dest is not None and type(dest) is not str:
            raise Undecided
        commands: Any = parser.add_subparsers(required=required, **({} if dest is None else {"dest": dest}))
        inner = declared.made.attributes.get("declared")
        if type(inner) is not tuple:
            raise Undecided
        for one in inner:
            if not isinstance(one, Declaration) or one.made is None or not all(type(n) is str for n in one.args):
                raise Undecided
            aliases = one.kwargs.get("aliases", ())
            items = self._it.iterate(aliases, self._node)[0]
            if items is None or not all(type(item) is str for item in items):
                raise Undecided

            def make(one: Declaration = one, aliases: list[Value] = items, **given: Value) -> Value:
                return commands.add_parser(one.args[0], aliases=aliases, **given)

            self.parser(one.made, make)


def _choices(value: Value) -> _Choices | None:
    """The choices of an option; None, so that any will do, where they are not known."""
    if type(value) is range:
        return _Choices(value)
    items = value.items if isinstance(value, DictValue | ListValue | SetValue) else value
    if items is None or not isinstance(items, list | tuple | dict | frozenset | str):
        return None
    if isinstance(items, str):
        return _Choices(items)
    return _Choices(list(items)) if all(is_plain(item) for item in items) else None


def _raise(message: str) -> NoReturn:
    raise _LineRaises
