"""How long the language server takes from a key to the hints: `python benchmarks/language_server.py FILE...`.

Each file is opened, and some lines are typed at its end, or with `--within` into the function in its middle, character
by character, so many in a second.  A key counts where the text then parses: from its being sent to the first answer
about that text, or a later one, and its hints: to the first hints for the part that is edited (`hints`), and to those
for all of the program (`all`).  CPU is what the server and its processes use for each such key; on a loaded machine it
says more.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import contextlib
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

_SECONDS = 120.0
_TYPED = "\nimport jax.numpy as jnp\nprobe = jnp.ones((12, 34)) @ jnp.ones((34, 5))\ntotal = probe.sum(axis=0)\n"


class Typist:
    """A client that types."""

    def __init__(self) -> None:
        self.client = LanguageClient("benchmark", "1")
        self.answered: dict[int, float] = {}
        self.early: dict[int, float] = {}
        self.uri = ""

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params: lsp.PublishDiagnosticsParams) -> None:
            """What is found is not looked at here."""

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def _(params: lsp.ShowMessageParams) -> None:
            print(params.message, file=sys.stderr)

        @self.client.feature(lsp.LOG_TRACE)
        async def _(params: lsp.LogTraceParams) -> None:
            *_, word, _, _ = params.message.split()
            answered = self.early if params.message.startswith("followed part") else self.answered
            whole = lsp.Range(lsp.Position(0, 0), lsp.Position(1_000_000, 0))
            named = lsp.TextDocumentIdentifier(self.uri)
            await self.client.text_document_inlay_hint_async(lsp.InlayHintParams(named, whole))
            answered.setdefault(int(word), time.perf_counter())

    async def open(self, file: Path, text: str, arguments: list[str]) -> float:
        """Open a file, and say how long that takes."""
        self.uri = file.as_uri()
        await self.client.start_io(sys.executable, "-m", "arraytyping", "lsp", *arguments)
        folder = lsp.WorkspaceFolder(file.parent.as_uri(), file.parent.name)
        asked = lsp.InitializeParams(
            lsp.ClientCapabilities(), trace=lsp.TraceValue.Messages, workspace_folders=[folder]
        )
        await self.client.initialize_async(asked)
        self.client.initialized(lsp.InitializedParams())
        self.client.set_trace(lsp.SetTraceParams(lsp.TraceValue.Messages))
        began = time.perf_counter()
        item = lsp.TextDocumentItem(self.uri, "python", 0, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return await self.time_of(0) - began

    async def type(self, text: str, offset: int, typed: str, rate: float) -> tuple[list[float], list[float]]:
        """Type into a text, and say how long each key took after which it parses, to the first hints and to all."""
        sent: dict[int, float] = {}
        before, behind = text[:offset], text[offset:]
        line, column = before.count("\n"), len(before) - before.rfind("\n") - 1
        for version, key in enumerate(typed, start=1):
            before += key
            text = before + behind
            place = lsp.Position(line, column)
            change = lsp.TextDocumentContentChangePartial(lsp.Range(place, place), key)
            named = lsp.VersionedTextDocumentIdentifier(version, self.uri)
            if _parses(text):
                sent[version] = time.perf_counter()
            self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(named, [change]))
            line, column = (line + 1, 0) if key == "\n" else (line, column + 1)
            await asyncio.sleep(1 / rate)
        whole = [await self.time_of(version) - at for version, at in sent.items()]
        early = [self.time_of_hints(version) - at for version, at in sent.items()]
        return early, whole

    def time_of_hints(self, version: int) -> float:
        """When the first hints for the edited part of a text, or a later one, came."""
        return min(at for found in (self.early, self.answered) for answered, at in found.items() if answered >= version)

    async def time_of(self, version: int) -> float:
        """When the first answer about a text, or a later one, came."""
        for _ in range(int(_SECONDS / 0.01)):
            if later := [at for answered, at in self.answered.items() if answered >= version]:
                return min(later)
            await asyncio.sleep(0.01)
        raise TimeoutError(f"no answer about version {version} within {_SECONDS:.0f} s")

    async def close(self) -> None:
        """End the server."""
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


def _place(text: str, *, is_within: bool) -> tuple[int, str]:
    """Where something is typed, and what: behind the text, or behind the first line of the function in its middle."""
    if not is_within:
        return len(text), _TYPED
    middle = text.count("\n") // 2
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]
    first = min(functions, key=lambda n: abs((n.lineno + (n.end_lineno or n.lineno)) / 2 - middle)).body[0]
    lines = text.splitlines(keepends=True)
    offset = len("".join(lines[: first.lineno - 1])) + first.col_offset
    typed = _TYPED.strip("\n").replace("\n", "\n" + " " * first.col_offset)
    return offset, typed + "\n" + " " * first.col_offset


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _cpu_below(pid: int) -> float:
    """The seconds of CPU of the processes below one, with those that have ended."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid:
                ticks += sum(map(int, fields[11:15]))
                ticks += round(_cpu_below(int(stat.parent.name)) * os.sysconf("SC_CLK_TCK"))
    return ticks / os.sysconf("SC_CLK_TCK")


async def measure(
    file: Path, text: str, rate: float, arguments: list[str], *, is_within: bool
) -> tuple[float, list[float], list[float], float]:
    """The seconds to open a file, those of each key to the first hints and to all, and the CPU seconds for each."""
    typist = Typist()
    opened = await typist.open(file, text, arguments)
    before = _cpu_below(os.getpid())
    early, seconds = await typist.type(text, *_place(text, is_within=is_within), rate)
    used = _cpu_below(os.getpid()) - before
    await typist.close()
    return opened, early, seconds, used / len(seconds)


def _joined(files: list[Path]) -> str:
    """Several programs as one, each after the other."""
    return "\n".join(line for file in files for line in _lines(file))


def _lines(file: Path) -> Iterator[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return (line for line in lines if not line.startswith("from __future__"))


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--join", action="store_true", help="type into one program that is all of these")
    parser.add_argument("--within", action="store_true", help="type into the function in the middle, not at the end")
    parser.add_argument("--rate", type=float, default=8.0, help="so many keys in a second (default: 8)")
    parser.add_argument("--no-types", action="store_true", help="without mypy in the background")
    given = parser.parse_args()
    arguments = ["--no-types"] if given.no_types else []
    print(f"{'lines':>6} {'opened':>8} {'hints':>8} {'95%':>8} {'all':>8} {'95%':>8} {'CPU/key':>8}  file")
    every: tuple[list[float], list[float]] = [], []
    with tempfile.TemporaryDirectory() as directory:
        programs = [(file.resolve(), file.read_text(encoding="utf-8")) for file in given.files]
        if given.join:
            programs = [(Path(directory, "joined.py").resolve(), _joined(given.files))]
        for file, text in programs:
            found = asyncio.run(measure(file, text, given.rate, arguments, is_within=given.within))
            opened, early, seconds, used = found
            every[0].extend(early)
            every[1].extend(seconds)
            times = f"{opened:6.2f} s {_times(early)} {_times(seconds)} {used:6.2f} s"
            print(f"{len(text.splitlines()):6} {times}  {file.name}")
    if len(programs) > 1:
        print(f"{'':15} {_times(every[0])} {_times(every[1])}           all keys")


def _times(seconds: list[float]) -> str:
    """The median and the 95th percentile."""
    late = sorted(seconds)[max(0, -(-95 * len(seconds) // 100) - 1)]
    return f"{statistics.median(seconds):6.2f} s {late:6.2f} s"


if __name__ == "__main__":
    main()
