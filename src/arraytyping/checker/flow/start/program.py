"""A whole program: from paths to mistakes and claims."""

from __future__ import annotations

import ast
import sys
import threading
import time
from collections.abc import Callable, Sequence, Set
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from arraytyping.checker.claims import FileClaims, ProgramClaims
from arraytyping.checker.flow.adapters import load_adapters
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.engines.dispatch import Engines
from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.engines.own_lattice import can_promote_otherwise, promoting
from arraytyping.checker.flow.engines.own_runtime import OwnEngine
from arraytyping.checker.flow.libraries import load_handlers
from arraytyping.checker.flow.libraries.assumed_options import WANTED
from arraytyping.checker.flow.libraries.project_files import folders_below
from arraytyping.checker.flow.libraries.registry import Registry
from arraytyping.checker.flow.real_calls.own_programs import told_of_own
from arraytyping.checker.flow.sources.same_code import unread_functions
from arraytyping.checker.flow.sources.statements import functions_of
from arraytyping.checker.flow.sources.unread_code import Body
from arraytyping.checker.flow.start.kept_report import RunFindings
from arraytyping.checker.flow.start.python_interpreter import PythonInterpreter
from arraytyping.checker.flow.state.call_results import results_of
from arraytyping.checker.flow.state.devices_asked import DEVICES, DevicesAsked
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.flow.state.interpreter import OutOfTime, ProgramEnds, Raised, Recursion, Signal
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.flow.state.platforms import OTHER, PLATFORM, WANTED_PLATFORM
from arraytyping.checker.flow.state.program_words import (
    ANY_WORDS,
    ASSUMED,
    EMPTY_GIVEN,
    NONE_GIVEN,
    UNGIVEN,
    Assumed,
    mistakes_of_empty,
    mistakes_of_none,
    needs_words,
)
from arraytyping.checker.flow.state.recording import claims_of, merge_claims
from arraytyping.checker.flow.state.resumption import NOTHING_SAVED, guesses_wrongly
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.traced_lines import traces_of
from arraytyping.checker.flow.state.x64_sides import CONFIGURED, OF_X64, WANTED_X64, X64, X64_SIDE, x64_side
from arraytyping.checker.flow.syntax.imports import Importer
from arraytyping.checker.flow.values.frames import Module
from arraytyping.checker.garbage import collecting_seldom, not_looked_through
from arraytyping.checker.opt_in_codes import enabled_codes
from arraytyping.checker.settings import Settings
from arraytyping.checker.swallowed import SWALLOWED

__all__ = ["Result", "assuming", "in_deep_thread", "interpret", "interpret_from", "load_libraries"]

_STACK = 512 * 1024 * 1024
_DEPTH = 40_000
_NAME = "arraytyping flow"
_MOST_WORK = 100_000
"""How much may be done, in statements, before another configuration of a program is tried."""
_T = TypeVar("_T")


@dataclass
class Result(RunFindings):
    """What is known of a program after one run: its claims by shown path, and the interpreter as it was at the end."""

    claims: dict[str, FileClaims] = field(default_factory=dict)
    asked: int = 0
    unread: dict[str, list[int]] = field(default_factory=dict)
    """The functions into which it has not looked, by file, where the statements of the file are watched."""
    files: list[Path] = field(default_factory=list)
    interpreter: Any = None
    stopped: str = ""
    """What ended it, if that was nothing of the program's."""

    @property
    def program(self) -> ProgramClaims:
        """The claims as those of a program."""
        return ProgramClaims(self.claims)


_engine: list[JaxEngine] = []
_answers: dict[Any, Any] = {}


def load_libraries() -> None:
    """Load jax, or our own runtime where it is not installed, and what is known of libraries."""
    if not _engine:
        for engine in (JaxEngine, OwnEngine):  # ours has only what it computes with itself to tell
            with suppress(ImportError):
                _engine.append(engine())
                break
    load_handlers()
    load_adapters()


def interpret(
    path: Path,
    roots: Sequence[Path] = (),
    module: str | None = None,
    limits: Limits | None = None,
    shown: dict[Path, str] | None = None,
    source: str | None = None,
    devices: int = 0,
    enable: Sequence[str] = (),
) -> Result:
    """Interpret the program in a file, as if it were run.

    `roots` are where its own modules are found (by default its directory); `module` is its name if it is run as
    `python -m`; `source` is interpreted in place of the file's text.
    `devices` is how many there are; 0: as many as the program itself asks for.
    `enable` are the codes that are reported besides those by default.
    """
    settings = Settings(enable=tuple(enable))

    def followed(devices: DevicesAsked, assumed: Assumed) -> Result:
        importer = Importer(tuple(roots) or (path.resolve().parent,), shown)
        if source is not None:
            importer.overrides[path.resolve()] = source

        def begin(it: PythonInterpreter) -> None:
            importer.load(it, module or "__main__", path, path.name == "__init__.py", "__main__")

        return interpret_from(
            begin,
            importer,
            path,
            limits,
            settings,
            kept={DEVICES: devices, ASSUMED: assumed, X64_SIDE: x64_side(assumed)},
        )

    result = _joined(assuming(lambda assumed: followed(DevicesAsked(devices), assumed)))
    if again := DEVICES.of(result.interpreter).again:
        result = _joined(assuming(lambda assumed: followed(DevicesAsked(again), assumed)))
    return result


