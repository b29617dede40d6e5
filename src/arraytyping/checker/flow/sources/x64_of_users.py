"""Where 64 bits may be asked for while x64 is off: in a library, whose users decide, and where the code asks for x64.

x64 is one flag of the process, which its program sets.  A module of a package that others install runs in programs that
are not here, and JAX's default says nothing of them: only where something decides on x64, as the configuration, the
environment or the program that imports the module, is it a mistake to ask for 64 bits there.  What a condition on the
flag leads to is written by who knows of it: `if jax.config.jax_enable_x64: ...`.

Source: https://docs.jax.dev/en/latest/default_dtypes.html.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.sources.distributions import is_distributed
from arraytyping.checker.flow.sources.project_roots import root_above
from arraytyping.checker.flow.sources.statements import nodes_of
from arraytyping.checker.flow.sources.test_files import is_test_file
from arraytyping.checker.x64 import X64Decision

__all__ = ["is_of_library", "is_run", "lines_that_ask", "may_ask_for_64_bits"]

_X64: Final = re.compile("x64", re.IGNORECASE)
_ENDS: Final = ast.Return | ast.Raise | ast.Continue | ast.Break


def may_ask_for_64_bits(decision: X64Decision, path: Path, tree: ast.Module, line: int) -> bool:
    """Whether a line of a module may ask for 64 bits, by what was decided for the module."""
    if decision.value is not False or any(line in lines for lines in lines_that_ask(tree)):
        return True
    return decision.is_default and is_of_library(path.parent) and not is_run(path, tree)


def is_of_library(folder: Path) -> bool:
    """Whether the modules in a folder are those of a package that others install and import."""
    folder = folder.resolve()
    root = root_above(folder)
    inner = (f for f in (folder, *folder.parents) if root in f.parents)  # a part may lack an `__init__.py` of its own
    return any((f / "__init__.py").is_file() for f in inner) and is_distributed(folder)


def is_run(path: Path, tree: ast.Module) -> bool:
    """Whether a module of a package is run itself: as a program, or by pytest."""
    if path.stem in ("__main__", "conftest") or is_test_file(path):
        return True
    tests = (node.test for node in tree.body if isinstance(node, ast.If))
    return any("__name__" in (text := ast.unparse(test)) and "__main__" in text for test in tests)


def lines_that_ask(tree: ast.Module) -> list[range]:
    """The lines that are run, or left out, by a condition on x64."""
    return [lines for node in nodes_of(tree) for lines in _asking(node)]


def _asking(node: ast.AST) -> Iterator[range]:
    if isinstance(node, ast.If | ast.IfExp | ast.While) and _names_x64(node.test):
        yield _lines(node)
    elif any(map(_names_x64, getattr(node, "decorator_list", ()))):
        yield _lines(node)  # @pytest.mark.skipif(not jax.config.jax_enable_x64, ...)
    for name in ("body", "orelse", "finalbody"):
        found = getattr(node, name, None)
        block: list[ast.stmt] = found if isinstance(found, list) else []
        for statement in block:
            # Whatever follows `if not jax.config.jax_enable_x64: return` is left out by it.
            if isinstance(statement, ast.If) and _names_x64(statement.test) and isinstance(statement.body[-1], _ENDS):
                yield range(statement.lineno, (block[-1].end_lineno or statement.lineno) + 1)


def _names_x64(node: ast.expr) -> bool:
    return _X64.search(ast.unparse(node)) is not None


def _lines(node: Any) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
