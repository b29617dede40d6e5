"""x64 where it hangs on what is not known before the program runs: followed once with it on, and once with it off."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.settings import Settings

_HEAD = "import os\nimport jax\nimport jax.numpy as jnp\n"
_ON = 'jax.config.update("jax_enable_x64", True)'
_OFF = 'jax.config.update("jax_enable_x64", False)'
_EITHER = {"float32", "float64"}
UNDECIDED = {
    "a condition": f"if os.environ.get('WIDE'):\n    {_ON}\n",
    "a value": "jax.config.update('jax_enable_x64', bool(os.environ.get('WIDE')))\n",
    "one of two": f"if os.environ.get('WIDE'):\n    {_ON}\nelse:\n    {_OFF}\n",
    "a function": f"def set_up(wide):\n    if wide:\n        {_ON}\nset_up(os.environ.get('WIDE'))\n",
    "what is behind a return": f"def f(n):\n    if n:\n        return\n    {_ON}\nf(os.environ.get('NARROW'))\n",
    "a callback": f"import missing\ndef set_up():\n    {_ON}\nmissing.at_start(set_up)\n",
    "a function of a library that is not there": "import missing\nmissing.enable_x64()\n",
    "a condition of the environment": "if missing.wide:\n    os.environ['JAX_ENABLE_X64'] = '1'\nimport jax\n",
}
DECIDED = {
    "on": (f"{_ON}\n", "float64"),
    "on and off": (f"{_ON}\n{_OFF}\n", "float32"),
    "on in what is tried": (f"try:\n    {_ON}\nexcept ValueError:\n    pass\n", "float64"),
    "off already": (f"if os.environ.get('NARROW'):\n    {_OFF}\n", "float32"),
    "on already": (f"{_ON}\nif os.environ.get('WIDE'):\n    {_ON}\n", "float64"),
    "a function that nothing calls": (f"def set_up():\n    {_ON}\n", "float32"),
    "a default": (
        f"import argparse\np = argparse.ArgumentParser()\np.add_argument('--wide', action='store_true')\n"
        f"if p.parse_args().wide:\n    {_ON}\n",
        "float32",
    ),
}
FROM_THE_ENVIRONMENT = {
    "before jax is imported": "import os\nos.environ['JAX_ENABLE_X64'] = 'True'\nimport jax.numpy as jnp\n",
    "by default": "import os\nos.environ.setdefault('JAX_ENABLE_X64', '1')\nimport jax.numpy as jnp\n",
    "behind a library": "import os\nimport numpy\nos.environ.update(JAX_ENABLE_X64='on')\nimport jax.numpy as jnp\n",
    "once jax is imported": "import os\nimport jax.numpy as jnp\nos.environ['JAX_ENABLE_X64'] = '1'\n",
    "off": "import os\nos.environ['JAX_ENABLE_X64'] = '0'\nimport jax.numpy as jnp\n",
}


def claimed(path: Path, program: str) -> set[str | None]:
    """The dtypes of what stands in the last line, by all runs of the program."""
    path.write_text(program + "x = jnp.ones(3)\n")
    report = analyze([path], Settings())
    line = program.count("\n") + 1
    claims = [e for file in report.claims.files.values() for e in file.expressions if e.position[0] == line]
    return {claim.dtype and str(claim.dtype) for e in claims for claim in e.claims}


@pytest.mark.parametrize("name", [*UNDECIDED])
def test_where_the_switch_is_not_decided_both_sides_are_claimed(name: str, tmp_path: Path) -> None:
    head = _HEAD if "environment" not in name else "import os\nimport missing\n"
    program = UNDECIDED[name] + ("import jax.numpy as jnp\n" if "environment" in name else "")
    assert claimed(tmp_path / "program.py", head + program) == _EITHER


@pytest.mark.parametrize("name", [*DECIDED])
def test_where_it_is_decided_one_side_is_claimed(name: str, tmp_path: Path) -> None:
    program, dtype = DECIDED[name]
    assert claimed(tmp_path / "program.py", _HEAD + program) == {dtype}


@pytest.mark.parametrize("name", [*FROM_THE_ENVIRONMENT])
def test_the_environment_counts_until_jax_is_imported(name: str, tmp_path: Path) -> None:
    program = FROM_THE_ENVIRONMENT[name]
    environment = {k: v for k, v in os.environ.items() if k != "JAX_ENABLE_X64"} | {"JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-c", f"{program}print(jnp.ones(3).dtype)"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert claimed(tmp_path / "program.py", program) == {done.stdout.strip()}


def test_what_is_wrong_on_one_side_alone_is_not_certain(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        f"{_HEAD}if os.environ.get('WIDE'):\n    {_ON}\n"
        "jnp.ones(3) + jnp.ones(4)\n"
        "def f(c, x):\n    return c + 1, jnp.float64(x)\n"
        "jax.lax.fori_loop(0, 3, lambda i, c: c + jnp.arange(3), jnp.zeros(3, jnp.int32))\n"
        "jnp.zeros(3, jnp.float64)\n"
    )
    report = analyze([path], Settings())
    assert [(m.line, m.is_certain, m.is_warning) for m in report.diagnostics] == [(6, True, False), (9, False, False)]


@pytest.mark.parametrize(
    "switch",
    [
        "if os.environ.get('NEW'):\n    jax.config.update('jax_enable_custom_prng', True)",
        "jax.config.update('jax_default_prng_impl', os.environ.get('NEW', 'rbg'))",
    ],
)
def test_what_keys_are_is_not_claimed_where_it_hangs_on_what_is_not_known(switch: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"{_HEAD}a = jnp.ones(3)\n{switch}\nkey = jax.random.PRNGKey(0)\n")
    report = analyze([path], Settings())
    (file,) = report.claims.files.values()
    assert [e.position[0] for e in file.expressions if e.claims[0].dtype is not None] == [4]


def test_a_library_of_which_some_programs_switch_it_is_followed_on_both_sides(tmp_path: Path) -> None:
    (tmp_path / "library.py").write_text("import jax.numpy as jnp\ndef f():\n    return jnp.ones(3)\n")
    (tmp_path / "wide.py").write_text(f"import jax\n{_ON}\nimport library\n")
    (tmp_path / "narrow.py").write_text("import library\n")
    report = analyze([tmp_path], Settings())
    found = [e for name, file in report.claims.files.items() if name.endswith("library.py") for e in file.expressions]
    assert {str(claim.dtype) for e in found for claim in e.claims} == _EITHER
