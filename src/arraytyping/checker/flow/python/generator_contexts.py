"""Context managers written as generators: the block of `with` runs where the generator yields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import MISSING, HandlerValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["GeneratorContext", "is_context_manager", "take_yields"]


class _Yields(HandlerValue):
    """What a generator's frame adds its items to: the block runs when the first one comes."""

    __slots__ = ("element", "items")

    def __init__(self, at_yield: Callable[[Any], None]) -> None:
        self.items: list[Any] | None = []
        self.element: Any = MISSING
        add = HandlerValue("append", lambda it, call: at_yield(call.args[0]))
        super().__init__("yields", lambda it, call: None, (), {"append": add, "extend": add})


class GeneratorContext(HandlerValue):
    """A call of a generator function under `contextlib.contextmanager`."""

    __slots__ = ("function", "made")

    def __init__(self, function: Value, made: Call) -> None:
        super().__init__("contextmanager", self._decorate, (function,))
        self.function: Any = function
        self.made: Call = made

    def _decorate(self, it: Interpreter, call: Call) -> Value:
        """Such a context manager is a decorator, too."""
        decorated = call.args[0] if call.args else Unknown("a context manager that is called")

        def handle(it: Interpreter, call: Call) -> Value:
            results: list[Value] = []
            self.run(it, lambda value: results.append(it.call(decorated, *call)))
            return results[-1] if results else it.unknown("a context manager that does not yield")

        return HandlerValue("contextmanager", handle, (decorated,))

    def run(self, it: Interpreter, block: Callable[[Any], None]) -> None:
        """Call the generator function, with the block at its `yield`."""
        _YIELDS.put(it, _Yields(block))
        try:
            it.call(self.function, *self.made)
        finally:
            _YIELDS.take(it)


_YIELDS: Final[RunSlot[_Yields | None]] = RunSlot("what the generator that starts next adds to", lambda: None)


def is_context_manager(it: Interpreter) -> bool:
    """Whether the generator that starts next is a context manager."""
    return _YIELDS.of(it) is not None


def take_yields(it: Interpreter) -> Value:
    """What the generator that starts now adds its items to, if it is a context manager; else None."""
    return _YIELDS.take(it)
