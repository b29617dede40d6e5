"""Makes the table of docs/features.md: `python tools/features.py [--only TEXT]`.

Each cell is the outcome of a command that is run here, in a folder of its own, with each tool's default settings: a
wrong program has to be reported in its line and the right one beside it not, an output has to be read by its format's
parser, a mistake has to vanish with what silences it.  An option that a tool does not have is tried all the same.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from lsp_client import Editor  # noqa: E402

PAGE = ROOT / "docs" / "features.md"
BIN = Path(sys.executable).parent
TOOLS = ("arraytyping", "ruff", "mypy", "pyright", "pyrefly", "ty")
CHECK: dict[str, list[str]] = {
    "arraytyping": ["arraytyping", "check", "--output-format", "concise"],
    "ruff": ["ruff", "check", "--output-format", "concise", "--no-cache"],
    "mypy": ["mypy"],
    "pyright": ["pyright", "--pythonpath", sys.executable],
    "pyrefly": [
        "pyrefly",
        "check",
        "--preset",
        "default",
        "--output-format",
        "min-text",
        "--python-interpreter-path",
        sys.executable,
    ],
    "ty": ["ty", "check", "--output-format", "concise", "--python", sys.executable],
}
QUICK = {**CHECK, "arraytyping": [*CHECK["arraytyping"], "--no-types"]}
"""What the rows ask that are not about what is found."""
PLAIN = {tool: [part for part in command if part not in ("--output-format", "concise", "min-text")]
         for tool, command in QUICK.items()}  # fmt: skip
SERVERS = {
    "arraytyping": ["arraytyping", "lsp"],
    "ruff": ["ruff", "server"],
    "mypy": ["mypy", "lsp"],
    "pyright": ["pyright-langserver", "--stdio"],
    "pyrefly": ["pyrefly", "lsp"],
    "ty": ["ty", "server"],
}
HEAD = "import jax\nimport jax.numpy as jnp\n"
MATMUL = f"{HEAD}x = jnp.ones((32, 784))\nw = jnp.ones((10, 784))\ny = x @ w\n"
OWN: dict[str, tuple[str, int, str]] = {
    # a mistake that the tool reports, its line, and the comment that silences it
    "arraytyping": (MATMUL, 5, "# arraytyping: ignore[array-shape]"),
    "ruff": ("import os\n", 1, "# noqa: F401"),
    "mypy": ("x: int = 'a'\n", 1, "# mypy: ignore[assignment]"),
    "pyright": ("x: int = 'a'\n", 1, "# pyright: ignore[reportAssignmentType]"),
    "pyrefly": ("x: int = 'a'\n", 1, "# pyrefly: ignore[bad-assignment]"),
    "ty": ("x: int = 'a'\n", 1, "# ty: ignore[invalid-assignment]"),
}

AWAY = (
    f"{HEAD}@jax.jit\ndef f(a, b):\n    return a @ b\n\n\n"
    "def g(w):\n    return w + f(jnp.ones((2, 3)), jnp.ones((3, 4)))\n\n\n"
)
FINDS: dict[str, tuple[str, str]] = {
    # in the wrong program the mistake is in the last line
    "a product of shapes that do not go together": (
        MATMUL, MATMUL.replace("x @ w", "x @ w.T"),
    ),
    "the same, two functions away and under `jit`": (
        f"{AWAY}g(jnp.ones((5, 4)))\n", f"{AWAY}g(jnp.ones((2, 4)))\n",
    ),
    "booleans that are subtracted, which JAX refuses": (
        f"{HEAD}a = jnp.arange(3) > 1\nb = jnp.arange(3) > 2\nc = a - b\n",
        f"{HEAD}a = jnp.arange(3) > 1\nb = jnp.arange(3) > 2\nc = a ^ b\n",
    ),
    "float64 that is asked for, and x64 is off": (
        f"{HEAD}x = jnp.ones(3)\ny = x.astype('float64')\n", f"{HEAD}x = jnp.ones(3)\ny = x.astype('float32')\n",
    ),
    "an axis that the array does not have": (
        f"{HEAD}x = jnp.ones((2, 3))\ny = x.sum(axis=2)\n", f"{HEAD}x = jnp.ones((2, 3))\ny = x.sum(axis=1)\n",
    ),
    "a random key that is used twice": (
        f"{HEAD}key = jax.random.key(0)\nx = jax.random.normal(key, (3,))\ny = jax.random.uniform(key, (3,))\n",
        f"{HEAD}key, k = jax.random.split(jax.random.key(0))\nx = jax.random.normal(key, (3,))\n"
        "y = jax.random.uniform(k, (3,))\n",
    ),
    "`if` on a traced value": (
        f"{HEAD}@jax.jit\ndef f(x):\n    return 1 if x.sum() > 0 else 2\n\n\nf(jnp.ones(3))\n",
        f"{HEAD}@jax.jit\ndef f(x):\n    return jnp.where(x.sum() > 0, 1, 2)\n\n\nf(jnp.ones(3))\n",
    ),
    "a name that jax has no more": (
        f"{HEAD}y = jax.tree_map(jnp.sin, [1.0])\n", f"{HEAD}y = jax.tree.map(jnp.sin, [1.0])\n",
    ),
    "`int` and `str`, without arrays": ("x = 1\ny = x + 'a'\n", "x = 1\ny = x + 2\n"),
    "an import that is not used": ("import os\n", "import os\n\nprint(os.name)\n"),
}  # fmt: skip
LINES = {
    "`if` on a traced value": [5],
    "the same, two functions away and under `jit`": [9, 13],  # where the operands meet, or where they come from
}


@dataclass
class Cell:
    """An outcome, and the commands that gave it."""

    holds: bool
    commands: list[str] = field(default_factory=list)
    said: str = ""


Row = Callable[[str, Path], Cell]


def run(command: Sequence[str], folder: Path, given: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a tool of this environment; what is not there ends with 127."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("CI", "GITHUB", "NO_COLOR"))}
    variables["PATH"] = f"{BIN}{os.pathsep}{variables['PATH']}"
    program = [str(BIN / command[0]), *command[1:]]
    return subprocess.run(program, cwd=folder, input=given if given is not None else "", capture_output=True,
                          text=True, env=variables, timeout=300)  # fmt: skip


def shown(command: Sequence[str]) -> str:
    """A command as the page has it."""
    return " ".join("python" if part == sys.executable else part for part in command)


def reports(tool: str, folder: Path, text: str, line: int, more: Sequence[str] = (), name: str = "p.py") -> Cell:
    """Whether the tool reports something in a line of a program."""
    (folder / name).write_text(text, encoding="utf-8")
    command = [*QUICK[tool], *more, name]
    done = run(command, folder)
    told = [part for part in done.stdout.splitlines() if f"{name}:{line}:" in part and ": note:" not in part]
    return Cell(bool(told), [shown(command)], "\n".join(told) or (done.stdout + done.stderr)[-300:])


@functools.cache
def said_of_all(tool: str) -> tuple[str, str]:
    """The command by which a tool checks all programs of FINDS, and what it says of them."""
    with tempfile.TemporaryDirectory(prefix="features-") as name:
        folder = Path(name)
        (folder / ".git").mkdir()  # above which mypy looks for no configuration
        names = []
        for number, programs in enumerate(FINDS.values()):
            for kind, text in zip(("wrong", "right"), programs):
                names.append(f"{kind}_{number}.py")
                (folder / names[-1]).write_text(text, encoding="utf-8")
        return shown([*CHECK[tool], "wrong_N.py", "right_N.py"]), run([*CHECK[tool], *names], folder).stdout


def finds(title: str) -> Row:
    """Whether the wrong program is reported in its line, and the right one not there."""
    number = list(FINDS).index(title)

    def ask(tool: str, folder: Path) -> Cell:
        del folder
        command, said = said_of_all(tool)
        lines = LINES.get(title) or [FINDS[title][0].rstrip("\n").count("\n") + 1]
        told = [
            [t for t in said.splitlines() if any(f"{kind}_{number}.py:{n}:" in t for n in lines) and ": note:" not in t]
            for kind in ("wrong", "right")
        ]
        return Cell(bool(told[0]) and not told[1], [command.replace("_N", f"_{number}")], "\n".join(told[0] + told[1]))

    return ask


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        lines = text.splitlines()
        return bool(lines) and all(line.startswith("{") and json.loads(line) for line in lines if line)
    return True


def _is_sarif(text: str) -> bool:
    return bool(json.loads(text)["runs"][0]["results"])


def _is_gitlab(text: str) -> bool:
    return "fingerprint" in json.loads(text)[0]


def _is_junit(text: str) -> bool:
    return ET.fromstring(text).tag in ("testsuites", "testsuite")


FORMATS: dict[str, tuple[Callable[[str], bool], dict[str, list[str]]]] = {
    "JSON": (_is_json, {"mypy": ["-O", "json"], "pyright": ["--outputjson"]}),
    "SARIF": (_is_sarif, {"mypy": ["-O", "sarif"], "pyright": ["--outputsarif"]}),
    "GitHub": (lambda text: "::error" in text, {"mypy": ["-O", "github"], "pyright": ["--outputgithub"]}),
    "GitLab": (
        _is_gitlab,
        {"mypy": ["-O", "gitlab"], "pyright": ["--outputgitlab"], "pyrefly": ["--output-format", "code-climate"]},
    ),
    "JUnit": (
        _is_junit,
        {
            "mypy": ["--junit-xml", "/dev/stderr"],
            "pyright": ["--outputjunit"],
            "pyrefly": ["--output-format", "junit-xml"],
        },
    ),
}


def writes(title: str) -> Row:
    """Whether a report in this format is what the format's parser takes."""
    judge, special = FORMATS[title]

    def ask(tool: str, folder: Path) -> Cell:
        (folder / "p.py").write_text(OWN[tool][0], encoding="utf-8")
        command = [*PLAIN[tool], *special.get(tool, ["--output-format", title.lower()]), "p.py"]
        done = run(command, folder)
        text = done.stderr if "/dev/stderr" in command else done.stdout
        try:
            return Cell(judge(text) and "p.py" in text, [shown(command)], text[:200])
        except (ValueError, LookupError, TypeError, ET.ParseError) as error:
            return Cell(False, [shown(command)], f"{error}: {(done.stdout + done.stderr)[-200:]}")

    return ask


