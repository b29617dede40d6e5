"""`raise` and `try`: an exception that is certain ends the path, a possible one may come at any moment."""

from __future__ import annotations

import ast
import unittest
from collections.abc import Callable
from typing import Any

from arraytyping.checker.flow.python.targets import bind_name
from arraytyping.checker.flow.sources.node_texts import text_of
from arraytyping.checker.flow.state.branching import branch
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds, Raised, TestEnds
from arraytyping.checker.flow.state.joins.saved import LOADING
from arraytyping.checker.flow.state.library_work import TooMuchWork, put_right
from arraytyping.checker.flow.state.numbering import made, note_paths
from arraytyping.checker.flow.state.program_words import note_exit
from arraytyping.checker.flow.values import MISSING, BaseValue, CaughtValue, ClassValue, InstanceValue, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["execute_raise", "execute_try", "finish_exits"]


def execute_raise(it: Interpreter, node: ast.Raise, frame: Frame) -> bool:
    """Execute `raise`: the path ends."""
    value = it.handled if node.exc is None else it.evaluate(node.exc, frame)
    what = "raises again" if node.exc is None else f"raises {text_of(node.exc)[:100]}"
    if value is SystemExit or isinstance(value, SystemExit):
        note_exit(it, frame.module.tree, node, value.code if isinstance(value, SystemExit) else None)
        raise ProgramEnds
    if _is_skip(it, node, value, frame):
        raise TestEnds
    raised = it.raised(what, node, value)
    raised.is_deliberate = True
    raise raised


def _is_skip(it: Interpreter, node: ast.Raise, value: Value, frame: Frame) -> bool:
    """Whether the exception tells that a test is skipped."""
    cls: Value = value if isinstance(value, type) else type(value)
    called = node.exc.func if isinstance(node.exc, ast.Call) and isinstance(value, BaseValue) else None
    if isinstance(called, ast.Name | ast.Attribute):
        cls = it.evaluate(called, frame)
    return isinstance(cls, type) and issubclass(cls, unittest.SkipTest)


def execute_try(it: Interpreter, node: ast.Try | ast.TryStar, frame: Frame) -> bool:
    """Execute `try`: the handlers run if the body raises, or may raise as far as one can know."""
    journal = it.journal
    mark, suppressed, dangers = journal.mark, it.suppressed + it.may_raise, it.dangers
    exits = len(frame.exits)
    doubts, conditions, before_loading = frame.doubts, it.conditions, LOADING.count
    before_making = made(it)
    ended: BaseException | None = None
    goes_on = False
    it.quiet += bool(node.handlers)
    it.trying += bool(node.handlers)
    it.obscure += any(map(_is_for_names, node.handlers))
    with it.attempting() as attempt:
        try:
            goes_on = it.execute(node.body, frame)
        except Raised as error:
            ended = error
        except ProgramEnds as error:
            ended = error
        except TooMuchWork:
            with put_right(it):
                it.execute(node.finalbody, frame)
            raise
        finally:
            it.quiet -= bool(node.handlers)
            it.trying -= bool(node.handlers)
    # That something may raise of which nothing is known is no reason to doubt what follows if nothing does.
    is_suspected = it.suppressed + it.may_raise > suppressed
    if node.handlers and (isinstance(ended, Raised) or it.dangers > dangers):
        # What the body may have raised is handled below.
        it.set_doubts(frame, frame.doubts._replace(raises=doubts.raises))
        it.conditions = conditions
        after = journal.changes(mark)
        if it.attempts:
            it.attempts[-1].held += journal.held(mark)
        journal.blur(mark, attempt.held)
        at_raise = journal.changes(mark)
        journal.undo(mark)

        # Another exception may have come before the one that is certain, and any handler may be its own.
        is_first = isinstance(ended, Raised) and ended.dangers <= dangers
        fitting = _handlers(it, node, ended, frame) if is_first else list(node.handlers)

        loaded, LOADING.count = LOADING.count, before_loading
        note_paths(it, before_making, 2)

        def body_ends() -> bool:
            journal.redo(after)
            LOADING.count = loaded
            it.path_uncertain += is_unsure
            try:
                return it.execute(node.orelse, frame)
            finally:
                it.path_uncertain -= is_unsure

        is_caught = isinstance(ended, Raised) and len(fitting) == 1 and _catches(it, fitting[0], ended, frame)
        is_unsure = not isinstance(ended, Raised) or ended.is_unsure or not is_caught

        def handler(h: ast.ExceptHandler) -> bool:
            it.path_uncertain += is_unsure
            handled, it.handled = it.handled, ended.value if isinstance(ended, Raised) and is_first else None
            try:
                return handle(h)
            finally:
                it.handled = handled
                it.path_uncertain -= is_unsure

        def handle(h: ast.ExceptHandler) -> bool:
            journal.redo(at_raise)
            if h.name:
                bind_name(it, frame, h.name, CaughtValue("an exception", _not_called))
            goes_on = it.execute(h.body, frame)
            if h.name and goes_on:
                it.journal.bind(frame.owner_of(h.name), h.name, MISSING)
            return goes_on

        paths: list[Any] = [body_ends] if ended is None and goes_on else []
        paths += [lambda h=h: handler(h) for h in fitting]
        if paths:
            try:
                goes_on = branch(it, frame, paths, is_unsure, isinstance(ended, Raised) or is_suspected)
                ended = None
            except (Raised, ProgramEnds) as error:
                ended, goes_on = error, False
    elif goes_on and ended is None:
        try:
            goes_on = it.execute(node.orelse, frame)
        except (Raised, ProgramEnds) as error:
            ended, goes_on = error, False
    if node.finalbody:
        finish_exits(it, frame, exits, mark, lambda: it.execute(node.finalbody, frame))
        returned = frame.exits[exits:]
        finishes = it.execute(node.finalbody, frame)
        if not finishes:
            del frame.exits[exits : exits + len(returned)]
            return False
    if ended is not None:
        raise ended
    return goes_on


