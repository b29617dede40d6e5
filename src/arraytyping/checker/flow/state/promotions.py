"""Promotions that change what a program computes, or in what: told where a run asks for them.

What is told: a narrow float that a strong operand widens; integers and numbers that do not fit into the dtype of a
result; sums in a dtype that is too narrow for them; 64 bits that are asked for while x64 is off.

Source: https://docs.jax.dev/en/latest/jep/9407-type-promotion.html and
https://docs.jax.dev/en/latest/default_dtypes.html.
"""

from __future__ import annotations

import ast
import math
from fractions import Fraction
from typing import Any, Final

from arraytyping.checker.flow.state.dtype_traces import origins_of, steps_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.point_values import called
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.written_operands import written
from arraytyping.checker.flow.values import ArrayValue, ScalarValue, Value
from arraytyping.checker.flow.values.origins import Constant, Origin
from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.promotion.losses import values_of

__all__ = ["CODES", "check_64_bits", "check_promotion"]

_WIDE: Final = "array-promotion-wide"
_RANGE: Final = "array-promotion-range"
_SUM: Final = "array-promotion-sum"
_64_BITS: Final = "array-promotion-64bit"
CODES: Final = (_WIDE, _RANGE, _SUM, _64_BITS)

_ARITHMETIC: Final = frozenset({
    "add", "sub", "mul", "truediv", "pow", "floordiv", "mod", "subtract", "multiply", "divide", "true_divide", "power",
    "maximum", "minimum", "floor_divide", "remainder", "fmod", "fmax", "fmin", "hypot", "arctan2", "xor", "and_", "or_",
    "bitwise_xor", "bitwise_and", "bitwise_or",
})  # fmt: skip
_PRODUCTS: Final = frozenset({"matmul", "dot", "vdot", "inner", "tensordot", "einsum"})
_PROMOTING: Final = _ARITHMETIC | _PRODUCTS | {"where", "concatenate", "stack", "hstack", "vstack", "append", "outer"}
_COMPARING: Final = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
_MODULAR: Final = frozenset({"add", "sub", "subtract"})


def check_promotion(it: Interpreter, origin: Origin) -> None:
    """Look at an operation that was just made."""
    name = called(origin.op)
    if ":" in origin.op and not origin.op.startswith("jax:"):
        return
    operands = list(origin.operands) if name in _PROMOTING or name in _COMPARING else []
    if name in _PROMOTING:
        _check_width(it, origin, operands)
    if name in _ARITHMETIC or name in _COMPARING:
        _check_range(it, origin, operands, name)
    _check_sum(it, origin, name)


_SAID: Final[RunSlot[set[Any]]] = RunSlot("operations whose promotion was told", set)


_KEPT: Final[RunSlot[list[Origin]]] = RunSlot("origins that are known by address", list)


def _tell(it: Interpreter, origin: Origin, code: str, message: str, cause: Value = None) -> None:
    """Tell of an operation, once for each line of the program, and not of what only follows from another one."""
    said = _SAID.of(it)
    place = (code, origin[0], origin.node)
    follows = any(id(made) in said for made in origins_of(cause))
    said.add(id(origin))
    _KEPT.of(it).append(origin)  # so that its address stays its own
    if follows or place in said:
        return
    said.add(place)
    steps = () if cause is None else tuple(steps_of(cause))
    it.remark(origin.node, code, message, steps if len(steps) > 1 else ())  # one alone is in the message


# ------------------------------------------------------------------ operands


def _dtype(value: Value) -> str | None:
    """The dtype of a strong operand; None of a weak one, and of what is none."""
    if isinstance(value, ArrayValue):
        return value.aval.dtype if value.aval.weak_type is False else None
    return value.dtype if isinstance(value, Constant) else None


def _is_in(value: Value, kinds: str) -> bool:
    dtype = _dtype(value)
    return dtype is not None and KINDS.get(dtype, "") in tuple(kinds)


def _shape(value: Any) -> Any:
    return value.aval.shape if isinstance(value, ArrayValue) else value.shape


def _text(origin: Origin, operand: Value) -> str:
    found = next((text for text, value in written(origin) if value is operand), "")
    text = " ".join(found.split())
    return text if 0 < len(text) <= 40 else "one of the operands"


def _where(origin: Origin, value: Value) -> str:
    """Where an operand was made, if that is elsewhere."""
    made = value.origin if isinstance(value, ArrayValue | Constant) else None
    if made is None or "site-packages" in made[0] or made == origin:
        return ""
    return f" (line {made[1]})" if made[0] == origin[0] else f" ({made[0]}:{made[1]})"


# ------------------------------------------------------------------ width