def silenced(title: str) -> Row:
    """Whether the tool's own comment silences its mistake."""
    del title

    def ask(tool: str, folder: Path) -> Cell:
        text, line, comment = OWN[tool]
        before = reports(tool, folder, text, line)
        after = reports(tool, folder, text.rstrip("\n") + f"  {comment}\n", line)
        return Cell(before.holds and not after.holds, [f"{comment}: {after.commands[0]}"], after.said)

    return ask


def vanishes(before: dict[str, list[list[str]]], after: dict[str, list[str]], other: str = "--") -> Row:
    """Whether a mistake is no longer reported, and the exit code is 0, after these commands."""

    def ask(tool: str, folder: Path) -> Cell:
        text, line, _ = OWN[tool]
        (folder / "pyproject.toml").write_text("", encoding="utf-8")
        if not reports(tool, folder, text, line).holds:
            return Cell(False, [], "the mistake is not reported to begin with")
        commands = [[*QUICK[tool], *more, "p.py"] for more in before.get(tool, [])]
        for command in commands:
            run(command, folder)
        last = [*QUICK[tool], *after.get(tool, [other, "known.json"]), "p.py"]
        done = run(last, folder)
        holds = done.returncode == 0 and f"p.py:{line}:" not in done.stdout
        return Cell(holds, [shown(c) for c in (*commands, last)], (done.stdout + done.stderr)[-300:])

    return ask


