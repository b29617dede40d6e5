"""Scenarios of pytest-mypy-plugins: a program of some files, mypy's configuration, and what mypy says, in YAML."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """pytest-lsp skips an item without fixtures in a way that pytest does not allow."""
    if not hasattr(item, "funcargs"):
        scenario: Any = item
        scenario.funcargs = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """The mypy that runs is the one beside this Python, whether the environment is activated or not."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    with mock.patch.dict(os.environ, PATH=path):
        return (yield)
