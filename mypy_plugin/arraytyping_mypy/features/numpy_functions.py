"""NumPy's functions where its stubs leave the dtype open: `np.sqrt(2)`, `np.array([1.0, 2.0])`, `x.astype("int8")`.

Source: `_UFunc_Nin1_Nout1.__call__` in numpy/_typing/_ufunc.pyi, `array` in numpy/_core/multiarray.pyi.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import CallExpr, Expression, ListExpr, RefExpr, TupleExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import AnyType, Instance, ProperType, Type, get_proper_type

from arraytyping.semantics.avals import Scalar
from arraytyping_mypy.arguments import read
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.statics import constant

__all__ = ["function_hook", "method_hook"]

_UFUNC: Final = "numpy._typing._ufunc._UFunc_Nin1_Nout1.__call__"
_OF_FLOATS: Final = frozenset(
    f"numpy.{name}"
    for name in (
        "sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin", "arccos",
        "arctan", "sinh", "cosh", "tanh", "cbrt", "deg2rad", "rad2deg", "radians", "degrees",
    )
)  # fmt: skip
"""Ufuncs that give the float that they are given, and a float64 for an int of Python."""
_MAKING: Final = ("numpy.array", "numpy.asarray", "numpy._core.multiarray.array", "numpy._core.multiarray.asarray")


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a call of a ufunc, or of `astype`."""
    if fullname == _UFUNC:
        return partial(_call_ufunc, sessions)
    return partial(_cast, sessions) if fullname == "numpy.ndarray.astype" else None


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of what makes an array of a list."""
    return partial(_make, sessions) if fullname in _MAKING else None


def _call_ufunc(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    call = ctx.context
    if not session.is_active or not isinstance(call, CallExpr) or not isinstance(call.callee, RefExpr):
        return ctx.default_return_type
    is_known = isinstance(get_proper_type(ctx.default_return_type), AnyType) and len(call.args) == 1
    if not is_known or call.callee.fullname not in _OF_FLOATS or not ctx.arg_types or not ctx.arg_types[0]:
        return ctx.default_return_type
    given = get_proper_type(ctx.arg_types[0][0])
    if _is_number(read(call.args[0], given, session)):
        return session.numpy_scalar("float64") or ctx.default_return_type
    if isinstance(given, Instance) and _is_float(given):
        return given
    return ctx.default_return_type


def _is_number(value: object) -> bool:
    """Whether it is certainly a float or an int; a bool, which an annotation admits for both, gives a float16."""
    return type(value) in (int, float) or value in (Scalar("int"), Scalar("float"))


def _is_float(p: Instance) -> bool:
    """Whether it is a NumPy scalar of floats, or an array of them."""
    if p.type.fullname == "numpy.float64":
        return True
    if p.type.fullname == "numpy.ndarray" and len(p.args) == 2:
        dtype = get_proper_type(p.args[1])
        scalar = get_proper_type(dtype.args[0]) if isinstance(dtype, Instance) and dtype.args else None
        return isinstance(scalar, Instance) and scalar.type.fullname in ("numpy.float64", "numpy.floating")
    return False


def _cast(sessions: Sessions, ctx: MethodContext) -> Type:
    """`x.astype("float32")`, of which the stubs know no name of a dtype."""
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.default_return_type)
    if not session.is_active or not ctx.args or not ctx.args[0]:
        return ctx.default_return_type
    name = constant(ctx.args[0][0], lambda e: None)
    return _of_dtype(p, name, session) if isinstance(name, str) else ctx.default_return_type


def _make(sessions: Sessions, ctx: FunctionContext) -> Type:
    """An array of floats that are written as a list, if nothing else is said."""
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.default_return_type)
    call = ctx.context
    if not session.is_active or not isinstance(call, CallExpr) or len(call.args) != 1:
        return ctx.default_return_type
    if not isinstance(call.args[0], ListExpr | TupleExpr):
        return ctx.default_return_type
    leaves = [read(e, None, session) for e in _items(call.args[0])]
    is_float = any(type(v) is float or v == Scalar("float") for v in leaves)
    return _of_dtype(p, "float64", session) if is_float and all(map(_is_number, leaves)) else ctx.default_return_type


def _items(expression: Expression) -> list[Expression]:
    """What stands in a list and the lists in it."""
    if isinstance(expression, ListExpr | TupleExpr):
        return [i for item in expression.items for i in _items(item)]
    return [expression]


def _of_dtype(p: ProperType, name: str, session: Session) -> Type:
    scalar = session.numpy_scalar(name)
    if scalar is None or not isinstance(p, Instance) or p.type.fullname != "numpy.ndarray" or len(p.args) != 2:
        return p
    dtype = get_proper_type(p.args[1])
    if not isinstance(dtype, Instance) or not dtype.args or not isinstance(get_proper_type(dtype.args[0]), AnyType):
        return p
    return p.copy_modified(args=[p.args[0], dtype.copy_modified(args=[scalar])])
