"""What is annotated with `ArrayLike` goes into functions of arrays: no checker reports anything, and it runs."""

from arraytyping import Array, float32
from arraytyping import numpy as anp
from arraytyping.typing import ArrayLike


def calls(x: ArrayLike, a: Array[float32], y: ArrayLike[float32]) -> None:
    anp.sin(x)
    anp.sin(y)
    anp.minimum(a, x)
    anp.minimum(x, a)
    anp.minimum(x, x)
    anp.minimum(a, y)
    anp.add(y, y)
    a + x
    x + a
    a * y
    anp.asarray(x)
    anp.asarray(y)
    anp.where(a > 0, x, y)
    anp.sum(x)
    anp.sum(y)
    anp.linalg.norm(y)
    anp.matmul(a, x)
    anp.clip(x, 0, 1)
    anp.sqrt(anp.asarray(y)) + 1


calls(anp.ones((2, 2)), anp.ones((2, 2), float32), anp.asarray(1.5))
