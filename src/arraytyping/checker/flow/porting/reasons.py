"""Why a dtype changes, in one sentence: x64 is off, or JAX promotes in another way than NumPy.

Which of the two it is, the port with x64 tells, which is interpreted as well.

Source: https://docs.jax.dev/en/latest/type_promotion.html, whose three kinds of differences from NumPy are told apart.
"""

from __future__ import annotations

import ast
from typing import Final, Literal

from arraytyping.checker.flow.porting.noting import Array, Key, key_of
from arraytyping.checker.flow.porting.pairing import Pair
from arraytyping.checker.flow.porting.running import Reading
from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.promotion.jax import JaxPromotion

__all__ = ["Cause", "reason_of"]

Cause = Literal["x64", "jax"]
"""Why a dtype changes: because x64 is off, or because JAX itself gives another one."""

_PROMOTION: Final = JaxPromotion(x64=False)
_KINDS: Final = {"i": "integer", "u": "unsigned integer", "f": "float", "c": "complex"}
_MOST_PLACES: Final = 3
_PYTHON: Final = {"int": "i", "float": "f", "complex": "c"}


def reason_of(
    port: Reading, key: Key, pair: Pair, causes: frozenset[Cause], *, is_asked_for: bool, passes_on: bool
) -> str:
    """Why a pair of dtypes differs at an expression.

    `is_asked_for` says that the program names the wide dtype, `passes_on` that nothing is computed here.
    """
    before, after = " | ".join(pair.before), " | ".join(pair.after)
    if passes_on:
        made = sorted({f"{maker[0]}:{maker[1]}" for maker in port.carried.get(key, ())})
        places = [*made[:_MOST_PLACES], *(["..."] if len(made) > _MOST_PLACES else [])]
        return f"the port takes another way to here{', from ' + ', '.join(places) if made else ''}"
    operands = _operands(port, key)
    if causes == {"x64"}:
        return _x64_is_off(before, after, operands, is_asked_for)
    if "jax" in causes and operands is not None:
        found = _promotion(before, after, operands)
        if found is not None:
            return found
    return f"NumPy gives {before} here, JAX {after}"


def _x64_is_off(before: str, after: str, operands: list[Array] | None, is_asked_for: bool) -> str:
    if is_asked_for:
        return f"{before} is asked for, and JAX makes it {after} while x64 is off"
    if operands is not None and any(a.library == "numpy" and a.dtype == before for a in operands):
        return f"a NumPy array of {before} becomes {after} in JAX while x64 is off"
    kind = KINDS.get(after, "b")
    is_join = operands is not None and len({a.dtype for a in operands if a.library == "jax" and not a.weak_type}) > 1
    if kind != "b" and not is_join and after == _PROMOTION.default(kind) and bits(before) == 2 * bits(after):
        return f"JAX's default {_KINDS[kind]} is {after} while x64 is off"
    return f"JAX has {after} in place of {before} while x64 is off"


def _promotion(before: str, after: str, operands: list[Array]) -> str | None:
    arrays = [a for a in operands if a.library in ("jax", "numpy") and a.dtype in KINDS]
    if not arrays or after not in KINDS:
        return None
    strong = [a for a in arrays if not a.weak_type]
    kinds = {KINDS[str(a.dtype)] for a in strong}
    dtypes = " and ".join(dict.fromkeys(str(a.dtype) for a in strong))
    if len(strong) > 1 and "bfloat16" in {a.dtype for a in strong} and len({a.dtype for a in strong}) > 1:
        return f"JAX promotes {dtypes} to {after}, NumPy to {before}"
    if len(strong) > 1 and kinds & {"i", "u"} and kinds & {"f", "c"}:
        return f"JAX keeps the width of the float where it meets an integer ({dtypes}); NumPy widens it to {before}"
    if len(strong) < len(arrays):
        weak = ", ".join(dict.fromkeys(f"{_python_name(a)}" for a in arrays if a.weak_type))
        return f"a weakly typed operand ({weak}) does not widen {dtypes or 'another one'} in JAX; NumPy gives {before}"
    if kinds <= {"i", "u", "b"} and KINDS[after] == "f":
        return f"JAX computes in {after} for {dtypes}, NumPy in {before}"
    return None


def _python_name(array: Array) -> str:
    return next((name for name, kind in _PYTHON.items() if KINDS.get(array.dtype or "") == kind), str(array.dtype))


def _operands(port: Reading, key: Key) -> list[Array] | None:
    """What an operation is applied to, in the port; None where one of the operands has several dtypes."""
    node = port.nodes.get(key)
    if node is None:
        return None
    found: list[Array] = []
    for part in _parts(node):
        module = next(m for m in port.modules if m.shown == key[0])
        seen = port.seen.get(key_of(module, part), {})
        arrays = dict.fromkeys(a for context in seen.values() for value in context for a in value)
        if len({(a.dtype, a.weak_type) for a in arrays if a.path == ()}) > 1:
            return None
        found += arrays
    return found


def _parts(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.AugAssign():
            return [node.target, node.value]
        case ast.Call():
            receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            return [*receiver, *node.args, *(k.value for k in node.keywords)]
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
