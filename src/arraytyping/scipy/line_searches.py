"""How far to go along a direction: a search for a step that fulfils Wolfe's conditions.

Source: J. Nocedal, S. Wright, "Numerical Optimization", 2nd edition, algorithms 3.5 and 3.6.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from arraytyping.lax import Precision, while_loop
from arraytyping.numpy import array, dot, maximum, minimum, real, sign, sqrt, where
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.transformations.differentiation import value_and_grad
from arraytyping.scalars import bits

__all__ = ["Found", "Point", "line_search", "product"]

_MOST: Final = 30
"""The steps in which an interval is narrowed, at most."""


def product(x: Any, y: Any) -> Any:
    """The product of vectors, of full precision."""
    return dot(x, y, precision=Precision.HIGHEST)


class Point(NamedTuple):
    """A step, the value of the function there, and its derivative along the direction."""

    step: Any
    value: Any
    slope: Any


class Found(NamedTuple):
    """What came of a search: the step, the value and the gradient there, how often it was asked, and how it ended."""

    step: Any
    value: Any
    gradient: Any
    calls: Any
    has_failed: Any
    status: Any


def _chosen(condition: Any, on_true: Any, on_false: Any) -> Any:
    return type(on_false)(*[where(condition, a, b) for a, b in zip(on_true, on_false)])


def _cubic(low: Point, high: Point, step: Any, value: Any) -> Any:
    """The least point of the cubic function through three points, with the slope of the first."""
    d, e = high.step - low.step, step - low.step
    below = (d * e) ** 2 * (d - e)
    of_high, of_third = high.value - low.value - low.slope * d, value - low.value - low.slope * e
    a = (e**2 * of_high - d**2 * of_third) / below
    b = (d**3 * of_third - e**3 * of_high) / below
    return low.step + (-b + sqrt(b * b - 3.0 * a * low.slope)) / (3.0 * a)


def _parabola(low: Point, high: Point) -> Any:
    """The least point of the parabola through two points, with the slope of the first."""
    d = high.step - low.step
    return low.step - low.slope / (2.0 * (high.value - low.value - low.slope * d) / d**2)


class _Search(NamedTuple):
    """The function along the direction, and Wolfe's conditions of its start."""

    function: Callable[[Any], tuple[Any, Any, Any]]
    start: Point
    decrease: float
    curvature: float

    def rises(self, step: Any, value: Any) -> Any:
        """Whether the function has not decreased enough."""
        return value > self.start.value + self.decrease * step * self.start.slope

    def is_flat(self, slope: Any) -> Any:
        """Whether the slope is near enough to 0."""
        return abs(slope) <= -self.curvature * self.start.slope


class _Interval(NamedTuple):
    is_done: Any
    has_failed: Any
    count: Any
    low: Point
    high: Point
    third: Any
    third_value: Any
    star: Point
    gradient: Any


def _narrowed(search: _Search, low: Point, high: Point, gradient: Any, is_wanted: Any) -> _Interval:
    """An interval in which there is a step, made smaller until one is found: interpolated, or halved."""
    is_narrow = bits(low.value.aval.dtype) < 64

    def step(state: _Interval) -> _Interval:
        low, high = state.low, state.high
        width = high.step - low.step
        left, right = minimum(high.step, low.step), maximum(high.step, low.step)
        has_failed = state.has_failed | (width <= (1e-5 if is_narrow else 1e-10))
        cubic, parabola = _cubic(low, high, state.third, state.third_value), _parabola(low, high)
        is_cubic = (state.count > 0) & (cubic > left + 0.2 * width) & (cubic < right - 0.2 * width)
        is_parabola = ~is_cubic & (parabola > left + 0.1 * width) & (parabola < right - 0.1 * width)
        at = where(is_cubic, cubic, where(is_parabola, parabola, (low.step + high.step) / 2.0))
        value, slope, found = search.function(at)
        point = Point(at, value.astype(low.value.dtype), slope.astype(low.slope.dtype))
        is_high = search.rises(at, point.value) | (point.value >= low.value)
        is_star = search.is_flat(point.slope) & ~is_high
        is_turned = (point.slope * width >= 0.0) & ~is_high & ~is_star
        is_low = ~is_high & ~is_star
        is_other = is_high | is_turned  # the upper end is what is kept besides
        kept = where(is_other, high.step, where(is_low, low.step, state.third))
        kept_value = where(is_other, high.value, where(is_low, low.value, state.third_value))
        count = state.count + 1
        return _Interval(
            state.is_done | is_star, has_failed | (count >= _MOST), count, _chosen(is_low, point, low),
            _chosen(is_high, point, _chosen(is_turned, low, high)), kept, kept_value,
            _chosen(is_star, point, state.star), where(is_star, found.astype(state.gradient.dtype), state.gradient),
        )  # fmt: skip

    middle = (low.step + high.step) / 2.0, (low.value + high.value) / 2.0
    star = Point(1.0, low.value, low.slope)
    begun = _Interval(False, False, 0, low, high, *middle, star, gradient)
    found: _Interval = while_loop(lambda s: ~s.is_done & is_wanted & ~s.has_failed, step, begun)
    return found