def _joined(runs: Runs) -> Result:
    """The first of the runs, with the claims of all."""
    first = runs[0][0]
    for other, _ in runs[1:]:
        for shown, claims in other.claims.items():
            first.claims[shown] = merge_claims([*filter(None, (first.claims.get(shown), claims))])
    return first


def interpret_from(
    begin: Callable[[PythonInterpreter], object],
    importer: Importer,
    path: Path,
    limits: Limits | None = None,
    settings: Settings | None = None,
    kept: dict[RunSlot[Any], Any] | None = None,
) -> Result:
    """Interpret what `begin` makes a new interpreter do; `path` is what it begins with, for what has no other place.

    `kept` is what single modules know from the start.
    """

    def run() -> Result:
        with collecting_seldom():
            return _interpret(begin, importer, path, limits, settings or Settings(), kept or {})

    return in_deep_thread(run)


Runs = list[tuple[Result, Assumed]]


def assuming(run: Callable[[Assumed], Result], assumed: Assumed | None = None) -> Runs:
    """Run a program, and anew with what may be assumed of an option that it has to be given; the runs that fit best.

    Those are the ones that do not end by raising, with the fewest mistakes; if all raise, one with nothing assumed.
    """
    assumed = {} if assumed is None else assumed
    result = run(assumed)
    if guesses_wrongly(result.interpreter):
        return assuming(run, {**assumed, NOTHING_SAVED: None})
    if name := WANTED_PLATFORM.of(result.interpreter):
        return _on_either(run, assumed, PLATFORM, (name, OTHER + name))
    if WANTED_X64.of(result.interpreter):
        return _on_either(run, assumed, X64, ("off", "on"), OF_X64)
    for key, mistakes in ((NONE_GIVEN, mistakes_of_none), (EMPTY_GIVEN, mistakes_of_empty)):
        of_absent = mistakes(result.interpreter, result.diagnostics)
        if of_absent and key not in assumed:
            again = assuming(run, {**assumed, key: None})
            if all(mistakes(other.interpreter, other.diagnostics) < of_absent for other, _ in again):
                return again
    if needs_words(result.interpreter, result.diagnostics, result.interpreter.is_ended_by_raising):
        return assuming(run, {**assumed, ANY_WORDS: None})
    wanted = WANTED.of(result.interpreter)
    is_missed = wanted is not None and (wanted.is_needed or UNGIVEN.of(result.interpreter) == "missed")
    if wanted is None or wanted.option in assumed or not is_missed:
        return [(result, assumed)]
    found: list[Runs] = []
    for candidate in wanted.candidates:
        found.append(assuming(run, {**assumed, wanted.option: candidate}))
        followed = [result for runs in found for result, _ in runs]
        if not all(r.is_complete for r in followed) or sum(r.interpreter.work for r in followed) > _MOST_WORK:
            break
    if not wanted.is_needed:  # the run has ended at its first mistake
        found = [runs for runs in found if not any(_mistakes(other) & _mistakes(result) for other, _ in runs)]
    best = min(map(_misfit, found), default=(True, 0))
    if best[0]:
        return assuming(run, {**assumed, wanted.option: None})
    return [one for runs in found if _misfit(runs) == best for one in runs]


def _on_either(
    run: Callable[[Assumed], Result],
    assumed: Assumed,
    key: str,
    values: tuple[str, str],
    one_sided: Set[str] = frozenset(),
) -> Runs:
    """Run a program on two sides, as on a platform and on any other; what is wrong on one of them alone is not certain.

    What is told with the codes `one_sided` is nothing that hangs on the side.
    """
    sides = [assuming(run, {**assumed, key: value}) for value in values]
    made = [{mistake for result, _ in runs for mistake in _mistakes(result)} for runs in sides]
    for runs in sides:
        for result, _ in runs:
            result.diagnostics = [
                m
                if not m.is_certain or m.is_warning or all(_place(m) in there for there in made)
                else replace(m, is_certain=False)
                for m in result.diagnostics
                if m.code not in one_sided
            ]
    return [one for runs in sides for one in runs]


def _misfit(runs: Runs) -> tuple[bool, int]:
    """How badly what is assumed fits: whether the program ends by raising, and how many mistakes are certain in it."""
    return max(((r.interpreter.is_ended_by_raising, len(_mistakes(r))) for r, _ in runs), default=(True, 0))


