"""Where names live: modules and the frames of functions, classes and comprehensions."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from arraytyping.checker.flow.values.basic import Value
from arraytyping.checker.flow.values.missing import MISSING

__all__ = ["NO_DOUBTS", "Doubts", "Frame", "Module"]

Kind = Literal["module", "function", "class", "comprehension"]


class Module:
    """A module that is interpreted: its source, its names, and what was seen at each of its expressions.

    `is_program` tells the user's own modules from those of libraries, whose mistakes and claims are not shown;
    `is_library` those that are followed from their source, of which not even the user's call is held responsible.
    """

    def __init__(
        self, name: str, path: Path, source: str, tree: ast.Module, is_program: bool, is_package: bool
    ) -> None:
        self.name = name
        self.path = path
        self.shown: str = str(path)
        self.source = source
        self.tree = tree
        self.is_program = is_program
        self.is_package = is_package
        self.frame: Frame = Frame(None, "module", self)
        self.seen: dict[ast.AST, dict[Any, Any]] = {}
        self.results: dict[ast.Call, Any] | None = None
        """What is known of all that its calls gave (`state.call_results`); None: it is not noted."""
        self.is_done = False
        self.is_library = False
        self.is_stand_in = False
        """Whether it is written to be followed, and raises what the library in its place raises."""


class Doubts(NamedTuple):
    """How often an undecided branch, on no data, may have left what a frame is executing: how it left."""

    continues: int = 0
    breaks: int = 0
    raises: int = 0
    returns: int = 0

    def __or__(self, other: Doubts) -> Doubts:
        """The doubts of two paths that meet."""
        if self == other:
            return self
        return Doubts(*map(max, self, other))


NO_DOUBTS: Final = Doubts()


class Frame:
    """A scope at run time: variables, and the paths through the function that have ended already (`exits`)."""

    __slots__ = (
        "began", "born", "contract", "doubts", "exits", "function", "globals", "kind", "loop", "mark", "module",
        "names", "nonlocals", "parent", "production", "receiver", "returns", "variables", "yields",
    )  # fmt: skip

    def __init__(self, parent: Frame | None, kind: Kind, module: Module) -> None:
        self.parent: Frame | None = parent
        self.kind = kind
        self.module: Module = module
        self.variables: dict[str, Any] = {}
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.names: frozenset[str] = frozenset()  # what a function binds: its local variables
        self.function: Any = None  # the FunctionValue
        self.receiver: Value = MISSING
        self.exits: list[Any] = []
        self.mark: int = 0
        self.loop: int = 0  # the mark of the innermost loop
        self.began: float = 0  # when the innermost block of it began that is being executed
        self.production: Any = None  # of the items that a generator gives
        self.yields: Any = None
        self.returns: Any = None
        self.contract: Any = None
        self.born: int = 0
        self.doubts: Doubts = NO_DOUBTS

    def owner_of(self, name: str) -> Frame:
        """The frame in which an assignment to the name binds it."""
        if name in self.globals:
            return self.module.frame
        if name in self.nonlocals:
            frame = self.parent
            while frame is not None:
                if frame.kind == "function" and (name in frame.variables or name in frame.names):
                    return frame.owner_of(name) if name in frame.nonlocals else frame
                frame = frame.parent
        return self

    def find(self, name: str) -> Value:
        """The value of a name as Python looks it up, without the builtins; MISSING if it is not bound."""
        if name in self.globals:
            return self.module.frame.variables.get(name, MISSING)
        frame: Frame | None = self
        while frame is not None:
            if name in frame.variables and (frame.kind != "class" or frame is self):
                return frame.variables[name]
            if name in frame.globals:
                return self.module.frame.variables.get(name, MISSING)
            frame = frame.parent
        return MISSING

    def function_frame(self) -> Frame:
        """The frame of the function, class body or module around a comprehension."""
        frame = self
        while frame.kind == "comprehension":
            assert frame.parent is not None
            frame = frame.parent
        return frame
