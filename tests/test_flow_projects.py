"""Projects: where programs begin, where they find their modules, command lines with their defaults, and tests."""

from __future__ import annotations

import ast
import pickle
import textwrap
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import arraytyping
from arraytyping.checker.flow.report.analysis import Analysis, analyze
from arraytyping.checker.flow.sources import whole_project
from arraytyping.checker.flow.sources.entry_points import find_entry_points
from arraytyping.checker.flow.sources.project import Project
from arraytyping.checker.flow.sources.source_files import SourceError
from arraytyping.checker.settings import Settings

HEAD = "import jax\nimport jax.numpy as jnp\n"


class Files:
    """A project in a temporary directory, which is the current one."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, text: str, head: str = HEAD) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(head + textwrap.dedent(text), encoding="utf-8")

    def analyze(self, *paths: str, **options: Any) -> Analysis:
        settings = options.pop("settings", Settings())
        found = analyze([Path(p) for p in paths or (".",)], settings, **options)
        assert not found.crashes, found.crashes
        return found

    def claims(self, found: Analysis, name: str, expression: str) -> set[str]:
        """What is claimed of the expressions with this text."""
        text = (self.root / name).read_text(encoding="utf-8")
        positions = {
            (n.lineno, n.col_offset, n.end_lineno, n.end_col_offset)
            for n in ast.walk(ast.parse(text))
            if isinstance(n, ast.expr) and ast.get_source_segment(text, n) == expression
        }
        assert positions, expression
        return {
            str(claim)
            for e in found.claims.files[name].expressions
            if (e.line, e.column, e.end_line, e.end_column) in positions
            for claim in e.claims
        }


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return Files(tmp_path)


def names(found: Analysis) -> list[str]:
    return [str(report.entry) for report in found.entry_points]


def places(found: Analysis) -> list[tuple[str, int, str]]:
    return [(m.path, m.line, m.code) for m in found.diagnostics]


@pytest.mark.parametrize(
    "change",
    [
        'sys.path.insert(0, "shared")',
        'sys.path.append("../shared")',
        'sys.path.append(os.path.join(os.path.dirname(__file__), os.pardir, "shared"))',
        'sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + "/shared")',
        'HERE = Path(__file__).resolve().parent\nsys.path.append(str(HERE.parent / "shared"))',
        'sys.path.append(str(Path(__file__).parents[1].joinpath("shared")))',
        'sys.path.append(f"{HERE}")\nsys.path += [os.getcwd() + "/shared"]',
        'import site\nsite.addsitedir(str(Path.cwd() / "shared"))',
        'sys.path.extend(["nowhere", "a" * 3, "shared", "n" + "o\\0"])\n' + f'sys.path.append("{"long" * 99}")',
    ],
)
def test_a_script_puts_folders_into_the_search_path(project: Files, change: str) -> None:
    project.write("shared/made.py", "def make():\n    return jnp.ones((3, 4))\n")
    head = "import os\nimport sys\nfrom pathlib import Path\n"
    project.write("tools/run.py", f"{change}\nfrom made import make\nx = make() + 1\n", head)
    assert project.claims(project.analyze("tools/run.py"), "tools/run.py", "make() + 1") == {"float32[3, 4]"}


def test_what_lies_beside_a_project_is_no_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home := tmp_path / "home").mkdir()
    (home / "pyproject.toml").write_text("")
    monkeypatch.chdir(home)
    project = Files(home)
    project.write("../other/made.py", "def make():\n    return jnp.ones((3, 4))\n")
    project.write("run.py", 'import sys\nsys.path.append("../other")\nfrom made import make\nx = make() + 1\n')
    assert project.claims(project.analyze("run.py"), "run.py", "make() + 1") == {"?[...]"}


MAIN = 'if __name__ == "__main__":\n    main()\n'


# ---------------------------------------------------------------------- entry points


def test_a_script_and_the_module_that_it_imports(project: Files) -> None:
    project.write("model.py", "def apply(w, x):\n    return x @ w\n")
    project.write(
        "run.py", "from model import apply\ndef main():\n    y = apply(jnp.ones((3, 4)), jnp.ones((2, 3)))\n" + MAIN
    )
    found = project.analyze()
    assert names(found) == ["run.py"]
    assert project.claims(found, "model.py", "x @ w") == {"float32[2, 4]"}
    assert not [m for m in found.diagnostics if m.code != "array-unused"]
    assert found.is_complete


def test_a_file_that_does_something_is_a_script_unless_another_one_imports_it(project: Files) -> None:
    project.write("a.py", "import b\nx = jnp.ones(3)\nprint(x, __name__ == '__main__' and x[:2])\n")
    project.write("b.py", "y = jnp.ones(5)\nz = jnp.ones(1 if __name__ == '__main__' else 2)\n")
    project.write("c.py", "def f(x):\n    return x\n")
    found = project.analyze()
    assert names(found) == ["a.py", "import c"]
    assert project.claims(found, "a.py", "x[:2]") == {"float32[2]"}
    assert project.claims(found, "b.py", "jnp.ones(1 if __name__ == '__main__' else 2)") == {"float32[2]"}


def test_a_module_with_a_main_block_is_run_and_imported(project: Files) -> None:
    project.write("tool.py", "def f(n):\n    return jnp.ones(n)\nif __name__ == '__main__':\n    f(1)\n")
    project.write("run.py", "import tool\nif __name__ == '__main__':\n    tool.f(2)\n")
    found = project.analyze("run.py", "tool.py")
    assert names(found) == ["run.py", "tool.py"]
    assert project.claims(found, "tool.py", "jnp.ones(n)") == {"float32[2]", "float32[1]"}


def test_a_library_and_what_a_script_does_not_call_may_be_run_with_any_words(project: Files) -> None:
    body = "import sys\ndef main():\n    return jnp.ones(len(sys.argv))\n"
    project.write("library.py", body)
    project.write("script.py", body + "if __name__ == '__main__':\n    print(len(sys.argv))\n")
    for name in ("library.py", "script.py"):
        found = project.analyze(name)
        assert project.claims(found, name, "jnp.ones(len(sys.argv))") == {"float32[n1]"}


def test_a_package_is_run_as_a_module(project: Files) -> None:
    project.write("pkg/__init__.py", "from .config import SIZE\n")
    project.write("pkg/config.py", "SIZE = 4\n")
    project.write("pkg/sub/__init__.py", "")
    project.write(
        "pkg/sub/layers.py",
        "from ..config import SIZE\nfrom .. import SIZE as S\ndef make():\n    return jnp.ones((SIZE, S))\n",
    )
    project.write(
        "pkg/__main__.py", "from .sub.layers import make\nfrom pkg.sub import layers\nw = make() @ layers.make()\n"
    )
    found = project.analyze("pkg")
    assert names(found) == ["-m pkg"]
    assert project.claims(found, "pkg/__main__.py", "make() @ layers.make()") == {"float32[4, 4]"}


@pytest.mark.parametrize("layout", ["src", "."])
def test_scripts_find_the_packages_of_the_project(project: Files, layout: str) -> None:
    project.write(f"{layout}/pkg/__init__.py", "")
    project.write(f"{layout}/pkg/ops.py", "def double(x):\n    return jnp.concatenate([x, x])\n")
    project.write("scripts/helper.py", "SIZE = 3\n")
    project.write(
        "scripts/run.py", "import helper\nfrom pkg import ops\ny = ops.double(jnp.ones(helper.SIZE))\nprint(y)\n"
    )
    found = project.analyze("scripts/run.py")
    path = "src/pkg/ops.py" if layout == "src" else "pkg/ops.py"
    assert project.claims(found, path, "jnp.concatenate([x, x])") == {"float32[6]"}


def test_a_script_in_a_package_that_imports_its_neighbours_is_no_module(project: Files) -> None:
    """As `python pkg/train.py` finds them, and `python -m pkg.train` does not."""
    project.write("pkg/__init__.py", "", head="")
    project.write("pkg/layers.py", "import sizes\ndef layer(x):\n    return x @ jnp.ones((4, sizes.N))\n")
    project.write("pkg/sizes.py", "N = 5\n", head="")
    project.write(
        "pkg/train.py", "from layers import layer\nif __name__ == '__main__':\n    y = layer(jnp.ones((3, 4)))\n"
    )
    project.write(
        "pkg/run.py", "import json, yaml, pkg.sizes\nif __name__ == '__main__':\n    z = jnp.ones(pkg.sizes.N)\n"
    )
    found = project.analyze()
    assert names(found)[:2] == ["-m pkg.run", "pkg/train.py"]
    assert project.claims(found, "pkg/train.py", "layer(jnp.ones((3, 4)))") == {"float32[3, 5]"}
    assert project.claims(found, "pkg/run.py", "jnp.ones(pkg.sizes.N)") == {"float32[5]"}


def test_a_neighbour_of_a_librarys_name_makes_no_script_of_a_module(project: Files) -> None:
    project.write("pkg/__init__.py", "", head="")
    project.write("pkg/sizes.py", "N = 5\n", head="")
    project.write("pkg/torch/__init__.py", "", head="")
    project.write(
        "pkg/demo.py",
        "import torch\nfrom pkg.sizes import N\nif __name__ == '__main__':\n"
        "    torch.manual_seed(0)\n    z = jnp.ones(N)\n",
    )
    found = project.analyze()
    assert names(found)[0] == "-m pkg.demo"
    assert project.claims(found, "pkg/demo.py", "jnp.ones(N)") == {"float32[5]"}
    assert not [m for m in found.diagnostics if m.is_certain]


@pytest.mark.parametrize("own_use", [True, False])
def test_a_module_called_as_the_library_of_which_it_makes_use(project: Files, own_use: bool) -> None:
    """`pkg/ops/numba.py` imports numba, as a module beside it may do; neither is a script that finds the other."""
    project.write("pkg/__init__.py", "", head="")
    project.write("pkg/ops/__init__.py", "", head="")
    project.write("pkg/ops/not_installed.py", "import not_installed\nkernel = not_installed.jit\n", head="")
    if not own_use:
        project.write("pkg/ops/base.py", "import not_installed\nkernel = not_installed.jit\n", head="")
    found = project.analyze()
    assert not [m for m in found.diagnostics if m.is_certain]


def in_folder(project: Files, monkeypatch: pytest.MonkeyPatch, name: str) -> Files:
    """A folder that is a project by itself."""
    (project.root / "pyproject.toml").unlink()
    inner = Files(project.root / name)
    inner.root.mkdir()
    monkeypatch.chdir(inner.root)
    return inner


def test_modules_that_name_the_folder_they_lie_in(project: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they do where they are run from the folder above, as those of google-research are."""
    project.write("beside/sizes.py", "N = 7\n", head="")
    folder = in_folder(project, monkeypatch, "functions")
    folder.write("sizes.py", "N = 5\n", head="")
    folder.write("models/net.py", "from functions import sizes\ndef net(x):\n    return x @ jnp.ones((4, sizes.N))\n")
    folder.write(
        "train.py",
        "from functions.models import net\nfrom beside import sizes\nif __name__ == '__main__':\n"
        "    y = net.net(jnp.ones((3, 4)))\n    z = jnp.ones(sizes.N)\n",
    )
    for found in (folder.analyze(), folder.analyze("train.py")):
        assert names(found)[0] == "train.py"
        assert folder.claims(found, "train.py", "net.net(jnp.ones((3, 4)))") == {"float32[3, 5]"}
        assert not folder.claims(found, "train.py", "jnp.ones(sizes.N)") & {"float32[7]", "float32[5]"}
        assert not [m for m in found.diagnostics if m.is_certain]
    assert "sizes.py" not in names(folder.analyze())


