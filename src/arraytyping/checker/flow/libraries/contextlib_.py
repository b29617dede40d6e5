"""`contextlib`: context managers that are written as generators, and ready ones."""

from __future__ import annotations

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.generator_contexts import GeneratorContext
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import HandlerValue, Value
from arraytyping.checker.flow.values.calls import Call


@handles("contextlib.contextmanager", "contextlib.asynccontextmanager")
def _context_manager(it: Interpreter, call: Call) -> Value:
    if not call.args:
        return it.unknown("contextmanager by keyword")
    function = call.args[0]
    return HandlerValue("contextmanager", lambda it, call: GeneratorContext(function, call), (function,))


@handles("contextlib.suppress")
def _suppress(it: Interpreter, call: Call) -> Value:
    return ContextValue("suppress", may_raise=True)


@handles("contextlib.nullcontext")
def _null_context(it: Interpreter, call: Call) -> Value:
    return ContextValue("nullcontext", call.argument(0, "enter_result"))


@handles("contextlib.redirect_stdout", "contextlib.redirect_stderr")
def _redirect(it: Interpreter, call: Call) -> Value:
    return ContextValue("redirection", call.args[0] if call.args else it.unknown("a redirection by keyword"))


@handles("contextlib.closing")
def _closing(it: Interpreter, call: Call) -> Value:
    return _closed(it, call.values, "close")


@handles("contextlib.aclosing")
def _aclosing(it: Interpreter, call: Call) -> Value:
    return _closed(it, call.values, "aclose")


def _closed(it: Interpreter, things: list[Value], method: str) -> Value:
    if len(things) != 1:
        return it.unknown("closing of no or several things")
    return ContextValue(method, things[0], leaves_by=method)


@handles("contextlib.ExitStack")
def _exit_stack(it: Interpreter, call: Call) -> Value:
    return it.unknown("an ExitStack")
