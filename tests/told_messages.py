"""Every message that a test makes, looked at: what no reader should be shown stands in none.

`collect` is called once for each process of tests; the fixture `messages_are_ours` of `conftest.py` looks at what was
told meanwhile, so that no program is followed for its sake.
"""

from __future__ import annotations

import re
from typing import Any, Final

MALFORMED: Final = re.compile(
    r"""site-packages|/lib/python3|\basking\.py|arraytyping/checker   # files of what is installed
    | \barraytyping\.checker\b | \bCallback\b | \bobject\ at\ 0x | \b0x[0-9a-f]{8,}   # our own objects
    | _DimExpr | tracers\[ | \w*Tracer[(<]~?\w+\[   # jax's own
    | 'module'\ object   # which one?
    | [:,;(]\s*$   # cut where it was to begin
    """,
    re.VERBOSE,
)
"""What must not stand in a message."""

_told: set[str] = set()
_seen: set[str] = set()


def collect() -> None:
    """Keep the message of every mistake that flow reports from here on."""
    from arraytyping.checker.flow.state.diagnostics import Diagnostic

    cls: Any = Diagnostic
    make = cls.__init__

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        _told.add(self.message)

    cls.__init__ = init


def malformed(texts: set[str]) -> list[str]:
    """The messages among texts in which something stands that must not."""
    return sorted(text for text in texts if MALFORMED.search(text))


def newly_malformed() -> list[str]:
    """Those told since this was asked before."""
    fresh = _told - _seen
    _seen.update(fresh)
    return malformed(fresh)
