"""The package's own names: light to import, and the same objects everywhere."""

from __future__ import annotations

import subprocess
import sys

import pytest

import arraytyping
from arraytyping import scalars


def test_scalar_types_are_the_same_objects() -> None:
    assert arraytyping.float32 is scalars.float32
    assert issubclass(arraytyping.bfloat16, arraytyping.floating)
    assert set(scalars.__all__) <= set(dir(arraytyping))


def test_array_is_a_generic_class_that_cannot_be_called() -> None:
    assert arraytyping.Array[arraytyping.float32, tuple[int]] is not None
    with pytest.raises(TypeError, match="use a function that makes arrays"):
        arraytyping.Array((3,))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'float31'"):
        arraytyping.float31  # noqa: B018


def test_importing_the_package_loads_no_module_of_it() -> None:
    code = "import sys, arraytyping; print([m for m in sys.modules if m.startswith('arraytyping.')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


WITHOUT_LIBRARIES = """
import importlib, sys
for library in ("jaxlib", "ml_dtypes", "optree"):
    sys.modules[library] = None
for name in sys.argv[1:]:
    try:
        importlib.import_module(f"arraytyping.{name}")
        print(name, "is there")
    except ImportError as error:
        print(name, error.name, error)
"""
"""As where the package was installed alone, without the runtime's extra."""
LIGHT = ["basearray", "config", "errors", "facts", "typing"]
OF_THE_RUNTIME = ["numpy", "random", "lax", "nn", "tree", "tree_util", "dtypes", "ops", "scipy.special", "flatten_util"]


def test_what_is_missing_for_the_runtime_is_said_in_one_sentence() -> None:
    command = [sys.executable, "-c", WITHOUT_LIBRARIES, *LIGHT, *OF_THE_RUNTIME]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert printed[: len(LIGHT)] == [f"{name} is there" for name in LIGHT]
    said = (
        "jaxlib the runtime of arraytyping needs jaxlib, ml_dtypes, optree, which the checker does not, and which are "
        "not installed: pip install 'arraytyping[runtime]'"
    )
    assert printed[len(LIGHT) :] == [f"{name} {said}" for name in OF_THE_RUNTIME]
