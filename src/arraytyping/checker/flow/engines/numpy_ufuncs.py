"""Universal functions and operators: NumPy tells the dtype on arrays of one element, broadcasting gives the shape.

Source: https://numpy.org/doc/stable/reference/ufuncs.html; Python scalars adapt to arrays as in NEP 50,
https://numpy.org/neps/nep-0050-scalar-promotion.html.
"""

from __future__ import annotations

import ast
import functools
import itertools
import math
import operator
import warnings
from typing import Any, Final

from arraytyping.checker.flow.engines.numpy_array_likes import dtype_of, scalar_kind, shape_of
from arraytyping.checker.flow.engines.numpy_values import (
    MOST,
    NotConcrete,
    NotPossible,
    concrete,
    describe,
    dtype_name,
    real_dtype,
)
from arraytyping.checker.flow.engines.numpy_views import write
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    UnionValue,
    Unknown,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.rules.errors import ShapeError
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.sizes.dims import differ

__all__ = ["apply_elementwise", "call_ufunc", "elementwise_dtypes", "inplace", "store_into"]

_COMPARISONS: Final = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
_SAMPLES: Final[dict[type, Any]] = {bool: True, int: 1, float: 1.0, complex: 1j}
NUMBERS: Final = "biufcV"


class Refused(Exception):
    """NumPy refuses these dtypes, whatever the elements are."""


def apply_elementwise(
    it: Interpreter, function: Value, name: str, operands: list[Value], node: ast.AST | None, count: int = 1
) -> Value:
    """The result of a function that works element by element, or of an operator."""
    try:
        reals = [concrete(v) for v in operands]
    except NotConcrete:
        pass
    else:
        sizes: list[int] = [max(math.prod(d for d in shape_of(v) or () if isinstance(d, int)), 1) for v in operands]
        if math.prod(sizes) <= MOST:
            return _run(it, function, name, reals, node)
        operands = _hidden(operands)
    if any(isinstance(v, Unknown | DictValue) or (isinstance(v, ArrayValue) and v.is_key) for v in operands):
        return it.unknown(f"{name} of something unknown")
    try:
        shape = broadcast_shapes(name, *map(shape_of, operands))
    except ShapeError as error:
        return it.fail(node, "array-shape", f"ValueError: {error.message}")
    try:
        dtypes = elementwise_dtypes(function, operands)
    except Refused as error:
        return it.fail(node, "array-dtype", str(error))
    if dtypes is None:
        if shape == () or shape is None:
            # An element of an array of objects may be anything.
            return it.unknown(f"{name} of dtypes that are not known")
        dtypes = (None,) * count
    # Where no rank is known, it may be an array or a scalar.
    results = tuple(NumPyValue(shape, dtype, shape == ()) for dtype in dtypes)
    return results[0] if len(results) == 1 else results


def _run(it: Interpreter, function: Any, name: str, reals: list[Any], node: ast.AST | None) -> Value:
    import numpy as np

    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = function(*reals)
    except (TypeError, ValueError, OverflowError) as error:
        return it.fail(node, error_code(error), f"{type(error).__name__}: {error}")
    except Exception as error:
        swallow(error)
        return it.unknown(f"{name} failed: {type(error).__name__}")
    return describe(it, result, True)


def error_code(error: Exception) -> str:
    """The code under which NumPy's refusal is reported."""
    text = str(error)
    if (
        type(error).__name__ == "AxisError"
        or "axis" in text
        or "too many indices" in text
        or "out of bounds for" in text
    ):
        return "array-dim"
    if any(word in text for word in ("shape", "broadcast", "mismatch", "dimension", "size")):
        return "array-shape"
    if "dtype" in text or "ufunc" in text or "cast" in text or isinstance(error, OverflowError):
        return "array-dtype"
    return "array-shape" if isinstance(error, ValueError) else "array-call"


