"""A table of the methods of one sort of values, which holds calls against the methods' signatures."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from arraytyping.checker.flow.state.aliases import describes_many
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    ANY_ATTRIBUTE,
    OPEN,
    ArrayValue,
    ClassValue,
    DictValue,
    InstanceValue,
    ListValue,
    Mutable,
    NumPyValue,
    SetValue,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["Methods", "find", "is_same", "unhashable"]

Method = Callable[[Interpreter, Any, Call], Any]


class Methods:
    """Methods by name: `method(it, receiver, call)`.

    `takes_anything` are those that only store their arguments, so that alternatives need not be told apart.
    """

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.takes_anything: set[str] = set()
        self._methods: dict[str, tuple[Method, int, int | None, tuple[str, ...]]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._methods

    def __call__(
        self,
        *names: str,
        least: int = 0,
        most: int | None = 0,
        keywords: Iterable[str] = (),
        takes_anything: bool = False,
    ) -> Callable[[Method], Method]:
        """Register a method, with the least and the greatest number of positional arguments and its keywords."""

        def register(method: Method) -> Method:
            for name in names:
                self._methods[name] = method, least, most, tuple(keywords)
            if takes_anything:
                self.takes_anything.update(names)
            return method

        return register

    def call(self, it: Interpreter, receiver: Value, name: str, call: Call) -> Value:
        """Call a method, if its signature allows the call."""
        method, least, most, keywords = self._methods[name]
        shown = f"{getattr(receiver, 'kind', type(receiver)).__name__}.{name}()"
        if len(call.args) < least and not call.kwargs:
            return it.fail(
                call.node,
                "array-call",
                f"TypeError: {shown} takes at least {least} arguments, but {len(call.args)} were given",
            )
        if most is not None and len(call.args) > most:
            return it.fail(
                call.node,
                "array-call",
                f"TypeError: {shown} takes at most {most} arguments, but {len(call.args)} were given",
            )
        wrong = next((k for k in call.kwargs if k not in keywords), None)
        if wrong is not None and "**" not in keywords:
            return it.fail(call.node, "array-call", f"TypeError: {shown} got an unexpected keyword argument {wrong!r}")
        if len(call.args) < least:
            return it.unknown(f"{shown} by keywords")
        return method(it, receiver, call)


def is_same(it: Interpreter, a: Value, b: Value) -> bool | None:
    """Whether two values are one object or equal, as `in` and `remove` ask; None if that is not known."""
    if a is b and ((isinstance(a, Mutable) and not describes_many(a)) or (is_concrete(a) and a == a)):
        return True
    with it.quietly():
        return it.truth(it.binary("eq", a, b, None), None)


def find(it: Interpreter, items: Iterable[Value], value: Value) -> int | None:
    """The index of the first item that is equal to a value, or -1; None if that is not known."""
    for i, item in enumerate(items):
        same = is_same(it, item, value)
        if same is None:
            return None
        if same:
            return i
    return -1


def unhashable(value: Value) -> str | None:
    """The name of the type of a value that certainly cannot be hashed."""
    if isinstance(value, ArrayValue):
        return "jax.Array"
    if isinstance(value, NumPyValue):
        return "numpy.ndarray" if value.is_array else None
    if isinstance(value, ListValue | DictValue | SetValue):
        return None if issubclass(value.kind, Hashable) else value.kind.__name__
    if isinstance(value, InstanceValue):
        return value.cls.name if _has_no_hash(value.cls) else None
    if isinstance(value, slice) and not isinstance(value, Hashable):  # before Python 3.12
        return "slice"
    if isinstance(value, tuple) and type(value).__hash__ is tuple.__hash__:
        return next((name for v in value if (name := unhashable(v))), None)
    return None


def _has_no_hash(cls: ClassValue) -> bool:
    """Whether a class has certainly no `__hash__`: it has an `__eq__`, and does not say how that is hashed.

    Source: https://docs.python.org/3/reference/datamodel.html#object.__hash__.
    """
    for base in cls.mro:
        if not isinstance(base, ClassValue) or base.kind not in ("plain", "dataclass"):
            return False
        if "adapter" in base.options or OPEN in base.options or ANY_ATTRIBUTE in base.namespace:
            return False
        if "__hash__" in base.namespace:
            return base.namespace["__hash__"] is None
        if base.is_record and base.options.get("eq", True) is not False:
            says = [base.options.get(name, False) for name in ("frozen", "unsafe_hash")]
            return base.options.get("eq", True) is True and says == [False, False]
        if "__eq__" in base.namespace:
            return not base.is_record
    return False
