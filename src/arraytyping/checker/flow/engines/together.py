"""What the engines ask of one another, as `dispatch` offers it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.engines.pytrees import Pytrees
from arraytyping.checker.flow.engines.unknown_sizes import UnknownSizes
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ClassValue, InstanceValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["Together"]


class Together(Protocol):
    """All engines of one run together."""

    asker: Any
    objects: Any
    rules: Any
    pytrees: Pytrees
    unknown_sizes: UnknownSizes
    kept_alive: dict[int, Any]
    """Objects whose addresses are kept, so that no other object takes them."""

    @property
    def has_jax(self) -> bool:
        """Whether there is a jax to ask."""
        ...

    @property
    def jax(self) -> JaxEngine:
        """The installed jax; without one this raises `Abort`."""
        ...

    @property
    def is_live(self) -> bool:
        """Whether every operation is traced by jax too."""
        ...

    @property
    def class_of(self) -> dict[type, ClassValue]:
        """The classes of the program by the real classes that stand for them."""
        ...

    def call(self, it: Interpreter, function: Value, call: Call, otherwise: Callable[[], Value] | None = None) -> Value:
        """The result of a function, class or method of a library; `otherwise` where too little is known."""
        ...

    def from_python(self, value: Value) -> Any:
        """The value of a concrete object that Python or a library gives."""
        ...

    def perhaps_call(self, it: Interpreter, function: Value, call: Call) -> Value:
        """What a call gives that may be made, MISSING if it raises."""
        ...

    def havoc(self, it: Interpreter, values: list[Any]) -> None:
        """These values went where we cannot follow."""
        ...

    def instance_of(self, cls: ClassValue, children: tuple[Any, ...], rest: Any) -> Any:
        """The instance of a class of the program that a library holds as a pytree."""
        ...

    def real_object(self, it: Interpreter, value: InstanceValue) -> Value:
        """The object of a library that an instance of the program stands for; None if there is none."""
        ...

    def real_class(self, it: Interpreter, cls: ClassValue) -> Value:
        """The class of a library that a class of the program stands for; None if there is none."""
        ...
