"""Sizes with names: nothing that runs is refused, what is claimed is true of arrays, and what never runs is found."""

from __future__ import annotations

import ast
import contextlib
import math
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from agreements import agreed, digest_of, record
from flow_values import interpreted
from symbolic_one_liners import ANNOTATIONS, ONE_LINERS, PREAMBLE, arguments

from arraytyping.checker.claims import Claim
from arraytyping.checker.flow.engines.invented_sizes import assignments
from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.report.analysis import Analysis, analyze
from arraytyping.checker.settings import Settings
from arraytyping.semantics.avals import SymbolicDim, dim_str
from arraytyping.semantics.sizes.polynomials import symbol

PARAMETERS = ", ".join(f"{name}: {annotation}" for name, annotation in ANNOTATIONS.items())
SIZES = {"n": 4, "m": 3, "k": 2, "b": 2, "h": 5, "w": 5}


def program(one_liners: list[str]) -> str:
    functions = [f"def f{i}({PARAMETERS}):\n    return {line}" for i, line in enumerate(one_liners)]
    return PREAMBLE + "\n".join(functions) + "\n"


def analyzed(source: str, tmp_path: Path) -> Analysis:
    path = tmp_path / "one_liners.py"
    path.write_text(source)
    return analyze([path], Settings())


def test_one_liners_that_run(tmp_path: Path) -> None:
    """None is refused, and nothing claimed of a result is wrong, compared with jax on arrays of known sizes."""
    source = program(ONE_LINERS)
    found = analyzed(source, tmp_path)
    lines = source.splitlines()
    assert [(lines[m.line - 1], m.message) for m in found.diagnostics] == []
    assert found.is_complete
    assert not found.crashes
    returned = {r.value.lineno: r.value for r in ast.walk(ast.parse(source)) if isinstance(r, ast.Return) and r.value}
    (file,) = found.claims.files.values()
    claims = {e.line: e.claims for e in file.expressions if _is_at(e, returned[e.line])}
    texts = {lines[line - 1].strip().removeprefix("return "): claimed for line, claimed in claims.items()}
    digest = digest_of(f"{text}: {[c.to_json() for c in texts[text]]}" for text in sorted(texts))
    if not agreed(digest):
        wrong, compared = compare(texts)
        print(f"symbolic sizes: {len(ONE_LINERS)} one-liners, {compared} results compared with jax's")
        assert wrong == []
        record(digest)


def _is_at(e: Any, node: ast.expr) -> bool:
    return (e.column, e.end_line, e.end_column) == (node.col_offset, node.end_lineno, node.end_col_offset)


def compare(texts: dict[str, tuple[Claim, ...]]) -> tuple[list[str], int]:
    """What is wrong of the claims about results, and how many arrays were compared."""
    namespace: dict[str, Any] = {}
    exec(PREAMBLE, namespace)
    given = arguments()
    wrong, compared = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text, claims in texts.items():
            function = eval(f"lambda {', '.join(given)}: {text}", namespace)
            try:
                result = jax.eval_shape(function, **given)
            except Exception:  # it needs values
                result = function(**given)
            for claim in claims:
                for array in _items(result, claim.item):
                    compared += 1
                    if not is_true(claim, array):
                        wrong.append(f"{text}: {claim} is claimed, {array} is true")
    return wrong, compared


def _items(value: Any, path: tuple[int, ...]) -> Iterator[Any]:
    with contextlib.suppress(TypeError, IndexError, KeyError):
        for i in path:
            value = value[i]
        if hasattr(value, "dtype") and not isinstance(value, np.ndarray | np.generic):
            yield value


def is_true(claim: Claim, array: Any) -> bool:
    dims = claim.shape
    return claim.dtype in (None, str(array.dtype)) and (
        dims is None or (len(dims) == len(array.shape) and all(map(_fits, dims, array.shape)))
    )


def _fits(dim: Any, size: int) -> bool:
    if isinstance(dim, SymbolicDim):
        if not set(re.findall(r"[a-z_]\w*", dim.name)) <= SIZES.keys():
            return True
        return bool(eval(dim.name.replace("^", "**"), {}, dict(SIZES)) == size)
    return dim in (None, size)


