"""NumPy's context managers, its assertions, and indices that are written with brackets: `np.s_`."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles, handles_subscript
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


@handles("numpy.errstate", "numpy.printoptions", "numpy.testing.suppress_warnings")
def _context(it: Interpreter, call: Call) -> Value:
    return ContextValue("numpy.errstate")


@handles("numpy.testing.assert_raises", "numpy.testing.assert_raises_regex", "numpy.testing.assert_warns")
def _raising(it: Interpreter, call: Call) -> Value:
    if len(call.args) > 1 and not isinstance(call.args[1], str):
        with it.quietly():
            it.call(call.args[1], list(call.args[2:]), call.kwargs, call.node)
        return None
    return ContextValue("numpy.testing.assert_raises", may_raise=True)


@handles(
    "numpy.testing.assert_allclose",
    "numpy.testing.assert_almost_equal",
    "numpy.testing.assert_approx_equal",
    "numpy.testing.assert_array_almost_equal",
    "numpy.testing.assert_array_almost_equal_nulp",
    "numpy.testing.assert_array_equal",
    "numpy.testing.assert_array_less",
    "numpy.testing.assert_array_max_ulp",
    "numpy.testing.assert_equal",
    "numpy.testing.assert_",
    "numpy.seterr",
    "numpy.seterrcall",
    "numpy.set_printoptions",
    "numpy.save",
    "numpy.savez",
    "numpy.savez_compressed",
    "numpy.savetxt",
)
def _nothing(it: Interpreter, call: Call) -> Value:
    """Nothing that matters comes of these, and none is called."""
    return None


@handles_subscript("numpy.s_", "numpy.index_exp")
def _bracketed(it: Interpreter, owner: Any, index: Any, node: ast.AST | None) -> Value:
    import numpy as np

    return index if owner is np.s_ or isinstance(index, tuple) else (index,)
