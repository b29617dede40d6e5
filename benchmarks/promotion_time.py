"""Time of `promote` for two names of dtypes, against `numpy.promote_types` given the same names, in one run.

`python benchmarks/promotion_time.py [SYSTEM...]` prints for each system, by default `jax` and `numpy`, the time of one
call over all pairs that both define, first asked before, and the ratio: 1 or less means that we are no slower.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import product

import numpy as np

from arraytyping.semantics.promotion.registry import system

ROUNDS = 200
TURNS = 7
NAMES = tuple(n for n in system("numpy").nodes if n not in system("numpy").scalars)
PAIRS = tuple(product(NAMES, repeat=2))


def seconds(promote: Callable[[str, str], object]) -> float:
    """The time of one call, with the loop around it."""
    start = time.perf_counter()
    for _ in range(ROUNDS):
        for a, b in PAIRS:
            promote(a, b)
    return (time.perf_counter() - start) / (ROUNDS * len(PAIRS))


def compare(name: str) -> tuple[float, float]:
    """The best time of each, in turns, so that what else the machine does falls on both."""
    ours = system(name).promote
    times = [(seconds(ours), seconds(np.promote_types)) for _ in range(TURNS)]
    return min(t for t, _ in times), min(t for _, t in times)


def main(names: list[str]) -> None:
    """Print a line for each system."""
    for name in names:
        for a, b in PAIRS:
            system(name).promote(a, b)
        ours, numpys = compare(name)
        print(
            f"{name}: promote {ours * 1e9:.0f} ns, numpy.promote_types {numpys * 1e9:.0f} ns, ratio {ours / numpys:.2f}"
        )


if __name__ == "__main__":
    main(sys.argv[1:] or ["jax", "numpy"])
