"""jaxtyping's `PyTree[Float32[Array, "n"]]` in mypy's types: `Any`, as to jaxtyping, with what was written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mypy.types import AnyType, Type, get_proper_type

from arraytyping_mypy.named_sizes import any_of, text_of_any

if TYPE_CHECKING:
    from arraytyping.checker.flow.contracts.grammar import DimSpec

__all__ = ["Tree", "tree_of", "tree_type"]

_TREE: Final = "PyTree|"


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree each of whose leaves is an array of these dimensions; `structure` is the name of how it is built."""

    dims: tuple[DimSpec, ...]
    structure: str


def tree_type(dims: str, structure: str) -> AnyType:
    """The type of a tree of arrays of these dimensions."""
    return any_of(f"{_TREE}{structure}|{dims}")


def tree_of(t: Type) -> Tree | None:
    """The tree that a type is; None for any other type."""
    p = get_proper_type(t)
    text = text_of_any(p) if isinstance(p, AnyType) else None
    if text is None or not text.startswith(_TREE):
        return None
    from arraytyping.checker.flow.contracts.grammar import parse_dims

    structure, _, dims = text.removeprefix(_TREE).partition("|")
    return Tree(parse_dims(dims), structure)
