"""The shapes of parameters that Flax asks initializers for: equal questions are asked of jax once.

A module of Flax that is applied traces the initializer of each of its parameters, to hold the shape against that of the
parameter that it is given; that is a fourth of what applying one takes.

Source: https://flax.readthedocs.io/en/latest/api_reference/flax.linen/module.html, `Module.param`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any, Final

from arraytyping.checker.flow.engines.jax import JaxEngine

__all__ = ["Unlike", "asked_once", "key_of"]

_SCOPES: Final = "flax.core.scope"
_LIBRARIES: Final = ("jax", "flax", "arraytyping")
_PLAIN: Final = (bool, int, float, complex, str, bytes, type, type(None))


class Unlike(Exception):
    """Something of which it cannot be said what is equal to it."""


class _Jax:
    """The module `jax` as the scopes of Flax have it."""

    def __init__(self, jax: JaxEngine) -> None:
        self._engine = jax
        self._jax: ModuleType = jax.jax

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jax, name)

    def eval_shape(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """What jax says, or has said of an equal function before."""
        if args or kwargs:
            return self._jax.eval_shape(function, *args, **kwargs)
        try:
            key = key_of(function), self._engine.configuration()
        except Unlike:
            return self._jax.eval_shape(function)
        kept = self._engine.shapes
        if key not in kept:
            kept[key] = self._jax.eval_shape(function)
        return kept[key]


@contextmanager
def asked_once(jax: JaxEngine) -> Iterator[None]:
    """Within this the scopes of Flax, if they are loaded, ask for the same shape once."""
    scopes: Any = sys.modules.get(_SCOPES)
    if scopes is None or getattr(scopes, "jax", None) is not jax.jax:
        yield
        return
    scopes.jax = _Jax(jax)
    try:
        yield
    finally:
        scopes.jax = jax.jax


def key_of(value: Any) -> Any:
    """What is equal for what gives the same shape.

    Raises:
        Unlike: if that cannot be said.
    """
    if isinstance(value, FunctionType):
        return _of_function(value)
    if type(value) is functools.partial:
        return functools.partial, key_of(value.func), key_of(value.args), key_of(tuple(value.keywords.items()))
    if type(value) is tuple:
        return tuple(map(key_of, value))
    if type(value) is dict:
        return dict, tuple((key_of(k), key_of(v)) for k, v in value.items())
    if isinstance(value, JaxEngine):
        return JaxEngine, id(value)
    kind = type(value)
    if isinstance(value, _PLAIN) or (kind.__module__ == "numpy" and getattr(value, "shape", None) == ()):
        return kind, value
    raise Unlike


def _of_function(function: FunctionType) -> Any:
    """A function of these libraries is known by its code, which stays for good, and by what it has closed over."""
    module = str(function.__globals__.get("__name__"))
    if module.partition(".")[0] not in _LIBRARIES:
        raise Unlike
    try:
        closure = tuple(key_of(cell.cell_contents) for cell in function.__closure__ or ())
    except ValueError:  # not bound yet
        raise Unlike from None
    return function.__code__, module, closure, key_of(function.__defaults__), key_of(function.__kwdefaults__)
