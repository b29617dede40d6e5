"""A function with type variables promises a type, and not a shape."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import jax
import jax.numpy as jnp

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def as_any(x: object) -> Any:
    return x


def first(tree: T) -> T:
    return jax.tree.map(lambda x: x[0], tree)  # type: ignore[no-any-return]


def marked(f: F) -> F:
    return f


@dataclass
class Box(Generic[T]):
    item: T

    def mean(self) -> T:
        return as_any(self.item).mean()  # type: ignore[no-any-return]


@marked
def ones() -> Any:
    return jnp.ones(3)


x = jnp.ones((3, 4))
reveal_type(first(x))  # R: Array[Any, Any]
reveal_type(first((x, x)))  # R: tuple[Array[Any, Any], Array[Any, Any]]
reveal_type(Box(x).item)  # R: Array[Any, Any]
reveal_type(Box(x).mean())  # R: Array[Any, Any]