def exits_zero(tool: str, folder: Path) -> Cell:
    """Whether there is an option by which mistakes are told and the exit code is 0."""
    cell = reports(tool, folder, OWN[tool][0], OWN[tool][1], ["--exit-zero"])
    done = run([*QUICK[tool], "--exit-zero", "p.py"], folder)
    return Cell(cell.holds and done.returncode == 0, cell.commands, cell.said)


def reads_stdin(tool: str, folder: Path) -> Cell:
    """Whether the program may come on the standard input."""
    more = {"arraytyping": ["--stdin-filename", "p.py"], "ruff": ["--stdin-filename", "p.py", "-"]}
    command = [*QUICK[tool], *more.get(tool, ["-"])]
    done = run(command, folder, OWN[tool][0])
    return Cell(f":{OWN[tool][1]}:" in done.stdout, [shown(command)], (done.stdout + done.stderr)[-200:])


def excludes(tool: str, folder: Path) -> Cell:
    """Whether files can be left out by a pattern in the configuration."""
    settings = {
        "arraytyping": "[tool.arraytyping]\nexclude = ['p.py']\n",
        "ruff": "[tool.ruff]\nexclude = ['p.py']\n",
        "mypy": "[tool.mypy]\nexclude = ['p.py']\n",
        "pyright": "[tool.pyright]\nexclude = ['p.py']\n",
        "pyrefly": "[tool.pyrefly]\nproject-excludes = ['p.py']\n",
        "ty": "[tool.ty.src]\nexclude = ['p.py']\n",
    }
    found = []
    for text in ("", settings[tool]):
        (folder / "pyproject.toml").write_text(text, encoding="utf-8")
        (folder / "p.py").write_text(OWN[tool][0], encoding="utf-8")
        (folder / "q.py").write_text(OWN[tool][0], encoding="utf-8")
        done = run([*QUICK[tool], *(["."] if tool == "mypy" else [])], folder)
        found.append(("p.py:" in done.stdout, "q.py:" in done.stdout))
    return Cell(found == [(True, True), (False, True)], [settings[tool].replace("\n", " ").strip()], str(found))


