"""NumPy's functions, methods, operators and attributes, of which its stubs know no sizes, and often no dtype.

`np.sqrt(2)`, `rng.normal(size=(n, 3))`, `x.mean(0)` and `x[i]` are anything to the stubs.  Flow's engine for NumPy says
what they are, and the types that a call has; where it does not know, the stubs stand.

Source: numpy/_typing/_ufunc.pyi, numpy/__init__.pyi, numpy/random/_generator.pyi.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from mypy.nodes import ArgKind, CallExpr, ComparisonExpr, Expression, IndexExpr, MemberExpr, OpExpr, RefExpr, UnaryExpr
from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, UnionType, UnpackType, get_proper_type

from arraytyping_mypy.checker import stored_type
from arraytyping_mypy.refused_by_numpy import Refusal
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

if TYPE_CHECKING:
    from arraytyping.checker.flow.values import NumPyValue, Value

__all__ = ["attribute_hook", "function_hook", "method_hook", "number_hook", "operate"]

_Context = FunctionContext | MethodContext
_GENERATORS: Final = {"numpy.random._generator.Generator": False, "numpy.random.mtrand.RandomState": True}
_ATTRIBUTES: Final = frozenset({"T", "mT", "shape", "size", "ndim", "real", "imag", "nbytes", "itemsize"})
_BINARY: Final = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and_", "|": "or_", "^": "xor", "<<": "lshift", ">>": "rshift",
    "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne",
}  # fmt: skip
"""Operators, with their names in the module `operator`."""
_UNARY: Final = {"-": "neg", "+": "pos", "~": "invert"}
_OPERATORS: Final = frozenset(
    f"__{side}{name.rstrip('_')}__" for name in _BINARY.values() for side in ("", "r")
) | frozenset(f"__{name}__" for name in _UNARY.values())
_NUMBERS: Final = ("builtins.bool", "builtins.int", "builtins.float", "builtins.complex")
_OPEN: Final = ("numpy.ndarray", "numpy.dtype")
_ARRAYS: Final = ("numpy.ndarray", "numpy._ArrayOrScalarCommon")


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a function of NumPy's."""
    is_function = fullname.startswith("numpy.") and not fullname.startswith(("numpy._typing.", "numpy.testing."))
    return partial(_call_function, fullname, sessions) if is_function else None


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a call of a ufunc or of `np.zeros` and its kin, of a generator's method, of a method or operator."""
    owner, _, name = fullname.rpartition(".")
    if name == "__call__" and owner.startswith("numpy."):
        return partial(_call_named, sessions)
    if owner in _GENERATORS:
        return partial(_draw, name, _GENERATORS[owner], sessions)
    if not owner.startswith("numpy.") or owner.count(".") > 1:
        return None
    if name == "__getitem__":
        return partial(_item, sessions)
    if name in _OPERATORS:
        return partial(operate, sessions)
    return None if name.startswith("__") else partial(_call_method, name, sessions)


