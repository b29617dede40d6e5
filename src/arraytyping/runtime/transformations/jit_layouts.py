"""Where the arguments and the results of a jitted function lie, as `in_shardings` and `out_shardings` say it.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.jit.html.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from arraytyping.runtime import tree
from arraytyping.runtime.core import is_eager
from arraytyping.runtime.lax.constraints import constrained, sharding_leaves
from arraytyping.runtime.sharding import NamedSharding, PartitionSpec, Sharding
from arraytyping.runtime.sharding.specs import UNCONSTRAINED

__all__ = ["JitLayouts"]

Leaves = tuple[Sharding | None, ...]


class JitLayouts:
    """The shardings as they were given, each a tree that is a prefix of that of the arguments or results, or None.

    Raises:
        ValueError: for a spec that leaves a dimension open.
    """

    __slots__ = ("inputs", "outputs")

    def __init__(self, in_shardings: Any, out_shardings: Any) -> None:
        self.inputs: Any = tuple(in_shardings) if isinstance(in_shardings, list) else in_shardings
        self.outputs: Any = out_shardings
        for what, given in (("in_shardings", in_shardings), ("out_shardings", out_shardings)):
            for leaf in tree.leaves(given):
                spec = leaf.spec if isinstance(leaf, NamedSharding) else leaf
                if isinstance(spec, PartitionSpec) and UNCONSTRAINED in spec.partitions:
                    raise ValueError(
                        f"Unconstrained dims are not allowed when passed to jit's {what}, and {spec} has one; use None "
                        "for a dimension that is whole, or leave the sharding out"
                    )

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said."""
        return self.inputs is None and self.outputs is None

    @property
    def key(self) -> Hashable:
        """What tells them apart."""
        return tuple((tuple(leaves), structure) for leaves, structure in map(_flat, (self.inputs, self.outputs)))

    def of_arguments(self, args: Sequence[Any], kwargs: dict[str, Any], name: str) -> Leaves | None:
        """The shardings of the leaves of the arguments that are not static; None where nothing is said.

        Raises:
            ValueError: if they are no prefix, and for arguments by name, which have none.
        """
        if self.inputs is None:
            return None
        if kwargs:
            raise ValueError(f"jit: {name} is called with arguments by name, which in_shardings cannot say anything of")
        if isinstance(self.inputs, tuple) and len(self.inputs) != len(args):
            raise ValueError(
                f"jit: in_shardings of {name} has {len(self.inputs)} entries, and the call has {len(args)} arguments "
                "that are not static; give one for each, or one for all"
            )
        return tuple(sharding_leaves(self.inputs, tuple(args), "jit in_shardings"))

    def of_results(self, result: Any) -> Leaves | None:
        """The shardings of the leaves of the result; None where nothing is said.

        Raises:
            ValueError: if they are no prefix.
        """
        return None if self.outputs is None else tuple(sharding_leaves(self.outputs, result, "jit out_shardings"))

    def constrained(self, function: Callable[..., Any], given: Leaves | None, found: list[Leaves | None]) -> Any:
        """A flat function whose arguments and results lie so; those of the results are put into `found`."""

        def lying(*leaves: Any) -> Any:
            assert not is_eager()
            outs = function(*_all(leaves, given))
            (results,) = found
            return _all(outs, results)

        return lying


def _flat(given: Any) -> Any:
    return tree.flatten(given, is_leaf=lambda node: node is None)


def _all(values: Sequence[Any], shardings: Leaves | None) -> list[Any]:
    if shardings is None:
        return list(values)
    return [constrained(v, s) if isinstance(s, NamedSharding) else v for v, s in zip(values, shardings)]
