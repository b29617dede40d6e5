"""JAX's own tests on our runtime: how they are run, and a selection of them where there is a checkout.

ARRAYTYPING_JAX_CHECKOUT names a checkout of https://github.com/jax-ml/jax at the installed release; `python
tests/jax_own_tests.py --checkout DIRECTORY` makes one, and runs them all.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from jax_own_tests import Expected, Group, Outcome, Told, news, read_expected, run, table

SELECTION = ("tree_util", "generated_fun")
"""Files that take a few seconds."""
PROGRAM = """
import unittest
from absl.testing import absltest
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import config, core, dtypes
from jax._src import test_util as jtu
from jax.experimental import pallas  # which the runtime has not
from jax.not_there import nothing

jax.config.parse_flags_with_absl()
BLOCK = pallas.BlockSpec((2, 2))

class Some(jtu.JaxTestCase):
    @jtu.sample_product(dtype=jtu.dtypes.floating, shape=[(2,), (3, 1)])
    def test_sine(self, dtype, shape):
        rng = jtu.rand_default(self.rng())
        self._CheckAgainstNumpy(np.sin, jnp.sin, lambda: [rng(shape, dtype)], tol=1e-5)
        self._CompileAndCheck(jnp.sin, lambda: [rng(shape, dtype)])

    def test_ours(self):
        self.assertEqual(type(jnp.ones(1)).__module__.split(".")[0], "arraytyping")
        self.assertIsInstance(jax.make_jaxpr(jnp.sin)(1.0).out_avals[0], core.ShapedArray)
        self.assertEqual(dtypes.default_float_dtype(), np.dtype("float32"))

    def test_gradient(self):
        jtu.check_grads(lax.sin, (0.5,), order=2, atol=1e-2, rtol=1e-2)

    def test_x64(self):
        with config.enable_x64(True):
            self.assertEqual(jnp.ones(1).dtype, np.float64)
        self.assertEqual(jnp.ones(1).dtype, np.float32)

    def test_wrong(self):
        self.assertEqual(float(jnp.ones(())), 2)

    def test_wording(self):
        with self.assertRaisesRegex(TypeError, "in JAX's words"):
            jnp.ones(2) + jnp.ones(3)

    def test_missing(self):
        pallas.pallas_call(lambda: 0)

    def test_missing_keyword(self):
        jnp.sin(1.0, nothing_of_this_name=1)

    def test_missing_option(self):
        with config.explain_cache_misses(True):
            pass

    @unittest.skip("not here")
    def test_skipped(self):
        pass

    def test_dies(self):
        import os
        os._exit(3)

    def test_last(self):
        pass

if __name__ == "__main__":
    absltest.main(testLoader=jtu.JaxTestLoader())
"""


def test_what_comes_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "some_test.py"
    path.write_text(PROGRAM.replace("from jax.not_there import nothing\n", ""))
    told = run(path)
    assert not told.unread
    kinds = {name.removeprefix("Some.test_"): outcome.kind for name, outcome in told.outcomes.items()}
    assert kinds == {
        "sine0": "passed", "ours": "passed", "gradient": "passed", "x64": "passed", "last": "passed",
        "wrong": "failed", "dies": "failed", "wording": "wording", "skipped": "skipped",
        "missing": "missing", "missing_keyword": "missing", "missing_option": "missing",
    }  # fmt: skip
    assert told.outcomes["Some.test_missing"].wanted == "jax.experimental.pallas.pallas_call"
    assert told.outcomes["Some.test_missing_option"].wanted == "jax.config.jax_explain_cache_misses"
    assert "nothing_of_this_name" in told.outcomes["Some.test_missing_keyword"].wanted
    expected = Expected(("some",), (Group("why", ("some: Some.test_w*", "some: Some.test_gone")),), {"why": ("jax.*",)})
    assert [line.split(": ")[0] + " " + line.split("test_")[1].split(":")[0] for line in news([told], expected)] == [
        "new dies", "new missing_keyword", "gone gone (why)",
    ]  # fmt: skip
    assert table([told]).splitlines()[-1] == "| all | 8 | 5 | 2 | 1 | 3 | 1 |"


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "some_test.py"
    path.write_text("import jax.not_there\n")
    told = run(path)
    assert "No module named 'jax.not_there'" in told.unread
    assert news([told], Expected(("some",), (), {})) == [f"new: some cannot be read: {told.unread}"]


def test_the_expected_differences_are_of_files_that_are_run() -> None:
    expected = read_expected()
    assert sorted(set(expected.files)) == list(expected.files)
    for group in expected.groups:
        assert group.reason
        assert group.tests
        assert {pattern.split(": ")[0] for pattern in group.tests} <= set(expected.files)
    assert all(expected.missing)
    assert set(SELECTION) <= set(expected.files)
    assert expected.group_of("lax", Outcome("NoTest.of_this_name", "failed")) is None


@pytest.mark.parametrize("name", SELECTION)
def test_nothing_new(name: str) -> None:
    checkout = os.environ.get("ARRAYTYPING_JAX_CHECKOUT")
    if not checkout:
        pytest.skip("ARRAYTYPING_JAX_CHECKOUT names no checkout of jax")
    told: Told = run(Path(checkout) / "tests" / f"{name}_test.py")
    assert told.count("passed") > 0
    assert news([told], read_expected()) == []
