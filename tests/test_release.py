"""What is published: both distributions are built, the same bytes each time, and complete; the workflows are valid."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
VALID = {
    ".github/workflows/*.yml": "vendor.github-workflows",
    ".github/ISSUE_TEMPLATE/[!c]*.yml": "vendor.github-issue-forms",
    ".github/ISSUE_TEMPLATE/config.yml": "vendor.github-issue-config",
    "CITATION.cff": "vendor.citation-file-format",
}


def run(*command: str, **environ: str) -> str:
    """Run a module of Python, and give what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **environ},
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the wheels and the source distributions of both."""
    directory = tmp_path_factory.mktemp("dist")
    for source in (".", "stubs"):
        run("build", "-q", "--no-isolation", "-o", str(directory), source, SOURCE_DATE_EPOCH="1700000000")
    return directory


def test_the_distributions_are_valid(built: Path) -> None:
    wheels, archives = sorted(built.glob("*.whl")), sorted(built.glob("*.tar.gz"))
    assert [len(wheels), len(archives)] == [2, 2]
    run("twine", "check", "--strict", *map(str, [*wheels, *archives]))
    run("check_wheel_contents", *map(str, wheels))


def test_they_are_the_same_bytes_each_time(built: Path, tmp_path: Path) -> None:
    # the wheel is built from the source distribution, so that this holds it against the other as well
    run("build", "-q", "--no-isolation", "-o", str(tmp_path), ".", SOURCE_DATE_EPOCH="1700000000")
    assert len(list(tmp_path.iterdir())) == 2
    for file in tmp_path.iterdir():
        assert file.read_bytes() == (built / file.name).read_bytes(), file.name


def test_what_is_installed_is_complete_and_runs(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("arraytyping-*.whl")
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
        file.extractall(tmp_path / "installed")
    sources = [path for folder in ("src", "mypy_plugin") for path in (ROOT / folder).rglob("*") if path.is_file()]
    of_source = [path.relative_to(ROOT).as_posix().partition("/")[2] for path in sources]
    wanted = [name for name in of_source if name.endswith((".py", ".pyi", ".json", ".toml", "py.typed"))]
    assert len(wanted) > 700
    assert [name for name in wanted if name not in names] == []
    (tmp_path / "a.py").write_text("import jax.numpy as jnp\njnp.ones(3) + jnp.ones(4)\n")
    # As it is found in a fresh checkout: with no bytecode, which Python writes as it goes.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-m", "arraytyping", "check", "--no-types", "a.py"],
        cwd=tmp_path,
        env={**env, "PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith("a.py:2:1: error: add: incompatible shapes"), done.stderr
    done = subprocess.run(
        [sys.executable, "-c", "import arraytyping; print(arraytyping.__file__)"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith(str(tmp_path / "installed"))


@pytest.mark.parametrize(("pattern", "schema"), VALID.items(), ids=list(VALID.values()))
def test_what_others_read_is_what_their_schemas_say(pattern: str, schema: str) -> None:
    files = sorted(ROOT.glob(pattern))
    assert files
    run("check_jsonschema", "--builtin-schema", schema, *map(str, files))


def test_the_version_is_one() -> None:
    import arraytyping

    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"]
    assert cited == arraytyping.__version__
    assert f'\nversion = "{cited}"\n' in (ROOT / "stubs" / "pyproject.toml").read_text(encoding="utf-8")
