"""The programs of `typecheck_cases/`: what the plugin says of them, held against what happens when they run.

`reveal/`: the type of each `reveal_type(...)  # R: TYPE`, and that its value has this type when the program runs.
`fail/`: each line `# E: CODE` is reported with that code, no other line is, and the line raises or warns.
`pass/`: nothing is reported, and the program runs.
"""

from __future__ import annotations

import builtins
import re
import runpy
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jax
import pytest
from kept_checks import hold
from mypy_runs import Message, Mypy, Run, shared_caches

CASES = Path(__file__).parent.parent / "typecheck_cases"


def files(kind: str) -> list[Path]:
    """The files of a kind, without those that say that they need a newer jax."""
    needs = {f: re.search(r"Needs jax (\d+)\.(\d+)", f.read_text()) for f in sorted((CASES / kind).glob("*.py"))}
    installed = jax.version.__version_info__
    return [f for f, need in needs.items() if need is None or installed >= (int(need[1]), int(need[2]))]


REVEAL, FAIL, PASS = files("reveal"), files("fail"), files("pass")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """One run over all cases."""
    directory = tmp_path_factory.mktemp("cases")
    mypy = Mypy(directory, shared_caches(tmp_path_factory))
    return mypy.run({f"{p.parent.name}_{p.name}": p.read_text() for p in REVEAL + FAIL + PASS})


def of(run: Run, file: Path) -> list[Message]:
    """The messages on one case file."""
    return [m for m in run.messages if m.file == f"{file.parent.name}_{file.name}"]


def marks(file: Path, letter: str) -> dict[int, str]:
    """The lines that are marked `# LETTER: ...`."""
    found = ((i, re.search(rf"# {letter}: (.*)$", line)) for i, line in enumerate(file.read_text().splitlines(), 1))
    return {i: match[1] for i, match in found if match}


@pytest.mark.parametrize("file", REVEAL, ids=lambda f: f.stem)
def test_types_are_revealed_as_marked(file: Path, run: Run) -> None:
    messages = of(run, file)
    assert [m for m in messages if m.severity == "error"] == []
    assert {m.line: m.revealed for m in messages if m.revealed} == marks(file, "R")


@pytest.mark.parametrize("file", REVEAL, ids=lambda f: f.stem)
def test_values_have_the_types_that_are_revealed(file: Path) -> None:
    hold(values_are_as_marked, file.name, file.read_text())


def values_are_as_marked(name: str, text: str) -> None:
    """Run a program of `reveal/`, and hold each value that is revealed against the mark of its line."""
    expected = {i: match[1] for i, line in enumerate(text.splitlines(), 1) if (match := re.search("# R: (.*)$", line))}
    wrong: list[str] = []
    seen: set[int] = set()

    def check(value: Any) -> Any:
        import sys

        frame = sys._getframe(1)
        line = frame.f_lineno
        seen.add(line)
        if not admits(expected[line], value, frame.f_locals):
            wrong.append(f"line {line}: {expected[line]} is claimed of {value!r}")
        return value

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builtins, "reveal_type", check, raising=False)
        runpy.run_path(str(Path(__file__).parent.parent / "typecheck_cases" / "reveal" / name), run_name="__main__")
    assert not wrong, "\n".join(wrong)
    assert seen == set(expected)


WEAK = {"int": "int32", "float": "float32", "complex": "complex64"}
FAMILIES = {"floating": "f", "signedinteger": "i", "integer": "iu"}


