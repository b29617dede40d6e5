"""jaxlib's private extension modules, found once and checked: the one place that names them.

jaxlib promises nothing about `jaxlib._jax`; each release may move what stands here.  What is missing is therefore said
with the version, before anything is built on it.

Source: `jaxlib/xla_client.py` and `jax/_src/lib/__init__.py` of jaxlib 0.10.2.
"""

from __future__ import annotations

import gc
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

__all__ = [
    "JAXLIB_VERSION",
    "SUPPORTED",
    "UnsupportedJaxlib",
    "broken",
    "hlo",
    "mlir_extension",
    "pytree",
    "require",
    "translation",
    "xla",
]

SUPPORTED: Final = "jaxlib==0.10.*"
"""The releases with which the runtime works, as pip reads it."""


class UnsupportedJaxlib(ImportError):
    """jaxlib is absent, or not one whose private interface is known: the text names its version and what broke."""


def broken(what: str, why: str = "is missing") -> UnsupportedJaxlib:
    """The error that says what broke in which version, and what to install."""
    return UnsupportedJaxlib(
        f"jaxlib {JAXLIB_VERSION}: {what} {why}; arraytyping's runtime is written for {SUPPORTED}: "
        f"pip install '{SUPPORTED}'",
        name="jaxlib",
    )


def require(module: str, *names: str) -> Any:
    """A module of jaxlib that has these attributes, each perhaps dotted.

    Raises:
        UnsupportedJaxlib: if the module cannot be imported, or an attribute is missing.
    """
    try:
        found = import_module(module)
    except ImportError as error:
        raise broken(module, f"cannot be imported ({error})") from error
    for name in names:
        value: Any = found
        for part in name.split("."):
            value = getattr(value, part, _MISSING)
            if value is _MISSING:
                raise broken(f"{module}.{name}")
    return found


_MISSING: Final = object()

try:
    JAXLIB_VERSION: Final = version("jaxlib")
except PackageNotFoundError:
    raise UnsupportedJaxlib(
        f"arraytyping's runtime needs jaxlib, which is not installed: pip install '{SUPPORTED}' numpy ml_dtypes",
        name="jaxlib",
    ) from None

# A jaxlib built for instructions that this machine lacks would die without a word.
require("jaxlib.cpu_feature_guard", "check_cpu_features").check_cpu_features()

xla: Final = require(
    "jaxlib._jax",
    "ArrayCopySemantics.ALWAYS_COPY",
    "ArrayImpl.block_until_ready",
    "ArrayImpl.delete",
    "ArrayImpl.is_deleted",
    "ArrayImpl.is_ready",
    "ArrayImpl.on_device_size_in_bytes",
    "CompileOptions",
    "Device",
    "DeviceAssignment.create",
    "DeviceList",
    "HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL",
    "HostBufferSemantics.ZERO_COPY",
    "JaxRuntimeError",
    "LoadedExecutable.execute_sharded",
    "GSPMDSharding",
    "ExecuteResults.consume_token",
    "ExecuteResults.consume_with_handlers",
    "SingleDeviceSharding",
    "array_result_handler",
    "batched_block_until_ready",
    "batched_copy_array_to_devices_with_sharding",
    "batched_device_put",
    "buffer_to_dlpack_managed_tensor",
    "collect_garbage",
    "get_c_api_client",
    "get_tfrt_cpu_client",
    "initialize_pjrt_plugin",
    "load_pjrt_plugin",
    "pjrt_plugin_initialized",
    "pjrt_plugin_loaded",
    "reorder_shards",
    "register_custom_call_target",
)
"""The extension module with clients, buffers and executables."""


def _collect(phase: str, info: dict[str, int]) -> None:
    if phase == "stop":
        xla.collect_garbage()


gc.callbacks.append(_collect)

hlo: Final = require(
    "jaxlib._hlo", "HloPrintOptions", "HloSharding.replicate", "HloSharding.subgroup_with_device_ordering",
    "HloSharding.from_proto", "OpSharding.Type",
)  # fmt: skip
"""The extension module with HLO's own types."""

pytree: Final = require(
    "jaxlib._jax.pytree",
    "PyTreeRegistry.flatten",
    "PyTreeRegistry.register_dataclass_node",
    "PyTreeRegistry.register_node",
    "PyTreeDef.flatten_up_to",
    "PyTreeDef.unflatten",
)
"""The extension module that takes containers apart."""

translation: Final = require("jaxlib._jax.mlir", "mlir_module_to_xla_computation")
"""The extension module that makes HLO of StableHLO."""

mlir_extension: Final = require("jaxlib.mlir._mlir_libs._jax_mlir_ext", "register_dialects")
"""The extension module that registers the dialects which jaxlib links in."""
