"""Mistakes that every checker finds, each on the marked line, and nothing on another."""

from typing import Literal

from arraytyping import Array, float32, floating, int8
from arraytyping.typing import ArrayLike, DTypeLike, KeyArray, Shape, ShapeLike

Rows = tuple[Literal[3], int]


def any_array(x: ArrayLike) -> None: ...


def of_floats(x: ArrayLike[float32]) -> None: ...


def of_rows(x: ArrayLike[float32, Rows]) -> None: ...


def strict(x: Array[float32, Rows]) -> None: ...


def strong(x: Array[floating]) -> None: ...


def shaped(shape: ShapeLike, dtype: DTypeLike = "float32") -> None: ...


def volume(shape: Shape) -> None: ...


def takes_key(key: KeyArray) -> None: ...


def calls(b: Array[float32], c: Array[int8], w: Array[float], four: Array[float32, tuple[Literal[4], int]]) -> None:
    any_array([1, 2])  # mistake
    any_array("x")  # mistake
    any_array(None)  # mistake
    any_array({"x": b})  # mistake
    any_array((b, c))  # mistake
    of_floats(c)  # mistake
    of_rows(four)  # mistake
    strict(four)  # mistake
    strict(w)  # mistake
    strict(1.0)  # mistake
    strong(w)  # mistake
    strong(c)  # mistake
    shaped(2.5)  # mistake
    shaped("ab")  # mistake
    shaped((2.5, 1))  # mistake
    shaped(None)  # mistake
    shaped(3, 1.5)  # mistake
    shaped(3, [int])  # mistake
    volume([2, 3])  # mistake
    volume(3)  # mistake
    takes_key(b)  # mistake
    takes_key(3)  # mistake
