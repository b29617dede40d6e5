"""The installed jax under a lattice of one's own, while a program is followed.

jax asks two functions of its own what operands promote to.  While `promoting` lasts, these give the answers of
`JaxPromotion`, so that transformations, and library functions for which there is no rule, promote as the rules do.
jax keeps what it has traced; that is thrown away before and after.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, Final

from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.scalars import DTYPES
from arraytyping.semantics.lattice import Lattice
from arraytyping.semantics.promotion.jax import WEAK, Element, JaxPromotion, PromotionError

__all__ = ["can_promote_otherwise", "promoting"]

_BOUND: Final = "_least_upper_bound"
_RESULT: Final = ("lattice_result_type", "_lattice_result_type")
"""What older releases call it comes second."""


def can_promote_otherwise(jax: JaxEngine) -> bool:
    """Whether this release of jax asks the functions that are known here."""
    return hasattr(jax.private.dtypes, _BOUND) and any(hasattr(jax.private.dtypes, name) for name in _RESULT)


@contextlib.contextmanager
def promoting(jax: JaxEngine, lattice: Lattice | None) -> Iterator[None]:
    """Let jax's standard mode promote on this lattice; without one, as always."""
    if lattice is None:
        yield
        return
    answers, dtypes = _Answers(jax, lattice), jax.private.dtypes
    functions = {_BOUND: answers.bound, **{name: answers.result for name in _RESULT if hasattr(dtypes, name)}}
    before = {name: getattr(dtypes, name) for name in functions}
    answers.original_bound, answers.original_result = before[_BOUND], list(before.values())[-1]
    jax.jax.clear_caches()
    try:
        jax.lattice = lattice
        for name, function in functions.items():
            setattr(dtypes, name, function)
        yield
    finally:
        for name, function in before.items():
            setattr(dtypes, name, function)
        jax.lattice = None
        jax.jax.clear_caches()


class _Answers:
    """jax's two functions, on another lattice; what has no node on any lattice is left to the original ones."""

    original_bound: Callable[..., Any]
    original_result: Callable[..., Any]

    def __init__(self, jax: JaxEngine, lattice: Lattice) -> None:
        self._jax = jax
        self._promotions = {x64: JaxPromotion("standard", x64, lattice) for x64 in (False, True)}
        self._weak = dict(zip(WEAK, (int, float, complex)))

    def bound(self, mode: Any, x64: bool, *nodes: Any) -> Any:
        """`jax._src.dtypes._least_upper_bound`."""
        names = tuple(node.__name__ if isinstance(node, type) else str(node) for node in nodes)
        if self._jax.promotion == "strict" or not all(name in DTYPES or name in WEAK for name in names):
            return self.original_bound(mode, x64, *nodes)
        try:
            top = self._promotions[x64].bound(*dict.fromkeys(names))
        except PromotionError as error:
            raise self._jax.private.dtypes.TypePromotionError(str(error)) from None
        return self._weak[top] if top in WEAK else self._jax.dtype(top)

    def result(self, *args: Any) -> tuple[Any, bool]:
        """`jax._src.dtypes.lattice_result_type`."""
        given = [self._jax.private.dtypes._dtype_and_weaktype(arg) for arg in args]
        elements = [Element(str(dtype), bool(weak)) for dtype, weak in given]
        if self._jax.promotion == "strict" or not all(e.dtype in DTYPES for e in elements):
            found: tuple[Any, bool] = self.original_result(*args)
            return found
        try:
            dtype, weak_type = self._promotions[self._jax.x64].join(elements)
        except PromotionError as error:
            raise self._jax.private.dtypes.TypePromotionError(str(error)) from None
        return self._jax.dtype(dtype), weak_type
