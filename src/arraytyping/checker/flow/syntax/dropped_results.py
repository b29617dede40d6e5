"""Statements that compute a new array and drop it: nothing of JAX changes in place.

What may be meant is no mistake: code that is timed, tests, blocks of which an exception is expected, and, at the level
of a module, cells of a notebook.  A jitted function that returns nothing computes nothing: a mistake where it only
does what happens as it is traced.

Source: https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html, on updates and on pure functions.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from typing import Any, Final

from arraytyping.checker.flow.sources.cell_marks import has_cells
from arraytyping.checker.flow.sources.statements import nodes_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    ArrayValue,
    BoundMethod,
    DictValue,
    FunctionValue,
    InstanceValue,
    JitValue,
    ListValue,
    MethodOf,
    TreeValue,
    Value,
    walk,
)
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["PURE", "check_dropped", "is_chain"]

_CODE: Final = "array-unused"
_UPDATES: Final = frozenset({"set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply"})
_METHODS: Final = frozenset({
    "argsort", "astype", "clip", "conj", "cumprod", "cumsum", "dot", "flatten", "max", "mean", "min", "prod", "ravel",
    "repeat", "reshape", "round", "sort", "squeeze", "std", "sum", "swapaxes", "take", "transpose", "var",
})  # fmt: skip
"""Methods of an array that only compute."""
PURE: Final = re.compile(
    r"jax\.(numpy|nn|random|lax|scipy)(\.|$)|jax\._src\.(numpy|nn|random|scipy)\.|jax\._src\.lax\.(lax|slicing)$|"
    r"optax\._src\.update$"
)
"""Modules whose functions only compute."""
_UPDATING: Final = ("update", "update_fn")
_REPLACING: Final = ("_replace", "replace", "apply_gradients")
_TIMED: Final = frozenset({"time", "perf_counter", "monotonic", "timeit", "default_timer", "process_time"})
_EFFECTS: Final = re.compile(r"debug|callback|print|breakpoint|effect|profil|^io_|^check")
_HARMLESS: Final = frozenset(
    {"len", "range", "zip", "enumerate", "int", "float", "tuple", "list", "dict", "max", "min"}
)
_CHANGES: Final = frozenset({"append", "extend", "insert", "update", "setdefault", "add", "pop", "clear", "remove"})
_LIBRARIES: Final = frozenset({"jnp", "jax", "lax", "np", "numpy"})


def check_dropped(it: Interpreter, call: ast.Call, result: Value, frame: Frame) -> None:
    """Report a call that is a statement and computes something that is lost."""
    if not frame.module.is_program:
        return
    if result is None:
        _check_effects(it, call, frame)
    elif isinstance(result, ArrayValue | tuple | ListValue | DictValue | InstanceValue | TreeValue):
        _check_result(it, call, result, frame)


def _check_result(it: Interpreter, call: ast.Call, result: Value, frame: Frame) -> None:
    function = frame.function_frame().function
    is_cell = function is None and has_cells(frame.module.source)
    if (method := _update(call)) and isinstance(result, ArrayValue):
        if not is_cell:
            x = _owner(call)
            message = f"at[].{method} gives a new array, which is dropped, and {x} stays as it is; write {x} = {x}.at"
            it.remark(call, _CODE, f"{message}[...].{method}(...)")
        return
    if is_cell or it.attempts or not is_chain(call.func) or _is_timed(frame, function):
        return
    if (what := _what(it.evaluate(call.func, frame), result, function is not None)) is not None:
        it.remark(call, _CODE, f"{ast.unparse(call.func)} {what}; nothing is changed in place")


def _update(call: ast.Call) -> str | None:
    """The method, of `x.at[i].set(v)` and its kin."""
    method = call.func
    if (
        not isinstance(method, ast.Attribute)
        or method.attr not in _UPDATES
        or not isinstance(method.value, ast.Subscript)
    ):
        return None
    at = method.value.value
    return method.attr if isinstance(at, ast.Attribute) and at.attr == "at" else None


def _owner(call: ast.Call) -> str:
    text = ast.unparse(call.func.value.value.value)  # type: ignore[attr-defined]
    return text if len(text) < 40 else "the array"


def is_chain(node: ast.expr) -> bool:
    """Whether an expression is names and attributes alone, which evaluate to the same once more."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _is_timed(frame: Frame, function: Any) -> bool:
    """Whether the code around may be called for the time that it takes, or for what it raises."""
    if function is None:
        return _names_clock(frame.module.tree)
    name = function.name.lower()
    if name.startswith("test") or "bench" in name or "warm" in name:
        return True
    return _names_clock(function.node)


