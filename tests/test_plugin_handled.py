"""What the program handles is no mistake: exceptions in `try`, in `contextlib.suppress`, in tests that expect them."""

from __future__ import annotations

import pytest
from mypy_runs import Mypy, of_modules, shared_caches

START = """import contextlib
import unittest
import warnings
import jax.numpy as jnp
import pytest
from absl.testing import absltest
x = jnp.ones((2, 3))
OWN = (TypeError, KeyError)
class Mine(TypeError): ...
class Swallows:
    def __enter__(self) -> None: ...
    def __exit__(self, *args: object) -> bool: return True
class Passes:
    def __enter__(self) -> None: ...
    def __exit__(self, *args: object) -> None: ...
@contextlib.contextmanager
def expecting():
    try:
        yield
    except TypeError:
        pass
@contextlib.contextmanager
def timed():
    yield
"""

HANDLED = {
    "try": "try:\n    x @ x\nexcept TypeError:\n    pass",
    "several classes": "try:\n    x @ x\nexcept (KeyError, TypeError):\n    pass",
    "a base class": "try:\n    x @ x\nexcept Exception:\n    pass",
    "bare": "try:\n    if x.ndim:\n        x @ x\nexcept:\n    pass",
    "the second handler": "try:\n    x @ x\nexcept KeyError:\n    raise\nexcept TypeError:\n    pass",
    "classes by a name": "try:\n    x @ x\nexcept OWN:\n    pass",
    "a derived class": "try:\n    x @ x\nexcept Mine:\n    pass",
    "suppress": "with contextlib.suppress(KeyError, TypeError):\n    x @ x",
    "pytest": "with pytest.raises(TypeError, match='dimension'):\n    x @ x",
    "pytest, a tuple": "with pytest.raises((TypeError, ValueError)):\n    x @ x",
    "pytest, a function": "pytest.raises(TypeError, lambda: x @ x)",
    "unittest": (
        "class T(unittest.TestCase):\n    def test(self) -> None:\n"
        "        with self.assertRaisesRegex(TypeError, 'no'):\n            x @ x"
    ),
    "absl": (
        "class T(absltest.TestCase):\n    def test(self):\n"
        "        with self.assertRaises(TypeError) as e, timed():\n            x @ x"
    ),
    "a manager that swallows": "with Swallows():\n    x @ x",
    "a generator that catches": "with expecting():\n    x @ x",
    "warned of": "with pytest.warns(UserWarning):\n    x.astype('float64')",
    "warnings": "with warnings.catch_warnings():\n    x.astype('float64')",
}
NOT_HANDLED = {
    "another class": "try:\n    x @ x\nexcept KeyError:\n    pass",
    "passed on": "try:\n    x @ x\nexcept TypeError:\n    print(x)\n    raise",
    "in the handler": "try:\n    print(x)\nexcept TypeError:\n    x @ x",
    "behind it": "try:\n    print(x)\nexcept TypeError:\n    pass\nx @ x",
    "in the else": "try:\n    print(x)\nexcept TypeError:\n    pass\nelse:\n    x @ x",
    "suppress another": "with contextlib.suppress(KeyError):\n    x @ x",
    "another is expected": "with pytest.raises(KeyError):\n    x @ x",
    "a manager that does not swallow": "with Passes(), timed():\n    x @ x",
    "a warning in a try": "try:\n    x.astype('float64')\nexcept Exception:\n    pass",
}


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """How many errors of arrays mypy reports in each of the programs, in one run."""
    programs = {**HANDLED, **NOT_HANDLED}
    files = {f"program{i}.py": START + text + "\n" for i, text in enumerate(programs.values())}
    mypy = Mypy(tmp_path_factory.mktemp("handled"), shared_caches(tmp_path_factory))
    run = mypy.run(files, mypy_settings=of_modules(files, "check_untyped_defs = true"))
    codes = [m.file for m in run.errors() if m.code is not None and m.code.startswith("array-")]
    return {name: codes.count(f"program{i}.py") for i, name in enumerate(programs)}


@pytest.mark.parametrize("name", HANDLED)
def test_what_is_handled_is_not_reported(name: str, reported: dict[str, int]) -> None:
    assert reported[name] == 0


@pytest.mark.parametrize("name", NOT_HANDLED)
def test_what_is_not_handled_is_reported(name: str, reported: dict[str, int]) -> None:
    assert reported[name] == 1
