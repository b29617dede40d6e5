"""Symbolic sizes as jax has them, and back.

jax takes `n % 2 == 0` to be false of a symbolic size, so a floor division in what it answers may come of a branch that
not all sizes take.  Only those that it was given are believed.

Source: https://docs.jax.dev/en/latest/export/shape_poly.html, whose text of a size is read.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, Final

from arraytyping.semantics.sizes.operations import floor_division, maximum, minimum
from arraytyping.semantics.sizes.polynomials import Size, Symbol, constant

__all__ = ["SymbolicSizes"]

_LARGEST_POWER: Final = 8


_FUNCTIONS: Final[dict[str, Callable[[Size, Size], Size | None]]] = {
    "floordiv": floor_division,
    "max": maximum,
    "min": minimum,
}
_OPERATORS: Final[dict[type, Callable[[Size, Size], Size]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


_WRITTEN: Final = re.compile(r"[\[(,*+-] *[A-Za-z_]\w*|\b[A-Za-z_]\w* *[\]),*+-]|\bn\d+\b")
_NAME: Final = re.compile(r"[^\W\d]\w*")


class SymbolicSizes:
    """The symbolic dimensions that jax was given, in one scope, so that equal names are equal."""

    def __init__(self, jax: ModuleType) -> None:
        self._export: Any = jax.export
        self._functions: dict[Any, Callable[[Any, Any], Any]] = {
            "floordiv": operator.floordiv,
            "max": jax.core.max_dim,
            "min": jax.core.min_dim,
        }
        self._scope: Any = self._export.SymbolicScope()
        self._dims: dict[Size, Any] = {}
        self._symbols: dict[str, tuple[Symbol, Any]] = {}
        self._read_before: dict[str, tuple[int, Size | None]] = {}
        """The sizes of texts, and how many symbols there were as each was read."""

    def to_jax(self, size: Size) -> Any:
        """The symbolic dimension of jax that a size is.

        Raises:
            ValueError: if a symbol has the name of another one.
        """
        found = self._dims.get(size)
        if found is None:
            values = {s.name: self._symbol(s) for s in size.symbols}
            found = self._dims[size] = size.at(values, self._functions)
        return found

    def _symbol(self, symbol: Symbol) -> Any:
        if symbol.name not in self._symbols:
            (dim,) = self._export.symbolic_shape(symbol.name, scope=self._scope)
            self._symbols[symbol.name] = symbol, dim
        known, dim = self._symbols[symbol.name]
        if known != symbol:
            raise ValueError(f"{symbol.name} is the name of another size")
        return dim

    def from_jax(self, dim: Any, given: Iterable[Size]) -> Size | None:
        """The size that a symbolic dimension of jax is, which answers a question about those that are given.

        None if it is made of other symbols, or by other operations than `+`, `-`, `*` and those in what is given.
        """
        size = self._size(str(dim))
        known = {operation for one in given for operation in one.operations}
        return size if size is not None and size.operations <= known else None

    def named_in(self, text: str) -> set[str]:
        """The symbols whose names stand in a text."""
        return {word for word in _NAME.findall(text) if word in self._symbols}

    def written_in(self, text: str) -> set[str]:
        """The symbols that stand in a text as sizes do, not as words: `a` in `[a, 3]` and `3*a`, `n1` anywhere."""
        written = (m[0].strip("[(,*+- ])") for m in _WRITTEN.finditer(text))
        return {word for word in written if word in self._symbols}

    def _size(self, text: str) -> Size | None:
        """The size of a text, which means the same until there are more symbols."""
        before = self._read_before.get(text)
        if before is not None and (before[1] is not None or before[0] == len(self._symbols)):
            return before[1]
        try:
            size = self._read(ast.parse(text.replace("^", "**"), mode="eval").body)
        except (SyntaxError, RecursionError):
            size = None
        self._read_before[text] = len(self._symbols), size
        return size

    def _read(self, node: ast.expr) -> Size | None:
        match node:
            case ast.Constant(value=int(number)):
                return constant(number)
            case ast.Name(id=name) if name in self._symbols:
                return Size({(self._symbols[name][0],): 1})
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                size = self._read(operand)
                return None if size is None else -size
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power))) if power <= _LARGEST_POWER:
                base, size = self._read(left), constant(1)
                if base is None:
                    return None
                for _ in range(power):
                    size *= base
                return size
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                a, b = self._read(left), self._read(right)
                return None if a is None or b is None else _OPERATORS[type(op)](a, b)
            case ast.Call(func=ast.Name(id=name), args=[left, right], keywords=[]) if name in _FUNCTIONS:
                a, b = self._read(left), self._read(right)
                return None if a is None or b is None else _FUNCTIONS[name](a, b)
        return None
