"""A cell of IPython as Python, line by line: magics, shell commands and questions become statements that do nothing.

What a magic may bind is unknown: `%run other.py` is as if it ran code that is not known.

Source: https://ipython.readthedocs.io/en/stable/interactive/magics.html.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from typing import Final

__all__ = ["PRELUDE", "PROVIDED", "as_python", "parses", "unknown_cell"]

PRELUDE: Final = 'get_ipython = display = eval("None")  # what IPython provides'
"""The line before all cells, where these names are used; what `eval` gives is not known."""

PROVIDED: Final = ("get_ipython", "display")

_ANYTHING: Final = 'exec(compile("", "", "exec"))'
"""Code that may bind any variable anew."""
_HARMLESS: Final = frozenset({
    "alias", "autoawait", "autocall", "autoindent", "autosave", "cd", "colors", "conda", "config", "debug", "dirs",
    "env", "gui", "history", "load_ext", "logoff", "logon", "ls", "lsmagic", "matplotlib", "memit", "mkdir", "notebook",
    "page", "pdb", "pdef", "pdoc", "pfile", "pinfo", "pip", "popd", "pprint", "precision", "prun", "psearch", "psource",
    "pushd", "pwd", "pycat", "quickref", "reload_ext", "rmdir", "save", "set_env", "sx", "system", "tb", "tensorboard",
    "timeit", "unload_ext", "who", "who_ls", "whos", "xmode", "aimport", "autoreload",
})  # fmt: skip
"""Line magics that bind no variable of the program."""
_SKIPPED: Final = frozenset({
    "bash", "sh", "script", "html", "HTML", "latex", "javascript", "js", "markdown", "svg", "SVG", "perl", "ruby",
    "cmd", "writefile", "file", "timeit", "system", "sx", "!", "R", "cython", "python2", "pypy",
})  # fmt: skip
"""Cell magics whose cell is no part of the program, or binds nothing."""
_KEPT: Final = frozenset({"time", "capture", "prun", "python", "python3", "memit"})
"""Cell magics whose cell is run as it is."""
_LINE: Final = re.compile(
    r"(?P<indent>\s*)(?:(?P<target>[\w.,\s\[\]'\"]+?)\s*=\s*)?(?P<sign>%|!)(?!=)(?P<rest>.*)", re.DOTALL
)
_QUESTION: Final = re.compile(r"\s*(?:\?{1,2}[\w.*%]+|%{0,2}[\w.*\[\]'\"()]+\?{1,2})\s*")


def as_python(cell: str) -> str:
    """The text of a cell with as many lines, in which everything is Python."""
    if parses(cell):
        return cell
    lines = cell.split("\n")
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        name = lines[first][2:].split(maxsplit=1)[0] if lines[first][2:].strip() else ""
        if name in _KEPT:
            lines[first] = "pass"
        elif name in _SKIPPED:
            return "\n".join("" for _ in lines)
        else:
            return unknown_cell(cell)
    done: list[str] = []
    continues = False
    for line in lines:
        if continues:  # of a magic
            done.append("")
            continues = line.rstrip().endswith("\\")
        elif _is_begun("\n".join(done)) or (python := _line(line)) is None:
            done.append(line)
        else:
            done.append(python)
            continues = line.rstrip().endswith("\\")
    return "\n".join(done)


def _line(line: str) -> str | None:
    """The statement in the place of a line that is no Python; None if it is some."""
    if _QUESTION.fullmatch(line):
        return f"{line[: len(line) - len(line.lstrip())]}pass"
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    indent, rest = match["indent"], match["rest"]
    if match["target"] is not None:
        return f"{indent}{match['target']} = get_ipython()" if match["target"].strip() else None
    if match["sign"] == "!":
        return f"{indent}pass"
    name, _, code = rest.lstrip("%").partition(" ")
    if name == "time" and code.strip():
        return f"{indent}{code.strip()}"
    return f"{indent}pass" if name in _HARMLESS or name == "time" else f"{indent}{_ANYTHING}"


def _is_begun(text: str) -> bool:
    """Whether a text ends within brackets, a string of several lines, or a line that is continued."""
    if text.endswith("\\"):
        return True
    try:
        for _ in tokenize.generate_tokens(io.StringIO(text + "\n").readline):
            pass
    except tokenize.TokenError:
        return True
    except (SyntaxError, IndentationError):
        return False
    return False


def unknown_cell(cell: str) -> str:
    """Code with as many lines as a cell, which may bind any variable."""
    return "\n".join([_ANYTHING, *("" for _ in cell.split("\n")[1:])])


def parses(text: str) -> bool:
    """Whether a text is Python, as far as that can be told of a cell alone."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<cell>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
