"""The settings of one build: the table `[tool.arraytyping]`, x64 as the program decides it, and jax's version."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mypy.errors import CompileError
from mypy.options import Options

import arraytyping_mypy
from arraytyping.checker.flow.sources.x64_switches import ProgramsX64, Switches, switches_in
from arraytyping.checker.opt_in_codes import OPT_IN_CODES
from arraytyping.checker.settings import ConfigError, Promotion, Settings, promotion_fingerprint
from arraytyping.checker.settings_file import load_settings
from arraytyping.checker.x64 import by_default, own_by_default
from arraytyping_mypy.command_line import roots_of
from arraytyping_mypy.flow_mistakes import FlowMistakes, given
from arraytyping_mypy.jax_version import JaxVersion, installed_jax
from arraytyping_mypy.library_options import Redefinition, configured_redefinition, redefine
from arraytyping_mypy.names import is_installed

if TYPE_CHECKING:
    from mypy.build import BuildManager

    from arraytyping.semantics.promotion.jax import JaxPromotion
    from arraytyping_mypy.hierarchy import BuildClasses
    from arraytyping_mypy.kept_code import KeptCode
    from arraytyping_mypy.plain import PlainErrors
    from arraytyping_mypy.project_look import ProjectLook

__all__ = ["BuildSettings", "LookedAt", "check_only"]

_DAEMON: Final = "mypy.dmypy_server"
_roots: Final[list[Path]] = []


def check_only(roots: Sequence[Path]) -> None:
    """Take these files and directories as the program; without a call they are mypy's own arguments."""
    _roots[:] = roots


class LookedAt(NamedTuple):
    """The files that switches were looked for in, with the folders in which these were found, and since when.

    Where something is switched, also what all of the project looked like, from these files and folders of the command
    line and this one of the settings.
    """

    paths: frozenset[str]
    since: int
    project: str | None = None
    roots: Sequence[str] = ()
    root: str | None = None


