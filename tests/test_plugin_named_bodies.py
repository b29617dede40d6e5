"""Bodies that are made by chance over containers of named arrays: the plugin against jaxtyping's own checker."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from jaxtyping import TypeCheckError, jaxtyped
from jaxtyping._typeguard import typechecked
from mypy_runs import Mypy, shared_caches

HEAD = """
from collections.abc import Sequence
from typing import Optional

import jax.numpy as jnp
from jax import Array
from jax.numpy import ones
from jaxtyping import Float, PyTree
"""
FUNCTION = """
def f{number}(
    xs: list[Float[Array, "n m"]], ws: dict[str, Float[Array, "m k"]], p: tuple[Float[Array, "n"], Float[Array, "k"]],
    vs: tuple[Float[Array, "m"], ...], o: Optional[Float[Array, "n k"]], qs: Sequence[Float[Array, "2*n"]],
) -> {annotation}:
    first = xs[0]
    a, b = p
    for y in xs:
        last = y
    for x, w in zip(xs, ws.values()):
        pass
    {statement}
"""
ARRAYS = (
    "xs[0]", "xs[-1]", 'ws["a"]', "p[0]", "p[1]", "vs[0]", "vs[1:][0]", "first", "a", "b", "last", "qs[0]",
    "xs[0].sum(0)", 'xs[0] @ ws["a"]', 'vs[0] @ ws["b"]', "xs[1].T", "jnp.concatenate([p[0], p[0]])",
    "jnp.concatenate([xs[0], xs[1]])", "jnp.outer(p[0], vs[0])", "xs[0][1:]", "xs[0][0]", "x @ w", "w.T",
    '(o if o is not None else xs[0] @ ws["a"])', "jnp.zeros((xs[0].shape[1],))", 'ws["a"].reshape(-1)',
)  # fmt: skip
EACH = ("z", "z.T", "z.sum(0)", 'z @ ws["a"]')
DIMS = (
    "n", "m", "k", "n m", "m k", "n k", "m n", "k m", "2*n", "2*n m", "j", "j m", "*b", "n *b", "#n", "m*k",
)  # fmt: skip


def functions(seed: int, count: int) -> str:
    """A program of functions that return something made of their parameters."""
    rng = random.Random(seed)
    text = HEAD
    for number in range(count):
        array = f'Float[Array, "{rng.choice(DIMS)}"]'
        one, other = rng.choice(ARRAYS), rng.choice(ARRAYS)
        annotation, value = rng.choice((
            (array, one),
            (f"list[{array}]", f"[{one}, {other}]"),
            (f"list[{array}]", f"[{rng.choice(EACH)} for z in xs]"),
            (f"dict[str, {array}]", f'{{"a": {one}, "b": {other}}}'),
            (f'tuple[{array}, Float[Array, "{rng.choice(DIMS)}"]]', f"({one}, {other})"),
            (f"tuple[{array}, ...]", f"({one}, {other})"),
            (f"Optional[{array}]", f"{one} if xs else None"),
            (f"PyTree[{array}]", f'[{one}, {{"a": {other}}}]'),
        ))  # fmt: skip
        statement = f"made = {value}\n    return made" if rng.random() < 0.3 else f"return {value}"
        text += FUNCTION.format(number=number, annotation=annotation, statement=statement)
    return text


def test_no_body_is_told_that_jaxtyping_accepts(tmp_path_factory: pytest.TempPathFactory) -> None:
    text = functions(1, 200)
    lines = text.splitlines()
    errors = Mypy(tmp_path_factory.mktemp("bodies"), shared_caches(tmp_path_factory)).run(text).errors()
    told = {next(d for d in reversed(lines[: m.line]) if d.startswith("def"))[4:-1] for m in errors}
    names: dict[str, Any] = {}
    exec(compile(text, "<bodies>", "exec", dont_inherit=True), names)
    ones = names["ones"]
    n, m, k = 3, 5, 7
    arguments = (
        [ones((n, m)), ones((n, m))], {"a": ones((m, k)), "b": ones((m, k))}, (ones(n), ones(k)), (ones(m), ones(m)),
        ones((n, k)), [ones(2 * n)],
    )  # fmt: skip
    refused = set()
    for name in [name for name in names if re.fullmatch(r"f\d+", name)]:
        try:
            jaxtyped(typechecker=typechecked)(names[name])(*arguments)
        except TypeCheckError:
            refused.add(name)
    assert told - refused == set()
    assert len(told) > len(refused) // 2