def number_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of an operator of Python's numbers: to its stubs a float64 of NumPy's is a float too."""
    owner, _, name = fullname.rpartition(".")
    return partial(operate, sessions) if owner in _NUMBERS and name in _OPERATORS else None


def attribute_hook(fullname: str, sessions: Sessions) -> Callable[[AttributeContext], Type] | None:
    """The hook of an attribute of an array or scalar."""
    owner, _, name = fullname.rpartition(".")
    is_known = owner.startswith("numpy.") and owner.count(".") == 1 and name in _ATTRIBUTES
    return partial(_attribute, name, sessions) if is_known else None


def _call_function(fullname: str, sessions: Sessions, ctx: _Context) -> Type:
    session = sessions.of(ctx.api)
    if not _is_known_in(session):
        return ctx.default_return_type
    from arraytyping_mypy import numpy_engine

    function = numpy_engine.resolve(fullname)
    given = None if function is None else _arguments(ctx, session)
    if given is None:
        return _default(ctx)
    return _result(numpy_engine.call(function, *given), ctx, session)


def _call_named(sessions: Sessions, ctx: MethodContext) -> Type:
    """A call of what has one type with others: only the callee says which it is."""
    call = ctx.context
    if not isinstance(call, CallExpr) or not isinstance(call.callee, RefExpr):
        return ctx.default_return_type
    return _call_function(call.callee.fullname, sessions, ctx)


def _draw(name: str, is_legacy: bool, sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    given = _arguments(ctx, session) if _is_known_in(session) else None
    if given is None:
        return ctx.default_return_type
    from arraytyping_mypy import numpy_engine

    return _result(numpy_engine.draw(name, *given, is_legacy), ctx, session)


def _call_method(name: str, sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    call = ctx.context
    owner = call.callee.expr if isinstance(call, CallExpr) and isinstance(call.callee, MemberExpr) else None
    value = _of_numpy(owner, ctx.type, session) if _is_known_in(session) else None
    given = _arguments(ctx, session) if value is not None else None
    if value is None or given is None:
        return ctx.default_return_type
    from arraytyping_mypy import numpy_engine

    return _result(numpy_engine.method(value, name, *given), ctx, session)


def _item(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    index = ctx.context
    if not _is_known_in(session) or not isinstance(index, IndexExpr) or not ctx.arg_types or not ctx.arg_types[0]:
        return ctx.default_return_type
    value = _of_numpy(index.base, ctx.type, session)
    if value is None:
        return ctx.default_return_type
    from arraytyping_mypy import numpy_engine
    from arraytyping_mypy.numpy_values import value_for

    key = value_for(index.index, ctx.arg_types[0][0], session)
    return _result(numpy_engine.item(value, key), ctx, session)


def operate(sessions: Sessions, ctx: MethodContext) -> Type:
    """The result of an operator, one operand of which at least is an array or scalar of NumPy's."""
    session = sessions.of(ctx.api)
    node = ctx.context
    default = ctx.default_return_type
    given = ctx.arg_types[0] if ctx.arg_types else []
    if not (_is_numpy(ctx.type) or any(map(_is_numpy, given))) or not _is_known_in(session):
        return default
    if isinstance(node, UnaryExpr):
        value = _of_numpy(node.expr, ctx.type, session) if node.op in _UNARY else None
        if value is None:
            return default
        from arraytyping_mypy import numpy_engine

        return _result(numpy_engine.unary(_UNARY[node.op], value), ctx, session)
    if isinstance(node, OpExpr):
        sides, op = (node.left, node.right), _BINARY.get(node.op)
    elif isinstance(node, ComparisonExpr) and len(node.operands) == 2:
        sides, op = (node.operands[0], node.operands[1]), _BINARY.get(node.operators[0])
    else:
        return default
    if op is None or not ctx.arg_types or not ctx.arg_types[0]:
        return default
    return _operated(op, *sides, ctx, session)


def _operated(op: str, left: Expression, right: Expression, ctx: MethodContext, session: Session) -> Type:
    """The result for the types that mypy asks about: of a union it takes each member on its own."""
    own, other = ctx.type, ctx.arg_types[0][0]
    if not _is_numpy(own) and not _is_numpy(other):
        return ctx.default_return_type
    from arraytyping_mypy import numpy_engine
    from arraytyping_mypy.numpy_values import value_for

    stored = stored_type(session.api, left)
    is_reflected = stored is not None and not _has(stored, own) and _has(stored, other)
    types = (other, own) if is_reflected else (own, other)
    a, b = (value_for(e, t, session) for e, t in zip((left, right), types))
    return _result(numpy_engine.binary(op, a, b), ctx, session)


def _has(whole: Type, t: Type) -> bool:
    """Whether a type is this one, or a union with this one in it."""
    p, wanted = get_proper_type(whole), get_proper_type(t)
    return any(i == wanted for i in map(get_proper_type, getattr(p, "items", [p]))) or p == wanted


def _attribute(name: str, sessions: Sessions, ctx: AttributeContext) -> Type:
    session = sessions.of(ctx.api)
    if not _is_known_in(session) or ctx.is_lvalue or not isinstance(ctx.context, MemberExpr):
        return ctx.default_attr_type
    value = _of_numpy(ctx.context.expr, ctx.type, session)
    if value is None:
        return ctx.default_attr_type
    from arraytyping_mypy import numpy_engine

    return _result(numpy_engine.attribute(value, name), ctx, session)


def _is_numpy(t: Type) -> bool:
    p = get_proper_type(t)
    return isinstance(p, Instance) and p.type.fullname.startswith("numpy.") and _is_known(p)


