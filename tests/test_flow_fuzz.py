"""Programs of Python with arrays that are made at random: what flow says of every variable holds when they are run.

`python tests/fuzz_python.py --programs 10000` compares more of them.
"""

from __future__ import annotations

import pytest
from flow_values import interpreted
from python_fuzz.programs import EndlessError, compared, program


@pytest.mark.parametrize("first", range(1, 61, 10))
def test_every_variable_is_as_it_is_claimed(first: int) -> None:
    variables = unknown = 0
    for seed in range(first, first + 10):
        try:
            found = compared(program(seed), runs=1)
        except EndlessError:
            continue
        assert found.wrong == [], program(seed)
        assert found.false == [], program(seed)
        assert found.crashes == [], program(seed)
        variables += found.variables
        unknown += found.unknown
    assert variables > 100
    assert unknown < variables // 5, "what is unknown cannot be wrong"


def test_a_wrong_claim_and_a_false_error_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison itself: flow is told another program than the one that is run."""
    monkeypatch.setattr(
        "python_fuzz.programs.interpreted", lambda source: interpreted(source.replace("[1, 2]", "[1, 2, 3]"))
    )
    found = compared(
        "import numpy as np\na = np.array([1, 2])\nb = a + np.ones(2)\nc = [1, 2]\nd = {'x': [1, 2]}\ne = 1\n"
    )
    assert [w.partition(":")[0] for w in found.wrong] == ["a", "c", "d"]
    assert [f.partition(":")[0] for f in found.false] == ["line 3"]
