"""Runs mypy in this process as its own command does, with our plugin, and makes the claims of the checked modules.

Whatever is private in mypy and has to do with a whole build is used here and nowhere else: `main.process_options`
and `build.build`, the options that they take, the build's graph and its table of types.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import mypy.build
import mypy.main
from mypy.config_parser import _parse_individual_file
from mypy.defaults import PYTHON3_VERSION_MIN, RECURSION_LIMIT
from mypy.errors import CompileError
from mypy.fscache import FileSystemCache
from mypy.modulefinder import BuildSource, get_search_dirs
from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import AttributeContext, FunctionContext, MethodContext, Plugin, ReportConfigContext
from mypy.types import Type

import arraytyping.scalars
from arraytyping.checker.claims import FileClaims, ProgramClaims
from arraytyping.checker.environment import Environment, NoEnvironmentError, inspect_environment
from arraytyping.checker.flow.report.reporting import Shown, Unreadable
from arraytyping.checker.flow.report.shares import Shard, divided
from arraytyping.checker.flow.sources.x64_programs import ProgramsX64
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.messages.presenting import Presenter
from arraytyping.checker.progress import Progress
from arraytyping.checker.settings import ConfigError, Settings
from arraytyping.checker.settings_file import load_settings
from arraytyping.checker.swallowed import swallow
from arraytyping.checker.x64 import X64Decision
from arraytyping_mypy.claims_store import ClaimsStore
from arraytyping_mypy.duplicates import untold
from arraytyping_mypy.expressions import Place, places
from arraytyping_mypy.flow_diagnostics import give
from arraytyping_mypy.flow_messages import comments_by_file, messages_by_file, refusal
from arraytyping_mypy.hooks import ArrayTypingPlugin
from arraytyping_mypy.names import SCALARS_MODULE, is_program
from arraytyping_mypy.output import Output
from arraytyping_mypy.positions import Source
from arraytyping_mypy.settings import BuildSettings, check_only
from arraytyping_mypy.silencing import silencing_of
from arraytyping_mypy.sources import (
    find_sources,
    leave_out,
    names_sources,
    not_excluded,
    notebooks,
    without_duplicate_modules,
)

if TYPE_CHECKING:
    from arraytyping_mypy.closed import ClosedFunctions

__all__ = ["AskFlow", "Outcome", "check", "is_option"]

AskFlow = Callable[[Sequence[Path], Path | None, Environment], Shown]

PLUGIN: Final = "arraytyping_mypy"
_ANY_FILE: Final = "-"
"""What stands for the files on mypy's command line; which ones they are is found out afterwards."""
_TELLS_WHEN_CHECKED: Final = hasattr(Plugin, "get_additional_indirect_deps")
"""From mypy 2.4 on a plugin is called when a module is checked; before, the trees have to be looked for."""


@dataclass(frozen=True)
class Outcome:
    """What a run of mypy came to; `claims` and `x64` are None if it could not check the program."""

    status: int
    claims: ProgramClaims | None = None
    x64: X64Decision | ProgramsX64 | None = None
    messages: tuple[str, ...] = ()
    wants_summary: bool = True
    is_machine_readable: bool = False
    is_interrupted: bool = False


