"""How much is done for one entry point, and how far a loop is gone through."""

from __future__ import annotations

__all__ = ["Limits"]


class Limits:
    """Bounds on what is done: seconds of CPU for one entry point, depth of calls, iterations of loops one by one.

    A loop is gone through one by one for `unrolled` iterations (all nested ones together for `nested`), and on as
    long as it has executed fewer than `steps` statements; never for more than `loop_work`.  Where a program needs
    more than `idle_work`, a loop without operations of arrays, such as one that draws pictures, is gone through a
    few times only.  A test ends after `test_work`, unless its file has something left of `spare_work`.  Work is
    counted in statements, so that answers do not depend on the machine: seconds only end an entry point.
    """

    seconds: float = 60.0
    depth: int = 60
    unrolled: int = 64
    nested: int = 512
    steps: int = 15_000
    loop_work: int = 100_000
    idle_work: int = 30_000
    test_work: int = 150_000
    spare_work: int = 600_000
    rounds: int = 8

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Limits) and self._bounds() == other._bounds()

    def __hash__(self) -> int:
        return hash(tuple(self._bounds().values()))

    def _bounds(self) -> dict[str, float]:
        return {name: getattr(self, name) for name in Limits.__annotations__}
