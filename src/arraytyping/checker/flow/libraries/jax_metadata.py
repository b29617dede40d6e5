"""Context managers of JAX that are decorators too, and change nothing that is followed."""

from __future__ import annotations

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


class _Marker(ContextValue):
    """Called with a function, it gives that function."""

    def __init__(self) -> None:
        super().__init__("metadata")
        self.handle = lambda it, call: call.positional(0)


@handles("jax.experimental.xla_metadata.set_xla_metadata", "jax.named_scope", "jax.profiler.annotate_function")
def _metadata(it: Interpreter, call: Call) -> Value:
    if call.args and not isinstance(call.args[0], str):
        return call.args[0]
    return _Marker()