def check(
    paths: Sequence[str],
    mypy_options: Sequence[str] = (),
    *,
    stdout: TextIO,
    stderr: TextIO,
    program: str,
    show: bool = True,
    flow: AskFlow | None = None,
    types: bool = True,
    environment: Environment | None = None,
    is_named: bool = False,
    reserve: Callable[[ProgramClaims], str | None] = lambda claims: None,
    mypy_errors: bool = False,
    unused_ignores: bool = False,
    present: Callable[[Settings], Presenter | None] = lambda settings: None,
    progress: Progress | None = None,
    share: Shard | None = None,
) -> Outcome:
    """Check these files and directories, else those of mypy's configuration, else the current directory.

    mypy's messages go to the streams, or are written by what `present` gives for the settings.

    With `show` off only what cannot be checked is shown, on `stderr`.  `flow` gives the mistakes that flow has found in
    the program in these files and directories, under this file of configuration, with this environment, and the files
    that it could not read; they are shown as mypy's own are.  With `types` off nothing else is shown, and no types are
    checked.  `environment` is the program's, by default ours; one that mypy is told of stands in its place, unless the
    user has named it.  What `reserve` says of the claims of the types is shown in the place of a success.  Without a
    configuration of mypy its own errors are shown only with `mypy_errors`; `unused_ignores` tells our own comments that
    silence nothing.  With a `share` the types of its files are checked, and of what these import.

    Raises:
        SystemExit: as mypy does for options that it does not take, and for `--help` and `--version`.
        ConfigError: if `[tool.arraytyping]` is malformed, or names an environment that cannot be used.
    """
    started = time.time()
    sys.setrecursionlimit(RECURSION_LIMIT)
    fscache = FileSystemCache()
    if not paths and not names_sources(mypy_options):
        paths = (".",)
    said = StringIO()  # of the configuration; what is wrong with it is told once
    arguments = [*_python_options(environment), *mypy_options, *(["--", _ANY_FILE] if paths else [])]
    try:
        sources, options = _process_options(arguments, stdout, said, fscache, program)
    except SystemExit:
        stderr.write(said.getvalue())
        raise
    refused: list[Unreadable] = []
    config_file = Path(options.config_file) if options.config_file else None
    settings = load_settings(Path.cwd(), config_file)
    stderr.write(said.getvalue())
    if paths:
        _, unreadable = notebooks(paths, settings.selection)
        sources, refused = find_sources(paths, options, fscache, settings.selection)
        known = {os.path.realpath(error.path) for error in unreadable}
        refused = [*unreadable, *(error for error in refused if os.path.realpath(error.path) not in known)]
    presenter = _presenter(present(settings), options)
    if types:
        _tell_foreign(options, stderr)
    elif environment is not None and not any(o.startswith("--python-executable") for o in mypy_options):
        is_named = True  # what the configuration names is not run
    environment = _settle_environment(options, mypy_options, environment, is_named)
    roots = list(not_excluded(map(Path, paths), options, fscache, settings.selection))
    roots = roots or [Path(s.path) for s in sources if s.path is not None]
    check_only(roots)
    _adjust(options, mypy_options, stderr)
    shows_all = mypy_errors or bool(options.config_file) or any(map(_is_strict, mypy_options))
    output = Output(options, stdout, stderr, show, shows_all, presenter=presenter)
    if progress is not None:
        output.before = progress.stop
    shown = flow(roots, config_file, environment) if flow is not None and roots else Shown()
    if types:
        if progress is not None:
            progress.says("checking types")
        _ask_search_path(options, environment)
    diagnostics, unread, output.is_partial, is_interrupted, output.claims, output.found = shown
    for error in (*refused, *(() if types and not is_interrupted else unread)):
        output.refuse(error.path, refusal(error, options))
    is_left = bool(sources) or not refused
    if is_interrupted:
        return _interrupted(diagnostics, sources, output)
    if not types:
        _flush(diagnostics, sources, output)
        _flush_comments(sources, options, output, alone=True, unused=unused_ignores)
        return _flow_alone(sources, output, started, reserve(ProgramClaims()))
    warnings = [m for m in diagnostics if m.is_minor]  # of which mypy's own errors have no like
    diagnostics = [m for m in diagnostics if not m.is_minor]
    give(diagnostics)
    output.diagnostics = diagnostics
    sources = without_duplicate_modules(sources, options)
    if share is not None:
        sources = _share_of(sources, share)
    if not environment.is_own:
        sources.append(_scalars(options))
    try:
        with _shadows(sources, options):
            built = _build(sources, options, fscache, output, unused_ignores) if is_left else None
    except KeyboardInterrupt:
        return _interrupted(shown.diagnostics, sources, output)
    for error in unread:
        output.refuse(error.path, refusal(error, options))
    for path, lines in messages_by_file(untold(warnings, output.messages), _modules(sources), options):
        output.flush(path, lines, False)
    _flush_comments(sources, options, output, alone=False, unused=unused_ignores)
    count = sum(s.module != SCALARS_MODULE for s in sources)
    if built is None:
        if is_left:
            _flush(diagnostics, sources, output)
        status = output.finish(count, time.time() - started, is_blocked=True)
        return Outcome(status, messages=tuple(output.messages))
    result, recorder = built
    claims = _claims(result, recorder)
    result.manager.metastore.close()
    status = output.finish(count, time.time() - started, is_blocked=False, reservation=reserve(claims))
    return Outcome(
        status,
        claims,
        _decision(recorder.settings),
        tuple(output.messages),
        options.error_summary,
        _is_for_programs(output),
    )


