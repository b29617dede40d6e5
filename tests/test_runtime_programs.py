"""A program runs with its imports exchanged: whole programs, once on jax and once on the runtime.

A part of them runs by default; ARRAYTYPING_ALL_PROGRAMS=1 asks for all.
"""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest
from exchanged_programs import differences, exchanged, run, run_on_jax

ROOT = Path(__file__).parent.parent
OWN = sorted(Path(__file__).parent.glob("data/runtime_programs/*.py"))
"""Programs that use what JAX's tutorials teach."""
PROGRAMS = {
    path.stem: path
    for path in (
        *OWN,
        *sorted(ROOT.glob("typecheck_cases/flow/*.py")),
        *sorted(ROOT.glob("typecheck_cases/pass/*.py")),
        ROOT / "examples" / "mlp.py",
    )
}
OTHER_LIBRARIES = {
    "equinox_optax": "equinox",
    "flax_linen_optax": "flax",
    "flax_nnx_regressor": "flax",
}
"""Programs that use a library which computes with jax itself, and which one."""
LOOSER = {"mixed_precision": 5.0}
"""Its gradients are computed in bfloat16, and added to parameters in float32."""
QUICK = (
    "autodiff_cookbook", "control_flow", "custom_rules", "logistic_regression", "mlp_momentum", "pytrees",
    "quickstart", "stack_machine", "staging", "stateful",
)  # fmt: skip
ASKED = [
    name
    for name in PROGRAMS
    if name not in OTHER_LIBRARIES and (name in QUICK or os.environ.get("ARRAYTYPING_ALL_PROGRAMS"))
]


@pytest.mark.parametrize("name", ASKED)
def test_the_same_on_both(name: str) -> None:
    theirs = run_on_jax(PROGRAMS[name])
    assert theirs.output, "a program that prints nothing shows little"
    assert differences(run(PROGRAMS[name], ours=True), theirs, looser=LOOSER.get(name, 1.0)) == []


def test_each_program_is_accounted_for() -> None:
    assert {*OTHER_LIBRARIES, *QUICK} <= PROGRAMS.keys()
    for name, path in PROGRAMS.items():
        imported = {
            alias.name.partition(".")[0]
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in (node.names if isinstance(node, ast.Import) else [ast.alias(node.module or "")])
        }
        assert bool(imported & {"chex", "equinox", "flax", "optax"}) == (name in OTHER_LIBRARIES), name
        if name in OTHER_LIBRARIES:
            assert OTHER_LIBRARIES[name] in imported


def test_imports_are_exchanged_and_nothing_else() -> None:
    source = """
import jax, numpy as np
import jax.numpy as jnp
import jax.scipy.special
from jax import lax, grad as g
from jax.tree_util import tree_map
from .jax import other
import jaxtyping
jax.jit
"""
    assert ast.unparse(exchanged(source)).split("\n") == [
        "import arraytyping as jax",
        "import numpy as np",
        "import arraytyping.numpy as jnp",
        "import arraytyping.scipy.special",
        "import arraytyping as jax",
        "from arraytyping import lax, grad as g",
        "from arraytyping.tree_util import tree_map",
        "from .jax import other",
        "import jaxtyping",
        "jax.jit",
    ]


def test_differences_are_found(tmp_path: Path) -> None:
    """A comparison that could not fail would show nothing."""
    program = tmp_path / "program.py"
    program.write_text(
        """
import jax, jax.numpy as jnp
ours = jax.__name__ != "jax"
same = jnp.arange(3.0)
value = jnp.float32(1 + ours)
weak = jnp.asarray(1) if ours else jnp.int32(1)
def main():
    held = {"x": [jnp.zeros(2 + ours)]}
    print("one", 1.0 + ours)
    print("two", 2.0001 + 1e-5 * ours)
main()
"""
    )
    assert differences(run(program, ours=True), run(program, ours=False)) == [
        "prints 'one 2.0', on jax 'one 1.0'",
        "main.held['x'][0]: shape (3,), on jax (2,)",
        "value: values [2.]..., on jax [1.]...",
        "weak: weak type True, on jax False",
    ]