def elementwise_dtypes(function: Value, operands: list[Value]) -> tuple[str | None, ...] | None:
    """The dtypes of the results; None if those of the operands are not known.

    Raises:
        Refused: if NumPy refuses them.
    """
    specs: list[list[Any]] = []
    for value in operands:
        found = _specs(value)
        if found is None:
            return None
        specs.append(found)
    answers = []
    for combination in itertools.product(*specs):
        try:
            answers.append(_ask(function, combination))
        except TypeError:  # not hashable
            return None
    if len({len(a) for a in answers if isinstance(a, tuple)}) > 1 or any(a is None for a in answers):
        return None
    refusals = [a for a in answers if isinstance(a, str)]
    if refusals:
        if len(refusals) == len(answers):
            raise Refused(refusals[0])
        return None
    return tuple(column[0] if len(set(column)) == 1 else None for column in zip(*answers))


def _specs(value: Value) -> list[Value] | None:
    """What the dtype depends on: that of an array, the type of a Python scalar, or, where it is known, the scalar."""
    if isinstance(value, ScalarValue):
        return [(True, kind) for kind in value.kinds] if all(k in _SAMPLES for k in value.kinds) else None
    if type(value) in _SAMPLES:
        return [(False, value, type(value))]
    if value is None:
        return None
    name = dtype_of(value)
    if name is None or name == "object":
        return None
    return [name]


@functools.lru_cache(maxsize=8192)
def _ask(function: Any, specs: tuple[Any, ...]) -> tuple[str | None, ...] | str | None:
    """The dtypes of the results on arrays of one element, or NumPy's refusal as text; None: not known."""
    import numpy as np

    samples: list[Any] = []
    for spec in specs:
        if isinstance(spec, str):
            try:
                dtype = real_dtype(spec)
            except NotPossible:
                return None
            if dtype.kind in "SUO":
                return None
            samples.append(np.ones((1,), dtype) if dtype.kind in NUMBERS else np.zeros((1,), dtype))
        else:
            samples.append(_SAMPLES[spec[1]] if spec[0] else spec[1])
    if not any(isinstance(s, np.ndarray) for s in samples):
        # Python scalars only: NumPy makes arrays of them.
        samples = [np.asarray(s) for s in samples]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = function(*samples)
    except (TypeError, ValueError, OverflowError) as error:
        known = all(isinstance(spec, str) or not spec[0] for spec in specs)
        if type(error).__name__ in ("UFuncTypeError", "_UFuncNoLoopError", "UFuncNoLoopError") or isinstance(
            error, TypeError
        ):
            return f"{type(error).__name__.lstrip('_')}: {error}"
        return f"{type(error).__name__}: {error}" if known and specs and _is_value_error(error) else None
    except Exception as error:
        swallow(error)
        return None
    results = result if isinstance(result, tuple) else (result,)
    return tuple(dtype_name(np.asarray(r).dtype) for r in results)


def _is_value_error(error: Exception) -> bool:
    """Whether a concrete Python scalar is refused beside an array of any elements."""
    return isinstance(error, OverflowError) or "negative integer powers" in str(error)


def call_ufunc(it: Interpreter, function: Any, call: Call) -> Value:
    """Call a universal function that works element by element."""
    name = function.__name__
    inputs, outs = call.args[: function.nin], list(call.args[function.nin :])
    if len(inputs) < function.nin:
        message = f"TypeError: {name}() takes at least {function.nin} positional arguments ({len(call.args)} given)"
        return it.fail(call.node, "array-call", message)
    if len(call.args) > function.nargs:
        message = f"TypeError: {name}() takes at most {function.nargs} positional arguments ({len(call.args)} given)"
        return it.fail(call.node, "array-call", message)
    options = dict(call.kwargs)
    out = options.pop("out", None)
    if isinstance(out, tuple):
        outs += list(out)
    elif out is not None:
        outs.append(out)
    if not all(v is None or isinstance(v, NumPyValue | Unknown | UnionValue) for v in outs):
        return it.unknown(f"{name} with an output that is no array")
    where = options.pop("where", True)
    if not all(map(is_concrete, options.values())):
        return it.unknown(f"{name} with options that are not known")
    bound = functools.partial(function, **options) if options else function
    if options:
        try:
            hash(tuple(options.values()))
        except TypeError:
            return it.unknown(f"{name} with options that are not known")
        bound = _with_options(function, tuple(options.items()))
    operands = inputs
    if where is not True and not outs:
        # Where the condition does not hold, the elements are whatever memory held.
        result = apply_elementwise(it, bound, name, _hidden(inputs), call.node, function.nout)
        if not isinstance(result, NumPyValue):
            return result
        try:
            shape = broadcast_shapes(name, result.shape, shape_of(where))
        except ShapeError as error:
            return it.fail(call.node, "array-shape", f"ValueError: {error.message}")
        return NumPyValue(shape, result.dtype, shape == ())
    result = apply_elementwise(it, bound, name, _hidden(operands) if outs else operands, call.node, function.nout)
    if not outs:
        return result
    results = result if isinstance(result, tuple) else (result,)
    for made, target in zip(results, outs):
        if isinstance(target, NumPyValue):
            store_into(it, target, made, call.node, name)
    return outs[0] if function.nout == 1 else tuple(outs)


