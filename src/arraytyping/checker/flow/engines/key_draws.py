"""How often what a function of the program draws from keys is drawn, where jax calls it.

jax calls the body of a scan as often as it likes, to trace it; executed it is once for each step.  Each call is
followed with the keys as they were before, and what it does to them is done here, by the transformation.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.keys import consume_again, origin_of, repeat, tell_same_rows
from arraytyping.checker.flow.values import ArrayValue, DictValue, KeyOrigin, KeyUse, Value, parts_of, walk

__all__ = ["KeyDraws"]

_CALLING_ONCE: Final = frozenset({
    "grad", "value_and_grad", "vmap", "jacfwd", "jacrev", "jacobian", "hessian",
    "filter_grad", "filter_value_and_grad", "filter_vmap",
})  # fmt: skip
_REPEATED: Final = ("scan", "fori_loop", "while_loop", "map")
_MAPPINGS: Final = ("vmap", "filter_vmap")
_BRANCHES: Final = ("cond", "switch")
_CARRIED: Final = {"scan": (0, 1), "fori_loop": (1, 3), "while_loop": (0, 2)}
"""Which argument of the body is what a loop carries, and which of the loop is what it begins with."""


class KeyDraws:
    """What the functions that jax was given have drawn in one question, from keys that are older than their calls."""

    def __init__(self, function: Value, args: list[Value], kwargs: dict[str, Value]) -> None:
        self.name: str = str(getattr(function, "__name__", "")) if _is_of_jax(function) else ""
        """The transformation that asks, if it is one of jax."""
        self.transformation: str = str(getattr(function, "__name__", ""))
        """The name of what asks, also where it is a transformation with its options bound."""
        self.is_mapping: bool = self.transformation in _MAPPINGS
        self._rows: list[Any] = []
        """The arrays that were given as the rows of what is mapped over."""
        self._args = args
        self._kwargs = kwargs
        self._calls = 0
        self._drawn: dict[int, tuple[Any, dict[KeyOrigin, KeyUse]]] = {}
        self._begun: dict[KeyOrigin, KeyUse] = {}
        """The keys with which a loop begins, and that its first step draws from."""
        self._kept: dict[KeyOrigin, KeyUse] = {}
        """Those of them that the body carries on as they are."""

    def add(
        self, called: Value, drawn: dict[KeyOrigin, KeyUse], given: list[Value], result: Value, rows: list[Any]
    ) -> None:
        """One call of a function has drawn this, with these arguments, of which some are rows, and this result."""
        self._rows += rows
        self._calls += 1
        self._drawn.setdefault(id(called), (called, {}))[1].update(drawn)
        if self.name in _CARRIED:
            self._follow_carry(given, result)

    @property
    def is_called_once(self) -> bool:
        """Whether a function was called once, by what calls it once whenever it is executed."""
        return self._calls == 1 and self.transformation in _CALLING_ONCE

    def _follow_carry(self, given: list[Value], result: Value) -> None:
        """What the body of a loop draws from the keys that it carries, and from those of the inputs."""
        at, place = _CARRIED[self.name]
        if len(given) <= at or len(self._args) <= place:
            return
        outcome = result[0] if self.name == "scan" and isinstance(result, tuple) and len(result) == 2 else result
        carried, begun, left = _leaves(given[at]), _leaves(self._args[place]), _leaves(outcome)
        if len(carried) != len(begun):
            return
        for i, (inside, outside) in enumerate(zip(carried, begun)):
            whole = origin_of(outside)
            key: KeyOrigin | None = inside.key if isinstance(inside, ArrayValue) else None
            use = None if key is None else key.use
            if whole is None or use is None:
                continue
            self._begun[whole] = use
            if len(left) == len(carried) and getattr(left[i], "key", None) is key:
                self._kept[whole] = use

    def settle(self, it: Interpreter) -> None:
        """Let what was drawn be drawn as often as it is when the program runs."""
        if not self._begun and not any(drawn for _, drawn in self._drawn.values()):
            return
        is_repeated = self.name in _REPEATED and self._may_repeat()
        for origin, use in self._begun.items():
            if is_repeated and origin in self._kept:
                repeat(it, origin, use)
            elif is_repeated or self.name != "while_loop":
                consume_again(it, origin, use)
        for _, drawn in self._drawn.values():
            for origin, use in drawn.items():
                if (
                    origin.rows is None
                    and self.is_mapping
                    and (use.like == () or any(use.like is r for r in self._rows))
                ):
                    tell_same_rows(it, use)
                if origin.rows is not None:
                    consume_again(it, _whole(origin), use)
                elif is_repeated:
                    repeat(it, origin, use)
                elif self.name not in _BRANCHES or self._is_in_all(origin) or origin.used() is not None:
                    consume_again(it, origin, use)

    def _is_in_all(self, origin: KeyOrigin) -> bool:
        return all(origin in drawn for _, drawn in self._drawn.values())

    def _may_repeat(self) -> bool:
        """Whether a loop has more than one step, as far as is known."""
        if self.name == "fori_loop":
            lower, upper = (self._args[i] if i < len(self._args) else self._kwargs.get(n) for i, n in _BOUNDS)
            return not (type(lower) is int and type(upper) is int and upper - lower < 2)
        if self.name == "while_loop":
            return True
        length = self._kwargs.get("length", self._args[3] if len(self._args) > 3 else None)
        xs = self._args[2 if self.name == "scan" else 1 :][:1] or [self._kwargs.get("xs")]
        lengths = [length] if length is not None else [_length(v) for v in walk(xs[0]) if isinstance(v, ArrayValue)]
        return not any(n in (0, 1) for n in lengths if isinstance(n, int))


_BOUNDS: Final = ((0, "lower"), (1, "upper"))


def _leaves(value: Value) -> list[Value]:
    """The leaves of a pytree, in the order of JAX, as far as it is made of Python's containers."""
    if isinstance(value, DictValue) and value.items is not None and all(isinstance(k, str) for k in value.items):
        return [leaf for k in sorted(value.items) for leaf in _leaves(value.items[k])]
    if value is None:
        return []
    parts = parts_of(value)
    return [leaf for part in parts for leaf in _leaves(part)] if parts else [value]


def _length(array: ArrayValue) -> Value:
    return array.aval.shape[0] if array.aval.shape else None


def _whole(origin: KeyOrigin) -> KeyOrigin:
    """The array of which a key is each row."""
    while origin.rows is not None:
        origin = origin.rows
    return origin


def _is_of_jax(function: Value) -> bool:
    return str(getattr(function, "__module__", "")).startswith("jax")
