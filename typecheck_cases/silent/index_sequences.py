"""A small language model: vocabularies, positions, labels, and what is sampled from them."""

import jax
import jax.numpy as jnp
import numpy as np

WORDS = ["<pad>", "<bos>", "<eos>", "the", "cat", "sat", "on", "mat"]
INDEX = {word: i for i, word in enumerate(WORDS)}
LENGTH = 6


def encode(sentence):
    ids = [INDEX["<bos>"], *(INDEX[w] for w in sentence.split()), INDEX["<eos>"]]
    ids = ids + [0] * (LENGTH - len(ids))
    return np.array(ids[:LENGTH])


def init(key):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "embed": jax.random.normal(k1, (len(WORDS), 4)),  # mistake a: "embed": jax.random.normal(k1, (len(WORDS) - 3, 4)), [array-index]
        "position": jax.random.normal(k2, (LENGTH, 4)),  # mistake b: "position": jax.random.normal(k2, (LENGTH - 1, 4)), [array-index]
        "out": jax.random.normal(k3, (4, len(WORDS))),
    }


def forward(params, ids):
    x = params["embed"][ids]
    x = x + params["position"][jnp.arange(LENGTH)]  # shows b
    x = jnp.cumsum(x, axis=0) / jnp.arange(1, LENGTH + 1)[:, None]
    return x @ params["out"]


params = init(jax.random.key(0))
tokens = encode("the cat sat")
rows = jnp.take(params["embed"], tokens, axis=0)  # shows a
print(rows.shape)

logits = forward(params, tokens)
log_probs = jax.nn.log_softmax(logits)
picked = jnp.take_along_axis(log_probs[:-1], tokens[1:, None], axis=-1)
print(picked.shape)

last = logits[LENGTH - 1]  # mistake: last = logits[LENGTH] [array-index]
print(last.argmax())

eos = log_probs[:, INDEX["<eos>"]]  # mistake: eos = log_probs[:, len(WORDS) + 1] [array-index]
print(eos.sum())

banned = jnp.array([0, 1])  # mistake c: banned = jnp.array([0, 8]) [array-index]
masked = last.at[banned].set(-jnp.inf)  # shows c
print(masked.max())

window = logits[-LENGTH]  # mistake: window = logits[-LENGTH - 1] [array-index]
print(window.sum())
