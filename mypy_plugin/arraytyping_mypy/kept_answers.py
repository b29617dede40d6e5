"""What the plugin answers of a program's modules, kept in mypy's cache while nothing changes that the answers hang on.

mypy asks of each module, at each start, what an answer hangs on besides its text.  Where nothing has changed that is
all that it asks, and here it is answered without what finds it out: settings, switches of x64, the installed jax.  What
was looked at to find it out is looked at again instead: files and folders as they lie there, the environment, the
command line.  An answer that is not kept, or may be another one, is found out.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mypy.modulefinder import get_search_dirs
from mypy.options import Options
from mypy.version import __version__ as mypy_version

from arraytyping_mypy.command_line import roots_of
from arraytyping_mypy.fingerprint import fingerprint
from arraytyping_mypy.library_options import Redefinition, names_in
from arraytyping_mypy.looks import Looks, look_of
from arraytyping_mypy.own_sources import are_kept, keep, look_of_sources

if TYPE_CHECKING:
    from arraytyping_mypy.settings import BuildSettings

__all__ = ["KeptAnswers", "can_be_kept"]

_KEPT: Final = "arraytyping-answers"
_VARIABLES: Final = ("JAX_", "ARRAYTYPING_")
"""How the variables of the environment begin that say anything to JAX or to us."""
_MOST: Final = 20_000
"""So many files and folders are looked at."""


def can_be_kept(options: Options) -> bool:
    """Whether this is a run of mypy with a cache, by itself: no daemon, and no worker of another process."""
    if options.fine_grained_incremental or options.num_workers or not options.incremental:
        return False
    others = ("mypy.dmypy_server", "mypy.build_worker.worker")
    return options.cache_dir != os.devnull and not any(name in sys.modules for name in others)


class KeptAnswers:
    """The answers that are known of an earlier run, and those of this one, which are kept for the next."""

    def __init__(self, options: Options, configured: Redefinition) -> None:
        self._file: Final = Path(options.cache_dir, _KEPT)
        self._cache_dir: Final = options.cache_dir
        self._looks: Final = Looks()
        self._began: Final = time.time_ns()
        self._look: Final = self._look_around(options, configured)
        self._answers: dict[tuple[str, str], tuple[str, str]] = {}
        """By the name and path of a module what lies around it, and the answer as JSON."""
        self._parsed: dict[str, Any] = {}
        self._met: set[tuple[str, str]] = set()
        """The modules that were found out, of which mypy asks before and after it checks them."""
        self._mark: str | None = None
        """What each answer in the file begins with; empty where nothing is to be kept, None where that is not known."""
        self.redefinition = False
        """Whether variables may be bound again, where the answers are known."""
        self.are_known: Final = self._load()
        """Whether this run is like the one that has answered."""

    def of(self, module: str, path: str) -> Any:
        """The answer for a module; None if it is not known."""
        kept = self._answers.get((module, path))
        if kept is None or kept[0] != self._looks.around(path):
            return None
        text = kept[1]
        if text not in self._parsed:
            try:
                self._parsed[text] = json.loads(text)
            except ValueError:  # whoever wrote it was ended in the middle
                return None
        return self._parsed[text]

    def found(self, module: str, path: str, settings: BuildSettings) -> Any:
        """The answer for a module, which is found out, and kept where it may be."""
        around = self._looks.around(path)  # before, so that what changes in between is seen the next time
        answer = fingerprint(settings, module, path)
        if self._mark is None:
            self._mark = self._begin(settings)
        is_new = (module, path) not in self._met
        self._met.add((module, path))
        if is_new and self._mark and self._looks.settled < self._began and f"{module}{path}".isprintable():
            self._add("\t".join((self._mark, module, path, around, json.dumps(answer))))
        return answer

    def _look_around(self, options: Options, configured: Redefinition) -> str:
        """What settings, the installed jax and our own sources hang on; empty where that cannot be told."""
        try:
            searched = get_search_dirs(options.python_executable)
        except Exception as error:  # no such interpreter: mypy reports it
            from arraytyping.checker.swallowed import swallow

            swallow(error)
            return ""
        config = options.config_file
        here = os.getcwd()  # noqa: PTH109
        said = [
            look_of_sources(), mypy_version, sys.version, sys.executable, str(options.python_executable), here,
            str(configured), f"{config} {self._looks.at(config) if config else ''}", json.dumps(sys.argv[1:]),
            self._looks.around(f"{here}{os.sep}."), *map(str, roots_of(options)),
            *(f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith(_VARIABLES)),
            *(f"{f} {sorted(n for n in names_in(f) if n.startswith('jax-'))}" for found in searched for f in found),
        ]  # fmt: skip
        return look_of(said)

    def _load(self) -> bool:
        try:
            first, *lines = self._file.read_text("utf-8").split("\n")
            head = json.loads(first)
            if not self._look or head["look"] != self._look:
                return False
            if any(self._looks.at(path) != look for path, look in head["seen"].items()):
                return False
            if head["project"] is not None and head["project"] != _look_at_project(head["roots"], head["root"]):
                return False
            mark = f"{head['mark']}\t"
            for line in lines:
                if line.startswith(mark):
                    _, module, path, around, answer = line.split("\t")
                    self._answers[module, path] = around, answer
            self._mark, self.redefinition = head["mark"], head["redefinition"]
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return False  # none are kept, or not by this release
        return True

    def _begin(self, settings: BuildSettings) -> str:
        """Write what this run has looked at before the answers; what these begin with, empty if nothing is kept."""
        looked = settings.looked_at()
        if looked is None or not self._look or len(looked.paths) > _MOST or not are_kept(self._cache_dir):
            return ""
        looks = Looks()
        cache = f"{os.path.realpath(self._cache_dir)}{os.sep}"  # to which mypy writes, and no modules
        outside = (path for path in looked.paths if not f"{os.path.realpath(path)}{os.sep}".startswith(cache))
        seen = {path: looks.at(path) for path in outside}
        if looks.settled >= looked.since or self._looks.settled >= self._began:
            return ""
        mark = f"{os.getpid()} {time.time_ns()}"
        head = {
            "look": self._look, "seen": seen, "project": looked.project, "roots": looked.roots, "root": looked.root,
            "redefinition": settings.settings.redefinition, "mark": mark,
        }  # fmt: skip
        keep(self._file, f"{json.dumps(head)}\n")
        return mark

    def _add(self, line: str) -> None:
        try:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError:  # a cache that is only read
            self._mark = ""


def _look_at_project(roots: list[str], root: str | None) -> str:
    from arraytyping_mypy.project_look import ProjectLook  # few programs switch anything

    return ProjectLook([Path(r) for r in roots], None if root is None else Path(root)).files
