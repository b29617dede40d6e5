"""arraytyping: static type checking and typing for JAX-style arrays, and a runtime that lives by the same rules.

Reading order: `lattice` (a join-semilattice, given by its covers), `promotion` (JAX's dtype promotion as data on it),
`scalars` (the dtypes), `avals` (what is known of a value before it runs), `rules` (from abstract arguments to the
abstract result), `settings` and `x64` (what holds for a program), `claims` and `cli` (what the commands say).  The mypy
plugin is the package `arraytyping_mypy`.

The runtime: `basearray` (the class), `core` (primitives and traces), `jaxpr`, `tracing`, `transformations`, `lax`,
`numpy`, `xla`; a program for jax runs with `import arraytyping as jax`.

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

_MODULES: Final = frozenset({*_LIGHT, "core", "dtypes", "flatten_util", "lax", "nn", "numpy", "ops", "random", "scipy"})
"""All of them."""

_NAMES: Final = {
    name: module
    for module, names in {
        "transformations.jit": "jit",
        "transformations.differentiation": "float0 grad value_and_grad vjp jvp linearize",
        "transformations.linear_functions": "linear_transpose",
        "transformations.jacobians": "jacfwd jacrev jacobian hessian",
        "transformations.mapping": "vmap",
        "transformations.staging_out": "make_jaxpr eval_shape checkpoint closure_convert",
        "transformations.custom_rules": "custom_jvp custom_vjp custom_gradient",
        "config": "enable_x64 numpy_dtype_promotion",
        "placement": "block_until_ready copy_to_host_async default_backend device_count device_get device_put devices "
        "local_device_count local_devices",
        "shape_dtype_struct": "ShapeDtypeStruct",
        "xla.execution": "clear_caches",
    }.items()
    for name in names.split()
}
"""The module in which each public name of the runtime is."""

_ALIASES: Final = {"remat": "checkpoint"}
"""JAX's second names."""


def __getattr__(name: str) -> Any:
    name = _ALIASES.get(name, name)
    if name == "Array":
        return import_module("arraytyping.basearray").Array
    if name in _MODULES:
        if name not in _LIGHT:
            import_module(f"{__name__}.runtime")
        return import_module(f"{__name__}.{name}")
    if name in _NAMES:
        import_module(f"{__name__}.runtime")
        return getattr(import_module(f"{__name__}.{_NAMES[name]}"), name)
    scalars = import_module("arraytyping.scalars")
    if name in scalars.__all__:
        return getattr(scalars, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), "Array", *_MODULES, *_NAMES, *_ALIASES, *import_module("arraytyping.scalars").__all__})
