"""Commands of Python, run by forking a process that has imported what they import, which takes longest.

A command has a process, a folder and an environment of its own, as one that is started has.  So has the process that
follows programs for a command or a test (`arraytyping.checker.flow.report.child`), as `Processes` starts it, and what
talks with who starts it over pipes, as `streamed` starts it.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

import forked_streams
from forked_streams import ADDRESS

from arraytyping.checker.flow.confinement.linux import die_with_parent

__all__ = ["Processes", "address", "run", "seconds", "serve", "streamed", "talking"]

IMPORTED: Final = """
    mypy.main mypy.build mypy.semanal_main ast_serialize sqlite3 rich.console rich_click.rich_help_rendering
    multiprocessing.queues numpy jax.numpy arraytyping_mypy.hooks arraytyping_mypy.building.checking
    arraytyping_mypy.annotated_bodies arraytyping_mypy.claiming arraytyping_mypy.planting
    arraytyping_mypy.tables arraytyping_mypy.readiness arraytyping_mypy.refused_by_numpy
    arraytyping_mypy.sessions arraytyping.checker.cli.flow_command arraytyping.checker.cli.mypy_command
    arraytyping.checker.cli.annotating arraytyping.checker.cli.watching arraytyping.checker.cli.systems
    arraytyping.checker.cli.diff_base arraytyping.checker.audit.running
    arraytyping.checker.flow.start.starting arraytyping.checker.flow.report.analysis
    arraytyping.checker.flow.report.workers arraytyping.checker.flow.confinement.search_path
    arraytyping.checker.flow.adapters.library_sources arraytyping.checker.flow.report.engine
    arraytyping.checker.cli.lsp arraytyping.checker.lsp.features
