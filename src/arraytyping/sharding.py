"""Where arrays lie, under the names of `jax.sharding`."""

from importlib import import_module
from typing import Any, Final

from arraytyping.runtime.sharding import *  # noqa: F403

_NAMES: Final = {
    "auto_axes": "arraytyping.runtime.transformations.axis_types",
    "explicit_axes": "arraytyping.runtime.transformations.axis_types",
    "get_abstract_mesh": "arraytyping.runtime.meshes",
    "reshard": "arraytyping.runtime.lax.resharding",
    "use_abstract_mesh": "arraytyping.runtime.meshes",
}
"""The modules of what needs the whole runtime, by name."""


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("arraytyping.runtime.whole")  # it knows which function is being mapped
    return getattr(import_module(_NAMES[name]), name)
