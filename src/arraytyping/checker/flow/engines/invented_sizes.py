"""Whether jax refuses a question for every size: symbolic sizes are numbers for once, and it is asked again.

jax takes a comparison of a symbolic size with a number to be false, and code that counts with sizes fails on them.
So a refusal holds only if it comes with numbers too, with those above all that the sizes may have to be equal to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Final

from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.engines.refusals import is_trusted, speaks_of_symbols
from arraytyping.checker.flow.state.interpreter import Interpreter, Signal
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.sizes.polynomials import Size, Symbol

__all__ = ["assignments", "is_refused_for_all_sizes"]

_PRIMES: Final = (7, 11, 13, 17, 19, 23, 29, 31)
_MOST: Final = 24
_LARGEST: Final = 512
_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?![\w.])")


def is_refused_for_all_sizes(
    it: Interpreter,
    jax: JaxEngine,
    trial: Callable[[], object],
    numbers: Iterable[int],
    error: Exception,
    inconclusive: tuple[type[Exception], ...],
) -> bool:
    """Whether jax refuses a question with symbolic sizes whatever they are: `trial` asks it again."""
    message = str(error)
    if speaks_of_symbols(message):
        return False
    if jax.invented is not None:
        return True
    numbers = list(numbers)
    mark = it.journal.mark
    for chosen in assignments(list(jax.sizes_met), numbers, message):
        jax.invented, it.inventing = chosen, True
        try:
            with it.quietly():
                trial()
            return False
        except Signal:
            return False
        except Exception as refused:
            swallow(refused)
            if isinstance(refused, inconclusive) or not is_trusted(refused) or jax.has_other_sizes(str(refused)):
                return False
        finally:
            it.journal.undo(mark)
            jax.invented, it.inventing = None, False
    return True


def assignments(sizes: Iterable[Size], numbers: Iterable[int], message: str) -> Iterator[dict[str, int]]:
    """Values for the symbols of these sizes, which may have to be equal to each other or to these numbers.

    `message` says what was refused, and has numbers in it, too.
    """
    sizes = list(sizes)
    symbols = sorted({s for size in sizes for s in size.symbols}, key=lambda s: s.name)
    wanted = dict.fromkeys(n for n in numbers if n <= _LARGEST)
    wanted |= dict.fromkeys(int(n) for n in _NUMBER.findall(message)[:16] if len(n) < 4 and int(n) <= _LARGEST)
    pool = dict.fromkeys((*wanted, *_solutions(sizes, wanted), 1, 2, 4, 8))
    values = [n for n in pool if n > 0][:12]
    seen: set[tuple[int, ...]] = set()
    for chosen in _combinations(len(symbols), values):
        fitting = tuple(_within(s, n) for s, n in zip(symbols, chosen))
        if fitting not in seen:
            seen.add(fitting)
            yield {s.name: n for s, n in zip(symbols, fitting)}
        if len(seen) == _MOST:
            return


def _combinations(count: int, values: list[int]) -> Iterator[tuple[int, ...]]:
    """All different; all the same; and all there are."""
    yield tuple(_PRIMES[i % len(_PRIMES)] for i in range(count))
    for n in values:
        yield (n,) * count
    if count > 1:
        yield from product(values, repeat=count)


def _solutions(sizes: list[Size], wanted: Iterable[int]) -> Iterator[int]:
    """The values of a symbol for which a size such as `2*n + 1` is one of these numbers."""
    for size in sizes:
        factors = [c for monomial, c in size.terms.items() if len(monomial) == 1]
        if len(size.symbols) == 1 and len(factors) == 1 and factors[0] > 0:
            rest = size.terms.get((), 0)
            yield from ((n - rest) // factors[0] for n in wanted if n > rest and (n - rest) % factors[0] == 0)


def _within(symbol: Symbol, number: int) -> int:
    low = symbol.low if symbol.low is not None else number
    high = symbol.high if symbol.high is not None else number
    return min(max(number, low), high)
