"""Differences of all pairs, which are 0 on the diagonal: `x[:, None] - x[None, :]`, and what is made of them."""

from __future__ import annotations

import ast
from typing import Final

from arraytyping.checker.flow.state.point_values import called, value_of
from arraytyping.checker.flow.values import ArrayValue, Value
from arraytyping.checker.flow.values.origins import Origin

__all__ = ["diagonal_of"]

_KEEPING: Final = frozenset({"square", "abs", "absolute", "neg", "negative", "astype", "asarray", "multiply", "mul"})


def diagonal_of(origin: Origin) -> str | None:
    """How the differences are written of which a square root or a norm is taken; None if it is of none."""
    name = called(origin.op)
    given = origin.args[0] if origin.args else None
    if name == "norm":
        if _axes(origin) != (-1,) or (origin.args[1:2] or (origin.kwargs.get("ord"),))[0] not in (None, 2):
            return None
        return _pairs(given)
    is_root = name in ("pow", "power") and len(origin.args) == 2 and value_of(origin.args[1], ()) == 0.5
    return _pairs(given) if name == "sqrt" or is_root else None


def _axes(origin: Origin) -> tuple[Value, ...] | None:
    """The axes of a reduction that leaves at least two before them; those from the end as -1."""
    given = origin.args[0] if origin.args else None
    axis = origin.kwargs.get("axis")
    if axis is None:
        at = 2 if called(origin.op) == "norm" else 1
        axis = origin.args[at] if len(origin.args) > at else None
    rank = given.aval.ndim if isinstance(given, ArrayValue) else None
    if type(axis) is int and rank is not None and rank >= 3 and axis % rank == rank - 1:
        return (-1,)
    return None


def _pairs(value: Value, depth: int = 0) -> str | None:
    """The differences of pairs that an operand is made of, so that it is 0 wherever they are."""
    origin = getattr(value, "origin", None)
    if not isinstance(origin, Origin) or depth > 8:
        return None
    name, args = called(origin.op), origin.args
    if name in ("sub", "subtract") and len(args) == 2 and _is_transposed(*args):
        return "what is not written here" if origin.node is None else " ".join(ast.unparse(origin.node).split())[:60]
    if name in _KEEPING:
        return next((found for v in args if (found := _pairs(v, depth + 1)) is not None), None)
    if name in ("pow", "power") and len(args) == 2:
        exponent = value_of(args[1], ())
        return _pairs(args[0], depth + 1) if isinstance(exponent, int | float) and exponent > 0 else None
    if name == "sum":
        return _pairs(args[0], depth + 1) if _axes(origin) == (-1,) else None
    if name == "add":
        both = [_pairs(v, depth + 1) for v in args]
        return both[0] if len(both) == 2 and None not in both else None
    return None


def _is_transposed(a: Value, b: Value) -> bool:
    """Whether these are one array, once with a new first axis and once with a new second one."""
    (x, i), (y, j) = _newest(a), _newest(b)
    return x is not None and x is y and {i, j} == {0, 1}


def _newest(value: Value) -> tuple[Value, int]:
    """An array and the axis that was added to it."""
    origin = getattr(value, "origin", None)
    if not isinstance(origin, Origin):
        return None, -1
    name, args = called(origin.op), origin.args
    if name == "expand_dims" and args:
        axis = args[1] if len(args) > 1 else origin.kwargs.get("axis")
        return _origin(args[0]), axis if axis in (0, 1) else -1
    if name != "__getitem__" or len(args) != 2:
        return None, -1
    key = args[1] if isinstance(args[1], tuple) else (args[1],)
    full = [k for k in key if k is not None]
    if sum(k is None for k in key) != 1 or not all(k == slice(None) or k is Ellipsis for k in full):
        return None, -1
    axis = next(i for i, k in enumerate(key) if k is None)
    if Ellipsis in key[:axis] and getattr(args[0], "aval", None) is not None and args[0].aval.ndim != 1:
        return None, -1
    return _origin(args[0]), axis


def _origin(value: Value) -> Origin | None:
    made = getattr(value, "origin", None)
    return made if isinstance(made, Origin) else None
