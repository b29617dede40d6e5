"""Names and arguments that jax and flax had in earlier releases and have no more, and what to write instead.

Source: https://docs.jax.dev/en/latest/changelog.html and https://github.com/google/flax/blob/main/CHANGELOG.md.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["REMOVED", "REMOVED_ARGUMENTS", "is_expression", "removal_sentence", "removed_argument_sentence"]

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
    "jax.lax.dtypes": "jax.dtypes",
    "jax.lax.partial": "functools.partial",
    "jax.lax.prod": "jax.numpy.prod",
    "jax.lax.pvary": "jax.lax.pcast",
    "jax.lax.zeros_like_array": "jax.numpy.zeros_like",
    "jax.numpy.NINF": "-jax.numpy.inf",
    "jax.numpy.NZERO": "-0.0",
    "jax.numpy.PZERO": "0.0",
    "jax.numpy.fix": "jax.numpy.trunc",
    "jax.numpy.issubsctype": "jax.numpy.issubdtype",
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
    "jax.scipy.linalg.polar_unitary": "jax.scipy.linalg.polar",
    "jax.scipy.special.sph_harm": "jax.scipy.special.sph_harm_y",
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
    "jax.experimental.export": "jax.export",
    "jax.experimental.array_api": "jax.numpy",
    "jax.experimental.enable_x64": "jax.enable_x64",
    "jax.experimental.disable_x64": "jax.enable_x64(False)",
    "jax.experimental.callback": "jax.debug.callback",
    "jax.experimental.optix": "optax",
    "jax.experimental.sharded_jit": "jax.jit",
    "jax.experimental.PartitionSpec": "jax.sharding.PartitionSpec",
    "jax.experimental.pjit.PartitionSpec": "jax.sharding.PartitionSpec",
    "jax.experimental.pjit.with_sharding_constraint": "jax.lax.with_sharding_constraint",
    "jax.experimental.pjit.NamedSharding": "jax.sharding.NamedSharding",
    "jax.interpreters.pxla.Mesh": "jax.sharding.Mesh",
    "jax.interpreters.pxla.device_put": "jax.device_put",
    "jax.interpreters.xla.Buffer": "jax.Array",
    "jax.interpreters.xla.device_put": "jax.device_put",
    "jax.interpreters.pxla.PartitionSpec": "jax.sharding.PartitionSpec",
    "jax.interpreters.pxla.ShardedDeviceArray": "jax.Array",
    "jax.sharding.PositionalSharding": "jax.sharding.NamedSharding",
    "jax.sharding.MeshPspecSharding": "jax.sharding.NamedSharding",
    "jax.sharding.XLACompatibleSharding": "jax.sharding.Sharding",
    "jax.sharding.use_mesh": "jax.set_mesh",
    "jax.stages.OutInfo": "jax.ShapeDtypeStruct",
    "jax.random.PRNGKeyArray": "jax.Array",
    "jax.random.KeyArray": "jax.Array",
    "jax.lib.xla_bridge": "jax.extend.backend",
    "jax.treedef_is_leaf": "jax.tree_util.treedef_is_leaf",
    "jax.treedef_children": "jax.tree_util.treedef_children",
    "jax.tree_util.build_tree": "jax.tree.unflatten",
    "jax.dlpack.to_dlpack": "",
    "jax.core.get_aval": "jax.typeof",
    **{
        f"jax.core.{name}": f"jax.extend.core.{name}"
        for name in ("ClosedJaxpr", "Jaxpr", "JaxprEqn", "Literal", "Primitive", "Token", "Var", "jaxpr_as_fun")
    },
    "jax.clear_backends": "jax.extend.backend.clear_backends",
    "jax.abstract_arrays.ShapedArray": "jax.core.ShapedArray",
    "jax.abstract_arrays": "jax.core",
    "jax.api": "jax",
    "jax.custom_transforms": "jax.custom_jvp",
    "jax.partial_eval": "jax.interpreters.partial_eval",
    "jax.prng": "",
    "jax.pxla": "jax.interpreters.pxla",
    "jax.util": "",
    "jax.xla": "jax.interpreters.xla",
    "flax.optim": "optax",
    "flax.nn": "flax.linen",
    "flax.deprecated": "flax.linen",
}
"""By the name that is gone, what stands for it; the empty text where nothing does."""

REMOVED_ARGUMENTS: Final[dict[str, dict[str, str]]] = {
    "numpy.clip": {"a": "arr", "a_min": "min", "a_max": "max"},
    "numpy.percentile": {"interpolation": "method"},
    "numpy.quantile": {"interpolation": "method"},
    "numpy.nanpercentile": {"interpolation": "method"},
    "numpy.nanquantile": {"interpolation": "method"},
}
"""By the name of a rule, the arguments that jax's own declarations still have and the newest release has not."""


_IN_EXPRESSIONS: Final = re.compile(r"[^\w. ]|^\d")


def is_expression(instead: str) -> bool:
    """Whether what stands for a name is no name but an expression, as `-jax.numpy.inf` is."""
    return _IN_EXPRESSIONS.search(instead) is not None


def removal_sentence(full_name: str, instead: str | None) -> str:
    """What is said of a name that is gone; the empty text: nothing stands for it, None: it is open what does."""
    gone = f"the installed {full_name.partition('.')[0]} has no {full_name} any more"
    if instead is None:
        return gone
    return f"{gone}; write {instead} in its place" if instead else f"{gone}; nothing stands for it"


def removed_argument_sentence(rule: str, name: str, instead: str) -> str:
    """What is said of an argument that is gone."""
    function = f"jax.{rule}"
    return f"TypeError: {function} of the installed jax has no argument {name} any more; write {instead} in its place"
