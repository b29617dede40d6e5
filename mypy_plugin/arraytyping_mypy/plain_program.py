"""The program as plain mypy has it, in a copy of the process: only what is asked of is read and checked.

A module is parsed and analysed, with what it imports of the program, without the plugin and with the options that are
configured.  mypy checks functions apart from what the module says to others, and in no order that matters, as it does
in parallel: so of functions those are checked that are asked about.  As `plain_build.py`, it uses what is private in
mypy and has to do with a whole build.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import mypy.build
from librt.internal import WriteBuffer
from mypy.build import SCC, BuildManager, State
from mypy.checker import DeferredNode
from mypy.error_formatter import OUTPUT_CHOICES
from mypy.errors import Errors
from mypy.graph_utils import prepare_sccs, strongly_connected_components, topsort
from mypy.metastore import FilesystemMetadataStore
from mypy.nodes import SymbolNode
from mypy.options import Options
from mypy.plugin import ChainedPlugin, Plugin
from mypy.plugins.default import DefaultPlugin
from mypy.typestate import type_state
from mypy.version import __version__ as MYPY

from arraytyping.checker.import_graph import reached
from arraytyping.regular_files import content_of
from arraytyping_mypy.kept_plain import KeptPlain, digest_of
from arraytyping_mypy.names import is_program
from arraytyping_mypy.own_sources import own_sources
from arraytyping_mypy.plain_functions import Function, functions_of, is_in
from arraytyping_mypy.read_again import forget_trees

__all__ = ["Found", "PlainProgram"]

Found = tuple[str, int, str, str]
"""The file, the line, the code and the text of an error."""
_BY_FUNCTION: Final = MYPY.startswith("2.4.")
"""Whether functions are checked one by one: the releases of mypy of which is known how it goes through them."""
_LONG: Final = 0.5
"""Seconds: what takes less to check is checked again sooner than it is known whether what is kept of it holds."""


class PlainProgram:
    """The modules `asked` (names and paths) and what they import of the program, under these options.

    Nothing of it is read before it is asked of.
    """

    def __init__(self, manager: BuildManager, asked: Mapping[str, str], snapshot: dict[str, Any], most: int) -> None:
        self._manager = manager
        self._asked = asked
        self._snapshot: dict[str, Any] | None = snapshot
        self._most = most
        self._states: dict[str, State] = {}
        self._imports: dict[str, frozenset[str]] = {}
        self._meta_files: dict[str, Any] = {}
        self._kept: KeptPlain | None = None
        self._interfaces: dict[str, str] = {}
        """A digest of what modules say to others, as mypy keeps it."""
        self._checked: set[SymbolNode] = set()
        """The functions that were checked one by one."""
        self._remembered: dict[SymbolNode, list[Found]] = {}
        """What is kept of functions that were checked in a run before this one."""
        self._whole: set[str] = set()
        self._told: set[Found] = set()

    def said(self, name: str, line: int | None) -> tuple[list[Found], bool, bool]:
        """What `PlainSaid` holds, of a module or of one line in it.

        Raises:
            LookupError: if a module is no file.
            OverflowError: if what was asked of has too many bytes.
        """
        if self._snapshot is not None:
            self._start(self._snapshot)
            self._snapshot = None
        new = self._read(name)
        if new is None:
            return [], True, False
        for component in _components(new):
            self._check_interfaces(component)
        if name not in self._whole:
            self._check_functions(name, line)
        remembered = [
            one for _, function, _ in functions_of(self._states[name]) for one in self._remembered.get(function, ())
        ]
        found = [one for one in dict.fromkeys([*self._errors(name), *remembered]) if one not in self._told]
        self._told.update(found)
        return found, False, name in self._whole

    def _start(self, snapshot: dict[str, Any]) -> None:
        """Have the build go on with these options, without the plugin and without a cache."""
        options = Options().apply_changes(snapshot)
        options.process_error_codes(error_callback=lambda _: None)
        folder = str(Path(options.cache_dir).parent)  # beside that of plain mypy in a process of its own
        if options.incremental and options.cache_dir != os.devnull:
            self._kept = KeptPlain(folder, digest_of([snapshot, MYPY, sys.version, own_sources(folder)]))
        options.cache_dir = os.devnull
        _restart(self._manager, options)
        builtins = self._manager.modules["builtins"]
        state = self._states["builtins"] = State.new_state("builtins", builtins.path, None, self._manager)
        state.tree = builtins  # which mypy looks at in the graph
        self._whole.add("builtins")

    def _read(self, name: str) -> dict[str, State] | None:
        """The module and all of the program that it imports, as far as it is not parsed yet.

        Of those that are only imported no errors are shown, so that mypy need not go through all of their functions.
        None if one of them waits for a library that is not loaded yet.
        """
        if name in self._states:
            return {}
        manager, known = self._manager, self._states
        paths = {name: self._asked[name]}
        new: dict[str, State] = {}
        is_waiting = False
        while paths:
            name, path = paths.popitem()
            self._most -= Path(path).stat().st_size
            if self._most < 0:
                raise OverflowError("more of the program is imported than is asked of")
            if content_of(path) is not None:
                raise LookupError(name)  # a program that is given as text
            manager.ast_cache.pop(name, None)
            state = new[name] = State.new_state(name, path, None, manager, root_source=name in self._asked)
            state.ignore_all = name not in self._asked
            state.parse_file()
            state.compute_dependencies()
            for other in list(state.dependencies):
                tree = manager.modules.get(other)
                if other in known or other in new:
                    continue
                if tree is not None:
                    if is_program(other, tree.path):
                        paths[other] = tree.path
                    elif not tree.names:  # which mypy has parsed, and not come to yet
                        is_waiting = True
                elif other in manager.missing_modules:
                    state.suppress_dependency(other)
                else:
                    is_waiting = True
        if is_waiting:
            return None
        for state in new.values():
            state.verify_dependencies(suppressed_only=True)
        known.update(new)
        self._imports.update((name, frozenset(state.dependencies)) for name, state in new.items())
        return new

    def _check_interfaces(self, component: set[str]) -> None:
        """Check what these modules, which import each other, say to others, and what is not in functions."""
        states, manager = self._states, self._manager
        if not all(states[name].options.local_partial_types for name in component):
            mypy.build.process_stale_scc(states, SCC(component), manager)  # one after the other, with all functions
            self._whole |= component
            return
        for name, _, meta_file in mypy.build.process_stale_scc_interface(states, SCC(component), manager, set()):
            self._meta_files[name] = meta_file

    def _check_functions(self, name: str, line: int | None) -> None:
        """Check the functions of a module, or those that a line is in; what mypy finds at last, if all."""
        state, manager = self._states[name], self._manager
        if not _BY_FUNCTION:
            mypy.build.process_stale_scc_implementation(self._states, [name], manager, [self._meta_files[name]])
            self._whole.add(name)
            return
        if state.type_checker().can_skip_diagnostics:
            self._whole.add(name)
            return
        for full_name, function, info in functions_of(state):
            if function not in self._checked and (line is None or is_in(line, function)):
                key = f"{full_name}:{function.line}"
                if line is None or not self._is_remembered(state, function, key):
                    self._checked.add(function)
                    self._check_function(state, DeferredNode(function, info), key)
        if line is None:
            state.detect_possibly_undefined_vars()
            state.finish_passes()
            state.generate_unused_ignore_notes()
            state.generate_ignore_without_code_notes()
            self._whole.add(name)

    def _check_function(self, state: State, function: DeferredNode, key: str) -> None:
        """Check one function, and keep what is found if that takes long."""
        checker = state.type_checker()
        before = set(self._errors(state.id)) if self._kept is not None else set()
        begun = time.process_time()
        checker.pass_num = -1  # as mypy itself begins
        checker.deferred_nodes.clear()
        state.type_check_second_pass(todo=[function], impl_only=True)
        while checker.deferred_nodes:
            state.type_check_second_pass(impl_only=True)
        if self._kept is None or time.process_time() - begun < _LONG:
            return
        assert state.tree is not None
        met = self._manager.indirection_detector.find_modules(set(state.type_map().values()))
        used = met | state.tree.module_refs | checker.module_refs | set(state.dependencies)
        interfaces = {name: self._interface_of(name) for name in used & self._imports.keys() - {state.id}}
        modules = self._manager.modules.items()
        libraries = [tree.path for name, tree in modules if tree.path and not is_program(name, tree.path)]
        errors = [
            (line, code, text) for _, line, code, text in self._errors(state.id) if (_, line, code, text) not in before
        ]
        self._kept.keep(key, self._module_digest(state), interfaces, libraries, errors)

    def _is_remembered(self, state: State, function: Function, key: str) -> bool:
        """Whether what is found in a function is known from a run before this one."""
        if function in self._remembered:
            return True
        kept = self._kept
        said = None if kept is None else kept.found(key, self._module_digest(state), self._interface_of)
        if said is None:
            return False
        path = os.path.realpath(state.xpath)
        self._remembered[function] = [(path, line, code, text) for line, code, text in said]
        return True

    def _module_digest(self, state: State) -> str:
        """A digest of a module's text, and of which modules it imports of the program by whatever way."""
        imports = {name: {*found & self._states.keys()} for name, found in self._imports.items()}
        closure = {
            name: [self._states[name].xpath, sorted(self._states[name].suppressed)]
            for name in reached([state.id], imports)
        }
        return digest_of([hashlib.sha256(Path(state.xpath).read_bytes()).hexdigest(), closure])

    def _interface_of(self, name: str) -> str | None:
        """A digest of what a module of the program says to others; None if it is not one that was read."""
        state = self._states.get(name)
        if state is None or state.tree is None:
            return None
        if name not in self._interfaces:
            data = WriteBuffer()
            state.tree.write(data)
            self._interfaces[name] = hashlib.sha256(data.getvalue()).hexdigest()
        return self._interfaces[name]

    def _errors(self, name: str) -> Iterator[Found]:
        """All errors that have been found in a module."""
        state, errors = self._states[name], self._manager.errors
        path = os.path.realpath(state.xpath)
        lines = errors.format_messages(
            state.xpath, errors.file_messages(state.xpath), formatter=self._manager.error_formatter
        )
        errors.flushed_files.discard(state.xpath)  # more may come
        for line in lines:
            if (error := json.loads(line))["severity"] == "error":
                yield path, error["line"], error["code"], error["message"]


def _restart(manager: BuildManager, options: Options) -> None:
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
    manager.flush_errors = lambda _, __, ___: None
    plain: list[Plugin] = [DefaultPlugin(options)]
    manager.plugin = ChainedPlugin(options, plain)
    manager.plugin.set_modules(manager.modules)
    manager.semantic_analyzer.plugin = manager.plugin
    manager.semantic_analyzer.errors = manager.errors
    type_state.reset_all_subtype_caches()


_HELD: Final[list[Any]] = []
"""What the copy shares with the process that it came from, and may not close: the cache's databases above all."""


def _components(states: Mapping[str, State]) -> Iterable[set[str]]:
    """The modules that import each other, those first that are imported."""
    edges = {name: [d for d in state.dependencies if d in states] for name, state in states.items()}
    data = prepare_sccs(list(strongly_connected_components(set(states), edges)), edges)
    for ready in topsort(data):
        for component in sorted(ready, key=min):
            yield set(component)
