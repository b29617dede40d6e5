"""What was looked at by hand of the primers' findings can be read, and names packages that they look at."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

PRIMER = Path(__file__).parents[1] / "tools" / "primer"
PACKAGES = tomllib.loads((PRIMER / "packages.toml").read_text(encoding="utf-8"))["packages"]


@pytest.mark.parametrize("layer", ["flow", "types"])
def test_triage_is_readable(layer: str) -> None:
    looked_at = tomllib.loads((PRIMER / f"{layer}_triage.toml").read_text(encoding="utf-8"))
    said = {"flow": "verdict", "types": "why"}[layer]
    assert set(looked_at) <= set(PACKAGES)
    for entries in looked_at.values():
        for entry in entries:
            assert {"file", "line", "code", said} <= set(entry)
            assert not Path(entry["file"]).is_absolute()
