"""Which files are tests, by their names, as pytest tells them."""

from __future__ import annotations

from pathlib import Path

__all__ = ["is_test_file"]


def is_test_file(path: Path) -> bool:
    """Whether pytest collects a file where nothing else is configured.

    Source: https://docs.pytest.org/en/stable/explanation/goodpractices.html, conventions for test discovery.
    """
    return path.stem.startswith("test_") or path.stem.endswith("_test")
