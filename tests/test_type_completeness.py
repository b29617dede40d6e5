"""Every public name of the package has a type that all checkers infer alike, as `pyright --verifytypes` counts."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import kept_reports
import pytest
from checkers import BIN, ROOT

SOURCES = ROOT / "src"
COMMAND = [str(BIN / "pyright"), "--verifytypes", "arraytyping", "--ignoreexternal", "--outputjson"]


def explained(symbol: dict[str, Any]) -> str:
    """The symbol, and what pyright says of it; where that is nothing, the cause is another one of the list."""
    lines = [f"{symbol['category']} {symbol['name']}"]
    for said in symbol["diagnostics"]:
        place = f"{said['file']}:{said['range']['start']['line'] + 1}: " if "range" in said else ""
        if not said["message"].startswith("No docstring"):
            lines.append(f"  {place}{said['message']}")
    return "\n".join(lines)


def asked(folder: Path) -> dict[str, Any]:
    """What pyright says now: how many names have a type, and what is exported without one."""
    try:
        started = subprocess.run([BIN / "pyright", "--version"], capture_output=True, text=True, timeout=120)
    except OSError as error:
        pytest.skip(f"pyright is not there: {error}")
    if started.returncode:
        pytest.skip(f"pyright's node is not there: {(started.stdout + started.stderr).strip()[-200:]}")
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"  # where it looks for Python, whatever its options say
    done = subprocess.run(COMMAND, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    found = json.loads(done.stdout)["typeCompleteness"]
    symbols = [symbol for symbol in found["symbols"] if symbol["isExported"] and not symbol["isTypeKnown"]]
    return {"known": found["exportedSymbolCounts"]["withKnownType"], "unknown": symbols}


def test_every_public_name_has_a_known_type(tmp_path: Path) -> None:
    files = sorted(p for p in SOURCES.rglob("*") if p.suffix in (".py", ".pyi", ".typed"))
    read = {p.relative_to(SOURCES).as_posix(): p.read_text(encoding="utf-8") for p in files}
    question = kept_reports.question("pyright", read, COMMAND[1:], Path(__file__))
    if (kept := kept_reports.recalled(question)) is None:
        kept = json.dumps(asked(tmp_path))
        kept_reports.keep(question, kept)
    found = json.loads(kept)
    assert found["known"] > 5000, "these are not the names of this package"
    # Stand-ins are interpreted, and never executed nor imported.
    unknown = [explained(symbol) for symbol in found["unknown"] if ".flow.stand_ins." not in symbol["name"]]
    assert not unknown, "\n".join(unknown)
