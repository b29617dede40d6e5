"""`absl` on a command line that is known: the program's flags are defined once more, and parse it.

They have no defaults: whether a flag was given is all that is asked besides the values of those that were.

Source: https://abseil.io/docs/python/guides/flags.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any, Final

from arraytyping.checker.flow.libraries.held_values import Custody, LineEnds, Undecided, is_plain
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import BaseValue, Value
from arraytyping.checker.swallowed import swallow

__all__ = ["Definition", "parse_flags", "take_flag"]

_WITH_CHOICES: Final = ("enum", "multi_enum")
_OF_CLASSES: Final = ("enum_class", "multi_enum_class")
_PASSED: Final = ("short_name", "lower_bound", "upper_bound", "case_sensitive", "comma_compat")
_SEEN: Final = ("name", "default", "help", "required", "enum_values", "enum_class", "module_name")


class Definition(BaseValue):
    """One call of `DEFINE_...`; `default` is the value of the flag where it is not given."""

    __slots__ = ("args", "default", "kwargs", "word")

    def __init__(self, word: str, args: list[Value], kwargs: dict[str, Value], default: Value) -> None:
        self.word: str = word
        self.args: list[Any] = args
        self.kwargs: dict[str, Any] = kwargs
        self.default: Value = default


def parse_flags(
    it: Interpreter, definitions: Mapping[str, Any], required: Iterable[str], words: list[str]
) -> tuple[dict[str, Value], list[str]] | None:
    """The value of each flag, and the words left over; None if that is not decided.

    Raises:
        LineEnds: if the command line is wrong, or asks for help.
    """
    try:
        return _parse(it, definitions, frozenset(required), words)
    except LineEnds:
        raise
    except Exception as error:  # a definition that absl refuses
        swallow(error)
    return None


def take_flag(words: Iterable[str], name: str) -> tuple[dict[str, str], list[str]]:
    """What a command line says of a flag and, by their paths, of its parts (`--name.path=value`); the words left."""
    found: dict[str, str] = {}
    left: list[str] = []
    rest = iter(words)
    for word in rest:
        option, equals, value = word.lstrip("-").partition("=")
        head, _, inner = option.partition(".")
        if word.startswith("-") and head == name:
            found[inner] = value if equals else next(rest, "")
        else:
            left.append(word)
    return found, left


def _parse(
    it: Interpreter, definitions: Mapping[str, Any], required: frozenset[str], words: list[str]
) -> tuple[dict[str, Value], list[str]]:
    flags: Any = sys.modules["absl.flags"]
    if any("flagfile" in word for word in words):
        raise Undecided  # it is not read
    values = flags.FlagValues()
    for name, definition in definitions.items():
        if not isinstance(definition, Definition):
            raise Undecided  # defined on some paths only
        _define(it, flags, values, name, definition)
    try:
        left = values(["", *words])
    except flags.UnrecognizedFlagError as error:
        name = error.flagname
        if name.removeprefix("no") in flags.FLAGS or name in flags.FLAGS or "jax" in name:
            raise Undecided from None  # a flag of a library
        raise LineEnds from None
    except flags.Error:
        raise LineEnds from None
    custody = Custody()
    found: dict[str, Value] = {}
    for name, definition in definitions.items():
        if not values[name].present:
            if name in required or definition.kwargs.get("required") is True:
                raise LineEnds
            found[name] = definition.default
        elif definition.word in _OF_CLASSES:
            found[name] = it.unknown("a flag of a type that is not understood")
        else:
            found[name] = custody.release(values[name].value)
    return found, left[1:]


def _define(it: Interpreter, flags: Any, values: Value, name: str, definition: Definition) -> None:
    word, args, kwargs = definition.word, definition.args, definition.kwargs
    positional = 4 if word in (*_WITH_CHOICES, *_OF_CLASSES) else 3  # the name, the default, the choices, the help
    if any(key not in (*_PASSED, *_SEEN) for key in kwargs) or len(args) > positional:
        raise Undecided
    options: dict[str, Any] = {key: kwargs[key] for key in _PASSED if key in kwargs}
    if not all(map(is_plain, options.values())):
        raise Undecided
    if word in _WITH_CHOICES:
        choices = it.iterate(args[2] if len(args) > 2 else kwargs.get("enum_values"), None)[0]
        if choices is None or not all(type(choice) is str for choice in choices):
            raise Undecided
        options["enum_values"] = choices
    if word in _OF_CLASSES:
        word = "string" if word == "enum_class" else "multi_string"
        options.pop("case_sensitive", None)
    getattr(flags, f"DEFINE_{word}")(name, None, help="", flag_values=values, **options)
