"""How long the language server takes from an edit to its answer: `python benchmarks/language_server.py FILE...`.

Each file is opened and typed in: a digit is put behind a comment at its end, so many times, as fast as answers come.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

_SECONDS = 120.0


async def measure(file: Path, edits: int) -> list[float]:
    """The seconds from each edit to the mistakes and hints of the new text; the first is that of opening the file."""
    client = LanguageClient("benchmark", "1")
    answered: asyncio.Queue[int | None] = asyncio.Queue()

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def _(params: lsp.PublishDiagnosticsParams) -> None:
        answered.put_nowait(params.version)

    await client.start_io(sys.executable, "-m", "arraytyping", "lsp")
    folder = lsp.WorkspaceFolder(file.parent.as_uri(), file.parent.name)
    await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities(), workspace_folders=[folder]))
    client.initialized(lsp.InitializedParams())
    text, uri = file.read_text(encoding="utf-8"), file.as_uri()
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(1_000_000, 0))
    seconds = []
    for version in range(1, edits + 2):
        began = time.perf_counter()
        if version == 1:
            item = lsp.TextDocumentItem(uri, "python", version, text)
            client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        else:
            changed = lsp.TextDocumentContentChangeWholeDocument(f"{text}\n# {'1' * version}\n")
            named = lsp.VersionedTextDocumentIdentifier(version, uri)
            client.text_document_did_change(lsp.DidChangeTextDocumentParams(named, [changed]))
        while await asyncio.wait_for(answered.get(), _SECONDS) != version:
            pass
        await client.text_document_inlay_hint_async(lsp.InlayHintParams(lsp.TextDocumentIdentifier(uri), whole))
        seconds.append(time.perf_counter() - began)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return seconds


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--edits", type=int, default=20, help="how often each file is changed (default: 20)")
    given = parser.parse_args()
    print(f"{'lines':>6} {'opened':>8} {'median':>8} {'95%':>8}  file")
    for file in given.files:
        opened, *edits = asyncio.run(measure(file.resolve(), given.edits))
        lines = len(file.read_text(encoding="utf-8").splitlines())
        late = sorted(edits)[max(0, -(-95 * len(edits) // 100) - 1)]
        print(f"{lines:6} {opened:6.2f} s {statistics.median(edits):6.2f} s {late:6.2f} s  {file}")


if __name__ == "__main__":
    main()
