"""Outcomes: what jax has answered to a question, as it is kept."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.engines.concreteness import asked_types
from arraytyping.checker.flow.engines.jax import Refused
from arraytyping.checker.flow.engines.refusals import code_of, first_line
from arraytyping.checker.flow.engines.structures import copy_structure
from arraytyping.checker.flow.values import Value

__all__ = ["Outcome"]


class Outcome:
    """The kept answer of jax: a value, or a mistake; `asks` are the types of tracers whose values it needs."""

    __slots__ = ("asks", "code", "message", "value")

    def __init__(self, value: Value, code: str = "", message: str = "", asks: frozenset[str] | None = None) -> None:
        self.value: Any = value
        self.code: str = code
        self.message: str = message
        self.asks: frozenset[str] | None = asks

    def apart(self) -> Outcome:
        """The same with containers of its own: what a run makes is empty again where that is taken back."""
        return Outcome(copy_structure(self.value), self.code, self.message, self.asks)

    @staticmethod
    def of(refused: Refused) -> Outcome:
        """The mistake that jax refuses."""
        asks = asked_types(refused.error, refused.is_concreteness)
        code = code_of(refused) if asks is None else "array-traced"
        return Outcome(None, code, first_line(refused.error), asks)
