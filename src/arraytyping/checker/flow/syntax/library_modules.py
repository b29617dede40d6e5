"""Modules of libraries that are followed from their source: each is executed when a name of it is first needed.

Stand-ins come first: short modules that say what of a library a program can see (`stand_ins`), where its source would
say less.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.python.fields import initialize_dataclass
from arraytyping.checker.flow.python.instantiation import initializer
from arraytyping.checker.flow.sources.installed_sources import LibrarySource, find_library
from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.flow.sources.stand_ins import find_stand_in
from arraytyping.checker.flow.state.certainty import doubting
from arraytyping.checker.flow.state.interpreter import Interpreter, Raised, Recursion
from arraytyping.checker.flow.state.library_work import at_top_level, call_library
from arraytyping.checker.flow.values import (
    MISSING,
    OPEN,
    ClassValue,
    InstanceValue,
    LazyName,
    ModuleValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.frames import Module

__all__ = ["LibraryModules"]

_NESTED: Final = 24
"""How many modules may wait for each other while they are executed."""


class LibraryModules:
    """The modules of libraries of one run, by name."""

    def __init__(self, stand_ins: tuple[Path, ...] = ()) -> None:
        self.modules: dict[str, Module | None] = {}
        self._stand_ins = stand_ins
        self._resolving: set[tuple[str, str]] = set()
        self._under_way = 0

    def find(self, name: str) -> LibrarySource | None:
        """The source of a module: a stand-in's, or the installed one."""
        return find_stand_in(name, self._stand_ins) or find_library(name)

    def own_files(self) -> list[Path]:
        """The files that were read which may change without another version: those that are installed elsewhere."""
        found = (module.path for module in self.modules.values() if module is not None)
        return [path for path in found if path.is_file() and "site-packages" not in path.parts]

    def stands_in(self, name: str) -> bool:
        """Whether there is a stand-in for a module, or for the package that it is in."""
        return any(find_stand_in(part, self._stand_ins) is not None for part in (name, name.partition(".")[0]))

    def load(self, it: Interpreter, name: str) -> Module | None:
        """The module, executed; None if it cannot be."""
        if name in self.modules:
            return self.modules[name]
        found = self.find(name)
        module = None if found is None or self._under_way > _NESTED else _module(name, found)
        self.modules[name] = module
        if module is not None:
            module.is_stand_in = self.stands_in(name)
            self._under_way += 1
            try:
                it.engines.apart(functools.partial(self._execute, it, module))
            finally:
                self._under_way -= 1
        return module

    def _execute(self, it: Interpreter, module: Module) -> None:
        frame = module.frame
        frame.mark = it.journal.mark
        with at_top_level(it, frame), doubting(it, frame):
            try:
                call_library(it, f"the module {module.name}", [], functools.partial(_run, it, module), None)
            finally:
                # It is executed once, on whatever path that is.
                it.journal.forget(frame.mark)
                module.is_done = True
                if find_stand_in(module.name, self._stand_ins) is not None:
                    _open_classes(module)

    def resolve(self, it: Interpreter, value: LazyName) -> Value:
        """What an import stands for."""
        module = self.load(it, value.module)
        if value.name is not None:
            key = (value.module, value.name)
            is_new = key not in self._resolving
            self._resolving.add(key)
            try:
                return self.attribute(it, value.module, module, value.name)
            finally:
                if is_new:
                    self._resolving.discard(key)
        why = f"the module {value.module}, which is not followed"
        return it.unknown(why) if module is None else ModuleValue(module)

    def attribute(self, it: Interpreter, name: str, module: Module | None, attribute: str) -> Value:
        """A name of a module, or a submodule of it."""
        if module is not None:
            found = module.frame.variables.get(attribute, MISSING)
            if type(found) is LazyName:
                # `from package import module` in the package itself names the submodule.
                if (found.module, found.name) not in self._resolving:
                    return self.resolve(it, found)
            elif found is not MISSING:
                return found
        full = f"{name}.{attribute}"
        if (module is None or module.is_package) and self.find(full) is not None:
            sub = self.load(it, full)
            return it.unknown(f"the module {full}") if sub is None else ModuleValue(sub)
        if module is not None and (getattr_ := module.frame.variables.get("__getattr__")) is not None:
            return it.call(getattr_, [attribute], {}, None)
        return it.unknown(f"{full}, which is not found in the source")

    def star(self, it: Interpreter, name: str) -> Iterator[tuple[str, Value]]:
        """The names that `from ... import *` binds."""
        module = self.load(it, name)
        if module is None:
            return
        exported = module.frame.variables.get("__all__")
        names = None
        if exported is not None:
            items, _ = it.iterate(exported, None)
            names = [n for n in items or () if isinstance(n, str)]
        for key in names if names is not None else [n for n in module.frame.variables if not n.startswith("_")]:
            yield key, LazyName(name, key)


def _open_classes(module: Module) -> None:
    """A class of a stand-in has more than is said of it, unless it says with `__getattr__` what it has."""
    for cls in module.frame.variables.values():
        is_own = isinstance(cls, ClassValue) and cls.module is module and cls.kind == "plain"
        if is_own and cls.find("__getattr__") is MISSING:
            cls.kind = "unknown"
            cls.options |= {OPEN: True, "instantiate": _make_instance}


def _make_instance(it: Interpreter, cls: ClassValue, call: Call) -> Value:
    """An instance of a class of which a stand-in says a part; without an `__init__` it takes anything."""
    instance = InstanceValue(cls, {})
    init = initializer(cls)
    if init is MISSING:
        it.engines.havoc(it, call.values)
    elif isinstance(init, ClassValue):
        initialize_dataclass(it, instance, call)
    else:
        it.call(init, *call.preceded_by(instance))
    return instance


def _module(name: str, found: LibrarySource) -> Module | None:
    try:
        source, tree = ("", ast.parse("")) if found.path.is_dir() else _read(found.path, found.path.stat().st_mtime_ns)
    except (SourceError, OSError):
        return None
    module = Module(name, found.path, source, tree, False, found.is_package)
    module.is_library = True
    package = name if found.is_package else name.rpartition(".")[0]
    module.frame.variables.update(
        __name__=name, __file__=str(found.path), __doc__=None, __package__=package, __spec__=None
    )
    if found.is_package:
        module.frame.variables["__path__"] = Unknown("the path of a package")
    return module


@functools.lru_cache(maxsize=512)
def _read(path: Path, changed: int) -> tuple[str, ast.Module]:
    return read_source(path)


def _run(it: Interpreter, module: Module) -> None:
    try:
        it.execute(module.tree.body, module.frame)
    except (Raised, Recursion):
        it.unknown("a module of a library that raises, as far as it is understood")
