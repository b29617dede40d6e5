"""Two promotion systems on the operands of a program: where they would promote the same operands differently.

Nothing is ported here, and no semantics but those of the program itself are asked: each operation is looked at with
the dtypes that its operands have in the program as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product
from typing import Final

from arraytyping.checker.flow.porting.noting import Array, Key, key_of
from arraytyping.checker.flow.porting.report import Change, Place, PortReport, Problem
from arraytyping.checker.flow.porting.running import Reading
from arraytyping.scalars import KINDS
from arraytyping.semantics.promotion.dtype_names import UnknownDtypeError
from arraytyping.semantics.promotion.jax import PromotionError
from arraytyping.semantics.promotion.numpy_legacy import NumPyLegacy, NumPyScalar
from arraytyping.semantics.promotion.system import System

__all__ = ["compare_systems"]

_FUNCTIONS: Final = frozenset({
    "add", "subtract", "multiply", "maximum", "minimum", "fmax", "fmin", "divide", "true_divide", "floor_divide",
    "remainder", "mod", "power", "bitwise_and", "bitwise_or", "bitwise_xor", "matmul", "dot", "vdot", "inner", "outer",
    "kron", "tensordot",
})  # fmt: skip
"""Functions of NumPy and jax.numpy that promote their first two arguments."""
_PYTHON: Final = {"b": "bool", "u": "int", "i": "int", "f": "float", "c": "complex"}


def compare_systems(program: Reading, one: System, other: System) -> PortReport:
    """The operations whose operands two systems promote differently, or which only one of them has."""
    report = PortReport()
    undefined = 0
    for key in sorted(program.seen.keys()):
        sides = _sides(program, key)
        if sides is None:
            continue
        place = Place(*key[:5], program.source(key))
        changes: dict[Change | Problem, None] = {}
        is_unknown = is_compared = False
        for a, b in _together(*(_values(program, side) for side in sides)):
            if not any(x is None or x.library in ("jax", "numpy") for x in (a, b)):
                continue
            first, second = _promoted(one, a, b), _promoted(other, a, b)
            if first is None or second is None or a is None or b is None:
                is_unknown = True
            elif isinstance(first, PromotionError):
                undefined += 1
            else:
                is_compared = True
                changes.update(dict.fromkeys(_told(place, (_shown(a), _shown(b)), one, first, other, second)))
        report.expressions += is_compared
        report.unknown += is_unknown and not is_compared
        report.changes += [change for change in changes if isinstance(change, Change)]
        report.problems += [problem for problem in changes if isinstance(problem, Problem)]
    if undefined:
        which = "1 pair of operands, which is" if undefined == 1 else f"{undefined} pairs of operands, which are"
        report.notes.append(f"{one.name} defines no promotion for {which} left out")
    return report


def _told(
    place: Place, operands: tuple[str, str], one: System, first: str, other: System, second: str | PromotionError
) -> Iterator[Change | Problem]:
    if isinstance(second, PromotionError):
        yield Problem(place, "fails", str(second))
    elif first != second:
        a, b = operands
        reason = f"{one.name} promotes {a} and {b} to {first}, {other.name} to {second}"
        yield Change(place, (first,), (second,), reason=reason)


def _sides(program: Reading, key: Key) -> tuple[Key, Key] | None:
    """The two operands of an operation that promotes them."""
    node = program.nodes.get(key)
    module = next((m for m in program.modules if m.shown == key[0]), None)
    if module is None:
        return None
    if isinstance(node, ast.BinOp):
        return key_of(module, node.left), key_of(module, node.right)
    if isinstance(node, ast.AugAssign):
        return key_of(module, node.target), key_of(module, node.value)
    if isinstance(node, ast.Call) and program.functions.get(key) in _FUNCTIONS and len(node.args) >= 2:
        return key_of(module, node.args[0]), key_of(module, node.args[1])
    return None


def _values(program: Reading, key: Key) -> dict[tuple[object, ...], list[Array | None]]:
    """What an operand was, by context: arrays and scalars; None for what is unknown or neither."""
    return {
        context: [next((a for a in value if a.path == () and a.library != "unknown"), None) for value in values]
        for context, values in program.seen.get(key, {}).items()
    }


def _together(
    left: dict[tuple[object, ...], list[Array | None]], right: dict[tuple[object, ...], list[Array | None]]
) -> list[tuple[Array | None, Array | None]]:
    """The operands that met: those of one context, by their order where that is known."""
    found: dict[tuple[Array | None, Array | None], None] = {}
    for context in left.keys() | right.keys():
        a, b = left.get(context) or [None], right.get(context) or [None]
        met = zip(a, b) if len(a) == len(b) else product(dict.fromkeys(a), dict.fromkeys(b))
        found.update(dict.fromkeys(met))
    return list(found)


def _promoted(system: System, a: Array | None, b: Array | None) -> str | PromotionError | None:
    """What a system makes of two operands; None if that is not known."""
    if a is None or b is None or a.dtype is None or b.dtype is None:
        return None
    try:
        if isinstance(system, NumPyLegacy):
            operands = [_by_value(a), _by_value(b)]
            return None if None in operands else system.result_type(*(o for o in operands if o is not None))
        return system.promote(_node(a), _node(b))
    except UnknownDtypeError:
        return None
    except PromotionError as error:
        return error


def _by_value(a: Array) -> str | NumPyScalar | bool | int | float | complex | None:
    """An operand as NumPy 1 looks at it: scalars by their values; None if such a one is unknown."""
    if a.library == "python":
        return a.value
    if a.is_scalar:
        return None if a.value is None else NumPyScalar(str(a.dtype), a.value)
    return a.dtype


def _node(a: Array) -> str:
    """The node of a promotion system on which an operand stands."""
    assert a.dtype is not None, "what is unknown is left out before"
    return _PYTHON[KINDS[a.dtype]] if a.weak_type and a.dtype in KINDS else a.dtype


def _shown(a: Array) -> str:
    if a.library == "python":
        return f"the Python {a.dtype} {a.value}" if a.value is not None else f"a Python {a.dtype}"
    return f"the {a.dtype} scalar {a.value}" if a.is_scalar and a.value is not None else _node(a)
