"""Functions whose annotations name their dimensions."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int


def cosine(a: Float[Array, "b d"], b: Float[Array, "b d"]) -> Float[Array, " b"]:
    dots = jnp.sum(a * b, axis=-1)
    return dots / (jnp.linalg.norm(a, axis=-1) * jnp.linalg.norm(b, axis=-1))  # mistake: return dots / (jnp.linalg.norm(a) * jnp.linalg.norm(b, axis=-1, keepdims=True)) [array-annotation] silent


def embed(table: Float[Array, "vocab d"], tokens: Int[Array, "b t"]) -> Float[Array, "b t d"]:
    return table[tokens]


def pool(x: Float[Array, "b t d"], mask: Bool[Array, "b t"]) -> Float[Array, "b d"]:
    kept = jnp.where(mask[..., None], x, 0.0)
    mean: Float[Array, "b d"] = kept.sum(axis=1) / mask.sum(axis=1, keepdims=True)  # mistake: mean: Float[Array, "b d"] = kept.sum(axis=1, keepdims=True) / mask.sum() [array-annotation] silent
    return mean


def main():
    table = jax.random.normal(jax.random.key(0), (11, 4))
    tokens = jnp.array([[1, 2, 0], [3, 0, 0]])
    mask = tokens > 0  # mistake a: mask = jnp.sign(tokens) [array-annotation] silent
    pooled = pool(embed(table, tokens), mask)  # shows a
    query = jnp.mean(table, axis=0, keepdims=True)
    queries = jnp.repeat(query, 2, axis=0)  # mistake b: queries = query [array-annotation] silent
    print(cosine(pooled, queries))  # shows b


main()
