"""What a treedef is to mypy: jaxlib, which has JAX's class of them, declares nothing that mypy finds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic

from typing_extensions import TypeVar

__all__ = ["PyTreeDef"]

Tree = TypeVar("Tree", covariant=True, default=Any)


class PyTreeDef(Generic[Tree]):
    """The structure of a pytree; the parameter is the tree that it was taken from.

    The plugin has it go wherever JAX's own is declared, and have all that JAX's has.
    """

    num_leaves: int
    num_nodes: int

    def unflatten(self, leaves: Iterable[Any], /) -> Any:
        """The tree with these leaves."""
        raise NotImplementedError

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """What stands in a tree where this one has its leaves."""
        raise NotImplementedError
