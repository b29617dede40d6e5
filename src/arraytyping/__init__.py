"""arraytyping: static type checking and typing for JAX-style arrays, and a runtime that lives by the same rules.

Four layers, each importing what stands below it only:

- the public faces: `numpy`, `lax`, `random`, `nn`, `scipy`, `typing`, `ops`, `tree`, `core`, ... under JAX's names;
- `runtime`: arrays over XLA buffers, primitives, traces, jaxprs, transformations;
- `checker`: settings, claims, `flow` (the interpreter of whole programs), stubs, commands; it does without the runtime;
- `semantics`: dtypes, lattices, promotion, sizes, and one rule for each operation, which both of these ask.

The mypy plugin is the package `arraytyping_mypy`, above the checker.  A program for jax runs with
`import arraytyping as jax`.

Every name is loaded when it is first used: the class `Array` and the scalar types without NumPy, the rest with it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arraytyping.basearray import Array as Array
    from arraytyping.scalars import *  # noqa: F403

__version__ = "0.1.0"

_LIGHT: Final = frozenset({"config", "errors", "sharding", "tree", "tree_util", "typing"})
"""The modules that a program may use as attributes without having imported them, and that need no runtime."""

_MODULES: Final = frozenset(
    {
        *_LIGHT,
        "ad_checkpoint",
        "core",
        "custom_batching",
        "custom_derivatives",
        "debug",
        "dtypes",
        "experimental",
        "flatten_util",
        "image",
        "lax",
        "nn",
        "numpy",
        "ops",
        "random",
        "scipy",
    }
)
"""All of them."""

_NAMES: Final = {
    name: module
    for module, names in {
        "runtime.transformations.jit": "jit",
        "runtime.transformations.differentiation": "float0 grad value_and_grad vjp jvp linearize",
        "runtime.tracing.scopes": "ensure_compile_time_eval named_call named_scope",
        "runtime.transformations.linear_functions": "linear_transpose",
        "runtime.transformations.jacobians": "jacfwd jacrev jacobian hessian",
        "runtime.transformations.mapping": "vmap",
        "runtime.transformations.parallel_mapping": "pmap",
        "runtime.transformations.shard_mapping": "shard_map",
        "runtime.transformations.single_axis_mapping": "smap",
        "runtime.array_types": "typeof",
        "runtime.lax.resharding": "reshard",
        "runtime.transformations.staging_out": "make_jaxpr eval_shape checkpoint closure_convert",
        "runtime.transformations.checkpoint_policies": "checkpoint_policies",
        "runtime.transformations.custom_rules": "custom_jvp custom_vjp custom_gradient",
        "config": "check_tracer_leaks checking_leaks debug_infs debug_nans default_device default_matmul_precision "
        "default_prng_impl disable_jit enable_x64 numpy_dtype_promotion",
        "runtime.placement": "block_until_ready copy_to_host_async default_backend device_count device_get device_put "
        "devices live_arrays local_device_count local_devices process_count process_index",
        "runtime.meshes": "make_array_from_callback make_array_from_single_device_arrays make_mesh",
        "runtime.sharding": "NamedSharding PartitionSpec set_mesh",
        "runtime.shape_dtype_struct": "ShapeDtypeStruct",
        "runtime.xla.execution": "clear_caches",
        "runtime.xla.jaxlib_api": "effects_barrier",
        "runtime.callbacks.calling_back": "pure_callback",
    }.items()
    for name in names.split()
}
"""The module in which each public name of the runtime is."""

_ALIASES: Final = {"P": "PartitionSpec", "remat": "checkpoint"}
"""JAX's second names."""


def __getattr__(name: str) -> Any:
    value = globals()[name] = _loaded(_ALIASES.get(name, name))  # from now on found at once
    return value


def _loaded(name: str) -> Any:
    if name == "Array":
        return import_module("arraytyping.basearray").Array
    if name in _MODULES:
        if name not in _LIGHT:
            import_module(f"{__name__}.runtime.whole")
        return import_module(f"{__name__}.{name}")
    if name in _NAMES:
        import_module(f"{__name__}.runtime.whole")
        return getattr(import_module(f"{__name__}.{_NAMES[name]}"), name)
    scalars = import_module("arraytyping.scalars")
    if name in scalars.__all__:
        return getattr(scalars, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """Check each cell before it runs: `%load_ext arraytyping`."""
    import_module(f"{__name__}.checker.jupyter.extension").load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Check cells no longer: `%unload_ext arraytyping`."""
    import_module(f"{__name__}.checker.jupyter.extension").unload(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), "Array", *_MODULES, *_NAMES, *_ALIASES, *import_module("arraytyping.scalars").__all__})
