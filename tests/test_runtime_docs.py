"""The programs in the runtime's pages print what stands below them."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parent.parent / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["runtime.md", "jaxprs.md"])
def test_programs_print_what_is_shown(page: str) -> None:
    blocks = BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))
    namespace: dict[str, Any] = {"__name__": page}
    compared = 0
    for (language, code), (following, shown) in zip(blocks, [*blocks[1:], ("end", "")]):
        if language != "python":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, page, "exec"), namespace)
        if not following:
            assert printed.getvalue() == shown
            compared += 1
    assert compared


def test_programs_on_several_devices_print_what_is_shown() -> None:
    blocks = BLOCK.findall((DOCS / "runtime-devices.md").read_text(encoding="utf-8"))
    program = "\n".join(text for language, text in blocks if language == "python")
    shown = "".join(text for language, text in blocks if language != "python")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == shown
