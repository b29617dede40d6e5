"""Attributes of modules and objects that depend on the run: `sys.argv`, `os.environ.get`, settings of jax."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.device_counts import pretended
from arraytyping.checker.flow.python.x64_of_environment import put_x64_variable
from arraytyping.checker.flow.real_calls.own_programs import name_own_runtime
from arraytyping.checker.flow.state.devices_asked import DEVICES, MACHINE
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.state.program_words import note_words_read, words
from arraytyping.checker.flow.values import MISSING, DictValue, HandlerValue, ListValue, ScalarValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.x64 import VARIABLE

__all__ = ["ENVIRON", "get_environ", "module_attribute", "put_environ"]

ENVIRON: Final = os.environ
"""The environment's object, which the program sees as well, but of which nothing is assumed."""


def get_environ(it: Interpreter, call: Call) -> Value:
    """A variable of the environment, or the default."""
    default = call.argument(1, "default")
    return join(default, ScalarValue(str))


def put_environ(it: Interpreter, name: Any, value: Value) -> None:
    """Bind a variable of the environment: of these count how many devices the host pretends to have, and x64."""
    if name == VARIABLE:
        put_x64_variable(it, value)
    if name == "XLA_FLAGS" and isinstance(value, str) and (count := pretended(value)):
        DEVICES.of(it).own = count


def _environ_update(it: Interpreter, call: Call) -> Any:
    given = (
        call.args[0].items
        if call.args and isinstance(call.args[0], DictValue) and call.args[0].items is not None
        else {}
    )
    for name, value in {**given, **call.kwargs}.items():
        put_environ(it, name, value)


def _environ_default(it: Interpreter, call: Call) -> Value:
    is_there = call.args[:1] == [VARIABLE] and VARIABLE in ENVIRON  # which jax has read in this process, too
    if len(call.args) > 1 and not is_there:
        put_environ(it, *call.args[:2])
    return get_environ(it, call)


_ENVIRON_METHODS: Final[dict[str, Any]] = {
    "get": get_environ,
    "pop": get_environ,
    "setdefault": _environ_default,
    "update": _environ_update,
    "copy": lambda it, call: DictValue(None, ScalarValue(str), ScalarValue(str)),
    "keys": lambda it, call: ListValue(None, ScalarValue(str)),
    "values": lambda it, call: ListValue(None, ScalarValue(str)),
    "items": lambda it, call: ListValue(None, (ScalarValue(str), ScalarValue(str))),
    "__contains__": lambda it, call: ScalarValue(bool),
}


FOLLOWED_SETTINGS: Final = (
    "jax_enable_x64", "jax_numpy_dtype_promotion", "jax_numpy_rank_promotion", "jax_enable_custom_prng",
    "jax_default_prng_impl", "jax_threefry_partitionable", "jax_disable_bwd_checks",
)  # fmt: skip
"""Settings of jax that change dtypes, shapes or what is refused; the others are left as they are."""


def module_attribute(it: Interpreter, owner: Value, name: str) -> Value:
    """An attribute of a module or object that depends on the run; MISSING for others."""
    if owner is ENVIRON:
        handle = _ENVIRON_METHODS.get(name)
        return MISSING if handle is None else HandlerValue(f"environ.{name}", handle)
    if owner is sys:
        if name == "argv":
            if it.frame.module.is_program:  # and no stand-in for a parser
                note_words_read(it)
            return words(it)
        if name == "modules":  # of the program, and not of the process in which it is followed
            return DictValue(None, ScalarValue(str), Unknown("a module by its name"))
        if name in ("orig_argv", "path"):
            return ListValue(None, ScalarValue(str))
        if name in ("stdout", "stderr", "stdin"):
            return HandlerValue(name, _refuse_stream, (), _STREAM_METHODS)
        if name in ("executable", "prefix", "platform", "byteorder"):
            return ScalarValue(str)
    if owner is sys.modules.get("arraytyping.config") and name.startswith("jax_") and name_own_runtime(it):
        return getattr(it.engines.jax.config, name) if name in FOLLOWED_SETTINGS[:2] else MISSING
    is_config = type(owner).__module__ == "jax._src.config" and type(owner).__name__ == "Config"
    if is_config and name.startswith("jax_") and name not in FOLLOWED_SETTINGS:
        return Unknown("a setting of jax that is not followed")
    if type(owner).__name__ == "Device" and type(owner).__module__.startswith("jaxlib"):
        return _of_device(it, name)
    if owner is os and name in ("name", "sep", "altsep", "linesep", "pathsep"):
        return ScalarValue(str)
    return MISSING


def _of_device(it: Interpreter, name: str) -> Value:
    """What a device has on the machine that it is of, which is another one, unless the program itself pretends it."""
    machine, is_pretended = MACHINE.of(it), bool(DEVICES.of(it).own)
    if name in ("process_index", "host_id"):
        return 0 if machine.processes == 1 else ScalarValue(int)
    if name == "id" and machine.processes > 1:  # processes number their devices as they like
        return ScalarValue(int)
    if name in ("platform", "device_kind") and not is_pretended:
        return (machine.platform if name == "platform" else machine.kind) or ScalarValue(str)
    return MISSING if name in ("id", "platform", "device_kind") else it.unknown(f"attribute {name} of a device")


def _refuse_stream(it: Interpreter, call: Call) -> Value:
    return it.fail(call.node, "array-call", "TypeError: '_io.TextIOWrapper' object is not callable")


def _giving(value: Value) -> Callable[[Interpreter, Call], Value]:
    return lambda it, call: value


_STREAM_METHODS: Final = {
    name: HandlerValue(name, _giving(gives))
    for name, gives in {
        "write": ScalarValue(int),
        "flush": None,
        "readline": ScalarValue(str),
        "read": ScalarValue(str),
        "isatty": ScalarValue(bool),
        "close": None,
        "reconfigure": None,
    }.items()
}
