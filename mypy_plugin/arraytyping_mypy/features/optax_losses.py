"""The losses of Optax, each as the operations of JAX that it is made of.

Source: optax/losses/_classification.py and _regression.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any, Final

from mypy.nodes import CallExpr, Context
from mypy.plugin import FunctionContext
from mypy.types import Type

from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT, ANY_INTEGER
from arraytyping.semantics.rules.errors import Code
from arraytyping_mypy.arguments import bind, is_uncertain
from arraytyping_mypy.calls import Answer, answer, report, result_type
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.given import arguments
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.tree_leaves import leaves_of

__all__ = ["FUNCTIONS", "function_hook"]


class _UnknownError(Exception):
    """That it is not known what a loss gives."""


class _RefusedError(Exception):
    """What is refused on the way to it."""

    def __init__(self, made: Answer) -> None:
        self.made = made


class _MismatchError(Exception):
    """What Optax itself refuses, in one sentence."""

    def __init__(self, sentence: str, exception: type[Exception]) -> None:
        self.sentence, self.exception = sentence, exception


class _Jax:
    """The operations of JAX, as methods of their names."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.last: Answer | None = None

    def __call__(self, rule: str, *args: Any, **named: Any) -> Any:
        made = answer(rule, args, named, self._session)
        if made is None or (made.error is None and made.value is UNKNOWN):
            raise _UnknownError
        if made.error is not None:
            raise _RefusedError(made)
        self.last = made
        return made.value

    def difference(self, predictions: Any, targets: Any) -> Any:
        """What is left of predictions without targets, if any are given."""
        return predictions if targets is None else self("numpy.subtract", predictions, targets)


def _of_kind(given: Any, kinds: frozenset[str], what: str) -> None:
    """Refuse an array of another kind."""
    if isinstance(given, ShapedArray) and given.dtype in {*ANY_FLOAT, *ANY_INTEGER, "bool"} - kinds:
        raise _MismatchError(f"expected {what}, got {given.dtype}", TypeError)


def _softmax_cross_entropy(jax: _Jax, logits: Any, labels: Any, axis: Any = -1) -> None:
    _of_kind(logits, ANY_FLOAT, "logits of floats")
    products = jax("numpy.multiply", labels, jax("nn.log_softmax", logits, axis))
    jax("numpy.negative", jax("Array.sum", products, axis))


def _with_integer_labels(jax: _Jax, logits: Any, labels: Any, axis: Any = -1) -> None:
    _of_kind(logits, ANY_FLOAT, "logits of floats")
    _of_kind(labels, ANY_INTEGER, "labels of integers")
    if type(axis) is not int or not isinstance(logits, ShapedArray) or logits.shape is None:
        raise _UnknownError
    axis = axis + len(logits.shape) if axis < 0 else axis
    indices = jax("numpy.expand_dims", labels, axis)
    of_labels = jax("Array.take", jax("numpy.take_along_axis", logits, indices, axis), 0, axis)
    jax("numpy.subtract", jax("nn.logsumexp", logits, axis), of_labels)


def _sigmoid_binary_cross_entropy(jax: _Jax, logits: Any, labels: Any) -> None:
    _of_kind(logits, ANY_FLOAT, "logits of floats")
    if not isinstance(logits, ShapedArray) or logits.dtype is None:
        raise _UnknownError
    labels = jax("numpy.astype", labels, logits.dtype)
    left = jax("numpy.multiply", jax("numpy.negative", labels), jax("nn.log_sigmoid", logits))
    others = jax("numpy.subtract", 1.0, labels)
    right = jax("numpy.multiply", others, jax("nn.log_sigmoid", jax("numpy.negative", logits)))
    jax("numpy.subtract", left, right)


def _squared_error(jax: _Jax, predictions: Any, targets: Any = None) -> Any:
    _of_kind(predictions, ANY_FLOAT, "predictions of floats")
    if isinstance(predictions, ShapedArray) and isinstance(targets, ShapedArray):
        shapes = predictions.shape, targets.shape
        if None not in shapes and all(type(d) is int for shape in shapes for d in shape or ()) and len(set(shapes)) > 1:
            raise _MismatchError(f"the shapes {shapes[0]} and {shapes[1]} differ", ValueError)
    return jax("Array.__pow__", jax.difference(predictions, targets), 2)


def _l2_loss(jax: _Jax, predictions: Any, targets: Any = None) -> None:
    jax("numpy.multiply", 0.5, _squared_error(jax, jax("numpy.asarray", predictions), targets))


def _huber_loss(jax: _Jax, predictions: Any, targets: Any = None, *, delta: Any = 1.0) -> None:
    _of_kind(predictions, ANY_FLOAT, "predictions of floats")
    sizes = jax("numpy.abs", jax.difference(predictions, targets))
    quadratic = jax("numpy.minimum", sizes, delta)
    linear = jax("numpy.multiply", delta, jax("numpy.subtract", sizes, quadratic))
    jax("numpy.add", jax("numpy.multiply", 0.5, jax("Array.__pow__", quadratic, 2)), linear)


