"""The devices of the program's machine, which need not be there: jax pretends to have as many as are configured.

Where nothing is configured there are as many as the program itself asks for, by a setting or by a mesh of literal
sizes; else their number is a symbol.  `jax.distributed.initialize` is never called; over how many processes they are
spread is configured, or one until then.

Source: https://docs.jax.dev/en/latest/multi_process.html.
"""

from __future__ import annotations

import ast
from typing import Final

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE
from arraytyping.checker.flow.state.devices_asked import DEVICES, MACHINE
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.platforms import platform
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import ListValue, ScalarValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.sizes.polynomials import Size, named_product, symbol

__all__ = ["first_devices", "is_distributed", "known_count", "processes_known", "set_devices"]

_DISTRIBUTED: Final[RunSlot[bool]] = RunSlot("whether there are several processes", bool)
_MOST: Final = 1 << 13


def set_devices(it: Interpreter, count: Value) -> None:
    """The program itself sets the number of its devices."""
    if type(count) is int and 0 < count <= _MOST:
        DEVICES.of(it).own = count


def known_count(it: Interpreter) -> int:
    """How many devices there are; 0 if that is not known."""
    asked = DEVICES.of(it)
    asked.is_asked = True
    return asked.count


def first_devices(it: Interpreter, count: int) -> list[Value] | None:
    """So many devices, for a mesh of sizes that the program gives; None if there are fewer."""
    asked = DEVICES.of(it)
    asked.is_asked = True
    asked.wanted = max(asked.wanted, count if count <= _MOST else 0)
    found = it.engines.jax.jax.devices()
    return list(found[:count]) if count <= len(found) and (asked.count or count == 1) else None


def is_distributed(it: Interpreter) -> bool:
    """Whether there are several processes, each with devices of its own."""
    return _DISTRIBUTED.of(it)


def processes_known(it: Interpreter) -> int:
    """Over how many processes the devices are spread; 0 if that is not known."""
    if DEVICES.of(it).own:  # the program's own setting is that of one process
        return 0 if _DISTRIBUTED.of(it) else 1
    return MACHINE.of(it).processes or (0 if _DISTRIBUTED.of(it) else 1)


def _local_count(it: Interpreter) -> int:
    """How many devices each process has; 0 if that is not known."""
    count, processes = known_count(it), processes_known(it)
    return count // processes if processes and count % processes == 0 else 0


@handles("jax.devices")
def _devices(it: Interpreter, call: Call) -> Value:
    """All devices; those of one platform are not known."""
    if not call.is_empty or not known_count(it):
        return _some_devices(it, None if not call.is_empty else _ALL)
    return ListValue(list(it.engines.jax.jax.devices()))


def _some_devices(it: Interpreter, length: Size | None) -> ListValue:
    devices = ListValue(None, DeviceValue("a device"))
    devices.length = length
    return devices


class DeviceValue(Unknown):
    """A device of a machine that need not be there."""

    __slots__ = ()


@ATTRIBUTE(DeviceValue)
def _of_device(it: Interpreter, device: DeviceValue, name: str, node: ast.AST | None) -> Value:
    """What a device tells of itself."""
    if name == "platform":
        return platform(it)
    if name == "device_kind":
        return MACHINE.of(it).kind or ScalarValue(str)
    return ScalarValue(int) if name in ("id", "process_index", "host_id") else it.unknown("an attribute of a device")


@handles("jax.local_devices")
def _local_devices(it: Interpreter, call: Call) -> Value:
    """Those of this process, as many as each has; those of one platform or another process are not known."""
    count = _local_count(it)
    if not call.is_empty or not count:
        return _some_devices(it, None if not call.is_empty else _OF_PROCESS)
    return ListValue(list(it.engines.jax.jax.devices()[:count]))


@handles("jax.device_count")
def _device_count(it: Interpreter, call: Call) -> Value:
    count = known_count(it)
    return count if count and call.is_empty else ScalarValue(int, size=_ALL)


@handles("jax.local_device_count")
def _local_device_count(it: Interpreter, call: Call) -> Value:
    count = _local_count(it)
    return count if count and call.is_empty else ScalarValue(int, size=_OF_PROCESS)


_OF_PROCESS: Final = symbol("local_device_count", 1, None)
_PROCESSES: Final = symbol("process_count", 1, None)
_ALL: Final = named_product("device_count", _PROCESSES, _OF_PROCESS)
"""Every process has as many."""


@handles("jax.process_count", "jax.host_count")
def _process_count(it: Interpreter, call: Call) -> Value:
    processes = processes_known(it)
    if processes and (known_count(it) or MACHINE.of(it).processes):
        return processes
    return ScalarValue(int, size=_PROCESSES)


@handles("jax.process_index", "jax.host_id")
def _process_index(it: Interpreter, call: Call) -> Value:
    """A symbol: each process has another one."""
    processes = 0 if DEVICES.of(it).own else MACHINE.of(it).processes
    if processes == 1 and call.is_empty:
        return 0
    return ScalarValue(int, size=symbol("process_index", 0, processes - 1 if processes else None))


@handles("jax.default_backend")
def _default_backend(it: Interpreter, call: Call) -> Value:
    return platform(it)


@handles("jax.distributed.initialize")
def _initialize(it: Interpreter, call: Call) -> Value:
    """From here on the program has several processes, and what depends on their number is not known."""
    _DISTRIBUTED.put(it, True)
    return None
