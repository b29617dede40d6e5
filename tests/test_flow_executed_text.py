"""Code that a program reads and executes: files of the project, and the names that `globals()` gives."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.report.reporting import report_on
from arraytyping.checker.flow.state.showing import show

CONFIGURATOR = """
import sys
from ast import literal_eval
for arg in sys.argv[1:]:
    if '=' not in arg:
        exec(open(arg).read())
    else:
        key, val = arg[2:].split('=')
        if key in globals():
            globals()[key] = literal_eval(val)
        else:
            raise ValueError(f"Unknown config key: {key}")
"""


@pytest.mark.parametrize(
    ("arguments", "known"),
    [
        ((), ["float32[12, 64]", "float32[64]", "float32[12]"]),
        (("--batch_size=4",), ["float32[4, 64]", "float32[64]", "float32[4]"]),
        (("small.py", "--batch_size=2"), ["float32[2, 128]", "float32[128]", "float32[2]"]),
    ],
)
def test_names_that_are_set_by_code_that_is_read(tmp_path: Path, arguments: tuple[str, ...], known: list[str]) -> None:
    """As nanoGPT and its descendants are configured: a file is executed, which looks at the command line."""
    (tmp_path / "configurator.py").write_text(CONFIGURATOR)
    (tmp_path / "small.py").write_text("n_embd = 128\n")
    program = tmp_path / "train.py"
    program.write_text(
        textwrap.dedent("""
        import jax.numpy as jnp
        batch_size = 12
        n_embd = 64
        config_keys = [k for k, v in globals().items() if not k.startswith('_') and isinstance(v, int)]
        exec(open('configurator.py').read())
        config = {k: globals()[k] for k in config_keys}
        def size():
            return batch_size
        x = jnp.ones((batch_size, n_embd))
        y = jnp.ones(config['n_embd'])
        z = jnp.ones(size())
        """)
    )
    report = report_on([program], None, uses_cache=False, target=[str(program), *arguments])
    claims = report.claims.files[str(program)].expressions
    assert [str(e.claims[0]) for e in claims if e.line >= 10] == known


def test_names_that_are_written_through_globals_are_not_known(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text(
        "import jax.numpy as jnp, elsewhere\nn = m = 3\nglobals().update(elsewhere.options)\nx = jnp.ones(n)\n"
    )
    report = report_on([program], None, uses_cache=False)
    claims = report.claims.files[str(program)].expressions
    (claim,) = [e.claims[0] for e in claims if e.line == 4 and e.end_column - e.column == 11]
    assert not claim.is_shape_known


PARSED = """\
import ast
import jax.numpy as jnp

def layer(text):
    call = ast.parse(text, mode="eval").body
    if isinstance(call, ast.Name):
        return jnp.zeros(SIZES[call.id])
    if not isinstance(call, ast.Call) or call.func.id != "ones":
        raise ValueError(text)
    sizes = tuple(ast.literal_eval(arg) for arg in call.args)
    return jnp.ones(sizes, **{option.arg: ast.literal_eval(option.value) for option in call.keywords})

SIZES = {"small": 2}
x = layer("ones(3, 4, dtype='bfloat16')")
y = layer("small")
"""


def test_a_text_that_the_program_reads_as_a_tree_of_python() -> None:
    variables, result = interpreted(PARSED)
    assert not result.crashes
    assert not result.diagnostics
    assert wrong_claims(PARSED, variables, run(PARSED)) == []
    assert [show(variables[name]) for name in "xy"] == ["bfloat16[3, 4]", "float32[2]"]


@pytest.mark.parametrize("text", ["'(' * 200", "'-' * 200 + '1'", "'f' + '(' * 60"])
def test_a_text_that_is_nested_too_deep_is_not_read(text: str) -> None:
    _, result = interpreted(f"import ast\ntree = ast.parse({text}, mode='eval')\n")
    assert not result.crashes
    assert not result.diagnostics