def _log_cosh(jax: _Jax, predictions: Any, targets: Any = None) -> None:
    _of_kind(predictions, ANY_FLOAT, "predictions of floats")
    errors = jax.difference(predictions, targets)
    if not isinstance(errors, ShapedArray) or errors.dtype is None:
        raise _UnknownError
    shift = jax("Array.astype", jax("numpy.log", 2.0), errors.dtype)
    jax("numpy.subtract", jax("numpy.logaddexp", errors, jax("numpy.negative", errors)), shift)


def _cosine_similarity(jax: _Jax, predictions: Any, targets: Any, *, epsilon: Any = 0.0, axis: Any = -1) -> Any:
    units = []
    for given in (predictions, targets):
        _of_kind(given, ANY_FLOAT, "floats")
        squares = jax("Array.sum", jax("numpy.square", given), axis, keepdims=True)
        units.append(jax("numpy.divide", given, jax("numpy.sqrt", jax("Array.clip", squares, epsilon))))
    return jax("Array.sum", jax("numpy.multiply", *units), axis)


def _cosine_distance(jax: _Jax, predictions: Any, targets: Any, *, epsilon: Any = 0.0, axis: Any = -1) -> None:
    similarity = _cosine_similarity(jax, predictions, targets, epsilon=epsilon, axis=axis)
    jax("numpy.subtract", 1.0, similarity)


def _hinge_loss(jax: _Jax, predictor_outputs: Any, targets: Any) -> None:
    products = jax("numpy.multiply", predictor_outputs, targets)
    jax("numpy.maximum", 0, jax("numpy.subtract", 1, products))


def _kl_divergence(jax: _Jax, log_predictions: Any, targets: Any, axis: Any = -1) -> None:
    for given in (log_predictions, targets):
        _of_kind(given, ANY_FLOAT, "floats")
    logs = jax("numpy.where", jax("numpy.equal", targets, 0), 0, jax("numpy.log", targets))
    loss = jax("numpy.multiply", targets, jax("numpy.subtract", logs, log_predictions))
    jax("numpy.sum", loss, axis=axis)


_LOSSES: Final[dict[str, Callable[..., Any]]] = {
    "cosine_distance": _cosine_distance,
    "cosine_similarity": _cosine_similarity,
    "hinge_loss": _hinge_loss,
    "huber_loss": _huber_loss,
    "kl_divergence": _kl_divergence,
    "l2_loss": _l2_loss,
    "log_cosh": _log_cosh,
    "sigmoid_binary_cross_entropy": _sigmoid_binary_cross_entropy,
    "softmax_cross_entropy": _softmax_cross_entropy,
    "softmax_cross_entropy_with_integer_labels": _with_integer_labels,
    "squared_error": _squared_error,
}
_NORMS: Final = ("optax.global_norm", "optax.tree.norm", "optax.tree_utils.tree_norm", "optax.tree_utils.tree_l2_norm")

FUNCTIONS: Final = frozenset({*_NORMS, *(f"{space}.{name}" for name in _LOSSES for space in ("optax", "optax.losses"))})
"""The functions that a hook knows, by the names under which programs find them."""


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions, or None."""
    if fullname not in FUNCTIONS:
        return None
    return partial(_norm if fullname in _NORMS else _call, fullname.rpartition(".")[2], sessions)


def _call(name: str, sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    bound = bind(ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names, session) if session.is_active else None
    if bound is None or not any(isinstance(v, ShapedArray) for v in (*bound[0], *bound[1].values())):
        return ctx.default_return_type
    jax, loss = _Jax(session), _LOSSES[name]
    try:
        signature(loss).bind(jax, *bound[0], **bound[1])
    except TypeError:  # of arguments that are not understood, such as `where`
        return ctx.default_return_type
    try:
        loss(jax, *bound[0], **bound[1])
    except _UnknownError:
        return ctx.default_return_type
    except _RefusedError as error:
        report(error.made, ctx.context, session)
        return ctx.default_return_type
    except _MismatchError as error:
        code: Code = "array-dtype" if error.exception is TypeError else "array-shape"
        session.fail(f"{name}: {error.sentence}", ctx.context, code, error.exception)
        return ctx.default_return_type
    return ctx.default_return_type if jax.last is None else result_type(jax.last, ctx.default_return_type, session)


def _norm(_: str, sessions: Sessions, ctx: FunctionContext) -> Type:
    """The norm of all leaves of a tree: the root of the sum of their squares."""
    session = sessions.of(ctx.api)
    call: Context = ctx.context
    if not session.is_active or not isinstance(call, CallExpr) or len(call.args) != 1 or call.arg_kinds[0].is_star():
        return ctx.default_return_type
    given = arguments(ctx, session)
    leaves = (
        None if given is None or is_uncertain(call.args[0], session) else leaves_of([*given[0], *given[1].values()][0])
    )
    if leaves is None or not leaves.are_all or not leaves.types:
        return ctx.default_return_type
    jax = _Jax(session)
    try:
        total: Any = 0
        for leaf in leaves.types:
            squares = jax("numpy.square", jax("numpy.abs", value_of(leaf, session)))
            total = jax("numpy.add", total, jax("numpy.sum", squares))
        jax("numpy.sqrt", total)
    except (_UnknownError, _RefusedError):
        return ctx.default_return_type
    return ctx.default_return_type if jax.last is None else result_type(jax.last, ctx.default_return_type, session)
