"""arraytyping's own runtime is not read where JAX is installed and what the runtime requires is not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from arraytyping_mypy import skipped_runtime
from mypy.options import Options
from mypy_runs import Mypy, shared_caches

PATCH = """
from arraytyping_mypy import skipped_runtime
names_in = skipped_runtime.names_in
skipped_runtime.names_in = lambda folder: [name for name in names_in(folder) if name != "optree"]
"""
PROGRAM = """\
import arraytyping
import arraytyping.numpy as anp
import jax.numpy as jnp
from arraytyping import Array, float32

def f(x: Array[float32, tuple[int]]) -> None:
    reveal_type(x)
    reveal_type(anp.ones(3))
    reveal_type(jnp.ones(3))
    jnp.ones(3) + jnp.ones(4)
"""
ERROR = "add: incompatible shapes for broadcasting"


def options(monkeypatch: pytest.MonkeyPatch, *installed: str) -> Options:
    """Mypy's options in an environment with these packages."""
    monkeypatch.setattr(skipped_runtime, "get_search_dirs", lambda _: (["lib"], ["site-packages"]))
    monkeypatch.setattr(skipped_runtime, "names_in", lambda folder: installed if folder == "site-packages" else ())
    made = Options()
    made.per_module_options["arraytyping.lax.*"] = {"follow_imports": "silent"}
    skipped_runtime.skip_runtime(made)
    return made


def test_what_is_configured_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    made = options(monkeypatch, "jax", "numpy")
    names = ("numpy", "numpy.fft", "runtime.array", "lax", "scalars", "basearray", "typing", "semantics.avals")
    found = {name: made.clone_for_module(f"arraytyping.{name}").follow_imports for name in names}
    assert found == {
        "numpy": "skip", "numpy.fft": "skip", "runtime.array": "skip", "lax": "silent", "scalars": "normal",
        "basearray": "normal", "typing": "normal", "semantics.avals": "normal",
    }  # fmt: skip
    assert made.clone_for_module("arraytyping").follow_imports == "normal"


@pytest.mark.parametrize("installed", [("jax", "optree"), ("optree",), ("numpy",), ()], ids=" ".join)
def test_the_runtime_is_read_where_it_may_run(monkeypatch: pytest.MonkeyPatch, installed: tuple[str, ...]) -> None:
    assert options(monkeypatch, *installed).per_module_options.keys() == {"arraytyping.lax.*"}


def test_an_interpreter_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise subprocess.CalledProcessError(1, "python")

    monkeypatch.setattr(skipped_runtime, "get_search_dirs", fail)
    made = Options()
    skipped_runtime.skip_runtime(made)
    assert not made.per_module_options


def test_arrays_of_jax_and_what_is_annotated_are_known(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mypy = Mypy(tmp_path, shared_caches(tmp_path_factory))
    with_runtime = mypy.run(PROGRAM).output
    assert ERROR in with_runtime
    assert 'program.py:8:17: note: Revealed type is "Any"' not in with_runtime
    without = Mypy(tmp_path, shared_caches(tmp_path_factory), mypy.cache).run(PROGRAM + "\n", before=PATCH).output
    lines = [line for line in with_runtime.splitlines() if not line.startswith("program.py:8:")]
    assert [line for line in without.splitlines() if not line.startswith("program.py:8:")] == lines
    assert 'program.py:8:17: note: Revealed type is "Any"' in without
    again = Mypy(tmp_path, shared_caches(tmp_path_factory), mypy.cache).run(PROGRAM).output
    assert again == with_runtime  # installed again, and read again
