"""What else can be called: methods, partial and jitted functions, and those written here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typing_extensions import override

from arraytyping.checker.flow.values.basic import BaseValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["BoundMethod", "CaughtValue", "HandlerValue", "JitValue", "MethodOf", "PartialValue"]


class BoundMethod(BaseValue):
    """A function bound to its first argument."""

    __slots__ = ("function", "receiver")

    def __init__(self, function: Value, receiver: Value) -> None:
        self.function: Any = function
        self.receiver: Value = receiver

    @override
    def type_name(self) -> str:
        return "method"

    def __repr__(self) -> str:
        return f"BoundMethod({self.function}, {self.receiver})"


class MethodOf(BaseValue):
    """A method of an abstract value, by name: `x.sum`, `names.append`."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver: Value = receiver
        self.name: str = name

    @override
    def type_name(self) -> str:
        return "method"

    def __repr__(self) -> str:
        return f"MethodOf({self.receiver}, {self.name})"


class PartialValue(BaseValue):
    """`functools.partial`: a callable with its first arguments; also a library's decorator that waits for more."""

    __slots__ = ("args", "function", "kwargs")

    def __init__(self, function: Value, args: tuple[Value, ...], kwargs: dict[str, Value]) -> None:
        self.function: Any = function
        self.args: tuple[Any, ...] = args
        self.kwargs: dict[str, Any] = kwargs

    @override
    def type_name(self) -> str:
        return "functools.partial"

    def __repr__(self) -> str:
        return f"PartialValue({self.function}, {self.args}, {self.kwargs})"


class JitValue(BaseValue):
    """A function under `jax.jit`, with its options; `answers` are kept by the abstract arguments, as JAX does.

    `origin` is the place (path, line) of the `jit`; what is only traced, by `jax.checkpoint` and its kin, compiles not.
    """

    __slots__ = ("answers", "compiles", "function", "options", "origin")

    def __init__(
        self, function: Value, options: dict[str, Value], compiles: bool = False, origin: tuple[str, int] | None = None
    ) -> None:
        self.function: Any = function
        self.options: dict[str, Any] = options
        self.answers: dict[Any, Any] = {}
        self.compiles: bool = compiles
        self.origin: tuple[str, int] | None = origin

    @override
    def type_name(self) -> str:
        return "PjitFunction"

    def __repr__(self) -> str:
        return f"JitValue({self.function})"


class HandlerValue(BaseValue):
    """A callable whose behaviour is written here: `handle(interpreter, call)` gives its result.

    `wraps` are the functions of the program that it may call, and `identity` tells equal ones apart from others.
    """

    __slots__ = ("handle", "identity", "name", "wraps")

    def __init__(
        self, name: str, handle: Callable[[Any, Call], Value], wraps: tuple[Value, ...] = (), identity: Any = None
    ) -> None:
        self.name: str = name
        self.handle: Callable[[Any, Call], Value] = handle
        self.wraps: tuple[Any, ...] = wraps
        self.identity: Any = identity

    @override
    def type_name(self) -> str:
        return "function"

    def __repr__(self) -> str:
        return f"HandlerValue({self.name})"


class CaughtValue(HandlerValue):
    """An exception as the name of a handler has it, which may be any object that was raised."""

    __slots__ = ()
