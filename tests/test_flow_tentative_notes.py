"""Where jax cannot go on within its own trace, nothing of what was seen there counts."""

from __future__ import annotations

from pathlib import Path

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.settings import Settings

SOURCE = """\
import jax
import jax.numpy as jnp
import numpy as np

class Model:
    def __init__(self):
        self.kept = None

    def loss(self, w, x):
        v = (x @ w)[1:]
        self.kept = v
        last = v[-1]
        return jnp.mean(v) * jnp.exp(last)

x = jnp.zeros((len(np.load("a.npy")), 4))
g = jax.grad(Model().loss)(jnp.ones(4), x)
"""


def test_what_was_seen_in_a_trace_that_is_given_up_does_not_count(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text("")
    found = analyze([program], Settings())
    assert not found.diagnostics
    (file,) = found.claims.files.values()
    lines = {line: [str(e) for e in file.expressions if e.line == line] for line in (12, 13)}
    assert all(lines.values())
    assert not [text for texts in lines.values() for text in texts if "?" in text], lines
