"""Names that jax and flax had in earlier releases and have no more, and what their change logs say to write instead.

Source: https://docs.jax.dev/en/latest/changelog.html and https://github.com/google/flax/blob/main/CHANGELOG.md.
"""

from __future__ import annotations

import sys
from typing import Final

from arraytyping.checker.flow.real_calls.library_imports import import_library
from arraytyping.checker.flow.values import LazyName, Value

__all__ = ["FOLLOWED", "REMOVED", "replacement_of", "what_became_of"]

REMOVED: Final[dict[str, str]] = {
    "jax.tree_map": "jax.tree.map",
    "jax.tree_multimap": "jax.tree.map",
    "jax.tree_leaves": "jax.tree.leaves",
    "jax.tree_flatten": "jax.tree.flatten",
    "jax.tree_unflatten": "jax.tree.unflatten",
    "jax.tree_structure": "jax.tree.structure",
    "jax.tree_transpose": "jax.tree.transpose",
    "jax.tree_all": "jax.tree.all",
    "jax.tree_reduce": "jax.tree.reduce",
    "jax.tree_util.tree_multimap": "jax.tree.map",
    "jax.partial": "functools.partial",
    "jax.curry": "functools.partial",
    "jax.device_put_replicated": "jax.device_put with a sharding",
    "jax.device_put_sharded": "jax.device_put with a sharding",
    "jax.host_id": "jax.process_index",
    "jax.host_ids": "jax.process_indices",
    "jax.host_count": "jax.process_count",
    "jax.linear_util": "jax.extend.linear_util",
    "jax.xla_computation": "jax.jit",
    "jax.mask": "",
    "jax.shapecheck": "",
    "jax.soft_pmap": "jax.pmap",
    "jax.random.shuffle": "jax.random.permutation",
    "jax.nn.normalize": "jax.nn.standardize",
    "jax.lax.tie_in": "",
    "jax.numpy.trapz": "jax.numpy.trapezoid",
    "jax.numpy.in1d": "jax.numpy.isin",
    "jax.numpy.row_stack": "jax.numpy.vstack",
    "jax.numpy.msort": "jax.numpy.sort",
    "jax.numpy.product": "jax.numpy.prod",
    "jax.numpy.cumproduct": "jax.numpy.cumprod",
    "jax.numpy.alltrue": "jax.numpy.all",
    "jax.numpy.sometrue": "jax.numpy.any",
    "jax.numpy.round_": "jax.numpy.round",
    "jax.numpy.DeviceArray": "jax.Array",
    "jax.interpreters.xla.DeviceArray": "jax.Array",
    "jax.interpreters.xla._DeviceArray": "jax.Array",
    "jax.scipy.linalg.tril": "jax.numpy.tril",
    "jax.scipy.linalg.triu": "jax.numpy.triu",
    "jax.ops.index": "jax.numpy.s_",
    "jax.ops.index_update": "x.at[index].set(values)",
    "jax.ops.index_add": "x.at[index].add(values)",
    "jax.ops.index_mul": "x.at[index].multiply(values)",
    "jax.ops.index_min": "x.at[index].min(values)",
    "jax.ops.index_max": "x.at[index].max(values)",
    "jax.experimental.maps": "jax.shard_map",
    "jax.experimental.stax": "jax.example_libraries.stax",
    "jax.experimental.optimizers": "jax.example_libraries.optimizers",
    "jax.experimental.host_callback": "jax.pure_callback",
    "jax.experimental.global_device_array": "jax.Array",
    "jax.experimental.loops": "jax.lax.fori_loop",
    "jax.clear_backends": "jax.extend.backend.clear_backends",
    "jax.abstract_arrays": "jax.core",
    "jax.api": "jax",
    "flax.optim": "optax",
}
"""By the name that is gone, what stands for it; the empty text where nothing does."""

FOLLOWED: Final[dict[str, LazyName]] = {
    "jax.device_put_replicated": LazyName("removed_from_jax", "device_put_replicated"),
    "jax.device_put_sharded": LazyName("removed_from_jax", "device_put_sharded"),
    "flax.optim": LazyName("removed_flax_optim"),
}
"""Those of the names used in another way that a stand-in follows, and what is in it."""

_OTHERWISE: Final = FOLLOWED.keys() | {
    "jax.abstract_arrays", "jax.clear_backends", "jax.curry", "jax.experimental.global_device_array",
    "jax.experimental.host_callback", "jax.experimental.loops", "jax.experimental.maps", "jax.soft_pmap",
    "jax.xla_computation",
}  # fmt: skip
"""Those in whose place stands what is used in another way."""


def what_became_of(full_name: str) -> str | None:
    """A sentence on a name that the installed jax or flax has no more; None if it never had it, or has it."""
    library = full_name.partition(".")[0]
    if full_name not in REMOVED or library not in sys.modules:
        return None
    instead = REMOVED[full_name]
    if instead and not _is_there(instead):
        instead = ""
    advice = f"write {instead} in its place" if instead else "nothing stands for it"
    return f"the installed {library} has no {full_name} any more; {advice}"


def replacement_of(full_name: str) -> Value:
    """What the program will have in the place of a name that is gone, if it is used in the same way; None if not.

    With it a program is followed on, as it will be when its author has written what the message says.
    """
    instead = REMOVED.get(full_name, "")
    return None if full_name in _OTHERWISE or "[" in instead or not instead else _named(instead)


def _is_there(name: str) -> bool:
    """Whether what is named can be found in the installed libraries; an expression always can."""
    return "[" in name or _named(name.partition(" ")[0]) is not None


def _named(name: str) -> Value:
    """What is named in the installed libraries; None if there is nothing."""
    parts = name.split(".")
    for i in range(len(parts), 0, -1):
        found: Value = import_library(".".join(parts[:i]))
        if found is not None:
            for part in parts[i:]:
                found = getattr(found, part, None)
            return found
    return None
