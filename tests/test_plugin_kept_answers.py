"""What the plugin answers of modules is kept in mypy's cache, and found out anew when what it hangs on changes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from arraytyping_mypy import flow_mistakes, kept_answers, own_sources, settings as plugin_settings
from arraytyping_mypy.fingerprint import fingerprint
from arraytyping_mypy.kept_answers import KeptAnswers, can_be_kept
from arraytyping_mypy.settings import BuildSettings
from mypy.options import Options

import arraytyping

FILES = {
    "pyproject.toml": "[tool.arraytyping]\nredefinition = true\n",
    "run.py": "import pkg.inner.deep\nimport later\nx = 1\n",
    "pkg/__init__.py": "",
    "pkg/inner/__init__.py": "",
    "pkg/inner/deep.py": "x = 1\n",
    "pkg/other.py": "x = 1\n",
}
MODULES = {"run": "run.py", "pkg.inner.deep": "pkg/inner/deep.py", "pkg.other": "pkg/other.py"}
SWITCH = "import jax\njax.config.update('jax_enable_x64', True)\n"


class Project:
    """A project, the libraries of its Python, and our sources, of which none was written just now."""

    def __init__(self, place: Path, patch: pytest.MonkeyPatch) -> None:
        self.place, self.patch = place / "project", patch
        self.libraries, self.sources = place / "libraries" / "site-packages", place / "sources"
        for folder in (self.libraries / "jax-0.10.2.dist-info", self.sources / "semantics", self.sources / "checker"):
            folder.mkdir(parents=True)
        (self.sources / "semantics" / "a.py").write_text("x = 1\n")
        for name, text in FILES.items():
            self.write(name, text)
        patch.chdir(self.place)
        patch.setattr(sys, "argv", ["mypy", "run.py", "pkg"])
        patch.setattr(arraytyping, "__path__", [str(self.sources)])
        for name in ("FRESH", "TICK"):
            patch.setattr(own_sources, name, -1 << 62)
        self.have_libraries(str(self.libraries))
        self.options = Options()
        self.options.python_executable = sys.executable
        self.options.cache_dir = str(place / "cache")
        Path(self.options.cache_dir).mkdir()

    def have_libraries(self, *folders: str) -> None:
        for name in ("kept_answers", "jax_version"):
            self.patch.setattr(f"arraytyping_mypy.{name}.get_search_dirs", lambda _: ([], list(folders)))

    def write(self, name: str, text: str) -> None:
        file = self.place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    @staticmethod
    def begin() -> None:
        """As another process does."""
        own_sources.look_of_sources.cache_clear()
        own_sources.own_sources.cache_clear()

    def kept(self) -> KeptAnswers:
        self.begin()
        return KeptAnswers(self.options, (False, False))

    def settings(self) -> BuildSettings:
        return BuildSettings(self.options, (False, False))

    def find(self) -> None:
        """A run that finds all answers out."""
        kept, settings = self.kept(), self.settings()
        for module, path in MODULES.items():
            kept.found(module, path, settings)

    def known(self) -> dict[str, Any]:
        """What another run knows."""
        kept = self.kept()
        found = {module: kept.of(module, path) for module, path in MODULES.items()} if kept.are_known else {}
        return {module: answer for module, answer in found.items() if answer is not None}

    def right(self) -> dict[str, Any]:
        """What a run finds that knows nothing."""
        self.begin()
        settings = self.settings()
        return {module: fingerprint(settings, module, path) for module, path in MODULES.items()}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    for name in [name for name in os.environ if name.startswith(("JAX_", "ARRAYTYPING_"))]:
        monkeypatch.delenv(name)
    # A test before this one may have given these, as whoever asks for mypy within a process does.
    monkeypatch.setattr(plugin_settings, "_roots", [])
    monkeypatch.setattr(flow_mistakes, "_given", [])
    return Project(tmp_path, monkeypatch)


def test_they_are_kept(project: Project) -> None:
    assert project.known() == {}
    project.find()
    assert project.known() == project.right()
    assert project.kept().redefinition


def test_those_of_programs_that_switch_something_are_kept(project: Project) -> None:
    project.write("pkg/inner/deep.py", SWITCH)
    project.find()
    known = project.known()
    assert known == project.right()
    assert known["run"]["settings"]["x64"] != known["pkg.other"]["settings"]["x64"]
    project.write("run.py", "x = 1\n")
    assert project.known() == {}
    assert project.right() != known


def _same_length_and_time(p: Project) -> None:
    file, text = p.sources / "semantics" / "a.py", "x = 2\n"
    before = file.stat()
    file.write_text(text)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def _other_place(p: Project) -> None:
    (p.place.parent / "elsewhere").mkdir()
    (p.place / "pkg").rename(p.place.parent / "elsewhere" / "pkg")
    (p.place / "pkg").symlink_to(p.place.parent / "elsewhere" / "pkg", target_is_directory=True)


CHANGES: dict[str, Callable[[Project], object]] = {
    "a setting": lambda p: p.write("pyproject.toml", "[tool.arraytyping]\nx64 = true\n"),
    "a setting of one module": lambda p: p.write(
        "pyproject.toml", '[[tool.arraytyping.overrides]]\nmodule = "pkg.*"\nx64 = true\n'
    ),
    "a table that is malformed": lambda p: p.write("pyproject.toml", "[tool.arraytyping]\nx64 = 3\n"),
    "no settings": lambda p: (p.place / "pyproject.toml").unlink(),
    "settings nearer by": lambda p: p.patch.chdir(p.place / "pkg"),
    "a project that is distributed": lambda p: p.write("setup.py", ""),
    "a package within that is": lambda p: p.write("pkg/setup.cfg", "[metadata]\nname = pkg\n"),
    "a switch": lambda p: p.write("pkg/other.py", SWITCH),
    "keys of another kind": lambda p: p.write(
        "run.py", "import jax\njax.config.update('jax_default_prng_impl', 'rbg')"
    ),
    "an edit of as many characters": lambda p: p.write("pkg/inner/deep.py", "x = 2\n"),
    "a module that was not there": lambda p: p.write("later.py", SWITCH),
    "a package that was not there": lambda p: p.write("later/__init__.py", SWITCH),
    "a package in src": lambda p: p.write("src/later.py", SWITCH),
    "a module that is found by nobody": lambda p: p.write("pkg/inner/new.py", SWITCH),
    "a module that goes": lambda p: (p.place / "pkg/inner/deep.py").unlink(),
    "a package that is no package": lambda p: (p.place / "pkg/__init__.py").unlink(),
    "a folder that is a link": _other_place,
    "JAX's environment": lambda p: p.patch.setenv("JAX_ENABLE_X64", "1"),
    "our environment": lambda p: p.patch.setenv("ARRAYTYPING_ENABLE_X64", "1"),
    "keys by the environment": lambda p: p.patch.setenv("JAX_DEFAULT_PRNG_IMPL", "rbg"),
    "another jax": lambda p: (p.libraries / "jax-0.10.2.dist-info").rename(p.libraries / "jax-0.8.0.dist-info"),
    "no jax": lambda p: (p.libraries / "jax-0.10.2.dist-info").rmdir(),
    "other libraries": lambda p: p.have_libraries(),
    "another interpreter": lambda p: setattr(p.options, "python_executable", "/usr/bin/another"),
    "another Python": lambda p: p.patch.setattr(sys, "version", "4.0"),
    "another mypy": lambda p: p.patch.setattr(kept_answers, "mypy_version", "9.0"),
    "our sources": lambda p: (p.sources / "checker" / "b.py").write_text(""),
    "our sources at the same time": _same_length_and_time,
    "other files": lambda p: p.patch.setattr(sys, "argv", ["mypy", "pkg"]),
    "a cache that is cut off": lambda p: (Path(p.options.cache_dir) / "arraytyping-answers").write_text('{"look": '),
    "a cache of another release": lambda p: (Path(p.options.cache_dir) / "arraytyping-answers").write_text("3\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_is_found_out_anew(project: Project, change: str) -> None:
    project.find()
    assert len(project.known()) == len(MODULES)
    CHANGES[change](project)
    known = project.known()
    assert "pkg.inner.deep" not in known
    if known:  # of modules that lie elsewhere
        right = project.right()
        assert known == {module: right[module] for module in known}


def test_what_is_not_asked_of_the_sources_changes_nothing(project: Project) -> None:
    """Data beside the program, tools that write there, the environment of others."""
    project.find()
    project.write("results.csv", "1\n")
    project.write("pkg/table.txt", "1\n")
    project.patch.setenv("PATH_OF_ANOTHER", "1")
    (project.libraries / "other-1.0.dist-info").mkdir()
    assert project.known() == project.right()


def test_an_answer_that_was_cut_off_is_found_out(project: Project) -> None:
    project.find()
    file = Path(project.options.cache_dir) / "arraytyping-answers"
    file.write_text(file.read_text()[:-9])
    assert project.known() == {k: v for k, v in project.right().items() if k != "pkg.other"}


@pytest.mark.parametrize(
    "table", ["flow = true", "x64 = 3", 'promotion = "lattice.toml"', 'stand-ins = ["pkg"]'], ids=lambda t: t.split()[0]
)
def test_answers_that_hang_on_more_are_not_kept(project: Project, table: str) -> None:
    lattice = 'name = "own"\nweak = ["int", "float", "complex"]\n'
    project.write("lattice.toml", lattice)
    project.write("pyproject.toml", f"[tool.arraytyping]\n{table}\n")
    kept, settings = project.kept(), project.settings()
    assert settings.looked_at() is None
    assert not (Path(project.options.cache_dir) / "arraytyping-answers").exists()
    assert not kept.are_known


def test_what_was_just_written_is_not_kept(project: Project) -> None:
    for name in ("FRESH", "TICK"):
        project.patch.setattr(own_sources, name, 60_000_000_000)
    project.find()
    assert project.known() == {}


def test_only_runs_of_mypy_by_itself_keep_anything(project: Project) -> None:
    assert can_be_kept(project.options)
    for name, value in (("incremental", False), ("fine_grained_incremental", True), ("cache_dir", os.devnull)):
        options = Options()
        setattr(options, name, value)
        assert not can_be_kept(options)


def test_mypy_loads_little_where_nothing_has_changed(tmp_path: Path) -> None:
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = arraytyping_mypy\n")
    for name in ("mypy.ini", "program.py"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1e9, 1e9))

    def loads_settings() -> bool:
        command = [sys.executable, "-X", "importtime", "-m", "mypy", "program.py"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        return "arraytyping_mypy.settings" in done.stderr

    assert loads_settings()
    for _ in range(8):
        time.sleep(own_sources.FRESH / 1e9)  # what was written just now is not kept
        if not loads_settings():
            break
    else:
        pytest.fail("settings are loaded although nothing has changed")
    (tmp_path / "pyproject.toml").write_text("[tool.arraytyping]\nx64 = true\n")
    assert loads_settings()
