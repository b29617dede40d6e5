"""What plain mypy, without this plugin, says of the program: asked in another process, and only if need be.

That is a copy of this one, or one of its own with a cache, where there can be no copy, or it would read a lot again.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import CheckerPluginInterface

from arraytyping.regular_files import content_of
from arraytyping_mypy.checker import is_silent, modules_of
from arraytyping_mypy.names import is_program
from arraytyping_mypy.readiness import read_modules, ready_modules

if TYPE_CHECKING:
    from mypy.build import BuildManager

    from arraytyping_mypy.plain_fork import PlainCopy
    from arraytyping_mypy.taken_back import TakenBack

__all__ = ["PlainErrors"]

PLUGIN: Final = "arraytyping_mypy"
VARIABLE: Final = "ARRAYTYPING_PLAIN"
"""Set where plain mypy is run: there nothing is asked, else a plugin that contains this one would ask without end."""
_ALONE: Final[dict[str, Any]] = {
    "output": "json", "num_workers": 0, "export_types": False, "report_dirs": {}, "junit_xml": None,
    "fine_grained_incremental": False, "use_fine_grained_cache": False, "cache_fine_grained": False,
    "many_errors_threshold": -1, "verbosity": 0, "pdb": False, "timing_stats": None, "line_checking_stats": None,
    "hide_error_codes": False, "dump_graph": False, "mypyc_annotation_file": None, "transform_source": None,
}  # fmt: skip
"""Options that say how a run goes, not what is right; as a run in between needs them."""


_MOST_FORKS: Final = 8
"""So many copies of this process, each of which reads what is asked of and what that imports, take less than a run."""
_FEW_FORKS: Final = 2
"""So many copies are asked of nothing but what mypy is to check; then of all that it may come to."""
_LITTLE: Final = 1_500_000
"""So many bytes of a program are read again in less time than another run of mypy takes to load the libraries."""
_OF_MODULE: Final = frozenset({"possibly-undefined", "used-before-def"})
"""The codes of what mypy finds when it has been through a whole module."""
_COMMENTS: Final = frozenset({"unused-ignore", "ignore-without-code"})
"""The codes of what mypy says of a `# type: ignore`."""
_UNUSED: Final = re.compile(r'Unused "type: ignore(?:\[(?P<codes>[^\]]*)\])?" comment')
_USED: Final = re.compile(r'(?:narrower |"type: ignore)\[([^\]]*)\](?: instead of|" instead)')


class PlainErrors:
    """The errors of plain mypy by file, line and code; asked for as they are needed, or for all files at once."""

    def __init__(self, options: Options, redefinition: tuple[bool, bool], manager: BuildManager | None = None) -> None:
        self._options = options
        self._manager = manager
        """The build, if it was found as it began."""
        self._redefinition = redefinition
        self._asked: set[str] = set()
        self._asked_lines: set[tuple[str, int]] = set()
        self._copies: list[PlainCopy] = []
        """The copies of this process, the last first, which can be asked of more and more modules."""
        self._forks = 0
        self._taken_back: TakenBack | None = None
        self._errors: set[tuple[str, int, str]] | None = set()
        self._comments: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        """What plain mypy says of a `# type: ignore`, by file and line."""

    def lacks(self, api: CheckerPluginInterface, file: str, line: int, code: str, hidden_by: int | None = None) -> bool:
        """Whether plain mypy is known not to have such an error; a comment on the line `hidden_by` hides it."""
        path = os.path.realpath(file)
        if self._errors is not None and path not in self._asked:
            is_of_line = hidden_by is None and code not in _OF_MODULE
            if not is_of_line or (path, line) not in self._asked_lines:
                self._ask(api, file, path, line if is_of_line else None)
        if self._errors is None:
            return False
        if hidden_by is not None:
            return any(not _hides(text, code) for text in self._comments.get((path, hidden_by), ()))
        return (path, line, code) not in self._errors

    def _ask(self, api: CheckerPluginInterface, given: str, needed: str, line: int | None) -> None:
        if VARIABLE in os.environ:
            self._errors = None
            return
        if any(self._ask_copy(copy, needed, line) for copy in self._copies):
            return
        modules = modules_of(api)
        names = Path(given).name, Path(needed).name
        sources = {
            path: (name, tree.path)
            for name, tree in modules.items()
            # Most are modules of libraries, of which that is seen without following links.
            if (is_own := is_program(name, tree.path) and not is_silent(api, tree.path)) or tree.path.endswith(names)
            if Path(tree.path).is_file() and content_of(tree.path) is None
            if (path := os.path.realpath(tree.path)) == needed or is_own
        }
        if needed not in sources:
            self._errors = None  # such as a program given as text
            return
        if self._ask_new_copy(modules, sources, needed, line):
            return
        ready = ready_modules([name for name, _ in sources.values()], sources[needed][0], modules)
        asked = {path: source for path, source in sources.items() if source[0] in ready and path not in self._asked}
        self._asked |= asked.keys()
        lender = None if self._options.cache_dir == os.devnull else self._options.cache_dir
        changed = self._changed()
        changed["per_module_options"] = dict(changed["per_module_options"])
        for name, _ in sources.values():
            if name not in ready:  # else the packages that a module is in would be read with all that they import
                own = changed["per_module_options"].get(name, {})
                changed["per_module_options"][name] = {**own, "follow_imports": "skip"}
        found = _run(list(asked.values()), changed, lender)
        if found is None:
            self._errors = None
        else:
            self._take(found)

    def _ask_copy(self, copy: PlainCopy, needed: str, line: int | None) -> bool:
        """Ask a copy of this process of a file, or of one line in it, if it knows of the file."""
        module = copy.modules.get(needed)
        said = None if module is None else copy.ask(module, line)
        if said is None or said.is_waiting:
            return False
        if line is not None:
            self._asked_lines.add((needed, line))
        if said.is_whole:
            self._asked.add(needed)
        self._take(said.errors)
        return True

    def _ask_new_copy(
        self, modules: dict[str, MypyFile], sources: Mapping[str, tuple[str, str]], needed: str, line: int | None
    ) -> bool:
        """Have a copy of this process that can be asked of all modules whose libraries are read by now.

        Where it takes less than a run.
        """
        from arraytyping_mypy.plain_fork import PlainCopy, can_fork

        if self._forks >= _MOST_FORKS or not can_fork(modules, self._options):
            return False
        from arraytyping_mypy.taken_back import TakenBack

        names = {name for name, _ in sources.values()}
        ready = read_modules(names, sources[needed][0], modules)
        asked = {path: name for path, (name, _) in sources.items() if name in ready and path not in self._asked}
        size = sum(Path(path).stat().st_size for path in asked)
        if self._forks < _FEW_FORKS:  # what mypy has out of its cache is not checked, but may be later
            asked = {path: name for path, name in asked.items() if not modules[name].is_cache_skeleton}
        if self._taken_back is None:
            self._taken_back = TakenBack(self._manager)
        paths = {name: sources[path][1] for path, name in asked.items()}
        copy = PlainCopy(self._taken_back, modules, paths, self._changed(), size + max(size, _LITTLE))
        if not self._ask_copy(copy, needed, line):
            copy.end()
            self._forks = _MOST_FORKS
            return False
        self._forks += 1
        self._copies.insert(0, copy)
        return True

    def _take(self, found: Iterable[tuple[str, int, str, str]]) -> None:
        if self._errors is None:
            return
        for path, line, code, text in found:
            self._errors.add((path, line, code))
            if code in _COMMENTS:
                self._comments[path, line].append(text)

    def _changed(self) -> dict[str, Any]:
        """The options of the build, without the plugin."""
        options = self._options
        snapshot = options.snapshot() | _ALONE
        for derived in ("disabled_error_codes", "enabled_error_codes"):
            snapshot.pop(derived, None)
        snapshot["plugins"] = [p for p in options.plugins if p.partition(":")[0] != PLUGIN]
        snapshot["allow_redefinition"], snapshot["local_partial_types"] = self._redefinition
        if options.cache_dir != os.devnull:
            snapshot["cache_dir"] = str(Path(options.cache_dir, "plain"))
        return snapshot


def _run(
    sources: list[tuple[str, str]], options: dict[str, Any], lender: str | None
) -> list[tuple[str, int, str, str]] | None:
    """The errors of a run on these modules, with the cache of this build; None if it came to no end."""
    import pickle  # these three are seldom needed
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory(prefix="arraytyping-") as directory:
        request, answer = Path(directory, "request"), Path(directory, "answer")
        request.write_bytes(pickle.dumps((sources, options, lender)))
        subprocess.run(
            [sys.executable, "-P", "-m", "arraytyping_mypy.plain_build", str(request), str(answer)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, VARIABLE: "1"},
            stderr=None if os.environ.get("ARRAYTYPING_DEBUG") == "1" else subprocess.DEVNULL,
        )
        if not answer.is_file():
            return None
        return [(file, line, code, text) for file, line, code, text in json.loads(answer.read_text())]


def _hides(text: str, code: str) -> bool:
    """Whether a comment of which plain mypy says this hides an error with this code."""
    used = _USED.search(text)
    if used is not None and code in used[1].split(", "):
        return True
    unused = _UNUSED.match(text)
    return unused is not None and unused["codes"] is not None and code not in unused["codes"].split(", ")
