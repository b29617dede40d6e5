"""What type checkers of others said of files before, kept by a digest of the question: they need not be asked again.

To read jax and NumPy with our stubs takes a checker tens of seconds.  So what it said is kept in `data/reports.txt`, a
line for each question: its digest, and the reports.  The question is the text of all programs and of all files of ours
that it reads for them (see `read_files.py`), the options, the code that asks and reads what is printed, the releases
of the checker, of Python and of the libraries, the platform, and the variables of the environment that are the
checker's.  If any of it changes, the checker is asked.  What is made of the reports is not kept: tests judge them anew.
Mypy with the plugin is always asked.

`pytest --oracle live` asks all checkers; `pytest --oracle record` does so too, and adds what is new to the file:

    rm tests/data/reports.txt; pytest --oracle record; sort -u -o tests/data/reports.txt tests/data/reports.txt
"""

from __future__ import annotations

import base64
import functools
import hashlib
import os
import platform
import sys
import zlib
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from agreements import code_of, mode
from oracle_counts import counted

__all__ = ["FILE", "OF_OTHERS", "keep", "question", "recalled"]

FILE: Final = Path(__file__).parent / "data" / "reports.txt"
OF_OTHERS: Final = frozenset({"mypy", "pyright", "basedpyright", "pyrefly", "ty", "zuban"})
_LIBRARIES: Final = (
    "jax", "jaxlib", "numpy", "ml_dtypes", "scipy", "opt_einsum", "jaxtyping", "typing_extensions", "flax", "optax",
    "equinox", "chex", "einops", "beartype",
)  # fmt: skip
"""What the programs import, and what jax does."""
_VARIABLES: Final = ("MYPY", "PYRIGHT", "BASEDPYRIGHT", "PYREFLY", "TY_", "ZUBAN")
_NO_MATTER: Final = ("MYPY_CACHE_DIR",)


def question(checker: str, read: Mapping[str, str], options: Iterable[str], code: Path) -> str:
    """The digest of a question: files by their places, options, and the file of the code that asks."""
    python = ".".join(platform.python_version_tuple()[:2])
    parts = [checker, *(f"{name} {_release(name)}" for name in (checker, *_LIBRARIES)), f"Python {python}"]
    variables = (k for k in sorted(os.environ) if k.startswith(_VARIABLES) and k not in _NO_MATTER)
    parts += [sys.platform, *(f"{k}={os.environ[k]}" for k in variables)]
    parts += [*options, code_of(code.read_text(encoding="utf-8"))]
    parts += [part for item in read.items() for part in item]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def recalled(digest: str) -> str | None:
    """What was kept as the answer."""
    line = _kept().get(digest) if mode() == "recorded" else None
    counted("reports of checkers", line is not None)
    return None if line is None else zlib.decompress(base64.b64decode(line)).decode()


def keep(digest: str, answer: str) -> None:
    """Keep an answer, where answers are recorded."""
    if mode() == "record" and digest not in _kept():
        line = base64.b64encode(zlib.compress(answer.encode(), 9))
        with FILE.open("ab", buffering=0) as file:  # lines are written whole, by several workers too
            file.write(digest.encode() + b" " + line + b"\n")


def _release(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


@functools.cache
def _kept() -> dict[str, str]:
    lines = FILE.read_text(encoding="ascii").splitlines() if FILE.exists() else ()
    return dict(line.split(" ") for line in lines)
