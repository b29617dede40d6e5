"""Worker processes: what a program does to the one that follows it costs the answer to this entry point alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arraytyping.checker.cli import cli, flow_command
from arraytyping.checker.flow.report.reporting import FlowReport

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux alone")

GOOD = """\
import jax.numpy as jnp

x = jnp.ones((3, 4)) @ jnp.ones(3)
"""

_ANALYZE = """\
import json, os, signal, sys
from pathlib import Path
from arraytyping.checker.flow.report import workers
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.report.cache import ReportCache
from arraytyping.checker.flow.report.child import interrupt_once
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.settings import Settings

interrupt_once()
limits = Limits()
limits.seconds = {seconds}
settings = Settings(memory={memory})
{before}
found = analyze([Path(p) for p in sys.argv[1:]], settings, limits=limits, jobs={jobs}, cache={cache}, confined=True)
print(json.dumps({{
    "mistakes": [str(m.path) for m in found.diagnostics],
    "stopped": {{str(r.entry): r.stopped for r in found.entry_points if r.stopped}},
    "complete": [str(r.entry) for r in found.entry_points if r.is_complete],
    "unknowns": found.unknowns,
    "crashes": found.crashes,
    "interrupted": found.is_interrupted,
    "notes": found.notes,
}}))
"""


def command(before: str = "", seconds: float = 60.0, memory: float = 4.0, jobs: int = 1, cache: str = "None") -> str:
    return _ANALYZE.format(seconds=seconds, memory=memory, before=before, jobs=jobs, cache=cache)


def analyzed(directory: Path, files: dict[str, str], **options: Any) -> dict[str, Any]:
    """What comes of these programs, each followed by a worker."""
    for name, text in files.items():
        (directory / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", command(**options), *files],
        cwd=directory,
        capture_output=True,
        text=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def may_be_interrupted() -> None:
    """Undo what a shell does to its background jobs, and so to their children: it makes them ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


AT_START = """\
ACTIONS = {actions!r}
def start(entry, *args, _start=workers.start):
    if entry.name in ACTIONS:
        exec(ACTIONS[entry.name])
    return _start(entry, *args)
workers.start = start
"""

KILLED = "its process was killed (SIGKILL), as a system does that has no memory left"
DEATHS = {
    "os._exit(3)": "its process ended with exit code 3",
    "os._exit(0)": "its process ended without an answer",
    "signal.raise_signal(signal.SIGSEGV)": "its process died (SIGSEGV)",
    "signal.raise_signal(signal.SIGKILL)": KILLED,
    "raise ValueError('odd')": "an internal error: ValueError: odd",
    "bytearray(3 * 10**9)": "it needs more than 1 GB of memory",
    "len([bytearray(10**6) for _ in range(10**6)])": "it needs more than 1 GB of memory",
    "pow(7, 10**9)": "it needs more than 3 s of processor time",
    "import threading; lock = threading.Lock(); lock.acquire(); lock.acquire()": (
        "it was stopped after waiting for 1 s without doing anything"
    ),
}


def test_a_worker_that_dies_costs_one_answer(tmp_path: Path) -> None:
    actions = {f"bad_{i}.py": action for i, action in enumerate(DEATHS)}
    before = "workers._IDLE = 1.0\n" + AT_START.format(actions=actions)
    files = {"a.py": GOOD, **dict.fromkeys(actions, GOOD), "c.py": GOOD}
    found = analyzed(tmp_path, files, before=before, seconds=3.0, memory=1.0)
    assert found["stopped"] == dict(zip(actions, DEATHS.values()))
    assert found["mistakes"] == ["a.py", "c.py"]
    assert found["crashes"] == {}