class BuildSettings:
    """What is configured, read once before the build.

    A malformed table is an error of the build, not of the plugin's construction: mypy shows only the former as one
    clear line.
    """

    def __init__(self, options: Options, configured: Redefinition | None = None) -> None:
        configured = configured_redefinition(options) if configured is None else configured
        self._options = options
        self.cache_dir: Final = options.cache_dir
        self.run: Final = f"{os.getpid()} {time.time_ns()}"
        """The mark of this build, as no other has."""
        self.manager: BuildManager | None = None
        """The build, where it was found as it began."""
        self._promotions: dict[tuple[Promotion, bool | None], tuple[JaxPromotion, ...]] = {}
        self._error: ConfigError | None = None
        self._flow: FlowMistakes | None = None
        self._x64: ProgramsX64 | None = None
        self._switches: Switches | None = None
        self._switches_time = 0
        self._project: ProjectLook | None = None
        self._libraries: dict[Path, bool] = {}
        self._classes: BuildClasses | None = None
        try:
            file = Path(options.config_file) if options.config_file else None
            self.settings = load_settings(Path.cwd(), file)
        except ConfigError as error:
            self.settings = Settings()
            self._error = error
        self.keeps_functions = False
        """Whether what is followed of functions is kept for the claims."""
        self.shows_own_errors = True
        """Whether mypy's own errors are shown; else plain mypy need not be asked which they are."""
        self._plain_redefinition = configured
        if self.settings.redefinition:
            redefine(options, configured)
        if _DAEMON in sys.modules and self.settings.may_be_automatic:
            # The daemon begins anew where a plugin has another version, and so checks every module again.
            arraytyping_mypy.__version__ = self.x64.fingerprint

    @property
    def x64(self) -> ProgramsX64:
        """Whether the programs enable x64: decided once, by the daemon again when it reads a file that is newer."""
        if self._x64 is None:
            switches = self._find_switches()
            self._x64 = self._decide_x64(switches) if switches.x64 else ProgramsX64(by_default())
        return self._x64

    def _decide_x64(self, switches: Switches) -> ProgramsX64:
        file = self.settings.file
        root = None if file is None else file.resolve().parent
        roots = _roots or roots_of(self._options)
        entry_points = self.settings.entry_points

        def decide(known: KeptCode | None = None) -> ProgramsX64:
            from arraytyping.checker.flow.sources.x64_programs import decide_x64  # few programs switch anything

            return decide_x64(roots, entry_points, root, switches=switches, known=known)

        def decide_anew() -> ProgramsX64:
            from arraytyping_mypy.kept_code import KeptCode

            known = KeptCode(self.cache_dir)
            decided = decide(known)
            known.save()
            return decided

        if not self._options.incremental or self.cache_dir == os.devnull or self._options.fine_grained_incremental:
            return decide()
        from arraytyping_mypy.kept_x64 import kept_decision
        from arraytyping_mypy.own_sources import own_sources
        from arraytyping_mypy.project_look import ProjectLook

        switched = sorted((str(path), found) for path, found in switches.x64.items())
        look = ProjectLook(roots, root, (own_sources(self.cache_dir), entry_points, by_default(), switched))
        self._project = look
        return kept_decision(self.cache_dir, look, decide_anew)

    def looked_at(self) -> LookedAt | None:
        """What x64 and the keys were found from; None where answers hang on more, of which it is not known."""
        own = self.settings
        modes = (own.promotion, *(o.promotion for o in own.overrides.values() if o.promotion is not None))
        if self._error is not None or own.flow or own.stand_ins or not all(isinstance(m, str) for m in modes):
            return None
        if given() or _roots or self._options.fine_grained_incremental:
            return None
        paths, since = self._find_switches().looked_at, self._switches_time
        if not self._find_switches().x64 or not own.may_be_automatic:
            return LookedAt(paths, since)
        root = None if own.file is None else str(own.file.resolve().parent)
        decided = self.x64
        project = self._project
        if decided is None or project is None or not project.files or not project.is_settled:
            return None
        return LookedAt(paths, since, project.files, [str(r) for r in roots_of(self._options)], root)

    @property
    def has_default_keys(self) -> bool:
        """Whether the programs make random keys of JAX's default implementation: decided as often as x64."""
        return self._find_switches().has_default_keys

    def _find_switches(self) -> Switches:
        """What the programs switch, which is looked for once."""
        if self._switches is None:
            self._switches_time = time.time_ns()
            self._switches = switches_in(_roots or roots_of(self._options))
        return self._switches

    def note_read(self, path: str) -> None:
        """Mypy reads a file: by the daemon what is switched is looked for anew if the file was written after that."""
        if self._options.fine_grained_incremental and self._switches is not None:
            file = Path(path)
            if file.is_file() and file.stat().st_mtime_ns > self._switches_time:
                self._x64 = self._switches = None
                self._libraries.clear()

    def _x64_of(self, module: str, path: str, is_own: bool = False) -> bool | None:
        configured = self.settings.for_module(module).x64
        if configured != "auto":
            return configured
        found = self.x64.of(path)
        return own_by_default() if is_own and not found.evidence and found.value is not None else found.value

    def may_ask_for_64_bits(self, module: str, path: str, source: str, line: int) -> bool:
        """Whether a line of a module may ask for 64 bits though x64 is off: its users decide, or it asks for x64."""
        from arraytyping.checker.flow.sources import x64_of_users  # seldom is anybody asked
        from arraytyping.checker.program_trees import parsed

        tree = parsed(source)
        if tree is None:
            return False
        if any(line in lines for lines in x64_of_users.lines_that_ask(tree)):
            return True
        return self._is_left_to_users(module, path) and not x64_of_users.is_run(Path(path), tree)

    def _is_left_to_users(self, module: str, path: str) -> bool:
        """Whether nothing decides on x64 for a module of a library."""
        if self.settings.for_module(module).x64 != "auto" or not self.x64.of(path).is_default or is_installed(path):
            return False
        from arraytyping.checker.flow.sources.x64_of_users import is_of_library

        folder = Path(path).parent
        if folder not in self._libraries:
            self._libraries[folder] = is_of_library(folder)
        return self._libraries[folder]

    @property
    def flow(self) -> FlowMistakes:
        """What flow has to report: the command says what, or `flow = true` asks for it."""
        if self._flow is None or (self._options.fine_grained_incremental and not self._flow.is_current):
            self._flow = self._find_flow()
        return self._flow

    def _find_flow(self) -> FlowMistakes:
        if given():
            return FlowMistakes(given()[0])
        if not self.settings.flow:
            return FlowMistakes()
        file = Path(self._options.config_file) if self._options.config_file else None
        enable = [code for code in self._options.enable_error_code if code in OPT_IN_CODES]
        roots = _roots or roots_of(self._options)
        return FlowMistakes.of_program(roots, file, self._options.python_executable, enable)

    @cached_property
    def jax(self) -> JaxVersion:
        """The jax that the program is checked against."""
        return installed_jax(self._options)

    def promotions_of(self, module: str, path: str, is_own: bool = False) -> tuple[JaxPromotion, ...]:
        """The promotion systems that may be in force in a module, for JAX's arrays or ours: two if x64 is unknown."""
        own = self.settings.for_module(module)
        x64 = self._x64_of(module, path, is_own)
        key = (own.promotion, x64)
        if key not in self._promotions:
            from arraytyping.semantics.promotion.jax import JaxPromotion  # not needed where nothing has changed

            possible = (False, True) if x64 is None else (x64,)
            release = self.jax.release
            self._promotions[key] = tuple(JaxPromotion(own.mode, p, own.lattice, release) for p in possible)
        return self._promotions[key]

    @property
    def known_classes(self) -> BuildClasses:
        """The classes of the build; the daemon, which may change them, looks at them anew."""
        if self._classes is None or self._options.fine_grained_incremental:
            from arraytyping_mypy.hierarchy import BuildClasses  # not needed where nothing has changed

            self._classes = BuildClasses()
        return self._classes

    def plain_errors(self) -> PlainErrors:
        """What plain mypy says of the program, nothing of which is known yet."""
        from arraytyping_mypy.plain import PlainErrors  # not needed where nothing has changed

        return PlainErrors(self._options, self._plain_redefinition, self.manager)

    def refuse_errors(self) -> None:
        """End the build if the table is malformed.

        Raises:
            CompileError: with the one sentence that says what is wrong.
        """
        if self._error is not None:
            raise CompileError([f"arraytyping: {self._error}"])

    def fingerprint(self, module: str, path: str) -> dict[str, Any]:
        """What of the settings changes an answer in this module.

        Raises:
            CompileError: if the table is malformed.
        """
        self.refuse_errors()
        own = self.settings.for_module(module)
        return {
            "promotion": promotion_fingerprint(own.promotion),
            "x64": f"{self._x64_of(module, path)} {self._x64_of(module, path, True)}",
            "64 bits": self._is_left_to_users(module, path),
            "keys": self.has_default_keys,
            "redefinition": self.settings.redefinition,
            "own_errors": self.shows_own_errors,
            "jax": self.jax.text,
        }
