"""What scenarios of pytest-mypy-plugins need to run here: cases of YAML with programs, a configuration, and output."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

__all__ = ["pytest_collection_modifyitems", "pytest_itemcollected", "pytest_runtest_call"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave those out that take long: pytest cannot skip what has no line."""
    if not config.getoption("--thorough"):
        items[:] = [i for i in items if i.path.suffix != ".yml" or i.get_closest_marker("thorough") is None]


def pytest_itemcollected(item: pytest.Item) -> None:
    """pytest-lsp skips an item without fixtures in a way that pytest does not allow."""
    if not hasattr(item, "funcargs"):
        scenario: Any = item
        scenario.funcargs = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """The mypy that runs is the one beside this Python, whether the environment is activated or not."""
    if item.path.suffix != ".yml":
        return (yield)
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    with mock.patch.dict(os.environ, PATH=path):
        return (yield)
