"""What a terminal shows: frames with marks, the changes that are proposed, pages of codes, and progress."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from email.message import Message as Headers
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import jax.numpy as jnp
import pytest
from click.testing import CliRunner
from rich.cells import cell_len
from test_output_formats import MISTAKE, folder

from arraytyping.checker.cli import cli
from arraytyping.checker.flow.state.diagnostics import CallSite, Diagnostic, Operand
from arraytyping.checker.messages import error_pages
from arraytyping.checker.messages.error_pages import ERROR_CODES, page_uri
from arraytyping.checker.messages.frames import as_frames
from arraytyping.checker.messages.helping import help_for
from arraytyping.checker.messages.message import Message, Totals

__all__ = ["folder"]

CONTROL = re.compile(r"\x1b\[[\d;?]*[A-Za-z]|\r")


def message(source: str, text: str, code: str, *operands: tuple[str, str, int]) -> Message:
    """A message about the last expression in the parentheses of `print(...)`, with operands made in these lines."""
    lines = source.splitlines()
    last = lines[-1].encode()
    begin, end = last.index(b"(") + 1, len(last) - 1
    Path("a.py").write_text(source, encoding="utf-8")
    place = ("a.py", len(lines), begin, len(lines), end)
    found = tuple(Operand(o, type_, "a.py", line) for o, type_, line in operands)
    diagnostic = Diagnostic(*place, code, text, (CallSite("main", "a.py", 1),), operands=found)
    return Message(*place, "error", text, code, "a hint", diagnostic)


def framed(*messages: Message, width: int = 100) -> list[str]:
    return list(as_frames(messages, Totals(1, wants_summary=False), width, color=False))


def test_marks_stand_under_the_operands(folder: Path) -> None:
    m = message(
        "x = 1\ny = 2\nprint(x @ y)", "matmul: text", "array-shape", ("x", "f32[3, 4]", 1), ("y", "f32[3, 4]", 2)
    )
    assert framed(m) == [
        "error[array-shape]: matmul: text",
        "  --> a.py:3:7",
        "   |",
        "3  | print(x @ y)",
        "   |       ^   ^ f32[3, 4], made in line 2",
        "   |       |",
        "   |       f32[3, 4], made in line 1",
        "   = way: main",
        "   = help: did you mean x @ y.T?",
        "   = explain: arraytyping explain array-shape",
        "",
    ]


def test_the_same_operand_twice(folder: Path) -> None:
    m = message("x = 1\nprint(x @ x)", "text", "array-shape", ("x", "f32[3, 4]", 1))
    assert framed(m)[3:8] == [
        "2  | print(x @ x)",
        "   |       ^   ^ f32[3, 4], made in line 1",
        "   |       |",
        "   |       f32[3, 4], made in line 1",
        "   = way: main",
    ]
    assert help_for(m) == "did you mean x @ x.T?"


def test_codes_are_links_where_the_terminal_can(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    m = message("print(x + y)", "text", "array-shape")
    link = "\x1b]8;"
    for term, color, expected in (("xterm", True, True), ("linux", True, False), ("xterm", False, False)):
        monkeypatch.setenv("TERM", term)
        lines = list(as_frames([m], Totals(1, wants_summary=False), 100, color=color))
        assert (link in lines[0]) == expected
        assert ("docs/errors/array-shape.md" in lines[0]) == expected


def test_links_lead_to_where_the_pages_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """The installed ones, or those of the site that the distribution names."""
    for code in ERROR_CODES:
        uri = page_uri(code)
        assert uri is not None
        assert Path(url2pathname(urlsplit(uri).path)).read_text().startswith(f"# {code}")
    assert page_uri("attr-defined") is None
    named = Headers()
    named["Project-URL"] = "Source, https://example.org/source"
    named["Project-URL"] = "Documentation, https://example.org/docs/"
    page_uri.cache_clear()
    monkeypatch.setattr(error_pages, "metadata", lambda name: named)
    try:
        assert page_uri("array-shape") == "https://example.org/docs/errors/array-shape/"
    finally:
        page_uri.cache_clear()


def test_the_transpose_of_a_transpose_is_not_proposed(folder: Path) -> None:
    m = message("print(x @ w.T)", "text", "array-shape", ("x", "f32[3, 4]", 0), ("w.T", "f32[5, 4]", 0))
    assert help_for(m) == "did you mean x @ w?"
    m = message("print((x + w.T) @ x)", "text", "array-shape", ("x + w.T", "f32[4, 3]", 0), ("x", "f32[4, 5]", 0))
    assert help_for(m) == "did you mean (x + w.T).T @ x?"


def test_wide_characters_and_tabs(folder: Path) -> None:
    m = message('if 1:\n\tprint("数", é + y)', "text", "array-dtype")
    begin = len('\tprint("数", '.encode())
    placed = Message("a.py", 2, begin, 2, begin + len("é + y".encode()), "error", "text", "array-dtype")
    line, marks = framed(placed)[3:5]
    assert cell_len(line[: line.index("é")]) == marks.index("^")
    assert marks.count("^") == len("é + y")
    assert framed(m)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_of_the_text_is_wider_than_the_terminal(width: int, folder: Path) -> None:
    m = message("print(x + y)", "word " * 60, "array-shape", ("x", "f32[3]", 1), ("y", "f32[4]", 1))
    lines = framed(m, width=width)
    assert all(cell_len(line) <= width for line in lines)
    assert " ".join(" ".join(lines).split()).count("word") == 60


def test_several_ways_are_counted(folder: Path) -> None:
    m = message("print(x + y)", "first", "array-shape")
    assert m.diagnostic is not None
    other = replace(m.diagnostic, message="second", operands=(Operand("x", "f32[3]"),))
    lines = framed(replace(m, diagnostic=replace(m.diagnostic, others=(other, other))))
    assert sum(line.startswith("error") for line in lines) == 1
    assert "   = note: 2 more ways to a mistake here, such as: main: x is f32[3]" in lines


def test_what_has_no_source(folder: Path) -> None:
    assert framed(Message("", 1, 0, 1, 0, "error", "of no file")) == ["error: of no file", ""]
    gone = framed(Message("gone.py", 3, 0, 3, 1, "error", "text"))
    assert gone == ["error: text", " --> gone.py:3:1".rjust(17), ""]


SHAPES = [(3, 4), (4, 3), (3, 3), (5, 3), (3, 5), (4,), (3,), (2, 3, 4), (2, 3), (4, 5)]


@pytest.mark.parametrize("operator", ["@", "+"])
def test_what_is_proposed_is_valid(operator: str, folder: Path) -> None:
    proposed = 0
    for a in SHAPES:
        for b in SHAPES:
            x, y = jnp.ones(a), jnp.ones(b)
            values = {"x": x, "y": y, "jnp": jnp}
            source = f"x {operator} y"
            try:
                eval(source, values)
            except (TypeError, ValueError):
                types = [("x", str(x.aval), 0), ("y", str(y.aval), 0)]
                said = help_for(message(f"print({source})", "text", "array-shape", *types))
                if said is None:
                    continue
                proposed += 1
                if operator == "@":
                    eval(said.removeprefix("did you mean ").removesuffix("?"), values)
                else:
                    changed = said.partition(" has shape ")[0]
                    eval(source.replace(changed[0], changed), values)
    assert proposed > 5


def test_the_page_of_a_code() -> None:
    for code in ERROR_CODES:
        shown = CliRunner().invoke(cli, ["explain", code])
        assert (shown.exit_code, shown.output.splitlines()[0]) == (0, f"# {code}")
    wrong = CliRunner().invoke(cli, ["explain", "array-shap"])
    assert wrong.exit_code == 2
    assert wrong.stderr == "arraytyping: error: array-shap is no error code of arraytyping: did you mean array-shape?\n"


def on_terminal(folder: Path, *command: str, **variables: str) -> str:
    """What a terminal of 80 columns gets."""
    ours, theirs = pty.openpty()
    environ = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    with subprocess.Popen(
        [sys.executable, "-m", "arraytyping", *command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**environ, "COLUMNS": "80", "TERM": "xterm", **variables},
    ):
        os.close(theirs)
        data = b""
        while True:
            try:
                new = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not new:
                break
            data += new
    os.close(ours)
    return data.decode()


def test_a_terminal_gets_frames_and_progress(folder: Path) -> None:
    (folder / "train.py").write_text(MISTAKE)
    shown = on_terminal(folder, "check", "--no-types", "train.py")
    assert "\x1b[1;31merror[array-shape]" in shown
    lines = [line.rstrip() for line in CONTROL.sub("", shown).splitlines()]
    assert "3  | y = x + jnp.ones((3, 5))" in lines
    assert "   |     ^   ^^^^^^^^^^^^^^^^ float32[3, 5]" in lines
    assert lines[-3] == "x64: off (JAX's default: nothing switches it on)"
    plain = on_terminal(folder, "check", "--no-types", "train.py", NO_COLOR="1")
    assert not re.search(r"\x1b\[1[;m]", plain)  # bold; what shows progress moves the cursor, if there is time for it
    assert "error[array-shape]: add:" in plain
    way = on_terminal(folder, "check", "--no-types", "--output-format", "concise", "train.py")
    assert "train.py:3:5: error: add:" in CONTROL.sub("", way)


def test_what_takes_long_says_what_it_is_at(folder: Path) -> None:
    (folder / "long.py").write_text(
        "import jax.numpy as jnp\n\n\ndef f(n, x):\n    return x if n == 0 else f(n - 1, x) + f(n - 1, x)\n\n\n"
        "print(f(15, jnp.ones(3)))\n"
    )
    assert "following entry point 1 of 1: long.py" in on_terminal(folder, "check", "--no-types", "long.py")
