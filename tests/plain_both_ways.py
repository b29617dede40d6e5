"""Plain mypy asked in a copy of the process and in a process of its own, and whether both say the same."""

BOTH_WAYS = """
import sys
from arraytyping_mypy import plain, plain_fork
_fork, _run, _given = plain_fork.errors_in_fork, plain._run, []
def _first(*arguments):
    _given.append(_fork(*arguments))
def _then(*arguments):
    found = _run(*arguments)
    forked = _given.pop()
    alike = forked is not None and sorted(map(tuple, forked)) == sorted(map(tuple, found))
    print("asked both ways:", len(found), "alike" if alike else f"{forked} {found}", file=sys.stderr)
    return found
plain_fork.errors_in_fork, plain._run, plain._MOST_FORKS = _first, _then, float("inf")
_ask = plain.PlainErrors._ask_fork
def _ask_fork(self, *arguments):
    self._forks = 0
    return _ask(self, *arguments)
plain.PlainErrors._ask_fork = _ask_fork
"""
"""Run in mypy's process before mypy is, has it print so of each time that it asks."""
