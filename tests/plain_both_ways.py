"""Plain mypy asked in a copy of the process and in a process of its own, and whether both say the same."""

BOTH_WAYS = """
import ast, sys
from arraytyping_mypy import plain
_run, _given = plain._run, []
_comments = {*plain._COMMENTS, *plain._OF_MODULE}
def _lines_of(text):
    # The lines of functions, which are asked of one by one, before the others.
    functions = [
        node for top in ast.parse(text).body
        for node in (top.body if isinstance(top, ast.ClassDef) else [top]) if isinstance(node, ast.FunctionDef)
    ]
    inside = [line for function in functions for line in range(function.lineno, function.end_lineno + 1)]
    return dict.fromkeys([*reversed(inside), *range(1, len(text.splitlines()) + 1)])
def _line_by_line(copy, path, name):
    # What is said of each line by itself, and then of the whole module; None where the copy fails.
    found, asked = [], set()
    for line in (*_lines_of(open(path).read()), None):
        said = copy.ask(name, line)
        if said is None or said.is_waiting:
            return said
        late = [error for error in said.errors if error[1] in asked and error[2] not in _comments]
        if late:
            print("asked both ways: too late", late, file=sys.stderr)
        found += [error[:3] for error in said.errors]
        asked.add(line)
    return found
def _ask_copy(self, copy, needed, line):
    found, files, waiting = [], set(), []
    if needed not in copy.modules:
        return False
    for path, name in copy.modules.items():
        said = _line_by_line(copy, path, name)
        if said is None:
            found, files = None, set(copy.modules)
            break
        if isinstance(said, list):
            found += said
            files.add(path)
        else:
            waiting.append(name)
    if waiting:
        print("left for later:", *sorted(waiting), file=sys.stderr)
    _given.append((found, files))
    self._forks = -1  # a process is asked as well, and of other modules another copy
    return False
def _then(*arguments):
    found = _run(*arguments)
    forked, files = _given.pop()
    _given.clear()
    same = {tuple(error[:3]) for error in found if error[0] in files}  # the process may be asked of more
    alike = forked is not None and set(forked) == same
    print("asked both ways:", len(same), "alike" if alike else f"{forked} {same}", file=sys.stderr)
    return found
plain._run, plain.PlainErrors._ask_copy = _then, _ask_copy
_ask = plain.PlainErrors._ask_new_copy
def _ask_new_copy(self, *arguments):
    self._forks = 0
    return _ask(self, *arguments)
plain.PlainErrors._ask_new_copy = _ask_new_copy
"""
"""Run in mypy's process before mypy is, has it print so of each time that it asks."""
