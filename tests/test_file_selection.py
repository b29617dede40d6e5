"""Which files of a directory are checked, held against git itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arraytyping.checker.file_selection import Selection
from arraytyping.checker.settings import ConfigError
from arraytyping.checker.settings_file import load_settings

FILES = (
    "a.py", "b.py", "stub.pyi", "text.txt", ".hidden/c.py", "build/d.py", "pkg/__init__.py", "pkg/build/e.py",
    "pkg/generated/f.py", "pkg/generated/kept.py", "pkg/x_old.py", "node_modules/g.py", "env/pyvenv.cfg",
    "env/lib/h.py",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(path: str = ".", **given: object) -> list[str]:
    selection = Selection(**given)  # type: ignore[arg-type]
    return [p.as_posix() for p in selection.files(Path(path))]


EVERY = [
    "a.py", "b.py", "stub.pyi", "build/d.py", "pkg/__init__.py", "pkg/x_old.py", "pkg/build/e.py",
    "pkg/generated/f.py", "pkg/generated/kept.py",
]  # fmt: skip


def test_by_default(folder: Path) -> None:
    assert names() == EVERY
    assert names("a.py") == ["a.py"]


def test_exclude_and_include(folder: Path) -> None:
    assert names(extend_exclude=("build", "*_old.py")) == [
        n for n in EVERY if "build" not in n and not n.endswith("_old.py")
    ]
    assert names(extend_exclude=("/build",)) == [n for n in EVERY if n != "build/d.py"]
    assert ".hidden/c.py" in names(exclude=("pkg/",))
    assert names(include=("pkg/*.py",)) == ["pkg/__init__.py", "pkg/x_old.py"]
    assert names("pkg", extend_exclude=("pkg/generated/*", "!kept.py")) == [
        "pkg/__init__.py", "pkg/x_old.py", "pkg/build/e.py", "pkg/generated/kept.py"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "ignores",
    [
        {".gitignore": "build/\n"},
        {".gitignore": "/build\n*_old.py\n"},
        {".gitignore": "generated/*\n!generated/kept.py\n# comment\n"},
        {".gitignore": "*.py\n", "pkg/.gitignore": "!*.py\ngenerated\n"},
        {"pkg/.gitignore": "/build/\n", "pkg/generated/.gitignore": "*\n!kept.py\n"},
        {".gitignore": "pkg/**/f.py\n", ".git/info/exclude": "b.py\n"},
        {".gitignore": "b.py\n", ".git/info/exclude": "!b.py\n"},
    ],
    ids=range(7),
)
def test_what_git_ignores(folder: Path, ignores: dict[str, str]) -> None:
    for name, text in ignores.items():
        (folder / name).write_text(text)
    tracked = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert names() == [n for n in EVERY if n in tracked]
    assert names(respect_gitignore=False) == EVERY
    assert names("pkg") == [n for n in EVERY if n in tracked and n.startswith("pkg/")]


def test_a_directory_that_git_ignores_is_checked_if_it_is_named(folder: Path) -> None:
    (folder / ".gitignore").write_text("build\n")
    assert names("build") == ["build/d.py"]


def test_without_a_repository_nothing_is_ignored(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*\n")
    (tmp_path / "a.py").write_text("")
    assert names(str(tmp_path)) == [(tmp_path / "a.py").as_posix()]


def test_the_settings(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.arraytyping]\nextend-exclude = ["build"]\nrespect-gitignore = false\nbaseline = "known.json"\n'
    )
    settings = load_settings()
    assert settings.selection == Selection(extend_exclude=("build",), respect_gitignore=False, root=folder)
    assert settings.baseline == folder / "known.json"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('exclude = "build"', 'exclude = "build": it must be a list of patterns as in .gitignore'),
        ("extend-exclude = [1]", "extend-exclude = [1]: it must be a list of patterns as in .gitignore"),
        ("baseline = 1", "baseline = 1: it must be the path of a file"),
        ("respect-gitignore = 1", "respect_gitignore = 1: allowed are true and false"),
    ],
)
def test_settings_that_are_refused(folder: Path, line: str, said: str) -> None:
    (folder / "pyproject.toml").write_text(f"[tool.arraytyping]\n{line}\n")
    with pytest.raises(ConfigError) as error:
        load_settings()
    assert said in str(error.value)
