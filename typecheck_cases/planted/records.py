"""Records of a training run, their fields annotated."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from flax import struct
from jaxtyping import Array, Bool, Float32, Int32


class Batch(NamedTuple):
    tokens: Int32[Array, "b t"]
    mask: Bool[Array, "b t"]


@struct.dataclass
class Metrics:
    loss: Float32[Array, ""]
    correct: Int32[Array, ""]

    def merge(self, other):
        return self.replace(loss=self.loss + other.loss, correct=self.correct + other.correct)


def make_batch(rows, length):
    padded = np.zeros((len(rows), length), np.int32)
    for i, row in enumerate(rows):
        padded[i, : len(row)] = row  # mistake: padded[i] = row [array-shape]
    tokens = jnp.asarray(padded)  # mistake a: tokens = jnp.asarray(padded / 1) [array-annotation] silent
    return Batch(tokens, tokens != 0)  # shows a


@jax.jit
def evaluate(batch):
    logits = jnp.cos(batch.tokens[..., None] * jnp.arange(1.0, 5.0))
    hits = (logits.argmax(-1) == batch.tokens) & batch.mask
    return Metrics(jnp.where(batch.mask, logits.max(-1), 0).sum(), hits.sum())  # mistake: return Metrics(jnp.where(batch.mask, logits, 0).sum(), hits.sum()) [array-shape]


total = Metrics(jnp.zeros(()), jnp.int32(0))
for rows in [[[1, 2], [3]], [[2, 2, 1], [1]]]:
    total = total.merge(evaluate(make_batch(rows, 3)))
print(total.loss, total.correct)  # mistake: print(total.loss, total.accuracy) [call]
