"""Synthetic sequences whose tags depend on the neighbours, batched with NumPy."""

from typing import NamedTuple

import numpy as np


class Batch(NamedTuple):
    tokens: np.ndarray
    tags: np.ndarray
    mask: np.ndarray

    @property
    def n_tokens(self):
        return int(self.mask.sum())


def tag(tokens, n_tags):
    """The sum of a symbol and its predecessor, modulo the number of tags."""
    previous = np.concatenate([[0], tokens[:-1]])
    return (tokens + previous) % n_tags


class SequenceDataset:
    def __init__(self, config, split="train"):
        self.config = config
        self.rng = np.random.default_rng([config.seed, {"train": 0, "test": 1}[split]])

    def example(self):
        length = self.rng.integers(4, self.config.max_length + 1)
        tokens = self.rng.integers(1, self.config.n_symbols, size=length)
        return tokens, tag(tokens, self.config.n_tags)

    def batch(self):
        shape = (self.config.batch_size, self.config.max_length)
        tokens, tags = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
        mask = np.zeros(shape, bool)
        for i in range(self.config.batch_size):
            x, y = self.example()
            tokens[i, : len(x)] = x
            tags[i, : len(y)] = y
            mask[i, : len(x)] = True
        return Batch(tokens, tags, mask)

    def take(self, n):
        for _ in range(n):
            yield self.batch()
