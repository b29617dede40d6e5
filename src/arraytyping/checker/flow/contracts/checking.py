"""Annotations are held against the values that reach them: arguments, results, annotated assignments, fields.

Only what certainly contradicts is a mistake; that a NumPy array or a number stands for JAX's array is a warning, since
JAX takes either, and so is what is no array where nothing but `jax.Array` is asked for.  Python does not enforce
annotations, so what one says is not taken as knowledge, but for arguments that are made from annotations, and for a
value of which nothing else is known, where jaxtyping's annotation describes one array.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.contracts.bindings import Bindings, load, store
from arraytyping.checker.flow.contracts.dimensions import Mismatch, Place
from arraytyping.checker.flow.contracts.entries import refine, told_by_annotation, told_number
from arraytyping.checker.flow.contracts.expectations import ArrayOf, Expectation, arrays_in, shown
from arraytyping.checker.flow.contracts.matching import Matcher
from arraytyping.checker.flow.contracts.reading import evaluate_aside, read
from arraytyping.checker.flow.contracts.told_arguments import told_argument
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.flow.values import MISSING, ArrayValue, DictValue, ListValue, NumPyValue, Unknown, Value
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["TRUST", "check_annotation"]

_SIMPLE: Final = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.expr_context, ast.BinOp, ast.operator)

TRUST: Final[RunSlot[bool]] = RunSlot("whether annotations are taken as knowledge", bool)
_REPORTED: Final[RunSlot[dict[Any, tuple[Any, str]]]] = RunSlot("which values contradicted an annotation", dict)


def check_annotation(
    it: Interpreter,
    annotation: ast.expr,
    value: Value,
    node: ast.AST | None,
    env: Frame,
    frame: Frame,
    what: str,
    is_fixed: bool = False,
) -> Value:
    """Hold a value that reaches an annotation of `env` against it, in the call of `frame`; the value as it is known.

    The value of a parameter's own default is not held against it: `key: PRNGKeyArray = None` is common, and means
    what it says.  A field is checked for its dtypes only, since `vmap` and `scan` batch what fields hold, unless it
    `is_fixed`: no part of a tree.
    """
    expected = read(it, annotation, env)
    is_field = what.startswith("field")
    if not is_field or is_fixed:
        value = told_number(it, expected, value, _name_in(what), is_field, annotation)
    if what.startswith("argument"):
        value = told_argument(it, expected, value, annotation, env)
    if not any(True for _ in arrays_in(expected)):
        return value
    trusted = TRUST.of(it)
    line = getattr(annotation, "lineno", 0)
    short = what.partition(" of ")[0] if what.startswith("argument") else what
    here = f"by {short}" if what.startswith("argument") else f"in {what}"
    place = Place(f"{what} (line {line})", here, None, lambda e: _in_braces(it, e, frame))
    bindings = Bindings() if is_field else load(frame)
    matcher = Matcher(bindings, place, is_field)
    verdict = matcher.match(expected, value)
    if isinstance(verdict, Mismatch):
        if not _is_default(frame, annotation, value) and not _is_known(it, verdict, value, what):
            message = _message(verdict, expected, what)
            it.fail(node, "array-annotation", message, is_warning=verdict.tolerable, is_minor=verdict.minor)
        if not verdict.tolerable or not isinstance(expected, ArrayOf) or not isinstance(value, NumPyValue | ArrayValue):
            return value
        matcher.shape_of(expected, value)
    if not trusted:
        value = told_by_annotation(it, expected, value, bindings, is_field)
    if not is_field:
        store(it, frame, bindings)
    return refine(it, expected, value, bindings) if trusted and not is_field else value


def _name_in(what: str) -> str:
    """What a number is called after: the parameter or the field."""
    quoted = what.split("'")
    return quoted[1] if len(quoted) > 2 and quoted[1].isidentifier() else "n"


def _message(mismatch: Mismatch, expected: Expectation, what: str) -> str:
    part = mismatch.expected if mismatch.path else expected
    given = f"{what}{' at ' + mismatch.path if mismatch.path else ''} is {show(mismatch.given)}"
    advice = mismatch.advice or "change the value or the annotation"
    return f"{given}, but {shown(part)} is expected: {mismatch.reason}; {advice}"


def _is_known(it: Interpreter, mismatch: Mismatch, value: Value, what: str) -> bool:
    """Whether the same was reported of this very value already, as of a result that is handed on."""
    if it.quiet or it.path_uncertain or isinstance(value, str | int | float | bool | None):
        return False
    reported = _REPORTED.of(it)
    key = (id(value), mismatch.expected, mismatch.path, mismatch.tolerable)
    if key in reported:
        return not (what.startswith("argument") and what == reported[key][1])  # another call is another mistake
    reported[key] = value, what  # the value is kept so that its address stays its own
    return False


def _is_default(frame: Frame, annotation: ast.expr, value: Value) -> bool:
    """Whether the value is the default of the parameter with this annotation."""
    function = frame.function
    if function is None or isinstance(function.node, ast.Lambda):
        return False
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    defaults = [MISSING] * (len(positional) - len(function.defaults)) + list(function.defaults)
    for parameter, default in zip([*positional, *spec.kwonlyargs], [*defaults, *function.kw_defaults]):
        if parameter.annotation is annotation:
            return default is value
    return False


def _in_braces(it: Interpreter, expression: ast.expr, frame: Frame) -> Value:
    """The value of `{expression}` in a dimension, of the arguments of the call; None if it may have changed since."""
    frame = frame.function_frame()
    function = frame.function
    if function is None:
        return None
    spec = function.node.args
    parameters = {p.arg for p in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    names = {n.id for n in ast.walk(expression) if isinstance(n, ast.Name)}
    simple = all(isinstance(n, _SIMPLE) for n in ast.walk(expression))
    if not simple or not names <= parameters or not names.isdisjoint(frame.names):
        return None
    value = evaluate_aside(it, expression, frame)
    return None if isinstance(value, Unknown | ListValue | DictValue) else value
