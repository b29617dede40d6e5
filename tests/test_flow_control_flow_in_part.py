"""`scan`, `cond` and their kin over arguments of which a part is unknown: each claim is what jax gives in any run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from arraytyping.checker.claims import Claim
from arraytyping.checker.flow.report.reporting import report_on

HEAD = """\
import jax, jax.numpy as jnp, numpy as np
from jax import lax
unknown = np.load("data.npy", allow_pickle=True)[()]
"""
STARTS = {
    "weak int": "0",
    "weak float": "0.0",
    "bool": "False",
    "int8": "jnp.int8(0)",
    "bfloat16 vector": "jnp.zeros(3, jnp.bfloat16)",
    "float32 matrix": "jnp.zeros((2, 3))",
    "NumPy": "np.zeros(3)",
    "complex64": "jnp.complex64(0)",
    "weak of an array": "jnp.asarray(2.0)",
}
"""What is carried, or what the branches take."""
PROGRAMS = {
    "scan, stays": "(y, z), w = lax.scan(lambda c, x: (c, c[0]), (START, unknown), None, length=5)",
    "scan, doubled": (
        "(y, z), w = lax.scan(lambda c, x: ((c[0] * 2, c[1]), c[0] + x), (START, unknown), jnp.ones((5, 1)))"
    ),
    "scan, becomes strong": (
        "(y, z), w = lax.scan(lambda c, x: ((c[0] + x, c[1]), x), (START, unknown), jnp.ones(5, jnp.bfloat16))"
    ),
    "scan, from what is unknown": (
        "(y, z), w = lax.scan(lambda c, x: ((c[0], c[0]), x), (START, unknown), jnp.ones((4, 2)))"
    ),
    "scan of a dict": (
        "c, w = lax.scan(lambda c, x: ({'a': c['a'], 'b': c['b']}, (x, c['a'])), {'a': START, 'b': unknown}, "
        "jnp.ones((4, 2)), reverse=True)\ny, z = c['a'], w"
    ),
    "scan of unknown rows": "(y, w), z = lax.scan(lambda c, x: (c, x), (START, 1), unknown)",
    "while_loop": "y, z, w = lax.while_loop(lambda c: c[2] < 3, lambda c: (c[0], c[1], c[2] + 1), (START, unknown, 0))",
    "while_loop, keywords": (
        "y, z = lax.while_loop(cond_fun=lambda c: True, body_fun=lambda c: (c[0] * 2, c[1]), "
        "init_val=(START, unknown))\nw = 0"
    ),
    "fori_loop": "y, z, w = lax.fori_loop(0, 5, lambda i, c: (c[0], c[1], i), (START, unknown, 0))",
    "fori_loop, unknown end": (
        "y, z, w = lax.fori_loop(0, unknown, lambda i, c: (c[0] * 2, c[1], c[2]), (START, 1.0, 0))"
    ),
    "map": "y = w = lax.map(lambda x: (x[0], START)[1], (jnp.ones((4, 2)), unknown))",
    "cond": "y = w = lax.cond(unknown is None, lambda a, b: a * 2, lambda a, b: a + 1, START, unknown)",
    "cond, operand": "y = w = lax.cond(True, lambda a: a[0], lambda a: a[0], operand=(START, unknown))",
    "cond, weak and strong": "y = w = lax.cond(True, lambda a, b: a, lambda a, b: a * 1, START, unknown)",
    "switch": (
        "y, w = lax.switch(1, [lambda a, b: (a, b), lambda a, b: (a, b), lambda a, b: (a * 2, b)], START, unknown)"
    ),
    "nested": (
        "(y, z), w = lax.scan(lambda c, x: lax.scan(lambda d, e: (d, d[0]), c, None, length=2), (START, unknown), "
        "jnp.ones((5, 1)))"
    ),
    "under jit": (
        "y, z = jax.jit(lambda s: lax.fori_loop(0, 3, lambda i, c: (c[0] * 2, c[1]), (s, unknown)))(START)\nw = 0"
    ),
    "in vmap": (
        "y, z = jax.vmap(lambda i: lax.fori_loop(0, 3, lambda i, c: (c[0] * 2, c[1]), (START, "
        "unknown)))(jnp.arange(4))\nw = 0"
    ),
}
UNKNOWN = (4, jnp.ones((4, 2)))
"""What may be in the file: an end of a loop, or rows of an array."""


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_every_claim_is_what_jax_gives(tmp_path: Path, program: str) -> None:
    """Of every sort of start; what jax refuses claims nothing that could be wrong."""
    cases, lines = {}, HEAD.splitlines()
    for start in STARTS.values():
        text = program.replace("START", start)
        lines += [*text.splitlines(), "y", "w"]
        cases[len(lines)] = text
    path = tmp_path / "program.py"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    report = report_on([path], None, uses_cache=False)
    (file,) = report.claims.files.values()
    assert not [d for d in report.diagnostics if d.is_certain]
    claims = {e.line: e.claims for e in file.expressions if e.column == 0}
    known = 0
    for last, text in cases.items():
        for runs in _runs(text):
            for line, run in zip((last - 1, last), runs):
                for claim in claims.get(line, ()):
                    assert _is_true(claim, run), (text, str(claim), run)
                    known += claim.is_dtype_known and claim.is_shape_known
    assert known, "nothing is known of any"


def _runs(text: str) -> list[Any]:
    """What `y` and `w` are in runs with what may be in the file; those that jax refuses say nothing."""
    found = []
    for unknown in UNKNOWN:
        scope: dict[str, Any] = {"unknown": unknown}
        exec(HEAD.rpartition("unknown")[0], scope)
        try:
            exec(f"def run():\n    {text.replace(chr(10), chr(10) + '    ')}\n    return y, w", scope)
            found.append(jax.eval_shape(scope["run"]))
        except (TypeError, ValueError, IndexError):
            continue
    return found


def _is_true(claim: Claim, run: Any) -> bool:
    """Whether a claim is true of the array that it speaks of."""
    for place in claim.item:
        run = run[place]
    return (
        claim.dtype in (None, str(run.dtype))
        and claim.weak_type in (None, run.weak_type)
        and (claim.shape is None or len(claim.shape) == len(run.shape))
        and all(d in (None, size) for d, size in zip(claim.shape or (), run.shape))
    )
