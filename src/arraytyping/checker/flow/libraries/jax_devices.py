"""The devices of the program's machine, which need not be there: jax pretends to have as many as are configured.

Where nothing is configured there are as many as the program itself asks for, by a setting or by a mesh of literal
sizes; else their number is a symbol.  `jax.distributed.initialize` is never called.

Source: https://docs.jax.dev/en/latest/multi_process.html.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.devices_asked import DEVICES
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import ListValue, ScalarValue
from arraytyping.semantics.sizes.polynomials import symbol

__all__ = ["first_devices", "is_distributed", "known_count", "set_devices"]

_DISTRIBUTED: Final[RunSlot[bool]] = RunSlot("whether there are several processes", bool)
_MOST: Final = 1 << 13


def set_devices(it: Interpreter, count: Any) -> None:
    """The program itself sets the number of its devices."""
    if type(count) is int and 0 < count <= _MOST:
        DEVICES.of(it).own = count


def known_count(it: Interpreter) -> int:
    """How many devices there are; 0 if that is not known."""
    asked = DEVICES.of(it)
    asked.is_asked = True
    return asked.count


def first_devices(it: Interpreter, count: int) -> list[Any] | None:
    """So many devices, for a mesh of sizes that the program gives; None if there are fewer."""
    asked = DEVICES.of(it)
    asked.is_asked = True
    asked.wanted = max(asked.wanted, count if count <= _MOST else 0)
    found = it.engines.jax.jax.devices()
    return list(found[:count]) if count <= len(found) and (asked.count or count == 1) else None


def is_distributed(it: Interpreter) -> bool:
    """Whether there are several processes, each with devices of its own."""
    return _DISTRIBUTED.of(it)


@handles("jax.devices", "jax.local_devices")
def _devices(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    """All devices; those of one platform or process are not known."""
    is_local = getattr(getattr(node, "func", None), "attr", "") == "local_devices"
    if args or kwargs or (is_local and _DISTRIBUTED.of(it)) or not known_count(it):
        return ListValue(None, it.unknown("a device"))
    return ListValue(list(it.engines.jax.jax.devices()))


def _counted(name: str, is_local: bool) -> Any:
    def handle(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
        count = known_count(it)
        if count and not args and not kwargs and not (is_local and _DISTRIBUTED.of(it)):
            return count
        return ScalarValue(int, size=symbol(name, 1, None))

    return handle


handles("jax.device_count")(_counted("device_count", False))
handles("jax.local_device_count")(_counted("local_device_count", True))


@handles("jax.process_count")
def _process_count(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    if known_count(it) and not _DISTRIBUTED.of(it):
        return 1
    return ScalarValue(int, size=symbol("process_count", 1, None))


@handles("jax.process_index")
def _process_index(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    return ScalarValue(int)


@handles("jax.default_backend")
def _default_backend(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    return ScalarValue(str)


@handles("jax.distributed.initialize")
def _initialize(it: Interpreter, args: list[Any], kwargs: dict[str, Any], node: ast.AST | None) -> Any:
    """From here on the program has several processes, and what depends on their number is not known."""
    _DISTRIBUTED.put(it, True)
    return None
