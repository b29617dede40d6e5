"""A command that is forked does what one that is started does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import forked_commands
import pytest
from forked_streams import ADDRESS

MISTAKE = "import jax.numpy as jnp\n\nx = jnp.ones((3, 4))\nx @ x\n"
CHECK = ("-m", "arraytyping", "check", "--no-types")


def started(*command: str, cwd: Path, input: str = "") -> tuple[int, str, str]:
    done = subprocess.run([sys.executable, *command], cwd=cwd, input=input, capture_output=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


def forked(*command: str, cwd: Path, input: str = "") -> tuple[int, str, str]:
    done = forked_commands.run(*command, cwd=cwd, input=input)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "command",
    [
        (*CHECK, "train.py"),
        (*CHECK, "missing.py"),
        (*CHECK, "-", "--stdin-filename", "other.py"),
        ("-P", *CHECK, "."),
        ("-m", "mypy", "plain.py"),
        ("-m", "mypy", "--no-such-option"),
        ("-m", "site", "--user-base"),
        ("-m", "raises"),
    ],
    ids=" ".join,
)
def test_it_prints_and_ends_alike(command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(MISTAKE)
    (tmp_path / "plain.py").write_text("x: int = 'a'\n")
    (tmp_path / "raises.py").write_text("import sys\n\nsys.exit(f'{sys.argv[1:]} {sys.path[0]}')\n")
    monkeypatch.setenv("MYPY_CACHE_DIR", os.devnull)
    given = MISTAKE.replace("(3, 4)", "(5, 4)")
    assert forked(*command, cwd=tmp_path, input=given) == started(*command, cwd=tmp_path, input=given)


def test_what_imports_read_is_as_it_would_be(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(MISTAKE)
    done = forked_commands.run(*CHECK, "train.py", cwd=tmp_path, env={**os.environ, "JAX_ENABLE_X64": "1"})
    assert "x64: on (environment variable JAX_ENABLE_X64=1)" in done.stdout
    off = forked_commands.run(*CHECK, "train.py", cwd=tmp_path)
    assert "x64: off (JAX's default: nothing switches it on)" in off.stdout


@pytest.fixture
def forking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ADDRESS, forked_commands.address())


ECHO = "import os, sys; sys.stderr.write(f'{os.getppid()}\\n'); print(sys.stdin.read(), sys.argv); sys.exit(3)"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_one_with_streams_reads_writes_and_ends_alike(forking: None, tmp_path: Path) -> None:
    command = ("-P", "-c", ECHO, "argument")
    usual = subprocess.run([sys.executable, *command], cwd=tmp_path, input=b"given", capture_output=True)
    streamed = subprocess.run(forked_commands.streamed(*command), cwd=tmp_path, input=b"given", capture_output=True)
    assert (
        (streamed.returncode, streamed.stdout) == (usual.returncode, usual.stdout) == (3, b"given ['-c', 'argument']\n")
    )
    assert (usual.stderr, streamed.stderr != usual.stderr) == (f"{os.getpid()}\n".encode(), True), "was not forked"
    environ = {**os.environ, "JAX_ENABLE_X64": "1"}
    started = subprocess.run(forked_commands.streamed(*command), env=environ, input=b"given", capture_output=True)
    assert (started.returncode, started.stdout, started.stderr) == (3, usual.stdout, usual.stderr)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="processes are not forked here")
def test_one_with_streams_ends_with_what_is_started(forking: None) -> None:
    sleep = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
    for is_killed in (True, False):
        process = subprocess.Popen(forked_commands.streamed("-P", "-c", sleep), stdout=subprocess.PIPE)
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        assert pid != process.pid
        if is_killed:
            process.kill()
        else:
            os.kill(pid, signal.SIGTERM)
        assert process.stdout.read() == b""
        assert process.wait() == (-signal.SIGKILL if is_killed else -signal.SIGTERM)
        ended = time.monotonic() + 30
        while Path(f"/proc/{pid}").exists():
            assert time.monotonic() < ended
            time.sleep(0.02)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_one_that_talks_answers(tmp_path: Path) -> None:
    echo = "import sys, os\nfor line in sys.stdin: print(os.getpid(), line.upper(), end='', flush=True)"
    process = forked_commands.talking([sys.executable, "-P", "-c", echo], os.environ)
    for text in (b"one\n", b"two\n"):
        process.stdin.write(text)
        process.stdin.flush()
        assert process.stdout.readline() == f"{process.pid} ".encode() + text.upper()
    process.stdin.close()
    assert process.wait() == 0


def test_what_it_takes_is_counted(tmp_path: Path) -> None:
    before = forked_commands.seconds()
    (tmp_path / "busy.py").write_text("import time\n\nwhile time.process_time() < 0.3:\n    pass\n")
    forked("-m", "busy", cwd=tmp_path)
    assert forked_commands.seconds() - before > 0.05
