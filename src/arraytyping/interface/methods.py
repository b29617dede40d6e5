"""Methods that are functions of `arraytyping.numpy` with the array as first argument.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.Array.html.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from arraytyping.interface.installing import attribute, method

__all__: list[str] = []


def _numpy(name: str) -> Any:
    return getattr(import_module("arraytyping.numpy"), name)


def _same(name: str, function: str | None = None) -> None:
    """A method that takes what the function takes."""

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return _numpy(function or name)(self, *args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"As `arraytyping.numpy.{function or name}`."
    method(name)(call)


for _name in (
    "all any argmax argmin argpartition argsort choose clip conj conjugate cumprod cumsum diagonal dot max mean min nonzero "
    "prod ptp ravel repeat round searchsorted squeeze std sum swapaxes take trace var copy"
).split():
    _same(_name)


@attribute
def T(self: Any) -> Any:
    """The array with its dimensions in reverse order."""
    return _numpy("transpose")(self)


@attribute
def mT(self: Any) -> Any:
    """The array with its last two dimensions exchanged."""
    return _numpy("matrix_transpose")(self)


@attribute
def real(self: Any) -> Any:
    """The real part."""
    return _numpy("real")(self)


@attribute
def imag(self: Any) -> Any:
    """The imaginary part."""
    return _numpy("imag")(self)


@attribute
def flat(self: Any) -> Any:
    """`flat` is not there, as in JAX.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError("JAX-style arrays have no .flat; use arr.flatten() or arr.ravel()")


@method()
def astype(self: Any, dtype: Any, copy: bool = False, device: Any = None) -> Any:
    """The elements in another dtype."""
    return _numpy("astype")(self, dtype, copy=copy, device=device)


@method()
def view(self: Any, dtype: Any = None, type: None = None) -> Any:
    """The bits of the elements, read as another dtype."""
    from arraytyping.numpy.viewing import view as viewed

    return viewed(self, dtype, type)


@method()
def reshape(self: Any, *args: Any, order: str = "C", copy: bool | None = None, out_sharding: Any = None) -> Any:
    """The elements in another shape, given as a tuple or as several ints."""
    shape = args[0] if len(args) == 1 and not isinstance(args[0], int) else args
    return _numpy("reshape")(self, shape, order=order, copy=copy)


@method()
def flatten(self: Any, order: str = "C", *, out_sharding: Any = None) -> Any:
    """The elements in one dimension."""
    return _numpy("ravel")(self, order=order)


@method()
def transpose(self: Any, *args: Any) -> Any:
    """The dimensions in another order: reversed, or as a tuple or several ints say."""
    axes = None if not args else args[0] if len(args) == 1 and not isinstance(args[0], int) else args
    return _numpy("transpose")(self, axes)


@method()
def sort(self: Any, axis: int | None = -1, *, kind: Any = None, order: Any = None, stable: bool = True,
         descending: bool = False) -> Any:  # fmt: skip
    """A sorted copy."""
    return _numpy("sort")(self, axis=axis, kind=kind, order=order, stable=stable, descending=descending)


@method()
def compress(self: Any, condition: Any, axis: int | None = None, *, out: None = None, **options: Any) -> Any:
    """The items for which a condition holds."""
    return _numpy("compress")(condition, self, axis=axis, out=out, **options)
