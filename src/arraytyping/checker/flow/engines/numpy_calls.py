"""Calls of NumPy's functions: on the arguments, or on dummies where their elements are not known."""

from __future__ import annotations

import ast
import inspect
import itertools
import warnings
from typing import Any, Final

from arraytyping.checker.flow.engines import (
    numpy_arranging as numpy_arranging,
    numpy_joining as numpy_joining,
    numpy_linear as numpy_linear,
    numpy_making as numpy_making,
    numpy_reductions as numpy_reductions,
    numpy_searching as numpy_searching,
)
from arraytyping.checker.flow.engines.numpy_arguments import RULES, Arguments, Refused, Unknowable
from arraytyping.checker.flow.engines.numpy_bounds import is_bearable
from arraytyping.checker.flow.engines.numpy_dummies import ask_on_dummies, by_rule, of_unknown_rank
from arraytyping.checker.flow.engines.numpy_making import convert
from arraytyping.checker.flow.engines.numpy_on_jax import call_on_jax
from arraytyping.checker.flow.engines.numpy_signatures import ARRAYS, MUTATING, REFUSED, signature_of
from arraytyping.checker.flow.engines.numpy_ufuncs import apply_elementwise, error_code, store_into
from arraytyping.checker.flow.engines.numpy_values import (
    KEPT,
    NotConcrete,
    NotPossible,
    concrete,
    describe,
    is_key,
    walk_array_like,
)
from arraytyping.checker.flow.engines.numpy_views import forget, link
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.values import MISSING, ArrayValue, NumPyValue, UnionValue, Value, is_concrete
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import size_of
from arraytyping.semantics.rules.errors import RuleError

__all__ = ["call_function"]

_LOOKS_ONLY: Final = frozenset({"shape", "ndim", "size", "isscalar", "iterable", "iscomplexobj", "isrealobj"})


def call_function(it: Interpreter, function: Value, name: str, call: Call) -> Value:
    """Call a function of NumPy that has this name."""
    if any(isinstance(v, UnionValue) for v in call.values):
        return _each(it, function, name, call)
    values = call.values
    if name not in _LOOKS_ONLY and any(isinstance(v, ArrayValue) for value in values for v in walk_array_like(value)):
        found = call_on_jax(it, function, name, call)
        if found is not MISSING:
            return found
    if name in REFUSED:
        return NumPyValue(None, None) if "load" in name or "from" in name else it.unknown(f"numpy.{name} is not called")
    signature = signature_of(function, name)
    if signature is None:
        return it.unknown(f"numpy.{name}, whose parameters are not known")
    try:
        bound = signature.bind(*call.args, **call.kwargs)
    except TypeError as error:
        return it.fail(call.node, "array-call", f"TypeError: {name}(): {error}")
    arguments = Arguments(name, bound)
    if name in MUTATING:
        return _mutate(it, function, arguments, MUTATING[name], call.node)
    out = arguments.get("out")
    if out is not None:
        return _with_out(it, function, name, bound, out, call.node)
    result = _answer(it, function, name, arguments, call)
    if not isinstance(result, NumPyValue) or not result.is_scalar:
        link(it, [v for value in values for v in walk_array_like(value) if v is not result], result)
    return result


def _each(it: Interpreter, function: Value, name: str, call: Call) -> Value:
    """The join over all alternatives; a mistake only if every one of them is."""
    choices = [v.values if isinstance(v, UnionValue) else (v,) for v in call.values]
    results: list[Value] = []
    combinations = list(itertools.islice(itertools.product(*choices), 17))
    if len(combinations) > 16:
        return it.unknown("arguments of many sorts")
    for chosen in combinations:
        named = dict(zip(call.kwargs, chosen[len(call.args) :]))
        suppressed = it.suppressed
        with it.quietly():
            result = call_function(it, function, name, Call(list(chosen[: len(call.args)]), named, call.node))
        if it.suppressed == suppressed:
            results.append(result)
    if results:
        return join_all(results)
    chosen = combinations[-1]
    return call_function(
        it,
        function,
        name,
        Call(list(chosen[: len(call.args)]), dict(zip(call.kwargs, chosen[len(call.args) :])), call.node),
    )


def _mutate(it: Interpreter, function: Value, arguments: Arguments, target: str, node: ast.AST | None) -> Value:
    owner = arguments.get(target)
    forget(it, owner)
    return None


def _with_out(
    it: Interpreter, function: Value, name: str, bound: inspect.BoundArguments, out: Value, node: ast.AST | None
) -> Value:
    """A call that writes its result into an array that is there, and gives that."""
    del bound.arguments["out"]
    if isinstance(out, tuple) and len(out) == 1:
        out = out[0]
    if not isinstance(out, NumPyValue):
        return it.unknown(f"numpy.{name} into what is no array")
    forget(it, out)
    made = call_function(it, function, name, Call(list(bound.args), dict(bound.kwargs), node))
    return store_into(it, out, made, node, name) if name in ("matmul",) else out


