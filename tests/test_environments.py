"""The program's own Python is found from whatever environment arraytyping runs in; without jax there is no success."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from environments import ROOT, SITE, add_arraytyping, add_jax, link_jax, make_environment
from mypy_runs import command_cache

from arraytyping.checker.environment import NoEnvironmentError, find_environment, inspect_environment
from arraytyping.checker.flow.confinement.search_path import import_installed_only, is_of_program

MISTAKE = "import jax.numpy as jnp\nx = jnp.ones((3, 4))\ny = x + jnp.ones((3, 5))\n"
ERROR = "train.py:3:5: error: add: incompatible shapes for broadcasting: (3, 4) and (3, 5)"
MISSING = "imports jax, and jax is installed in none of the environments that were looked at"


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment such as `uvx` makes: arraytyping and what it requires."""
    folder = tmp_path_factory.mktemp("tool")
    make_environment(folder)
    add_arraytyping(folder)
    return folder


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with jax and without arraytyping."""
    folder = tmp_path_factory.mktemp("beside") / ".venv"
    make_environment(folder)
    add_jax(folder)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(MISTAKE)
    return tmp_path


class Tool:
    """arraytyping in an environment of its own, run in a directory; mypy's cache is that of the whole test run."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.python = folder / "bin" / "python"
        activated = ("VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "PYTHONPATH", "JAX_ENABLE_X64")
        kept = {k: v for k, v in os.environ.items() if k not in activated}
        self.environ = {**kept, "MYPY_CACHE_DIR": str(cache)}

    def __call__(self, where: Path, *args: str, module: str = "arraytyping", **environ: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [str(self.python), "-P", "-m", module, *args],
            cwd=where,
            capture_output=True,
            text=True,
            env={**self.environ, **environ},
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stdout, done.stderr


@pytest.fixture
def run(tool: Path, tmp_path_factory: pytest.TempPathFactory) -> Tool:
    return Tool(tool, command_cache(tmp_path_factory))


def test_the_environment_beside_a_program_is_found_for_both_layers(run: Tool, project: Path, beside: Path) -> None:
    (project / ".venv").symlink_to(beside)
    status, out, err = run(project, "check", "train.py", "--no-flow")
    assert (status, err) == (1, "")
    assert out.startswith(ERROR)
    status, out, err = run(project.parent, "check", str(project / "train.py"), "--no-types")
    assert (status, err) == (1, "")
    assert ERROR in out


@pytest.mark.parametrize("option", ["--flow", "--no-types", "--no-flow"])
def test_a_program_that_needs_jax_cannot_be_checked_without(option: str, run: Tool, project: Path) -> None:
    status, out, err = run(project, "check", "train.py", option)
    assert (status, out) == (2, "")
    assert err == (
        f"arraytyping: error: train.py:1 {MISSING} (the environment of arraytyping itself): "
        "install it in that of the program, or name the program's Python with --python PATH\n"
    )


def test_jax_is_needed_also_where_another_module_imports_it(run: Tool, project: Path) -> None:
    (project / "outer.py").write_text("import inner\n")
    (project / "inner.py").write_text("def f():\n    import flax.linen\n")
    assert run(project, "check", "outer.py", "--no-types")[::2] == (
        2,
        "arraytyping: error: inner.py:2 imports flax, and jax is installed in none of the environments that were "
        "looked at (the environment of arraytyping itself): install it in that of the program, or name the program's "
        "Python with --python PATH\n",
    )
    (project / "inner.py").write_text("import math\n")
    status, _, err = run(project, "check", "outer.py", "--no-types")
    assert (status, err) == (0, "")
    assert run(project, "coverage", "train.py", "--no-types")[0] == 2


def test_an_environment_may_be_named(run: Tool, project: Path, beside: Path) -> None:
    for named in (str(beside), str(beside / "bin" / "python")):
        status, out, _ = run(project, "check", "train.py", "--no-types", "--python", named)
        assert status == 1
        assert out.startswith(ERROR)
    # mypy's own option holds for flow, too; what a configuration names is not run without the types
    named = str(beside / "bin" / "python")
    assert run(project, "check", "train.py", "--no-types", "--mypy-args", "--python-executable", named)[0] == 1
    (project / "mypy.ini").write_text(f"[mypy]\npython_executable = {named}\n")
    assert run(project, "check", "train.py", "--no-types")[0] == 2


def test_one_that_cannot_be_used_is_named_in_one_sentence(run: Tool, project: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\necho '[[3, 9], true, \"0.4.30\"]'\n")
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\n")
    for file in (old, silent):
        file.chmod(0o755)
    said = {}
    for named in (tmp_path / "missing", tmp_path, silent, old):
        status, out, err = run(project, "check", "train.py", "--python", str(named))
        assert (status, out) == (2, "")
        said[named.name] = err.removeprefix("arraytyping: error: --python").strip()
    assert said == {
        "missing": f": {tmp_path / 'missing'} is neither an interpreter nor the folder of an environment",
        tmp_path.name: f": {tmp_path} is neither an interpreter nor the folder of an environment",
        "silent": f": {silent} does not work as an interpreter of Python 3",
        "old": "has Python 3.9, and flow needs 3.11 or later: use a newer one, or check the types alone with --no-flow",
    }


def test_the_order_in_which_environments_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "a" / "b" / "train.py"
    program.parent.mkdir(parents=True)
    folders = {name: tmp_path / name for name in ("active", "conda", "a/.venv", ".venv")}
    first = make_environment(folders["active"])
    for folder in list(folders.values())[1:]:
        shutil.copytree(first.parent.parent, folder, symlinks=True)

    def found(**environ: str) -> str:
        search = find_environment([program], environ)
        assert not search.refused
        return search.environment.origin

    active = {"VIRTUAL_ENV": str(folders["active"]), "CONDA_PREFIX": str(folders["conda"])}
    assert found(**active) == "the environment of arraytyping itself"  # jax is in none of them
    for folder in reversed(folders.values()):
        (folder / SITE / "jax").mkdir()
        (folder / SITE / "jax" / "__init__.py").touch()
        if folder.name == ".venv":
            assert found() == str(folder)
    assert found(**active) == f"VIRTUAL_ENV ({active['VIRTUAL_ENV']})"
    assert found(CONDA_PREFIX=active["CONDA_PREFIX"]) == f"CONDA_PREFIX ({active['CONDA_PREFIX']})"
    assert found(CONDA_PREFIX=active["CONDA_PREFIX"], CONDA_DEFAULT_ENV="base") == str(folders["a/.venv"])
    broken = find_environment([program], {"VIRTUAL_ENV": "/nowhere"})
    assert broken.environment.origin == str(folders["a/.venv"])
    assert broken.refused == (
        "VIRTUAL_ENV (/nowhere): /nowhere is neither an interpreter nor the folder of an environment",
    )


def test_our_own_interpreter_is_told_from_others_that_link_to_the_same_file(tmp_path: Path) -> None:
    own = inspect_environment(Path(sys.executable), "here")
    assert own.is_own
    assert own.jax
    assert not inspect_environment(make_environment(tmp_path / "other"), "there").is_own
    with pytest.raises(NoEnvironmentError):
        inspect_environment(tmp_path / "nothing", "there")


def test_what_is_installed_is_imported_also_from_inside_of_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")  # so that everything lies in the project
    monkeypatch.setattr(sys, "path", ["/elsewhere/lib/site-packages", "/elsewhere/src"])
    import_installed_only([])
    assert sys.path == ["/elsewhere/lib/site-packages"]


OPTAX = """\
import jax, jax.numpy as jnp, optax
from jaxtyping import Array, Float, Scalar

def f(x: Float[Array, "t"]) -> Scalar:
    return x.sum()

def update(p: Float[Array, "t"]):
    optimizer = optax.adam(1e-3)
    updates, state = optimizer.update(p, optimizer.init(p), p)
    return jax.tree.structure(state), optax.apply_updates(p, updates)
"""


def test_classes_of_the_plugin_are_found_from_an_environment_without_them(
    run: Tool, project: Path, beside: Path
) -> None:
    pytest.importorskip("optax")
    (project / "train.py").write_text(OPTAX)
    status, out, err = run(project, "check", "train.py", "--no-flow", VIRTUAL_ENV=str(beside))
    assert (status, err) == (0, ""), out
    assert out.startswith("Success: no issues found in 1 source file\n")


def test_arraytyping_that_is_found_by_the_search_path_alone(project: Path, tmp_path: Path) -> None:
    pytest.importorskip("optax")
    (project / "train.py").write_text(OPTAX)
    make_environment(tmp_path / "env")
    link_jax(tmp_path / "env")  # without the `.pth` file by which mypy finds arraytyping
    kept = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV")}
    path = f"{ROOT / 'src'}{os.pathsep}{ROOT / 'mypy_plugin'}"
    done = subprocess.run(  # without `-P`, so that Python puts the working directory first
        [str(tmp_path / "env" / "bin" / "python"), "-m", "arraytyping", "check", "train.py", "--no-flow"],
        cwd=project,
        capture_output=True,
        text=True,
        env={**kept, "MYPY_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("Success: no issues found in 1 source file\n")


def test_packages_that_are_links_to_where_they_are_kept(run: Tool, project: Path, tmp_path: Path) -> None:
    make_environment(tmp_path / ".venv")
    link_jax(tmp_path / ".venv")
    status, out, err = run(project, "check", "train.py", "--no-types")
    assert (status, err) == (1, "")
    assert out.startswith(ERROR)


def test_a_project_that_is_linked_into_its_environment_stays_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [])
    (tmp_path / "pyproject.toml").touch()
    import_installed_only([tmp_path / "own.py"])
    root = tmp_path.resolve()
    assert is_of_program(str(root / "src" / "own" / "__init__.py"))
    assert not is_of_program(str(root / ".cache" / "archive" / "jax" / "__init__.py"))
    assert not is_of_program("/elsewhere/own.py")


def test_an_unsupported_release_of_jax_is_noted(run: Tool, project: Path, tmp_path: Path) -> None:
    make_environment(tmp_path / ".venv")
    add_jax(tmp_path / ".venv")
    info = tmp_path / ".venv" / SITE / "jax-0.7.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: jax\nVersion: 0.7.1\n")
    status, _, err = run(project, "check", "train.py", "--no-types")
    assert status == 1
    assert err.startswith("arraytyping: note: arraytyping knows jax 0.8 to 0.10, and this is 0.7.1: ")


def test_a_jax_that_cannot_be_imported_is_no_success(run: Tool, project: Path, tmp_path: Path) -> None:
    make_environment(tmp_path / ".venv")
    broken = tmp_path / ".venv" / SITE / "jax"
    broken.mkdir()
    (broken / "__init__.py").write_text("raise ImportError('libstdc++.so.6 is too old')\n")
    status, out, _ = run(project, "check", "train.py", "--no-types")
    assert status == 2
    assert "train.py:1: error: jax cannot be imported, so nothing is known of arrays: ImportError: libstdc++" in out


def test_mypy_itself_says_that_there_is_no_jax(run: Tool, project: Path, beside: Path) -> None:
    config = "[tool.mypy]\nplugins = ['arraytyping_mypy']\nignore_missing_imports = true\n"
    (project / "pyproject.toml").write_text(f"{config}[tool.arraytyping]\nflow = true\n")
    status, out, _ = run(project, "train.py", module="mypy")
    assert status == 1
    assert out.startswith(f"train.py:1: error: jax is imported, and jax is not installed for {run.python}: nothing is")


@pytest.mark.skipif("not config.getoption('uvx')", reason="downloads: pytest --uvx")
def test_from_outside_of_any_environment_by_uvx(project: Path, beside: Path) -> None:
    uv = pytest.importorskip("uv").find_uv_bin()
    environ = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "CONDA_PREFIX")}

    def uvx(*args: str) -> subprocess.CompletedProcess[str]:
        fresh = ["--refresh-package", "arraytyping"]  # uv looks at pyproject.toml alone
        command = [uv, "tool", "run", *fresh, "--from", str(ROOT), "arraytyping", "check", *args]
        return subprocess.run(command, cwd=project.parent, capture_output=True, text=True, env=environ)

    done = uvx(str(project / "train.py"))
    assert done.returncode == 2
    assert MISSING in done.stderr
    (project / ".venv").symlink_to(beside)
    done = uvx(str(project / "train.py"))
    assert done.returncode == 1
    assert ERROR in done.stdout


ANSWERS_ONCE = 'case "$1" in -c) exec PYTHON "$@";; esac; '
ODD_PYTHONS = {
    "exits": ("exit 3", "does not work as an interpreter of Python 3"),
    "prints": ("echo nonsense", "does not work as an interpreter of Python 3"),
    "exits for mypy": (
        'case "$1" in -c) exec PYTHON "$@";; esac; exit 3',
        "does not answer where it has its libraries",
    ),
    "prints for mypy": (
        'case "$1" in -c) exec PYTHON "$@";; esac; echo x',
        "does not answer where it has its libraries",
    ),
}


@pytest.mark.parametrize("name", ODD_PYTHONS)
def test_an_interpreter_in_the_configuration_that_gives_no_answer(name: str, tmp_path: Path) -> None:
    body, why = ODD_PYTHONS[name]
    (tmp_path / "train.py").write_text("x = 1\n")
    (tmp_path / "odd").write_text(f"#!/bin/sh\n{body.replace('PYTHON', sys.executable)}\n")
    (tmp_path / "odd").chmod(0o755)
    (tmp_path / "mypy.ini").write_text("[mypy]\npython_executable = ./odd\n")
    command = [sys.executable, "-m", "arraytyping", "check", "train.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert done.stderr.splitlines()[-1].startswith("arraytyping: error: mypy's python_executable: ")
    assert done.stderr.endswith(f"odd {why}\n")


def test_an_interpreter_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "odd").chmod(0o755)
    monkeypatch.setattr("arraytyping.checker.environment._SECONDS", 0.2)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoEnvironmentError, match="did not answer within"):
        inspect_environment(Path("./odd"), "here")


def test_a_configured_interpreter_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("x = 1\n")
    (tmp_path / "pyproject.toml").write_text("[tool.mypy]\npython_executable = 3\n")
    command = [sys.executable, "-m", "arraytyping", "check", "train.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("arraytyping: error: mypy cannot read its configuration: ")
    assert done.stderr.count("\n") == 1


def test_mypy_checks_a_program_whose_environment_lacks_arraytyping(run: Tool, project: Path, beside: Path) -> None:
    text = "from jaxtyping import Array, UInt32\nKey = UInt32[Array, '2']\ndef f(key: Key) -> Key:\n"
    (project / "train.py").write_text(f"{text}    reveal_type(key)\n    return key\n")
    (project / "mypy.ini").write_text("[mypy]\nplugins = arraytyping_mypy\n")
    code, out, err = run(project, "--python-executable", str(beside / "bin" / "python"), "train.py", module="mypy")
    assert (code, err) == (0, "")
    assert 'Revealed type is "jax._src.basearray.Array[Any, tuple[Literal[2]]]"' in out
