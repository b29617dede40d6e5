"""The audit gives a program's arguments to both: the run, and flow, which follows the program with them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NUMPY = "import sys\nimport jax.numpy as jnp\n"
PROGRAMS = {
    "argparse_": (
        f"{NUMPY}import argparse\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('n', type=int, nargs='?', default=3)\nparser.add_argument('--wide', action='store_true')\n"
        "n = int(sys.argv[1]) if len(sys.argv) > 1 else 3\nknown = jnp.ones(n)\n"
        "for args in (parser.parse_args(), parser.parse_args(sys.argv[1:])):\n    x = jnp.ones(args.n)\n"
        "    y = jnp.ones((2, 2) if args.wide else 2) * 2\n"
    ),
    "absl_": (
        f"{NUMPY}from absl import app, flags\nN = flags.DEFINE_integer('n', 3, 'size')\n"
        "def main(argv):\n    x = jnp.ones(N.value)\n    y = jnp.ones(len(argv))\napp.run(main)\n"
    ),
    "click_": (
        f"{NUMPY}import click\n@click.command()\n@click.argument('n', type=int, default=3)\n"
        "def main(n):\n    x = jnp.ones(n)\n    y = x * 2\nmain()\n"
    ),
}
ARGUMENTS = {"absl_": ("--n=5", "more"), "argparse_": ("5", "--wide")}


@pytest.mark.parametrize("name", PROGRAMS)
def test_arguments_are_given_to_both(name: str, tmp_path: Path) -> None:
    if name in ("absl_", "click_"):
        pytest.importorskip(name.rstrip("_"))
    (tmp_path / "train.py").write_text(PROGRAMS[name])
    given = ARGUMENTS.get(name, ("5",))
    command = [sys.executable, "-m", "arraytyping", "audit", "train.py", *given]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "JAX_PLATFORMS": "cpu"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "wrong" in done.stdout
    assert "0 wrong" in done.stdout, done.stdout
    assert name != "argparse_" or ", every value fully known for 0 " not in done.stdout, done.stdout


@pytest.mark.parametrize(
    "command", [[sys.executable, "-m", "arraytyping"], [str(Path(sys.executable).parent / "arraytyping")]]
)
def test_a_program_finds_its_modules_by_the_search_path_of_the_environment(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    (tmp_path / "own.py").write_text("import jax.numpy as jnp\nx = jnp.ones(3)\n")
    path = "import sys\nassert sys.path[1] == sys.argv[1], sys.path\n"
    (tmp_path / "programs" / "train.py").write_text(f"{path}import own\ny = own.x + 1\n")
    environ = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [*command, "audit", "programs/train.py", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=environ,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 wrong" in done.stdout
