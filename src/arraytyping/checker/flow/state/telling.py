"""Mistakes that nothing raises, told elsewhere than where the program is: no handler of exceptions keeps them."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.state.interpreter import Interpreter

__all__ = ["Calls", "tell"]

Calls = tuple[tuple[str, Any, ast.AST], ...]
"""Calls from the outermost on, as in the chain of the interpreter: the caller's name, its module and the node."""


def tell(it: Interpreter, calls: Calls, code: str, message: str) -> None:
    """Tell of a mistake at the last one of these calls."""
    _, module, node = calls[-1]
    chain, it.chain = it.chain, list(calls)
    quiet = it.quiet
    it.quiet -= it.trying
    try:
        with it.in_frame(module.frame):
            it.fail(node, code, message, is_warning=True)
    finally:
        it.chain, it.quiet = chain, quiet
