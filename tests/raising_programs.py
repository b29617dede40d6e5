"""Programs that raise, and others that run, held against what mypy says of them in one run."""

from __future__ import annotations

import functools
import textwrap
import traceback
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from answers import asked
from kept_checks import surroundings
from mypy_runs import Mypy, Run, shared_caches

HEAD = """\
import contextlib
import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

"""


def program(text: str) -> str:
    return HEAD + textwrap.dedent(text).strip() + "\n"


def raising_line(source: str) -> int | None:
    """The innermost line of the program in the traceback of a run, or of one that was kept (see answers.py).

    None if nothing is raised.  A program that names this project hangs on what that does: it is always run.
    """
    if "arraytyping" in source:
        return _raised_at(source)
    lines = asked(functools.partial(_kept_lines, source, surroundings())).values.tolist()
    return lines[0] if lines else None


def _kept_lines(source: str, _: list[str]) -> Any:
    line = _raised_at(source)
    return np.array([] if line is None else [line], np.int64)


def _raised_at(source: str) -> int | None:
    try:
        exec(compile(source, "<case>", "exec", dont_inherit=True), {"__name__": "case"})
    except Exception as error:
        return [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == "<case>"][-1]
    return None


def one_run(wrong: Mapping[str, str], right: Mapping[str, str]) -> Any:
    """The fixture of a file of tests that runs mypy once over its programs: those that raise, and `r_...` that run."""

    @pytest.fixture(scope="module")
    def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
        mypy = Mypy(tmp_path_factory.mktemp("programs"), shared_caches(tmp_path_factory))
        texts = {**wrong, **{f"r_{name}": text for name, text in right.items()}}
        return mypy.run({f"{name}.py": program(text) for name, text in texts.items()})

    return run


def told(run: Run, name: str) -> list[int]:
    return [
        m.line
        for m in run.messages
        if m.file == f"{name}.py" and m.severity == "error" and (m.code or "").startswith("array-")
    ]
