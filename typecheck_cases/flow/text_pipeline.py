"""A character text pipeline in NumPy (tokeniser, buckets, padding) feeding an embedding classifier."""

from __future__ import annotations

import collections
import dataclasses
import random as pyrandom
import re
import string
from collections.abc import Iterable, Iterator

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

STEMS = {"food": ["soup", "bread", "cheese", "curry"], "sport": ["tennis", "football", "race", "goal"]}
TEMPLATES = ["I love {0}!", "{0} and {1}, please", "the {0} was better than the {1} yesterday, honestly", "More {0}?"]


@dataclasses.dataclass(frozen=True)
class Batch:
    tokens: Int[np.ndarray, "batch length"]
    lengths: Int[np.ndarray, "batch"]
    labels: Int[np.ndarray, "batch"]

    def __len__(self):
        return self.tokens.shape[0]


class CharTokeniser:
    pad, unknown = 0, 1

    def __init__(self, max_size=40):
        self.max_size = max_size
        self.table: dict[str, int] = {}

    def fit(self, texts):
        counts = collections.Counter(c for text in texts for c in self.clean(text))
        self.table = {c: i + 2 for i, (c, _) in enumerate(counts.most_common(self.max_size - 2))}
        return self

    @staticmethod
    def clean(text):
        kept = text.lower().translate(str.maketrans("", "", string.digits))
        return re.sub(r"\s+", " ", kept).strip()

    def __call__(self, text):
        return np.array([self.table.get(c, self.unknown) for c in self.clean(text)], dtype=np.int32)

    @property
    def vocab_size(self):
        return len(self.table) + 2


def corpus(n, seed):
    rnd = pyrandom.Random(seed)
    classes = sorted(STEMS)
    for _ in range(n):
        label = rnd.randrange(len(classes))
        words = rnd.sample(STEMS[classes[label]], 2)
        yield rnd.choice(TEMPLATES).format(*words), label


def bucketed(
    examples: Iterable[tuple[np.ndarray, int]], boundaries: tuple[int, ...], batch_size: int
) -> Iterator[Batch]:
    """Batches of similar lengths, padded to the bucket's boundary; longer texts are cut."""
    buckets: dict[int, list] = {b: [] for b in boundaries}
    for tokens, label in examples:
        boundary = next((b for b in boundaries if len(tokens) <= b), boundaries[-1])
        bucket = buckets[boundary]
        bucket.append((tokens[:boundary], label))
        if len(bucket) == batch_size:
            yield collate(bucket, boundary)
            bucket.clear()


def collate(pairs, width):
    sequences, labels = zip(*pairs)
    lengths = np.array([len(s) for s in sequences], dtype=np.int32)
    padded = np.zeros((len(sequences), width), dtype=np.int32)
    for row, sequence in zip(padded, sequences):
        row[: len(sequence)] = sequence
    return Batch(padded, lengths, np.asarray(labels, dtype=np.int32))


def init(key, vocab_size, dim=16, window=3, n_classes=2):
    k_embed, k_conv, k_query, k_out = jax.random.split(key, 4)
    embedding = jax.random.normal(k_embed, (vocab_size, dim)).at[CharTokeniser.pad].set(0.0)
    return {
        "embedding": embedding,
        "conv": jax.random.normal(k_conv, (window, dim, dim)) / np.sqrt(window * dim),
        "query": jax.random.normal(k_query, (dim,)) / np.sqrt(dim),
        "out": {"w": 0.1 * jax.random.normal(k_out, (dim, n_classes)), "b": jnp.zeros(n_classes)},
    }


def logits_fn(
    params: dict, tokens: Int[Array, "batch length"], lengths: Int[Array, "batch"]
) -> Float[Array, "batch classes"]:
    mask = jnp.arange(tokens.shape[1]) < lengths[:, None]
    x = params["embedding"][tokens] * mask[..., None]
    window = params["conv"].shape[0]
    padded = jnp.pad(x, [(0, 0), (window // 2, window // 2), (0, 0)])
    h = sum(padded[:, i : i + x.shape[1]] @ params["conv"][i] for i in range(window))
    h = jax.nn.gelu(h)
    scores = jnp.einsum("btd,d->bt", h, params["query"])
    weights = jax.nn.softmax(scores, axis=1, where=mask)
    pooled = jnp.einsum("bt,btd->bd", weights, h)
    return pooled @ params["out"]["w"] + params["out"]["b"]


@jax.jit
def train_step(params, accumulators, tokens, lengths, labels):
    def loss_fn(params):
        logits = logits_fn(params, tokens, lengths)
        one_hot = jax.nn.one_hot(labels, logits.shape[-1])
        return -jnp.mean(jnp.sum(one_hot * jax.nn.log_softmax(logits), axis=-1))

    loss, grads = jax.value_and_grad(loss_fn)(params)
    accumulators = jax.tree.map(lambda a, g: a + g**2, accumulators, grads)
    params = jax.tree.map(lambda p, a, g: p - 0.1 * g * jax.lax.rsqrt(a + 1e-8), params, accumulators, grads)
    return params, accumulators, loss


def main():
    train = list(corpus(240, seed=0))
    tokeniser = CharTokeniser().fit(text for text, _ in train)
    print("vocabulary", tokeniser.vocab_size, "example", tokeniser("Soup 4 two")[:6])

    params = jax.jit(init, static_argnums=(1,))(jax.random.key(1), tokeniser.vocab_size)
    accumulators = jax.tree.map(jnp.zeros_like, params)
    seen = collections.defaultdict(list)
    for epoch in range(2):
        pyrandom.Random(epoch).shuffle(train)
        encoded = ((tokeniser(text), label) for text, label in train)
        for batch in bucketed(encoded, boundaries=(20, 56), batch_size=16):
            params, accumulators, loss = train_step(params, accumulators, batch.tokens, batch.lengths, batch.labels)
            seen[batch.tokens.shape].append(float(loss))
    for shape, losses in sorted(seen.items()):
        print(f"bucket {shape}: {len(losses)} batches, loss {losses[0]:.3f} -> {losses[-1]:.3f}")

    test_examples = [(tokeniser(text), label) for text, label in corpus(32, seed=9)]
    test = collate([(t[:56], label) for t, label in test_examples], 56)
    predicted = np.argmax(logits_fn(params, jnp.asarray(test.tokens), jnp.asarray(test.lengths)), axis=-1)
    print(f"accuracy {(predicted == test.labels).mean():.2f} on {len(test)} texts")


if __name__ == "__main__":
    main()