class _State(NamedTuple):
    is_done: Any
    has_failed: Any
    count: Any
    last: Point
    calls: Any
    star: Point
    gradient: Any


def line_search(
    f: Callable[[Any], Any], x: Any, direction: Any, value: Any, gradient: Any, before: Any = None, maxiter: int = 20,
    decrease: float = 1e-4, curvature: float = 0.9,
) -> Found:  # fmt: skip
    """A step from a point whose value and gradient are known; the value before it tells how far to try first."""
    x, direction = (materialized(v) for v in promoted_inexact(array_from(x), array_from(direction)))

    def function(step: Any) -> tuple[Any, Any, Any]:
        at = array(step, dtype=direction.dtype)
        value, found = value_and_grad(f)(x + at * direction)
        return value, real(product(found, direction)), found

    slope = real(product(gradient, direction))
    first: Any = 1
    if before is not None:
        tried = 1.01 * 2 * (value - before) / slope
        first = where(tried > 1, 1.0, tried)
    search = _Search(function, Point(0.0, value, slope), decrease, curvature)

    def step(state: _State) -> _State:
        at = where(state.count == 1, first, state.last.step * 2.0)
        point_value, point_slope, found = function(at)
        point = Point(at, point_value, point_slope)
        is_beyond = search.rises(at, point.value) | ((point.value >= state.last.value) & (state.count > 1))
        is_star = search.is_flat(point.slope) & ~is_beyond
        is_rising = (point.slope >= 0.0) & ~is_beyond & ~is_star
        back = _narrowed(search, state.last, point, gradient, is_beyond)
        forth = _narrowed(search, point, state.last, gradient, is_rising)
        star, at_star = state.star, state.gradient
        for condition, new, its_gradient in (
            (is_beyond, back.star, back.gradient), (is_star, point, found), (is_rising, forth.star, forth.gradient),
        ):  # fmt: skip
            star, at_star = _chosen(condition, new, star), where(condition, its_gradient, at_star)
        return _State(
            state.is_done | is_beyond | is_star | is_rising,
            state.has_failed | (is_beyond & back.has_failed) | (is_rising & forth.has_failed),
            state.count + 1, point, state.calls + 1 + back.count + forth.count, star, at_star,
        )  # fmt: skip

    begun = _State(array(False), array(False), 1, search.start, 0, search.start, gradient)
    end = while_loop(lambda s: ~s.is_done & (s.count <= maxiter) & ~s.has_failed, step, begun)
    status = where(end.has_failed, array(1), where(end.count > maxiter, array(3), array(0)))
    length = end.star.step
    if bits(length.aval.dtype) != 64:  # a step that is too small for floats is made one that is not
        length = where(abs(length) < 1e-8, sign(length) * 1e-8, length)
    return Found(length, end.star.value, end.gradient, end.calls, end.has_failed | ~end.is_done, status)
