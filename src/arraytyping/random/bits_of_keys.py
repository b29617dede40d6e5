"""The bits of the keys that random functions are given, and what they compute of them: more keys, random bits.

Source: https://docs.jax.dev/en/latest/jax.random.html.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from arraytyping.basearray import Array
from arraytyping.random.implementations import implementation_in_force, using
from arraytyping.random.key_arrays import PRNGKeyArray
from arraytyping.random.key_types import THREEFRY, KeyTy, default_key_type
from arraytyping.runtime.array_likes import array_from, concrete_int
from arraytyping.runtime.calling import answered
from arraytyping.runtime.core import raised
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.np_dtypes import dtype_name_of
from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.random_arguments import key_shape, one_key

__all__ = ["bits_of", "for_keys", "key_bits", "keys_bits", "keys_of", "sampler", "split_of", "two_keys", "type_of_keys"]

P = ParamSpec("P")
R = TypeVar("R")


def type_of_keys(keys: Any) -> KeyTy:
    """The dtype of an array of keys; bits are of the implementation that is the default."""
    return keys.dtype if isinstance(keys, PRNGKeyArray) else default_key_type()


def keys_bits(operation: str, keys: Any, key_type: KeyTy | None = None) -> Any:
    """The bits of an array of keys, typed ones or bits already, which are of the default implementation or a named one.

    Raises:
        TypeError: for what is neither.
    """
    if isinstance(keys, PRNGKeyArray):
        return keys._base_array
    given: Any = keys
    if isinstance(keys, Array):
        given = keys.aval
    elif isinstance(keys, np.ndarray | np.generic):
        given = NumPyArray(keys.shape, dtype_name_of(keys.dtype) or str(keys.dtype))
    try:
        key_shape(operation, given)
    except RuleError as error:
        raise raised(error) from None
    wanted = key_type or default_key_type()
    if given.shape[-1] != wanted.words:
        raise TypeError(f"{operation} takes a key of {wanted.words} words, the bits of {wanted.impl}, got {given}")
    return array_from(keys)


def key_bits(operation: str, key: Any) -> Any:
    """The bits of a single key.

    Raises:
        TypeError: for what is no key.
        ValueError: for an array of keys.
    """
    data = keys_bits(operation, key)
    if len(data.aval.shape) != 1:
        try:
            one_key(operation, ShapedArray(data.aval.shape[:-1], "key<fry>"))
        except RuleError as error:
            raise raised(error) from None
    return data


def _static(value: Any) -> Any:
    """A static argument, with the ints that arrays in it hold in their place.

    Raises:
        ConcretizationTypeError: for a tracer.
    """
    if isinstance(value, Array):
        return concrete_int(value, "a size") if not value.ndim else value.tolist()  # type: ignore[attr-defined]
    if isinstance(value, tuple | list) and any(isinstance(v, Array) for v in value):
        return type(value)(map(_static, value))
    return value


def for_keys(make: Callable[[Callable[..., Any]], Callable[..., Any]], body: Callable[..., Any]) -> Callable[..., Any]:
    """The public function that `make` makes of a body, which each implementation has for itself.

    It takes the dtype of the keys before its arguments.
    """
    made = {THREEFRY: make(body)}

    def call(key_type: KeyTy, *args: Any, **kwargs: Any) -> Any:
        function = made.get(key_type)
        if function is None:

            @wraps(body)
            def traced(*given: Any, **named: Any) -> Any:
                with using(key_type):
                    return body(*given, **named)

            function = made[key_type] = make(traced)
        return function(*args, **kwargs)

    return wraps(made[THREEFRY])(call)


def sampler(name: str, *arrays: str) -> Callable[[Callable[Concatenate[Any, P], R]], Callable[P, R]]:
    """Make a public random function of a body that takes the answer of the rule `random.<name>` and the key's bits."""

    def decorate(body: Callable[Concatenate[Any, P], R]) -> Callable[P, R]:
        call = for_keys(answered(f"random.{name}", "key", *arrays), body)
        names = list(inspect.signature(call).parameters)[1:]

        @wraps(call)
        def sample(key: Any, *args: Any, **kwargs: Any) -> Any:
            given = [v if n in arrays else _static(v) for n, v in zip(names, args)]
            given += args[len(names) :]
            static = {n: v if n in arrays else _static(v) for n, v in kwargs.items()}
            return call(type_of_keys(key), key_bits(name, key), *given, **static)

        sample.rule_name = f"random.{name}"  # type: ignore[attr-defined]
        return sample  # type: ignore[return-value]

    return decorate


def split_of(key: Any, shape: tuple[int, ...] = (2,)) -> Any:
    """The bits of as many new keys."""
    return implementation_in_force().split(key, shape)


def two_keys(key: Any) -> list[Any]:
    """The bits of two new keys."""
    return keys_of(key, 2)


def keys_of(key: Any, count: int) -> list[Any]:
    """The bits of new keys, one by one."""
    every = split_of(key, (count,))
    return [reshape(slice_along(every, i, i + 1), every.aval.shape[1:]) for i in range(count)]


def bits_of(key: Any, width: int, shape: tuple[int, ...]) -> Any:
    """Random bits, as unsigned integers of this many."""
    return implementation_in_force().bits(key, width, shape)
