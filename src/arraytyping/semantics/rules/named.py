"""A rule by its name, found when it is first asked for: its family need not be imported before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["named"]


def named(name: str) -> Callable[..., Any]:
    """The function of the rule of this name.

    Raises:
        KeyError: when it is called, if there is no such rule.
    """
    found: list[Callable[..., Any]] = []

    def rule(cx: Any, *args: Any, **kwargs: Any) -> Any:
        if not found:
            from arraytyping.semantics.rules.table import RULES

            found.append(RULES[name].function)
        return found[0](cx, *args, **kwargs)

    setattr(rule, "rule_name", name)  # noqa: B010 (for who asks what the rule takes, without importing its family)
    return rule