def _process_options(
    arguments: Sequence[str], stdout: TextIO, stderr: TextIO, fscache: FileSystemCache, program: str
) -> tuple[list[BuildSource], Options]:
    """What mypy makes of its command line and its configuration.

    Raises:
        SystemExit: as mypy does for options that it does not take, and for `--help` and `--version`.
        ConfigError: if the configuration cannot be read, or asks for what is mypy's own.
    """
    try:
        sources, options = mypy.main.process_options(
            list(arguments),
            stdout=stdout,
            stderr=stderr,
            fscache=fscache,
            program=program,
            header=f"{program} PATH... --mypy-args [mypy's options]",
        )
    except TypeError as why:  # a value in TOML that is no text
        raise ConfigError(f"mypy cannot read its configuration: {why}") from None
    if options.install_types or options.non_interactive:
        raise ConfigError("--install-types and --non-interactive are for mypy itself: run `mypy --install-types` first")
    return sources, options


def _flush_comments(sources: list[BuildSource], options: Options, output: Output, *, alone: bool, unused: bool) -> None:
    """Show what there is to say of the program's own comments."""
    for path, lines in comments_by_file(_modules(sources), options, alone=alone, unused=unused):
        output.flush(path, lines, False)


def _presenter(presenter: Presenter | None, options: Options) -> Presenter | None:
    """Who writes the messages in mypy's place, unless the user has asked mypy for a format of its own."""
    if presenter is None or (presenter.gives_way and (options.output or options.pretty)):
        return None
    options.output, options.pretty = "json", False  # which is what it reads
    return presenter


_STRICTNESS: Final = ("--strict", "--disallow-", "--warn-", "--enable-error-code", "--extra-checks", "--no-implicit-")


def _is_strict(option: str) -> bool:
    """Whether an option of mypy asks for errors of its own."""
    return option.startswith(_STRICTNESS) and option != "--warn-unused-ignores"


def is_option(name: str) -> bool:
    """Whether mypy has an option of this name on its command line."""
    parser, _, _ = mypy.main.define_options()
    return name in parser._option_string_actions


def _build(
    sources: list[BuildSource], options: Options, fscache: FileSystemCache, output: Output, follows_comments: bool
) -> tuple[mypy.build.BuildResult, _Recorder] | None:
    """Run mypy, without those files that it cannot read; None if something else stops it, or nothing is left."""
    while True:
        recorder = _Recorder(options, ClaimsStore(_claims_directory(options)), follows_comments)
        recorder.settings.shows_own_errors = output.shows_all
        said: list[tuple[str | None, list[str], bool]] = []
        try:
            result = mypy.build.build(
                sources,
                options,
                None,
                lambda *message, to=said: to.append(message),
                fscache,
                output.stdout,
                output.stderr,
                extra_plugins=[recorder],
            )
        except KeyboardInterrupt:
            for message in said:
                output.flush(*message)
            raise
        except CompileError as error:
            last = [line for file, lines, _ in said if file is None for line in lines]
            refused = leave_out(sources, last, error.module_with_blocker, options)
            for path, lines in refused.items():
                output.refuse(path, lines)
            if refused and any(s.module != SCALARS_MODULE for s in sources):
                continue
            if not refused:
                output.is_serious = not error.use_stdout
                for message in said:
                    output.flush(*message)
            return None
        for message in said:
            output.flush(*message)
        return result, recorder


