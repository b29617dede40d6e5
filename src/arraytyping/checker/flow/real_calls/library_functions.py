"""Which functions of libraries on top of JAX are called: their public names, without those that reach outside.

A function of a private module is called if a public module gives it a name, as `jax.numpy` does with most of what it
has.  What a public function has made, such as an initializer or an optimizer, is called too.
"""

from __future__ import annotations

import sys
import types
from typing import Any, Final

from arraytyping.checker.flow.real_calls.own_names import is_face, own_contents, stands_alone
from arraytyping.checker.flow.values import Value

__all__ = ["JAX_LIKE", "LibraryFunctions", "head_of", "is_jax_like", "is_outside"]

JAX_LIKE: Final = (
    "jax", "jaxlib", "optax", "flax", "equinox", "chex", "jaxtyping", "ml_dtypes", "einops", "lineax", "diffrax",
    "optimistix", "quadax", "jaxopt", "distrax", "haiku", "quax", "penzai", "numpyro", "blackjax",
)  # fmt: skip
"""Libraries that are written on jax: their functions are asked abstractly."""

_FILES: Final = "it reads or writes files"
_PROCESS: Final = "it starts, measures or changes the process, or other ones"
_CODE: Final = "it loads or makes code"
_GLOBAL: Final = "it changes tables that hold for every program"

OUTSIDE: Final[dict[str, str]] = {
    "arraytyping.checker": _CODE,
    "arraytyping.config": _GLOBAL,
    "arraytyping.facts": _FILES,
    "arraytyping.regular_files": _FILES,
    "arraytyping.runtime.xla": _CODE,
    "arraytyping.user_warnings": _GLOBAL,
    "jax.cloud_tpu_init": _PROCESS,
    "jax.collect_profile": _PROCESS,
    "jax.distributed": _PROCESS,
    "jax.monitoring": _GLOBAL,
    "jax.profiler": _PROCESS,
    "jax.test_util": _PROCESS,
    "jax.tools": _FILES,
    "jax.lib": _CODE,
    "jax.ffi": _CODE,
    "jax.extend.backend": _CODE,
    "jax.extend.ifrt_programs": _CODE,
    "jax.extend.mlir": _CODE,
    "jax.extend.ffi": _CODE,
    "jax.extend.xla": _CODE,
    "jax.interpreters.mlir": _GLOBAL,
    "jax.interpreters.xla": _GLOBAL,
    "jax.interpreters.pxla": _GLOBAL,
    "jax.experimental.array_serialization": _FILES,
    "jax.experimental.buffer_callback": _CODE,
    "jax.experimental.colocated_python": _CODE,
    "jax.experimental.compilation_cache": _FILES,
    "jax.experimental.jax2tf": _CODE,
    "jax.experimental.mosaic": _CODE,
    "jax.experimental.multihost_utils": _PROCESS,
    "jax.experimental.profiler": _PROCESS,
    "jax.experimental.roofline": _PROCESS,
    "jax.experimental.serialize_executable": _CODE,
    "jax.experimental.source_mapper": _FILES,
    "jax.experimental.topologies": _CODE,
    "jax.experimental.transfer": _PROCESS,
    "jax._src.cloud_tpu_init": _PROCESS,
    "jax._src.clusters": _PROCESS,
    "jax._src.compilation_cache": _FILES,
    "jax._src.compiler": _CODE,
    "jax._src.config": _GLOBAL,
    "jax._src.distributed": _PROCESS,
    "jax._src.lib": _CODE,
    "jax._src.lru_cache": _FILES,
    "jax._src.monitoring": _GLOBAL,
    "jax._src.path": _FILES,
    "jax._src.profiler": _PROCESS,
    "jax._src.test_util": _PROCESS,
    "jax._src.tpu": _CODE,
    "jax._src.xla_bridge": _CODE,
    "flax.configurations": _GLOBAL,
    "flax.io": _FILES,
    "flax.metrics.tensorboard": _FILES,
    "flax.nnx.visualization": _PROCESS,
    "flax.testing": _PROCESS,
    "flax.training.checkpoints": _FILES,
    "flax.training.orbax_utils": _FILES,
    "flax.training.prefetch_iterator": _PROCESS,
    "jaxtyping._import_hook": _CODE,
    "jaxtyping._ipython_extension": _CODE,
    "jaxtyping._pytest_plugin": _CODE,
    "numpyro.infer.inspect": _PROCESS,
}
"""Modules of which nothing is called, with those in them, and why."""

