"""Ints of functions that nothing calls, told by their uses: they may be NumPy's, as calls with all of them show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flow_values import interpreted, run

from arraytyping.checker.claims import Claim
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.settings import Settings

GIVEN: Final = (
    3, np.int8(3), np.uint8(3), np.int16(3), np.uint16(3), np.int32(3), np.uint32(3), np.int64(3), np.uint64(3),
)  # fmt: skip
KNOWN: Final = {
    "h * n": "float16[n, 3]",
    "x * int(n)": "int8[n, 3]",
    "x * len(x)": "int8[n, 3]",
    "x * x.shape[0]": "int8[n, 3]",
    "sum(x * k for k in range(n))": None,
    "h * float(n)": "float16[n, 3]",
    "jnp.ones((2 * n, 3))": "float32[2*n, 3]",
    "jnp.zeros(n)": "float32[n]",
    "h.reshape(3 * n)": "float16[3*n]",
    "h[: n // 2]": None,
    "jnp.maximum(h, n)": "float16[n, 3]",
    "jnp.where(n > 2, h, n)": "float16[n, 3]",
    "jax.random.normal(jax.random.key(0), (n, 3))": "float32[n, 3]",
    "jax.nn.one_hot(jnp.arange(3), n)": "float32[3, n]",
    "jnp.eye(n)": "float32[n, n]",
    "jnp.ones(2).at[0].set(n)": "float32[2]",
    "jnp.float32(n)": "float32[]",
    "jnp.arange(n, dtype=jnp.int32)": "int32[n]",
    "jnp.stack([h, h * n])": "float16[2, n, 3]",
    "jax.jit(lambda a, b: a * b)(h, n)": None,
}
"""What does not hang on the sort of int, as it is claimed; with None only what is claimed is compared."""
OPEN: Final = (
    "x * n", "x + 2 * n", "h * (n / 2)", "jnp.asarray(n)", "jnp.arange(n)", "jnp.full((n,), n)", "h + jnp.sqrt(n)",
    "x * (n % 2)", "x * -n", "x * abs(n)", "x * min(n, 2)", "x * (n - n)", "h * n**0.5", "jnp.array([n, 2])",
    "jnp.where(x > 0, n, 0)", "x * np.multiply(n, 2)", "jnp.asarray(np.arange(n))", "jnp.asarray(np.full(2, n))",
    "x * (n if h.size else 2)", "x * [n, 2][0]", "x * {'k': n}['k']", "jnp.stack([x[0], x[0] * n])",
    "x * divmod(n, 2)[1]", "h * jax.lax.fori_loop(0, n, lambda i, c: c, 1.5)", "jnp.dot(x, n)", "x**n", "n**x",
    "x << n", "jnp.clip(x, 0, n)", "jnp.asarray(n.real)", "x * round(n)", "x * n.conjugate()", "jnp.asarray(n + 1)",
    "x * (n + True)", "jnp.sum(x) * n", "jnp.linspace(0, n, 3)", "jnp.pad(x, ((0, 0), (0, 1)), constant_values=n)",
    "h * (n + 0.5)", "jnp.exp(n / 3)", "x * sum([n, n])", "x * max(n, 2)", "x // n", "jnp.array(n) * x", "n * x",
    "h * (1 / n)", "jax.vmap(lambda a: a * n)(x)", "jax.grad(lambda a: (a * n).sum())(h)",
)  # fmt: skip
"""What hangs on it, by some function or operator."""


@pytest.mark.parametrize("x64", [False, True], ids=["x32", "x64"])
def test_what_is_claimed_holds_for_ints_of_numpy(tmp_path: Path, x64: bool) -> None:
    expressions = [*KNOWN, *OPEN]
    head = "import jax, jax.numpy as jnp, numpy as np\n"
    text = head + (f"jax.config.update('jax_enable_x64', {x64})\n" if x64 else "\n")
    for i, expression in enumerate(expressions):
        text += f"def f{i}(n):\n x, h = jnp.ones((n, 3), jnp.int8), jnp.ones((n, 3), jnp.float16)\n y = {expression}\n"
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    found = analyze([path], Settings())
    assert not found.diagnostics
    assert not found.crashes
    claims = {
        e.line: e.claims
        for e in found.claims.files[str(path)].expressions
        if e.column == 5 and e.end_column == 5 + len(expressions[(e.line - 5) // 3])
    }
    for i, expression in enumerate(expressions):
        if 3 * i + 5 in claims:
            _compare(expression, claims[3 * i + 5], x64)
    if not x64:
        known = {expression: known for expression, known in KNOWN.items() if known is not None}
        assert known == {e: _text(claims[3 * expressions.index(e) + 5][0]) for e in known}


def _text(what: object) -> str:
    """Without the numbers by which the names of sizes differ."""
    return re.sub(r"\bn\d+", "n", str(what))


def _compare(expression: str, claims: tuple[Claim, ...], x64: bool) -> None:
    """Hold what is claimed against what comes of each sort of int."""
    ran = 0
    with jax.enable_x64(x64), np.errstate(over="ignore"):
        for n in GIVEN:

            def made(n: Any = n) -> Any:
                x, h = jnp.ones((n, 3), jnp.int8), jnp.ones((n, 3), jnp.float16)
                scope: dict[str, Any] = {"jax": jax, "jnp": jnp, "np": np, "x": x, "h": h, "n": n}
                return eval(expression, scope)

            try:
                array = jax.eval_shape(made)  # which compiles nothing
            except Exception:  # what is refused, in whatever way, and what is no array
                continue
            ran += 1
            assert any(_describes(claim, array) for claim in claims), (expression, type(n), array, claims)
    assert ran, expression


def _describes(claim: Claim, array: jax.ShapeDtypeStruct) -> bool:
    shape = None if claim.shape is None else [None if d is None else eval(_text(d), {"n": 3}) for d in claim.shape]
    return (
        claim.dtype in (None, str(array.dtype))
        and claim.weak_type in (None, array.weak_type)
        and (shape is None or (len(shape) == array.ndim and all(d in (None, s) for d, s in zip(shape, array.shape))))
    )


TEXTS = """\
import jax.numpy as jnp, numpy as np
x, y = jnp.ones(3, jnp.bfloat16), np.zeros(2, np.int8)
texts = str(x.dtype), f"{y.dtype}", "{}".format(x.dtype), "%s" % y.dtype, repr(y.dtype), f"a {x.dtype} b"
same = str(y.dtype) == "int8"
z = jnp.ones({"bfloat16": 4}[str(x.dtype)])
"""


def test_the_text_of_a_dtype_is_its_name() -> None:
    variables, result = interpreted(TEXTS)
    assert not result.crashes
    assert not result.diagnostics
    assert [variables[name] for name in ("texts", "same")] == [run(TEXTS)[name] for name in ("texts", "same")]
    assert show(variables["z"]) == "float32[4]"
