"""Plain mypy asked in a copy of the process and in a process of its own, and whether both say the same."""

BOTH_WAYS = """
import os, sys
from arraytyping_mypy import plain, plain_fork
_fork, _run, _given = plain_fork.errors_in_fork, plain._run, []
def _first(taken_back, modules, asked, *others):
    forked = _fork(taken_back, modules, asked, *others)
    waiting = () if forked is None else forked[1]
    if waiting:
        print("left for later:", *sorted(waiting), file=sys.stderr)
    files = {os.path.realpath(path) for name, path in asked.items() if name not in waiting}
    _given.append((None if forked is None else forked[0], files))
def _then(*arguments):
    found = _run(*arguments)
    forked, files = _given.pop()
    same = [error for error in found if error[0] in files]  # the process may be asked of more
    alike = forked is not None and sorted(map(tuple, forked)) == sorted(map(tuple, same))
    print("asked both ways:", len(same), "alike" if alike else f"{forked} {same}", file=sys.stderr)
    return found
plain_fork.errors_in_fork, plain._run, plain._MOST_FORKS = _first, _then, float("inf")
_ask = plain.PlainErrors._ask_fork
def _ask_fork(self, *arguments):
    self._forks = 0
    return _ask(self, *arguments)
plain.PlainErrors._ask_fork = _ask_fork
"""
"""Run in mypy's process before mypy is, has it print so of each time that it asks."""
