"""`absl.app.run(main)`: the function of the program that a library calls with the arguments of the command line.

Source: `run` in absl/app.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mypy.nodes import CallExpr
from mypy.plugin import FunctionContext
from mypy.types import Type

from arraytyping_mypy.checker import is_checked
from arraytyping_mypy.features.applied import applied
from arraytyping_mypy.provenance import RUNNING
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook"]


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of the function, or None."""
    return partial(_run, sessions) if fullname in RUNNING else None


def _run(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    call = ctx.context
    is_plain = isinstance(call, CallExpr) and not any(kind.is_star() for kind in call.arg_kinds)
    if session.is_active and is_plain and is_checked(ctx.api) and len(ctx.args[0]) == 1:
        session.following.site = call if isinstance(call, CallExpr) else None
        function = session.following.function(ctx.args[0][0], ctx.arg_types[0][0])
        words = session.api.named_generic_type("builtins.str", [])
        applied(function, [session.api.named_generic_type("builtins.list", [words])], {}, session)
    return ctx.default_return_type
