"""arraytyping's own runtime: its names, its configuration, and its arrays' class with subscripts."""

from __future__ import annotations

import ast
import sys
from typing import Any

from arraytyping.basearray import Array
from arraytyping.checker.flow.libraries.registry import handles, handles_objects, handles_subscript
from arraytyping.checker.flow.real_calls.own_names import name_in_jax, own_scalar
from arraytyping.checker.flow.real_calls.own_programs import is_on_own_runtime, name_own_runtime, stands_for_own
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.x64_sides import X64, settled_x64
from arraytyping.checker.flow.values import Value, is_concrete, mapped
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__: list[str] = []


@handles_objects
def _stand_in(value: Any) -> Any:
    """What stands for an object of our runtime."""
    return None if name_in_jax(value) is None else lambda it: stands_for_own(it, value)


@handles("arraytyping.config.update")
def _update(it: Interpreter, call: Call) -> Value:
    """Options have jax's names, with and without `jax_`, and are fewer."""
    values = call.named("option", "value")
    option, value = values.get("option"), values.get("value")
    if not name_own_runtime(it) or not isinstance(option, str):
        return it.unknown("an option of arraytyping that is not known")
    try:
        sys.modules["arraytyping.config"].read(option)
    except AttributeError as error:
        return it.fail(call.node, "array-call", f"AttributeError: {error}")
    name = f"jax_{option.removeprefix('jax_')}"
    if name == "jax_disable_jit":
        return None
    if name == X64:
        value = settled_x64(it, value)
    if not is_concrete(value):
        return it.unknown(f"the option {option} gets a value that is not known")
    fits = isinstance(value, int) if name == "jax_enable_x64" else value in ("standard", "strict")
    if not fits:
        expected = "True or False" if name == "jax_enable_x64" else "'standard' or 'strict'"
        return it.fail(call.node, "array-call", f"ValueError: option {option!r}: expected {expected}, got {value!r}")
    it.engines.jax.configure(name, value)
    return None


@handles_subscript("jax.Array")
def _array_type(it: Interpreter, owner: Any, index: Value, node: ast.AST | None) -> Value:
    """`Array[float32, tuple[int, int]]`, which jax's own class has not."""
    if not is_on_own_runtime(it):
        return it.unknown("a subscript of a class that takes none")
    index = mapped(index, own_scalar) if isinstance(index, tuple) else own_scalar(index)
    if not is_concrete(index):
        return it.unknown("an array's type of which a part is not known")
    try:
        return Array[index]  # type: ignore[valid-type]
    except Exception as error:  # whatever it refuses
        swallow(error)
        return it.unknown("an array's type that is refused")
