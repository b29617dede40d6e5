"""A call, as handlers get it: with what arguments, and where."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import NamedTuple

from typing_extensions import override

from arraytyping.checker.flow.values.basic import BaseValue, Value
from arraytyping.checker.flow.values.containers import ListValue

__all__ = ["Call", "RestArguments"]


class RestArguments(BaseValue):
    """The last positional argument of a call: all that follow, of which it is not known how many there are.

    Only handlers that say so are given one (`takes_rest`), and functions of the program that gather all of them.
    """

    __slots__ = ("many",)

    def __init__(self, many: ListValue) -> None:
        self.many: ListValue = many

    @override
    def parts(self) -> Sequence[Value]:
        return (self.many,)

    @override
    def mapped(self, change: Callable[[Value], Value]) -> Value:
        many = change(self.many)
        assert isinstance(many, ListValue)
        return RestArguments(many)

    def each(self, element: Value) -> RestArguments:
        """As many arguments, of which each is this one."""
        many = ListValue(None, element, tuple)
        many.length = self.many.length
        return RestArguments(many)

    @property
    def element(self) -> Value:
        """Any of the arguments."""
        return self.many.element


class Call(NamedTuple):
    """The arguments of a call, and the expression that is called, if the program has one: `it.call(function, *call)`.

    None of them is ever changed: a handler that wants others makes another call.
    """

    args: list[Value]
    kwargs: dict[str, Value]
    node: ast.AST | None

    @property
    def values(self) -> list[Value]:
        """All arguments."""
        return [*self.args, *self.kwargs.values()]

    @property
    def is_empty(self) -> bool:
        """Whether there are no arguments."""
        return not self.args and not self.kwargs

    def has_only(self, count: int) -> bool:
        """Whether there are so many positional arguments, and none by keyword."""
        return len(self.args) == count and not self.kwargs

    def positional(self, position: int, default: Value = None) -> Value:
        """A positional argument, or what is in its place."""
        return self.args[position] if len(self.args) > position else default

    def argument(self, position: int, name: str, default: Value = None) -> Value:
        """An argument that is given by its position or by its name, or what is in its place."""
        return self.args[position] if len(self.args) > position else self.kwargs.get(name, default)

    def named(self, *names: str) -> dict[str, Value]:
        """The arguments by their names, of which those of the positional ones are given."""
        return {**dict(zip(names, self.args)), **self.kwargs}

    def preceded_by(self, *values: Value) -> Call:
        """The call with these before its arguments."""
        return Call([*values, *self.args], self.kwargs, self.node)

    def with_args(self, args: list[Value]) -> Call:
        """The call with other positional arguments."""
        return Call(args, self.kwargs, self.node)

    def with_kwargs(self, kwargs: dict[str, Value]) -> Call:
        """The call with other arguments by keyword."""
        return Call(self.args, kwargs, self.node)
