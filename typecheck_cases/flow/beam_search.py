"""Beam search over a small character bigram-trigram model, checked against exhaustive Viterbi decoding."""

import itertools
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

NEG_INF = -1e9
CORPUS = "the cat sat on the mat and the rat sat on the cat then the man and the hen ran to the tan van".split()


class Beams(NamedTuple):
    tokens: jax.Array  # (beam, time)
    scores: jax.Array  # (beam,)
    finished: jax.Array  # (beam,)


class Vocabulary:
    def __init__(self, words):
        letters = sorted(set(itertools.chain.from_iterable(words)))
        self.symbols = ["<s>", "</s>", *letters]
        self.index = {s: i for i, s in enumerate(self.symbols)}

    def __len__(self):
        return len(self.symbols)

    def encode(self, word):
        return [self.index["<s>"], *(self.index[c] for c in word), self.index["</s>"]]

    def decode(self, ids):
        out = []
        for i in np.asarray(ids)[1:]:
            if self.symbols[i] == "</s>":
                break
            out.append(self.symbols[i])
        return "".join(out)


def count_bigrams(vocab, words, smoothing=0.05):
    counts = np.full((len(vocab), len(vocab)), smoothing)
    for word in words:
        ids = vocab.encode(word)
        np.add.at(counts, (ids[:-1], ids[1:]), 1)
    counts[:, vocab.index["<s>"]] = 0
    with np.errstate(divide="ignore"):
        log_probs = np.log(counts / counts.sum(axis=1, keepdims=True))
    return np.maximum(log_probs, NEG_INF).astype(np.float32)


def length_penalty(length, alpha):
    return ((5.0 + length) / 6.0) ** alpha


@partial(jax.jit, static_argnames=("beam_size", "max_len", "bos", "eos"))
def beam_search(log_probs, beam_size, max_len, *, bos=0, eos=1):
    vocab_size = log_probs.shape[0]
    start = Beams(
        tokens=jnp.full((beam_size, max_len), eos).at[:, 0].set(bos),
        scores=jnp.full(beam_size, NEG_INF).at[0].set(0.0),
        finished=jnp.zeros(beam_size, bool),
    )
    # A finished beam may only repeat its end symbol, at no cost.
    only_eos = jnp.where(jnp.arange(vocab_size) == eos, 0.0, NEG_INF)

    def cond(loop):
        t, beams = loop
        return (t < max_len) & ~jnp.all(beams.finished)

    def body(loop):
        t, beams = loop
        last = lax.dynamic_index_in_dim(beams.tokens, t - 1, axis=1, keepdims=False)
        step_scores = jnp.where(beams.finished[:, None], only_eos, log_probs[last])
        totals = beams.scores[:, None] + step_scores
        scores, flat = lax.top_k(totals.reshape(-1), beam_size)
        parent, token = jnp.divmod(flat, vocab_size)
        tokens = beams.tokens[parent].at[:, t].set(token)
        return t + 1, Beams(tokens, scores, beams.finished[parent] | (token == eos))

    _, beams = lax.while_loop(cond, body, (1, start))
    return beams


def rerank(beams, alpha=0.6):
    lengths = jnp.sum(beams.tokens != 1, axis=1)
    order = jnp.argsort(-beams.scores / length_penalty(lengths, alpha))
    return jax.tree.map(lambda leaf: leaf[order], beams)


@partial(jax.jit, static_argnums=1)
def viterbi(log_probs, length):
    """The best sequence of exactly `length` letters between start and end."""
    n = log_probs.shape[0]
    inner = log_probs.at[:, 1].set(NEG_INF)

    def forward(score, _):
        candidates = score[:, None] + inner
        return candidates.max(axis=0), candidates.argmax(axis=0)

    initial = jnp.where(jnp.arange(n) == 0, 0.0, NEG_INF)
    score, backpointers = lax.scan(forward, initial, None, length=length)
    final = score + log_probs[:, 1]
    best_last = jnp.argmax(final)

    def backward(state, pointers):
        return pointers[state], state

    _, path = lax.scan(backward, best_last, backpointers, reverse=True)
    return path, final[best_last]


def sequence_score(log_probs, ids):
    ids = np.asarray(ids)
    return float(log_probs[ids[:-1], ids[1:]].sum())


def main():
    vocab = Vocabulary(CORPUS)
    log_probs = count_bigrams(vocab, CORPUS)
    print(f"{len(vocab)} symbols, {len(CORPUS)} words")
    for beam_size in (1, 6):
        beams = rerank(beam_search(log_probs, beam_size, 8))
        best = [(vocab.decode(t), round(float(s), 2)) for t, s in zip(beams.tokens, beams.scores)]
        print(f"beam {beam_size}:", *best[:3])

    for length in (2, 3):
        path, score = viterbi(log_probs, length)
        ids = [0, *path.tolist(), 1]
        assert abs(sequence_score(log_probs, ids) - score) < 1e-4
        print(f"best word of {length} letters: {vocab.decode(ids)} ({score:.2f})")


if __name__ == "__main__":
    main()
