"""Put a function on `Array` as a method, or as an attribute; find what it computes with.

The functions are those of `arraytyping.numpy`, which stands above and makes itself known here when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeVar

from arraytyping.basearray import Array

__all__ = ["NAMESPACE", "attribute", "method", "numpy_function"]

NAMESPACE: Final[list[Any]] = []
"""The module `arraytyping.numpy`, once it is there."""

_FOUND: Final[dict[str, Any]] = {}

F = TypeVar("F", bound=Callable[..., Any])


def numpy_function(name: str) -> Any:
    """A function of `arraytyping.numpy` by its name, with that of its module where it is none of the public ones."""
    found = _FOUND.get(name)
    if found is None:
        if not NAMESPACE:
            import_module("arraytyping.numpy")  # of a program that has not imported it
        module, _, member = name.rpartition(".")
        of = import_module(f"{NAMESPACE[0].__name__}.{module}") if module else NAMESPACE[0]
        found = _FOUND[name] = getattr(of, member)
    return found


def method(*names: str) -> Callable[[F], F]:
    """Make the decorated function a method of all arrays, of these names or its own."""

    def install(function: F) -> F:
        for name in names or (function.__name__,):
            setattr(Array, name, function)
        return function

    return install


def attribute(function: F) -> F:
    """Make the decorated function an attribute of all arrays that cannot be set."""
    setattr(Array, function.__name__, property(function, doc=function.__doc__))
    return function
