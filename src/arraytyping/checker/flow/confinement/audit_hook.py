"""Python's audit hook of a worker: an action of the interpreter that reaches outside is refused as it is asked for.

Whoever asked gets no exception of the program's kind but a signal of ours, so that the value is unknown.  A hook
cannot be taken away again.

Source: https://docs.python.org/3/library/audit_events.html.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import arraytyping
from arraytyping.checker.flow.confinement.search_path import is_of_program
from arraytyping.checker.flow.engines.conversion import Abort

__all__ = ["Forbidden", "Forks", "install"]


class Forbidden(Abort):
    """What was called wanted to do something that a worker may not do."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}, which is refused")


@dataclass
class Forks:
    """Whether this process forks itself just now."""

    are_allowed: bool = False

    def fork(self) -> int:
        """What `os.fork` gives."""
        self.are_allowed = True
        try:
            return os.fork()
        finally:
            self.are_allowed = False


_FAMILIES: Final = frozenset({
    "shutil", "tempfile", "socket", "ftplib", "http", "imaplib", "nntplib", "poplib", "smtplib", "telnetlib", "urllib",
    "webbrowser", "subprocess", "pty", "winreg", "msvcrt", "_winapi", "syslog", "sqlite3", "mmap", "pdb", "fcntl",
    "ensurepip", "pickle", "signal",
})  # fmt: skip
"""What all events with these names are refused of."""

_SINGLE: Final = frozenset({
    "os.add_dll_directory", "os.chdir", "os.chflags", "os.chmod", "os.chown", "os.exec", "os.fchdir", "os.fork",
    "os.forkpty", "os.kill", "os.killpg", "os.lchmod", "os.link", "os.lockf", "os.mkdir", "os.posix_spawn", "os.putenv",
    "os.remove", "os.removexattr", "os.rename", "os.rmdir", "os.setxattr", "os.spawn", "os.startfile", "os.startfile/2",
    "os.symlink", "os.system", "os.truncate", "os.unsetenv", "os.utime", "builtins.breakpoint", "builtins.input",
    "builtins.input/result", "time.sleep", "cpython.run_command", "cpython.run_file", "cpython.run_interactivehook",
    "cpython.run_module", "cpython.run_startup", "sys.addaudithook", "setopencodehook",
})  # fmt: skip

_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_IMPORTING: Final = "<frozen importlib._bootstrap>"
_READING: Final = os.path.join(arraytyping.__path__[0], "runtime", "xla", "jaxlib_api", "host.py")  # noqa: PTH118
"""Where our runtime looks at the memory of an array: the value of a constant becomes part of a jaxpr."""

Check = Callable[[str, Any], None]


class _Checks(dict[str, Check | None]):
    """What is done about an event, by its name."""

    def __missing__(self, event: str) -> Check | None:
        family = event.partition(".")[0]
        refused = event in _SINGLE or family in _FAMILIES
        check = _refuse if refused else _refuse_outside_of_imports if family == "ctypes" else None
        self[event] = check
        return check


def install(answer: int, forks: Forks | None = None) -> None:
    """Refuse from now on what reaches outside; `answer` is the open file that may be written to.

    This process is forked while `forks` says so.
    """
    sys.dont_write_bytecode = True  # of a module that is imported from now on, which would be to write a file
    # Ours need not be among them: it is found from any environment (report/bootstrap.py).
    folders = (*sys.path, *arraytyping.__path__)
    found = [p for p in folders if p and os.path.isdir(p)]  # noqa: PTH112
    # As they are written, too: installers may put links there to where they keep the files (uv, Nix, Bazel).
    places = tuple({f(p) + os.sep for p in found for f in (os.path.realpath, os.path.abspath)})
    checks = _Checks()
    checks["open"] = lambda event, args: _check_open(args, answer)
    checks["import"] = lambda event, args: _check_place(args[1], places) if args[1] else None
    checks["exec"] = lambda event, args: _check_code(args[0], places)
    if forks is not None:
        checks["os.fork"] = lambda event, args: None if forks.are_allowed else _refuse(event, args)
    lookup = checks.__getitem__

    def hook(event: str, args: Any) -> None:
        check = lookup(event)
        if check is not None:
            check(event, args)

    sys.addaudithook(hook)


def _refuse(event: str, args: Any) -> None:
    raise Forbidden(event)


def _refuse_outside_of_imports(event: str, args: Any) -> None:
    """Installed packages bind functions of C libraries as they are imported; our runtime reads its own constants."""
    frame: FrameType | None = sys._getframe(2)
    if event == "ctypes.cdata" and frame is not None and frame.f_code.co_filename == _READING:
        return
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            return
        frame = frame.f_back
    raise Forbidden(event)


def _check_open(args: Any, answer: int) -> None:
    path, mode, flags = args
    if path == answer and isinstance(path, int):
        return
    writes = flags & _WRITES if isinstance(flags, int) else any(c in str(mode) for c in "wax+")
    if writes:
        raise Forbidden("writing to a file")


def _check_place(file: Any, places: tuple[str, ...]) -> None:
    """A library is loaded from where packages are installed."""
    path = os.fsdecode(file)
    real = os.path.realpath(path)
    if real.startswith(places):
        return
    is_linked = path.startswith(places) and os.pardir not in Path(path).parts
    if not is_linked or is_of_program(real):
        raise Forbidden("a library that is not installed")


def _check_code(code: Any, places: tuple[str, ...]) -> None:
    """A module is executed only where it is installed; what libraries make up as they run has no file.

    Its name is empty then, as that of older releases of attrs, or begins with `<`.
    """
    file = code.co_filename if isinstance(code, CodeType) else ""
    if file and not file.startswith("<"):
        _check_place(file, places)
