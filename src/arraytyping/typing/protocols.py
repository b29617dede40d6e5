"""What an object that is none of our classes must have, to be taken for an array or a dtype."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np

__all__ = ["NumPyLike", "SupportsDType", "SupportsJAXArray"]


@runtime_checkable
class NumPyLike(Protocol):
    """NumPy's arrays and scalars, said without NumPy, so that nobody reads its stubs for them."""

    @property
    def __array_interface__(self) -> Any:
        """How NumPy describes its memory."""


@runtime_checkable
class SupportsJAXArray(Protocol):
    """What makes an array of itself."""

    def __jax_array__(self) -> Any:
        """The array."""


@runtime_checkable
class SupportsDType(Protocol):
    """What has a dtype, and is taken for it where a dtype is expected: an array, or a scalar type."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype."""
