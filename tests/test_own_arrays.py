"""Programs on arraytyping's own arrays: what the plugin says of them, and what comes when our runtime runs them.

They are those on JAX in `typecheck_cases/reveal/`, with their imports exchanged; so each type that is marked there has
to be revealed of the twin as well, and its value has to have it on our runtime.
"""

from __future__ import annotations

import ast
import builtins
import re
import runpy
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from checkers import shared_environment
from exchanged_programs import exchanged_text
from mypy_runs import SHORT, Message, Mypy, Run
from test_typecheck_cases import REVEAL, admits, marks
from warm_caches import usual_copy

import arraytyping
import arraytyping.numpy

LIBRARIES = {"equinox", "flax", "optax", "haiku", "chex", "jaxtyping", "einops"}
"""What has modules of its own for JAX's arrays alone, or is refused what is no array of NumPy's, JAX's or PyTorch's."""


def imported(file: Path) -> set[str]:
    """The packages that a file imports."""
    nodes = list(ast.walk(ast.parse(file.read_text())))
    plain = [a.name for n in nodes if isinstance(n, ast.Import) for a in n.names]
    return {
        name.partition(".")[0] for name in [*plain, *(n.module or "" for n in nodes if isinstance(n, ast.ImportFrom))]
    }


_OF_JAX_ALONE = ("named_results", "same_kind", "concatenators")
TWINS = [file for file in REVEAL if not imported(file) & LIBRARIES and file.stem not in _OF_JAX_ALONE]
"""Of what our own functions give as named tuples, our stubs say nothing."""
UNKNOWN = {
    ("followed.py", 122), ("followed.py", 124), *(("decided_branches.py", n) for n in (63, 131, 155)),
    ("numbers_in_trees.py", 55),
}  # fmt: skip
"""Initializers, of which our stubs say nothing, what `x.dtype` is where it is handed on, and what registers a class:
mypy does not know `arraytyping.tree_util` as an attribute."""
NAMES = re.compile(r"\barraytyping\.(?:basearray|scalars)\.|" + SHORT.pattern)


def revealed(message: Message) -> str | None:
    """The type in a note of `reveal_type`, with short names."""
    match = re.fullmatch(r'Revealed type is "(.*)"', message.text)
    return None if match is None else re.sub(r"\b(?:Any|Some)Shape\b", "Any", NAMES.sub("", match[1]))


Check = Callable[[Mapping[str, str] | str], Run]


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """Runs of mypy in an environment with our stubs, as it is installed, with one cache."""
    env = shared_environment(tmp_path_factory.mktemp("environment"), ["arraytyping-stubs"])
    cache = usual_copy(tmp_path_factory.mktemp("caches") / "cache")

    def checked(files: Mapping[str, str] | str) -> Run:
        mypy = Mypy(tmp_path_factory.mktemp("program"), cache, cache)
        return mypy.run(files, options=["--python-executable", str(env / "bin" / "python")])

    return checked


@pytest.fixture(scope="module")
def run(check: Check) -> Run:
    """One run of mypy over all twins."""
    return check({file.name: exchanged_text(file.read_text()) for file in TWINS})


@pytest.mark.parametrize("file", TWINS, ids=lambda f: f.stem)
def test_types_are_those_of_the_twin_on_jax(file: Path, run: Run) -> None:
    found = {m.line: revealed(m) for m in run.messages if m.file == file.name and m.revealed}
    expected = {n: text for n, text in marks(file, "R").items() if (file.name, n) not in UNKNOWN}
    assert {line: (found.get(line), text) for line, text in expected.items() if found.get(line) != text} == {}
    assert [m for m in run.errors() if m.file == file.name] == []


@pytest.mark.parametrize("file", [f for f in TWINS if "rbg" not in f.read_text()], ids=lambda f: f.stem)
def test_values_on_our_runtime_have_these_types(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    twin = tmp_path / file.name
    twin.write_text(exchanged_text(file.read_text()))
    expected, wrong = marks(file, "R"), []

    def seen(value: Any) -> Any:
        frame = sys._getframe(1)
        if not admits(expected[frame.f_lineno], value, frame.f_locals, arraytyping.Array):
            wrong.append(f"line {frame.f_lineno}: {expected[frame.f_lineno]} is claimed of {value!r}")
        return value

    monkeypatch.setattr(builtins, "reveal_type", seen, raising=False)
    runpy.run_path(str(twin), run_name="__main__")
    assert not wrong, "\n".join(wrong)


PROGRAM = """\
import arraytyping as jax
import arraytyping.numpy as jnp
from arraytyping import Array, float32
from typing import Literal


def first(x: Array[float32, tuple[int, Literal[3]]]) -> Array[float32]:
    return (x @ x.T)[0]


@jax.jit
def doubled(x):
    return x * 2


reveal_type(first(jnp.ones((4, 3))))
reveal_type(doubled(jnp.ones((4, 3), jnp.int8)))
jnp.ones((3, 4)) @ jnp.ones((3, 4))
"""


def test_annotations_and_mistakes(check: Check) -> None:
    run = check(PROGRAM)
    assert [text for m in run.messages if (text := revealed(m)) is not None] == [
        "Array[float32, tuple[Literal[4]]]",
        "Array[int8, tuple[Literal[4], Literal[3]]]",
    ]
    assert [(m.line, m.code) for m in run.errors()] == [(18, "array-shape")]


ANNOTATED = """\
import arraytyping.numpy as jnp
from arraytyping import Array, float32
from typing import Literal


def four(x: Array[float32, tuple[Literal[4]]]) -> Array[float32, tuple[Literal[4]]]:
    return x * 2


def main(n: int, y: Array[float32]) -> None:
    four(jnp.ones(n))
    four(y[1:])
    four(jnp.linspace(0, 1, 4) * 2.0)
    z: Array[float32, tuple[int]] = jnp.ones(n) + 1
    four(jnp.ones(5))
"""


def test_what_contradicts_an_annotation_is_reported(check: Check) -> None:
    run = check(ANNOTATED)
    assert [(m.line, m.code) for m in run.errors()] == [(15, "array-annotation")]
