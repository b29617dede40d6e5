"""`asyncio`: the coroutines of the program, whose bodies are executed where they are called."""

from __future__ import annotations

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import CoroutineValue, Value
from arraytyping.checker.flow.values.calls import Call


@handles("asyncio.run")
def _run(it: Interpreter, call: Call) -> Value:
    main = call.argument(0, "main")
    return main.result if isinstance(main, CoroutineValue) else it.unknown("what asyncio runs that is no coroutine")
