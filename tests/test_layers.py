"""The layers of the house: import-linter holds its contracts in `.importlinter`, a fresh interpreter what is loaded."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
SOURCES = (ROOT / "src" / "arraytyping", ROOT / "mypy_plugin" / "arraytyping_mypy")
ABSENT = frozenset({"numpy", "jaxlib", "jax", "ml_dtypes"})
"""What importing the rules or the plugin must not load."""
OTHERS = frozenset({
    "IPython", "cloudpickle", "distributed", "jax", "jaxlib", "jupytext", "librt", "lsprotocol", "matplotlib",
    "ml_dtypes", "mypy", "nbformat", "numpy", "optree", "pathspec", "pygls", "rich", "rich_click", "scipy",
    "typeshed_client", "typing_extensions", "watchfiles",
})  # fmt: skip
"""The packages that any module imports, of those that are not Python's own."""


def lint(*sources: Path) -> subprocess.CompletedProcess[str]:
    """What import-linter says of the packages in these directories."""
    return subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as main; main()", "--no-cache"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sources)), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_contracts_are_kept() -> None:
    done = lint(*(path.parent for path in SOURCES))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


WRONG = {
    "src/arraytyping/semantics/lattice.py": ("import arraytyping.semantics.avals", "The packages of the semantics"),
    "src/arraytyping/semantics/sizes/dims.py": ("def f():\n    import numpy", "Python's own library alone"),
    "src/arraytyping/scalars.py": ("from arraytyping.runtime import core", "the runtime on the semantics"),
    "src/arraytyping/runtime/core.py": ("from arraytyping import numpy", "the runtime on the semantics"),
    "src/arraytyping/runtime/tree/paths.py": ("import arraytyping.checker.settings", "does without the checker"),
    "src/arraytyping/runtime/array.py": ("from arraytyping.runtime import whole", "The packages of the runtime"),
    "src/arraytyping/runtime/lax/sorting.py": ("import jaxlib", "jaxlib is asked by"),
    "src/arraytyping/checker/settings.py": ("from arraytyping.runtime.core import Tracer", "without the runtime"),
    "src/arraytyping/checker/x64.py": ("def f():\n    import arraytyping_mypy.hooks", "The commands"),
    "src/arraytyping/checker/flow/values/missing.py": ("import arraytyping.checker.flow.start.program", "packages of"),
    "src/arraytyping/checker/flow/syntax/loops.py": ("import numpy", "The checker knows NumPy"),
    "src/arraytyping/checker/flow/engines/dispatch.py": ("import jax.numpy", "The installed jax"),
    "mypy_plugin/arraytyping_mypy/hooks.py": ("import arraytyping.checker.cli.check", "The commands"),
}  # fmt: skip


def test_what_breaks_a_contract_is_found_out(tmp_path: Path) -> None:
    for source in SOURCES:
        shutil.copytree(source, tmp_path / source.relative_to(ROOT), ignore=shutil.ignore_patterns("__pycache__"))
    for name, (line, _) in WRONG.items():
        path = tmp_path / name
        path.write_text(f"{path.read_text()}\n{line}\n")
    (tmp_path / "src/arraytyping/checker/flow/new_room.py").write_text("")
    done = lint(tmp_path / "src", tmp_path / "mypy_plugin")
    assert done.returncode == 1, done.stderr
    head, _, broken = done.stdout.partition("Broken contracts")
    for name, (_, contract) in WRONG.items():
        assert any(contract in line and "BROKEN" in line for line in head.splitlines()), contract
        module = name.partition("/")[2].removesuffix(".py").replace("/", ".")
        assert f"{module} -> " in broken, f"{module}\n{broken}"
    assert "new_room" in broken


def test_no_other_packages_are_imported() -> None:
    graph = grimp.build_graph("arraytyping", "arraytyping_mypy", include_external_packages=True, cache_dir=None)
    tops = {module.partition(".")[0] for module in graph.modules}
    assert tops - sys.stdlib_module_names - {"arraytyping", "arraytyping_mypy"} == OTHERS


def loaded_by(*modules: str) -> set[str]:
    """The top-level modules that a fresh interpreter loads when it imports these."""
    program = (
        "import importlib, json, sys; before = set(sys.modules)\n"
        "for name in sys.argv[1:]: importlib.import_module(name)\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in set(sys.modules) - before})))"
    )
    paths = [str(source.parent) for source in SOURCES] + [p for p in (os.environ.get("PYTHONPATH"),) if p]
    run = subprocess.run(
        [sys.executable, "-c", program, *modules],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return set(json.loads(run.stdout))


GROUND = [
    "arraytyping.semantics.lattice", "arraytyping.scalars", "arraytyping.semantics.avals",
    "arraytyping.semantics.promotion.jax", "arraytyping.semantics.rules",
]  # fmt: skip


@pytest.mark.parametrize("modules", [*([name] for name in GROUND), GROUND], ids=" ".join)
def test_the_semantics_load_the_standard_library_only(modules: list[str]) -> None:
    loaded = loaded_by(*modules)
    assert "arraytyping" in loaded
    assert loaded - sys.stdlib_module_names == {"arraytyping"}


def test_the_plugin_loads_no_array_library() -> None:
    folder = SOURCES[1]
    paths = (path.relative_to(folder.parent).with_suffix("") for path in folder.rglob("*.py"))
    plugin = sorted(".".join(path.parts).removesuffix(".__init__") for path in paths)
    loaded = loaded_by(*plugin)
    assert {"arraytyping", "arraytyping_mypy", "mypy"} <= loaded
    assert loaded & ABSENT == set()


@pytest.mark.parametrize(("module", "present"), [("numpy", "numpy"), ("ml_dtypes", "numpy"), ("jax", "jaxlib")])
def test_what_must_be_absent_would_be_seen(module: str, present: str) -> None:
    loaded = loaded_by("arraytyping.semantics.lattice", module)
    assert {"arraytyping", module, present} <= loaded
    assert loaded & ABSENT
    assert loaded - sys.stdlib_module_names > {"arraytyping"}
