"""What command line libraries have in common: the value of an option, and which subcommand is run.

Where the command line is known, the real library parses it, see `argparse_lines` and its kin.  Else a program is
followed as if it were run without arguments: an option has its default, and what must be given is unknown, but for its
type.  With arguments (`ARGUMENTS`) that are not known an option may be given, too.  Of a program with subcommands each
is followed, in a run of its own (`COMMAND`); a run that comes to where one is chosen leaves their names in
`COMMANDS`.
"""

from __future__ import annotations

import ast
import enum
import pathlib
import sys
from collections.abc import Iterable
from typing import Any, Final

from arraytyping.checker.flow.state.fresh_sizes import some_int
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.program_words import ARGUMENTS, note_parsed, read_by_parser
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    BaseValue,
    BoundMethod,
    ClassValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    ListValue,
    ScalarValue,
    Unknown,
    Value,
)

__all__ = [
    "ARGUMENTS",
    "COMMAND",
    "COMMANDS",
    "choose",
    "command_line",
    "converted",
    "given",
    "instance_of",
    "nothing",
    "of_kind",
    "synthetic_class",
]

COMMAND: Final[RunSlot[tuple[str, ...]]] = RunSlot("the subcommand of this run", tuple)
COMMANDS: Final[RunSlot[list[str]]] = RunSlot("the subcommands that there are", list)

_KINDS: Final = (bool, int, float, complex, str, bytes)


def of_kind(it: Interpreter, kind: Value, node: ast.AST | None = None, name: str = "n") -> Value:
    """What a conversion makes of text that is not known; `name` is that of the option."""
    if kind is None:
        return ScalarValue(str)
    if kind is int:
        return some_int(it, name if name.isidentifier() else "n")
    if kind in _KINDS:
        return ScalarValue(kind)
    if isinstance(kind, FunctionValue | BoundMethod):
        with it.quietly():
            return it.call(kind, [ScalarValue(str)], {}, node)
    return it.unknown("an argument of the command line")


def given(it: Interpreter, kind: Value, choices: Value = None, node: ast.AST | None = None, name: str = "n") -> Value:
    """The value of what must be given: of its type, and one of the choices."""
    if choices is not None:
        items, element = it.iterate(choices, node)
        if items:
            return join_all(items)
        return of_kind(it, kind, node, name) if items is not None else element
    return of_kind(it, kind, node, name)


def converted(it: Interpreter, kind: Value, value: Any, node: ast.AST | None = None) -> Value:
    """What a conversion makes of a default."""
    if kind is None or value is None or isinstance(value, enum.Enum):
        return value
    if isinstance(value, BaseValue):
        if isinstance(value, ScalarValue) and kind in _KINDS:
            return ScalarValue(kind)
        return value
    if kind in (bool, int, float, str):
        try:
            return kind(value)
        except (TypeError, ValueError):
            return it.unknown("a default that its type refuses")
    if isinstance(kind, FunctionValue | BoundMethod) or kind is pathlib.Path:
        return it.call(kind, [value], {}, node)
    return it.unknown("a default of a type that is not understood")


def choose(it: Interpreter, names: Iterable[Any]) -> str | None:
    """The subcommand of this run, taken from its command; None if it has none (the names are noted then)."""
    known = [n for n in names if isinstance(n, str)]
    command = COMMAND.of(it)
    if command:
        COMMAND.put(it, command[1:])
        return command[0] if command[0] in known else None
    COMMANDS.of(it).extend(known)
    return None


def command_line(it: Interpreter, line: Any, node: ast.AST | None) -> tuple[list[str] | None, bool]:
    """The words of a command line, None if they are not all known, and whether the program has no arguments.

    `line` is what the program hands over, None where `sys.argv` is taken.
    """
    note_parsed(it)
    if line is None:
        with read_by_parser(it):
            argv = it.get_attribute(sys, "argv", node)
        items: list[Any] | None = argv.items[1:] if isinstance(argv, ListValue) and argv.items else None
    else:
        items = it.iterate(line, node)[0] if isinstance(line, ListValue | tuple) else None
    is_default = not items if items is not None else _is_argv(line) and ARGUMENTS.of(it) is None
    if items is None or not all(type(item) is str for item in items):
        return None, is_default
    # Whether an empty line is the program's own is not known, unless it has arguments.
    return (items if items or ARGUMENTS.of(it) is not None else None), is_default


def _is_argv(value: Value) -> bool:
    """Whether this may be `sys.argv[1:]`."""
    return isinstance(value, Unknown) or (isinstance(value, ListValue) and value.items is None)


def synthetic_class(name: str, attribute: Value, *bases: Value) -> ClassValue:
    """A class whose instances answer for attributes by `attribute(it, instance, name, node)`, and else are unknown."""
    cls = ClassValue(name, tuple(bases), {}, None)
    cls.kind = "unknown"
    cls.mro = [cls, *bases]
    cls.options["attribute"] = attribute
    return cls


def instance_of(cls: ClassValue, **attributes: Value) -> InstanceValue:
    """An instance with these attributes."""
    return InstanceValue(cls, attributes)


def nothing(name: str, result: Value = None) -> HandlerValue:
    """A method without an effect on what is followed."""
    return HandlerValue(name, lambda it, call: result)