@pytest.mark.parametrize(
    ("line", "use"),
    [("import nolib", "nolib.ones"), ("from nolib import nn", "nn.ones"), ("import nolib.nn as nn", "nn.ones")],
)
def test_a_folder_of_a_librarys_name_is_not_the_library(
    project: Files, monkeypatch: pytest.MonkeyPatch, line: str, use: str
) -> None:
    folder = in_folder(project, monkeypatch, "nolib")
    folder.write("sizes.py", "N = 5\n", head="")
    folder.write("train.py", f"{line}\nif __name__ == '__main__':\n    y = {use}(3)\n")
    assert not [m for m in folder.analyze().diagnostics if m.is_certain and "nolib" in m.message]
    (folder.root.parent / "pyproject.toml").write_text("")
    assert not [m for m in folder.analyze().diagnostics if m.is_certain and "nolib" in m.message]


def test_a_file_of_a_package_is_a_module_with_arguments_too(project: Files) -> None:
    """Where a file beside it has the name of a library that it imports."""
    project.write("pkg/__init__.py", "", head="")
    project.write("pkg/optax.py", "import optax\nnone = optax.identity\n")
    project.write("pkg/train.py", "import pkg.optax\nif __name__ == '__main__':\n    y = jnp.ones(3)\n")
    for text in ("pkg/train.py", "pkg/train.py --steps 3"):
        entries, errors = find_entry_points(Project([], project.root), [text])
        assert [(e.kind, e.modules[0][0]) for e in entries] == [("module", "pkg.train")]
        assert not errors
    found = project.analyze("pkg/train.py")
    assert names(found) == ["-m pkg.train"]
    assert not found.diagnostics


