"""Plain mypy in a fork of this process, which has the libraries in memory: only the program is read again.

In the copy nothing is left of what the plugin changes in libraries, and the program's modules are parsed, analysed and
checked as plain mypy does it, without the plugin and with the options that are configured.  As `plain_build.py`, it
uses what is private in mypy and has to do with a whole build.  Where it cannot be used, or fails, nothing is known.
"""

from __future__ import annotations

import gc
import io
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import mypy.build
from mypy.build import SCC, BuildManager, State
from mypy.cache import CACHE_VERSION
from mypy.error_formatter import OUTPUT_CHOICES
from mypy.errors import Errors
from mypy.graph_utils import prepare_sccs, strongly_connected_components, topsort
from mypy.metastore import FilesystemMetadataStore
from mypy.nodes import MypyFile, SymbolTableNode
from mypy.options import Options
from mypy.plugin import ChainedPlugin, Plugin
from mypy.plugins.default import DefaultPlugin
from mypy.typestate import type_state

from arraytyping.checker.import_graph import importers_of, reached
from arraytyping.checker.swallowed import swallow
from arraytyping.regular_files import content_of
from arraytyping_mypy.names import ARRAY, is_program
from arraytyping_mypy.plain_libraries import FORMAT
from arraytyping_mypy.read_again import forget_trees
from arraytyping_mypy.taken_back import TakenBack

__all__ = ["can_fork", "errors_in_fork"]

_Found = tuple[str, int, str, str]
_STUBS: Final = f"{os.sep}jax-stubs{os.sep}"
"""Our stubs of jax, of which the plugin makes others."""


def can_fork(modules: Mapping[str, MypyFile], options: Options) -> bool:
    """Whether a copy of this process can be made plain: no other plugin is there, and none of our stubs of jax."""
    tree = modules.get(ARRAY.rpartition(".")[0])
    is_read = tree is None or ((not tree.is_cache_skeleton or _is_understood(options)) and _STUBS not in tree.path)
    is_whole = not options.fine_grained_incremental and not options.num_workers
    return is_read and is_whole and len(options.plugins) == 1 and hasattr(os, "fork")


def _is_understood(options: Options) -> bool:
    """Whether what mypy has taken out of its cache and not looked at yet is in the format that is known here."""
    return options.fixed_format_cache and CACHE_VERSION == FORMAT and hasattr(SymbolTableNode, "_node_bytes")


def errors_in_fork(
    taken_back: TakenBack, modules: dict[str, MypyFile], asked: Mapping[str, str], snapshot: dict[str, Any], most: int
) -> tuple[list[_Found], list[str]] | None:
    """File, line, code and text of each error in the modules `asked` (names and paths) under these options.

    With the names of those that wait for a library that is not loaded yet, of which nothing is said.  None if it came
    to no end, or if these and what they import of the program have more than `most` bytes.
    """
    try:
        manager = taken_back.manager(modules)
    except Exception as error:  # what is private in mypy is not as it was
        swallow(error)
        return None
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reader)
            if os.environ.get("ARRAYTYPING_DEBUG") != "1":
                sys.stdout = sys.stderr = io.StringIO()  # mypy prints where it fails
            gc.disable()
            gc.freeze()  # what is not looked at is not copied
            taken_back.take_back(modules)
            found = _errors_of(manager, asked, snapshot, most)
            with os.fdopen(writer, "w") as file:
                json.dump(found, file)
            status = 0
        except BaseException as error:
            swallow(error)
            if os.environ.get("ARRAYTYPING_DEBUG") == "1":
                sys.excepthook(*sys.exc_info())
        finally:
            os._exit(status)  # nothing of the other process may be written or closed here
    os.close(writer)
    with os.fdopen(reader) as file:
        text = file.read()
    _, status = os.waitpid(child, 0)
    if status:
        return None
    found, waiting = json.loads(text)
    return [(path, line, code, message) for path, line, code, message in found], waiting


