"""Functions along an axis: softmax and its kin, standardization; and the encoding of classes.

Source: https://docs.jax.dev/en/latest/jax.nn.html; for the derivative of the softmax,
https://github.com/jax-ml/jax/blob/main/jax/_src/nn/functions.py.
"""

from __future__ import annotations

import operator
from typing import Any, Final

from arraytyping.nn.operations import OPERATIONS, composed
from arraytyping.numpy.arithmetic import multiply, subtract
from arraytyping.numpy.comparing import equal
from arraytyping.numpy.conversion import asarray, astype
from arraytyping.runtime.array_likes import concrete_int
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.collectives import axis_index
from arraytyping.runtime.lax.creation import iota_of
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.semantics.rules import nn_normalizing as definitions

__all__ = ["log_softmax", "logsumexp", "one_hot", "softmax", "standardize"]


def _softmax_of(axis: Any) -> Any:
    """The softmax along an axis, whose derivative needs the result alone."""

    @custom_jvp
    def softmax(x: Any, where: Any) -> Any:
        return definitions.softmax(OPERATIONS, x, axis, where)

    @softmax.defjvp
    def _derivative(primals: Any, tangents: Any) -> Any:
        (x, where), (tangent, _) = primals, tangents
        y = softmax(x, where)
        mean = OPERATIONS("numpy.sum", multiply(y, tangent), axis, where=where, keepdims=True)
        return y, multiply(y, subtract(tangent, mean))

    return softmax


softmax: Final = composed("nn.softmax", "x", "where", body=lambda x, axis=-1, where=None: _softmax_of(axis)(x, where))
log_softmax: Final = composed("nn.log_softmax", "x", "where")
logsumexp: Final = composed("nn.logsumexp", "a", "b", "where")
standardize: Final = composed("nn.standardize", "x", "mean", "variance", "epsilon", "where")


@operation("nn.one_hot", "x")
def one_hot(x: Any, num_classes: int, *, dtype: Any = None, axis: Any = -1) -> Any:
    """`jax.nn.one_hot`: a new axis, along which 1 stands at the class."""
    x = asarray(x)
    asked = canonical_dtype(float if dtype is None else dtype, "one_hot")
    if isinstance(axis, str | tuple):
        return astype(equal(x, axis_index(axis)), asked)
    shape = x.aval.shape
    place = operator.index(axis) % (len(shape) + 1)
    classes = [1] * len(shape)
    classes.insert(place, concrete_int(num_classes, "num_classes of one_hot"))
    numbers = iota_of(x.aval.dtype, tuple(classes), place)
    return astype(equal(reshape(x, (*shape[:place], 1, *shape[place:])), numbers), asked)
