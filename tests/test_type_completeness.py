"""Every public name of the package has a type that all checkers infer alike, as `pyright --verifytypes` counts."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from checkers import BIN

COMMAND = [str(BIN / "pyright"), "--verifytypes", "arraytyping", "--ignoreexternal", "--outputjson"]


def explained(symbol: dict[str, Any]) -> str:
    """The symbol, and what pyright says of it; where that is nothing, the cause is another one of the list."""
    lines = [f"{symbol['category']} {symbol['name']}"]
    for said in symbol["diagnostics"]:
        place = f"{said['file']}:{said['range']['start']['line'] + 1}: " if "range" in said else ""
        if not said["message"].startswith("No docstring"):
            lines.append(f"  {place}{said['message']}")
    return "\n".join(lines)


def test_every_public_name_has_a_known_type(tmp_path: Path) -> None:
    try:
        started = subprocess.run([BIN / "pyright", "--version"], capture_output=True, text=True, timeout=120)
    except OSError as error:
        pytest.skip(f"pyright is not there: {error}")
    if started.returncode:
        pytest.skip(f"pyright's node is not there: {(started.stdout + started.stderr).strip()[-200:]}")
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"  # where it looks for Python, whatever its options say
    done = subprocess.run(COMMAND, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    found = json.loads(done.stdout)["typeCompleteness"]
    assert found["exportedSymbolCounts"]["withKnownType"] > 5000, "these are not the names of this package"
    # Stand-ins are interpreted, and never executed nor imported.
    symbols = [symbol for symbol in found["symbols"] if ".flow.stand_ins." not in symbol["name"]]
    unknown = [explained(symbol) for symbol in symbols if symbol["isExported"] and not symbol["isTypeKnown"]]
    assert not unknown, "\n".join(unknown)
