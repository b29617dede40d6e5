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
