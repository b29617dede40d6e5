"""Makes the pictures of the terminal in docs/images/: `python tools/screenshots/terminal.py [--chromium PATH]`.

`arraytyping check` runs on a terminal of 80 and of 120 columns; what then stands on the screen is drawn on a light and
on a dark ground.  pyte (`pip install pyte`) is the terminal, rich draws, Chromium makes a PNG of it, and pngquant makes
that smaller where it is installed.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

import pyte
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, SVG_EXPORT_THEME, TerminalTheme
from rich.text import Text

ROOT = Path(__file__).parent.parent.parent
IMAGES = ROOT / "docs" / "images"
PROGRAM = ROOT / "editors" / "vscode" / "e2e" / "train.py"
WIDTHS = (80, 120)
THEMES = {"light": DEFAULT_TERMINAL_THEME, "dark": SVG_EXPORT_THEME}
CHROMIUM = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip
_LINES = 100
_COLORS = {"brown": "yellow", "brightbrown": "bright_yellow", "default": "default"}


def screen_after(command: list[str], columns: int, folder: Path) -> pyte.Screen:
    """What stands on a terminal of so many columns after a command."""
    screen = pyte.Screen(columns, _LINES)
    stream = pyte.ByteStream(screen)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, columns, 0, 0))
    variables = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR", "CI")}
    variables |= {"TERM": "xterm-256color", "COLORTERM": ""}
    process = subprocess.Popen(command, cwd=folder, env=variables, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:  # as Linux ends a terminal
            break
        if not data:
            break
        stream.feed(data)
    process.wait()
    os.close(ours)
    return screen


def lines_of(screen: pyte.Screen) -> list[Text]:
    """The lines of a screen with their colours, up to the last that is not empty."""
    texts = []
    for number in range(screen.lines):
        text = Text()
        for column in range(screen.columns):
            char = screen.buffer[number][column]
            text.append(char.data, Style(color=_color(char.fg), bgcolor=_color(char.bg), bold=char.bold,
                        italic=char.italics, underline=char.underscore, reverse=char.reverse))  # fmt: skip
        text.rstrip()
        texts.append(text)
    while texts and not texts[-1].plain:
        texts.pop()
    return texts


def _color(name: str) -> str:
    if re.fullmatch(r"[0-9a-f]{6}", name):
        return f"#{name}"
    name = _COLORS.get(name, name)
    return name.replace("bright", "bright_") if name.startswith("bright") and "_" not in name else name


def picture(lines: list[Text], columns: int, theme: TerminalTheme, title: str, file: Path, chromium: str) -> None:
    """A PNG of these lines."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=columns, file=nowhere, force_terminal=True, color_system="truecolor")
        for line in lines:
            console.print(line, no_wrap=True, overflow="crop", soft_wrap=False)
        svg = console.export_svg(title=title, theme=theme)
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert size is not None
    width, height = (round(float(n) * 0.8) for n in size.groups())
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL).replace("Fira Code", "DejaVu Sans Mono")
    svg = svg.replace("<svg ", f'<svg width="{width}" height="{height}" ', 1)
    with tempfile.TemporaryDirectory(prefix="picture-") as name:
        page = Path(name) / "page.html"
        page.write_text(f"<!doctype html><meta charset=utf-8><body style='margin:0'>{svg}", encoding="utf-8")
        options = [f"--user-data-dir={name}/profile", f"--window-size={width},{height}", f"--screenshot={file}"]
        options += ["--default-background-color=00000000"]
        done = subprocess.run(
            [chromium, *CHROMIUM, *options, page.as_uri()], capture_output=True, text=True, timeout=120
        )
    if not file.exists():
        raise RuntimeError(f"{chromium} made no picture: {done.stderr[-500:]}")
    if (pngquant := shutil.which("pngquant")) is not None:
        subprocess.run([pngquant, "--force", "--quality", "70-95", "--output", str(file), str(file)], check=False)


def main() -> None:
    """Make all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default="/usr/bin/chromium", metavar="PATH")
    chromium = parser.parse_args().chromium
    arraytyping = Path(sys.executable).parent / "arraytyping"
    IMAGES.mkdir(exist_ok=True)
    for columns in WIDTHS:
        with tempfile.TemporaryDirectory(prefix="digits-") as name:
            shutil.copy(PROGRAM, name)
            lines = lines_of(screen_after([str(arraytyping), "check", PROGRAM.name], columns, Path(name)))
        prompt = Text.assemble(("$ ", "bold"), f"arraytyping check {PROGRAM.name}")
        for theme, colors in THEMES.items():
            file = IMAGES / f"terminal-{columns}-{theme}.png"
            file.unlink(missing_ok=True)
            picture([prompt, *lines], columns, colors, f"{columns} columns", file, chromium)
            print(f"{file.relative_to(ROOT)}: {len(lines)} lines, {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
