"""JAX's promotion as systems: with x64, which the published table shows, without it, strict, and `jax.lax`.

Sources: https://docs.jax.dev/en/latest/type_promotion.html and JEP 9407.
"""

from __future__ import annotations

from typing import Final

from arraytyping.semantics.lattice import JoinError, Lattice
from arraytyping.semantics.promotion.jax import WEAK, JaxPromotion, Mode
from arraytyping.semantics.promotion.system import PUBLISHED, GraphSystem
from arraytyping.semantics.promotion.table_system import TableSystem

__all__ = ["JaxSystem", "jax", "jax_strict", "jax_x32", "lax"]

_SOURCE: Final = "https://docs.jax.dev/en/latest/type_promotion.html"
_APPENDIX: Final = "https://docs.jax.dev/en/latest/jep/9407-type-promotion.html#jax-type-promotion-jax-lax"
_WIDE: Final = ("int64", "uint64", "float64", "complex128")


class JaxSystem(GraphSystem):
    """A graph that JAX promotes by; it refuses in JAX's words."""

    def __init__(self, name: str, engine: JaxPromotion, graph: Lattice, *, title: str) -> None:
        columns = tuple(n for n in PUBLISHED if n in graph.elements)
        stored = {weak: engine.default(weak) for weak in WEAK}
        super().__init__(name, graph, title=title, source=_SOURCE, scalars=WEAK, columns=columns, stored=stored)
        self.engine: Final = engine

    def _join(self, operands: tuple[str, ...]) -> str:
        try:
            return self.graph.join(*operands)
        except JoinError:
            return self.engine.bound(*operands)  # raises, in JAX's words


def _whole(name: str, mode: Mode, title: str) -> JaxSystem:
    engine = JaxPromotion(mode, x64=True)
    return JaxSystem(name, engine, engine.lattice, title=title)


def jax() -> JaxSystem:
    """`jax.numpy` with x64: the lattice that JAX documents."""
    return _whole("jax", "standard", "jax.numpy with x64")


def jax_strict() -> JaxSystem:
    """`jax.numpy` with `jax_numpy_dtype_promotion="strict"`: only weak types promote."""
    return _whole("jax-strict", "strict", 'jax.numpy with jax_numpy_dtype_promotion="strict"')


def jax_x32() -> JaxSystem:
    """`jax.numpy` without x64, its default: there are no 64-bit dtypes, and uint32 promotes with int32 to int32."""
    engine = JaxPromotion("standard", x64=False)
    whole = engine.lattice
    kept = tuple(n for n in whole.elements if n not in _WIDE)
    graph = Lattice({n: _next_up(whole, n, kept) for n in kept})
    return JaxSystem("jax-x32", engine, graph, title="jax.numpy without x64")


def _next_up(lattice: Lattice, node: str, kept: tuple[str, ...]) -> tuple[str, ...]:
    """What lies directly above a node once only some nodes are kept."""
    above = [n for n in kept if n != node and lattice.le(node, n)]
    return tuple(a for a in above if not any(b != a and lattice.le(b, a) for b in above))


def lax() -> TableSystem:
    """`jax.lax`, which promotes nothing: equal dtypes, and a Python scalar with the dtype that it has by default.

    Its table is that of addition, which booleans do not have.
    """
    defaults = {"int": "int64", "float": "float64", "complex": "complex128"}

    def results(a: str, b: str) -> str | None:
        if a == b:
            return None if a == "bool" else a
        return b if defaults.get(a) == b else a if defaults.get(b) == a else None

    return TableSystem(
        "lax", PUBLISHED, results, title="jax.lax with x64: no implicit promotion", source=_APPENDIX, scalars=WEAK
    )