@contextlib.contextmanager
def _shadows(sources: Sequence[BuildSource], options: Options) -> Iterator[None]:
    """Let mypy read what is given in the place of files; where one of them is there, its parser would read that."""
    given = [s for s in sources if s.text is not None and s.path is not None and Path(s.path).is_file()]
    with tempfile.TemporaryDirectory(prefix="arraytyping-") if given else contextlib.nullcontext() as directory:
        for number, source in enumerate(given):
            shadow = Path(directory or "", f"{number}.py")
            shadow.write_text(source.text or "", encoding="utf-8")
            options.shadow_file = [*(options.shadow_file or []), [source.path or "", str(shadow)]]
        yield


def _share_of(sources: Sequence[BuildSource], shard: Shard) -> list[BuildSource]:
    """The sources of one of several machines, each of which finds the same division."""
    names = {s.module if s.path is None else Path(os.path.relpath(s.path)).as_posix(): s for s in sources}
    machines = divided(dict.fromkeys(names, 1.0), shard.count)
    return [source for name, source in names.items() if machines[name] == shard.number]


def _modules(sources: Sequence[BuildSource]) -> dict[str, str]:
    """The names of the modules that are checked, by path."""
    return {str(Path(s.path).resolve()): s.module for s in sources if s.path is not None}


def _flush(diagnostics: Sequence[Diagnostic], sources: Sequence[BuildSource], output: Output) -> None:
    """Take flow's mistakes as mypy would report them, those that it has not reported yet."""
    told = set(output.messages)
    for path, lines in messages_by_file(diagnostics, _modules(sources), output.options):
        output.flush(path, [line for line in lines if line not in told], False)


def _interrupted(diagnostics: Sequence[Diagnostic], sources: Sequence[BuildSource], output: Output) -> Outcome:
    """Show what was found before the user has ended the run."""
    _flush(diagnostics, sources, output)
    output.options.error_summary = False
    status = output.finish(0, 0.0, is_blocked=False)
    return Outcome(status, messages=tuple(output.messages), is_interrupted=True)


def _is_for_programs(output: Output) -> bool:
    """Whether nothing but messages may be written where these are."""
    return output.options.output is not None if output.presenter is None else not output.presenter.is_for_people


def _flow_alone(sources: Sequence[BuildSource], output: Output, started: float, reservation: str | None) -> Outcome:
    """Show what was found, without asking mypy."""
    options = output.options
    read = sum(s.path is not None and os.path.realpath(s.path) not in output.refused for s in sources)
    is_blocked = bool(output.refused) and not read
    status = output.finish(read, time.time() - started, is_blocked=is_blocked, reservation=reservation)
    if is_blocked:
        return Outcome(status, messages=tuple(output.messages))
    return Outcome(
        status,
        ProgramClaims(),
        _decision(BuildSettings(options)),
        tuple(output.messages),
        options.error_summary,
        _is_for_programs(output),
    )


def _decision(settings: BuildSettings) -> X64Decision | ProgramsX64:
    configured = settings.settings
    if configured.x64 == "auto":
        return settings.x64
    return X64Decision.configured(configured.x64, "pyproject.toml" if configured.file is None else configured.file.name)


def _tell_foreign(options: Options, stderr: TextIO) -> None:
    """Name what the file of configuration makes mypy run."""
    plugins = [p for p in options.plugins if p.partition(":")[0] != PLUGIN]
    python = _section(options).get("python_executable")
    named = [*(f"the plugin {p}" for p in plugins), *([f"the interpreter {python}"] if python else [])]
    if named:
        print(
            f"arraytyping: note: {options.config_file} makes mypy run {', '.join(named)}; --no-types does without",
            file=stderr,
        )


