"""Names that jax and flax had in earlier releases and have no more, and what their change logs say to write instead.

Source: https://docs.jax.dev/en/latest/changelog.html and https://github.com/google/flax/blob/main/CHANGELOG.md.
"""

from __future__ import annotations

import sys
from typing import Final

from arraytyping.checker.flow.real_calls.library_imports import import_library
from arraytyping.checker.flow.values import LazyName, Value
from arraytyping.checker.removals import REMOVED, is_expression, removal_sentence

__all__ = ["FOLLOWED", "REMOVED", "replacement_of", "what_became_of"]

FOLLOWED: Final[dict[str, LazyName]] = {
    "jax.device_put_replicated": LazyName("removed_from_jax", "device_put_replicated"),
    "jax.device_put_sharded": LazyName("removed_from_jax", "device_put_sharded"),
    "jax.experimental.disable_x64": LazyName("removed_from_jax", "disable_x64"),
    "jax.numpy.NINF": LazyName("removed_from_jax", "NINF"),
    "jax.numpy.NZERO": LazyName("removed_from_jax", "NZERO"),
    "jax.numpy.PZERO": LazyName("removed_from_jax", "PZERO"),
    "flax.optim": LazyName("removed_flax_optim"),
}
"""Those of the names used in another way that a stand-in follows, and what is in it."""

_OTHERWISE: Final = FOLLOWED.keys() | {
    "jax.abstract_arrays", "jax.clear_backends", "jax.curry", "jax.experimental.global_device_array",
    "jax.experimental.host_callback", "jax.experimental.loops", "jax.experimental.maps", "jax.soft_pmap",
    "jax.sharding.PositionalSharding", "jax.xla_computation", "flax.nn", "flax.deprecated",
    "jax.experimental.callback", "jax.experimental.optix", "jax.experimental.sharded_jit", "jax.lax.pvary",
    "jax.numpy.issubsctype", "jax.scipy.special.sph_harm", "jax.custom_transforms",
}  # fmt: skip
"""Those in whose place stands what is used in another way."""


def what_became_of(full_name: str) -> str | None:
    """A sentence on a name that the installed jax or flax has no more; None if it never had it, or has it."""
    library = full_name.partition(".")[0]
    if full_name not in REMOVED or library not in sys.modules:
        return None
    instead = REMOVED[full_name]
    return removal_sentence(full_name, instead if instead and _is_there(instead) else "")


def replacement_of(full_name: str) -> Value:
    """What the program will have in the place of a name that is gone, if it is used in the same way; None if not.

    With it a program is followed on, as it will be when its author has written what the message says.
    """
    instead = REMOVED.get(full_name, "")
    return None if full_name in _OTHERWISE or not instead or is_expression(instead) else _named(instead)


def _is_there(name: str) -> bool:
    """Whether what is named can be found in the installed libraries; an expression always can."""
    return is_expression(name) or _named(name.partition(" ")[0]) is not None


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
