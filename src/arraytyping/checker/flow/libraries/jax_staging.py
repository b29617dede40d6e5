"""What looks at a traced function without running it: `make_jaxpr`, `lower`, `export`.

The function is interpreted as jit would trace it; of the jaxpr or module that comes of it nothing is claimed, since
what stands for the function's operations here is not what it will hold.

Source: https://docs.jax.dev/en/latest/aot.html and https://docs.jax.dev/en/latest/export/export.html.
"""

from __future__ import annotations

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.jit import stage
from arraytyping.checker.flow.values import MISSING, HandlerValue, JitValue, Value
from arraytyping.checker.flow.values.calls import Call


@handles("jax.make_jaxpr")
def _make_jaxpr(it: Interpreter, call: Call) -> Value:
    options = call.named("fun", "static_argnums", "axis_env", "return_shape")
    function = options.pop("fun", MISSING)
    if function is MISSING:
        return HandlerValue("make_jaxpr", lambda i, call: _make_jaxpr(i, call.with_kwargs({**options, **call.kwargs})))
    static = {key: value for key, value in options.items() if key == "static_argnums"}

    def called(it: Interpreter, call: Call) -> Value:
        if options.get("axis_env") is None:
            with it.quietly():  # functions that jit does not take may be traced
                stage(it, JitValue(function, static), call)
        else:
            it.engines.havoc(it, [function])
        jaxpr = it.unknown("a jaxpr")
        if "return_shape" not in options or options["return_shape"] is False:
            return jaxpr
        return (jaxpr, it.unknown("the shapes of a jaxpr's results"))

    return HandlerValue("make_jaxpr", called, (function,))


@handles("jax.export.export")
def _export(it: Interpreter, call: Call) -> Value:
    function = call.argument(0, "fun_jit", MISSING)
    if not isinstance(function, JitValue):
        it.engines.havoc(it, call.args[:1])
        return it.unknown("an exported function")

    def called(it: Interpreter, call: Call) -> Value:
        stage(it, function, call)
        return it.unknown("an exported function")

    return HandlerValue("export", called, (function,))


@handles("jax.export.symbolic_shape", "jax.export.symbolic_args_specs")
def _symbolic(it: Interpreter, call: Call) -> Value:
    return it.unknown("symbolic sizes")


@handles("jax.extend.core.Primitive", "jax._src.core.Primitive")
def _primitive(it: Interpreter, call: Call) -> Value:
    """Which of its rules jax asks depends on where it is bound, so nothing is claimed of it."""
    return it.unknown("a primitive of the program")
