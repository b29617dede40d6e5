"""What rules for derivatives give, held against what jax takes of them, in our own sentences.

Source: `_flatten_jvp`, `_flatten_fwd` and `_flatten_bwd` of
https://github.com/jax-ml/jax/blob/main/jax/_src/custom_derivatives.py.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from typing import Any

from arraytyping.checker.derivative_sentences import (
    argument_cotangent_sentence,
    cotangents_sentence,
    pair_sentence,
    tangent_sentence,
)
from arraytyping.checker.flow.values import FunctionValue, Value
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT

__all__ = ["RuleMisfit", "checked_backward", "checked_pair"]


class RuleMisfit(Exception):
    """A rule gives what jax does not take: raised in the place of jax's own exception, as jax has asked the rule."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def checked_pair(kind: str, callback: Any, rule: Value, function: Value) -> Any:
    """The rule of a `custom_jvp`, or the forward pass of a `custom_vjp`, as jax calls it: it has to give a pair."""
    if not isinstance(rule, FunctionValue) or not isinstance(function, FunctionValue):
        return callback

    def check(given: Any) -> None:
        node = _node(given)
        if node is None:
            return
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise RuleMisfit("array-tree", pair_sentence(kind, rule.name, function.name, node))
        out, tangent = map(_type, given)
        if kind == "custom_jvp" and out is not None and tangent is not None and out.dtype in ANY_FLOAT:
            is_of_shape = out.shape != tangent.shape
            if is_of_shape or out.dtype != tangent.dtype:
                sentence = tangent_sentence(rule.name, function.name, out, tangent)
                raise RuleMisfit("array-shape" if is_of_shape else "array-dtype", sentence)

    return _checked(callback, check)


def checked_backward(
    callback: Any, rule: Value, function: Value, nondiff: Collection[int], given: Sequence[Any]
) -> Any:
    """The backward pass of a `custom_vjp` as jax calls it: it has to give a cotangent for each argument.

    `given` are the arguments that the function is called with, as far as the shapes of their cotangents count.
    """
    if not isinstance(rule, FunctionValue) or not isinstance(function, FunctionValue):
        return callback
    names = _arguments(function.node)
    if names is None:
        return callback
    left_out = {n % len(names) for n in nondiff} if names else set()
    wanted = [n for n in range(len(names)) if n not in left_out]

    def check(found: Any) -> None:
        node = _node(found)
        if node is None:
            return
        if not isinstance(found, tuple | list) or len(found) != len(wanted):
            raise RuleMisfit("array-tree", cotangents_sentence(rule.name, function.name, len(wanted), node))
        for n, one in zip(wanted, found):
            argument, cotangent = _type(given[n]) if n < len(given) else None, _type(one)
            if argument is None or cotangent is None or argument.dtype not in ANY_FLOAT:
                continue
            if argument.shape != cotangent.shape:
                sentence = argument_cotangent_sentence(rule.name, function.name, names[n], argument, cotangent)
                raise RuleMisfit("array-shape", sentence)

    return _checked(callback, check)


def _checked(callback: Any, check: Callable[[Any], None]) -> Any:
    def called(*args: Any, **kwargs: Any) -> Any:
        given = callback(*args, **kwargs)
        check(given)
        return given

    called.__name__ = callback.__name__
    return called


def _arguments(node: ast.AST) -> list[str] | None:
    """The names of a function's arguments; None if a call may give others."""
    if not isinstance(node, ast.FunctionDef | ast.Lambda):
        return None
    given = node.args
    if given.vararg is not None or given.kwarg is not None or given.kwonlyargs:
        return None
    return [a.arg for a in (*given.posonlyargs, *given.args)]


def _type(given: Any) -> ShapedArray | None:
    """The type of an array of jax whose sizes are numbers; None of anything else."""
    shape: Sequence[Any] | None = getattr(given, "shape", None)
    dtype = getattr(given, "dtype", None)
    if not isinstance(shape, tuple) or dtype is None or not all(type(size) is int for size in shape):
        return None
    return ShapedArray(shape, str(dtype))


def _node(given: Any) -> str | None:
    """What stands at the root of a tree, where it has one of Python's own or is an array."""
    if given is None:
        return "None"
    if type(given) in (tuple, list):
        return f"a {type(given).__name__} of {len(given)} item{'' if len(given) == 1 else 's'}"
    if type(given) is dict:
        keys = f" with the key{'' if len(given) == 1 else 's'} {', '.join(map(repr, sorted(given)))}"
        return f"a dict{keys}" if all(isinstance(key, str) for key in given) else "a dict"
    return "an array" if hasattr(given, "aval") and hasattr(given, "dtype") else None
