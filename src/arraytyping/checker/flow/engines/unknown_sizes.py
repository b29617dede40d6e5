"""Names for sizes of which nothing is known, while a library is called: jax takes symbols, and no unknown sizes.

What a library gives is known without them: a size that is made of such a one is not known either.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.state.forgotten_sizes import without_names
from arraytyping.checker.flow.state.fresh_sizes import fresh_size
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, Value
from arraytyping.semantics.avals import Shape, ShapedArray
from arraytyping.semantics.sizes.dims import Dim, as_dim

__all__ = ["UnknownSizes"]


class UnknownSizes:
    """The names that were given in the calls of libraries that are under way."""

    def __init__(self) -> None:
        self._names: list[set[str]] = []

    @contextmanager
    def within(self) -> Iterator[None]:
        """Within this, a library is called."""
        self._names.append(set())
        try:
            yield
        finally:
            self._names.pop()

    def named(self, it: Interpreter, shape: Shape) -> Shape:
        """The shape with a symbol of its own for each size that is not known.

        Raises:
            Abort: if no library is called.
        """
        if None not in shape:
            return shape
        if not self._names:
            raise Abort("an array of unknown sizes")
        return tuple(self._name(it) if dim is None else dim for dim in shape)

    def _name(self, it: Interpreter) -> Dim:
        size = fresh_size(it, "n")
        self._names[-1] |= {symbol.name for symbol in size.symbols}
        return as_dim(size)

    def tracer(self, it: Interpreter, leaf: Value) -> Value:
        """A tracer with a symbol for each size that is not known: in a trace it is one; what is no array stays."""
        if not isinstance(leaf, ArrayValue) or leaf.real is not None or None not in (leaf.aval.shape or ()):
            return leaf
        assert leaf.aval.shape is not None
        made = leaf.as_traced(leaf.traced)
        made.aval = ShapedArray(self.named(it, leaf.aval.shape), leaf.aval.dtype, leaf.aval.weak_type)
        return made

    def forget(self, value: Value) -> Value:
        """The value without the names that were given in the innermost call."""
        return without_names(value, self._names[-1])
