"""Mistakes that raise nothing: flow on programs of `typecheck_cases/silent/` and their twins, against their runs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import planted
import pytest
import silent_runs

from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.state.compilations import COMPILED
from arraytyping.checker.opt_in_codes import parent_of

truth = silent_runs.truth
DIRECTORY = planted.DIRECTORY.parent / "silent"
OPT_IN = ("array-nan", "array-promotion")
FILES = sorted(DIRECTORY.glob("*.py"))


def of_kind(kind: str) -> list[Path]:
    """The programs of one code."""
    return [path for path in FILES if path.stem.startswith(f"{kind}_")]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_clean_programs_have_none_and_their_twins_one_at_its_line(path: Path) -> None:
    cases = planted.cases_of(path)
    clean = interpret(path, source=cases[0].clean_source, enable=OPT_IN)
    assert [str(m) for m in clean.diagnostics if m.is_shown] == []
    assert not clean.crashes
    for case in cases:
        found = interpret(path, source=case.mistaken_source, enable=OPT_IN)
        shown = [(m.line, m.code) for m in found.diagnostics if m.is_shown]
        assert (case.shows_line, case.code) in shown, f"{case.name}: {case.replacement}"
        assert {code for _, code in shown} == {case.code}, f"{case.name}: {case.replacement}"


@pytest.mark.parametrize("path", of_kind("index"), ids=lambda p: p.stem)
def test_numpy_refuses_the_same_indices(path: Path) -> None:
    cases = planted.cases_of(path)
    masked = {i for i, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("  # masked")}
    assert truth("lines_out_of_bounds", path, cases[0].clean_source) == masked
    for case in cases:
        lines = truth("lines_out_of_bounds", path, case.mistaken_source) - masked
        assert case.shows_line in lines, f"{case.name}: {case.replacement}"
        shown = {m.line for m in interpret(path, source=case.mistaken_source).diagnostics if m.is_shown}
        assert shown == lines, f"{case.name}: {case.replacement}"


@pytest.mark.parametrize("path", of_kind("beyond"), ids=lambda p: p.stem)
def test_jax_refuses_what_is_beyond_the_arguments_and_axes(path: Path) -> None:
    cases = planted.cases_of(path)
    assert truth("raises_at", path, cases[0].clean_source) == ("", [])
    for case in cases:
        name, lines = truth("raises_at", path, case.mistaken_source)
        assert name in ("TypeError", "ValueError", "IndexError"), f"{case.name}: {case.replacement}"
        assert lines == [case.shows_line], f"{case.name}: {case.replacement}"


@pytest.mark.parametrize("path", of_kind("unused"), ids=lambda p: p.stem)
def test_a_statement_that_is_unused_does_nothing_and_ought_to(path: Path) -> None:
    cases = planted.cases_of(path)
    clean = truth("run", path, cases[0].clean_source)
    for case in cases:
        assert truth("does_nothing", path, case.mistaken_source, case.shows_line), f"{case.name}: {case.replacement}"
        assert truth("run", path, case.mistaken_source) != clean, f"{case.name}: {case.replacement}"


@pytest.mark.parametrize("path", of_kind("timing"), ids=lambda p: p.stem)
def test_nothing_waits_before_the_clock_is_read_again(path: Path) -> None:
    """What reads a clock once more, to know when it began, has to wait for nothing."""
    cases = planted.cases_of(path)
    clean = truth("unawaited_times", path, cases[0].clean_source)
    for case in cases:
        lines = truth("unawaited_times", path, case.mistaken_source)
        assert lines - clean == {case.shows_line}, f"{case.name}: {case.replacement}"


@pytest.mark.parametrize("path", of_kind("key"), ids=lambda p: p.stem)
def test_the_check_of_jax_refuses_the_reused_keys(path: Path) -> None:
    """It knows nothing of rows and steps that are alike: of those the program says True."""
    cases = planted.cases_of(path)
    assert not truth("reuses_keys", path, cases[0].clean_source)
    for case in cases:
        name = f"{case.name}: {case.replacement}"
        assert truth("reuses_keys", path, case.mistaken_source) is not case.silent, name
        clean = truth("run", path, case.clean_source) if case.silent else ""
        if "False" in clean:
            assert truth("run", path, case.mistaken_source).count("True") == clean.count("True") + 1, name


@pytest.mark.parametrize("path", of_kind("donated"), ids=lambda p: p.stem)
def test_jax_refuses_the_donated_arrays(path: Path) -> None:
    cases = planted.cases_of(path)
    assert truth("raises_at", path, cases[0].clean_source) == ("", [])
    for case in cases:
        name, lines = truth("raises_at", path, case.mistaken_source)
        assert name in ("RuntimeError", "ValueError", "JaxRuntimeError"), f"{case.name}: {case.replacement}"
        assert case.shows_line in lines, f"{case.name}: {case.replacement}"


@pytest.mark.parametrize("path", of_kind("leak"), ids=lambda p: p.stem)
def test_jax_refuses_the_leaked_tracers_and_what_is_frozen_is_the_same(path: Path) -> None:
    """A program says True of what is the same in every call: of the clean one that is nothing."""
    cases = planted.cases_of(path)
    clean = truth("run", path, cases[0].clean_source)
    for case in cases:
        name, lines = truth("raises_at", path, case.mistaken_source)
        if not name:
            assert truth("run", path, case.mistaken_source).count("True") == clean.count("True") + 1, case.name
            continue
        assert name in ("UnexpectedTracerError", "TypeError"), f"{case.name}: {case.replacement}"
        at_once = {case.shows_line, case.line} & set(lines)
        assert at_once or len(lines) == 1, f"{case.name}: {case.replacement}"  # else as jax compiles the outer call


_PRIMITIVES = {"while_loop": "while"}


@pytest.mark.parametrize("path", of_kind("recompile"), ids=lambda p: p.stem)
def test_jax_compiles_more_often(path: Path) -> None:
    cases = planted.cases_of(path)
    clean = truth("compilations", path, cases[0].clean_source)
    for case in cases:
        found = interpret(path, source=case.mistaken_source)
        (message,) = {m.message for m in found.diagnostics if m.is_shown}
        name, again, _ = message.partition(" compiles again")
        if again:
            name = _PRIMITIVES.get(name, name)
            counts = truth("compilations", path, case.mistaken_source)
            assert counts[name] > clean[name], f"{case.name}: {case.replacement}"


def test_a_loop_that_is_unrolled_is_compiled_in_as_many_copies() -> None:
    (path,) = [p for p in of_kind("recompile") if "diffuse_unrolled" in p.read_text()]
    names: dict[str, Any] = {}
    exec(planted.cases_of(path)[0].clean_source, names)
    lines = [len(str(jax.make_jaxpr(names[f])(jnp.ones(4))).splitlines()) for f in ("diffuse", "diffuse_unrolled")]
    assert lines[1] > 10 * lines[0]


def test_what_is_listed_as_compiled_is_compiled_as_often() -> None:
    (path,) = [p for p in FILES if p.stem == "recompile_arguments"]
    source = planted.cases_of(path)[0].clean_source
    listed: Counter[str] = Counter()
    for one, times in COMPILED.of(interpret(path, source=source).interpreter).compiled.items():
        listed[one.function] += times
    runs = truth("compilations", path, source)
    assert len(listed) > 5
    assert {name: runs[name] for name in listed} == dict(listed)


@pytest.mark.parametrize("path", of_kind("nan"), ids=lambda p: p.stem)
def test_the_gradients_are_not_finite(path: Path) -> None:
    cases = planted.cases_of(path)
    assert truth("is_finite", path, cases[0].clean_source)
    for case in cases:
        assert not truth("is_finite", path, case.mistaken_source), f"{case.name}: {case.replacement}"


@pytest.mark.parametrize("path", of_kind("promotion"), ids=lambda p: p.stem)
def test_the_promotions_change_what_is_computed(path: Path) -> None:
    """The dtypes, shapes and values that a program prints are other ones; of 64 bits jax warns."""
    cases = planted.cases_of(path)
    clean = truth("run", path, cases[0].clean_source)
    assert not truth("asks_for_64_bits", path, cases[0].clean_source)
    for case in cases:
        is_64_bits = case.code == "array-promotion-64bit"
        assert truth("asks_for_64_bits", path, case.mistaken_source) == is_64_bits, case.name
        assert is_64_bits or truth("run", path, case.mistaken_source) != clean, f"{case.name}: {case.replacement}"


def test_what_is_off_by_default_is_not_told() -> None:
    path = of_kind("nan")[0]
    case = planted.cases_of(path)[0]
    assert not interpret(path, source=case.mistaken_source).diagnostics
    only = interpret(path, source=case.mistaken_source, enable=["array-promotion-wide"])
    assert not only.diagnostics


def test_there_are_enough_of_each_kind() -> None:
    kinds = [case.code for path in FILES for case in planted.cases_of(path)]
    kinds = [parent_of(kind) or kind for kind in kinds]
    assert all(kinds.count(kind) >= 15 for kind in set(kinds))
