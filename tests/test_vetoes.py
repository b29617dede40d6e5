"""Where flow has seen an expression come to a known array, the types' mistake at it is not shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from arraytyping_mypy.vetoes import without_vetoed

from arraytyping.checker.claims import Claim, ExpressionClaims, FileClaims, ProgramClaims
from arraytyping.checker.flow.state.diagnostics import Diagnostic

TEXT = "z = x @ y\nw = x @ y + 1\n"
KNOWN, UNKNOWN = Claim("float32", False, (3, None)), Claim()
ERROR = "a.py:1:5: error: matmul: no  [array-shape]"


def claims(*found: tuple[int, int, int, Claim]) -> ProgramClaims:
    expressions = tuple(ExpressionClaims(n, c, n, end, (claim,), "flow") for n, c, end, claim in found)
    return ProgramClaims({"a.py": FileClaims(expressions)})


@pytest.fixture(autouse=True)
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text(TEXT)
    monkeypatch.chdir(tmp_path)


def test_a_known_array_is_a_veto() -> None:
    note = "a.py:1:5: note: x is what it is"
    assert without_vetoed([ERROR, note], claims((1, 4, 9, KNOWN)), []) == []


@pytest.mark.parametrize(
    "known",
    [claims(), claims((1, 4, 9, UNKNOWN)), claims((1, 4, 5, KNOWN)), claims((2, 4, 9, KNOWN))],
    ids=["nothing", "unknown", "an operand alone", "another line"],
)
def test_what_flow_does_not_know_is_none(known: ProgramClaims) -> None:
    assert without_vetoed([ERROR], known, []) == [ERROR]


def test_all_expressions_that_begin_there_have_to_be_known() -> None:
    error = ERROR.replace(":1:", ":2:")
    assert without_vetoed([error], claims((2, 4, 9, KNOWN)), []) == [error]
    assert without_vetoed([error], claims((2, 4, 9, KNOWN), (2, 4, 13, KNOWN)), []) == []


def test_other_codes_and_what_flow_reports_itself_stay() -> None:
    known = claims((1, 4, 9, KNOWN))
    for code in ("array-x64", "array-annotation", "arg-type"):
        other = ERROR.replace("array-shape", code)
        assert without_vetoed([other], known, []) == [other]
    diagnostic = Diagnostic("a.py", 1, 4, 1, 9, "array-shape", "matmul: no")
    assert without_vetoed([ERROR], known, [diagnostic]) == [ERROR]