def test_a_namespace_package_never_hides_a_library_nor_a_module_pythons_own(project: Files) -> None:
    project.write("jax/example.py", "")
    project.write("math.py", "pi = jnp.ones(3)\n")
    project.write("statistics.py", "mean = jnp.ones(3)\n")
    project.write(
        "scripts/run.py", "import math\nimport statistics\nx = jnp.ones(2) * math.pi\nprint(statistics.mean([1, 2]))\n"
    )
    found = project.analyze("scripts/run.py")
    assert project.claims(found, "scripts/run.py", "jnp.ones(2) * math.pi") == {"float32[2]"}


def test_folders_that_hold_nothing_but_folders_are_namespace_packages(project: Files) -> None:
    project.write("lib/__init__.py", "")
    project.write("lib/configs/proj/sizes.py", "import lib.configs.proj.sizes as own\nn = 3\nname = own.__name__\n")
    project.write("more/parts/widths.py", "class Width:\n    n = 4\n")
    project.write(
        "run.py",
        "from lib.configs.proj import sizes\nfrom more.parts.widths import Width\n"
        "x = jnp.ones(sizes.n)\ny = jnp.ones((Width.n, len(Width.__module__), len(sizes.name)))\n",
    )
    found = project.analyze("run.py")
    assert project.claims(found, "run.py", "jnp.ones(sizes.n)") == {"float32[3]"}
    made = "jnp.ones((Width.n, len(Width.__module__), len(sizes.name)))"
    assert project.claims(found, "run.py", made) == {
        f"float32[4, {len('more.parts.widths')}, {len('lib.configs.proj.sizes')}]"
    }


def test_modules_that_nothing_imports_are_imported_and_annotated_functions_are_started(project: Files) -> None:
    project.write(
        "layers.py",
        """
        from jaxtyping import Array, Float32
        def good(w: Float32[Array, "i o"], x: Float32[Array, "b i"]) -> Float32[Array, "b o"]:
            return x @ w
        def bad(w: Float32[Array, "i o"], x: Float32[Array, "b i"]) -> Float32[Array, "b o"]:
            return x.sum(0)
        def called(x: Float32[Array, "n"]):
            return x * 2
        def plain(w, x):
            return x @ w
        """,
    )
    project.write("run.py", "from layers import called\nprint(called(jnp.ones(3)))\n")
    found = project.analyze()
    assert names(found) == ["run.py", "import layers"]
    assert project.claims(found, "layers.py", "x * 2") == {"float32[3]"}
    assert [(m.path, m.line, m.code) for m in found.diagnostics] == [("layers.py", 8, "array-annotation")]


def test_configured_entry_points(project: Files) -> None:
    project.write("src/pkg/__init__.py", "")
    project.write(
        "src/pkg/train.py", "def main(n=3):\n    return jnp.ones(n)\nif __name__ == '__main__':\n    main(7)\n"
    )
    project.write("src/pkg/cli.py", "from .train import main\nif __name__ == '__main__':\n    main(4)\n")
    project.write("scripts/run.py", "from pkg.train import main\nmain(5)\n")
    settings = Settings(
        entry_points=("pkg.train:main", "scripts/run.py", "pkg.cli", "pkg.none", "no.py", "pkg.train:none")
    )
    found = project.analyze("src", settings=settings, root=project.root)
    assert names(found)[:3] == ["pkg.train:main", "scripts/run.py", "-m pkg.cli"]
    assert project.claims(found, "src/pkg/train.py", "jnp.ones(n)") == {f"float32[{n}]" for n in (3, 4, 5)}
    assert sorted(e.message for e in found.errors) == [
        "the entry point 'no.py' is no file",
        "the entry point 'pkg.none' is no module of this project",
        "the entry point pkg.train:none: this module has no 'none'",
    ]


def test_mistakes_are_shown_once_with_the_path_that_was_given(project: Files) -> None:
    project.write("lib.py", "def f(x):\n    return x + jnp.ones(3)\n")
    for name in ("a", "b"):
        project.write(f"{name}.py", "import lib\nlib.f(jnp.ones(4))\n")
    found = project.analyze("lib.py", "a.py", "b.py")
    assert places(found) == [("lib.py", 4, "array-shape")]
    found = project.analyze(str(project.root / "a.py"))
    assert places(found) == [("lib.py", 4, "array-shape")]
    assert set(found.claims.files) == {str(project.root / "a.py"), "lib.py"}


def test_a_mistake_that_is_certain_from_one_entry_point_is_certain(project: Files) -> None:
    project.write("lib.py", "def f(x):\n    return x + jnp.ones(3)\n")
    project.write("a.py", "import lib\nimport unknown_library\nif unknown_library.x:\n    lib.f(jnp.ones(4))\n")
    assert [m.is_certain for m in project.analyze("a.py").diagnostics] == [False]
    project.write("b.py", "import lib\nlib.f(jnp.ones(4))\n")
    assert [m.is_certain for m in project.analyze("a.py", "b.py").diagnostics] == [True]


def test_files_that_cannot_be_read(project: Files) -> None:
    project.write("good.py", "import bad\nprint(jnp.ones(3))\n")
    project.write("bad.py", "x = (\n")
    (project.root / "latin.py").write_bytes(b"x = '\xe9'\n")
    found = project.analyze(".", "missing.py")
    assert sorted((e.path.name, e.message.partition(":")[0]) for e in found.errors) == [
        ("bad.py", "syntax error"),
        ("latin.py", "syntax error"),
        ("missing.py", "cannot be read"),
    ]
    error = pickle.loads(pickle.dumps(found.errors[0]))
    assert isinstance(error, SourceError)
    assert project.claims(found, "good.py", "jnp.ones(3)") == {"float32[3]"}


