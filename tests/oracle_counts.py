"""How often JAX was asked during a run of the tests, and how often what it had said was kept: the last lines say so.

What is kept is void as soon as a release or the code that compares is another one, and then all is asked, which gives
the same answers and takes ten times as long: nobody would notice.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import pytest

__all__ = ["KINDS", "counted", "lines", "pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]

KINDS: Final = {
    "sets of comparisons": "agreements.txt",
    "arrays": "answers.txt",
    "runs of programs": "runs.txt",
    "reports of checkers": "reports.txt",
}
"""What is kept, and in which file of `tests/data/`."""
_FEW: Final = 20
"""So many may be asked of which none is kept: they may all be of one test that was changed."""
_SENT: Final = "oracle_counts"

_kept: Counter[str] = Counter()
_asked: Counter[str] = Counter()


def counted(kind: str, is_kept: bool) -> bool:
    """Count one of a kind; whether it is kept."""
    (_kept if is_kept else _asked)[kind] += 1
    return is_kept


def lines(kept: Counter[str], asked: Counter[str], mode: str) -> list[str]:
    """What the output says: one line, and a warning for each file that is void as a whole."""
    if not kept and not asked:
        return []
    told = [f"{kept[kind]:,} {kind} were kept and {asked[kind]:,} asked" for kind in KINDS if kept[kind] or asked[kind]]
    void = [kind for kind in KINDS if mode == "recorded" and asked[kind] > _FEW and not kept[kind]]
    return [
        f"oracle: {', '.join(told)}",
        *(
            f"WARNING: none of {asked[kind]:,} {kind} is in tests/data/{KINDS[kind]}: what was kept is void, since a "
            "release or the code that compares has changed; pytest --oracle record keeps it anew"
            for kind in void
        ),
    ]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send what a worker has counted."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output[_SENT] = dict(_kept), dict(_asked)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add what a worker has counted; one that died has sent nothing."""
    kept, asked = getattr(node, "workeroutput", {}).get(_SENT, ({}, {}))
    _kept.update(kept)
    _asked.update(asked)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the lines, behind all else that a run prints but its last line."""
    for line in lines(_kept, _asked, config.getoption("--oracle")):
        terminalreporter.write_line(line, yellow=line.startswith("WARNING"))