REFUSED = """
x: Float32[Array, "n 3"]                             | jnp.linalg.inv(x[:, :, None])                 | square|n, n
x: Float32[Array, "n"]                               | jax.grad(lambda v: v * 2)(x)                  | scalar-output
x: Float32[Array, "n"]                               | lax.scan(lambda c, v: (jnp.stack([c, c]), v), x, x) | carry
x: Float32[Array, "n 4"], y: Float32[Array, "n 5"]   | jax.vmap(lambda a, b: a + b)(x, y)            | broadcasting
x: Float32[Array, "n"]                               | jnp.linalg.eigh(x)                            | dimension
x: Float32[Array, "n"]                               | nn.glu(x[None, None], axis=4)                 | axis|out of
x: Float32[Array, "n 3"], y: Float32[Array, "4 m"]   | jax.vmap(jnp.dot)(x, y @ jnp.ones((5, 5)))    | dot|vmap
x: Float32[Array, "n"]                               | jnp.pad(x, 2) + jnp.pad(x, 4)                 | against n [+] 8
x: Float32[Array, "n"]                               | jnp.repeat(x, 2).reshape(-1, 4) @ jnp.ones(3) | contracted
x: Float32[Array, "n"]                               | jnp.append(jnp.tile(x, 2), 1).reshape(-1, 2)  | cannot reshape
x: Float32[Array, "n m"]                             | jnp.stack([x.ravel(), jnp.append(x, 0)])      | same shape
x: Float32[Array, "n m"]                             | jnp.linalg.inv(jnp.pad(x @ x.T, ((0, 1), (0, 0)))) | n [+] 1, n
x: Float32[Array, "n"]                               | jnp.einsum("i,i", jnp.pad(x, 1), jnp.pad(x, 2)) | n [+] 4
x: Float32[Array, "n"]                               | lax.dynamic_slice(x, (0,), (x.shape[0] + 1,)) | n [+] 1
"""


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_what_is_refused_for_all_sizes(line: str, tmp_path: Path) -> None:
    parameters, expression, words = (part.strip() for part in line.split("|", 2))
    found = analyzed(f"{PREAMBLE}\ndef f({parameters}):\n    return {expression}\n", tmp_path)
    (diagnostic,) = found.diagnostics
    assert re.search(words, diagnostic.message)
    assert diagnostic.is_certain


ALLOWED = [
    'x: Float32[Array, "n"], y: Float32[Array, "m"]       | jax.vmap(lambda a, b: a + b)(x, y)',
    'x: Float32[Array, "n"], y: Float32[Array, "4"]       | jax.vmap(lambda a, b: a + b)(x, y)',
    'x: Float32[Array, "2*n"], y: Float32[Array, "8"]     | jax.vmap(lambda a, b: a + b)(x, y)',
    'x: Float32[Array, "n m"]                             | jnp.linalg.inv(x)',
    'x: Float32[Array, "n+1"], y: Float32[Array, "m"]     | lax.scan(lambda c, v: (c + y, v), x, x)',
    'x: Float32[Array, "n"], y: Float32[Array, "1"]       | lax.cond(True, lambda: x, lambda: y)',
    'x: Float32[Array, "n m"]                             | jax.grad(lambda w: (2.0 * (w @ x)).sum())(x)',
    'x: Float32[Array, "n"], y: Float32[Array, "n 3"]     | jax.vmap(lambda r: lax.map(lambda c: c + x[:3], r))(y)',
    'x: Float32[Array, "n"], y: Float32[Array, "b"]       | jax.jvp(lambda v: v @ y, (x,), (x,))',
]  # fmt: skip


KNOWN = """
jnp.concatenate([m, m])                          | 2*n, m
jnp.asarray(np.concatenate([np.ones(v.shape), np.ones(2)])) | n + 2
jnp.stack([m, m]).reshape(-1, m.shape[1])        | 2*n, m
m.reshape(-1)                                    | m*n
m.reshape(-1, 2)                                 | (m*n)//2, 2
m.reshape(m.shape[1], -1)                        | m, n
jnp.pad(v, (1, 2))                               | n + 3
jnp.outer(m, v)                                  | m*n, n
jnp.kron(r, r)                                   | n*n, 9
jnp.tile(m, (2, 3))                              | 2*n, 3*m
jnp.repeat(v, 3)                                 | 3*n
jnp.diag(v, -2)                                  | n + 2, n + 2
jnp.diagonal(m)                                  | min(m, n)
jnp.diff(v)                                      | max(n - 1, 0)
jnp.insert(v, 0, 1.0)                            | n + 1
v[1:]                                            | max(n - 1, 0)
v[1:-1]                                          | max(n - 2, 0)
v[1:][1:]                                        | max(n - 2, 0)
v[::2]                                           | (n + 1)//2
v[::-2]                                          | (n + 1)//2
v[:3]                                            | min(n, 3)
v[-3:]                                           | min(n, 3)
v[: v.shape[0] // 2]                             | n//2
v[v.shape[0] // 2 :]                             | n - n//2
jnp.asarray(np.ones(v.shape)[v.shape[0] // 2 :]) | n - n//2
jnp.arange(1, v.shape[0], 2)                     | n//2
jnp.split(jnp.tile(v, 4), 2)[0]                  | 2*n
jnp.array_split(v, 3)[0]                         | (n + 2)//3
lax.conv(img.transpose(0, 3, 1, 2), jnp.ones((1, 3, 3, 3)), (1, 1), "VALID") | b, 1, max(h - 2, 0), max(w - 2, 0)
lax.conv(img.transpose(0, 3, 1, 2), jnp.ones((1, 3, 3, 3)), (2, 2), "SAME")  | b, 1, (h + 1)//2, (w + 1)//2
lax.reduce_window(v, 0.0, lax.add, (2,), (2,), "VALID")                      | n//2
lax.pad(v, 0.0, [(1, 1, 1)])                     | max(2*n - 1, 0) + 2
lax.fft(v, lax.FftType.RFFT, v.shape).real       | n//2 + 1
lax.linalg.svd(m, compute_uv=False)              | min(m, n)
"""