def _mistakes(result: Result) -> set[tuple[str, int, int, str]]:
    """The certain mistakes in a run, and where they are."""
    return {_place(m) for m in result.diagnostics if m.is_certain and not m.is_warning}


def _place(mistake: Diagnostic) -> tuple[str, int, int, str]:
    return mistake.path, mistake.line, mistake.column, mistake.message


def _interpret(
    begin: Callable[[PythonInterpreter], object],
    importer: Importer,
    path: Path,
    limits: Limits | None,
    settings: Settings,
    kept: dict[RunSlot[Any], Any],
) -> Result:
    began = time.process_time()
    before = SWALLOWED.copy()
    load_libraries()
    jax = _engine[0] if _engine else None
    if jax is not None and settings.lattice is not None and not can_promote_otherwise(jax):
        jax = None  # its answers would be those of its own lattice
    engines = Engines(jax, _answers)
    it = PythonInterpreter(importer, Registry(), engines, limits)
    it.kept.update(kept)
    CONFIGURED.put(it, _configured(settings))
    it.frame = _outside(path)
    it.enabled = enabled_codes(settings.enable)
    it.notes_origins = bool(it.enabled) or settings.traced is not None
    result = Result(interpreter=it)

    with ExitStack() as stack:
        stack.enter_context(not_looked_through())
        if jax is not None:
            devices = DEVICES.of(it)
            devices.count = jax.pretend_devices(devices.count)
            stack.enter_context(jax.isolated())
            if settings.x64 != "auto":
                jax.configure("jax_enable_x64", settings.x64)
            if settings.mode == "strict":
                jax.configure("jax_numpy_dtype_promotion", "strict")
            stack.enter_context(promoting(jax, settings.lattice))
        try:
            begin(it)
        except OutOfTime:
            result.is_complete = False
        except Abort as error:
            result.is_complete = False
            result.stopped = str(error)
        except (Raised, ProgramEnds, Recursion):
            pass
        except Signal:
            result.is_complete = False
    modules = importer.loaded
    result.unread = _unread(modules)
    told = (replace(m, message=told_of_own(it, m.message)) for m in it.diagnostics.values())
    result.diagnostics = sorted(told, key=lambda m: (m.path, m.line, m.column))
    result.claims = {shown: merge_claims(map(claims_of, ms)) for shown, ms in _by_shown(modules).items()}
    result.reached = {
        (str(m.path.resolve()), n.lineno) for m in modules for n in functions_of(m.tree) if n in it.reached
    }
    result.traces = [] if settings.traced is None else list(traces_of(modules, *settings.traced))
    result.results = results_of(modules)
    result.errors = importer.errors
    result.unknowns = it.unknowns
    result.crashes = it.crashes
    result.swallowed = SWALLOWED - before
    result.seconds = time.process_time() - began
    result.asked = engines.asker.asked if jax is not None else 0
    stand_ins = (inner for folder in settings.stand_ins for inner in folders_below(folder.resolve()))
    result.files = [*importer.by_path, *importer.libraries.own_files(), *sorted({*importer.data, *stand_ins})]
    return result


def _configured(settings: Settings) -> frozenset[str]:
    """The settings of jax on which the project decides."""
    x64 = ("jax_enable_x64",) if settings.x64 != "auto" else ()
    return frozenset((*x64, "jax_numpy_dtype_promotion") if settings.mode == "strict" else x64)


def _by_shown(modules: list[Module]) -> dict[str, list[Module]]:
    """The modules by path: one may be there twice, as `__main__` and under its name."""
    found: dict[str, list[Module]] = {}
    for module in modules:
        if not module.path.is_dir():
            found.setdefault(module.shown, []).append(module)
    return found


def _unread(modules: list[Module]) -> dict[str, list[int]]:
    """The functions of modules that are watched into which nobody has looked; one may be loaded twice."""
    found: dict[str, list[int]] = {}
    for module in modules:
        if isinstance(module.tree.body, Body):
            path = str(module.path.resolve())
            unread = unread_functions(module.tree)
            found[path] = sorted({*unread} & {*found.get(path, unread)})
    return found


def _outside(path: Path) -> Any:
    """A frame to begin in, before any module is there."""
    return Module("", path, "", ast.parse(""), False, False).frame


def in_deep_thread(run: Callable[[], _T]) -> _T:
    """Run with a stack that is deep enough for nested calls of the program; in this thread, if it has one."""
    if threading.current_thread().name == _NAME:
        return run()
    box: list[Any] = []

    def target() -> None:
        try:
            box.append(run())
        except BaseException as error:
            box.append(error)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEPTH))
    size = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=target, name=_NAME)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if isinstance(box[0], BaseException):
        raise box[0]
    found: _T = box[0]
    return found
