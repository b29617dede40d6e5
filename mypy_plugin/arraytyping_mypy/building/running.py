"""One run of mypy over the sources, again without those that it cannot read."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import mypy.build
import mypy.main
from mypy.errors import CompileError
from mypy.fscache import FileSystemCache
from mypy.modulefinder import BuildSource
from mypy.options import Options

from arraytyping.checker.flow.report.reporting import Unreadable
from arraytyping.checker.flow.sources.project import module_name
from arraytyping_mypy.building.internal_errors import InternalError, internal_errors
from arraytyping_mypy.building.recording import Recorder
from arraytyping_mypy.claims_store import ClaimsStore
from arraytyping_mypy.flow_messages import refusal, shown_path
from arraytyping_mypy.names import OWN_MODULES
from arraytyping_mypy.output import Output
from arraytyping_mypy.sources import (
    leave_out,
)

if TYPE_CHECKING:
    pass

__all__ = ["build", "own_modules", "shadows"]


def build(
    sources: list[BuildSource], options: Options, fscache: FileSystemCache, output: Output, follows_comments: bool
) -> tuple[mypy.build.BuildResult, Recorder] | None:
    """Run mypy, without those files that it cannot read; None if something else stops it, or nothing is left."""
    while True:
        recorder = Recorder(options, ClaimsStore(_claims_directory(options)), follows_comments)
        recorder.settings.shows_own_errors = output.shows_all
        said: list[tuple[str | None, list[str], bool]] = []
        try:
            with internal_errors(options):
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
            if refused and any(s.module not in OWN_MODULES for s in sources):
                continue
            if not refused:
                output.is_serious = not error.use_stdout
                for message in said:
                    output.flush(*message)
            return None
        except InternalError as error:
            if options.show_traceback:
                output.stderr.write(error.printed)
            if not _without(error, sources, options, output):
                return None
            gc.collect()  # the build that failed holds mypy's cache open
            continue
        for message in said:
            output.flush(*message)
        return result, recorder


def _without(error: InternalError, sources: list[BuildSource], options: Options, output: Output) -> bool:
    """Leave out the file on which mypy has failed; False if that was done already, or nothing is left."""
    file = Path(error.file).resolve()
    if str(file) in output.refused:
        return False
    lines = refusal(Unreadable(shown_path(str(file)), error.line, str(error)), options)
    for path, said in leave_out(sources, lines, module_name(file)[0], options).items():
        output.refuse(path, said)
    return any(s.module not in OWN_MODULES for s in sources)


@contextlib.contextmanager
def shadows(sources: Sequence[BuildSource], options: Options) -> Iterator[None]:
    """Let mypy read what is given in the place of files; where one of them is there, its parser would read that."""
    given = [s for s in sources if s.text is not None and s.path is not None and Path(s.path).is_file()]
    with tempfile.TemporaryDirectory(prefix="arraytyping-") if given else contextlib.nullcontext() as directory:
        for number, source in enumerate(given):
            shadow = Path(directory or "", f"{number}.py")
            shadow.write_text(source.text or "", encoding="utf-8")
            options.shadow_file = [*(options.shadow_file or []), [source.path or "", str(shadow)]]
        yield


def own_modules(options: Options) -> list[BuildSource]:
    """The modules of the classes that the plugin needs, in which an environment without arraytyping is lacking."""
    options.per_module_options |= {name: {"ignore_errors": True} for name in OWN_MODULES}
    return [BuildSource(importlib.import_module(name).__file__, name) for name in sorted(OWN_MODULES)]


def _claims_directory(options: Options) -> Path | None:
    if options.cache_dir == os.devnull:
        return None
    major, minor = options.python_version
    return Path(options.cache_dir, f"claims-{major}.{minor}")
