"""jaxtyping's names in lists, tuples, dicts, unions and trees: what is read in a body, and what a call gives."""

from collections.abc import Callable, Mapping, Sequence
from typing import Optional

import equinox as eqx
import jax.numpy as jnp
from jax import Array
from jax.numpy import ones
from jaxtyping import Float32, PyTree

Row = Float32[Array, "n"]


def body(
    xs: list[Float32[Array, "n d"]],
    weights: dict[str, Float32[Array, "d k"]],
    pair: tuple[Float32[Array, "n"], Float32[Array, "d"]],
    more: tuple[Row, ...],
    nested: Sequence[Mapping[str, Row]],
    maybe: Optional[list[Row]] = None,
) -> list[Float32[Array, "n k"]]:
    n, d = xs[0].shape
    k = weights["w"].shape[1]
    reveal_type(xs[0] @ weights["w"])  # R: Array[float32 | float, tuple[Literal['n'], Literal['k']]]
    reveal_type(xs[0].T)  # R: Array[float32 | float, tuple[Literal['d'], Literal['n']]]
    reveal_type(xs[0].sum(axis=0))  # R: Array[float32, tuple[Literal['d']]]
    reveal_type(xs[1:][0] + 0)  # R: Array[float32 | float, tuple[Literal['n'], Literal['d']]]
    first = xs[0]
    reveal_type(jnp.concatenate([first, first]))  # R: Array[float32 | float, tuple[Literal['2*n'], Literal['d']]]
    left, right = pair
    reveal_type(jnp.outer(left, right))  # R: Array[float32 | float, tuple[Literal['n'], Literal['d']]]
    reveal_type(pair[-1] + 0)  # R: Array[float32 | float, tuple[Literal['d']]]
    reveal_type(more[0] + left)  # R: Array[float32 | float, tuple[Literal['n']]]
    reveal_type(nested[0]["a"] + 0)  # R: Array[float32 | float, tuple[Literal['n']]]
    if maybe is not None:
        reveal_type(maybe[0] + 0)  # R: Array[float32 | float, tuple[Literal['n']]]
    for x in xs:
        reveal_type(x.T)  # R: Array[float32 | float, tuple[Literal['d'], Literal['n']]]
    for number, (x, row) in enumerate(zip(xs, more)):
        reveal_type(row @ x)  # R: Array[float32 | float, tuple[Literal['d']]]
    for w in weights.values():
        reveal_type(x @ w)  # R: Array[float32 | float, tuple[Literal['n'], Literal['k']]]
    for name, w in weights.items():
        reveal_type(w.T)  # R: Array[float32 | float, tuple[Literal['k'], Literal['d']]]
    return [x @ weights["w"] for x in xs]


xs = [ones((2, 3)), ones((2, 3))]
made = body(xs, {"w": ones((3, 4))}, (ones(2), ones(3)), (ones(2), ones(2)), [{"a": ones(2)}], [ones(2)])
reveal_type(made)  # R: list[Array[float32 | float, tuple[Literal[2], Literal[4]]]]


def parts(xs: Sequence[Row], size: int) -> tuple[Float32[Array, "2*n"], ...]:
    return tuple(jnp.concatenate([x, x]) for x in xs)


reveal_type(parts([ones(3), ones(3)], 2))  # R: tuple[Array[float32 | float, tuple[Literal[6]]], ...]
reveal_type(parts([], 2))  # R: tuple[Array[float32 | float, tuple[int]], ...]
reveal_type(parts([ones(2 + i) for i in range(1)], 2))  # R: tuple[Array[float32 | float, tuple[int]], ...]


def table(tree: PyTree[Float32[Array, "n ..."]]) -> dict[str, Row]:
    return {"a": tree["w"].sum(axis=1)}


reveal_type(table({"w": ones((2, 3)), "b": [ones(2), None]}))  # R: dict[str, Array[float32 | float, tuple[Literal[2]]]]


def spread(*xs: Row, **others: Row) -> Optional[Row]:
    n = len(xs[0])
    reveal_type(xs[0] + 0)  # R: Array[float32 | float, tuple[Literal['n']]]
    reveal_type(others["a"] + 0)  # R: Array[float32 | float, tuple[Literal['n']]]
    return xs[0]


both = spread(ones(3), a=ones(3))
assert both is not None
reveal_type(both)  # R: Array[float32 | float, tuple[Literal[3]]]


class Network(eqx.Module):
    weights: list[Float32[Array, "n n"]]
    bias: Float32[Array, "n"]

    def __call__(self, x: Float32[Array, "n"]) -> Float32[Array, "n"]:
        n = len(self.bias)
        for w in self.weights:
            reveal_type(w @ self.bias)  # R: Array[float32 | float, tuple[Literal['n']]]
        reveal_type(self.weights[0].T)  # R: Array[float32 | float, tuple[Literal['n'], Literal['n']]]
        # The sizes of an instance are its own: they are not those of the method's names.
        reveal_type(self.weights[0] + x)  # R: Array[float32 | float, tuple[Literal['n'], int]]
        return self.bias


Network([ones((3, 3))], ones(3))(ones(3))


def applied(f: Callable[[Row], Row], x: Float32[Array, "n"]) -> Float32[Array, "n"]:
    # Nobody looks at the sizes that a function has which is handed on.
    reveal_type(f(x))  # R: Array[float32 | float, tuple[int]]
    return f(x)


def shifted(x: Float32[Array, "k"]) -> Float32[Array, "k"]:
    return x + 1


reveal_type(applied(shifted, ones(3)))  # R: Array[float32, tuple[Literal[3]]]
