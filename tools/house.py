"""What the house measures: lines, files, layers, and what a maintainer trips over.

    python tools/house.py [--at COMMIT] [--where NAME]

prints a table of the working tree, or of a commit of this repository, so that two of them can be laid side by side;
with `--where cumsum` the lines of code in which an operation is named, by the parts of the house that know it.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("src/arraytyping", "mypy_plugin/arraytyping_mypy")


def flow_of(root: Path) -> Path:
    """Where the interpreter of programs is, which has moved."""
    layered = root / "src/arraytyping/checker/flow"
    return layered if layered.is_dir() else root / "src/arraytyping/flow"


def sources(folder: Path) -> list[Path]:
    """The Python files in a folder."""
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def comments(path: Path) -> int:
    """How many comments a file has."""
    with tokenize.open(path) as file:
        return sum(token.type == tokenize.COMMENT for token in tokenize.generate_tokens(file.readline))


def calls_of(trees: list[ast.Module], name: str) -> int:
    """How often a function is called by this name."""
    nodes = (node for tree in trees for node in ast.walk(tree))
    return sum(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == name for n in nodes)


def names_of(trees: list[ast.Module], name: str) -> int:
    """How often a name is used."""
    nodes = (node for tree in trees for node in ast.walk(tree))
    return sum(isinstance(n, ast.Name) and n.id == name for n in nodes)


def broad_handlers(trees: list[ast.Module]) -> int:
    """How many handlers take every exception."""
    handlers = (n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.ExceptHandler))
    return sum(h.type is None or ast.unparse(h.type) in ("Exception", "BaseException") for h in handlers)


def returns_any(trees: list[ast.Module]) -> tuple[int, int]:
    """How many functions give `Any`, and how many there are."""
    nodes = (n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))
    annotated = [ast.unparse(n.returns) for n in nodes if n.returns is not None]
    return annotated.count("Any"), len(annotated)


HANDED = (("args", "kwargs", "node"), ("a", "k", "n"), ("a", "k", "node"))
"""The parameters by which a function got a call before there was `Call`."""


def signatures(trees: list[ast.Module]) -> tuple[int, int, int]:
    """How many functions have 4 parameters or more, get one `Call`, and get its three parts as parameters."""
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda))
    parameters = [(*n.args.posonlyargs, *n.args.args, *n.args.kwonlyargs) for n in nodes]
    by_call = [
        [a for a in given if isinstance(a.annotation, ast.Name) and a.annotation.id == "Call"] for given in parameters
    ]
    names = [{a.arg for a in given} for given in parameters]
    return (
        sum(len(n) >= 4 for n in names),
        sum(bool(found) or (len(n) == 2 and bool(n & {"call", "later"})) for found, n in zip(by_call, names)),
        sum(any(n.issuperset(parts) for parts in HANDED) for n in names),
    )


def complex_functions(folder: Path, most: int) -> int:
    """How many functions have a cyclomatic complexity above this."""
    options = ["--select", "C901", "--config", f"lint.mccabe.max-complexity={most}", "--output-format", "json"]
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", *options, str(folder)]
    return len(json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout))


class _Nameless(ast.NodeTransformer):
    """Code without its names, constants and docstrings, so that alike code is the same."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name("_", node.ctx), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        node.attr = "_"
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.copy_location(ast.Constant(0), node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        self.generic_visit(node)
        node.arg = "_"
        return node


def alike_functions(files: list[Path]) -> int:
    """How many pairs of functions of 8 lines or more are the same but for names and constants."""
    found: Counter[str] = Counter()
    for path in files:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.body[0].lineno >= 7:
                found["\n".join(ast.dump(_Nameless().visit(s)) for s in node.body)] += 1
    return sum(n * (n - 1) // 2 for n in found.values())


def contracts(root: Path) -> int:
    """How many contracts on imports there are."""
    file = root / ".importlinter"
    return file.read_text().count("[importlinter:contract:") if file.exists() else 0


def rows(root: Path) -> Iterator[tuple[str, str]]:
    """Each line of the table."""
    files = [path for package in PACKAGES for path in sources(root / package)]
    lines = {path: len(path.read_text().splitlines()) for path in files}
    top = root / PACKAGES[0]
    flow = flow_of(root)
    in_flow = sources(flow)
    trees = [ast.parse(path.read_text()) for path in in_flow]
    flow_lines = sum(lines[path] for path in in_flow)
    any_results, results = returns_any(trees)
    many, by_call, by_parts = signatures(trees)
    yield "files", f"{len(files):,}"
    yield "lines", f"{sum(lines.values()):,}"
    yield "files of more than 300 lines", str(sum(n > 300 for n in lines.values()))
    yield "modules at the top level", str(sum(path.parent == top and path.name != "__init__.py" for path in files))
    yield "packages at the top level", str(sum((folder / "__init__.py").exists() for folder in top.iterdir()))
    yield "contracts on imports", str(contracts(root))
    yield "pairs of functions that are alike", str(alike_functions(files))
    yield "files of flow", f"{len(in_flow):,}"
    yield "lines of flow", f"{flow_lines:,}"
    yield "modules of flow in no package", str(sum(p.parent == flow and p.name != "__init__.py" for p in in_flow))
    yield "isinstance in flow", f"{calls_of(trees, 'isinstance'):,}"
    yield "Any in flow", f"{names_of(trees, 'Any'):,}"
    yield "functions of flow that give Any", f"{any_results:,} of {results:,}"
    yield "functions of flow of 4 parameters or more", f"{many:,}"
    yield "handlers of flow by a Call, by its parts", f"{by_call:,}, {by_parts:,}"
    yield "handlers of every exception in flow", str(broad_handlers(trees))
    yield "functions above complexity 20", str(sum(complex_functions(root / package, 20) for package in PACKAGES))
    yield "comments per 1,000 lines of flow", f"{1000 * sum(map(comments, in_flow)) / flow_lines:.1f}"


PARTS = {
    "rules": "src/arraytyping/semantics/rules",
    "other semantics": "src/arraytyping/semantics",
    "flow": "src/arraytyping/checker/flow",
    "stub generator": "src/arraytyping/checker/stubgen",
    "other checkers": "src/arraytyping/checker",
    "plugin": "mypy_plugin",
    "runtime and faces": "src/arraytyping",
    "tests": "tests",
}
"""The parts of the house; a file belongs to the first in which it lies."""


def named(path: Path, name: str) -> list[int]:
    """The lines of a module that name something as an identifier or as a word of a text that is no docstring."""
    tree = ast.parse(path.read_text())
    word = re.compile(rf"\b{re.escape(name)}\b")
    texts = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            found |= {node.lineno} if word.search(node.value) else set()
        elif name in (getattr(node, "id", None), getattr(node, "attr", None), getattr(node, "arg", None)):
            found.add(node.lineno)  # type: ignore[attr-defined]
    return sorted(found)


def places(root: Path, name: str) -> Iterator[tuple[str, str]]:
    """The parts that name an operation, in how many lines of how many files, and these lines but for those of tests."""
    known: dict[str, dict[Path, list[int]]] = {part: {} for part in PARTS}
    for path in (p for folder in ("src/arraytyping", "mypy_plugin", "tests") for p in sources(root / folder)):
        part = next(part for part, folder in PARTS.items() if (root / folder) in path.parents)
        if lines := named(path, name):
            known[part][path] = lines
    for part, files in known.items():
        yield part, f"{sum(map(len, files.values()))} lines in {len(files)} files"
        for path, lines in files.items() if part != "tests" else ():
            yield "", f"{path.relative_to(root)}: {', '.join(map(str, lines))}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at", metavar="COMMIT", help="a commit in place of the working tree")
    parser.add_argument("--where", metavar="NAME", help="where an operation is named, such as cumsum")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = ROOT
        if args.at is not None:
            root = Path(folder)
            archive = subprocess.run(["git", "archive", args.at], cwd=ROOT, capture_output=True, check=True)
            with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
                files.extractall(root, filter="data")
        if args.where is not None:
            for name, value in places(root, args.where):
                print(f"{name:<20}{value}")
            return
        for name, value in rows(root):
            print(f"{name:<42}{value:>16}")


if __name__ == "__main__":
    main()
