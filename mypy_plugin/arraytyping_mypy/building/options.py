"""The options of a build: what mypy makes of its command line and its configuration, and what the command sets."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import mypy.build
import mypy.main
from mypy.config_parser import _parse_individual_file
from mypy.defaults import PYTHON3_VERSION_MIN
from mypy.errors import CompileError
from mypy.fscache import FileSystemCache
from mypy.modulefinder import BuildSource, get_search_dirs
from mypy.options import Options

from arraytyping.checker.environment import Environment, NoEnvironmentError, inspect_environment
from arraytyping.checker.settings import ConfigError
from arraytyping.checker.swallowed import swallow

if TYPE_CHECKING:
    pass

__all__ = [
    "adjust",
    "ask_search_path",
    "is_option",
    "is_strict",
    "process_options",
    "python_options",
    "settle_environment",
    "tell_foreign",
]

PLUGIN: Final = "arraytyping_mypy"
_STRICTNESS: Final = ("--strict", "--disallow-", "--warn-", "--enable-error-code", "--extra-checks", "--no-implicit-")


def process_options(
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


def is_strict(option: str) -> bool:
    """Whether an option of mypy asks for errors of its own."""
    return option.startswith(_STRICTNESS) and option != "--warn-unused-ignores"


def is_option(name: str) -> bool:
    """Whether mypy has an option of this name on its command line."""
    parser, _, _ = mypy.main.define_options()
    return name in parser._option_string_actions


def tell_foreign(options: Options, stderr: TextIO) -> None:
    """Name what the file of configuration makes mypy run."""
    plugins = [p for p in options.plugins if p.partition(":")[0] != PLUGIN]
    python = _section(options).get("python_executable")
    named = [*(f"the plugin {p}" for p in plugins), *([f"the interpreter {python}"] if python else [])]
    if named:
        print(
            f"arraytyping: note: {options.config_file} makes mypy run {', '.join(named)}; --no-types does without",
            file=stderr,
        )


def adjust(options: Options, mypy_options: Sequence[str], stderr: TextIO) -> None:
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


def python_options(environment: Environment | None) -> list[str]:
    """What tells mypy of the environment; mypy looks for another one if it is told of a version alone."""
    return [] if environment is None or environment.is_own else [f"--python-executable={environment.python}"]


def settle_environment(
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


def ask_search_path(options: Options, environment: Environment) -> None:
    """Ask the interpreter where it has its libraries, as mypy does, which ends in a traceback if there is no answer."""
    try:
        get_search_dirs(options.python_executable)  # mypy keeps the answer
    except (CompileError, subprocess.SubprocessError, OSError, SyntaxError, TypeError, ValueError) as error:
        swallow(error)
        raise ConfigError(
            f"{environment.origin}: {options.python_executable} does not answer where it has its libraries"
        ) from None
