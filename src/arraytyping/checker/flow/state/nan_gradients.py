"""Gradients that are not finite: derivatives that are infinite at a value which is known, or which `where` leaves out.

A function that was differentiated is looked at from its result on, through the origins of arrays.  `where` gives the
branch that is not chosen a cotangent of 0, and 0 times an infinite derivative is nan.

Source: https://docs.jax.dev/en/latest/faq.html#gradients-contain-nan-where-using-where.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from arraytyping.checker.flow.state.diagonals import diagonal_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.origins import ARGUMENT, VARIABLE
from arraytyping.checker.flow.state.point_values import ELEMENTWISE, KEEPING, Points, called, value_of
from arraytyping.checker.flow.state.written_operands import short, written
from arraytyping.checker.flow.values import ArrayValue, Value
from arraytyping.checker.flow.values.origins import Origin

__all__ = ["CODE", "check_gradients"]

CODE: Final = "array-nan"
_MOST: Final = 4000
"""The most operations that are looked at for one gradient."""
_CUTS: Final = frozenset({
    "stop_gradient", "argmax", "argmin", "argsort", "sign", "floor", "ceil", "round", "rint", "eq", "ne", "lt", "le",
    "gt", "ge", "custom_jvp", "custom_vjp", "floordiv", "zeros_like", "ones_like", "shape", "bit_count",
})  # fmt: skip
"""Operations through which no gradient goes, or by a rule that is not known."""
_DROPPING: Final = frozenset({"relu", "relu6", "leaky_relu", "where", "select", "clip", "elu", "selu"})
"""What drops an infinite cotangent where it chooses something else."""
_POINTS: Final = (0.0, 1.0, -1.0, 2.0, 0.5, -0.5, -2.0, 1e4, -1e4)
_NOT_NEGATIVE: Final = frozenset({"norm", "relu", "softplus", "var", "std"})


def check_gradients(it: Interpreter, given: Sequence[ArrayValue], result: Value) -> None:
    """Look at a function that was differentiated with respect to some of what it was given, or read from objects."""
    first = result[0] if type(result) is tuple and result else result
    inputs = {id(a.origin) for a in given if isinstance(a.origin, Origin) and a.origin.is_differentiated}
    if not isinstance(first, ArrayValue) or not isinstance(first.origin, Origin) or CODE not in it.enabled:
        return
    if not inputs and (given or first.aval.shape != ()):
        return
    order = _way_back(first.origin)
    inputs.update(id(o) for o in order if o.op == VARIABLE)
    depending = _depending(order, inputs)
    looked_at = [o for o in order if id(o) in depending and o.node is not None and o.module is not None]
    told: set[int] = set()
    for origin in looked_at:
        if called(origin.op) in ("where", "select") and len(origin.args) == 3:
            told.update(_check_where(it, origin, inputs, depending))
    for origin in looked_at:
        if id(origin) not in told and _is_open(origin, inputs, depending):
            _check_constant(it, origin, called(origin.op))


def _way_back(result: Origin) -> list[Origin]:
    """The operations through which a gradient goes, from the result on."""
    found: dict[int, Origin] = {}
    stack = [result]
    while stack and len(found) < _MOST:
        origin = stack.pop()
        if id(origin) in found or called(origin.op) in _CUTS or not _is_float(origin):
            continue
        found[id(origin)] = origin
        if not origin.is_differentiated:
            stack += origin.parents
    return list(found.values())


def _is_float(origin: Origin) -> bool:
    dtype = origin.aval.dtype
    return dtype is None or "float" in dtype or "complex" in dtype


def _depending(order: list[Origin], inputs: set[int]) -> set[int]:
    """The operations whose results depend on what the function is differentiated with respect to."""
    users: dict[int, list[Origin]] = {}
    for origin in order:
        for parent in () if origin.is_differentiated else origin.parents:
            users.setdefault(id(parent), []).append(origin)
    stack = [origin for origin in order if id(origin) in inputs]
    found = {id(origin) for origin in stack}
    while stack:
        for user in users.get(id(stack.pop()), ()):
            if id(user) not in found:
                found.add(id(user))
                stack.append(user)
    return found


def _is_open(origin: Origin, inputs: set[int], depending: set[int]) -> bool:
    """Whether nan comes from an operation to an input on some way, on which nothing may drop it."""
    stack, seen = [origin], {id(origin)}
    while stack:
        for parent in _sources(stack.pop()):
            if id(parent) in inputs:
                return True
            if id(parent) not in seen and id(parent) in depending and _passes(parent):
                seen.add(id(parent))
                stack.append(parent)
    return False


def _sources(origin: Origin) -> Iterator[Origin]:
    """Where the gradient of a result goes next: of a transformed function into that function."""
    return iter(origin.inner) if origin.inner else origin.parents


def _passes(origin: Origin) -> bool:
    """Whether an operation multiplies its cotangent, whatever that is, by something."""
    name = called(origin.op)
    return bool(origin.inner) or (name not in _DROPPING and (name in ELEMENTWISE or name in KEEPING or name in _ADDING))


_ADDING: Final = frozenset({
    "sum", "dot", "matmul", "einsum", "inner", "vdot", "tensordot", "outer", "cumsum", "prod", "norm", "trace", "var",
    "std", "logsumexp", "log_softmax", "dot_general", "either",
})  # fmt: skip


# ------------------------------------------------------------------ at a value that is known


def _singular(origin: Origin, at: Value, points: Points) -> bool:
    """Whether the derivative of an operation is infinite, or nan, where its first operand is this."""
    name = called(origin.op)
    if not isinstance(at, int | float) or isinstance(at, bool):
        return False
    if name in ("sqrt", "log", "log2", "log10", "rsqrt"):
        return at <= 0
    if name == "log1p":
        return at <= -1
    if name in ("arccos", "arcsin", "acos", "asin", "arctanh", "atanh"):
        return abs(at) >= 1
    if name in ("arccosh", "acosh"):
        return at <= 1
    if name in ("cbrt", "reciprocal"):
        return at == 0
    if name in ("pow", "power") and len(origin.args) == 2:
        exponent = value_of(origin.args[1], points)
        return isinstance(exponent, int | float) and at == 0 and (0 < exponent < 1 or exponent < 0)
    if name == "norm":
        order = origin.args[1] if len(origin.args) > 1 else origin.kwargs.get("ord")
        return at == 0 and order in (None, 2, "fro")
    if name in ("arctan2", "atan2") and len(origin.args) == 2:
        return at == 0 and value_of(origin.args[1], points) == 0
    return name in ("std", "nanstd")


_SAFE: Final = {
    "norm": "write jnp.sqrt(jnp.sum(x**2) + 1e-12), or optax.safe_norm",
    "std": "add a small number to the variance, and take the square root of that",
}


def _check_constant(it: Interpreter, origin: Origin, name: str) -> None:
    """Tell of a derivative that is infinite at a value which is known before anything runs."""
    operand = origin.args[0] if origin.args else None
    at = value_of(operand, ())
    ways = diagonal_of(origin)
    if ways is not None:
        _tell(it, origin, f"{name} is differentiated where it is 0, on the diagonal of {ways}: the gradient is nan; "
              "put other numbers there first: jnp.where(jnp.eye(n, dtype=bool), 1.0, squares)")  # fmt: skip
    elif _singular(origin, at, ()):
        what = "nan" if name in ("norm", "std", "nanstd", "arctan2", "atan2") else "infinite"
        where = "of equal numbers" if name in ("std", "nanstd") else f"at {at:g}"
        advice = _SAFE.get(name, "add a small number, or begin elsewhere")
        _tell(it, origin, f"{name} is differentiated {where}, where its derivative is {what}; {advice}")


def _tell(it: Interpreter, origin: Origin, message: str) -> None:
    with it.in_frame(origin.module.frame):
        it.remark(origin.node, CODE, message)


# ------------------------------------------------------------------ in the branch that is not chosen


def _check_where(it: Interpreter, where: Origin, inputs: set[int], depending: set[int]) -> set[int]:
    """Tell of an infinite derivative in a branch of `where` just where the other one is chosen; what the branch has."""
    condition, *branches = where.args
    variables = list(_variables(condition))
    numbers = sorted({c for c in _numbers(condition) if math.isfinite(c)})
    candidates = dict.fromkeys((0.0, *numbers, *(-c for c in numbers), *_POINTS))
    for number, branch in enumerate(branches):
        steep = [o for o in _elementwise(branch) if called(o.op) in _STEEP and id(o) in depending]
        steep = [o for o in steep if _is_open(o, inputs, depending)]
        points: list[Points] = [()]
        points += [((v, p),) for v in variables for p in candidates if _may_be(v, p)]
        for point in points if steep else ():
            chosen = value_of(condition, point)
            if not isinstance(chosen, bool) or chosen == (number == 0):
                continue
            bad = next((o for o in steep if _is_infinite(o, point, depending)), None)
            if bad is not None:
                _tell_where(it, where, bad, point)
                return {id(o) for o in _elementwise(branch)}
    return set()


_STEEP: Final = frozenset({
    "sqrt", "log", "log2", "log10", "rsqrt", "log1p", "arccos", "arcsin", "acos", "asin", "arctanh", "atanh",
    "arccosh", "acosh", "cbrt", "reciprocal", "pow", "power", "norm", "arctan2", "atan2", "truediv", "divide",
    "true_divide", "div", "exp", "exp2", "expm1", "sinh", "cosh",
})  # fmt: skip


def _is_infinite(origin: Origin, points: Points, depending: set[int]) -> bool:
    """Whether the derivative of an operation is infinite at a point, with respect to what the gradient is taken of."""
    name, args = called(origin.op), origin.args
    if name in ("truediv", "divide", "true_divide", "div"):
        return len(args) == 2 and value_of(args[1], points) == 0
    operand = args[0] if args else None
    made = getattr(operand, "origin", None)
    if not isinstance(made, Origin) or id(made) not in depending:
        return False
    if name in ("exp", "exp2", "expm1", "sinh", "cosh"):
        at = value_of(origin, points)
        return isinstance(at, float) and math.isinf(at)
    return _singular(origin, value_of(operand, points), points)


def _elementwise(value: Value) -> Iterator[Origin]:
    """The operations that an operand is made of, element by element."""
    stack = [value]
    seen: set[int] = set()
    while stack and len(seen) < _MOST:
        operand = stack.pop()
        origin = operand if isinstance(operand, Origin) else getattr(operand, "origin", None)
        if not isinstance(origin, Origin) or id(origin) in seen:
            continue
        seen.add(id(origin))
        yield origin
        if (called(origin.op) in ELEMENTWISE or called(origin.op) in KEEPING) and origin.op != "argument":
            stack += origin.args


def _variables(condition: Value) -> Iterator[Origin]:
    """What a condition hangs on and may be any number: what comes into the function, and what is computed of two."""
    for origin in _elementwise(condition):
        if origin.aval.dtype not in (None, "bool") and value_of(origin, ()) is None and _is_free(origin):
            yield origin


def _is_free(origin: Origin) -> bool:
    """Whether an array may be any number, whatever the other ones are."""
    name, args = called(origin.op), origin.args
    if not _is_inner(origin):
        return _comes_in(origin)
    if name not in _COMBINING or len(args) != 2 or any(value_of(v, ()) is not None for v in args):
        return False
    leaves = [{id(o) for o in _elementwise(v) if not _is_inner(o)} for v in args]
    first, second = (_origin(v) for v in args)
    is_first = first is not None and not _is_inner(first) and id(first) not in leaves[1] and _comes_in(first)
    is_second = second is not None and not _is_inner(second) and id(second) not in leaves[0] and _comes_in(second)
    return is_first or (is_second and name not in _DIVIDING)


_DIVIDING: Final = frozenset({"truediv", "divide", "true_divide", "div"})
_COMBINING: Final = _DIVIDING | {"add", "sub", "subtract", "mul", "multiply"}


def _is_inner(origin: Origin) -> bool:
    """Whether an operation goes by elements, so that it is no number of its own."""
    return called(origin.op) in ELEMENTWISE or (called(origin.op) in KEEPING and origin.op != "argument")


def _comes_in(origin: Origin) -> bool:
    """Whether an array hangs on what a function was given."""
    stack, seen = [origin], {id(origin)}
    while stack and len(seen) < _MOST:
        here = stack.pop()
        if here.op in (ARGUMENT, VARIABLE):
            return True
        for parent in here.parents:
            if id(parent) not in seen:
                seen.add(id(parent))
                stack.append(parent)
    return False


def _origin(value: Value) -> Origin | None:
    made = value if isinstance(value, Origin) else getattr(value, "origin", None)
    return made if isinstance(made, Origin) else None


def _numbers(condition: Value) -> Iterator[float]:
    """The numbers in a condition."""
    for origin in _elementwise(condition):
        for operand in origin.args:
            found = value_of(operand, ())
            if isinstance(found, int | float) and not isinstance(found, bool):
                yield float(found)


def _may_be(variable: Origin, point: float) -> bool:
    """Whether an array may have this number as an element."""
    name, dtype = called(variable.op), variable.aval.dtype or ""
    if "int" in dtype and (not point.is_integer() or (dtype[0] == "u" and point < 0)):
        return False
    if name in _BOUNDED:
        return 0 < point < 1
    if name in _NOT_NEGATIVE and point < 0:
        return False
    inside = [o for v in variable.args for o in _elementwise(v) if _is_free(o)] if name in _REDUCING else []
    return not inside or any(value_of(variable, ((o, p),)) == point for o in inside for p in _POINTS)


_BOUNDED: Final = frozenset({"sigmoid", "softmax", "expit"})
_REDUCING: Final = frozenset({"sum", "mean", "max", "min", "dot", "vdot", "inner", "matmul", "norm", "einsum", "prod"})


def _tell_where(it: Interpreter, where: Origin, bad: Origin, points: Points) -> None:
    text = "its argument" if bad.node is None else short(bad.node)
    at = " and ".join(f"where {_name(where, variable)} is {point:g}" for variable, point in points) or "here"
    line = f" (line {bad[1]})" if bad[1] != where[1] else ""
    with it.in_frame(where.module.frame):
        it.remark(
            where.node, CODE,
            f"{called(where.op)}: the gradient is nan {at}: {text}{line} is not chosen there, but is differentiated "
            f"too, and its derivative is infinite; choose its argument with jnp.where first",
        )  # fmt: skip


def _name(where: Origin, variable: Origin) -> str:
    """How an array is written in the condition of a `where`."""
    for origin in _elementwise(where):
        for text, value in written(origin):
            if text and getattr(value, "origin", None) is variable and len(text) <= 40:
                return text
    return "its argument" if variable.node is None else short(variable.node)
