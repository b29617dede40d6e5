"""`arraytyping-stubs`: the same stubs for our own runtime, which has JAX's names in modules of its own.

Of each module only the names that the runtime exports are declared, as its sources say without being imported; the
modules that are not declared are left to their sources.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import arraytyping
from arraytyping.checker.stubgen.spelling import element
from arraytyping.checker.stubgen.transformations import CUSTOM_DERIVATIVES
from arraytyping.scalars import ABSTRACT, DTYPES

__all__ = ["own_package"]

SOURCES: Final = Path(__file__).parents[2]
MODULES: Final = (
    "numpy", "numpy.linalg", "numpy.fft", "lax", "lax.linalg", "nn", "nn.initializers", "random", "tree", "tree_util",
    "scipy", "scipy.linalg", "scipy.signal", "scipy.special", "scipy.stats",
)  # fmt: skip
"""The modules that are declared, besides those of distributions in the last."""

NAMES: Final = {
    "jax._src.numpy.scalar_types": "arraytyping.scalars",
    "jax._src.basearray": "arraytyping.basearray",
    "jax._src.pjit": "arraytyping.runtime.transformations.jit",
    "jax.": "arraytyping.",
}
"""Where the runtime has what JAX has elsewhere."""


def own_package(jax: dict[str, str]) -> dict[str, str]:
    """The files of `arraytyping-stubs`, from those of `jax-stubs`."""
    files = {
        "__init__.pyi": _package(jax["_src/api.pyi"], jax["__init__.pyi"]),
        "basearray.pyi": _renamed(jax["_src/basearray.pyi"]),
        "scalars.pyi": _renamed(jax["_src/numpy/scalar_types.pyi"]) + "\ndef __getattr__(name: str) -> Any: ...\n",
        "runtime/__init__.pyi": jax["_src/__init__.pyi"],
        "runtime/transformations/__init__.pyi": jax["_src/__init__.pyi"],
        "runtime/transformations/jit.pyi": _renamed(jax["_src/pjit.pyi"]),
    }
    for module in modules():
        path = module.replace(".", "/")
        file = f"{path}.pyi" if f"{path}.pyi" in jax else f"{path}/__init__.pyi"
        files[file] = _only(_renamed(jax[file]), exported(module))
    return {**files, "py.typed": "partial\n"}


def modules() -> list[str]:
    """The modules that are declared, those of distributions too."""
    return [*MODULES, *(f"scipy.stats.{p.stem}" for p in sorted(SOURCES.glob("scipy/stats/[a-z]*.py")))]


def _package(api: str, whole: str) -> str:
    """The transformations, the scalar types, the modules, and what else the package has."""
    names = [*ABSTRACT, *(element(n) for n in DTYPES)]
    head, _, rest = _renamed(api).partition("\nfrom arraytyping.basearray import Array, SomeShape\n")
    assert rest, "the transformations import no arrays"
    imports = [
        "import builtins",
        *(f"from arraytyping import {m} as {m}" for m in MODULES if "." not in m),
        "from arraytyping.basearray import Array as Array, SomeShape",
        "from arraytyping.scalars import (",
        *(f"    {n} as {n}," for n in names),
        ")",
    ]
    _, _, others = _only(_renamed(whole), frozenset(arraytyping.__dir__())).partition("\n__version_info__")
    declared = others.partition("\n")[2].splitlines()
    others = "\n".join(line for line in declared if not line.startswith(("from ", "config: ")))
    custom = "\nclass " + CUSTOM_DERIVATIVES.partition("\nclass ")[2]
    rest, mark, last = rest.rpartition("\ndef __getattr__")
    others = others.rpartition(mark)[0].rstrip("\n")
    return "\n".join([head, *imports, "__version__: str", rest, custom, others, mark + last])


def _renamed(text: str) -> str:
    for theirs, ours in NAMES.items():
        text = text.replace(theirs, ours)
    return text


def exported(module: str) -> frozenset[str]:
    """The names that a module of ours exports: those it imports or defines, and all of what it imports with a star."""
    path = SOURCES.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    names: set[str] = {p.stem for p in path.glob("*.py")} if path.is_dir() else set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            if node.names[0].name == "*":
                names |= exported(node.module.removeprefix("arraytyping."))
            else:
                names |= {a.asname or a.name for a in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return frozenset(names)


def _only(text: str, names: frozenset[str]) -> str:
    """The stub without the public names that are not among these."""
    lines = text.splitlines()
    kept: list[str] = []
    at = 0
    for node in ast.parse(text).body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        if not _declared(node) or _declared(node) & names:
            kept += lines[at : node.end_lineno]
        else:
            kept += lines[at : first - 1]
        at = node.end_lineno or at
    return "\n".join([*kept, *lines[at:]]).rstrip("\n") + "\n"


def _declared(node: ast.stmt) -> set[str]:
    """The public names that a statement of a stub declares; none for those that it only uses."""
    found: set[str] = set()
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        found = {node.name}
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        found = {node.target.id}
    elif isinstance(node, ast.ImportFrom) and node.module not in ("arraytyping.scalars", "arraytyping.basearray"):
        found = {a.asname for a in node.names if a.asname is not None}
    return {n for n in found if not n.startswith("_")}