def _hidden(values: list[Value]) -> list[Value]:
    """The operands with the elements of arrays unknown, so that nothing is computed."""
    return [NumPyValue(v.shape, v.dtype, v.is_scalar) if isinstance(v, NumPyValue) else v for v in values]


@functools.lru_cache(maxsize=256)
def _with_options(function: Any, options: tuple[tuple[str, Value], ...]) -> Value:
    return functools.partial(function, **dict(options))


def store_into(it: Interpreter, target: NumPyValue, made: Value, node: ast.AST | None, name: str) -> Value:
    """A result goes into an array that is there: NumPy neither enlarges it nor changes its dtype."""
    import numpy as np

    write(it, target, None)
    if not isinstance(made, NumPyValue):
        return target
    if made.shape is not None and target.shape is not None:
        fits = len(made.shape) <= len(target.shape) and all(
            not differ(a, b) or not differ(a, 1) for a, b in zip(reversed(made.shape), reversed(target.shape))
        )
        if not fits:
            return it.fail(
                node,
                "array-shape",
                f"ValueError: non-broadcastable output operand: {name} gives shape {made.shape}, "
                f"which does not go into the array of shape {target.shape}",
            )
    if made.dtype is not None and target.dtype is not None:
        try:
            if not np.can_cast(real_dtype(made.dtype), real_dtype(target.dtype), "same_kind"):
                return it.fail(
                    node,
                    "array-dtype",
                    f"UFuncTypeError: {name} gives {made.dtype}, not to be cast into {target.dtype}",
                )
        except (NotPossible, TypeError):
            pass
    return target


def inplace(it: Interpreter, op: str, a: Any, b: Value, node: ast.AST | None) -> Value:
    """`a op= b` where `a` is a NumPy array: its shape and dtype stay, and it is that array also where this raises."""
    function = getattr(operator, op)
    if a.is_scalar or a.shape is None:
        return apply_elementwise(it, function, op, [a, b], node) if op != "matmul" else it.unknown("@=")
    if a.data is not None:
        try:
            other = concrete(b)
        except NotConcrete:
            pass
        else:
            import numpy as np

            data = a.data.copy()
            try:
                with warnings.catch_warnings(), np.errstate(all="ignore"):
                    warnings.simplefilter("ignore")
                    getattr(operator, "i" + op.rstrip("_"))(data, other)
            except (TypeError, ValueError, OverflowError) as error:
                it.fail(node, error_code(error), f"{type(error).__name__}: {error}")
                return a
            except Exception as error:
                swallow(error)
                write(it, a, None)
                return a
            write(it, a, data)
            return a
    if op == "matmul" or (isinstance(b, ListValue | tuple) and op in _COMPARISONS):
        write(it, a, None)
        return a
    with_other = _hidden([a, b])
    kind = scalar_kind(b)
    if isinstance(b, Unknown) or (a.dtype == "object") or (kind is None and dtype_of(b) is None):
        write(it, a, None)
        return a
    made = apply_elementwise(it, function, op, with_other, node)
    if not isinstance(made, NumPyValue):
        write(it, a, None)
        return a
    store_into(it, a, made, node, op)
    return a