def _check_width(it: Interpreter, origin: Origin, operands: list[Value]) -> None:
    """A strong operand makes a float array wider than it was."""
    result = origin.aval.dtype
    if result is None or KINDS.get(result, "") not in ("f", "c"):
        return
    floats = [v for v in operands if _is_in(v, "fc")]
    narrow = [v for v in floats if isinstance(v, ArrayValue) and bits(_dtype(v) or "") < bits(result) and (
        KINDS[_dtype(v) or ""] == KINDS[result])]  # fmt: skip
    cause = next((v for v in floats if _dtype(v) == result), None)
    if not narrow or _is_cast(origin):
        return
    array = max(narrow, key=lambda v: len(v.aval.shape or ()))
    before, text = _dtype(array), _text(origin, array)
    if cause is None:
        other = next((v for v in floats if _dtype(v) not in (before, None)), None)
        if other is not None:
            message = (
                f"{text}, {before}, and {_text(origin, other)}{_where(origin, other)}, {_dtype(other)}, become "
                f"{result}, which alone holds both; convert one of them"
            )
            _tell(it, origin, _WIDE, message, other)
        return
    kind = "a NumPy scalar" if isinstance(cause, Constant) and cause.is_scalar else "a strong"
    given = f"{kind} {result}" if kind == "a strong" else f"{kind}, a strong {result}"
    number = (
        f"write it as a Python {'float' if KINDS[result] == 'f' else 'complex'}, or " if _shape(cause) == () else ""
    )
    message = (
        f"{text}: {before} becomes {result}, since {_text(origin, cause)}{_where(origin, cause)} is {given}; "
        f"{number}convert it to {before}"
    )
    _tell(it, origin, _WIDE, message, cause)


def _is_cast(origin: Origin) -> bool:
    """Whether the expression around an operation is converted to a dtype, so that the program knows of its own."""
    node, module = origin.node, origin.module
    if node is None or module is None:
        return False
    return any(
        isinstance(n, ast.Call)
        and getattr(n.func, "attr", "") in ("astype", "asarray", "array", "convert_element_type")
        and n is not node
        and n.lineno <= node.lineno <= (n.end_lineno or n.lineno)  # type: ignore[attr-defined]
        and any(inner is node for inner in ast.walk(n))
        for n in ast.walk(module.tree)
    )


# ------------------------------------------------------------------ range


def _check_range(it: Interpreter, origin: Origin, operands: list[Value], name: str) -> None:
    result = origin.aval.dtype
    arrays = [v for v in operands if _dtype(v) is not None]
    dtypes = {_dtype(v) for v in arrays}
    if name in _COMPARING:
        result = _dtype(arrays[0]) if len(dtypes) == 1 else None
    if result is None:
        return
    lost = next((v for v in arrays if _is_in(v, "iu") and not _holds(result, _dtype(v) or "")), None)
    if lost is not None and len(dtypes) > 1 and KINDS.get(result) in ("i", "u"):
        other = next(v for v in arrays if v is not lost)
        message = (
            f"{_text(origin, lost)}, {_dtype(lost)}, and {_text(origin, other)}, {_dtype(other)}, become {result}, "
            f"which ends at {values_of(result).greatest}: larger numbers wrap around; convert one of them first"
        )
        _tell(it, origin, _RANGE, message, lost)
    if len(dtypes) != 1 or not arrays or name in ("pow", "power"):
        return
    for text, value in written(origin):
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            continue
        if name in _COMPARING and isinstance(value, float):
            continue  # it is as true of what it becomes
        became = _becomes(value, result)
        modular = name in _MODULAR and isinstance(value, int) and value < 0 and KINDS.get(result) == "u"
        if became is not None and not modular:
            is_literal = not text or text.lstrip("-")[0].isdigit()
            shown = repr(value) if is_literal else f"{text} ({value!r})"
            advice = _ADVICE.get(became, "convert the array first")
            message = f"{shown} is {became} in {result}, the dtype of {_text(origin, arrays[0])}; {advice}"
            _tell(it, origin, _RANGE, message, arrays[0])


_ADVICE: Final = {"0": "take a number that this dtype can hold", "infinite": "convert the array to a wider dtype first"}


def _holds(wide: str, narrow: str) -> bool:
    """Whether a dtype holds every integer of another one."""
    if KINDS.get(wide) not in ("i", "u"):
        return True
    own, other = values_of(wide), values_of(narrow)
    return own.greatest >= other.greatest and (own.least <= other.least or other.least < 0 <= own.least)


def _becomes(value: float, dtype: str) -> str | None:
    """What a Python number becomes in a dtype that does not hold it; None if it does, closely enough."""
    kind, held = KINDS.get(dtype), values_of(dtype)
    if kind == "f" and isinstance(value, int | float):
        exact = abs(Fraction(value))
        if exact >= held.greatest + Fraction(2) ** (held.greatest.numerator.bit_length() - held.precision - 1):
            return "infinite"
        return "0" if value and exact <= Fraction(2) ** (held.smallest - 1) else None
    if kind in ("i", "u") and isinstance(value, int) and not held.least <= value <= held.greatest:
        width = bits(dtype)
        wrapped = value % 2**width
        return str(wrapped - 2**width if kind == "i" and wrapped >= 2 ** (width - 1) else wrapped)
    return None


