"""`contextlib`: context managers that are written as generators, and ready ones."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.flow.generator_contexts import GeneratorContext
from arraytyping.flow.interpreter import Interpreter
from arraytyping.flow.libraries.registry import handles
from arraytyping.flow.values import HandlerValue
from arraytyping.flow.with_blocks import ContextValue

Kwargs = dict[str, Any]
Node = ast.AST | None


@handles("contextlib.contextmanager", "contextlib.asynccontextmanager")
def _context_manager(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    if not args:
        return it.unknown("contextmanager by keyword")
    function = args[0]
    return HandlerValue("contextmanager", lambda it, a, k, n: GeneratorContext(function, a, k, n), (function,))


@handles("contextlib.suppress")
def _suppress(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    return ContextValue("suppress", may_raise=True)


@handles("contextlib.nullcontext")
def _null_context(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    return ContextValue("nullcontext", args[0] if args else kwargs.get("enter_result"))


@handles("contextlib.closing", "contextlib.redirect_stdout", "contextlib.redirect_stderr", "contextlib.aclosing")
def _closing(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    return ContextValue("closing", args[0] if args else it.unknown("closing by keyword"))


@handles("contextlib.ExitStack")
def _exit_stack(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Any:
    return it.unknown("an ExitStack")