def _adjust(options: Options, mypy_options: Sequence[str], stderr: TextIO) -> None:
    """Set what the command needs, and what it turns on where nothing is said."""
    options.export_types = True
    # The plugin is passed as an object, since mypy loads plugins only where there is a file of configuration.
    options.plugins = [p for p in options.plugins if p.partition(":")[0] != PLUGIN]
    if not _says(options, mypy_options, "check_untyped_defs"):
        options.check_untyped_defs = True
    if "--hide-column-numbers" not in mypy_options and not _says(options, mypy_options, "show_column_numbers"):
        options.show_column_numbers = True
    if options.num_workers:
        print("arraytyping: note: the types are read in one process, so mypy's workers are not used", file=stderr)
        options.num_workers = 0
    if options.cache_dir != os.devnull:
        # A cache of our own, so that a module in it always has its claims.
        options.cache_dir = str(Path(options.cache_dir, "arraytyping"))


def _says(options: Options, mypy_options: Sequence[str], name: str) -> bool:
    """Whether the command line or the file of configuration decides an option."""
    if getattr(options, name) or f"--no-{name.replace('_', '-')}" in mypy_options:
        return True
    section = _section(options)
    return name in section or f"no_{name}" in section


def _section(options: Options) -> Mapping[str, Any]:
    """What the file of configuration says for the whole program."""
    parsed = _parse_individual_file(options.config_file) if options.config_file else None
    section: Mapping[str, Any] = parsed[0]["mypy"] if parsed is not None and "mypy" in parsed[0] else {}
    return section


def _python_options(environment: Environment | None) -> list[str]:
    """What tells mypy of the environment; mypy looks for another one if it is told of a version alone."""
    return [] if environment is None or environment.is_own else [f"--python-executable={environment.python}"]


def _settle_environment(
    options: Options, mypy_options: Sequence[str], found: Environment | None, is_named: bool
) -> Environment:
    """The environment of the program for both layers: one that mypy is told of comes before one that was found."""
    python = found.python if found is not None else sys.executable
    try:
        if is_named:
            options.python_executable = python
        elif options.python_executable not in (None, python):
            found = inspect_environment(Path(options.python_executable), "mypy's python_executable")
        elif python != sys.executable and (configured := _section(options).get("python_executable")):
            options.python_executable = str(Path(os.path.expandvars(str(configured))).expanduser())
            found = inspect_environment(Path(options.python_executable), "mypy's python_executable")
        elif found is None:
            found = inspect_environment(Path(sys.executable), "the environment of arraytyping itself")
    except NoEnvironmentError as error:
        raise ConfigError(str(error)) from None
    assert found is not None
    has_version = any(o.startswith("--python-version") for o in mypy_options) or "python_version" in _section(options)
    if not has_version and found.version >= PYTHON3_VERSION_MIN:
        options.python_version = found.version
    return found


def _ask_search_path(options: Options, environment: Environment) -> None:
    """Ask the interpreter where it has its libraries, as mypy does, which ends in a traceback if there is no answer."""
    try:
        get_search_dirs(options.python_executable)  # mypy keeps the answer
    except (CompileError, subprocess.SubprocessError, OSError, SyntaxError, TypeError, ValueError) as error:
        swallow(error)
        raise ConfigError(
            f"{environment.origin}: {options.python_executable} does not answer where it has its libraries"
        ) from None


def _scalars(options: Options) -> BuildSource:
    """The module of the classes that stand for dtypes, in which an environment without arraytyping is lacking."""
    options.per_module_options[SCALARS_MODULE] = {"ignore_errors": True}
    return BuildSource(arraytyping.scalars.__file__, SCALARS_MODULE)


def _claims_directory(options: Options) -> Path | None:
    if options.cache_dir == os.devnull:
        return None
    major, minor = options.python_version
    return Path(options.cache_dir, f"claims-{major}.{minor}")


