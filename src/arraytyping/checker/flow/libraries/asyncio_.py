"""`asyncio`: the coroutines of the program, one after the other, in the order in which it begins them."""

from __future__ import annotations

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, CoroutineValue, ListValue, Value, awaited
from arraytyping.checker.flow.values.calls import Call


@handles("asyncio.run")
def _run(it: Interpreter, call: Call) -> Value:
    main = call.argument(0, "main")
    return main.result if isinstance(main, CoroutineValue) else it.unknown("what asyncio runs that is no coroutine")


@handles("asyncio.gather")
def _gather(it: Interpreter, call: Call) -> Value:
    if call.kwargs or not all(isinstance(one, CoroutineValue) for one in call.args):
        return it.unknown("asyncio.gather")

    def run() -> tuple[list[Value] | None, Value, bool]:
        it.journal.touch(together)
        return [ListValue([awaited(one) for one in call.args])], MISSING, False

    together = CoroutineValue(pending=run)
    return together
