"""Flow on whole programs: audited against runs, with planted mistakes, mutated, dangerous to run, and monstrous.

The figures that must be reached are constants here.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any, cast

import mutations
import planted
import pytest
from kept_runs import run_or_recall
from mutations import Judgement, flow_on, programs
from odd_programs import DANGEROUS, ODD, UNREADABLE
from shares import is_thorough, some

from arraytyping.checker.audit import Statistics, compare
from arraytyping.checker.flow.start.program import Result, interpret
from arraytyping.checker.flow.state.limits import Limits

# Of the expressions that make arrays: dtype and weak type known, and every value fully known.
DTYPE_KNOWN = 0.99
FULLY_KNOWN = 0.98
# Of the planted mistakes, those found at their line.
PLANTED_FOUND = 0.98
# Of a sample of the mutants that raise, those found at the innermost line of the traceback.
MUTANTS = 50 if is_thorough() else 8
MUTANTS_FOUND = 0.9
RERUN = 5 if is_thorough() else 1

# ------------------------------------------------------------------------------------------- programs, audited


@pytest.fixture(scope="module")
def flows() -> dict[Path, Result]:
    """Flow on every program."""
    return {path.resolve(): flow_on(path.resolve(), {}) for path in some(programs(), 3)}


def test_programs_have_no_mistakes(flows: dict[Path, Result]) -> None:
    """They all run: whatever is certain of them is false."""
    for path, result in flows.items():
        assert [str(m) for m in result.diagnostics if m.is_shown] == [], path.name
        assert not result.crashes, path.name
        assert not result.errors, path.name
        assert result.is_complete, path.name


def test_programs_are_as_claimed(flows: dict[Path, Result]) -> None:
    """No claim is wrong of what comes when they run, and most is known."""
    runs = run_or_recall(flows)
    total = Statistics()
    for path, result in flows.items():
        assert runs[path].exception is None, runs[path].traceback
        audit = compare(result.program, runs[path].observations)
        assert [str(w) for w in audit.wrong] == [], path.name
        total += audit.statistics
    print(total)
    assert total.dtype_known / total.arrays >= DTYPE_KNOWN, total
    assert total.fully_known / total.arrays >= FULLY_KNOWN, total


# ------------------------------------------------------------------------------------------- planted mistakes


def test_planted_mistakes() -> None:
    """The clean programs have no certain mistake; of their twins nearly all have one at the line."""
    missed: list[str] = []
    for path in planted.files():
        cases = planted.cases_of(path)
        clean = interpret(path, source=cases[0].clean_source)
        assert [str(m) for m in clean.diagnostics if m.is_shown] == [], path.name
        assert not clean.crashes, path.name
        for case in cases:
            result = interpret(path, source=case.mistaken_source)
            if not any(m.line == case.shows_line and m.is_certain for m in result.diagnostics):
                missed.append(f"{case.name}: {case.code}")
    number = len(planted.cases())
    assert (number - len(missed)) / number >= PLANTED_FOUND, "\n".join(missed)


# ------------------------------------------------------------------------------------------- mutants


@pytest.fixture(scope="module")
def sample() -> list[Judgement]:
    """Flow on some of the mutants, judged by what is known of running them."""
    mutants, truth = mutations.all_mutants(), mutations.known_truth()
    chosen = random.Random(0).sample(mutants, MUTANTS)
    return [mutations.judge(mutant, truth[mutant.id]) for mutant in chosen]


def test_mutants(sample: list[Judgement]) -> None:
    """Those that run have no error but true ones; of those that raise nearly all have one at the line."""
    print(mutations.table(sample))
    assert [mutations.show(j) for j in sample if j.verdict == "false"] == []
    assert [mutations.show(j) for j in sample if j.result.crashes] == []
    counts = Counter(j.verdict for j in sample if j.truth.exception)
    knowable = counts.total() - counts["unknowable"]
    assert counts["found"] / knowable >= MUTANTS_FOUND, "\n".join(
        mutations.show(j) for j in sample if j.verdict in ("missed", "elsewhere", "possible")
    )


def test_mutants_do_what_is_kept_of_them() -> None:
    """Some mutants are run anew."""
    truth = mutations.known_truth()
    mutants = random.Random(1).sample(mutations.all_mutants(), RERUN)
    assert mutations.run(mutants) == {mutant.id: truth[mutant.id] for mutant in mutants}


# ------------------------------------------------------------------------------------------- nothing is run

PRELUDE = '''
def touch(name):
    """Leaves a trace."""
    open(f"{HERE}/{name}", "w").close()
    import os
    os.remove(f"{HERE}/victim")
'''


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Importing jax sets variables of the environment."""
    path = tmp_path_factory.mktemp("warm") / "program.py"
    path.write_text("import jax.numpy as jnp\nx = jnp.sin(jnp.ones(3))\n")
    interpret(path)


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("source", DANGEROUS.values(), ids=DANGEROUS)
def test_nothing_of_the_program_is_run(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file is made, changed or removed, and neither the process nor a library is changed."""
    monkeypatch.chdir(tmp_path)
    prelude = f"HERE = {str(tmp_path)!r}\n" + PRELUDE
    Path("victim").write_text("alive")
    Path("helper.py").write_text(prelude + "touch('helper')\n")
    Path("package").mkdir()
    Path("package/__init__.py").write_text(prelude + "touch('package')\n")
    Path("package/deep.py").write_text(prelude + "name = touch('deep')\n")
    Path("program.py").write_text(prelude + source)
    before, state = _contents(tmp_path), _state()
    result = interpret(Path("program.py").resolve())
    assert _contents(tmp_path) == before
    assert _state() == state
    assert not result.errors
    assert not result.crashes


def _contents(directory: Path) -> dict[str, bytes | None]:
    return {str(p): p.read_bytes() if p.is_file() else None for p in directory.rglob("*")}


def _state() -> list[object]:
    """What programs may change of a process and its libraries."""
    import builtins
    import decimal
    import gc
    import os
    import sys
    import threading
    import warnings

    import jax
    import numpy as np

    # Libraries import modules of their own when they are first asked for something.
    kept = [name for name in sys.modules if name in ("jax", "numpy", "math", "helper", "package", "package.deep")]
    return [
        sorted(kept), *(id(sys.modules[k]) for k in sorted(kept)), sys.path[:], sys.argv[:], sys.stdout,
        sys.stdin.closed, sys.getrecursionlimit(), sys.gettrace(), sys.getswitchinterval(), gc.isenabled(),
        dict(os.environ), Path.cwd(),
        builtins.len, builtins.open, warnings.filters[:], np.geterr(), np.get_printoptions(), decimal.getcontext().prec,
        cast(Any, np.random.get_state(legacy=True))[1].tobytes(),
        random.getstate(), hasattr(jax, "grad"),
        *(jax.config.values[k] for k in ("jax_enable_x64", "jax_numpy_rank_promotion")),
        jax.numpy.sum, np.sum, np.mean, np.std, np.var, np.ndarray.sum, threading.active_count(),
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------- no programs, and monsters


BOUND = 3
"""Seconds for each."""


@pytest.mark.parametrize(("content", "message"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_python_makes_one_line(content: bytes, message: str, tmp_path: Path) -> None:
    """As the program, and as a module that it imports."""
    path = tmp_path / "broken.py"
    path.write_bytes(content)
    result = interpret(path)
    assert len(result.errors) == 1
    assert message in result.errors[0].message
    assert "\n" not in result.errors[0].message
    assert not result.crashes
    main = tmp_path / "main.py"
    main.write_text("import broken\nx = 1\n")
    assert len(interpret(main).errors) == 1


# These still take too long or too much.
OPEN = frozenset({
    "doubling tuple of tuples", "huge containers", "huge patterns", "holds itself", "holds itself in branches",
    "holds itself in loops",
})  # fmt: skip


@pytest.mark.parametrize(
    "source", [s for name, s in ODD.items() if name not in OPEN], ids=[n for n in ODD if n not in OPEN]
)
def test_odd_programs_end_in_time(source: str, tmp_path: Path) -> None:
    """Whatever a program does, flow neither hangs nor fails."""
    path = tmp_path / "program.py"
    path.write_text(source)
    limits = Limits()
    limits.seconds = BOUND
    result = interpret(path, limits=limits)
    assert not result.crashes
    assert not result.errors
    assert result.seconds < BOUND + 8  # loading jax is part of the first one


def test_missing_file(tmp_path: Path) -> None:
    """It is one line, too."""
    result = interpret(tmp_path / "missing.py")
    assert [e.message for e in result.errors] == ["cannot be read: No such file or directory"]
    assert not result.crashes
