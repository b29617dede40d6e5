"""Calls of the runtime's functions as the oracle's: what our functions give, traced, as abstract values."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from agreements import agreed, digest_of, record
from oracle import (
    Call,
    Raised,
    builtin_exception,
    describes,
    fingerprint,
    jax_says_of_all,
    rule_says,
    show,
    sizes,
    to_dtype,
)

import arraytyping.lax
import arraytyping.numpy as anp
from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.runtime import call_plans
from arraytyping.runtime.tracing.staging import stage
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, ShapedArray

__all__ = [
    "ours", "ours_say_of_all", "recorded_conversions", "unequal", "unequal_results", "unlike_jax", "wrong_answers",
]  # fmt: skip


def ours(name: str) -> Callable[..., Any]:
    """Our function of a rule's name, such as `numpy.add`."""
    thing: Any = arraytyping.lax if name.startswith("lax.") else anp
    for part in name.split(".")[1:]:
        if part == "linalg" and thing is anp:
            from arraytyping.numpy import linalg

            thing = linalg
        else:
            thing = getattr(thing, part)
    return thing  # type: ignore[no-any-return]


def _filled(value: Any, arrays: Iterator[Any]) -> Any:
    if isinstance(value, ShapedArray):
        return next(arrays)
    if isinstance(value, NumPyArray):
        assert value.dtype is not None
        made = np.ones(sizes(value.shape), to_dtype(value.dtype))
        return made if value.shape else made[()]
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return type(value)([_filled(v, arrays) for v in value])
    return value


def _arrays(value: Any) -> list[ShapedArray]:
    if isinstance(value, ShapedArray):
        return [value]
    if isinstance(value, tuple | list | dict):
        return [a for v in (value.values() if isinstance(value, dict) else value) for a in _arrays(v)]
    return []


def _result(value: Any) -> Any:
    if isinstance(value, Array):
        aval: ShapedArray = value.aval
        return ShapedArray(aval.shape, aval.dtype, bool(aval.weak_type))
    if isinstance(value, tuple | list):
        return tuple(map(_result, value))
    return value


def ours_say_of_all(calls: Iterable[Call], *, x64: bool = False) -> list[Any]:
    """What our functions give, all in one trace: abstract values, or what they raise."""
    calls = list(calls)
    slots: dict[tuple[ShapedArray, int], int] = {}
    places = []
    for call in calls:
        found = _arrays((call.args, call.kwargs))
        places.append([slots.setdefault((a, found[:i].count(a)), len(slots)) for i, a in enumerate(found)])
    results: list[Any] = []

    def traced(*tracers: Any) -> Sequence[Any]:
        for call, own in zip(calls, places):
            arrays = iter([tracers[i] for i in own])
            args = _filled(call.args, arrays)
            kwargs = {k: _filled(v, arrays) for k, v in call.kwargs.items()}
            try:
                results.append(_result(ours(call.name)(*args, **kwargs)))
            except Exception as error:
                results.append(Raised(builtin_exception(type(error)), f"{type(error).__name__}: {error}"))
        return []

    with config.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stage(traced, [a for a, _ in slots])
    return results


def unlike_jax(calls: Iterable[Call], *, x64: bool = False) -> list[str]:
    """A line for each call to which our functions give another answer than JAX's; that they agreed is kept."""
    calls = list(calls)
    answers = ours_say_of_all(calls, x64=x64)
    digest = digest_of((f"unlike {x64}", *map(repr, calls), *map(fingerprint, answers)))
    if agreed(digest):
        return []
    lines = [
        f"{call}: {given} instead of {real}"
        for call, given, real in zip(calls, answers, jax_says_of_all(calls, x64=x64), strict=True)
        if given != real
    ]
    if not lines:
        record(digest)
    return lines


@contextlib.contextmanager
def recorded_conversions() -> Iterator[list[str]]:
    """A context that notes where a function computes in another dtype than its rule says, which is then converted."""
    found: list[str] = []
    finished = call_plans.finished

    def noting(out: Any, expected: Any) -> Any:
        if isinstance(out, Array) and isinstance(expected, ShapedArray) and expected.dtype is not None:
            aval: ShapedArray = out.aval
            if aval.dtype != expected.dtype:
                found.append(f"computed {aval}, but the rule says {expected}")
        return finished(out, expected)

    call_plans.finished = noting
    try:
        yield found
    finally:
        call_plans.finished = finished


def wrong_answers(calls: Iterable[Call], *, x64: bool = False) -> tuple[int, list[str]]:
    """How many calls were made, and a line for each whose result is not what the rule says, or which raises otherwise.

    The rules are compared with JAX, for these calls too, by the tests of each family.
    """
    calls = list(calls)
    lines = []
    for call, given in zip(calls, ours_say_of_all(calls, x64=x64)):
        expected = rule_says(call, x64=x64)
        if expected is UNKNOWN:
            continue
        same = given == expected if isinstance(expected, Raised) else describes(expected, given)
        if not same:
            lines.append(f"{call} [x64={x64}]: ours is {show(given)}, the rule says {show(expected)}")
    return len(calls), lines


TOLERANCE = {"bfloat16": 2e-2, "float16": 5e-3, "float64": 1e-12, "complex128": 1e-12}
"""How far values may differ, relatively, by rounding; in other dtypes 2e-5."""


def unequal(real: Any, given: Any, rtol: float | None = None) -> str | None:
    """How two arrays differ in dtype, shape or values (to rounding, signs of zeros included); None if they do not."""
    a, b = np.asarray(real), np.asarray(given._value if isinstance(given, Array) else given)  # type: ignore[attr-defined]
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{b.dtype}{list(b.shape)} instead of {a.dtype}{list(a.shape)}"
    if a.dtype.kind in "biu":
        wrong = a != b
    else:
        tolerance = rtol or TOLERANCE.get(a.dtype.name, 2e-5)
        with np.errstate(all="ignore"):
            wide, other = a.astype(np.complex128), b.astype(np.complex128)
            wrong = ~np.isclose(wide, other, rtol=tolerance, atol=tolerance / 10, equal_nan=True)
            wrong |= (wide == 0) & (other == 0) & (np.signbit(wide.real) != np.signbit(other.real))
    if not wrong.any():
        return None
    return f"{wrong.sum()} of {wrong.size} values differ, such as {b[wrong][:3]} instead of {a[wrong][:3]}"


def unequal_results(real: dict[str, Any], given: dict[str, Any], rtol: float | None = None) -> list[str]:
    """A line for each entry of two dictionaries of arrays, or of tuples of them, that differs."""
    assert real.keys() == given.keys()
    lines = []
    for name, value in real.items():
        several = isinstance(value, tuple | list)
        pairs = zip(value, given[name], strict=True) if several else [(value, given[name])]
        lines += [f"{name}: {how}" for a, b in pairs if (how := unequal(a, b, rtol)) is not None]
    return lines