REFUSED: Final[dict[str, str]] = {
    "jax.clear_backends": _GLOBAL,
    "jax.clear_caches": _GLOBAL,
    "jax.default_backend": _CODE,
    "jax.device_count": _CODE,
    "jax.devices": _CODE,
    "jax.host_count": _CODE,
    "jax.host_id": _CODE,
    "jax.host_ids": _CODE,
    "jax.live_arrays": _PROCESS,
    "jax.local_device_count": _CODE,
    "jax.local_devices": _CODE,
    "jax.print_environment_info": _PROCESS,
    "jax.process_count": _CODE,
    "jax.process_index": _CODE,
    "jax.process_indices": _CODE,
    "jax.export.deserialize": _CODE,
    "jax.export.register_namedtuple_serialization": _GLOBAL,
    "jax.export.register_pytree_node_serialization": _GLOBAL,
    "jax.numpy.fromfile": _FILES,
    "jax.numpy.load": _FILES,
    "jax.numpy.save": _FILES,
    "jax.numpy.savez": _FILES,
    "jax.numpy.set_printoptions": _GLOBAL,
    "jax.experimental.pallas.register_backend": _GLOBAL,
    "chex.assert_devices_available": _PROCESS,
    "arraytyping.load_ipython_extension": _CODE,
    "arraytyping.unload_ipython_extension": _CODE,
    "chex.restrict_backends": _GLOBAL,
    "chex.set_n_cpu_devices": _GLOBAL,
    "equinox.tree_deserialise_leaves": _FILES,
    "equinox.tree_serialise_leaves": _FILES,
    "equinox.default_deserialise_filter_spec": _FILES,
    "equinox.default_serialise_filter_spec": _FILES,
    "equinox.debug.breakpoint_if": _PROCESS,
    "flax.nnx.display": _PROCESS,
    "jaxtyping.install_import_hook": _CODE,
    "jaxtyping.load_ipython_extension": _CODE,
    "numpyro.render_model": _PROCESS,
    "numpyro.set_host_device_count": _GLOBAL,
    "numpyro.set_platform": _GLOBAL,
}
"""Public functions that are not called, and why."""

REFUSED.update(
    {name.replace("jax.", "arraytyping.", 1): why for name, why in REFUSED.items() if name.startswith("jax.")}
)

_COPIED: Final = "it only computes, and modules that are made after Flax's own ask it"

PRIVATE: Final = {
    "flax.linen.linear._canonicalize_tuple": _COPIED,
    "flax.linen.linear._conv_dimension_numbers": _COPIED,
    "flax.linen.linear._normalize_axes": _COPIED,
    "flax.linen.normalization._abs_sq": _COPIED,
    "flax.linen.normalization._canonicalize_axes": _COPIED,
    "flax.linen.normalization._compute_stats": _COPIED,
    "flax.linen.normalization._normalize": _COPIED,
    "optax._src.utils.x64_precision": "it sets an option of jax that decides dtypes, and libraries name it so",
}
"""What is called although its module is private, and why."""

REFUSED_METHODS: Final = frozenset({
    "compile", "compiler_ir", "runtime_executable", "serialize", "deserialize", "save", "savez", "load", "tofile",
    "dump", "dumps", "tobytes", "write", "read", "connect", "shutdown", "initialize", "lower_as_mlir",
    "deserialize_using_proto", "serialize_using_proto", "make_from_node_data_and_children", "from_bytes",
})  # fmt: skip
"""Methods of such libraries that are not called: they compile, which may write files, or read and write."""

_PRIVATE: Final = frozenset({"test", "tests", "testing", "test_util"})


def head_of(module: str) -> str:
    """The package that a module is in."""
    return module.partition(".")[0]


def is_jax_like(package: str) -> bool:
    """Whether functions of a package are asked abstractly: those of our runtime only where there is no jax to ask."""
    return package in JAX_LIKE or (package == "arraytyping" and stands_alone())


def is_outside(module: str) -> bool:
    """Whether nothing of a module is called."""
    while module:
        if module in OUTSIDE:
            return True
        module = module.rpartition(".")[0]
    return False


class LibraryFunctions:
    """The objects that public modules give a name to, of the modules that are imported by now."""

    def __init__(self) -> None:
        self._modules = -1
        self._sizes: dict[str, int] = {}
        self._public: dict[int, Any] = {}
        self._refused: dict[int, Any] = {}

    def is_public(self, value: Value) -> bool:
        """Whether a public name is bound to this very object, and it is not refused."""
        self._refresh()
        return id(value) in self._public and id(value) not in self._refused

    def is_refused(self, value: Value) -> bool:
        """Whether it is one of those that are not called."""
        self._refresh()
        return id(value) in self._refused

    def _refresh(self) -> None:
        if len(sys.modules) == self._modules:
            return
        self._modules = len(sys.modules)
        # A submodule binds its name, and perhaps others, in packages that were seen before.
        for name, module in list(sys.modules.items()):
            if not is_jax_like(head_of(name)) or not isinstance(module, types.ModuleType):
                continue
            found = own_contents(module) if name == "arraytyping" else vars(module)
            if self._sizes.get(name) == len(found):
                continue
            self._sizes[name] = len(found)
            is_public = _is_public(name)
            for key, value in list(found.items()):
                if f"{name}.{key}" in REFUSED:
                    self._refused[id(value)] = value
                elif (is_public and not key.startswith("_") and callable(value)) or f"{name}.{key}" in PRIVATE:
                    self._public[id(value)] = value


def _is_public(module: str) -> bool:
    parts = module.split(".")
    if parts[0] == "jaxlib" or is_outside(module):
        return False
    if parts[0] == "arraytyping" and not is_face(module):
        return False
    return not any(part.startswith("_") or part in _PRIVATE for part in parts)
