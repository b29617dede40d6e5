"""Imports go down only: what a floor may import, checked in the source and in a fresh interpreter."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Floor:
    """Modules, each with all that is in it, and the packages of others that they may import (None: any)."""

    modules: tuple[str, ...]
    others: frozenset[str] | None = frozenset()


# From the ground up.  A module belongs to the floor that names it most closely, and imports its own and lower ones.
FLOORS = (
    Floor(
        (
            "arraytyping.lattice",
            "arraytyping.regular_files",
            "arraytyping.releases",
            "arraytyping.scalars",
            "arraytyping.sizes",
        )
    ),
    Floor(("arraytyping.promotion", "arraytyping.avals")),
    Floor(("arraytyping.config", "arraytyping.errors", "arraytyping.operations", "arraytyping.user_warnings")),
    Floor(("arraytyping.rules",)),
    Floor(
        ("arraytyping.annotation_names", "arraytyping.array_types", "arraytyping.basearray"),
        frozenset({"typing_extensions"}),
    ),
    Floor(("arraytyping", "arraytyping.typing"), frozenset({"numpy", "typing_extensions"})),
    Floor(("arraytyping.flow",), frozenset({"typing_extensions"})),
    Floor(("arraytyping_mypy",), frozenset({"mypy"})),
    # the runtime, which the static tools do without
    Floor(("arraytyping.core",)),
    Floor(
        ("arraytyping.np_dtypes", "arraytyping.shape_dtype_struct", "arraytyping.tree"),
        frozenset({"ml_dtypes", "numpy", "optree"}),
    ),
    Floor(("arraytyping.jaxpr",)),
    Floor(("arraytyping.tracing",)),
    Floor(("arraytyping.array_likes", "arraytyping.call_arguments", "arraytyping.calling"), frozenset({"numpy"})),
    Floor(
        ("arraytyping.jaxpr.parser", "arraytyping.lax", "arraytyping.transformations"),
        frozenset({"ml_dtypes", "numpy", "optree", "typing_extensions"}),
    ),
    Floor(("arraytyping.xla.jaxlib_api",), frozenset({"ml_dtypes", "numpy"})),
    Floor(("arraytyping.array",), frozenset({"numpy"})),
    Floor(("arraytyping.xla",), frozenset({"ml_dtypes", "numpy"})),
    Floor(("arraytyping.placement", "arraytyping.sharding"), frozenset({"numpy"})),
    Floor(
        (
            "arraytyping.flatten_util",
            "arraytyping.interface",
            "arraytyping.numpy",
            "arraytyping.ops",
            "arraytyping.runtime",
        ),
        frozenset({"ml_dtypes", "numpy"}),
    ),
    Floor(("arraytyping.nn", "arraytyping.random", "arraytyping.scipy"), frozenset({"ml_dtypes", "numpy"})),
    Floor(("arraytyping.dtypes", "arraytyping.tree_util"), frozenset({"ml_dtypes", "optree"})),
    Floor(("arraytyping.cli", "arraytyping.__main__", "arraytyping.stubgen"), None),
)
NOWHERE = frozenset({"jax", "jaxlib"})
"""What no module imports, on any floor, but those of `ENGINES`."""
ENGINES = {
    "arraytyping.flow.engines.jax": frozenset({"jax", "numpy"}),
    "arraytyping.flow.engines.jax_private": frozenset({"jax"}),
    "arraytyping.xla": frozenset({"jaxlib"}),
    "arraytyping.flow.engines": frozenset({"numpy", "ml_dtypes"}),
    "arraytyping.flow.libraries.jax_sharding": frozenset({"numpy"}),
    "arraytyping.flow.libraries.numpy_contexts": frozenset({"numpy"}),
    "arraytyping.flow.adapters": frozenset({"chex", "equinox", "flax", "optax"}),
}
"""The rooms of flow that ask other packages, which a program has imported; the first prefix that fits counts."""
ABSENT = frozenset({"numpy", "jaxlib", "jax", "ml_dtypes"})
"""What importing the rules or the plugin must not load."""

ROOT = Path(__file__).parent.parent
SOURCES = (ROOT / "src" / "arraytyping", ROOT / "mypy_plugin" / "arraytyping_mypy")

Imports = dict[str, list[tuple[int, str]]]
"""For each module the line and the name of everything that it imports."""


def floor_of(module: str) -> int | None:
    """The number of a module's floor; None if it is none of ours."""
    named = [(len(m), n) for n, floor in enumerate(FLOORS) for m in floor.modules if f"{module}.".startswith(f"{m}.")]
    return max(named)[1] if named else None


def read(packages: tuple[Path, ...]) -> Imports:
    """The imports of every module of these packages, wherever they stand, in functions too."""
    files: dict[str, Path] = {}
    for package in packages:
        for path in sorted(package.rglob("*.py")):
            parts = path.relative_to(package.parent).with_suffix("").parts
            files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return {
        module: sorted(set(imports(ast.parse(path.read_text()), module, path.name == "__init__.py", files)))
        for module, path in files.items()
    }