def test_x64_and_promotion_are_as_configured(project: Files) -> None:
    project.write("run.py", "x = jnp.ones(3)\ny = x + jnp.ones(3, jnp.int32)\nprint(y)\n")
    found = project.analyze("run.py", settings=Settings(x64=True, promotion="strict"))
    assert project.claims(found, "run.py", "jnp.ones(3)") == {"float64[3]"}
    assert places(found) == [("run.py", 4, "array-dtype")]
    assert project.claims(project.analyze("run.py"), "run.py", "jnp.ones(3)") == {"float32[3]"}


def test_entry_points_in_several_processes_give_the_same(project: Files) -> None:
    project.write("lib.py", "def f(x):\n    return x + jnp.ones(3)\n")
    for n in (1, 3, 4):
        project.write(f"run{n}.py", f"import lib\nlib.f(jnp.ones({n}))\n")
    alone, together = project.analyze(), project.analyze(jobs=2)
    assert alone.diagnostics == together.diagnostics
    assert alone.claims == together.claims
    assert names(alone) == names(together)


# ---------------------------------------------------------------------- paths that end


def test_a_function_that_raises_on_one_path_only(project: Files) -> None:
    project.write(
        "run.py",
        """
        import os, sys
        def f(n):
            if os.environ.get("A"):
                return jnp.ones(n)
            raise ValueError("A is not set")
        def g():
            if os.environ.get("B"):
                return jnp.ones(2)
            sys.exit("no")
        def h(names):
            for name in names:
                if os.environ.get(name):
                    break
            else:
                raise KeyError
            return jnp.ones(7)
        print(f(3), g(), h(["a", "b"]))
        """,
    )
    found = project.analyze()
    assert not [m for m in found.diagnostics if m.code != "array-unused"]
    assert project.claims(found, "run.py", "f(3)") == {"float32[3]"}
    assert project.claims(found, "run.py", "g()") == {"float32[2]"}
    assert project.claims(found, "run.py", 'h(["a", "b"])') == {"float32[7]"}


# ---------------------------------------------------------------------- command lines


def probed(project: Files, body: str) -> Callable[[str], set[str]]:
    """What is claimed of an expression of a program."""
    project.write("run.py", body)
    found = project.analyze()
    assert not [m for m in found.diagnostics if m.code != "array-unused"]
    return lambda expression: project.claims(found, "run.py", expression)


def test_argparse(project: Files) -> None:
    claims = probed(
        project,
        """
        import argparse
        def main(argv=None):
            parser = argparse.ArgumentParser(description="x")
            group = parser.add_argument_group("sizes")
            group.add_argument("-b", "--batch-size", type=int, default=32)
            group.add_argument("--width", type=int, default="8")
            parser.add_argument("--hidden", type=int, nargs="+", default=[4, 5])
            parser.add_argument("--double", action="store_true")
            parser.add_argument("--no-bias", dest="bias", action="store_false")
            parser.add_argument("--absent", default=argparse.SUPPRESS)
            either = parser.add_mutually_exclusive_group()
            either.add_argument("-v", action="count", default=0)
            either.add_argument("-q")
            parser.add_argument("input")
            parser.add_argument("rest", nargs="*")
            parser.set_defaults(kind=3, width=6)
            args = parser.parse_args(argv)
            a = jnp.ones((args.batch_size, args.width))
            b = jnp.ones(args.hidden)
            c = jnp.ones(1 if args.double else 2)
            d = jnp.ones(3 if args.bias and args.q is None and not args.rest else 4)
            e = jnp.ones(5 if hasattr(args, "absent") else 6)
            f = jnp.ones(args.v + args.kind)
            g = jnp.ones(len(args.input))
            return [a, b, c, d, e, f, g]
        if __name__ == "__main__":
            main()
        """,
    )
    assert claims("jnp.ones((args.batch_size, args.width))") == {"float32[32, 6]"}
    assert claims("jnp.ones(args.hidden)") == {"float32[4, 5]"}
    assert claims("jnp.ones(1 if args.double else 2)") == {"float32[2]"}
    assert claims("jnp.ones(3 if args.bias and args.q is None and not args.rest else 4)") == {"float32[3]"}
    assert claims('jnp.ones(5 if hasattr(args, "absent") else 6)') == {"float32[6]"}
    assert claims("jnp.ones(args.v + args.kind)") == {"float32[3]"}
    assert len(claims("jnp.ones(len(args.input))")) == 1


@pytest.mark.parametrize("required", [True, False])
def test_subcommands_of_argparse_are_followed_each(project: Files, required: bool) -> None:
    claims = probed(
        project,
        f"""
        import argparse
        def train(args):
            return jnp.ones(args.n)
        def test(args):
            return jnp.zeros(args.m)
        parser = argparse.ArgumentParser()
        commands = parser.add_subparsers(dest="command", required={required})
        p = commands.add_parser("train", help="x")
        p.add_argument("--n", type=int, default=3)
        p.set_defaults(run=train)
        p = commands.add_parser("test")
        p.add_argument("--m", type=int, default=4)
        p.set_defaults(run=test)
        args = parser.parse_args()
        if args.command is None:
            parser.error("a command is needed")
        args.run(args)
        if args.command == "train":
            print(jnp.ones(9))
        """,
    )
    assert claims("jnp.ones(args.n)") == {"float32[3]"}
    assert claims("jnp.zeros(args.m)") == {"float32[4]"}
    assert claims("jnp.ones(9)") == {"float32[9]"}


