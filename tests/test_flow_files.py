"""Files that a repository may hold to lead a checker astray, and outputs that cannot be written."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from arraytyping_mypy.building.options import tell_foreign
from mypy.options import Options

from arraytyping.checker.environment import find_environment
from arraytyping.checker.flow.report import cache as cache_module, cache_key as key_module
from arraytyping.checker.flow.report.cache import ReportCache
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.flow.start.starting import Report
from arraytyping.checker.settings import Settings
from arraytyping.checker.settings_file import load_settings
from arraytyping.regular_files import MOST_BYTES, read_regular

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are files of POSIX")

GOOD = """\
import jax.numpy as jnp

x = jnp.ones((3, 4)) @ jnp.ones(3)
"""


@pytest.fixture(autouse=True)
def own_key(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    key_module.cache_key.cache_clear()


def stored(directory: Path) -> tuple[ReportCache, EntryPoint]:
    """A cache in which a report is kept, and its entry point."""
    source = directory / "a.py"
    source.write_text(GOOD)
    entry = EntryPoint("script", "a.py", (("a", source),), (directory,))
    cache = ReportCache(directory / ".arraytyping_cache", Settings())
    cache.store(Report(entry=entry, files={str(source)}), {}, None, ())
    return cache, entry


def test_what_is_kept_is_found_and_signed(tmp_path: Path) -> None:
    cache, entry = stored(tmp_path)
    (file,) = (tmp_path / ".arraytyping_cache" / "flow").glob("*.json")
    assert cache.find(entry, {}, None, ()) is not None
    # A file that was edited, moved to another name, or written under another key is as if it were not there.
    data = file.read_bytes()
    file.write_bytes(data.replace(b'"is_complete": true', b'"is_complete": "ok"'))
    assert cache.find(entry, {}, None, ()) is None
    file.write_bytes(data.partition(b"\n")[2])
    assert cache.find(entry, {}, None, ()) is None
    file.write_bytes(data)
    other = EntryPoint("script", "b.py", entry.modules, entry.roots)
    file.with_name(f"{cache._key(other, None)}-{0:016x}.json").write_bytes(data)
    assert ReportCache(cache.directory, Settings()).find(other, {}, None, ()) is None
    assert cache.find(entry, {}, None, ()) is not None
    (Path(os.environ["XDG_STATE_HOME"]) / "arraytyping" / "cache.key").write_bytes(bytes(32))
    key_module.cache_key.cache_clear()
    assert cache.find(entry, {}, None, ()) is None


def test_the_key_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    key = key_module.cache_key()
    file = Path(os.environ["XDG_STATE_HOME"]) / "arraytyping" / "cache.key"
    assert key == file.read_bytes()
    assert len(key) == 32
    assert file.stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "a file"))
    (tmp_path / "a file").write_text("")
    key_module.cache_key.cache_clear()
    assert key_module.cache_key() is None
    cache, entry = stored(tmp_path)
    assert cache.find(entry, {}, None, ()) is None
    assert not (tmp_path / ".arraytyping_cache").exists()


def _key_beside_others(together: threading.Barrier) -> bytes | None:
    together.wait()
    return key_module.cache_key.__wrapped__()


def test_runs_that_start_together_have_one_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for i in range(50):
            monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / str(i)))
            together = threading.Barrier(8)
            with ThreadPoolExecutor(8) as pool:
                keys = set(pool.map(_key_beside_others, [together] * 8))
            assert len(keys) == 1
            assert None not in keys
            assert [file.name for file in (tmp_path / str(i) / "arraytyping").iterdir()] == ["cache.key"]
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.parametrize("linked", [".arraytyping_cache", ".arraytyping_cache/flow"])
def test_links_in_place_of_the_directory_are_left_alone(
    linked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "_MOST_FILES", 2)
    target = tmp_path / "target"
    (target / "flow").mkdir(parents=True)
    files = [folder / f"{i:032x}.json" for i in range(9) for folder in (target, target / "flow")]
    for file in files:
        file.write_text("mine")
    project = tmp_path / "project"
    (project / linked).parent.mkdir(parents=True)
    (project / linked).symlink_to(target)
    stored(project)
    assert all(file.read_text() == "mine" for file in files)
    assert sorted(p.name for p in target.rglob("*") if p not in files) == ["flow"]


def test_only_files_of_our_own_making_are_removed_or_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "_MOST_FILES", 2)
    folder = tmp_path / ".arraytyping_cache" / "flow"
    folder.mkdir(parents=True)
    others = [folder / name for name in ("notes.json", f"{0:031x}.json", f"{0:032x}.txt")]
    for file in (*others, *(folder / f"{i:032x}.json" for i in range(9))):
        file.write_text("mine")
    outside = tmp_path / "outside"
    (tmp_path / ".arraytyping_cache" / ".gitignore").symlink_to(outside)
    stored(tmp_path)
    assert all(file.read_text() == "mine" for file in others)
    assert len([f for f in folder.iterdir() if f not in others]) == 3  # two old ones and the new one
    assert not outside.exists()


def shared_writer(directory: str, number: int) -> None:
    """Keep a report many times, as one of several runs does that share a directory."""
    entry = EntryPoint("script", "a.py", (("a", Path(directory, "a.py")),), (Path(directory),))
    for i in range(30):
        cache = ReportCache(Path(directory, "shared"), Settings())
        report = Report(entry=entry, files={str(Path(directory, "a.py"))}, unknowns=Counter({f"{number} {i}": 10_000}))
        cache.store(report, {}, None, ())
        assert ReportCache(cache.directory, Settings()).find(entry, {}, None, ()) is not None


def test_several_runs_share_a_directory(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(GOOD)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(shared_writer, [str(tmp_path)] * 3, range(3)))
    (file,) = (tmp_path / "shared" / "flow").iterdir()  # the same input has one name, and nothing is left over
    data = file.read_bytes()
    _, entry = stored(tmp_path)
    for broken in (b"", data[: len(data) // 2], data[:-1], data.replace(b"10000", b"10001"), b"\xff" * 100):
        file.write_bytes(broken)
        cache = ReportCache(tmp_path / "shared", Settings())
        assert cache.find(entry, {}, None, ()) is None
        cache.store(Report(entry=entry, files={str(tmp_path / "a.py")}), {}, None, ())
        assert ReportCache(tmp_path / "shared", Settings()).find(entry, {}, None, ()) is not None


def test_reports_of_several_branches_lie_beside_one_another(tmp_path: Path) -> None:
    cache, entry = stored(tmp_path)
    source = tmp_path / "a.py"
    source.write_text(GOOD + "# a branch\n")
    other = ReportCache(cache.directory, Settings())
    assert other.find(entry, {}, None, ()) is None
    other.store(Report(entry=entry, files={str(source)}, unknowns=Counter({"branch": 1})), {}, None, ())
    for text, known in ((GOOD, 0), (GOOD + "# a branch\n", 1)):
        source.write_text(text)
        found = ReportCache(cache.directory, Settings()).find(entry, {}, None, ())
        assert found is not None
        assert found.unknowns["branch"] == known


def test_the_directory_is_bounded_and_what_a_killed_run_leaves_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "_MOST_TOGETHER", 1000)
    folder = tmp_path / ".arraytyping_cache" / "flow"
    folder.mkdir(parents=True)
    for i in range(9):
        file = folder / f"{i:032x}-{i:016x}.json"
        file.write_text("x" * 300)
        os.utime(file, (i, i))
    old, new = (folder / f"{0:032x}-{0:016x}.partial-{i:016x}" for i in range(2))
    old.write_text("")
    new.write_text("")
    os.utime(old, (0, 0))
    stored(tmp_path)
    assert not old.exists()
    assert new.exists()
    assert sorted(int(f.name[:32], 16) for f in folder.glob("*.json") if f.stat().st_mtime < 9) == [6, 7, 8]


def test_where_reports_are_kept_is_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(cache_module.DIRECTORY_VARIABLE, raising=False)
    assert ReportCache.of(Settings()).directory == tmp_path / ".arraytyping_cache"
    Path("pyproject.toml").write_text('[tool.arraytyping]\ncache-dir = "kept"\n')
    assert ReportCache.of(load_settings(tmp_path)).directory == tmp_path / "kept" / "arraytyping"
    monkeypatch.setenv(cache_module.DIRECTORY_VARIABLE, str(tmp_path / "elsewhere"))
    assert ReportCache.of(load_settings(tmp_path)).directory == tmp_path / "elsewhere" / "arraytyping"


def test_those_who_share_a_directory_share_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(key_module.VARIABLE, "a secret of the team")
    cache, entry = stored(tmp_path)
    assert not Path(os.environ["XDG_STATE_HOME"], "arraytyping", "cache.key").exists()
    for secret, is_found in (("a secret of the team", True), ("another one", False)):
        monkeypatch.setenv(key_module.VARIABLE, secret)
        key_module.cache_key.cache_clear()
        assert (ReportCache(cache.directory, Settings()).find(entry, {}, None, ()) is not None) == is_found


def test_a_file_in_place_of_the_directory_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / ".arraytyping_cache").write_text("mine")
    cache, entry = stored(tmp_path)
    assert cache.find(entry, {}, None, ()) is None
    assert (tmp_path / ".arraytyping_cache").read_text() == "mine"


def test_only_regular_files_of_a_bounded_size_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "folder.py").mkdir()
    with (tmp_path / "long.py").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    for path in tmp_path.iterdir():
        with pytest.raises(OSError, match=r"regular|directory|links|longer"):
            read_regular(path)
        with pytest.raises(SourceError, match=r"cannot be read|regular|directory"):
            read_source(path)
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "link.py").symlink_to("a.py")
    assert read_regular(tmp_path / "link.py") == b"x = 1\n"
    with pytest.raises(OSError, match="link"):
        read_regular(tmp_path / "link.py", follow_links=False)


def check(directory: Path, *args: str, redirect: str = "", **environ: str) -> tuple[int, str, str]:
    """The exit code, output and error output of the command, which a shell starts."""
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirect}', "sh", sys.executable, "-P", "-m", "arraytyping", "check", *args],
        cwd=directory,
        capture_output=True,
        text=True,
        env={**os.environ, "MYPY_CACHE_DIR": os.devnull, **environ},
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def test_odd_files_of_a_folder_are_named_and_the_others_checked(tmp_path: Path) -> None:
    (tmp_path / "ü.py").write_text(GOOD)
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "again").symlink_to("..")
    (tmp_path / ".arraytyping_cache").write_text("mine")
    status, out, _ = check(tmp_path, "--no-types", ".", PYTHONIOENCODING="ascii")
    assert status == 2
    assert re.findall(r"^(?:\./)?(\S+?):\d+:(?:\d+:)? error: (?:cannot be read|matmul)", out, re.MULTILINE) == [
        "loop.py",
        "pipe.py",
        "zero.py",
        "\\xfc.py",
    ]
    assert "Success" not in out


@pytest.mark.parametrize(
    ("redirect", "why"), [("> /dev/full", "No space left on device"), (">&-", "it is closed")], ids=["full", "closed"]
)
def test_an_output_that_cannot_be_written_is_one_line(redirect: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    status, _, err = check(tmp_path, "--no-types", "a.py", redirect=redirect)
    assert status == 2
    assert err == f"arraytyping: error: the standard output cannot be written: {why}\n"


@pytest.mark.parametrize("is_worktree", [False, True])
@pytest.mark.parametrize("is_tracked", [False, True])
def test_an_environment_that_is_checked_in_is_not_run(is_tracked: bool, is_worktree: bool, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    python = repository / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\ntouch {tmp_path}/escaped\n")
    python.chmod(0o755)
    (repository / ".venv" / "pyvenv.cfg").write_text("")
    index = b"DIRC\0\0\0\2\0\0\0\1" + (b".venv/pyvenv.cfg\0" if is_tracked else b"a.py\0")
    git = tmp_path / "main" / ".git" if is_worktree else repository / ".git"
    git.mkdir(parents=True)
    (git / "index").write_bytes(index)
    if is_worktree:
        (repository / ".git").write_text(f"gitdir: {git}\n")
    found = find_environment([repository], {})
    assert (tmp_path / "escaped").exists() is not is_tracked
    assert found.refused[0].startswith(str(repository / ".venv"))
    assert ("is part of the repository" in found.refused[0]) is is_tracked


def test_what_a_configuration_makes_mypy_run_is_named_and_not_run_without_types(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "evil.py").write_text("open('escaped', 'w')\n\n\ndef plugin(version):\n    raise SystemExit(7)\n")
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\ntouch escaped\n")
    python.chmod(0o755)
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = evil.py\npython_executable = ./python\n")
    status, _, err = check(tmp_path, "--no-types", "a.py")
    assert (status, err) == (0, "")
    assert not (tmp_path / "escaped").exists()
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = evil.py\n")
    options, said = Options(), io.StringIO()
    options.config_file, options.plugins = str(tmp_path / "mypy.ini"), ["evil.py", "arraytyping_mypy"]
    tell_foreign(options, said)
    assert "mypy.ini makes mypy run the plugin evil.py; --no-types does without\n" in said.getvalue()
