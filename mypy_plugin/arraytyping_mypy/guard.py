"""The boundary to mypy: whatever goes wrong in a hook, mypy's own answer stands.

With `ARRAYTYPING_DEBUG=1` in the environment the error is raised instead, as our own tests want it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Final, TypeVar

__all__ = ["DEBUG", "guarded"]

DEBUG: Final = "ARRAYTYPING_DEBUG"
T = TypeVar("T")


def guarded(hook: Callable[[Any], T] | None, default: str) -> Callable[[Any], T] | None:
    """The hook, if there is one, or mypy's default answer (that attribute of the context) where the hook fails."""
    if hook is None:
        return None
    if os.environ.get(DEBUG) == "1":
        return hook

    def call(ctx: Any) -> T:
        try:
            return hook(ctx)
        except Exception as error:
            from arraytyping.checker.swallowed import swallow  # not needed where nothing has changed

            swallow(error)
            answer: T = getattr(ctx, default)
            return answer

    return call
