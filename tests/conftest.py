"""Fixtures that more than one test module needs."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy_runs import Mypy, shared_cache


@pytest.fixture
def mypy(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Mypy:
    """Mypy in a fresh directory."""
    return Mypy(tmp_path, shared_cache(tmp_path_factory, "mypy-cache"))