@functools.cache
def _names_clock(node: ast.AST) -> bool:
    """Whether a module has the name of a clock in it, or a function one or an attribute of such a name."""
    if isinstance(node, ast.Module):
        return any(isinstance(n, ast.Name) and n.id in _TIMED for n in nodes_of(node))
    return any(getattr(n, "attr", getattr(n, "id", "")) in _TIMED for n in ast.walk(node))


def _what(function: Value, result: Any, is_inside: bool) -> str | None:
    """What is dropped of a function that only computes; None if it may do more.

    At the level of a module an expression may be there to be seen.
    """
    if isinstance(function, MethodOf):
        if isinstance(function.receiver, ArrayValue):
            is_in_place = function.name == "sort" or (is_inside and function.name in _METHODS)
            return "gives a new array, which is dropped" if is_in_place else None
        is_replaced = function.name in _REPLACING and isinstance(function.receiver, tuple)
        return "gives a new object, which is dropped" if is_replaced else None
    if isinstance(function, BoundMethod):
        is_replaced = getattr(function.function, "name", "") in _REPLACING and isinstance(result, InstanceValue)
        is_same = is_replaced and isinstance(function.receiver, InstanceValue) and result.cls is function.receiver.cls
        return "gives a new object, which is dropped" if is_same and result is not function.receiver else None
    if isinstance(function, FunctionValue | InstanceValue) or not callable(function):
        return None
    module, name = str(getattr(function, "__module__", "")), str(getattr(function, "__name__", ""))
    if module.startswith("optax.") and name in _UPDATING:
        return "gives the updates and a new state, which are dropped"
    if not PURE.match(module) or not any(isinstance(v, ArrayValue) for v in walk(result)):
        return None
    if name == "apply_updates":
        return "gives new parameters, which are dropped"
    return "gives a new array, which is dropped" if is_inside or name in ("sort", "split", "shuffle") else None


# ------------------------------------------------------------------ jitted functions that return nothing


def _check_effects(it: Interpreter, call: ast.Call, frame: Frame) -> None:
    """Report the call of a jitted function that returns nothing, and only does what happens while it is traced."""
    if not is_chain(call.func) or it.staged or it.attempts:
        return
    jitted = it.evaluate(call.func, frame)
    while isinstance(jitted, BoundMethod):
        jitted = jitted.function
    if not isinstance(jitted, JitValue) or not isinstance(jitted.function, FunctionValue):
        return
    node = jitted.function.node
    if isinstance(node, ast.Lambda) or not all(_is_for_python(s) for s in node.body):
        return
    it.remark(
        call,
        _CODE,
        f"{jitted.function.name} is jitted and returns nothing, so the call computes nothing: "
        "what it does to Python objects happens only while it is traced; return the results",
    )


def _is_for_python(statement: ast.stmt) -> bool:
    """Whether nothing in a statement has an effect when the compiled function runs."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Raise | ast.Assert | ast.With | ast.Yield | ast.Await):
            return False
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return False  # perhaps of a reference
        if isinstance(node, ast.Call) and not _is_pure_call(node.func):
            return False
    return True


def _is_pure_call(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in _HARMLESS
    if not isinstance(function, ast.Attribute) or _EFFECTS.search(function.attr):
        return False
    names = list(_names(function))
    return not any(map(_EFFECTS.search, names)) and (
        names[-1] in _LIBRARIES or function.attr in _CHANGES | _METHODS | _UPDATES
    )


def _names(node: ast.expr) -> Iterator[str]:
    """The names of a chain of attributes, the last one first."""
    while isinstance(node, ast.Attribute):
        yield node.attr
        node = node.value
    yield node.id if isinstance(node, ast.Name) else ""
