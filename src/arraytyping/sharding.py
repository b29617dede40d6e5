"""Where arrays lie, under the names of `jax.sharding`."""

from importlib import import_module
from typing import Any

from arraytyping.runtime.sharding import *  # noqa: F403


def __getattr__(name: str) -> Any:
    if name != "get_abstract_mesh":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("arraytyping.runtime.whole")  # it knows which function is being mapped
    return import_module("arraytyping.runtime.meshes").get_abstract_mesh
