"""Follows hostile programs under a hook of the interpreter's audit, and prints what each made the checker do.

    python tests/hostile_run.py [--each] [--bombs] [--only PART]

It is a command since such a hook stays for as long as its process lives.  What is forbidden is refused as well, so that
nothing happens to the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import hostile_statements

sys.dont_write_bytecode = True
_FORBIDDEN = (
    "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "os.remove", "os.rmdir", "os.mkdir",
    "os.rename", "os.link", "os.symlink", "os.chmod", "os.chown", "os.truncate", "os.utime", "os.putenv", "os.unsetenv",
    "os.kill", "os.killpg", "os.setxattr", "os.removexattr", "os.startfile", "subprocess.", "pty.spawn", "shutil.",
    "socket.", "ctypes.dlopen", "ctypes.dlsym", "ctypes.call_function", "ctypes.string_at", "ctypes.cdata",
    "pickle.find_class", "tempfile.", "webbrowser.", "urllib.", "sqlite3.", "ftplib.", "smtplib.", "http.", "imaplib.",
    "poplib.", "signal.", "resource.setrlimit", "code.__new__", "function.__new__", "sys.setprofile", "sys.settrace",
    "sys.addaudithook", "marshal.dumps", "builtins.input", "cpython.run_", "mmap.__new__", "faulthandler.",
)  # fmt: skip
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Watch:
    """The events of one program."""

    def __init__(self) -> None:
        self.is_on = False
        self.events: list[str] = []

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        """A hook of `sys.addaudithook`."""
        if not self.is_on:
            return
        if event == "open":
            path, mode, flags = arguments
            if path == os.devnull or not (set(str(mode or "")) & set("wax+") or (mode is None and flags & _WRITES)):
                return
        elif not event.startswith(_FORBIDDEN) or arguments == ("random", "Random"):  # how flow keeps a generator
            return
        self.events.append(f"{event} {arguments!r}"[:200])
        raise RuntimeError(f"refused: {event}")


def main() -> None:
    """Print a line of JSON for each program: its name, events, traces, crashes, seconds, megabytes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--bombs", action="store_true")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()

    from arraytyping.checker.flow.start.program import interpret
    from arraytyping.checker.flow.state.limits import Limits

    here = Path(tempfile.mkdtemp())
    victim = here / "victim"
    victim.write_text("alive")
    table = hostile_statements.BOMBS if arguments.bombs else hostile_statements.HOSTILE
    found = [(n, s) for n, s in hostile_statements.programs(table, str(here), arguments.each) if arguments.only in n]
    # What libraries load and make when they are first used is not the programs' doing.
    warm = hostile_statements.PRELUDE + "import chex, optax, equinox, flax.linen, flax.nnx, pytest, unittest.mock\n"
    interpret(here / "warm.py", source=f"HERE = {str(here)!r}\n{warm}x = jax.jit(jnp.sin)(jnp.ones(3))\n")
    watch = Watch()
    sys.addaudithook(watch)
    limits = Limits()
    limits.seconds = 20.0
    for name, source in found:
        environment, recursion = dict(os.environ), sys.getrecursionlimit()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        watch.events = []
        watch.is_on = True
        began = time.process_time()
        print(json.dumps({"begins": name}), flush=True)
        try:
            result = interpret(here / "program.py", roots=(here / "none",), source=source, limits=limits)
        finally:
            watch.is_on = False
        traces = sorted(str(p.name) for p in here.iterdir() if p != victim)
        if not victim.exists() or victim.read_text() != "alive":
            traces.append("the victim")
        if dict(os.environ) != environment or sys.getrecursionlimit() != recursion:
            traces.append("the environment")
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak) // 1024
        print(
            json.dumps({
                "name": name, "events": watch.events, "traces": traces, "crashes": list(result.crashes),
                "errors": [str(e) for e in result.errors], "seconds": round(time.process_time() - began, 2),
                "megabytes": grown, "complete": result.is_complete,
            }),
            flush=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