def _answer(it: Interpreter, function: Value, name: str, arguments: Arguments, call: Call) -> Value:
    if name in (
        "array",
        "asarray",
        "asanyarray",
        "ascontiguousarray",
        "asfortranarray",
        "asarray_chkfinite",
        "require",
    ):
        return convert(it, function, arguments, call.node)
    if any(is_key(v) for v in call.args):
        return it.fail(call.node, "array-dtype", f"TypeError: numpy.{name} does not take arrays of typed keys")
    try:
        rule = RULES.get(name)
        if rule is not None and rule.grows:
            # What is made may be larger than anything that is given.
            found = _shapes(rule.shapes(arguments))
            longest = max((len(v) for v in arguments.given.values() if isinstance(v, str | bytes)), default=1)
            if any((size_of(s) or 0) * longest > KEPT for s in found):
                return by_rule(it, function, name, arguments, found)
        if not is_bearable(name, arguments):
            if name in _ELEMENTWISE:
                return _elementwise(it, function, name, arguments, call.node)
            if rule is not None:
                return by_rule(it, function, name, arguments, _shapes(rule.shapes(arguments)))
            return it.unknown(f"numpy.{name} of what is too large to be computed")
        try:
            real_args, real_kwargs = [concrete(v) for v in call.args], {k: concrete(v) for k, v in call.kwargs.items()}
        except NotConcrete:
            pass
        else:
            return _run(it, function, name, Call(real_args, real_kwargs, call.node), call.args)
        if name in ARRAYS and not _by_elements(name, arguments):
            asked = ask_on_dummies(it, function, name, arguments, call.node)
            if asked is not None:
                return asked
        if name in _ELEMENTWISE:
            return _elementwise(it, function, name, arguments, call.node)
        if rule is not None:
            return by_rule(it, function, name, arguments, _shapes(rule.shapes(arguments)))
    except (Unknowable, NotPossible):
        return of_unknown_rank(it, function, name, arguments)
    except RuleError as error:
        return it.fail(call.node, error.code, RULES[name].refusal(error) if name in RULES else error.message)
    except Refused as error:
        return it.fail(call.node, error.code, error.message)
    return it.unknown(f"numpy.{name} of arguments that are not known")


_ELEMENTWISE_NAMES: Final = """
    clip where isclose round around nan_to_num fix sinc isreal iscomplex angle real imag
"""
_ELEMENTWISE: Final = frozenset(_ELEMENTWISE_NAMES.split())


def _elementwise(it: Interpreter, function: Value, name: str, arguments: Arguments, node: ast.AST | None) -> Value:
    """Functions that work element by element, whose other arguments, if any, are known."""
    if name == "where" and "x" not in arguments.given:
        return by_rule(it, function, name, arguments, _shapes(RULES[name].shapes(arguments)))
    names = list(arguments.given)
    operands = [arguments.given[n] for n in names if n in ARRAYS[name] and arguments.given[n] is not None]
    others = {n: v for n, v in arguments.given.items() if n not in ARRAYS[name] or v is None}
    if not all(map(is_concrete, others.values())):
        raise Unknowable
    used = tuple(n for n in names if n in ARRAYS[name] and arguments.given[n] is not None)
    key = (name, used, tuple(others.items()))
    try:
        bound = _BOUND.setdefault(key, _Bound(function, used, others))
    except TypeError:
        raise Unknowable from None
    result = apply_elementwise(it, bound, name, operands, node)
    if isinstance(result, NumPyValue) and name in ("where", "real", "imag", "nan_to_num"):
        # These give arrays, also of rank 0, unless a scalar comes in.
        result.is_scalar = result.is_scalar and name != "where" and not isinstance(operands[0], NumPyValue | ArrayValue)
        if name in ("real", "imag") and isinstance(operands[0], NumPyValue):
            result.is_scalar = operands[0].is_scalar
    return result


class _Bound:
    """A function with its other arguments, called by position."""

    def __init__(self, function: Any, names: tuple[str, ...], others: dict[str, Value]) -> None:
        self.function = function
        self.names = names
        self.others = others

    def __call__(self, *operands: Any) -> Value:
        positional = dict(zip(self.names, operands))
        arguments = {**positional, **self.others}
        signature = signature_of(
            self.function, "where" if len(self.names) == 3 and self.names[0] == "condition" else ""
        )
        assert signature is not None
        bound = inspect.BoundArguments(signature, {})
        for name in signature.parameters:
            if name in arguments:
                bound.arguments[name] = arguments[name]
        return self.function(*bound.args, **bound.kwargs)


_BOUND: dict[Any, _Bound] = {}


def _by_elements(name: str, arguments: Arguments) -> bool:
    """Whether the elements decide the shape of this call's result."""
    if name == "where":
        return "x" not in arguments.given
    if name in ("histogram", "histogram_bin_edges"):
        return isinstance(arguments.get("bins"), str)
    return name == "polyfit" and (arguments.get("full") is not None or arguments.get("cov") is not None)


def _shapes(found: Value) -> list[Any]:
    """The shapes of the results of a rule.

    Raises:
        Unknowable: if it knows nothing.
    """
    if found is None:
        raise Unknowable
    return found if isinstance(found, list) else [found]


def _run(it: Interpreter, function: Any, name: str, call: Call, values: list[Value]) -> Value:
    import numpy as np

    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = function(*call.args, **call.kwargs)
    except (TypeError, ValueError, IndexError, OverflowError, np.linalg.LinAlgError) as error:
        return it.fail(call.node, error_code(error), f"{type(error).__name__}: {error}")
    except Exception as error:
        swallow(error)
        return it.unknown(f"numpy.{name} failed: {type(error).__name__}")
    for real, value in zip(call.args, values):
        if result is real and isinstance(value, NumPyValue):
            return value
    # What an empty array holds is whatever memory held.
    return describe(it, result, name not in ("empty", "empty_like"))
