"""Functions that nothing has called: started from their annotations, or followed with anything."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from arraytyping.checker.flow.contracts import symbolic_arguments
from arraytyping.checker.flow.contracts.checking import TRUST
from arraytyping.checker.flow.engines.signatures import FILLED_IN
from arraytyping.checker.flow.engines.unreached import follow_unreached, functions_in, is_settled
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.sources.statements import functions_of
from arraytyping.checker.flow.sources.whole_project import ANY_FUNCTION
from arraytyping.checker.flow.start.python_interpreter import PythonInterpreter
from arraytyping.checker.flow.start.running_tests import report_raised
from arraytyping.checker.flow.state.escaping import ESCAPED
from arraytyping.checker.flow.state.interpreter import Interpreter, OutOfTime
from arraytyping.checker.flow.state.platforms import without_platforms
from arraytyping.checker.flow.state.program_words import UNGIVEN
from arraytyping.checker.flow.state.x64_sides import without_sides
from arraytyping.checker.flow.syntax.imports import Importer
from arraytyping.checker.flow.values import ClassValue, FunctionValue, HandlerValue, JitValue, Value
from arraytyping.checker.flow.values.frames import Module

__all__ = ["UncalledFunctions", "apart", "uncalled_escaped"]

_MOST_UNREACHED: Final = 20_000
"""How much is done for one function that nothing calls, or for all methods of a class, in statements."""


@contextmanager
def apart(it: PythonInterpreter, importer: Importer) -> Iterator[None]:
    """Keep what is seen in here apart from what the run itself has shown."""
    before = [(loaded, loaded.seen) for loaded in importer.loaded]
    is_ended_by_raising, havocked, ungiven = it.is_ended_by_raising, it.havocked, UNGIVEN.of(it)
    it.havocked = {}
    UNGIVEN.put(it, "no")
    for loaded, _ in before:
        loaded.seen = {}
    try:
        yield
    finally:
        for loaded in importer.loaded:
            loaded.seen = {}
        for loaded, seen in before:
            loaded.seen = seen
        it.is_ended_by_raising, it.havocked = is_ended_by_raising, havocked
        UNGIVEN.put(it, ungiven)


class UncalledFunctions:
    """The functions of an entry point's modules that nothing calls; those in `reached` are called elsewhere."""

    def __init__(self, entry: EntryPoint, importer: Importer, reached: frozenset[tuple[str, int]]) -> None:
        self._entry = entry
        self._importer = importer
        self._reached = reached
        self._followed_anyway: set[ast.AST] = set()

    def start(self, it: PythonInterpreter, module: Module) -> None:
        """Start a module's functions from their annotations, and follow the others with anything."""
        with without_platforms(it):
            self._start(it, module)

    def _start(self, it: PythonInterpreter, module: Module) -> None:
        before = TRUST.of(it)
        TRUST.put(it, True)
        try:
            for value in list(module.frame.variables.values()):
                function = _function_in(value)
                if isinstance(function, FunctionValue) and self._is_unreached(it, module, function):
                    _start_function(it, module, value, function)
        finally:
            TRUST.put(it, before)
        it.known_functions = frozenset(self._reached_functions(it))
        try:
            for value in list(module.frame.variables.values()):
                self._follow(it, module, value, lambda function: self._is_to_follow(it, module, function))
        finally:
            it.known_functions = frozenset()

    def start_escaped(self, it: PythonInterpreter) -> None:
        """Follow what went where flow cannot follow once more, with all that the program has bound by its end."""
        before, it.havocked = it.havocked, {}
        try:
            with without_platforms(it):
                for value in uncalled_escaped(it):
                    module = value.module if isinstance(value, ClassValue) else value.frame.module
                    if module is not None and module.is_program:
                        self._follow(it, module, value, lambda function: self._is_to_follow_escaped(it, function))
        finally:
            it.havocked = before

    def _reached_functions(self, it: PythonInterpreter) -> Iterator[ast.AST]:
        """The functions that were called here, or where the program is run."""
        yield from (node for node in it.reached if not self._is_called_beside(node))
        paths = {path for path, _ in self._reached}
        for loaded in self._importer.loaded:
            path = str(loaded.path.resolve())
            if path in paths:
                yield from (n for n in functions_of(loaded.tree) if (path, n.lineno) in self._reached)

    def _follow(
        self, it: PythonInterpreter, module: Module, value: Value, is_unreached: Callable[[FunctionValue], bool]
    ) -> None:
        """Follow what nothing has called with arguments of which nothing is known."""
        is_own = isinstance(value, ClassValue) and value.module is module
        if not is_own and not any(function.frame.module is module for function in functions_in(value)):
            return
        mark = it.journal.mark
        it.check_time()
        before, it.most_work = it.most_work, it.work + _MOST_UNREACHED
        try:
            with without_sides(it), it.in_frame(module.frame), report_raised(it, is_meant=True):
                follow_unreached(it, value, is_unreached)
        except OutOfTime:
            it.most_work = before
            it.check_time()  # that of the entry point ends it
        finally:
            it.most_work = before
        it.journal.undo(mark)

    def _is_unreached(self, it: Interpreter, module: Module, function: FunctionValue) -> bool:
        node = function.node
        if isinstance(node, ast.Lambda) or function.frame.module is not module:
            return False
        if (str(module.path.resolve()), node.lineno) in self._reached:
            return False
        if node not in it.reached:
            return True
        # What is called here may be called by others, with anything; that is followed once.
        return node not in self._followed_anyway and self._is_called_beside(node)

    def _is_to_follow(self, it: Interpreter, module: Module, function: FunctionValue) -> bool:
        """Whether a function is to be followed with arguments of which nothing is known, for the first time."""
        found = self._is_unreached(it, module, function)
        self._followed_anyway.add(function.node)
        return found

    def _is_to_follow_escaped(self, it: Interpreter, function: FunctionValue) -> bool:
        """The same for one that went where flow cannot follow; calls of lambdas are not noted."""
        if not is_settled(function):
            return False
        return isinstance(function.node, ast.Lambda) or self._is_to_follow(it, function.frame.module, function)

    def _is_called_beside(self, node: ast.AST) -> bool:
        """Whether a file that is not checked may call a function of the library, as far as names say."""
        names = (self._entry.rest or self._entry).called_beside
        if not names or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return False
        is_special = node.name.startswith("__") and node.name.endswith("__")
        return is_special or not names.isdisjoint((ANY_FUNCTION, node.name))


def _function_in(value: Value) -> Value:
    """The function below what keeps its parameters."""
    if isinstance(value, JitValue):
        return value.function
    return value.wraps[0] if isinstance(value, HandlerValue) and value.name == FILLED_IN else value


def uncalled_escaped(it: Interpreter) -> list[FunctionValue | ClassValue]:
    """What went where flow cannot follow and is not known to be called."""
    return [value for value in ESCAPED.of(it).values() if value.node not in it.reached]


def _start_function(it: Interpreter, module: Module, value: object, function: FunctionValue) -> None:
    """Call a function with arguments that its annotations describe."""
    mark = it.journal.mark
    with without_sides(it), it.in_frame(module.frame), report_raised(it, is_meant=True):
        arguments = symbolic_arguments(it, function)
        if arguments is not None:
            only = {p.arg for p in function.node.args.posonlyargs}
            first = [v for n, v in arguments.items() if n in only]
            it.call(value, first, {n: v for n, v in arguments.items() if n not in only}, None)
    it.journal.undo(mark)