def notebooks(tool: str, folder: Path) -> Cell:
    """Whether a mistake in the second cell of a notebook is reported."""
    cells = [{"cell_type": "code", "execution_count": None, "id": f"c{n}", "metadata": {}, "outputs": [], "source": s}
             for n, s in enumerate(["import jax.numpy as jnp", OWN[tool][0]])]  # fmt: skip
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    book = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (folder / "p.ipynb").write_text(json.dumps(book), encoding="utf-8")
    command = [*QUICK[tool], "p.ipynb"]
    done = run(command, folder)
    words = {"arraytyping": "array-shape", "ruff": "F401"}
    told = words.get(tool, "assign") in done.stdout and done.returncode == 1
    return Cell(told, [shown(command)], (done.stdout + done.stderr)[-300:])


def explains(tool: str, folder: Path) -> Cell:
    """Whether a code is explained by a command."""
    commands = {
        "arraytyping": ["arraytyping", "explain", "array-shape"],
        "ruff": ["ruff", "rule", "F401"],
        "mypy": ["mypy", "explain", "assignment"],
        "pyright": ["pyright", "explain", "reportAssignmentType"],
        "pyrefly": ["pyrefly", "explain", "bad-assignment"],
        "ty": ["ty", "explain", "rule", "invalid-assignment"],
    }
    done = run(commands[tool], folder)
    return Cell(
        done.returncode == 0 and len(done.stdout) > 300, [shown(commands[tool])], (done.stderr or done.stdout)[:200]
    )


