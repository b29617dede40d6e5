"""Opens a program with a mistake in editors, configured as docs/editors.md says: `tools/editors/run.py [NAME...]`.

For each editor that is installed it prints the version and the diagnostics that arrive, and fails where the mistake is
not among them.  Nothing is shown: Neovim runs without a screen, Emacs on a terminal that nobody sees.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "editors.md"
DRIVERS = Path(__file__).parent
PROGRAM = """\
import jax.numpy as jnp

x = jnp.ones((32, 784))
w = jnp.ones((10, 784))
scores = x @ w
"""
SECONDS = 120


@dataclass(frozen=True)
class Editor:
    """An editor: its program, which block of the page configures it, and what waits for the diagnostic in it."""

    name: str
    program: str
    heading: str
    block: int
    language: str
    driver: str
    needs: tuple[str, ...] = ()
    """What the first line of `--version` has to match, if anything."""
    library: str = ""
    """What Emacs has to have."""

    def configuration(self) -> str:
        """What the page says for it."""
        section = PAGE.read_text(encoding="utf-8").split(f"\n## {self.heading}\n")[1].split("\n## ")[0]
        return re.findall(rf"```{self.language}\n(.*?)```", section, re.DOTALL)[self.block]

    def version(self) -> str:
        """Its version; empty if it is not there, or is not meant."""
        if shutil.which(self.program) is None:
            return ""
        said = subprocess.run([self.program, "--version"], capture_output=True, text=True, check=True).stdout
        first = said.splitlines()[0]
        if self.needs and not any(re.search(need, first) for need in self.needs):
            return ""
        if self.library:
            ask = ["--batch", "-q", "--eval", self.library]
            found = subprocess.run([self.program, *ask], capture_output=True, text=True)
            return f"{first}, {found.stdout.strip()}" if found.returncode == 0 else ""
        return first


_EMACS_VERSION = (
    "(progn (require 'package) (package-initialize) (require '{0})"
    ' (princ (concat "{0} " (package-version-join (package-desc-version (cadr (assq \'{0} package-alist)))))))'
)
EDITORS = [
    Editor("neovim", "nvim", "Neovim", 0, "lua", "neovim.lua", (r"v0\.1[1-9]", r"v[1-9]")),
    Editor("neovim-old", "nvim", "Neovim", 1, "lua", "neovim.lua", (r"v0\.([7-9]|10)\b",)),
    Editor(
        "eglot", "emacs", "Emacs", 0, "elisp", "eglot.el",
        library=_EMACS_VERSION.format("eglot"),
    ),
    Editor(
        "lsp-mode", "emacs", "Emacs", 1, "elisp", "lsp_mode.el",
        library=_EMACS_VERSION.format("lsp-mode"),
    ),
]  # fmt: skip


def diagnostics_in(editor: Editor, arraytyping: Path) -> list[str]:
    """What the editor says of the program.

    Raises:
        RuntimeError: if it says nothing for too long.
    """
    with tempfile.TemporaryDirectory(prefix="editor-") as name:
        folder = Path(name)
        (folder / "project" / ".git").mkdir(parents=True)
        program = folder / "project" / "train.py"
        program.write_text(PROGRAM, encoding="utf-8")
        answer = folder / "answer.json"
        suffix = Path(editor.driver).suffix
        init = folder / f"init{suffix}"
        driver = (DRIVERS / editor.driver).read_text(encoding="utf-8")
        begin, _, end = driver.partition("CONFIGURATION\n")
        init.write_text(begin.rpartition("\n")[0] + "\n" + editor.configuration() + end, encoding="utf-8")
        variables = {
            **os.environ,
            "PATH": f"{arraytyping.parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_STATE_HOME": str(folder / "state"),
            "ANSWER": str(answer),
            "TERM": "xterm",
        }
        if suffix == ".lua":
            command = [editor.program, "--headless", "-u", str(init), str(program)]
        else:
            command = [editor.program, "-nw", "-q", "-l", str(init), str(program)]
        said = _on_a_terminal(command, variables, program.parent, answer)
        if not answer.exists():
            raise RuntimeError(f"{editor.name} said nothing within {SECONDS} s:\n{said[-2000:]}")
        found: list[str] = json.loads(answer.read_text(encoding="utf-8"))
        return found


def _on_a_terminal(command: Sequence[str], variables: dict[str, str], folder: Path, answer: Path) -> str:
    """Run a program on a terminal of its own until it has answered; what it writes there."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        command, cwd=folder, env=variables, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # Emacs opens /dev/tty
    )  # fmt: skip
    os.close(theirs)
    written: list[bytes] = []

    def read() -> None:
        while process.poll() is None:
            ready, _, _ = select.select([ours], [], [], 0.2)
            if ready:
                try:
                    written.append(os.read(ours, 4096))
                except OSError:  # as Linux ends a terminal
                    return

    reader = threading.Thread(target=read)
    reader.start()
    until = time.monotonic() + SECONDS
    while process.poll() is None and time.monotonic() < until:
        time.sleep(0.1)
        if answer.exists():
            until = min(until, time.monotonic() + 5)
    if process.poll() is None:
        process.kill()
    process.wait()
    reader.join()
    os.close(ours)
    return b"".join(written).decode(errors="replace")


def main() -> int:
    """Try all editors that are asked for and installed; 1 if one does not show the mistake."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(e.name for e in EDITORS))
    names = parser.parse_args().names
    program = shutil.which("arraytyping", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        parser.error("arraytyping is not installed")
    failed = False
    for editor in EDITORS:
        if names and editor.name not in names:
            continue
        version = editor.version()
        if not version:
            print(f"{editor.name}: not installed")
            continue
        try:
            found = diagnostics_in(editor, Path(program))
        except RuntimeError as error:
            found = [str(error)]
        is_found = any("contracted dimensions differ" in text for text in found)
        failed |= not is_found
        print(f"{editor.name}: {version}: {'ok' if is_found else 'FAILED'}")
        print(*(f"    {line}" for text in found for line in text.splitlines()), sep="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