def test_sizes_that_are_known(tmp_path: Path) -> None:
    """What is computed of sizes is known in symbols, by jax's rules as by NumPy's."""
    rows = [[part.strip() for part in line.split("|")] for line in KNOWN.strip().splitlines()]
    source = program([text for text, _ in rows])
    found = analyzed(source, tmp_path)
    (file,) = found.claims.files.values()
    returned = {r.value.lineno: r.value for r in ast.walk(ast.parse(source)) if isinstance(r, ast.Return) and r.value}
    shapes = {
        source.splitlines()[e.line - 1].strip().removeprefix("return "): ", ".join(
            map(dim_str, e.claims[0].shape or ())
        )
        for e in file.expressions
        if _is_at(e, returned[e.line])
    }
    assert shapes == dict(rows)


@pytest.mark.parametrize("line", ALLOWED)
def test_what_runs_for_some_sizes(line: str, tmp_path: Path) -> None:
    parameters, expression = (part.strip() for part in line.split("|"))
    found = analyzed(f"{PREAMBLE}\ndef f({parameters}):\n    return {expression}\n", tmp_path)
    assert found.diagnostics == []


def test_what_is_seen_with_invented_sizes_is_not_told(tmp_path: Path) -> None:
    returned = "jax.vmap(lambda a: a * y)(jnp.stack([x, jnp.tile(y, 2)]))"
    source = f'{PREAMBLE}\ndef f(x: Float32[Array, "n"], y: Float32[Array, "4"]):\n    return {returned}\n'
    found = analyzed(source, tmp_path)
    (file,) = found.claims.files.values()
    sizes = {d for e in file.expressions for c in e.claims for d in c.shape or ()}
    assert not {7, 11, 13} & sizes


def test_assignments() -> None:
    """Sizes are tried that have to be equal to each other, or to a number."""
    n, m = symbol("n", 0), symbol("m", 0)
    tried = list(assignments([n + n, m], [6], "got 5 and (2*n, m)"))
    assert {"m": 6, "n": 3} in tried
    assert any(t["n"] == t["m"] == 5 for t in tried)
    assert any(t["n"] != t["m"] for t in tried)
    assert list(assignments([symbol("i", 0, 2)], [100], "")) == [{"i": 2}, {"i": 1}]
    assert all(math.prod(t.values()) > 0 for t in tried)


def test_what_each_pass_of_a_loop_invents_anew_is_told_once() -> None:
    _, found = interpreted(
        """
import sys
import jax.numpy as jnp
from jaxtyping import Array, Float32

def scores(x: Float32[Array, "batch features"]):
    return (x @ jnp.ones((16, 64))) @ jnp.ones((16, 10))

for line in sys.stdin:
    scores(line)
"""
    )
    (told,) = found.diagnostics
    assert "dimension 1 of (batch1, 64) is 64, dimension 0 of (16, 10) is 16" in told.message


def test_what_is_refused_for_sizes_that_an_object_holds_is_not_certain() -> None:
    """Flax says that a kernel has shape (10, u1) and should have (10, u2): which may be the same."""
    engine, (given, held) = JaxEngine(), map(symbol, ("u1", "u2"))
    for size in (given, held):
        engine.dim(size)
    engine.sizes_met.add(given)
    assert engine.is_of_sizes_met("the shape (10, u1) is no (10, 3)")
    assert not engine.is_of_sizes_met("the shape (10, u2) is no (10, u1)")
