"""The registry: which function here answers for which function or class of a library.

A handler is `handler(it, call) -> value`.  It is registered under dotted names; the objects are found
when their modules have been imported, which happens only for what the program itself imports.
"""

from __future__ import annotations

import functools
import sys
import typing
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.real_calls.own_names import stands_alone
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.stateful import told_by
from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.calls import Call

__all__ = [
    "Handler",
    "Registry",
    "handles",
    "handles_base",
    "handles_family",
    "handles_object",
    "handles_objects",
    "handles_subscript",
]

Handler = Callable[[Interpreter, Call], Value]
"""What a call of a function or class is, for the program."""

_HANDLERS: Final[dict[str, Any]] = {}
_BASES: Final[dict[str, Any]] = {}
_FAMILIES: Final[dict[str, Any]] = {}
_SUBSCRIPTS: Final[dict[str, Any]] = {}
_OBJECTS: Final[dict[str, Any]] = {}
_FINDERS: Final[list[Callable[[Any], Any]]] = []


def _entering(table: dict[str, Any], names: tuple[str, ...]) -> Callable[[Any], Any]:
    def register(handler: Any) -> Any:
        table.update(dict.fromkeys(names, handler))
        return handler

    return register


def handles(*names: str) -> Callable[[Any], Any]:
    """Register a handler for the calls of these functions or classes."""
    return _entering(_HANDLERS, names)


def handles_base(*names: str) -> Callable[[Any], Any]:
    """Register what a class statement makes of a class with one of these bases: `(it, cls, base, keywords, node)`."""
    return _entering(_BASES, names)


def handles_family(*names: str) -> Callable[[Any], Any]:
    """Register the same for a class with one of these as a base, or with one that a library derives from it."""
    return _entering(_FAMILIES, names)


def handles_subscript(*names: str) -> Callable[[Any], Any]:
    """Register what a subscript of one of these objects gives: `(it, owner, index, node)`."""
    return _entering(_SUBSCRIPTS, names)


def handles_object(*names: str) -> Callable[[Any], Any]:
    """Register what stands for one of these objects of libraries wherever the program names it: `(it)`."""
    return _entering(_OBJECTS, names)


def handles_objects(finder: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Register what finds, for an object of a library, what makes the value that stands for it; None for others."""
    _FINDERS.append(finder)
    return finder


class Registry:
    """The handlers by the objects that they answer for."""

    def __init__(self) -> None:
        self._tables = [_Table(_HANDLERS), _Table(_BASES), _Table(_SUBSCRIPTS), _Table(_OBJECTS), _Table(_FAMILIES)]
        self._modules = -1

    def find(self, function: Any) -> Handler | None:
        """The handler of a function or class of a library."""
        found: Handler | None = self._find(0, function)
        return found

    def find_base(self, base: Any) -> Any:
        """The adapter for classes with this base."""
        found = self._find(1, base)
        if found is None and isinstance(origin := typing.get_origin(base) or base, type):
            for ancestor in origin.__mro__:
                if (found := self._find(4, ancestor)) is not None:
                    break
        return found

    def find_subscript(self, owner: Any) -> Any:
        """The handler of a subscript."""
        return self._find(2, owner)

    def find_object(self, value: Any) -> Any:
        """What makes the value that stands for an object."""
        found = self._find(3, value)
        return next(filter(None, (find(value) for find in _FINDERS)), None) if found is None else found

    def find_name(self, name: str) -> Handler | None:
        """The handler that was registered under a dotted name."""
        found: Handler | None = _HANDLERS.get(name)
        return found

    def _find(self, table: int, value: Any) -> Any:
        self._refresh()
        by_id = self._tables[table].by_id
        found = by_id.get(_key(value))
        if found is None and table == 0 and type(value).__name__ == "method":
            handler = by_id.get(id(value.__func__))
            return None if handler is None else _bound(handler, value.__self__)
        return found

    def _refresh(self) -> None:
        if len(sys.modules) != self._modules:
            for table in self._tables:
                table.resolve()
            self._modules = len(sys.modules)


class _Table:
    def __init__(self, handlers: dict[str, Any]) -> None:
        # Our runtime's own come first: where it stands in the place of jax, a function may have a handler of either.
        self.pending = {name: h for name, h in handlers.items() if name.startswith("arraytyping.")} | handlers
        self.by_id: dict[Any, Any] = {}
        self._kept: list[Any] = []

    def resolve(self) -> None:
        """Find the objects of those names whose module is there by now."""
        is_jax_ours = stands_alone()
        for name, handler in list(self.pending.items()):
            found = _resolve(name, is_jax_ours)
            if found is not None:
                self.by_id.setdefault(_key(found), handler)
                self._kept.append(found)
                del self.pending[name]


def _key(value: Any) -> Any:
    """What tells a function from others; a bound method is made anew each time that it is asked for."""
    owner = told_by(value, "__self__")
    if owner is not None and type(value).__name__ == "method":
        return id(owner), value.__name__
    return id(value)


def _bound(handler: Handler, owner: Any) -> Handler:
    """The handler of a method of a class, for one of its instances."""
    return lambda it, call: handler(it, call.preceded_by(owner))


def _resolve(name: str, is_jax_ours: bool) -> Any:
    for module_name, parts in _places(name, is_jax_ours):
        module = sys.modules.get(module_name)
        if module is not None:
            found: Any = module
            for part in parts:
                own = vars(found).get(part) if isinstance(found, type) else None
                found = getattr(found, part, None) if own is None or isinstance(own, classmethod) else own
                if found is None:
                    return None
            return found
    return None


@functools.cache
def _places(name: str, is_jax_ours: bool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The modules in which a dotted name may be, the innermost first, and what is left of the name in each."""
    if is_jax_ours and name.startswith("jax."):  # our runtime has it under the same name
        name = f"arraytyping.{name.removeprefix('jax.')}"
    parts = name.split(".")
    return tuple((".".join(parts[:i]), tuple(parts[i:])) for i in range(len(parts) - 1, 0, -1))