def test_each_answer_is_kept_as_soon_as_it_is_there_and_an_interrupt_ends_the_workers(tmp_path: Path) -> None:
    before = AT_START.format(actions={"bad.py": "[None for _ in iter(lambda: 0, 1)]"})
    for name in ("a.py", "bad.py"):
        (tmp_path / name).write_text(GOOD)
    code = command(before=before, cache="ReportCache(Path('kept'), settings)")
    process = subprocess.Popen(
        [sys.executable, "-c", code, "a.py", "bad.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=may_be_interrupted,
    )
    while process.poll() is None and not list(tmp_path.glob("kept/flow/*.json")):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    found = json.loads(out)
    assert found["interrupted"]
    assert found["mistakes"] == ["a.py"]
    assert found["stopped"] == {"bad.py": "it was interrupted"}


ESCAPES = {
    "a command": "os.system('touch escaped')",
    "a process": "import subprocess; subprocess.Popen(['touch', 'escaped'])",
    "exec": "os.execv('/bin/touch', ['touch', 'escaped'])",
    "a fork": "os.fork() or os._exit(0)",
    "a file": "open('escaped', 'w')",
    "a descriptor": "os.open('escaped', os.O_CREAT | os.O_WRONLY)",
    "a folder": "os.mkdir('escaped')",
    "a removal": "os.remove('a.py')",
    "a new name": "os.rename('a.py', 'escaped')",
    "a mode": "os.chmod('a.py', 0o777)",
    "a link": "os.symlink('a.py', 'escaped')",
    "a socket": "import socket; socket.socket()",
    "a name of the network": "import socket; socket.getaddrinfo('localhost', 80)",
    "a signal": "os.kill(os.getppid(), 0)",
    "a library": "import ctypes; ctypes.CDLL('libm.so.6')",
    "a pickle": "import pickle; pickle.loads(b'cos\\nsystem\\n.')",
    "a module of the program": "sys.path.insert(0, '.'); import hostile",
}


@pytest.mark.parametrize("first_wall_only", [False, True], ids=["hook and kernel", "kernel alone"])
def test_a_worker_reaches_nothing_outside(first_wall_only: bool, tmp_path: Path) -> None:
    """Each action by itself, in a worker that begins with it."""
    kernel_only = {n for n in ESCAPES if n not in ("a library", "a pickle", "a module of the program")}
    wanted = {n: e for n, e in ESCAPES.items() if not first_wall_only or n in kernel_only}
    lines = [f"ACTIONS = {json.dumps(wanted)}"]
    if first_wall_only:
        lines.append("import arraytyping.checker.flow.confinement as c; c.install = lambda *given: None")
    lines.append(
        "def start(entry, *args, _start=workers.start):\n"
        "    from collections import Counter\n"
        "    from arraytyping.checker.flow.start.starting import Report\n"
        "    refused = {}\n"
        "    for name, action in ACTIONS.items():\n"
        "        try:\n"
        "            exec(action, {'os': os, 'sys': sys})\n"
        "        except BaseException as error:\n"
        "            refused[name] = 1\n"
        "    return Report(entry=entry, unknowns=Counter(refused))\n"
        "workers.start = start\n"
    )
    (tmp_path / "hostile.py").write_text("open('escaped', 'w')")
    found = analyzed(tmp_path, {"a.py": GOOD}, before="\n".join(lines))
    assert found["stopped"] == {}
    allowed = {"a command", "a name of the network"} if first_wall_only else set()  # these tell nobody that they failed
    assert set(wanted) - set(found["unknowns"]) <= allowed
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.py", "hostile.py"]
    assert (tmp_path / "a.py").stat().st_mode & 0o777 != 0o777


def test_what_is_refused_is_unknown(tmp_path: Path) -> None:
    """Nothing that a program asks for comes back as an exception of its own."""
    text = GOOD + "import typing\ny = typing.ForwardRef(\"open('escaped', 'w')\")\n"
    found = analyzed(tmp_path, {"a.py": text})
    assert found["mistakes"] == ["a.py"]
    assert found["crashes"] == {}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.py"]


@pytest.mark.parametrize("text", ["import os; os.system('true')", "exec(compile('made = 1', '', 'exec'))"])
def test_a_library_that_does_what_is_refused_does_not_end_the_program(text: str, tmp_path: Path) -> None:
    """Neither one that reaches outside when it is imported, nor one that makes up code without a name."""
    (tmp_path / "site" / "odd").mkdir(parents=True)
    (tmp_path / "site" / "odd" / "__init__.py").write_text(f"{text}\n", encoding="utf-8")
    known = (
        "import arraytyping.checker.flow.real_calls.library_imports as known\n"
        "known.LIBRARIES |= {'odd'}\n"
        f"sys.path.append({str(tmp_path / 'site')!r})"
    )
    # It is imported in the worker: only what the program itself imports is there before it is confined.
    (tmp_path / "own.py").write_text("import odd\n", encoding="utf-8")
    found = analyzed(tmp_path, {"a.py": f"import own\n{GOOD}"}, before=known)
    assert found["stopped"] == {}
    assert found["complete"] == ["a.py"]
    assert found["mistakes"] == ["a.py"]


@pytest.mark.parametrize(
    ("kept", "mistakes"), [("elsewhere", ["a.py"]), ("project/parts", []), ("project/.kept", ["a.py"])]
)
def test_a_library_that_is_a_link_is_imported_unless_it_leads_into_the_project(
    kept: str, mistakes: list[str], tmp_path: Path
) -> None:
    (tmp_path / kept / "odd").mkdir(parents=True)
    (tmp_path / kept / "odd" / "__init__.py").write_text("import os\nN = 3 if os.getpid() else 4\n", encoding="utf-8")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "odd").symlink_to(tmp_path / kept / "odd")
    before = (
        "import arraytyping.checker.flow.real_calls.library_imports as known\n"
        "from arraytyping.checker.flow.confinement.search_path import import_installed_only\n"
        "known.LIBRARIES |= {'odd'}\n"
        "import_installed_only([Path('a.py')])\n"
        f"sys.path.append({str(tmp_path / 'site')!r})"
    )
    project = tmp_path / "project"
    project.mkdir(exist_ok=True)
    (project / "own.py").write_text("import odd\n", encoding="utf-8")
    program = "import own, jax.numpy as jnp\nx = jnp.ones(own.odd.N) + jnp.ones(4)\n"
    assert analyzed(project, {"a.py": program}, before=before)["mistakes"] == mistakes


def test_what_is_refused_before_anything_is_followed_is_told(tmp_path: Path) -> None:
    refused = (
        "global audit_hook\n"
        "from arraytyping.checker.flow.confinement import audit_hook\n"
        "import arraytyping.checker.flow.syntax.imports as imports\n"
        "def load(*args, **kwargs): raise audit_hook.Forbidden('a library that is not installed')\n"
        "imports.Importer.load = load"
    )
    found = analyzed(tmp_path, {"a.py": GOOD}, before=AT_START.format(actions={"a.py": refused}))
    assert found["stopped"] == {"a.py": "a library that is not installed, which is refused"}


@pytest.mark.parametrize("options", [["--no-types"], ["--no-types", "--mypy-args", "--no-error-summary"]])
def test_what_is_not_checked_is_no_success(options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text("x = 1\n")
    report = FlowReport(not_checked=[("a.py", "its process died (SIGSEGV)")])
    monkeypatch.setattr(flow_command, "report_on", lambda *args, **kwargs: report)
    done = CliRunner().invoke(cli, ["check", "a.py", *options])
    assert done.exit_code == 2
    assert "arraytyping: not checked: a.py: its process died (SIGSEGV)\n" in done.output
    assert "Success" not in done.output
