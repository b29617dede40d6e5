"""Programs that do on one platform what they do on no other: followed for either, where both hang together."""

from __future__ import annotations

from pathlib import Path

import pytest

from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.start.kept_report import Report
from arraytyping.checker.flow.start.starting import start
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.settings import Settings

TRANSPOSED = """\
import jax, jax.numpy as jnp, numpy as np
class Data:
    def __init__(self):
        self.is_tpu = {test}
    def load(self, x):
        return np.transpose(x, (1, 2, 3, 0)) if self.is_tpu else x
    def put(self, x):
        if self.is_tpu:
            return jnp.transpose(x, (3, 0, 1, 2))
        return jnp.asarray(x)
data = Data()
y = data.load(np.zeros((8, 5, 6, 3), np.float32))
z = data.put(y)
"""


def followed(folder: Path, text: str) -> Report:
    program = folder / "program.py"
    program.write_text(text)
    entry = EntryPoint("script", "program.py", (("program", program),), (folder,))
    return start(entry, {program.resolve(): "program.py"}, Settings(), Limits(), frozenset())


def known(report: Report, line: int) -> set[str]:
    """What is claimed of the expressions in a line, over all runs."""
    expressions = [e for claims in report.claims for e in claims["program.py"].expressions]
    return {str(claim) for e in expressions if e.position[0] == line for claim in e.claims}


@pytest.mark.parametrize(
    "test",
    [
        "jax.local_devices()[0].platform == 'tpu'",
        "jax.devices()[0].platform != 'tpu'",
        "jax.default_backend() in ('tpu',)",
        "'tpu' == jax.default_backend()",
    ],
)
def test_what_is_kept_is_one_for_the_whole_run(tmp_path: Path, test: str) -> None:
    report = followed(tmp_path, TRANSPOSED.format(test=test))
    assert len(report.claims) == 2
    assert known(report, 13) == {"float32[8, 5, 6, 3]"}
    assert not report.remarks


def test_what_is_wrong_on_one_platform_alone_is_not_certain(tmp_path: Path) -> None:
    report = followed(
        tmp_path,
        "import jax, jax.numpy as jnp\n"
        "is_tpu = jax.default_backend() == 'tpu'\n"
        "x = jnp.ones((2, 3) if is_tpu else (3, 2))\n"
        "y = x @ jnp.ones((3, 4))\n"
        "z = x @ jnp.ones((7, 4))\n",
    )
    assert {(m.line, m.is_certain) for m in report.diagnostics} == {(4, False), (5, False)}
    report = followed(
        tmp_path,
        "import jax, jax.numpy as jnp\n"
        "is_tpu = jax.default_backend() == 'tpu'\n"
        "x = jnp.ones((2, 3)) @ jnp.ones((7, 4))\n",
    )
    assert {(m.line, m.is_certain) for m in report.diagnostics} == {(3, True)}


def test_one_condition_makes_no_other_run(tmp_path: Path) -> None:
    text = "import jax, jax.numpy as jnp\nx = jnp.ones(3)\nif jax.default_backend() == 'tpu':\n    x = jnp.ones(4)\n"
    assert len(followed(tmp_path, text).claims) == 1
    assert len(followed(tmp_path, f"{text}y = x if jax.default_backend() == 'tpu' else x[1:]\n").claims) == 2
