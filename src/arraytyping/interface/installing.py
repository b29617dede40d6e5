"""Put a function on `Array` as a method, or as an attribute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from arraytyping.basearray import Array

__all__ = ["attribute", "method"]

F = TypeVar("F", bound=Callable[..., Any])


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
