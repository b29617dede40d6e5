"""Programs that read `sys.argv` themselves and are followed without words."""

from __future__ import annotations

import textwrap

import pytest
from flow_values import interpreted

WRONG = "jnp.ones((n, 4)) @ jnp.ones((5, 2))"


@pytest.mark.parametrize(
    "asked",
    [
        "n = int(sys.argv[1])",
        "args = sys.argv[1:]\nn = int(args[0])",
        "_, word = sys.argv\nn = int(word)",
        "if len(sys.argv) < 2:\n    print('usage')\n    sys.exit()\nn = int(sys.argv[1])",
        "if len(sys.argv) != 2:\n    raise SystemExit('usage')\nn = int(sys.argv[1])",
        "args = sys.argv[1:]\nif not args:\n    sys.exit(1)\nn = len(args)",
        "def usage():\n    sys.exit('usage')\nif len(sys.argv) < 2:\n    usage()\nn = int(sys.argv[1])",
    ],
)
def test_a_program_that_has_to_be_given_words_is_followed_with_any(asked: str) -> None:
    source = f"import sys\nimport jax.numpy as jnp\n{asked}\nx = {WRONG}\n"
    _, result = interpreted(source)
    (message,) = [m.message for m in result.diagnostics]
    assert message.startswith("matmul: contracted dimensions differ")


def test_one_that_need_not_be_is_followed_as_run_by_its_name() -> None:
    source = (
        "import sys\nn = int(sys.argv[1]) if len(sys.argv) > 1 else 3\nif __name__ == '__main__':\n    sys.exit(0)\n"
    )
    variables, result = interpreted(source)
    assert (variables["n"], result.diagnostics) == (3, [])


def test_a_mistake_that_has_nothing_to_do_with_words_is_reported() -> None:
    _, result = interpreted("import sys\nprint(sys.argv[0])\nx = [1][2]\n")
    assert [m.message for m in result.diagnostics] == ["IndexError: list index 2 is out of range: it has 1 items"]


def test_a_class_that_unknown_words_choose_has_its_methods_called() -> None:
    result = interpreted(
        """
        import json, sys
        import jax.numpy as jnp

        def made(shape):
            return jnp.zeros(shape)

        class Conv:
            def init(self):
                return made((2, 4, 4))

        class Dense:
            def init(self):
                return made((2, 4))

        made((3, 4))
        layer = {"conv": Conv, "dense": Dense}[sys.argv[1]](**json.loads(sys.argv[2]))
        layer.init()
        """.replace("\n        ", "\n")
    )[1]
    (claims,) = (e.claims for e in next(iter(result.claims.values())).expressions if e.line == 6)
    assert {c.shape for c in claims} == {(3, 4), (2, 4, 4), (2, 4)}


PARSERS = {
    "argparse": """
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("--env", type=str, default="")
        parser.add_argument("--n", type=int, default=3)
        args = parser.parse_args()
        env, n = args.env, args.n
        """,
    "absl": """
        from absl import app, flags
        flags.DEFINE_string("env", None, "which")
        flags.DEFINE_integer("n", 3, "how many")
        FLAGS = flags.FLAGS
        FLAGS(sys.argv)
        env, n = FLAGS.env, FLAGS.n
        """,
}


@pytest.mark.parametrize("parser", PARSERS)
def test_a_program_that_refuses_the_defaults_of_its_options_is_followed_with_others(parser: str) -> None:
    head = "import sys\nimport jax.numpy as jnp\n" + textwrap.dedent(PARSERS[parser])
    source = f"{head}\nif not env:\n    raise ValueError('--env is required')\nm = n\nx = {WRONG}\n"
    variables, result = interpreted(source)
    (message,) = [m.message for m in result.diagnostics]
    assert message.startswith("matmul: contracted dimensions differ")
    # An empty text has to be given, as an option that is required; what else may be given with None is not known.
    assert (variables["m"] == 3) == (parser == "argparse")


def test_a_dict_that_is_asked_for_an_option_without_a_default() -> None:
    source = """
import argparse
import jax.numpy as jnp

parser = argparse.ArgumentParser()
parser.add_argument("--task")
sizes = {"small": 3, "large": 4}
n = sizes[parser.parse_args().task]
jnp.ones(3) @ jnp.ones(4)
"""
    variables, result = interpreted(source)
    assert [(m.line, m.code) for m in result.diagnostics] == [(9, "array-shape")]
    assert variables["n"] != 3


def test_one_that_refuses_something_else_is_reported() -> None:
    source = textwrap.dedent(PARSERS["argparse"]) + "raise NotImplementedError('not yet')\n"
    _, result = interpreted(source)
    assert [m.message for m in result.diagnostics] == ["raises NotImplementedError('not yet')"]