def _errors_of(
    manager: BuildManager, asked: Mapping[str, str], snapshot: dict[str, Any], most: int
) -> tuple[list[_Found], list[str]]:
    lines: list[str] = []
    options = Options().apply_changes(snapshot)
    options.process_error_codes(error_callback=lambda _: None)
    options.cache_dir = os.devnull
    _restart(manager, options, lines)
    modules = manager.modules
    states = _states(manager, asked, most)
    components = list(_components(states))
    states["builtins"] = State.new_state("builtins", modules["builtins"].path, None, manager)
    states["builtins"].tree = modules["builtins"]  # which mypy looks at in the graph
    for component in components:
        mypy.build.process_stale_scc(states, SCC(component), manager)
    found = [json.loads(line) for line in lines if line.startswith("{")]
    wanted = {os.path.realpath(path) for name, path in asked.items() if name in states}
    errors = [
        (path, e["line"], e["code"], e["message"])
        for e in found
        if e["severity"] == "error" and (path := os.path.realpath(e["file"])) in wanted
    ]
    return errors, [name for name in asked if name not in states]


def _restart(manager: BuildManager, options: Options, lines: list[str]) -> None:
    """Have a build go on with these options, without the plugin and without a cache."""
    _HELD.extend((manager.metastore, manager.errors, manager.plugin))
    manager.metastore = FilesystemMetadataStore(os.devnull)
    manager.cache_enabled = False
    forget_trees(manager)
    manager.options = options
    manager.stdout = manager.stderr = io.StringIO()
    manager.error_formatter = OUTPUT_CHOICES["json"]
    prefix = manager.errors.ignore_prefix or ""
    manager.errors = Errors(options, error_formatter=manager.error_formatter)
    manager.errors.set_ignore_prefix(prefix)
    manager.flush_errors = lambda _, new, __: lines.extend(new)
    plain: list[Plugin] = [DefaultPlugin(options)]
    manager.plugin = ChainedPlugin(options, plain)
    manager.plugin.set_modules(manager.modules)
    manager.semantic_analyzer.plugin = manager.plugin
    manager.semantic_analyzer.errors = manager.errors
    type_state.reset_all_subtype_caches()


_HELD: Final[list[Any]] = []
"""What the fork shares with the process that it came from, and may not close: the cache's databases above all."""


def _states(manager: BuildManager, asked: Mapping[str, str], most: int) -> dict[str, State]:
    """The modules that are asked of, and all of the program that they import, parsed anew.

    Of those that are only imported no errors are shown, so that mypy need not go through all of their functions.  Those
    are left out that wait for a library that is not loaded yet.

    Raises:
        LookupError: if a module is no file.
        OverflowError: if they are more than so many bytes.
    """
    modules = manager.modules
    paths = dict(asked)
    states: dict[str, State] = {}
    waiting: set[str] = set()
    while paths:
        name, path = paths.popitem()
        most -= Path(path).stat().st_size
        if most < 0:
            raise OverflowError("more of the program is imported than is asked of")
        if content_of(path) is not None:
            raise LookupError(name)  # a program that is given as text
        manager.ast_cache.pop(name, None)
        state = states[name] = State.new_state(name, path, None, manager, root_source=name in asked)
        state.ignore_all = name not in asked
        state.parse_file()
        state.compute_dependencies()
        for other in list(state.dependencies):
            tree = modules.get(other)
            if tree is not None:
                if is_program(other, tree.path):
                    if other not in states:
                        paths[other] = tree.path
                elif not tree.names:  # which mypy has parsed, and not come to yet
                    waiting.add(name)
            elif other in manager.missing_modules:
                state.suppress_dependency(other)
            else:
                waiting.add(name)
    for name in reached(waiting, importers_of({name: one.dependencies for name, one in states.items()})):
        states.pop(name, None)
    for state in states.values():
        state.verify_dependencies(suppressed_only=True)
    return states


def _components(states: Mapping[str, State]) -> Iterable[set[str]]:
    """The modules that import each other, those first that are imported."""
    edges = {name: [d for d in state.dependencies if d in states] for name, state in states.items()}
    data = prepare_sccs(list(strongly_connected_components(set(states), edges)), edges)
    for ready in topsort(data):
        for component in sorted(ready, key=min):
            yield set(component)