def _is_known(p: Instance) -> bool:
    return p.type.fullname in _ARRAYS or p.type.has_base("numpy.generic")


def _of_numpy(expression: Expression | None, t: Type, session: Session) -> NumPyValue | None:
    """The value of an array or scalar of NumPy's; None for anything else."""
    if not _is_numpy(t):
        return None
    from arraytyping.checker.flow.values import NumPyValue
    from arraytyping_mypy.numpy_values import value_for

    value = value_for(expression, t, session)
    return value if isinstance(value, NumPyValue) else None


def _is_known_in(session: Session) -> bool:
    """Whether a module is looked at, and changes no array's shape or dtype where it stands."""
    return session.is_active and session.keeps_arrays


def _arguments(ctx: _Context, session: Session) -> tuple[list[Value], dict[str, Value]] | None:
    """The arguments of a call; None if something is unpacked of which it is not known what is in it."""
    call = ctx.context
    known = {id(e): t for es, types in zip(ctx.args, ctx.arg_types) for e, t in zip(es, types)}
    if not isinstance(call, CallExpr) or any(id(e) not in known for e in call.args):
        return None
    from arraytyping_mypy.numpy_values import value_for

    positional: list[Value] = []
    named: dict[str, Value] = {}
    for e, kind, name in zip(call.args, call.arg_kinds, call.arg_names):
        if kind is ArgKind.ARG_STAR:
            p = get_proper_type(known[id(e)])
            if not isinstance(p, TupleType) or any(isinstance(get_proper_type(i), UnpackType) for i in p.items):
                return None
            positional += (value_for(None, i, session) for i in p.items)
        elif kind is ArgKind.ARG_STAR2:
            return None
        elif name is not None:
            named[name] = value_for(e, known[id(e)], session)
        else:
            positional.append(value_for(e, known[id(e)], session))
    return positional, named


def _result(value: Value, ctx: _Context | AttributeContext, session: Session) -> Type:
    """The type of what NumPy gives, with what its stubs know besides; what it refuses is noted."""
    from arraytyping_mypy.numpy_engine import NumPyRefusal
    from arraytyping_mypy.numpy_values import is_array, type_of

    refusal = Refusal(value.message, value.code, value.exception) if isinstance(value, NumPyRefusal) else None
    session.numpy_refusals.note(ctx.context, refusal, session)
    default = ctx.default_attr_type if isinstance(ctx, AttributeContext) else _default(ctx)
    made = type_of(value, session)
    p, d = None if made is None else get_proper_type(made), get_proper_type(default)
    if made is None or p is None:
        return default
    if isinstance(p, Instance) and isinstance(d, Instance):
        if is_array(p) and is_array(d) and len(d.args) == 2:
            return p.copy_modified(args=[b if _is_any(a) else a for a, b in zip(_parts(p), _parts(d))])
        is_followed = session.is_following
        if p.type.fullname in _NUMBERS and not is_followed:
            return default  # the stubs' `int` is as good where it is shown
    return made


def _default(ctx: _Context) -> Type:
    """What the stubs say of a call.

    Of an argument `Any | None` mypy sees no more than that the overload for None takes it, so that
    `np.dtype(dtype)` would be that of float64: there the dtype and the shape are unknown.
    """
    p = get_proper_type(ctx.default_return_type)
    given = [get_proper_type(t) for types in ctx.arg_types for t in types]
    may_be_anything = any(isinstance(t, UnionType) and any(map(_is_any, t.items)) for t in given)
    if not may_be_anything or not isinstance(p, Instance) or not p.type.fullname.startswith("numpy."):
        return ctx.default_return_type
    unknown = AnyType(TypeOfAny.implementation_artifact)
    return p.copy_modified(args=[unknown for _ in p.args]) if p.type.fullname in _OPEN else unknown


def _parts(p: Instance) -> tuple[Type, Type]:
    return p.args[0], p.args[1]


def _is_any(t: Type) -> bool:
    """Whether nothing is known of a shape, or of a dtype."""
    p = get_proper_type(t)
    if isinstance(p, Instance) and p.type.fullname == "numpy.dtype" and p.args:
        p = get_proper_type(p.args[0])
    return isinstance(p, AnyType)