# ------------------------------------------------------------------ sums


def _check_sum(it: Interpreter, origin: Origin, name: str) -> None:
    """Integers are added up in a dtype of few bits, which wraps around."""
    dtype = origin.aval.dtype
    arrays = [v for v in origin.operands if isinstance(v, ArrayValue)]
    if dtype is None or KINDS.get(dtype) not in ("i", "u") or bits(dtype) > 16 or not arrays:
        return
    if any(_dtype(a) != dtype for a in arrays) and name in _PRODUCTS:
        return
    if name in _PRODUCTS and len(arrays) == 2 and origin.kwargs.get("preferred_element_type") is None:
        count = _contracted(origin, arrays)
        advice = "give preferred_element_type=jnp.int32"
        if name in ("matmul", "dot") and isinstance(origin.node, ast.BinOp):
            advice = "write jnp.matmul(..., preferred_element_type=jnp.int32)"
        what = f"{count} products"
    elif name in ("cumsum", "sum", "cumprod", "prod"):
        count = _length(origin, arrays[0], name)
        advice, what = "give dtype=jnp.int32", f"{count} numbers"
    else:
        return
    if count is None or count < 2:
        return
    held = values_of(dtype)
    verb = "multiplies" if "prod" in name else "adds up"
    message = f"{name} {verb} {what} in {dtype}, which holds {held.least} to {held.greatest} and wraps around; {advice}"
    _tell(it, origin, _SUM, message, arrays[0])


def _contracted(origin: Origin, arrays: list[ArrayValue]) -> int | None:
    """How many products each element of a result is a sum of."""
    sizes = [a.aval.size for a in arrays]
    result = origin.aval.size
    if result is None or None in sizes or not result:
        return None
    shape = arrays[0].aval.shape
    if called(origin.op) == "einsum" or shape is None:
        return max(2, (sizes[0] or 0) // result)
    last = shape[-1] if shape else None
    return last if isinstance(last, int) else None


def _length(origin: Origin, array: ArrayValue, name: str) -> int | None:
    size, result = array.aval.size, origin.aval.size
    if name.startswith("cum"):
        axis = origin.kwargs.get("axis", origin.args[1] if len(origin.args) > 1 else None)
        shape = array.aval.shape
        if type(axis) is int and shape is not None and -len(shape) <= axis < len(shape):
            along = shape[axis]
            return along if isinstance(along, int) else None
        return size
    return None if size is None or not result else size // result


# ------------------------------------------------------------------ 64 bits


_NARROWED: Final = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}
_ASKING: Final = frozenset({"dtype", "param_dtype", "preferred_element_type", "new_dtype", "kernel_dtype"})


def check_64_bits(
    it: Interpreter, node: ast.AST, op: str, args: list[Value], kwargs: dict[str, Value], made: list[Origin]
) -> None:
    """A call of a library is asked for 64 bits, and gives 32 since x64 is off."""
    package = op.rpartition(":")[0]
    if ":" in op and package not in ("jax", "jaxlib", *_LAYERS):
        return
    if it.engines.jax.x64:
        return
    results = {origin.aval.dtype for origin in made}
    for key, value in (*((None, a) for a in args), *kwargs.items()):
        asked = _asked(value, key)
        given = _NARROWED.get(asked or "")
        if given is None or not (given in results or (package in _LAYERS and key in _ASKING)):
            continue
        module = it.frame.module.shown
        line = getattr(node, "lineno", 0)
        if any(m.code == "array-x64" and m.path == module and m.line == line for m in it.diagnostics.values()):
            return
        shown = f"{key}={asked}" if key else asked
        it.remark(
            node, _64_BITS,
            f"{called(op)}: {shown} is asked for, but x64 is off, so it is {given}; ask for {given}, or call "
            'jax.config.update("jax_enable_x64", True) at start-up',
        )  # fmt: skip
        return


_LAYERS: Final = ("flax", "haiku", "equinox", "optax")


def _asked(value: Value, key: str | None) -> str | None:
    """The dtype that an argument names, if it is one of 64 bits; Python's float and int name those of JAX's choice."""
    if isinstance(value, ArrayValue | ScalarValue | Constant) or value is None or isinstance(value, tuple):
        return None
    if isinstance(value, str):
        return value if value in _NARROWED and (key is None or "dtype" in key) else None
    name = getattr(value, "name", None) or getattr(value, "__name__", None)
    is_dtype = hasattr(value, "itemsize") or hasattr(value, "dtype")
    return name if isinstance(name, str) and is_dtype and name in _NARROWED else None
