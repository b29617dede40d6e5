"""`contextlib`: context managers that are written as generators, and ready ones."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.generator_contexts import GeneratorContext
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import HandlerValue, Value

Kwargs = dict[str, Any]
Node = ast.AST | None


@handles("contextlib.contextmanager", "contextlib.asynccontextmanager")
def _context_manager(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if not args:
        return it.unknown("contextmanager by keyword")
    function = args[0]
    return HandlerValue("contextmanager", lambda it, a, k, n: GeneratorContext(function, a, k, n), (function,))


@handles("contextlib.suppress")
def _suppress(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return ContextValue("suppress", may_raise=True)


@handles("contextlib.nullcontext")
def _null_context(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return ContextValue("nullcontext", args[0] if args else kwargs.get("enter_result"))


@handles("contextlib.redirect_stdout", "contextlib.redirect_stderr")
def _redirect(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return ContextValue("redirection", args[0] if args else it.unknown("a redirection by keyword"))


@handles("contextlib.closing")
def _closing(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return _closed(it, [*args, *kwargs.values()], "close")


@handles("contextlib.aclosing")
def _aclosing(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return _closed(it, [*args, *kwargs.values()], "aclose")


def _closed(it: Interpreter, things: list[Value], method: str) -> Value:
    if len(things) != 1:
        return it.unknown("closing of no or several things")
    return ContextValue(method, things[0], leaves_by=method)


@handles("contextlib.ExitStack")
def _exit_stack(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return it.unknown("an ExitStack")
