"""64 bits that a library asks for while x64 is off by default: its users decide, and programs, tests and settings."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from mypy_runs import Mypy

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.sources.x64_of_users import lines_that_ask, may_ask_for_64_bits
from arraytyping.checker.settings import Settings
from arraytyping.checker.x64 import X64Decision, by_default

METADATA = "import setuptools\n\nsetuptools.setup()\n"
MODULE = """\
import jax
import jax.numpy as jnp

STEPS = jnp.arange(3, dtype=jnp.int64)

def total(dtype=jnp.float64) -> jax.Array:
    return jnp.zeros(3, jnp.float64) + jnp.ones(3, dtype)
"""
SCRIPT = "import jax.numpy as jnp\n\nprint(jnp.ones(3, jnp.float64))\n"
PACKAGE = {"setup.py": METADATA, "pkg/__init__.py": "", "pkg/ops.py": MODULE}
ON = 'import jax\njax.config.update("jax_enable_x64", True)\n'
ASKED = [4, 7]
"""The lines of the module in which 64 bits are asked for by name."""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / ".git").mkdir(exist_ok=True)


def told_by_flow(folder: Path, *paths: str, settings: Settings | None = None) -> dict[str, list[int]]:
    """The lines at which flow tells of 64 bits, by file."""
    found: dict[str, list[int]] = {}
    for mistake in analyze([folder / path for path in paths], settings or Settings(), root=folder).diagnostics:
        if mistake.code == "array-x64":
            found.setdefault(Path(mistake.path).name, []).append(mistake.line)
    return {file: sorted({*lines}) for file, lines in found.items()}


def told_by_types(mypy: Mypy, files: dict[str, str], settings: str = "") -> set[tuple[str, int]]:
    """The places at which mypy with the plugin does."""
    checked = [name for name in files if name != "setup.py"]
    run = mypy.run(files, settings=settings, check=checked)
    return {(m.file, m.line) for m in run.errors() if m.code == "array-x64"}


def test_the_users_of_a_library_decide(tmp_path: Path, mypy: Mypy) -> None:
    write(tmp_path, PACKAGE)
    assert told_by_flow(tmp_path, "pkg") == {}
    assert told_by_flow(tmp_path, "pkg", settings=Settings(x64=False)) == {"ops.py": [4]}
    assert told_by_types(mypy, PACKAGE) == set()
    assert told_by_types(mypy, {**PACKAGE, "pkg/parts/more.py": MODULE}) == set()  # without an `__init__.py`
    assert told_by_types(mypy, PACKAGE, "x64 = false") == {("pkg/ops.py", line) for line in ASKED}


def test_a_package_that_nobody_installs_belongs_to_its_programs(tmp_path: Path, mypy: Mypy) -> None:
    files = {name: text for name, text in PACKAGE.items() if name != "setup.py"}
    write(tmp_path, files)
    assert told_by_flow(tmp_path, "pkg") == {"ops.py": [4]}
    assert told_by_types(mypy, files) == {("pkg/ops.py", line) for line in ASKED}


def test_what_is_run_is_told(tmp_path: Path, mypy: Mypy) -> None:
    main = f"{SCRIPT}if __name__ == '__main__':\n    print()\n"
    files = {
        **PACKAGE,
        "run.py": "import jax\nimport pkg.ops\nprint(pkg.ops.total())\n",
        "pkg/main.py": main,
        "pkg/test_it.py": f"def test_it() -> None:\n    {SCRIPT.splitlines()[0]}\n    {SCRIPT.splitlines()[2]}\n",
    }
    write(tmp_path, files)
    # The library's lines are certain where a program comes to them.
    assert told_by_flow(tmp_path, "run.py", "pkg/ops.py") == {"ops.py": ASKED}
    assert told_by_flow(tmp_path, "pkg/main.py") == {"main.py": [3]}
    assert told_by_types(mypy, files) == {("pkg/main.py", 3), ("pkg/test_it.py", 3)}


def test_a_library_of_which_all_programs_switch_it_on_is_followed_so(tmp_path: Path) -> None:
    module = f"{MODULE}\ndef unused() -> jax.Array:\n    x = jnp.zeros(3)\n    return x\n"
    write(tmp_path, {"run.py": f"{ON}import ops\nprint(ops.total())\n", "ops.py": module})
    found = analyze([tmp_path], Settings(), root=tmp_path)
    assert found.diagnostics == []
    (claims,) = (file for path, file in found.claims.files.items() if Path(path).name == "ops.py")
    (claim,) = (e for e in claims.expressions if e.position[0] == 10 and e.position[1] == 8)
    assert [c.dtype for c in claim.claims] == ["float64"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("if jax.config.jax_enable_x64:\n    a()\nelse:\n    b()\nc()", [1, 2, 3, 4]),
        ("x = f64 if util.x64_enabled() else f32\ny = 1", [1]),
        ("X64 = jax.config.read('jax_enable_x64')\nif X64 and n:\n    a()\nb()", [2, 3]),
        ("def f():\n    a()\n    if not has_x64():\n        return\n    b()\nc()", [3, 4, 5]),
        ("for i in x:\n    if not x64:\n        continue\n    b()\nc()", [2, 3, 4]),
        ("@pytest.mark.skipif(not jax.config.x64_enabled, reason='')\ndef f():\n    a()\nb()", [2, 3]),
        ("if x:\n    a()\nwhile y:\n    b()", []),
    ],
)
def test_lines_that_hang_on_x64(text: str, lines: list[int]) -> None:
    tree = ast.parse(text)
    assert sorted({line for found in lines_that_ask(tree) for line in found}) == lines


def test_a_condition_on_x64_is_none_of_a_mistake(mypy: Mypy) -> None:
    text = (
        "import jax\nimport jax.numpy as jnp\n\ndef f() -> jax.Array:\n    x = jnp.ones(3, jnp.float64)\n"
        "    if jax.config.jax_enable_x64:\n        x = x.astype(jnp.float64)\n    return x\n\nprint(f())\n"
    )
    assert told_by_types(mypy, {"run.py": text}) == {("run.py", 5)}


def test_only_what_nothing_decides_is_left_to_users(tmp_path: Path) -> None:
    write(tmp_path, PACKAGE)
    path, tree = tmp_path / "pkg" / "ops.py", ast.parse(MODULE)
    assert may_ask_for_64_bits(by_default({}), path, tree, 4)
    assert not may_ask_for_64_bits(by_default({"JAX_ENABLE_X64": "0"}), path, tree, 4)
    assert not may_ask_for_64_bits(X64Decision.configured(False, "a file"), path, tree, 4)
    assert may_ask_for_64_bits(X64Decision(None, "it is not known"), path, tree, 4)
