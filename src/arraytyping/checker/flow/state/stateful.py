"""Which objects of libraries have a state of their own, so that they are kept as they are: modules of Flax, variables.

They are known by their classes' names, since nothing is imported that the program does not import.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.checker.flow.values import Value

__all__ = ["has_stateful", "is_stateful", "is_stateful_class", "note_stateful_class", "told_by"]

_CLASSES: Final = frozenset({
    ("flax.linen.module", "Module"), ("flax.core.scope", "Scope"), ("flax.linen.module", "Variable"),
    ("flax.nnx.pytreelib", "Pytree"), ("flax.nnx.object", "Object"), ("flax.nnx.object", "Pytree"),
    ("flax.nnx.variablelib", "Variable"), ("flax.nnx.module", "Module"), ("flax.core.scope", "Variable"),
    ("flax.nnx.rnglib", "SplitBackups"), ("flax.nnx.variablelib", "VariableMetadata"),
    ("haiku._src.module", "Module"),
    *(("haiku._src.initializers", name) for name in (
        "Constant", "Identity", "Orthogonal", "RandomNormal", "RandomUniform", "TruncatedNormal", "UniformScaling",
        "VarianceScaling",
    )),
})  # fmt: skip
_known: dict[type, bool] = {}


def is_stateful_class(cls: type) -> bool:
    """Whether instances of a real class are stateful."""
    found = _known.get(cls)
    if found is None:
        found = any((base.__module__, base.__name__) in _CLASSES for base in getattr(cls, "__mro__", ()))
        _known[cls] = found
    return found


def note_stateful_class(cls: type) -> None:
    """Keep instances of a real class as they are."""
    _known[cls] = True


def is_stateful(value: Value) -> bool:
    """Whether a value is a stateful object of a library, a method of one, or a class of such."""
    if isinstance(value, type):
        return is_stateful_class(value)
    if is_stateful_class(type(value)):
        return True
    owner = getattr(value, "__self__", None) if type(value).__name__ == "method" else None
    return owner is not None and is_stateful(owner)


def told_by(function: Any, name: str, default: Any = None) -> Any:
    """What a function says of itself; a stateful object is none, and those of Flax are set up when they are asked."""
    return default if is_stateful_class(type(function)) else getattr(function, name, default)


def has_stateful(values: Any, depth: int = 0) -> bool:
    """Whether a stateful object is among values, or in the tuples, lists and dicts among them."""
    if depth > 4:
        return False
    for value in values:
        if is_stateful_class(type(value)):
            return True
        if isinstance(value, tuple):
            if has_stateful(value, depth + 1):
                return True
            continue
        items = getattr(value, "items", None)
        if isinstance(items, list) and has_stateful(items, depth + 1):
            return True
        if isinstance(items, dict) and type(value).__name__ == "DictValue" and has_stateful(items.values(), depth + 1):
            return True
    return False