def test_absl(project: Files) -> None:
    pytest.importorskip("absl")
    claims = probed(
        project,
        """
        from absl import app, flags, logging
        FLAGS = flags.FLAGS
        _SIZE = flags.DEFINE_integer("size", 3, "how many")
        flags.DEFINE_float("rate", 1, "the rate")
        flags.DEFINE_bool("double", False, "whether")
        flags.DEFINE_list("widths", "4,5", "sizes")
        flags.DEFINE_string("path", None, "where", required=True)
        def main(argv):
            assert len(argv) == 1
            a = jnp.ones(FLAGS.size)
            b = jnp.asarray(FLAGS.rate)
            c = jnp.ones([int(w) for w in FLAGS.widths])
            d = jnp.ones(1 if flags.FLAGS.double else 2)
            FLAGS.size = 7
            e = jnp.zeros(_SIZE.value)
            logging.info("done %s", FLAGS.path.strip())
        if __name__ == "__main__":
            app.run(main)
            jnp.ones(3) + jnp.ones(4)
        """,
    )
    assert claims("jnp.ones(FLAGS.size)") == {"float32[3]"}
    assert claims("jnp.asarray(FLAGS.rate)") == {"float32[] (weak)"}
    assert claims("jnp.ones([int(w) for w in FLAGS.widths])") == {"float32[4, 5]"}
    assert claims("jnp.ones(1 if flags.FLAGS.double else 2)") == {"float32[2]"}
    assert claims("jnp.zeros(_SIZE.value)") == {"float32[7]"}


def test_click(project: Files) -> None:
    pytest.importorskip("click")
    claims = probed(
        project,
        """
        import click
        @click.command()
        @click.option("--size", "-s", default=3, help="x")
        @click.option("--rate", default=1, type=float)
        @click.option("--kind", type=click.Choice(["a", "b"]), default="b")
        @click.option("--double/--single", default=False)
        @click.option("--flag", is_flag=True)
        @click.option("--many", multiple=True)
        @click.option("-v", "--verbose", count=True)
        @click.option("--n", "number", type=click.IntRange(1, 9), required=True)
        @click.argument("names", nargs=-1)
        @click.pass_context
        def main(ctx, size, rate, kind, double, flag, many, verbose, number, names):
            a = jnp.ones(size)
            b = jnp.full(2, rate)
            c = jnp.ones(4 if kind == "b" and not double and not flag else 5)
            d = jnp.ones((len(many), len(names), verbose))
            e = jnp.ones(number)
            click.echo(f"{ctx.obj} {a} {b} {c} {d} {e}")
        if __name__ == "__main__":
            main()
            jnp.ones(3) + jnp.ones(4)
        """,
    )
    assert claims("jnp.ones(size)") == {"float32[3]"}
    assert claims("jnp.full(2, rate)") == {"float32[2] (weak)"}
    assert claims('jnp.ones(4 if kind == "b" and not double and not flag else 5)') == {"float32[4]"}
    assert claims("jnp.ones((len(many), len(names), verbose))") == {"float32[0, 0, 0]"}
    assert len(claims("jnp.ones(number)")) == 1


def test_groups_of_click(project: Files) -> None:
    pytest.importorskip("click")
    claims = probed(
        project,
        """
        import click
        @click.group()
        @click.option("--seed", default=0)
        def cli(seed):
            jnp.ones(seed)
        @cli.command()
        @click.option("--n", default=3)
        def train(n):
            jnp.ones(n)
        @click.command("show")
        def other():
            jnp.zeros(4)
        cli.add_command(other)
        if __name__ == "__main__":
            cli()
        """,
    )
    assert claims("jnp.ones(seed)") == {"float32[0]"}
    assert claims("jnp.ones(n)") == {"float32[3]"}
    assert claims("jnp.zeros(4)") == {"float32[4]"}


def test_typer(project: Files) -> None:
    pytest.importorskip("typer")
    claims = probed(
        project,
        """
        from typing import Annotated, Optional
        import typer
        def main(
            needed: int,
            size: Annotated[int, typer.Option(help="x")] = 3,
            rate: float = typer.Option(1, "--rate"),
            name: Optional[str] = None,
            flag: bool = typer.Option(False),
        ):
            a = jnp.ones(size)
            b = jnp.full(2, rate)
            c = jnp.ones(4 if name is None and not flag else 5)
            d = jnp.ones(needed)
        if __name__ == "__main__":
            typer.run(main)
            jnp.ones(3) + jnp.ones(4)
        """,
    )
    assert claims("jnp.ones(size)") == {"float32[3]"}
    assert claims("jnp.full(2, rate)") == {"float32[2] (weak)"}
    assert claims("jnp.ones(4 if name is None and not flag else 5)") == {"float32[4]"}
    assert len(claims("jnp.ones(needed)")) == 1


def test_commands_of_typer(project: Files) -> None:
    pytest.importorskip("typer")
    claims = probed(
        project,
        """
        import typer
        app = typer.Typer()
        @app.callback()
        def setup(seed: int = 2):
            jnp.ones(seed)
        @app.command()
        def train(n: int = 3):
            jnp.ones(n)
        @app.command(name="show")
        def other():
            jnp.zeros(4)
        if __name__ == "__main__":
            app()
        """,
    )
    assert claims("jnp.ones(seed)") == {"float32[2]"}
    assert claims("jnp.ones(n)") == {"float32[3]"}
    assert claims("jnp.zeros(4)") == {"float32[4]"}


def test_a_command_line_that_is_not_known_calls_its_function_with_anything(project: Files) -> None:
    claims = probed(
        project,
        "import shoot\ndef main(n=3):\n    return jnp.ones(n)\nif __name__ == '__main__':\n    shoot.Fire(main)\n",
    )
    assert claims("jnp.ones(n)") in ({"float32[?]"}, {"?[...]"}, {"float32[...]"})


# ---------------------------------------------------------------------- tests of pytest and unittest


