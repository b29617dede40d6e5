"""The join of two values: one that describes whatever either describes; each sort of values registers its own."""

from arraytyping.checker.flow.state.joins import arrays, containers, objects
from arraytyping.checker.flow.state.joins.aliased_values import aliased
from arraytyping.checker.flow.state.joins.joining import (
    SCALARS,
    join,
    join_all,
    join_each,
    join_snapshots,
    joining_in_doubt,
    open_tree_of,
    same_contents,
    scalar_kinds,
    sharing_joins,
)

__all__ = [
    "SCALARS",
    "aliased",
    "arrays",
    "containers",
    "join",
    "join_all",
    "join_each",
    "join_snapshots",
    "joining_in_doubt",
    "objects",
    "open_tree_of",
    "same_contents",
    "scalar_kinds",
    "sharing_joins",
]
