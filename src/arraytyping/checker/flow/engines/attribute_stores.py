"""Where the program binds attributes: which names a class's instances may have bound besides by its constructors.

What a method binds of its own `self` counts for the classes that derive from its class, and those that this derives
from.  Classes are known by their names here, across modules, so that one of the same name counts as well.  Files of
the project that are not loaded count, too.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from arraytyping.checker.flow.sources.class_bindings import (
    ANY_NAME,
    ClassBody,
    ClassesBeside,
    FileClasses,
    Store,
    classes_in,
)
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import ClassValue

__all__ = ["CLASSES_BESIDE", "bound_below", "bound_besides"]

CLASSES_BESIDE: Final[RunSlot[ClassesBeside]] = RunSlot("the classes of files that may not be loaded", ClassesBeside)


@dataclass
class _Program:
    """What so many of the modules say, and the files that are not loaded."""

    modules: int = -1
    beside: ClassesBeside = field(default_factory=ClassesBeside)
    stores: list[Store] = field(default_factory=list)
    classes: list[ClassBody] = field(default_factory=list)

    def add(self, file: FileClasses) -> None:
        """Take in what one file says."""
        self.stores += file.stores
        self.classes += file.classes


_PROGRAM: Final[RunSlot[list[_Program]]] = RunSlot("where the program binds attributes", lambda: [_Program()])


def bound_besides(it: Interpreter, cls: ClassValue, makers: Collection[ast.AST]) -> set[str] | None:
    """The attributes of instances of a class that other functions than these bind; None if any may be bound."""
    if not CLASSES_BESIDE.of(it).is_closed:
        return None
    program = _program(it)
    related = {base.name for base in cls.mro if isinstance(base, ClassValue)} | _below(program, cls.name)
    found = {s.name for s in program.stores if s.function not in makers and (not s.owner or s.owner in related)}
    return None if ANY_NAME in found else found


def bound_below(it: Interpreter, cls: ClassValue) -> set[str] | None:
    """The names that instances of a class may have of a class that derives from it; None if none derives from it."""
    program = _program(it)
    if not CLASSES_BESIDE.of(it).is_closed:
        bases = [base for base in cls.mro if isinstance(base, ClassValue)]
        stored = {s.name for s in program.stores if s.name != ANY_NAME}
        return stored.union(*((*base.namespace, *base.fields) for base in bases))
    above = {base.node for base in cls.mro if isinstance(base, ClassValue)} - {None}
    names = _below(program, cls.name)
    below = [c for c in program.classes if c.bases & (names | {ANY_NAME}) and c.node not in above]
    if not below:
        return None
    owners = {c.name for c in below} - {cls.name}
    return {name for c in below for name in c.bound} | {
        s.name for s in program.stores if s.owner in owners and s.name != ANY_NAME
    }


def _program(it: Interpreter) -> _Program:
    (program,) = held = _PROGRAM.of(it)
    loaded = it.importer.loaded
    beside = CLASSES_BESIDE.of(it)
    if program.modules == len(loaded) and program.beside == beside:
        return program
    held[0] = program = _Program(len(loaded), beside)
    paths = {str(module.path.resolve()) for module in loaded} | beside.own
    for module in loaded:
        program.add(classes_in(module.tree))
    for path, file in beside.files:
        if path not in paths:
            program.add(file)
    return program


def _below(program: _Program, name: str) -> set[str]:
    """The name of a class, and those of classes that may derive from it."""
    below = {name}
    while more := {c.name for c in program.classes if c.name not in below and c.bases & (below | {ANY_NAME})}:
        below |= more
    return below