def test_tests_with_fixtures_and_parameters(project: Files) -> None:
    project.write(
        "tests/conftest.py",
        """
        import pytest
        @pytest.fixture
        def size():
            return 3
        @pytest.fixture
        def vector(size):
            return jnp.ones(size)
        @pytest.fixture(autouse=True)
        def precise():
            jax.config.update("jax_enable_x64", True)
            yield
            jax.config.update("jax_enable_x64", False)
        """,
    )
    project.write(
        "tests/test_it.py",
        """
        import pytest
        @pytest.fixture
        def vector(vector):
            yield jnp.stack([vector, vector])
        @pytest.fixture(params=[1, 2], name="count")
        def _count(request, tmp_path):
            return request.param
        def test_fixture(vector):
            assert vector.shape == (2, 3)
            a = vector + 1
        def test_params(count):
            b = jnp.ones(count)
        @pytest.mark.parametrize("n", [4, pytest.param(5, id="five"), pytest.param(6, marks=pytest.mark.skip)])
        @pytest.mark.parametrize(("m", "k"), [(1, 2), (3, 4)])
        def test_sets(n, m, k, monkeypatch, capsys):
            c = jnp.ones((n, m * k))
        class TestClass:
            WIDTH = 7
            def setup_method(self, method):
                self.x = jnp.ones(self.WIDTH)
            @pytest.mark.parametrize("n", range(2))
            def test_method(self, n, vector):
                d = self.x[n:]
        """,
    )
    found = project.analyze("tests")
    assert not [m for m in found.diagnostics if m.code != "array-unused"]
    assert project.claims(found, "tests/test_it.py", "vector + 1") == {"float64[2, 3]"}
    assert project.claims(found, "tests/test_it.py", "jnp.ones(count)") == {"float64[1]", "float64[2]"}
    expected = {f"float64[{n}, {k}]" for n in (4, 5) for k in (2, 12)}
    assert project.claims(found, "tests/test_it.py", "jnp.ones((n, m * k))") == expected
    assert project.claims(found, "tests/test_it.py", "self.x[n:]") == {"float64[7]", "float64[6]"}


def test_what_tests_expect_is_no_mistake(project: Files) -> None:
    project.write(
        "test_it.py",
        """
        import pytest
        def f(x):
            return x + jnp.ones(3)
        def test_raises():
            with pytest.raises(TypeError, match="shapes"):
                f(jnp.ones(4))
            pytest.raises(TypeError, f, jnp.ones(5))
        def test_skips():
            pytest.skip("later")
            f(jnp.ones(4))
        @pytest.mark.skip
        def test_skipped():
            f(jnp.ones(4))
        @pytest.mark.skipif(True, reason="x")
        def test_skipped_if():
            f(jnp.ones(4))
        @pytest.mark.xfail(reason="x")
        def test_fails():
            f(jnp.ones(4))
        def test_library():
            missing = pytest.importorskip("missing_library")
            assert missing.f(f(jnp.ones(3))) == pytest.approx(1.0)
        """,
    )
    assert not project.analyze().diagnostics


def test_mistakes_of_tests(project: Files) -> None:
    project.write("lib.py", "def f(x):\n    return x + jnp.ones(3)\n")
    project.write(
        "test_it.py",
        """
        import os
        import pytest
        from lib import f
        @pytest.mark.parametrize("n", [3, 4])
        def test_shapes(n):
            y = f(jnp.ones(n))
            assert y.shape == (3,)
        @pytest.mark.skipif(os.environ.get("CI") == "1", reason="x")
        def test_assertion():
            assert jnp.ones(3).shape == (4,)
        """,
    )
    found = project.analyze()
    assert places(found) == [("lib.py", 4, "array-shape"), ("test_it.py", 13, "array-call")]
    assert found.diagnostics[0].is_certain
    assert [(call.path, call.line) for call in found.diagnostics[0].chain] == [("test_it.py", 9)]
    assert not found.diagnostics[1].is_certain


def test_monkeypatch_and_usefixtures(project: Files) -> None:
    project.write("lib.py", "SIZE = 3\ndef f():\n    return jnp.ones(SIZE)\n")
    project.write(
        "test_it.py",
        """
        import pytest
        import lib
        @pytest.fixture
        def large(monkeypatch):
            monkeypatch.setattr(lib, "SIZE", 9)
        @pytest.mark.usefixtures("large")
        def test_large():
            a = (lib.f(),)
        def test_string(monkeypatch):
            monkeypatch.setattr("lib.SIZE", 8)
            b = [lib.f()]
        def test_small():
            c = {1: lib.f()}
        """,
    )
    found = project.analyze()
    assert project.claims(found, "lib.py", "jnp.ones(SIZE)") == {"float32[9]", "float32[8]", "float32[3]"}


def test_unittest(project: Files) -> None:
    project.write(
        "test_cases.py",
        """
        import unittest
        class Base(unittest.TestCase):
            def setUp(self):
                super().setUp()
                self.x = jnp.ones(3)
        class Cases(Base):
            def test_shape(self):
                y = self.x[1:]
                self.assertEqual(y.shape, (2,))
                with self.assertRaises(TypeError):
                    self.x + jnp.ones(4)
                self.assertRaises(TypeError, lambda: self.x + jnp.ones(4))
                with self.subTest("x"):
                    self.assertTrue(y.ndim == 1)
            def test_wrong(self):
                self.assertEqual(self.x.shape, (4,))
            @unittest.skip("no")
            def test_skipped(self):
                self.x + jnp.ones(4)
        if __name__ == "__main__":
            unittest.main()
        """,
    )
    found = project.analyze()
    assert project.claims(found, "test_cases.py", "self.x[1:]") == {"float32[2]"}
    assert places(found) == [("test_cases.py", 19, "array-call")]


def test_cases_of_absl(project: Files) -> None:
    pytest.importorskip("absl")
    project.write(
        "a_test.py",
        """
        from absl.testing import absltest, parameterized
        class Cases(parameterized.TestCase):
            @parameterized.parameters((1, 2), dict(n=3, m=4))
            def test_some(self, n, m):
                a = jnp.ones((n, m))
            @parameterized.named_parameters(("one", 5), {"testcase_name": "two", "n": 6})
            def test_named(self, n):
                b = jnp.zeros(n)
            @parameterized.product([dict(n=7)], m=(8, 9))
            def test_product(self, n, m):
                c = jnp.empty((n, m))
        if __name__ == "__main__":
            absltest.main()
        """,
    )
    found = project.analyze()
    assert not [m for m in found.diagnostics if m.code != "array-unused"]
    assert project.claims(found, "a_test.py", "jnp.ones((n, m))") == {"float32[1, 2]", "float32[3, 4]"}
    assert project.claims(found, "a_test.py", "jnp.zeros(n)") == {"float32[5]", "float32[6]"}
    assert project.claims(found, "a_test.py", "jnp.empty((n, m))") == {"float32[7, 8]", "float32[7, 9]"}


