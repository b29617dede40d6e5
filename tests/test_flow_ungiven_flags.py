"""Flags of absl that are None unless they are given: what is wrong only where they are not is no mistake."""

from __future__ import annotations

from flow_values import interpreted

from arraytyping.checker.flow.values import ArrayValue

PROGRAM = """\
from absl import app, flags
import jax.numpy as jnp

flags.DEFINE_string("path", None, "where the data are")
flags.DEFINE_integer("size", 4, "how many")
FLAGS = flags.FLAGS

def main(_):
    {lines}
    return jnp.ones((FLAGS.size, 3))

{call}
"""


def certain(lines: str, call: str = "x = main(None)") -> tuple[list[str], ArrayValue | None]:
    flags_read = "FLAGS(['program'])\n" if call.startswith("x") else ""
    variables, result = interpreted(PROGRAM.format(lines=lines, call=flags_read + call))
    array = variables.get("x")
    return [m.message for m in result.diagnostics if m.is_certain], array if isinstance(array, ArrayValue) else None


def test_what_a_flag_lacks_that_must_be_given_is_no_mistake() -> None:
    mistakes, array = certain("print(FLAGS.path.split('/'))")
    assert not mistakes
    assert array is not None
    assert array.aval.shape == (4, 3)  # other flags have their defaults


def test_other_mistakes_of_the_program_stay() -> None:
    mistakes, _ = certain("print(FLAGS.path.split('/'))\n    jnp.ones(2) @ jnp.ones(3)")
    assert [m[:6] for m in mistakes] == ["matmul"]


def test_none_that_no_flag_has_is_a_mistake() -> None:
    mistakes, _ = certain("print(None.split('/'))")
    assert len(mistakes) == 1
    assert "NoneType" in mistakes[0]


def test_under_app_run() -> None:
    mistakes, _ = certain("print(FLAGS.path.split('/'))", "app.run(main)")
    assert not mistakes
