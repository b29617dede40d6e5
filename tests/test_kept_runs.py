"""What is kept of runs: it is used while the program and all that it came to are as they were, and not beyond."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import kept_runs
import program_runs
import pytest
from agreements import VARIABLE
from program_runs import Program, Result

from arraytyping.checker.audit import Frame, Observations
from arraytyping.checker.audit.observations import ArrayObservation, ExpressionObservations

ONES = ExpressionObservations(1, 0, 1, 4, (ArrayObservation("jax", "float32", False, (3,)),))


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The programs that are really run, as tests go on; each is said to come to a module beside it, too."""
    made: list[Path] = []

    def run(programs: Iterable[Any], **_: Any) -> Mapping[Any, Result]:
        found = {}
        for given in programs:
            path = given.path if isinstance(given, Program) else given
            made.append(path)
            main, other = path.resolve(), path.resolve().with_name("other.py")
            seen = Observations({main: (ONES,)}, {main: frozenset({ONES.position}), other: frozenset()})
            found[given] = Result(seen, frames=(Frame(main, 1, "f"),))
        return found

    monkeypatch.setattr(program_runs, "run_programs", run)
    monkeypatch.setattr(kept_runs, "FILE", tmp_path / "runs.txt")
    monkeypatch.setenv(VARIABLE, "record")
    kept_runs._kept.cache_clear()
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "program.py").write_text("ones")
        (tmp_path / folder / "other.py").write_text("x = 1")
    kept_runs.run_or_recall([tmp_path / "first" / "program.py"])
    monkeypatch.setenv(VARIABLE, "recorded")
    made.clear()
    return made


@pytest.fixture(autouse=True)
def forget() -> Iterable[None]:
    """What this file keeps is of no interest to others."""
    yield
    kept_runs._kept.cache_clear()


def test_a_program_is_not_run_again_and_may_lie_elsewhere(runs: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "second" / "program.py"
    result = kept_runs.run_or_recall([path])[path]
    assert runs == []
    assert result.observations.files == {path.resolve(): (ONES,)}
    assert result.frames == (Frame(path.resolve(), 1, "f"),)


@pytest.mark.parametrize("name", ["program.py", "other.py"])
def test_a_program_is_run_again_if_a_file_of_it_has_changed(runs: list[Path], tmp_path: Path, name: str) -> None:
    path = tmp_path / "first" / "program.py"
    path.with_name(name).write_text("twos")
    kept_runs.run_or_recall([path])
    assert runs == [path]


def test_a_program_is_run_again_with_other_arguments_variables_or_code(
    runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "first" / "program.py"
    kept_runs.run_or_recall([Program(path, ("--steps", "3"))])
    kept_runs.run_or_recall([Program(path, source="twos")])
    kept_runs.run_or_recall([path], environ={"JAX_ENABLE_X64": "1"})
    monkeypatch.setattr(kept_runs, "_harness", lambda: ("another recorder",))
    kept_runs.run_or_recall([path])
    assert runs == [path] * 4


def test_live_runs_everything(runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "live")
    kept_runs.run_or_recall([tmp_path / "first" / "program.py"])
    assert len(runs) == 1
