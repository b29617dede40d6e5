"""Objects that hold an array and may come to hold another one: what the types say against runs."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from mypy_runs import Mypy

BOXES = """\
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import jax
import jax.numpy as jnp

T = TypeVar("T")


@dataclass
class Cell(Generic[T]):
    value: T


class Box(Generic[T]):
    def __init__(self, held: T) -> None:
        self._held = held

    @property
    def value(self) -> T:
        return self._held

    @value.setter
    def value(self, value: T) -> None:
        self._held = value


class Grid:
    def __init__(self) -> None:
        self.data = jnp.ones((3, 4))

    @property
    def shape(self) -> Any:
        return self.data.shape

    @shape.setter
    def shape(self, shape: Any) -> None:
        self.data = jnp.zeros(shape)


def put(cell: Cell[jax.Array], box: Box[jax.Array]) -> None:
    cell.value = jnp.zeros((2, 2), jnp.int8)
    box.value = jnp.zeros((2, 2), jnp.int8)


def main() -> None:
    cell, box, grid = Cell(jnp.ones((3, 4))), Box(jnp.ones((3, 4))), Grid()
    put(cell, box)
    grid.shape = (2, 2)
    show(cell.value, box.value, box._held, grid.data)
    cell.value = jnp.ones(5)
    show(cell.value)
"""
VARIABLES = """\
import jax
import jax.numpy as jnp
from flax import nnx


class Model(nnx.Module):
    def __init__(self, rngs: nnx.Rngs) -> None:
        self.w = nnx.Param(jax.random.uniform(rngs.params(), (2, 5)))
        self.b = nnx.Param(jnp.zeros((5,)))
        self.count = nnx.Variable(jnp.array(0))

    def __call__(self, x: jax.Array) -> jax.Array:
        self.count.value = self.count.value + 1.5
        return x @ self.w + self.b


def main() -> None:
    model, x = Model(nnx.Rngs(0)), jnp.ones((7, 2))
    show(model(x), x @ model.w, x @ model.w + model.b, model.b + x @ model.w, model.count.value, 1 + model.count)
    nnx.update(model, jax.tree.map(lambda a: a.astype(jnp.bfloat16), nnx.state(model)))
    show(model.w.value, model.w * 2, model.w[...])
    model.b.value = jnp.zeros((2, 2), jnp.int8)
    show(model.b.value)
    p = nnx.Param(jnp.ones((3, 4)))
    p.value = jnp.zeros((2, 2), jnp.int8)
    show(p.value, p + 1)
"""
SHOW = """

def show(*arrays: object) -> None:
    print(*(f"{getattr(a, 'dtype')}{list(getattr(a, 'shape'))}" for a in arrays), sep="; ")


main()
"""
_DTYPES = {"int": ("int32",), "float": ("float32",)}


def fits(shown: str, claimed: str) -> bool:
    """Whether an array is one of those that a type says."""
    dtype, sizes = shown.partition("[")[0], [s.strip() for s in shown.partition("[")[2].rstrip("]").split(",") if s]
    for named, shape in re.findall(r"Array\[(Any|[\w| ]+), (Any|tuple\[.*?\](?=\]))\]", claimed):
        dtypes = [d for name in named.split(" | ") for d in _DTYPES.get(name, (name,))]
        claimed_sizes = re.findall(r"Literal\[(\d+)\]|(int)", shape)
        if named != "Any" and dtype not in dtypes:
            continue
        if shape == "Any" or (
            len(claimed_sizes) == len(sizes) and all(n in ("", s) for (n, _), s in zip(claimed_sizes, sizes))
        ):
            return True
    return claimed == "Any"


@pytest.mark.parametrize("program", [BOXES, VARIABLES], ids=["boxes", "nnx"])
def test_no_claim_of_what_is_held_is_wrong(program: str, mypy: Mypy) -> None:
    shown = re.sub(r"show\((.*)\)", lambda m: f"reveal_type(({m[1]},))", program)
    revealed = mypy.run(shown).revealed()
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program + SHOW], capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert len(lines) == len(revealed)
    for line, found in zip(lines, revealed):
        claims = re.split(r", (?=Array\[|Any(?:, |$))", found.removeprefix("tuple[").removesuffix("]"))
        arrays = line.split("; ")
        assert len(claims) == len(arrays), found
        for array, claimed in zip(arrays, claims):
            assert fits(array, claimed.strip()), (array, claimed)
    assert "Literal[5]" in revealed[1] if program is BOXES else True  # what was just put in is known


def test_what_fits_is_told_apart() -> None:
    assert fits("int8[2, 2]", "Array[int8, tuple[Literal[2], int]]")
    assert fits("float32[2]", "Array[float32 | float, Any]")
    assert not fits("int8[2, 2]", "Array[int8, tuple[Literal[2]]]")
    assert not fits("int8[2]", "Array[float32, tuple[Literal[2]]]")
    assert not fits("int8[2]", "Array[Any, tuple[Literal[3]]]")