def only_new(tool: str, folder: Path) -> Cell:
    """Whether only what is new since a revision can be asked for."""
    text, line, _ = OWN[tool]
    cell = reports(tool, folder, text, line)
    for command in (
        ["init", "-q"],
        ["add", "p.py"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
    last = [*QUICK[tool], "--diff-base", "HEAD", "p.py"]
    done = run(last, folder)
    return Cell(cell.holds and done.returncode == 0, [shown(last)], (done.stdout + done.stderr)[-200:])


def fixes(tool: str, folder: Path) -> Cell:
    """Whether a command changes a program so that it is right."""
    text = "x = 1  # ty: ignore[invalid-assignment]\n" if tool == "ty" else OWN[tool][0]  # which ty can mend
    (folder / "p.py").write_text(text, encoding="utf-8")
    command = [*QUICK[tool], "--fix", "p.py"]
    done = run(command, folder)
    changed = (folder / "p.py").read_text(encoding="utf-8") != text
    return Cell(changed, [shown(command)], (done.stdout + done.stderr)[-200:])


def watches(tool: str, folder: Path) -> Cell:
    """Whether a change of the file is followed by another answer."""
    (folder / "p.py").write_text("x = 1\n", encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    command = [*QUICK[tool], "--watch", "p.py"]
    process = subprocess.Popen([str(BIN / command[0]), *command[1:]], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)  # fmt: skip
    lines: queue.Queue[str | None] = queue.Queue()

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=listen, daemon=True).start()
    said, changed, until = "", 0.0, time.monotonic() + 90
    try:
        while time.monotonic() < until:
            try:
                line = lines.get(timeout=12)
            except queue.Empty:  # it has said all that there is for now
                (folder / "p.py").write_text(OWN[tool][0] + "\n" * (time.monotonic_ns() % 5), encoding="utf-8")
                changed = changed or time.monotonic()
                if time.monotonic() - changed > 45:
                    break
                continue
            if line is None:
                break
            said += line
            if changed and f"p.py:{OWN[tool][1]}:" in line:
                return Cell(True, [shown(command)], said[-200:])
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # pyright is Node.js below Python
        process.wait()
    return Cell(False, [shown(command)], said[-200:])


@functools.cache
def offered_by(tool: str) -> dict[str, Any] | None:
    """What a tool's language server offers; None if there is none."""
    settings = {"python": {"pythonPath": sys.executable}}
    with tempfile.TemporaryDirectory(prefix="features-") as name:
        try:
            with Editor([str(BIN / SERVERS[tool][0]), *SERVERS[tool][1:]], Path(name), settings, timeout=60) as editor:
                return editor.capabilities
        except (RuntimeError, OSError):
            return None


def serves(wanted: str) -> Row:
    """Whether there is a language server that offers this."""

    def ask(tool: str, folder: Path) -> Cell:
        del folder
        offered = offered_by(tool)
        holds = offered is not None and (wanted == "" or bool(offered.get(wanted)))
        return Cell(holds, [shown(SERVERS[tool])], ", ".join(sorted(offered or ())))

    return ask


def hints_shapes(tool: str, folder: Path) -> Cell:
    """Whether an inlay hint says the shape of a product, without annotations."""
    settings = {"python": {"pythonPath": sys.executable}}
    text = MATMUL.replace("x @ w", "x @ w.T")
    file = folder / "p.py"
    file.write_text(text, encoding="utf-8")
    uri = file.as_uri()
    place = {
        "textDocument": {"uri": uri},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}},
    }
    hints: list[Any] = []
    try:
        with Editor([str(BIN / SERVERS[tool][0]), *SERVERS[tool][1:]], folder, settings, timeout=40) as editor:
            item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
            editor.notify("textDocument/didOpen", {"textDocument": item})
            until = time.monotonic() + 40
            while not hints and time.monotonic() < until and editor.capabilities.get("inlayHintProvider"):
                hints = editor.request("textDocument/inlayHint", place) or []
                time.sleep(0.5)
    except (RuntimeError, OSError) as error:
        return Cell(False, [shown(SERVERS[tool])], str(error))
    return Cell(
        "32, 10" in json.dumps(hints), [f"{shown(SERVERS[tool])}: textDocument/inlayHint"], json.dumps(hints)[:300]
    )


BASELINES: dict[str, list[list[str]]] = {
    "arraytyping": [["--baseline", "known.json", "--write-baseline"]],
    "pyrefly": [["--baseline", "known.json", "--update-baseline"]],
    "ty": [["--baseline", "known.json", "--update-baseline"]],
}
ADDING = {
    "arraytyping": [["--add-ignores"]],
    "ruff": [["--add-noqa"]],
    "pyrefly": [["--suppress-errors"]],
    "ty": [["--add-ignore"]],
}
SECTIONS: dict[str, dict[str, Row]] = {
    "What is found, without annotations": {title: finds(title) for title in FINDS},
    "In an editor": {
        "a language server": serves(""),
        "inlay hints with the shape of a product": hints_shapes,
        "hover": serves("hoverProvider"),
        "code actions": serves("codeActionProvider"),
        "completion": serves("completionProvider"),
        "renaming": serves("renameProvider"),
    },
    "In CI": {
        **{f"{title} reports": writes(title) for title in FORMATS},
        "a baseline of known mistakes": vanishes(BASELINES, {t: ["--baseline", "known.json"] for t in TOOLS}),
        "only what is new since a revision": only_new,
        "`--exit-zero`": exits_zero,
    },
    "On the command line": {
        "a comment of its own that silences one code": silenced(""),
        "such comments are added by a command": vanishes(ADDING, {t: [] for t in ADDING}, "--add-ignore"),
        "files are left out by the configuration": excludes,
        "the standard input": reads_stdin,
        "notebooks": notebooks,
        "`--watch`": watches,
        "a code is explained": explains,
        "changes are made by `--fix`": fixes,
    },
}  # fmt: skip