class _Recorder(ArrayTypingPlugin):
    """The plugin, that also notes the expressions of each module as mypy checks it."""

    def __init__(self, options: Options, store: ClaimsStore, follows_comments: bool = False) -> None:
        super().__init__(options)
        self.follows_comments = follows_comments
        """Whether modules with comments of ours are checked again, so that it is known what these silence."""
        self.store = store
        self.places: dict[str, list[Place]] = {}
        self.settings.keeps_functions = True
        self._trees = 0

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """As the plugin's; but what mypy has in its cache without our claims does not match, and is checked again."""
        data = super().report_config_data(ctx)
        if ctx.is_check and is_program(ctx.id, ctx.path) and self.store.find(ctx.id, Path(ctx.path), data) is None:
            return {"claims": "missing"}
        is_own = ctx.path.endswith((".py", ".ipynb", ".md"))
        if ctx.is_check and self.follows_comments and is_own and silencing_of(ctx.path).own:
            return {"comments": "unknown"}
        return data

    def fingerprint(self, module: str, path: str) -> Any:
        """What a module's claims hang on besides its text."""
        return super().report_config_data(ReportConfigContext(module, path, is_check=False))

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """As the plugin's; mypy asks when it has parsed a module that is not in its cache."""
        self._note(file)
        return super().get_additional_deps(file)

    def get_additional_indirect_deps(self, file: MypyFile) -> set[str]:
        """None; mypy asks when it has checked a module, just before it frees the tree."""
        self._note(file)
        return set()

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """As the plugin's."""
        self._note_all()
        return super().get_function_hook(fullname)

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """As the plugin's."""
        self._note_all()
        return super().get_method_hook(fullname)

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """As the plugin's."""
        self._note_all()
        return super().get_attribute_hook(fullname)

    def functions_of(self, module: str) -> ClosedFunctions | None:
        """The functions of a module that was checked, with what was followed of them."""
        return self.tables.sessions.functions.get(module) if "tables" in self.__dict__ else None

    def _note_all(self) -> None:
        if not _TELLS_WHEN_CHECKED and self._modules is not None and len(self._modules) != self._trees:
            self._trees = len(self._modules)
            for tree in list(self._modules.values()):
                if tree.defs:  # else it is freed
                    self._note(tree)

    def _note(self, tree: MypyFile) -> None:
        if tree.fullname not in self.places and is_program(tree.fullname, tree.path):
            self.store.remove(tree.fullname)
            self.places[tree.fullname] = places(tree)


def _claims(result: mypy.build.BuildResult, recorder: _Recorder) -> ProgramClaims:
    """The claims of the user's modules: of those that were checked by their types, of the others out of the store."""
    files: dict[str, FileClaims] = {}
    settings = recorder.settings
    imported = {
        name
        for state in result.graph.values()
        if state.path is not None and is_program(state.id, state.path)
        for name in state.dependencies
    }
    for state in result.graph.values():
        path = state.path
        if path is None or not is_program(state.id, path):
            continue
        if state.id in recorder.places:
            found = recorder.places[state.id]
            claims = _of_module(state, result.types, found, settings, None)
            functions = recorder.functions_of(state.id)
            alone = None if functions is None else _of_module(state, result.types, found, settings, functions)
            recorder.store.write(state.id, Path(path), recorder.fingerprint(state.id, path), claims, alone)
            if alone is not None and state.id not in imported:
                claims = alone
        else:
            stored = recorder.store.found(state.id, is_alone=state.id not in imported)
            claims = stored or FileClaims()
        if not (state.ignore_all or state.options.ignore_errors):
            files[result.manager.errors.simplify_path(state.xpath)] = claims
    return ProgramClaims(dict(sorted(files.items())))


def _of_module(
    state: mypy.build.State,
    types: Any,
    found: list[Place],
    settings: BuildSettings,
    functions: ClosedFunctions | None,
) -> FileClaims:
    """The claims of one module; with what is followed of its `functions`, where no other module calls them."""
    from arraytyping_mypy.claiming import CheckedModule  # loads the rules, which a warm run does not need

    source = Source(Path(state.xpath), [place.node for place in found])
    module = CheckedModule(
        types,
        settings.promotions_of(state.id, state.xpath),
        state.options.check_untyped_defs,
        source.text,
        source.position,
        functions,
        functions.known(types) if functions is not None else {},
    )
    made = (module.claims(place) for place in found if place.is_value)
    return FileClaims.of(claims for claims in made if claims is not None)
