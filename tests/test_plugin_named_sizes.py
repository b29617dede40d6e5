"""Names of jaxtyping's annotations in bodies, and strings that it refuses: the plugin against jaxtyping itself."""

from __future__ import annotations

import re
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from arraytyping_mypy.dimension_strings import complaint
from arraytyping_mypy.named_sizes import plain_text, size_of_text, symbol
from jaxtyping import Float
from mypy_runs import Mypy, shared_caches

from arraytyping.semantics.avals import SymbolicDim
from arraytyping.semantics.sizes.dims import add_dims, divide_dim, max_dim, multiply_dims, subtract_dims

STRINGS = [
    "", "n", "n m", "3", "rows=3", "a=b=3", "#n", "#3", "*b", "*b n", "... n", "_", "_n", "*_", "?n", "?*n", "n+1",
    "2*n", "min(n,m)", "#n+1", "{self.x}", "n, m", "n,m", "n#", "...n", "##n", "**b", "__n", "??n", "*a *b", "... *b",
    "... ...", "*3", "_3", "?3", "#_", "_#n", "_n+1", "*n+1", "?n+1", "n,", "n-1 *b", "#*b", "*#b n", "a=*b c", "a=#",
    "=", "n=", "-1",
]  # fmt: skip


@pytest.mark.parametrize("text", STRINGS)
def test_strings_are_refused_as_jaxtyping_refuses_them(text: str) -> None:
    try:
        Float[jax.Array, text]
    except ValueError:
        refused = True
    else:
        refused = False
    assert (complaint(text) is not None) == refused


def test_sizes_are_read_as_they_are_written() -> None:
    n, m = symbol("n", "1a"), symbol("m", "1a")
    sizes = [
        n, add_dims((n, 1)), multiply_dims((n, m, 2)), subtract_dims(n, m), divide_dim(add_dims((n, 1)), 2),
        max_dim(n, subtract_dims(m, 3)), subtract_dims(multiply_dims((n, n)), add_dims((n, m))),
    ]  # fmt: skip
    for size in sizes:
        assert isinstance(size, SymbolicDim)
        assert size_of_text(size.name) == size
        assert "1a" not in plain_text(size.name)


PROGRAM = """
import beartype
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, jaxtyped

checked = jaxtyped(typechecker=beartype.beartype)


@checked
def wrong_transposed(x: Float[Array, "n m"]) -> Float[Array, "n m"]:
    return x.T


@checked
def right_transposed(x: Float[Array, "n m"]) -> Float[Array, "m n"]:
    return x.T


@checked
def wrong_longer(x: Float[Array, "n m"]) -> Float[Array, "n+1 m"]:
    return jnp.concatenate([x, x, x[:0]])


@checked
def right_doubled(x: Float[Array, "n m"]) -> Float[Array, "2*n m"]:
    return jnp.concatenate([x, x])


@checked
def right_halves(x: Float[Array, "n m"]) -> Float[Array, "n m"]:
    rows = x.reshape(x.shape[0] // 2, 2, -1)
    return rows.reshape(-1, x.shape[1])


@checked
def right_squares(x: Float[Array, "n m"]) -> Float[Array, "n m"]:
    if x.shape[0] != x.shape[1]:
        raise SystemExit
    return x.T


@checked
def wrong_pair(x: Float[Array, "n m"]) -> tuple[Float[Array, "n"], Float[Array, "m"]]:
    return x.sum(0), x.sum(0)


@checked
def right_rebound(x: Float[Array, "n m"]) -> Float[Array, "k m"]:
    x = x[1:]
    return x


@checked
def right_optional(x: Float[Array, "n m"], y: Float[Array, "m"] | None = None) -> Float[Array, "n m"]:
    def inner(m: Float[Array, "m n"]) -> Float[Array, "n m"]:
        return m.T

    return inner(x.T)
"""


def test_bodies_are_held_against_their_annotations(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    mypy = Mypy(tmp_path_factory.mktemp("bodies"), shared_caches(tmp_path_factory))
    run = mypy.run(PROGRAM)
    assert {m.code for m in run.errors()} == {"array-annotation"}
    lines = PROGRAM.splitlines()
    told = {
        next(re.match(r"def (\w+)", line) for line in reversed(lines[: m.line]) if line.startswith("def "))[1]  # type: ignore[index]
        for m in run.errors()
    }
    names: dict[str, Any] = {}
    exec(PROGRAM, names)
    refused = set()
    functions = [n for n in names if n.startswith(("wrong_", "right_"))]
    for name in functions:
        try:
            names[name](jnp.ones((4, 3)))
        except TypeError:
            refused.add(name)
        except SystemExit:
            pass
    assert refused == {n for n in functions if n.startswith("wrong_")}
    assert told == refused