def test_variants_of_chex(project: Files) -> None:
    """Each test is followed in the variants that chex runs it in; those that fail when it is run have a mistake."""
    pytest.importorskip("chex")
    source = """
        import unittest
        import chex
        from absl.testing import parameterized
        def product(x, y):
            return x @ y
        def rows(x, n):
            return x.reshape(n, -1)
        class Cases(chex.TestCase):
            @chex.all_variants
            def test_product(self):
                self.variant(product)(jnp.ones((3, 4)), jnp.ones((5, 2)))
            @chex.all_variants(with_pmap=False)
            def test_right(self):
                self.variant(product)(jnp.ones((3, 4)), jnp.ones((4, 2)))
            @chex.variants(with_jit=True, without_jit=True)
            def test_decorated(self):
                @self.variant(static_argnums=1)
                def joined(x, axis):
                    return jnp.concatenate([x, jnp.ones((2, 3))], axis=axis)
                joined(jnp.ones((4, 3)), 0)
                joined(jnp.ones((4, 3)), 1)
            @chex.variants(with_jit=True)
            def test_traced(self):
                self.variant(rows)(jnp.ones(6), 3)
            @chex.variants(without_jit=True, with_device=False)
            def test_not_traced(self):
                self.variant(rows)(jnp.ones(8), 4)
            @chex.variants(with_jit=True)
            @parameterized.named_parameters(("one", 4), ("two", 5))
            def test_named(self, n):
                self.variant(lambda x: x - jnp.ones(4))(jnp.ones(n))
    """
    project.write("variants_test.py", source)
    namespace: dict[str, Any] = {"__name__": "variants_test"}
    exec((project.root / "variants_test.py").read_text(), namespace)
    ran = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(namespace["Cases"]).run(ran)
    failing = {str(test).partition("__")[0] for test, _ in ran.errors}
    assert failing == {"test_product", "test_decorated", "test_traced", "test_named_two"}
    found = [m for m in project.analyze().diagnostics if m.is_shown and m.code != "array-unused"]
    lines = (project.root / "variants_test.py").read_text().splitlines()
    assert {lines[m.line - 1].strip() for m in found} == {
        "return x @ y",
        "return jnp.concatenate([x, jnp.ones((2, 3))], axis=axis)",
        "return x.reshape(n, -1)",
        "self.variant(lambda x: x - jnp.ones(4))(jnp.ones(n))",
    }
    assert {m.code for m in found} == {"array-shape", "array-traced"}


def test_what_runs_here_is_a_library_also_in_our_own_repository() -> None:
    """Else each of our examples would have all of the runtime followed with it."""
    source = Path(arraytyping.__file__).parent.parent
    assert source.name == "src"
    example = source.parent / "examples" / "digits.py"
    found = analyze([example], Settings())
    read = {Path(file) for report in found.entry_points for file in report.files}
    assert example in read
    assert not [path for path in read if path.is_relative_to(source / "arraytyping" / "runtime")]


def test_a_script_that_does_not_ask_whether_it_is_run_is_followed_once(project: Files) -> None:
    text = """
    def called(x):
        return jnp.ones(3) * x

    def unused(x: int):
        return called(jnp.zeros((x, 2)))

    TABLE = [called(2)]
    """
    project.write("train.py", text)
    found = project.analyze("train.py")
    assert names(found) == ["train.py"]
    assert project.claims(found, "train.py", "jnp.ones(3) * x") == {"float32[3]"}
    assert project.claims(found, "train.py", "jnp.zeros((x, 2))") == {"float32[x2, 2]"}
    assert [f.name for f in found.unreached] == ["unused"]
    # As where it is imported once more, and where it raises.
    project.write("train.py", text.rstrip() + "\n    if __name__ == '__main__': pass\n")
    assert names(project.analyze("train.py")) == ["train.py", "import train"]
    project.write("train.py", text.rstrip() + "\n    raise SystemExit\n")
    other = project.analyze("train.py")
    assert names(other) == ["train.py"]
    assert other.claims == found.claims


# ---------------------------------------------------------------------- files that lie beside those that are checked


LOSS = """
def scaled(x, n):
    return jnp.zeros((3,)) * n

def loss(x):
    return scaled(x, 2)

TABLE = loss(1)
"""


@pytest.mark.parametrize(
    ("beside", "known"),
    [
        ({}, {"float32[3]"}),
        ({"pkg/other.py": "def other(loss): return loss\n"}, {"float32[3]"}),
        (
            {"pkg/other.py": "from pkg.losses import scaled\ndef other(c): return scaled(1, c)\n"},
            {"?[...]", "float32[3]"},
        ),
        ({"other.py": "import pkg.losses as q\nprint(q.scaled(1, 2j))\n"}, {"?[...]", "float32[3]"}),
        ({"deep/er/other.py": "from pkg.losses import *\nscaled(1, 2j)\n"}, {"?[...]", "float32[3]"}),
        ({"pkg/other.py": "this is no Python"}, {"float32[3]"}),
        ({"venv/pyvenv.cfg": "", "venv/other.py": "from pkg.losses import scaled"}, {"float32[3]"}),
    ],
)
def test_what_files_beside_may_call_is_called_with_anything(
    project: Files, beside: dict[str, str], known: set[str]
) -> None:
    project.write("pkg/__init__.py", "", "")
    project.write("pkg/losses.py", LOSS)
    for name, text in beside.items():
        project.write(name, text, "")
    found = project.analyze("pkg/losses.py")
    assert project.claims(found, "pkg/losses.py", "jnp.zeros((3,)) * n") == known
    assert project.claims(found, "pkg/losses.py", "jnp.zeros((3,))") == {"float32[3]"}


BASE = """
class Layer:
    def width(self):
        return 3

    def out(self):
        return jnp.zeros((self.width(),))
"""
DERIVED = "from pkg.layers import Layer\nclass Wide(Layer):\n    def width(self):\n        return 4\n"


@pytest.mark.parametrize("given", ["pkg/layers.py", "pkg", "."])
def test_classes_beside_may_derive(project: Files, given: str) -> None:
    project.write("pkg/__init__.py", "", "")
    project.write("pkg/layers.py", BASE)
    found = project.analyze(given)
    assert project.claims(found, "pkg/layers.py", "jnp.zeros((self.width(),))") == {"float32[3]"}
    project.write("tests/wide.py", DERIVED, "")
    found = project.analyze(given)
    assert project.claims(found, "pkg/layers.py", "jnp.zeros((self.width(),))") == {"float32[?]"}


