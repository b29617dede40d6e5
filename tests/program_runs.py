"""Many programs run under the audit's recorder, in processes that are forked from one which has imported jax.

`run_programs([Path("train.py"), Program(Path("train.py"), source="...")])` gives for each what came, and how it ended.
A program may be given another text than its file has, which is how mutants are run for the truth.  The forking process
never initialises a backend of jax, so that forking it is safe.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, TypeVar

from arraytyping.checker.audit import Frame, Observations, ProgramRun, run_program

# Compiling takes most of the time of a short program: how well it is done is of no interest, and it is done once.
ENVIRON = {
    "JAX_PLATFORMS": "cpu",
    "JAX_DISABLE_MOST_OPTIMIZATIONS": "1",
    "JAX_COMPILATION_CACHE_DIR": str(Path(tempfile.gettempdir(), "arraytyping-compiled")),
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
}


@dataclass(frozen=True)
class Program:
    """A program with its arguments; `source` is the text of its main file, if not what the file holds."""

    path: Path
    args: tuple[str, ...] = ()
    source: str | None = None
    sources: tuple[tuple[Path, str], ...] = ()
    """Other files that are given another text."""


@dataclass(frozen=True)
class Result:
    """What came of a run; `exception` is the name of its type, `TimeoutError` where it took too long."""

    observations: Observations = field(default_factory=Observations)
    exit_code: int = 0
    exception: str | None = None
    message: str = ""
    frames: tuple[Frame, ...] = ()
    """The lines of the program's own files in the traceback, the innermost last."""
    traceback: str = ""
    warnings: tuple[str, ...] = ()
    output: str = ""
    """What it printed, on both streams."""
    seconds: float = 0.0


P = TypeVar("P", bound=Path | Program)


def run_programs(
    programs: Iterable[P],
    jobs: int = 2,
    timeout: int = 120,
    environ: Mapping[str, str] | None = None,
    preload: Iterable[str] = ("jax", "jax.numpy", "numpy"),
) -> dict[P, Result]:
    """Run programs, each in a process and an empty directory of its own, `jobs` at a time.

    `preload` names the modules which they find imported; those may read environment variables when that happens.
    """
    wanted = list(dict.fromkeys(programs))
    with tempfile.TemporaryDirectory() as directory:
        request = [p if isinstance(p, Program) else Program(p) for p in wanted]
        Path(directory, "request").write_bytes(pickle.dumps((request, jobs, timeout, tuple(preload))))
        done = subprocess.run(
            [sys.executable, __file__, directory],
            env={**os.environ, **ENVIRON, **(environ or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, done.stdout
        return {p: pickle.loads(Path(directory, f"result-{n}").read_bytes()) for n, p in enumerate(wanted)}


def serve(directory: Path) -> None:
    """Run what was requested, by forking."""
    programs, jobs, timeout, preload = pickle.loads((directory / "request").read_bytes())
    for module in preload:
        importlib.import_module(module)
    bridge = sys.modules.get("jax._src.xla_bridge")
    assert bridge is None or not bridge.backends_are_initialized(), "an import has initialised a backend of jax"
    running: dict[int, tuple[int, float]] = {}
    waiting = list(enumerate(programs))[::-1]
    while waiting or running:
        while waiting and len(running) < jobs:
            number, program = waiting.pop()
            pid = os.fork()
            if pid == 0:
                work(program, directory, number, timeout)
            running[pid] = number, time.monotonic()
        pid, status = os.wait()
        number, started = running.pop(pid)
        file = directory / f"result-{number}"
        if not file.exists():
            file.write_bytes(pickle.dumps(lost(status, directory / f"output-{number}", time.monotonic() - started)))


def work(program: Program, directory: Path, number: int, timeout: int) -> NoReturn:
    """Run one program in this process, leave the result in a file, and end the process."""
    signal.alarm(timeout)
    output = directory / f"output-{number}"
    streams = os.open(output, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    os.dup2(streams, 1)
    os.dup2(streams, 2)
    place = directory / f"place-{number}"
    place.mkdir()
    os.chdir(place)
    sys.path[:] = [p for p in sys.path if p != str(Path(__file__).parent)]
    main = program.path / "__main__.py" if program.path.is_dir() else program.path
    sources = {**dict(program.sources), **({main: program.source} if program.source is not None else {})}
    started = time.process_time()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        run = run_program(program.path, program.args, sources=sources)
    seconds = time.process_time() - started
    sys.stdout.flush()
    sys.stderr.flush()
    shown = tuple(f"{Path(w.filename).name}:{w.lineno}: {w.category.__name__}: {w.message}" for w in warned)
    result = result_of(run, shown, output.read_text(errors="replace"), seconds)
    temporary = directory / f"unfinished-{number}"
    temporary.write_bytes(pickle.dumps(result))
    temporary.rename(directory / f"result-{number}")
    os._exit(0)


def result_of(run: ProgramRun, shown: tuple[str, ...], output: str, seconds: float) -> Result:
    """The parts of a run that can leave the process."""
    error = run.exception
    name, message = (None, "") if error is None else (type(error).__name__, str(error))
    return Result(run.observations, run.exit_code, name, message, run.frames, run.traceback, shown, output, seconds)


def lost(status: int, output: Path, seconds: float) -> Result:
    """The result of a process that left none."""
    code = os.waitstatus_to_exitcode(status)
    name = "TimeoutError" if code == -signal.SIGALRM else "SystemExit"
    text = output.read_text(errors="replace") if output.exists() else ""
    return Result(
        exit_code=code, exception=name, message=f"the process ended with {code}", output=text, seconds=seconds
    )


if __name__ == "__main__":
    # Pickled objects are looked up by the module's own name.
    sys.path.insert(0, str(Path(__file__).parent))
    importlib.import_module("program_runs").serve(Path(sys.argv[1]))