def imports(tree: ast.Module, module: str, is_package: bool, modules: Mapping[str, Path]) -> Iterator[tuple[int, str]]:
    """The line and the full name of each module that a source imports, also by `import_module("...")`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = module.split(".")[: (1 if is_package else 0) - node.level or None] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield node.lineno, full if full in modules else base
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in ("import_module", "__import__") and isinstance(node.args[0].value, str):
                yield node.lineno, node.args[0].value


def violations(found: Imports) -> list[str]:
    """A line for every import that leads up, or out of the house where the floor does not allow it."""
    lines = []
    for module, imported in found.items():
        here = floor_of(module)
        assert here is not None
        for line, name in imported:
            there, package = floor_of(name), name.partition(".")[0]
            others = FLOORS[here].others
            asked = next((names for room, names in ENGINES.items() if f"{module}.".startswith(f"{room}.")), frozenset())
            if package in asked:
                continue
            if package in NOWHERE:
                lines.append(f"{module}:{line} imports {name}, which no module may")
            elif there is not None:
                if there > here:
                    lines.append(f"{module}:{line} imports {name}, which is {there - here} floors above")
            elif others is not None and package not in others and package not in sys.stdlib_module_names:
                lines.append(f"{module}:{line} imports {name}, which its floor may not")
    return lines


def test_imports_go_down() -> None:
    found = read(SOURCES)
    assert violations(found) == []
    assert {floor_of(module) for module in found} >= {0, 1, 2, 3, 4}
    assert sum(map(len, found.values())) > 200


# Each file of a bad house, with the names of which it must be accused.
BAD_HOUSE = {
    "arraytyping/__init__.py": ("from arraytyping.rules import add\n", []),
    "arraytyping/lattice.py": ("import math\nimport mypy.nodes\n", ["mypy.nodes"]),
    "arraytyping/scalars.py": ("from arraytyping import avals, __version__\n", ["arraytyping.avals", "arraytyping"]),
    "arraytyping/avals.py": ("import arraytyping.scalars\nfrom arraytyping.rules.add import add\n",
                             ["arraytyping.rules.add"]),
    "arraytyping/rules/__init__.py": ("from .add import add\nfrom . import add\nfrom ..avals import x\n", []),
    "arraytyping/rules/add.py": ("def f():\n    import jax.numpy as jnp\n    from numpy import add\n",
                                 ["jax.numpy", "numpy"]),
    "arraytyping/rules/late.py": ("import importlib\nm = importlib.import_module('ml_dtypes')\n", ["ml_dtypes"]),
    "arraytyping/rules/up.py": ("from ..cli import main\nfrom ..lattice import Lattice\n", ["arraytyping.cli"]),
    "arraytyping/settings.py": ("import typing\nif typing.TYPE_CHECKING:\n    import arraytyping_mypy.hooks\n",
                              ["arraytyping_mypy.hooks"]),
    "arraytyping/cli/__init__.py": ("import rich_click\nimport arraytyping_mypy\nfrom . import run\n", []),
    "arraytyping/cli/run.py": ("__import__('jaxlib')\nimport mypy.api\n", ["jaxlib"]),
    "arraytyping_mypy/__init__.py": ("from mypy.plugin import Plugin\nfrom arraytyping.rules import evaluate\n", []),
    "arraytyping_mypy/hooks.py": ("import arraytyping.cli.run\nimport numpy\n", ["arraytyping.cli.run", "numpy"]),
}  # fmt: skip


def test_a_bad_house_is_found_out(tmp_path: Path) -> None:
    for name, (source, _) in BAD_HOUSE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    lines = violations(read((tmp_path / "arraytyping", tmp_path / "arraytyping_mypy")))
    accused = sorted((line.split(":")[0], line.split(" imports ")[1].split(",")[0]) for line in lines)
    expected = sorted(
        (name.removesuffix(".py").removesuffix("/__init__").replace("/", "."), wrong)
        for name, (_, names) in BAD_HOUSE.items()
        for wrong in names
    )
    assert accused == expected


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


GROUND = ["arraytyping.lattice", "arraytyping.scalars", "arraytyping.avals", "arraytyping.promotion.jax",
          "arraytyping.rules"]  # fmt: skip


@pytest.mark.parametrize("modules", [*([name] for name in GROUND), GROUND], ids=" ".join)
def test_the_ground_floor_loads_the_standard_library_only(modules: list[str]) -> None:
    loaded = loaded_by(*modules)
    assert "arraytyping" in loaded
    assert loaded - sys.stdlib_module_names == {"arraytyping"}


def test_the_plugin_loads_no_array_library() -> None:
    plugin = [module for module in read(SOURCES) if module.startswith("arraytyping_mypy")]
    loaded = loaded_by(*plugin)
    assert {"arraytyping", "arraytyping_mypy", "mypy"} <= loaded
    assert loaded & ABSENT == set()


@pytest.mark.parametrize(("module", "present"), [("numpy", "numpy"), ("ml_dtypes", "numpy"), ("jax", "jaxlib")])
def test_what_must_be_absent_would_be_seen(module: str, present: str) -> None:
    loaded = loaded_by("arraytyping.lattice", module)
    assert {"arraytyping", module, present} <= loaded
    assert loaded & ABSENT
    assert loaded - sys.stdlib_module_names > {"arraytyping"}
