"""Claims: their JSON form, and what counts as known."""

from __future__ import annotations

import json

import pytest

from arraytyping.checker.claims import Claim, Coverage, ExpressionClaims, FileClaims, Layer, ProgramClaims
from arraytyping.semantics.avals import ShapedArray, SymbolicDim

F32 = Claim("float32", False, (3, 4))
I32 = Claim("int32", False, (3, 4))
UNKNOWN = Claim()


def expression(*claims: Claim, line: int = 1, column: int = 0, layer: Layer = "types") -> ExpressionClaims:
    return ExpressionClaims(line, column, line, column + 5, claims, layer, None)


def test_the_json_form() -> None:
    claims = ExpressionClaims(
        3, 4, 3, 9, (Claim.of(ShapedArray((3, SymbolicDim("n"), None), "float32")),), "types", "a size is unknown"
    )
    program = ProgramClaims({"train.py": FileClaims.of([claims])})
    assert program.to_json() == {
        "files": {
            "train.py": {
                "expressions": [
                    {
                        "line": 3,
                        "column": 4,
                        "end_line": 3,
                        "end_column": 9,
                        "claims": [{"dtype": "float32", "weak_type": False, "shape": [3, "n", None]}],
                        "layer": "types",
                        "why_unknown": "a size is unknown",
                    }
                ]
            }
        }
    }


@pytest.mark.parametrize(
    "claim",
    [
        F32,
        UNKNOWN,
        Claim("int32", True, ()),
        Claim("bool", None, (None, SymbolicDim("n"), 0)),
        Claim("float32", False, None, (1, 0)),
    ],
)
def test_json_there_and_back(claim: Claim) -> None:
    program = ProgramClaims({"a.py": FileClaims.of([expression(claim), expression(line=2)]), "b.py": FileClaims()})
    assert ProgramClaims.from_json(json.loads(json.dumps(program.to_json()))) == program


def test_json_that_is_not_ours_is_refused() -> None:
    with pytest.raises((KeyError, ValueError)):
        Claim.from_json({"dtype": "int8", "weak_type": False, "shape": [1.5]})
    with pytest.raises(KeyError):
        ProgramClaims.from_json({"files": {"a.py": {}}})


@pytest.mark.parametrize(
    ("claims", "layer", "dtype", "shape"),
    [
        ((F32,), "types", True, True),
        ((UNKNOWN,), "types", False, False),
        ((), "types", False, False),
        ((Claim("float32", False, None),), "types", True, False),
        ((Claim("float32", False, (3, None)),), "types", True, False),
        ((Claim("float32", False, (3, SymbolicDim("n"))),), "types", True, True),
        ((Claim("float32", None, (3,)),), "types", False, True),
        ((Claim("bool", None, (3,)),), "types", True, True),
        ((Claim(None, None, ()),), "types", False, True),
        # one of two, and for flow both of them
        ((F32, I32), "types", False, True),
        ((F32, I32), "flow", True, True),
        ((F32, UNKNOWN), "flow", False, False),
        ((Claim("int32", False, ()), Claim("int32", True, ())), "types", False, True),
        ((Claim("int32", False, (3,)), Claim("int32", False, (4,))), "types", True, False),
        # a tuple of arrays
        ((Claim("int32", False, (3,), (0,)), Claim("float32", False, (4,), (1,))), "types", True, True),
        ((Claim("int32", False, (3,), (0,)), Claim(None, None, (4,), (1,))), "types", False, True),
    ],
)
def test_what_counts_as_known(claims: tuple[Claim, ...], layer: Layer, dtype: bool, shape: bool) -> None:
    found = expression(*claims, layer=layer)
    assert (found.is_dtype_known, found.is_shape_known) == (dtype, shape)
    assert (found in FileClaims((found,)).unknown) is not (dtype and shape)


def test_the_order_is_that_of_the_source() -> None:
    outer = ExpressionClaims(1, 0, 1, 9, ())
    inner = ExpressionClaims(1, 0, 1, 5, ())
    later = ExpressionClaims(2, 0, 2, 1, ())
    assert FileClaims.of([later, inner, outer]).expressions == (outer, inner, later)


def test_coverage_of_files_and_of_the_program() -> None:
    a = FileClaims.of([expression(F32), expression(UNKNOWN), expression(Claim("int8", False, None))])
    b = FileClaims.of([expression(F32)])
    assert a.coverage == Coverage(3, 2, 1)
    assert ProgramClaims({"a.py": a, "b.py": b}).coverage == Coverage(4, 3, 2)
    assert ProgramClaims().coverage == Coverage(0, 0, 0)


def test_coverage_in_words() -> None:
    assert str(Coverage(123, 118, 101)) == "123 array expressions: dtype known for 118 (95%), shape for 101 (82%)"
    assert str(Coverage(1, 1, 0)) == "1 array expression: dtype known for 1 (100%), shape for 0 (0%)"
    assert str(Coverage(1000, 999, 1000)) == "1000 array expressions: dtype known for 999 (99%), shape for 1000 (100%)"
    assert str(Coverage()) == "no array expressions"


def test_claims_in_words() -> None:
    assert str(expression(Claim("int32", True, (3, None)))) == "int32[3, ?] (weak)"
    assert str(expression(F32, UNKNOWN)) == "float32[3, 4] | ?[...]"
    assert str(expression(Claim("int8", False, (), (0,)), Claim("int8", False, None, (1,)))) == "int8[], int8[...]"
    assert str(expression()) == "?[...]"