def versions() -> str:
    """The releases that are compared."""
    found = [run([tool, "--version"], ROOT).stdout.strip().splitlines()[0] for tool in TOOLS]
    return ", ".join(text.replace(", version", "").split(" (")[0] for text in found)


def main() -> None:
    """Ask the tools, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="ask only rows with this text; without --tool, write no page"
    )
    parser.add_argument("--tool", choices=TOOLS, help="ask this one alone, and keep what the page has of the others")
    options = parser.parse_args()
    known = kept() if options.tool else {}
    asked = [options.tool] if options.tool else TOOLS
    tables: dict[str, dict[str, dict[str, Cell]]] = {}
    with ThreadPoolExecutor(3) as pool:
        for section, rows in SECTIONS.items():
            tables[section] = {}
            for title, row in rows.items():
                if options.only not in title:
                    if title in known:
                        tables[section][title] = known[title]
                    continue

                def ask(tool: str, row: Row = row) -> Cell:
                    with tempfile.TemporaryDirectory(prefix="features-") as name:
                        (Path(name) / ".git").mkdir()  # above which mypy looks for no configuration
                        return row(tool, Path(name))

                cells = dict(zip(asked, pool.map(ask, asked)))
                print(f"{title}:", flush=True)
                for tool, cell in cells.items():
                    print(f"  {tool}: {'yes' if cell.holds else 'no'}: {' '.join(cell.said.split())[:160]}", flush=True)
                tables[section][title] = {tool: cells.get(tool) or known[title][tool] for tool in TOOLS}
    if options.tool or not options.only:
        write(tables)


def kept() -> dict[str, dict[str, Cell]]:
    """What the page has now."""
    page = PAGE.read_text(encoding="utf-8")
    found: dict[str, dict[str, Cell]] = {}
    for line in page.splitlines():
        parts = [part.strip() for part in line.strip("|").split("|")]
        if len(parts) == len(TOOLS) + 1 and set(parts[1:]) <= {"yes", "–"}:
            found[parts[0]] = {tool: Cell(part == "yes") for tool, part in zip(TOOLS, parts[1:])}
    title = ""
    for line in page.split("```text\n")[-1].split("```")[0].splitlines():
        if line.startswith("  "):
            tool = next(t for t in TOOLS if f"{t} " in line or f"{t}-" in line or f"[tool.{t}" in line)
            found[title][tool].commands.append(line.strip())
        elif line:
            title = line.removesuffix(":")
    return found


def write(tables: dict[str, dict[str, dict[str, Cell]]]) -> None:
    """Write the page."""
    head = PAGE.read_text(encoding="utf-8").split("<!-- made by tools/features.py -->")[0]
    lines = ["<!-- made by tools/features.py -->", f"Compared: {versions()}.", ""]
    for section, rows in tables.items():
        lines += [f"## {section}", "", f"| | {' | '.join(TOOLS)} |", f"|---|{':-:|' * len(TOOLS)}"]
        for title, cells in rows.items():
            lines.append(f"| {title} | {' | '.join('yes' if c.holds else '–' for c in cells.values())} |")
        lines.append("")
    lines += ["## The commands", "", "```text"]
    for rows in tables.values():
        for title, cells in rows.items():
            lines += [f"{title}:", *(f"  {c}" for cell in cells.values() for c in cell.commands), ""]
    lines[-1] = "```"
    PAGE.write_text(head + "\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