def finish_exits(it: Interpreter, frame: Frame, first: int, mark: int, leave: Callable[[], bool]) -> None:
    """Do what comes last, as `finally` or `__exit__`, on each path that returned, broke or continued since the mark.

    `leave` says whether the program goes on where the path was going to.
    """
    left = frame.exits[first:]
    if not left:
        return
    journal = it.journal
    del frame.exits[first:]
    now = journal.changes(mark)
    finished: list[Value] = []
    for path in left:
        journal.undo(mark)
        journal.redo(path.changes)
        dangers = it.dangers
        try:
            goes_on = leave()
        except (Raised, ProgramEnds):
            goes_on = False
            it.may_raise += 1
        if it.attempts and it.dangers > dangers:
            it.attempts[-1].held += journal.held(mark)
        finished += frame.exits[first:]  # `finally` itself returns
        del frame.exits[first:]
        if goes_on:
            finished.append(path._replace(changes=journal.changes(path.mark)))
    journal.undo(mark)
    journal.redo(now)
    frame.exits += finished


def _is_for_names(handler: ast.ExceptHandler) -> bool:
    """Whether a handler is for names that may not be bound: of one that is bound on some paths that is not noted."""
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else (handler.type,)
    return any(isinstance(one, ast.Name) and one.id in ("NameError", "UnboundLocalError") for one in named)


def _not_called(it: Interpreter, call: Call) -> Value:
    return it.fail(call.node, "array-call", "TypeError: an exception is not callable")


def _handlers(
    it: Interpreter, node: ast.Try | ast.TryStar, ended: BaseException | None, frame: Frame
) -> list[ast.ExceptHandler]:
    """The handlers that may catch: all, unless the exception is known and one of them names its class."""
    value = ended.value if isinstance(ended, Raised) else None
    cls = value if isinstance(value, ClassValue) else value.cls if isinstance(value, InstanceValue) else None
    if cls is not None and cls.kind != "unknown":
        return _handlers_of_class(it, node, cls, frame)
    raised = value if isinstance(value, type) else type(value) if isinstance(value, BaseException) else None
    if raised is None:
        return list(node.handlers)
    fitting: list[ast.ExceptHandler] = []
    for h in node.handlers:
        caught = None if h.type is None else it.evaluate(h.type, frame)
        classes = caught if isinstance(caught, tuple) else (BaseException if caught is None else caught,)
        if not all(isinstance(c, type) for c in classes):
            fitting.append(h)
        elif issubclass(raised, classes):
            return [*fitting, h]
    return fitting


def _catches(it: Interpreter, handler: ast.ExceptHandler, raised: Raised, frame: Frame) -> bool:
    """Whether a handler certainly catches an exception; of what jax raises the class is not known."""
    caught = BaseException if handler.type is None else it.evaluate(handler.type, frame)
    value = raised.value
    bases: tuple[Any, ...] = (Exception,)
    if isinstance(value, ClassValue | InstanceValue):
        cls = value if isinstance(value, ClassValue) else value.cls
        bases = (*cls.mro, Exception) if cls.kind != "unknown" else bases
    elif value is not None:
        bases = (value if isinstance(value, type) else type(value),)
    real = tuple(base for base in bases if isinstance(base, type) and issubclass(base, BaseException))
    return any(
        any(base is c or (isinstance(c, type) and base in real and issubclass(base, c)) for base in bases)
        for c in (caught if isinstance(caught, tuple) else (caught,))
    )


def _handlers_of_class(
    it: Interpreter, node: ast.Try | ast.TryStar, cls: ClassValue, frame: Frame
) -> list[ast.ExceptHandler]:
    """The handlers that catch, or may catch, an exception of a class of the program."""
    fitting: list[ast.ExceptHandler] = []
    for h in node.handlers:
        caught = BaseException if h.type is None else it.evaluate(h.type, frame)
        sure: bool | None = False
        for c in caught if isinstance(caught, tuple) else (caught,):
            if isinstance(c, ClassValue):
                sure = sure or cls.is_subclass(c)
            elif isinstance(c, type):
                sure = sure or any(isinstance(base, type) and issubclass(base, c) for base in cls.mro)
            else:
                sure = sure or None
        if sure is not False:
            fitting.append(h)
        if sure:
            return fitting
    return fitting
