"""Looking up tokens, and writing into a cache."""

import jax
import jax.numpy as jnp


class Cache:
    def __init__(self, size, dim):
        self.keys = jnp.zeros((size, dim))
        self.length = 0

    def append(self, new):
        end = self.length + new.shape[0]
        self.keys = self.keys.at[self.length : end].set(new)  # mistake: self.keys = self.keys.at[self.length : end, 0].set(new) [array-shape]
        self.length = end

    def attend(self, query):
        scores = self.keys[: self.length] @ query
        return jax.nn.softmax(scores) @ self.keys[: self.length]  # mistake: return jax.nn.softmax(scores) @ self.keys [array-shape]


def tokens_of(words, vocabulary):
    return jnp.array([vocabulary[w] for w in words])  # mistake: return jnp.array([vocabulary[w] for w in words + ["dog"]]) [call]


def middle(n):
    return n // 2  # mistake a: return n / 2 [array-dtype]


vocabulary = {"the": 0, "cat": 1, "sat": 2, "mat": 3}
table = jax.random.normal(jax.random.key(0), (len(vocabulary), 6))
tokens = tokens_of(["the", "cat", "sat"], vocabulary)
vectors = table[tokens]
cache = Cache(8, 6)
cache.append(vectors)
cache.append(vectors[:2])
print(cache.length, cache.attend(vectors[0]))
print(vectors[middle(3)], jnp.take(table, tokens, axis=0).shape)  # shows a
