"""Powers of integers: where nothing is followed they are what mypy's own plugin says."""

from __future__ import annotations

import pytest
from mypy_runs import Mypy, shared_caches

SOURCE = """
def powers(n: int) -> None:
    reveal_type(2**30)
    reveal_type(2**-1)
    reveal_type(2**n)
    reveal_type(n**2)
    reveal_type((2).__pow__(3, 5))
"""


def test_powers_are_as_mypy_says_them(tmp_path_factory: pytest.TempPathFactory) -> None:
    mypy = Mypy(tmp_path_factory.mktemp("powers"), shared_caches(tmp_path_factory))
    found = [m.revealed for m in mypy.run(SOURCE).messages if m.revealed]
    assert found == ["int", "float", "Any", "int", "int"]