"""
READ_BY_IMPORTS: Final = ("JAX_", "NPY_", "PYTHON")
"""How the variables begin that count when a module is imported: where they differ, a command is started as usual."""


def run(
    *command: str, cwd: Path, env: Mapping[str, str] | None = None, input: str = "", merges: bool = False
) -> subprocess.CompletedProcess[str]:
    """What `python -m MODULE ARGUMENT...` or `python -P -m ...` gives, with what it prints; errors beside the rest."""
    environ = dict(os.environ if env is None else env)
    if not _can_be_forked(command, environ) or len(input) > _PIPE:
        return subprocess.run(
            [sys.executable, *command],
            cwd=cwd,
            env=environ,
            input=input,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merges else subprocess.PIPE,
            encoding="utf-8",
        )
    with tempfile.TemporaryDirectory() as directory:
        streams = [Path(directory, name) for name in ("stdout", "stdout" if merges else "stderr")]
        status = _Forked(command, str(cwd), environ, input, [str(file) for file in streams]).wait()
        out, err = (file.read_text(encoding="utf-8") for file in streams)
    return subprocess.CompletedProcess(command, status, out, "" if merges else err)


def streamed(*command: str) -> list[str]:
    """What to start for a command as `run` takes it, with pipes; forked if the variable `ADDRESS` has the `address`.

    Who ends the process that is started, ends the command.
    """
    return [sys.executable, "-I", "-S", forked_streams.__file__, *command]


def seconds() -> float:
    """The seconds of processor time that were taken by all that was forked."""
    spent = Path(f"{address()}.seconds") if address.cache_info().currsize else Path(os.devnull)
    return sum(map(float, spent.read_text().split())) if spent.exists() else 0.0


class Processes:
    """What `arraytyping.checker.flow.report.child` takes from `subprocess`."""

    DEVNULL, PIPE, TimeoutExpired = subprocess.DEVNULL, subprocess.PIPE, subprocess.TimeoutExpired

    @staticmethod
    def Popen(command: list[str], **options: Any) -> Any:
        """Fork, where the command is of this interpreter and its environment allows it; else it is started."""
        if command[0] != sys.executable or not _can_be_forked(command[1:], options["env"]):
            return subprocess.Popen(command, **options)
        return _Question(command[1:], options["env"])


def talking(command: list[str], environ: Mapping[str, str]) -> Any:
    """A process that is asked over pipes, as `subprocess.Popen` gives it; forked where `Processes` would."""
    if command[0] != sys.executable or not (_can_be_forked(command[1:], environ) and _CAN_WATCH):
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ)
    return _Talking(command[1:], environ)


_PIPE: Final = 16_000
"""So many characters go into a pipe before anybody reads."""
_CHUNK: Final = 1 << 16
_CAN_WATCH: Final = hasattr(os, "pidfd_open")
"""Whether the end of a process and that of a connection can be waited for together."""
_SERVE: Final = """
import os, runpy, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
serve = runpy.run_path(sys.argv[1])["serve"]
del sys.path[0]
serve(sys.argv[2])
"""


def _can_be_forked(command: Sequence[str], environ: Mapping[str, str]) -> bool:
    is_known = command[0] == "-m" or list(command[:2]) in (["-P", "-m"], ["-P", "-c"])
    return is_known and hasattr(os, "fork") and _read_by_imports(environ) == _read_by_imports(os.environ)


def _read_by_imports(environ: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in environ.items() if k.startswith(READ_BY_IMPORTS) and (k, v) != ("JAX_PLATFORMS", "cpu")}


class _Forked:
    """A process that is forked, from the outside."""

    def __init__(
        self,
        command: Sequence[str],
        directory: str,
        environ: Mapping[str, str],
        input: str,
        outputs: list[str],
        streams: Sequence[int] = (),
    ) -> None:
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(address())
        request = [list(command), directory, dict(environ) | {ADDRESS: address()}, input, outputs]
        forked_streams.send(self._connection, request, streams)
        self._lines = self._connection.makefile(encoding="utf-8")
        self.pid = int(self._lines.readline())
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, once it has ended."""
        if self.returncode is None:
            if not select.select([self._connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("", timeout or 0.0)
            self.returncode = int(self._lines.readline())
            self._lines.close()
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """As the interrupt of a user is passed on."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


class _Question(_Forked):
    """A process that prints nothing but errors."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        number, self._errors = tempfile.mkstemp()
        os.close(number)
        super().__init__(command, str(Path.cwd()), environ, "", [os.devnull, self._errors])

    def communicate(self, timeout: float | None = None) -> tuple[None, bytes]:
        """What it has written to the standard error until its end."""
        self.wait(timeout)
        said = Path(self._errors).read_bytes()
        Path(self._errors).unlink()
        return None, said


class _Talking(_Forked):
    """A process that is forked, with pipes."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        (reads, asks), (hears, writes) = os.pipe(), os.pipe()
        super().__init__(command, str(Path.cwd()), environ, "", [], (reads, writes, 2))
        os.close(reads)
        os.close(writes)
        self.stdin, self.stdout = os.fdopen(asks, "wb"), os.fdopen(hears, "rb")


@functools.cache
def address() -> str:
    """The address of the process that forks, which is started by the first who asks, and ends with it."""
    if ADDRESS in os.environ:
        return os.environ[ADDRESS]
    directory = tempfile.TemporaryDirectory()
    place = str(Path(directory.name, "socket"))
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE, __file__, place],
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        stdout=subprocess.PIPE,
    )
    atexit.register(directory.cleanup)
    atexit.register(process.kill)
    assert process.stdout is not None
    assert process.stdout.readline(), "the process that forks has not begun"
    return place


# From the inside


def serve(address: str) -> NoReturn:
    """Fork for each who connects to the address, as long as the process lives that has started this one."""
    if sys.platform == "linux":
        die_with_parent()
    sys.path[:] = [path for path in sys.path if path]
    for module in IMPORTED.split():
        importlib.import_module(module)
    engine: Any = importlib.import_module("arraytyping.checker.flow.report.engine")
    engine.load(frozenset())  # which frees the memory of garbage, too
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # what has ended is not waited for
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        os.write(1, b"begun\n")
        while True:
            connection, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _watch(connection)
            connection.close()


def _watch(connection: socket.socket) -> NoReturn:
    """Fork once more, and tell the number of the process, and at its end the exit code and the seconds it took."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    line, streams, _, _ = socket.recv_fds(connection, _CHUNK, 3)
    lines = connection.makefile("rw", encoding="utf-8")
    rest = "" if line.endswith(b"\n") else lines.readline()
    command, directory, environ, input, outputs = json.loads(line.decode() + rest)
    if streams and not (_can_be_forked(command, environ) and _CAN_WATCH):
        connection.sendall(b"0\n")
        os._exit(0)
    pid = os.fork()
    if pid == 0:
        connection.detach()
        _work(command, directory, environ, streams or _files(input, outputs))
    with contextlib.suppress(BaseException):
        lines.write(f"{pid}\n")
        lines.flush()
        for stream in streams:
            os.close(stream)
        if streams:
            _end_with(connection, pid)
        _, status, used = os.wait4(pid, 0)
        with Path(f"{environ[ADDRESS]}.seconds").open("a") as spent:
            spent.write(f"{used.ru_utime + used.ru_stime}\n")
        lines.write(f"{os.waitstatus_to_exitcode(status)}\n")
        lines.flush()
    os._exit(0)


def _end_with(connection: socket.socket, pid: int) -> None:
    """Wait for the end of a process, which ends when nobody is connected any more."""
    end = os.pidfd_open(pid)
    if connection.fileno() in select.select([connection.fileno(), end], [], [])[0]:
        os.kill(pid, signal.SIGKILL)


def _files(input: str, outputs: list[str]) -> list[int]:
    """What to read of a text, and the files that are written to."""
    given, to_give = os.pipe()
    os.write(to_give, input.encode())
    os.close(to_give)
    return [given, *(os.open(file, os.O_CREAT | os.O_WRONLY | os.O_APPEND) for file in outputs)]


def _work(command: list[str], directory: str, environ: dict[str, str], streams: list[int]) -> NoReturn:
    """Do what the command does, and end as Python ends."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # Those before know whether they can seek, and what they write to may be of another kind.
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    code: object = 1
    try:
        _run(command, directory, environ)
        code = 0
    except SystemExit as end:
        code = end.code
        if isinstance(code, str):
            sys.stderr.write(f"{code}\n")
    except BaseException:
        traceback.print_exc()
    with contextlib.suppress(BaseException):
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else code is not None)


def _command_of(module: str, python: str | None) -> list[str]:
    """The command of what answers a server, forked where it is of this interpreter."""
    child: Any = importlib.import_module("arraytyping.checker.flow.report.child")
    command: list[str] = child.command_of(module, python)
    return streamed(*command[1:]) if command[0] == sys.executable else command


def _run(command: list[str], directory: str, environ: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(directory)
    child: Any = importlib.import_module("arraytyping.checker.flow.report.child")
    vars(child)["subprocess"] = Processes
    engines: Any = importlib.import_module("arraytyping.checker.lsp.engines")
    vars(engines)["command_of"] = _command_of
    if command[0] == "-P":
        del command[0]
    else:
        sys.path.insert(0, directory)
    if command[0] == "-c":
        sys.argv = ["-c", *command[2:]]
        exec(command[1], {"__name__": "__main__"})
    else:
        sys.argv = command[1:]
        runpy.run_module(command[1], run_name="__main__", alter_sys=True)