def test_what_files_beside_make_may_come(project: Files) -> None:
    project.write("pkg/__init__.py", "", "")
    project.write("pkg/layers.py", "def mean(x):\n    return jnp.mean(x.T)\n")
    assert project.claims(project.analyze("pkg/layers.py"), "pkg/layers.py", "jnp.mean(x.T)") == {"float32[]"}
    project.write("train.py", "from pkg.layers import mean\nmean(jnp.ones(3, jnp.bfloat16))\n")
    assert project.claims(project.analyze("pkg/layers.py"), "pkg/layers.py", "jnp.mean(x.T)") == {"?[]"}


@pytest.fixture
def large(project: Files, monkeypatch: pytest.MonkeyPatch) -> Files:
    """A project with more files than are read."""
    monkeypatch.setattr(whole_project, "_MOST_FILES", 2)
    project.write("pkg/__init__.py", "", "")
    project.write("pkg/layers.py", BASE + LOSS + "def mean(x):\n    return jnp.mean(x.T)\n")
    project.write("more1.py", "", "")
    return project


KNOWN = {"jnp.zeros((self.width(),))": "float32[3]", "jnp.zeros((3,)) * n": "float32[3]", "jnp.mean(x.T)": "float32[]"}


def known_of(project: Files) -> dict[str, set[str]]:
    """What is claimed where one of a project's files is checked."""
    found = project.analyze("pkg/layers.py")
    return {text: project.claims(found, "pkg/layers.py", text) for text in KNOWN}


@pytest.mark.parametrize("most", [0, 4], ids=["not even listed", "listed"])
def test_of_a_project_of_very_many_files_little_is_assumed(
    large: Files, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    assert known_of(large) == {text: {claim} for text, claim in KNOWN.items()}
    monkeypatch.setattr(whole_project, "_MOST_NAMED", most)
    large.write("more2.py", "", "")
    large.write("more3.py", "", "")
    known = known_of(large)
    assert known["jnp.zeros((self.width(),))"] == {"float32[?]"}
    assert known["jnp.mean(x.T)"] == {"?[]"}
    assert (known["jnp.zeros((3,)) * n"] == {"float32[3]"}) is (most > 0)


@pytest.mark.parametrize(
    ("beside", "is_called"),
    [
        ({"more2.py": "import jax\ndef f(x, y): return y.scaled(1, x)\n"}, False),
        ({"more2.py": "from pkg.layers import scaled\nscaled(1, 2j)\n"}, True),
        ({"more2.py": "from other.layers import scaled\nscaled(1, 2j)\n"}, False),
        ({"pkg/more.py": "from . import layers\nlayers.scaled(1, 2j)\n"}, True),
        ({"pkg/more.py": "from . import layers\nlayers.scaled()\n"}, False),
        ({"other/more.py": "from . import layers\nlayers.scaled(1, 2j)\n"}, False),
        ({"pkg/all.py": "from .layers import *\n", "more2.py": "from pkg import all as q\nq.scaled(1, 2j)\n"}, True),
        ({"more2.py": "import importlib\nimportlib.import_module('p' + 'kg.layers').scaled(1, 2j)\n"}, True),
    ],
)
def test_callers_are_found_among_very_many_files(large: Files, beside: dict[str, str], is_called: bool) -> None:
    for name, text in {"more3.py": "", "more4.py": "", **beside}.items():
        large.write(name, text, "")
    assert (known_of(large)["jnp.zeros((3,)) * n"] != {"float32[3]"}) is is_called


def test_files_beside_are_looked_for_in_the_project_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = Files(tmp_path)
    files.write("one/layers.py", BASE)
    files.write("one/deep/layers.py", "", "")
    files.write("two/wide.py", DERIVED.replace("pkg.", ""), "")
    found = files.analyze("one/layers.py")
    assert files.claims(found, "one/layers.py", "jnp.zeros((self.width(),))") == {"float32[3]"}


def test_a_module_with_a_syntax_error_is_told_once_and_where_it_is(project: Files) -> None:
    project.write("package/__init__.py", "")
    project.write("package/broken.py", "def f(:\n")
    project.write("train.py", "from package import broken, missing\nif __name__ == '__main__':\n    broken.f()\n")
    found = project.analyze()
    assert [d.message for d in found.diagnostics] == ["ImportError: cannot import name 'missing' from 'package'"]
    assert {e.path.name for e in found.errors} == {"broken.py"}


@pytest.mark.parametrize("source", ["fast.cpp", "fast.pyx", "fast.cpython-311-x86_64-linux-gnu.so", "sub/fast.cpp"])
def test_a_module_that_a_build_makes_may_not_be_there_yet(project: Files, source: str) -> None:
    project.write("package/__init__.py", "")
    project.write(f"package/{source}", "")
    project.write("train.py", "from package import fast\nx = fast.mask(jnp.ones(3))\n")
    assert len(project.analyze().diagnostics) == source.startswith("sub")


@pytest.mark.parametrize("name", ["data_pb2", "data_pb2_grpc", "other_pb2", "_version"])
def test_a_module_that_is_generated_may_not_be_there_yet(project: Files, name: str) -> None:
    project.write("package/__init__.py", "")
    project.write("package/data.proto", "")
    project.write("train.py", f"from package import {name}\n")
    assert len(project.analyze().diagnostics) == name.startswith("other")


def test_what_one_test_was_answered_is_whole_in_the_next(project: Files) -> None:
    project.write(
        "test_problem.py",
        """
        @jax.tree_util.register_pytree_node_class
        class Problem:
            def __init__(self, geom):
                self.geom = geom
            def tree_flatten(self):
                return (self.geom,), None
            @classmethod
            def tree_unflatten(cls, aux, children):
                return cls(*children)
        def test_first():
            first = jax.lax.stop_gradient(Problem(jnp.ones((3, 4)))).geom
        def test_second():
            second = jax.lax.stop_gradient(Problem(jnp.ones((3, 4)))).geom
        """,
    )
    found = project.analyze()
    assert found.diagnostics == []
    assert project.claims(found, "test_problem.py", "jax.lax.stop_gradient(Problem(jnp.ones((3, 4)))).geom") == {
        "float32[3, 4]"
    }
