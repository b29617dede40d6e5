"""Whether two types, as mypy prints them in its messages, can describe one array.

mypy compares two arrays by their type parameters: `Array[signedinteger | int, Any]` is no `Array[int32, Any]` to it,
although an array may be both.  They contradict each other only if no array is both.
"""

from __future__ import annotations

import ast
from enum import Enum
from functools import lru_cache
from typing import Final

from arraytyping import scalars
from arraytyping.checker.unions import members_of_union

__all__ = ["Comparison", "compare", "shown"]


class Comparison(Enum):
    """What the difference of two types comes to."""

    DISJOINT = "no array is both"
    ALIKE = "they differ in what is known of arrays, and a value may be both"
    OTHER = "they differ in something else as well, or it cannot be told"


_WEAK: Final = {"int": "integer", "float": "floating", "complex": "complexfloating"}
"""The group in which the dtype of each weak type is."""


@lru_cache(maxsize=1024)
def compare(given: str, expected: str) -> Comparison:
    """What the difference of these two types, of which mypy says that they do not go together, comes to."""
    try:
        a, b = _parsed(given), _parsed(expected)
    except SyntaxError:
        return Comparison.OTHER
    return _compare(a, b)


def shown(text: str) -> str:
    """A type as the messages of the rules show it: `float32[3, ?]`."""
    try:
        members = list(members_of_union(_parsed(text)))
    except SyntaxError:
        return text
    return " | ".join(_shown_array(m) if _is_array(m) else ast.unparse(m) for m in members)


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _compare(a: ast.expr, b: ast.expr) -> Comparison:
    if ast.dump(a) == ast.dump(b):
        return Comparison.ALIKE
    left, right = list(members_of_union(a)), list(members_of_union(b))
    if not all(_is_array(m) for m in left):
        return _compare_containers(a, b)
    arrays = [m for m in right if _is_array(m)]
    if not arrays:
        return Comparison.OTHER
    if any(_overlap(m, n) for m in left for n in arrays):
        return Comparison.ALIKE
    # Of several, one may be something else that is expected, such as an array that is a value of a protocol.
    certain = len(left) == 1 or len(arrays) == len(right)
    return Comparison.DISJOINT if certain else Comparison.ALIKE


def _compare_containers(a: ast.expr, b: ast.expr) -> Comparison:
    """Tuples item by item; in anything else arrays may differ."""
    if isinstance(a, ast.Subscript) and isinstance(b, ast.Subscript) and _name(a.value) == _name(b.value):
        one, other = _arguments(a), _arguments(b)
        if len(one) == len(other):
            found = {_compare(x, y) for x, y in zip(one, other)}
            if Comparison.OTHER not in found:
                is_tuple = _name(a.value) == "tuple"
                return Comparison.DISJOINT if is_tuple and Comparison.DISJOINT in found else Comparison.ALIKE
    return Comparison.OTHER


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _arguments(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _is_array(node: ast.expr) -> bool:
    return isinstance(node, ast.Subscript) and _name(node.value) == "Array" and len(_arguments(node)) == 2


def _overlap(a: ast.expr, b: ast.expr) -> bool:
    """Whether one array may have both types."""
    assert isinstance(a, ast.Subscript)
    assert isinstance(b, ast.Subscript)
    (dtype, shape), (other_dtype, other_shape) = _arguments(a), _arguments(b)
    expected = [_name(n) for n in members_of_union(other_dtype)]
    # `Float32` is `float32 | float`: what is expected of one that is not weak is the dtype beside the weak type.
    strong = [n for n in expected if n not in _WEAK] or expected
    given = [_name(m) for m in members_of_union(dtype)]
    dtypes = any(_dtypes_overlap(m, n) for m in given for n in (expected if m in _WEAK else strong))
    return dtypes and any(_shapes_overlap(m, n) for m in members_of_union(shape) for n in members_of_union(other_shape))


def _dtypes_overlap(a: str, b: str) -> bool:
    if a in _WEAK and b in _WEAK:
        return a == b
    if "Any" in (a, b):
        return True
    one, other = getattr(scalars, _WEAK.get(a, a), None), getattr(scalars, _WEAK.get(b, b), None)
    if not (isinstance(one, type) and isinstance(other, type)):
        return True
    return issubclass(one, other) or issubclass(other, one)


def _shapes_overlap(a: ast.expr, b: ast.expr) -> bool:
    one, other = _sizes(a), _sizes(b)
    if one is None or other is None:
        return True
    return len(one) == len(other) and all(x == y or x is None or y is None for x, y in zip(one, other))


def _sizes(node: ast.expr) -> tuple[int | None, ...] | None:
    """The sizes of a shape; None if not even their number is known."""
    if not isinstance(node, ast.Subscript) or _name(node.value) != "tuple":
        return None
    items = _arguments(node)
    if any(isinstance(i, ast.Starred) or (isinstance(i, ast.Constant) and i.value is ...) for i in items):
        return None
    return tuple(_size(i) for i in items)


def _size(node: ast.expr) -> int | None:
    if isinstance(node, ast.Subscript) and _name(node.value) == "Literal" and isinstance(node.slice, ast.Constant):
        value = node.slice.value
        return value if isinstance(value, int) else None
    return None


def _shown_array(node: ast.expr) -> str:
    assert isinstance(node, ast.Subscript)
    dtype, shape = _arguments(node)
    names = [_name(m).rstrip("_") for m in members_of_union(dtype)]
    # A weak type beside the dtype that it has says no more to a reader.
    strong = [n for n in names if n not in _WEAK] or names
    name = " or ".join("?" if n == "Any" else n for n in strong)
    sizes = _sizes(shape)
    inside = "..." if sizes is None else ", ".join("?" if s is None else str(s) for s in sizes)
    return f"{name}[{inside}]"
