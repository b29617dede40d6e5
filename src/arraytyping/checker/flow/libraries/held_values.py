"""Abstract values on their way through a real library: handed in as objects that it only stores, and taken out again.

A library that parses command lines gets text, numbers and `None` as they are.  All else, functions of the program above
all, goes through it as a `Held`, which can neither be called nor computed with.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.state.interpreter import Interpreter, Raised
from arraytyping.checker.flow.values import BaseValue, ListValue, Value

__all__ = ["PLAIN", "Custody", "Held", "LineEnds", "Undecided", "call_converter", "is_plain"]

PLAIN: Final = (bool, int, float, complex, str, bytes, type(None))


class Undecided(Exception):
    """What the library would do hangs on something that is not known."""


class LineEnds(Exception):
    """The command line makes the program end: it is wrong, or asks for help."""


class Held:
    """A value that the library stores."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value: Any = value


class Custody:
    """The values that are handed to a library, and how they come back: what was one list stays one."""

    def __init__(self) -> None:
        self._lists: dict[int, tuple[list[Any], ListValue]] = {}

    def hold(self, value: Value) -> Value:
        """What the library gets; a list of known length as a list."""
        if is_plain(value):
            return value
        if type(value) is tuple:
            return tuple(self.hold(item) for item in value)
        if isinstance(value, ListValue) and value.items is not None and value.kind is list:
            made = [self.hold(item) for item in value.items]
            self._lists[id(made)] = made, value
            return made
        return Held(value)

    def release(self, value: Value) -> Value:
        """What the program gets of what the library gave."""
        if isinstance(value, Held):
            return value.value
        if isinstance(value, list):
            if id(value) not in self._lists:
                self._lists[id(value)] = value, ListValue([self.release(item) for item in value])
            return self._lists[id(value)][1]
        if type(value) is tuple:
            return tuple(self.release(item) for item in value)
        return value


def is_plain(value: Value) -> bool:
    """Whether a value is text, a number or None, with no method that the program could have written."""
    return type(value) in PLAIN


def call_converter(it: Interpreter, kind: Value, text: Any, node: ast.AST | None, refused: type[Exception]) -> Value:
    """What a callable of the program makes of text, as the library sees it.

    Raises:
        refused: if it certainly raises a `ValueError` or `TypeError`.
        Undecided: if it raises something else, or may raise.
    """
    it.quiet += 1
    it.trying += 1  # an exception that is certain ends the call
    try:
        found = it.call(kind, [text], {}, node)
    except Raised as error:
        if not error.is_unsure and any(error.is_a(cls) for cls in (refused, ValueError, TypeError)):
            raise refused from None
        raise Undecided from None
    finally:
        it.quiet -= 1
        it.trying -= 1
    return found if is_plain(found) and not isinstance(found, BaseValue) else Held(found)
