"""Systems given as a table: what each two nodes promote to, where no graph says it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from arraytyping.semantics.promotion.laws import associativity, commutativity, existence, idempotence
from arraytyping.semantics.promotion.system import PromotionError, System

__all__ = ["TableSystem"]

_JOIN_LAWS: Final = (commutativity, idempotence, associativity)


class TableSystem(System):
    """A system given by what two nodes promote to: `results` says it, and what it leaves out is undefined."""

    def __init__(
        self,
        name: str,
        nodes: Iterable[str],
        results: Callable[[str, str], str | None],
        *,
        title: str,
        source: str,
        scalars: Iterable[str] = (),
        columns: Iterable[str] | None = None,
        stored: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(name, title=title, source=source, nodes=nodes, scalars=scalars, columns=columns, stored=stored)
        self._result_of = results

    def _promote(self, a: str, b: str) -> str:
        result = self._result_of(a, b)
        if result is None:
            raise PromotionError(f"{self.name} defines no promotion of {a} and {b}; convert one of them", (a, b))
        return result

    def _has_joins(self, *, partial: bool) -> bool:
        laws = _JOIN_LAWS if partial else (existence, *_JOIN_LAWS)
        return not any(True for law in laws for _ in law(self, self.tabled))
