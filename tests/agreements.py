"""Comparisons with JAX that agreed before, by the digest of what was compared: they need not be made again.

To ask JAX costs a millisecond a call, a hundred times what our answer costs, and there are some 600,000 calls.  So a
comparison in which nothing differed leaves a digest of the calls and of all answers in `data/agreements.txt`.  If a
later run computes the same answers for the same calls, then JAX's are known, and it is not asked; if anything is
different, it is asked: an answer, a release of JAX, NumPy or ml_dtypes, or the code that asks and compares, which is
`oracle.py` and the function that has the digest made.  What JAX computes, `answers.py` keeps.

`pytest --oracle live` asks JAX everything; `pytest --oracle record` does so too, and writes the file anew:

    rm tests/data/agreements.txt; pytest --oracle record; sort -u -o tests/data/agreements.txt tests/data/agreements.txt
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import re
import sys
import textwrap
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType
from typing import Final

from oracle_counts import counted

__all__ = ["FILE", "RELEASES", "VARIABLE", "agreed", "code_of", "digest_of", "mode", "record"]

FILE: Final = Path(__file__).parent / "data" / "agreements.txt"
VARIABLE: Final = "ARRAYTYPING_ORACLE"
"""How the option gets to the workers: `recorded`, `live` or `record`."""


_ORACLE: Final = Path(__file__).with_name("oracle.py")
_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+>")
"""Where Python shows which object it is, which is another one in each process."""
RELEASES: Final = tuple(f"{name} {version(name)}" for name in ("jax", "jaxlib", "numpy", "ml_dtypes"))


def mode() -> str:
    """Whether JAX is asked: `recorded`, `live` or `record`."""
    return os.environ.get(VARIABLE, "recorded")


@cache
def _recorded() -> frozenset[str]:
    return frozenset(FILE.read_text(encoding="ascii").split()) if FILE.exists() else frozenset()


def code_of(source: str) -> str:
    """What a source says, without its comments, docstrings and layout."""
    tree = ast.parse(textwrap.dedent(source))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.unparse(tree)  # whose text hardly depends on the release of Python


@cache
def _harness(caller: CodeType) -> str:
    return "\0".join((*RELEASES, code_of(_ORACLE.read_text(encoding="utf-8")), code_of(inspect.getsource(caller))))


def digest_of(parts: Iterable[str]) -> str:
    """The digest of a comparison: of the calls and our answers to them, as text, of the releases, and of its code.

    A function that is an argument stands there by its name, so it should be one of JAX's.
    """
    digest = hashlib.sha256(_harness(sys._getframe(1).f_code).encode())
    for part in parts:
        digest.update(b"\0")
        digest.update(_ADDRESS.sub(">", part).encode())
    return digest.hexdigest()[:32]


def agreed(digest: str) -> bool:
    """Whether JAX gave the same answers to the same calls before."""
    return counted("sets of comparisons", mode() == "recorded" and digest in _recorded())


def record(digest: str) -> None:
    """Keep that JAX gave the same answers."""
    if mode() == "record":
        with FILE.open("a", encoding="ascii") as file:  # lines this short are written whole, by several workers too
            file.write(f"{digest}\n")