def admits(claim: str, value: Any, sizes: Mapping[str, Any], array: Any = jax.Array) -> bool:
    """Whether a claimed type is true of a value, where these variables have the sizes that it names.

    `array` is the class of arrays.
    """
    if claim == "Any":
        return True
    if claim.startswith("Array") and (others := re.search(r"\] \| (?=Array|Any|numpy|bool|int|Literal)", claim)):
        return admits(claim[: others.start() + 1], value, sizes, array) or admits(
            claim[others.end() :], value, sizes, array
        )
    if claim in ("int", "bool") or claim.startswith("numpy"):
        return claim.partition("[")[0] in (type(value).__name__, f"numpy.{type(value).__name__}")
    if claim.endswith("?"):
        return claim == f"Literal[{value!r}]?"
    if several := re.fullmatch(r"(?:list\[|dict\[str, |tuple\[)(Array\[.*\])(, \.\.\.)?\]", claim):
        kind = claim.partition("[")[0]
        if kind != "tuple" or several[2]:
            items = value.values() if isinstance(value, dict) else value
            return kind == type(value).__name__ and all(admits(several[1], v, sizes, array) for v in items)
    if claim.startswith("tuple[Array["):
        items = re.split(r", (?=Array\[)", claim[len("tuple[") : -1])
        return (
            isinstance(value, tuple)
            and len(items) == len(value)
            and all(admits(i, v, sizes, array) for i, v in zip(items, value))
        )
    if claim.startswith("tuple["):
        return claim == f"tuple[{', '.join(f'Literal[{v!r}]?' for v in value)}]"
    match = re.fullmatch(r"Array\[(.*?), (Any|tuple\[(.*)\])\]", claim)
    assert match is not None
    if not isinstance(value, array):
        return False
    weak = bool(value.weak_type if hasattr(value, "weak_type") else value.aval.weak_type)
    dtype = "bool_" if value.dtype == bool else str(value.dtype)
    names = match[1].split(" | ")
    dtype_ok = "Any" in names or any(
        (WEAK.get(n) == dtype and weak)
        or (n == dtype and (not weak or n == "bool_"))
        or n == f"Literal[{dtype!r}]"  # keys
        or (n in FAMILIES and value.dtype.kind in FAMILIES[n])
        for n in names
    )
    if match[2] == "Any":
        return dtype_ok
    dims = [] if match[3] == "()" else match[3].split(", ")
    sizes_ok = len(dims) == value.ndim and all(_is_size(d, n, sizes) for d, n in zip(dims, value.shape))
    return dtype_ok and sizes_ok


def _is_size(claim: str, size: int, sizes: Mapping[str, Any]) -> bool:
    named = re.fullmatch(r"Literal\['(.*)'\]", claim)
    return eval(named[1], {}, dict(sizes)) == size if named else claim in ("int", f"Literal[{size}]")


@pytest.mark.parametrize("file", FAIL, ids=lambda f: f.stem)
def test_mistakes_are_reported_as_marked(file: Path, run: Run) -> None:
    assert {m.line: m.code for m in of(run, file) if m.severity == "error"} == marks(file, "E")


@pytest.mark.parametrize("file", FAIL, ids=lambda f: f.stem)
def test_marked_lines_are_mistakes_at_run_time(file: Path) -> None:
    hold(marked_lines_raise, file.read_text())


def marked_lines_raise(text: str) -> None:
    """Run a program of `fail/` line by line: those raise or warn that are marked."""
    lines = text.splitlines()
    expected = {i: match[1] for i, line in enumerate(lines, 1) if (match := re.search("# E: (.*)$", line))}
    assert expected
    names: dict[str, Any] = {}
    for number, line in enumerate(lines, 1):
        act: Callable[[], None] = lambda line=line: exec(line, names)  # type: ignore[misc]  # noqa: E731
        if number not in expected:
            act()
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(Exception, match=r".") as caught:
                act()
        if expected[number] == "array-x64":
            assert isinstance(caught.value, UserWarning), line
        else:
            assert isinstance(caught.value, TypeError | ValueError | IndexError | ArithmeticError | RuntimeError), line


@pytest.mark.parametrize("file", PASS, ids=lambda f: f.stem)
def test_programs_that_run_are_passed(file: Path, run: Run) -> None:
    assert [m for m in of(run, file) if m.severity == "error"] == []
    hold(runs, file.name, file.read_text())


def runs(name: str, text: str) -> None:
    """Run a program of `pass/`."""
    runpy.run_path(str(Path(__file__).parent.parent / "typecheck_cases" / "pass" / name), run_name="__main__")
