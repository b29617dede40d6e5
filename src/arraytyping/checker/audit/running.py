"""Running a program as Python does, with its own modules instrumented."""

from __future__ import annotations

import builtins
import importlib.util
import itertools
import linecache
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any, Final

from arraytyping.checker.audit.importing import InstrumentingFinder
from arraytyping.checker.audit.observations import Observations
from arraytyping.checker.audit.recorder import Recorder

__all__ = ["Frame", "ProgramRun", "observe", "run_module", "run_program"]

_numbers: Final = itertools.count()


@dataclass(frozen=True, slots=True)
class Frame:
    """A line of the program in a traceback."""

    file: Path
    line: int
    function: str


@dataclass(frozen=True)
class ProgramRun:
    """What a run showed, and how it ended: with an exit code, or with an exception."""

    observations: Observations
    exit_code: int = 0
    exception: BaseException | None = None
    traceback: str = ""
    """As Python prints it, from the program's first line on."""

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The lines of the program's own files in the exception's traceback, the innermost last."""
        if self.exception is None:
            return ()
        own = {str(path): path for path in self.observations.positions}
        walked = traceback.walk_tb(self.exception.__traceback__)
        shown = ((os.path.realpath(frame.f_code.co_filename), line, frame.f_code.co_name) for frame, line in walked)
        return tuple(Frame(own[file], line, function) for file, line, function in shown if file in own)


def run_program(
    program: Path,
    args: Sequence[str] = (),
    *,
    roots: Sequence[Path] | None = None,
    sources: Mapping[Path, str] | None = None,
    recorder: Recorder | None = None,
) -> ProgramRun:
    """Run a file or a directory with a `__main__.py` as `python PROGRAM ARGS...` does, in this process.

    A directory which is a package is run as `python -m` does from the one that it stands in.  Observed are the modules
    under `roots` (by default the directory of the program), but never installed ones.  `sources` gives files another
    text than they have, and `recorder` sees the values, by default one that keeps the arrays.
    """
    if program.is_dir() and (program / "__init__.py").exists():
        directory = program.resolve()
        own = [directory] if roots is None else roots
        home = directory.parent
        return run_module(directory.name, args, roots=own, sources=sources, directory=home, recorder=recorder)
    path = Path(os.path.abspath(program / "__main__.py" if program.is_dir() else program))  # noqa: PTH100 (keeps links)
    home = path.resolve().parent
    argv = [str(program), *args]

    def start(finder: InstrumentingFinder) -> tuple[CodeType, dict[str, Any]]:
        loader = finder.loader("__main__", str(path))
        known = {"__file__": str(path), "__loader__": loader, "__package__": "" if program.is_dir() else None}
        return loader.get_code("__main__"), {**known, "__spec__": None, "__cached__": None}

    return _run(start, argv, home, [home] if roots is None else roots, sources or {}, recorder)


def run_module(
    name: str,
    args: Sequence[str] = (),
    *,
    roots: Sequence[Path] | None = None,
    sources: Mapping[Path, str] | None = None,
    directory: Path | None = None,
    recorder: Recorder | None = None,
) -> ProgramRun:
    """Run a module as `python -m NAME ARGS...` does from a directory (by default the current one).

    Observed are the modules under `roots`, by default the directory in which the package or module stands.
    """

    def start(finder: InstrumentingFinder) -> tuple[CodeType, dict[str, Any]]:
        if not finder.roots:
            finder.roots += _home(name.partition(".")[0])
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
        code = _code(spec)
        if spec is None or code is None:
            raise ImportError(f"No module named {name}, or it cannot be run", name=name)
        sys.argv[0] = spec.origin or name
        known = {"__file__": spec.origin, "__cached__": spec.cached, "__loader__": spec.loader}
        return code, {**known, "__package__": spec.parent, "__spec__": spec}

    home = Path.cwd() if directory is None else directory
    return _run(start, ["-m", *args], home, [] if roots is None else roots, sources or {}, recorder)


def observe(program: Path, args: Sequence[str] = (), roots: Sequence[Path] | None = None) -> Observations:
    """What a run of a program shows; an exception that ends the program is raised."""
    run = run_program(program, args, roots=roots)
    if run.exception is not None:
        raise run.exception
    return run.observations


def _code(spec: ModuleSpec | None) -> CodeType | None:
    get_code: Callable[[str], CodeType | None] | None = getattr(spec and spec.loader, "get_code", None)
    return None if spec is None or get_code is None else get_code(spec.name)


def _home(package: str) -> list[Path]:
    """The directory in which a package or module stands."""
    spec = importlib.util.find_spec(package)
    if spec is None:
        return []
    if spec.submodule_search_locations is not None:
        return [Path(location).parent for location in spec.submodule_search_locations]
    return [Path(spec.origin).parent] if spec.origin is not None and spec.has_location else []


def _run(
    start: Callable[[InstrumentingFinder], tuple[CodeType, dict[str, Any]]],
    argv: list[str],
    home: Path,
    roots: Sequence[Path],
    sources: Mapping[Path, str],
    recorder: Recorder | None,
) -> ProgramRun:
    recorder = Recorder() if recorder is None else recorder
    exit_code, exception, shown = 0, None, ""
    running = set(threading.enumerate())
    with _instrumented(recorder, roots, sources) as finder, _as_main(argv, home) as main:
        try:
            code, known = start(finder)
            vars(main).update(known)
            exec(code, vars(main))
        except SystemExit as ended:
            exit_code = _exit_code(ended)
        except BaseException as error:
            exit_code = 1
            exception = error.with_traceback(_of_program(error.__traceback__))
            shown = "".join(traceback.format_exception(exception))
        for thread in threading.enumerate():
            if thread not in running and not thread.daemon:
                thread.join()
    return ProgramRun(recorder.observations(), exit_code, exception, shown)


@contextmanager
def _instrumented(
    recorder: Recorder, roots: Sequence[Path], sources: Mapping[Path, str]
) -> Iterator[InstrumentingFinder]:
    # No program can write this name; each run has its own, since threads may outlive it.
    seen = f"@{__name__} {next(_numbers)}"
    finder = InstrumentingFinder(recorder, seen, roots, sources)
    setattr(builtins, seen, recorder.seen)
    sys.meta_path.insert(0, finder)
    for path, text in sources.items():  # for tracebacks and `inspect`
        linecache.cache[str(path)] = (len(text), None, text.splitlines(keepends=True), str(path))
    try:
        yield finder
    finally:
        sys.meta_path.remove(finder)
        setattr(builtins, seen, _pass)
        for name in finder.loaded:
            sys.modules.pop(name, None)
        for path in sources:
            linecache.cache.pop(str(path), None)


@contextmanager
def _as_main(argv: list[str], home: Path) -> Iterator[ModuleType]:
    main = ModuleType("__main__")
    main.__dict__.update(__builtins__=builtins, **({"__annotations__": {}} if sys.version_info < (3, 14) else {}))
    before = sys.modules.get("__main__"), sys.argv, sys.path[:]
    sys.modules["__main__"] = main
    sys.argv = argv
    sys.path.insert(0, str(home))
    try:
        yield main
    finally:
        if before[0] is not None:
            sys.modules["__main__"] = before[0]
        sys.argv = before[1]
        sys.path[:] = before[2]


def _pass(value: Any, number: int) -> Any:
    return value


def _exit_code(ended: SystemExit) -> int:
    """The exit code that Python would give; what is no number is printed."""
    if ended.code is None:
        return 0
    if isinstance(ended.code, int):
        return ended.code
    print(ended.code, file=sys.stderr)
    return 1


def _of_program(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of this package that stand before the program's first."""
    package = str(Path(__file__).parent)
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith((package, "<frozen ")):
        trace = trace.tb_next
    return trace
