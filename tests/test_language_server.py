"""`arraytyping lsp`, asked as an editor asks it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import forked_commands
import pytest
import pytest_lsp
from forked_streams import ADDRESS
from lsp_client import Editor
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from arraytyping.checker.claims import Claim, ExpressionClaims, FileClaims
from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.flow.state.interpreter import MISTAKE
from arraytyping.checker.lsp.annotating import annotation_edits
from arraytyping.checker.lsp.calls import open_call
from arraytyping.checker.lsp.documents import Document, Early, Found
from arraytyping.checker.lsp.engines import Engine, EngineError
from arraytyping.checker.lsp.hints import hints_of, shown_claims
from arraytyping.checker.lsp.hovering import described
from arraytyping.checker.lsp.importers import importers_of
from arraytyping.checker.lsp.mending import mends
from arraytyping.checker.lsp.positions import Text
from arraytyping.checker.lsp.server import Server
from arraytyping.checker.lsp.signatures import signature_help
from arraytyping.checker.lsp.sources import applied
from arraytyping.checker.lsp.types_engine import types_cache
from arraytyping.checker.messages.error_pages import page_uri
from arraytyping.checker.messages.message import Message

PROGRAM = """\
import jax
import jax.numpy as jnp


def layer(w, x):
    return jnp.tanh(x @ w)


def main():
    w = jnp.ones((784, 10))
    small = layer(w, jnp.ones((17, 784)))
    large = layer(w, jnp.ones((32, 784)))
    return small, large


main()
"""
WRONG = PROGRAM.replace("jnp.ones((784, 10))", "jnp.ones((10, 784))")


COMMAND = [sys.executable, "-m", "arraytyping", "lsp"]
FORKED = forked_commands.streamed("-m", "arraytyping", "lsp")
"""The same, without what it takes to import it."""


@pytest.fixture(scope="module", autouse=True)
def forking() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if hasattr(os, "fork"):
            patch.setenv(ADDRESS, forked_commands.address())
        yield


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    config=ClientServerConfig(server_command=[*FORKED, "--no-types"])
)
async def client(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    (tmp_path / ".git").mkdir(exist_ok=True)
    lsp_client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)(lambda params: None)
    await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"),
            workspace_folders=[lsp.WorkspaceFolder(tmp_path.as_uri(), "folder")],
        )
    )
    lsp_client.folder = tmp_path  # type: ignore[attr-defined]
    yield
    await lsp_client.shutdown_session()


def uri_of(client: LanguageClient, name: str = "train.py") -> str:
    folder: Path = client.folder  # type: ignore[attr-defined]
    return (folder / name).as_uri()


async def open_(client: LanguageClient, text: str, name: str = "train.py") -> list[lsp.Diagnostic]:
    """Open a file that is nowhere saved, and wait for what is said of it."""
    uri = uri_of(client, name)
    item = lsp.TextDocumentItem(uri, "python", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    return await _told(client, uri)


async def change(client: LanguageClient, text: str, version: int = 2, name: str = "train.py") -> list[lsp.Diagnostic]:
    uri = uri_of(client, name)
    whole = lsp.TextDocumentContentChangeWholeDocument(text)
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(version, uri), [whole])
    )
    return await _told(client, uri)


async def _told(client: LanguageClient, uri: str) -> list[lsp.Diagnostic]:
    await asyncio.wait_for(client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS), 60)
    return list(client.diagnostics[uri])


async def hints(client: LanguageClient, name: str = "train.py") -> list[tuple[int, str]]:
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(1000, 0))
    asked = lsp.InlayHintParams(lsp.TextDocumentIdentifier(uri_of(client, name)), whole)
    found = await client.text_document_inlay_hint_async(asked)
    return [(hint.position.line + 1, str(hint.label)) for hint in found or ()]


@pytest.mark.asyncio
async def test_shapes_stand_beside_names(client: LanguageClient) -> None:
    assert await open_(client, PROGRAM) == []
    assert await hints(client) == [
        (5, ": float32[784, 10]"),
        (5, ": float32[17|32, 784]"),
        (10, ": float32[784, 10]"),
        (11, ": float32[17, 10]"),
        (12, ": float32[32, 10]"),
    ]
    asked = lsp.HoverParams(lsp.TextDocumentIdentifier(uri_of(client)), lsp.Position(5, 20))
    hover = await client.text_document_hover_async(asked)
    assert hover is not None
    assert isinstance(hover.contents, lsp.MarkupContent)
    assert hover.contents.value.splitlines() == [
        "float32[17|32, 784]",
        "  float32[17, 784]",
        "  float32[32, 784]",
        "where the dtype comes from:",
        "  line 11: jnp.ones((17, 784)) is float32",
        "or:",
        "  line 12: jnp.ones((32, 784)) is float32",
    ]


@pytest.mark.asyncio
async def test_mistakes_come_and_go_while_the_program_is_written(client: LanguageClient) -> None:
    (found,) = await open_(client, WRONG)
    assert (found.code, found.source) == ("array-shape", "arraytyping")
    assert found.range == lsp.Range(lsp.Position(5, 20), lsp.Position(5, 25))
    assert found.code_description == lsp.CodeDescription(page_uri("array-shape") or "")
    assert "main -> layer: x is float32[17, 784] (line 11)" in found.message
    assert "1 more way to a mistake here" in found.message
    related = {(r.location.range.start.line, r.message) for r in found.related_information or ()}
    assert related == {(10, "x is float32[17, 784]"), (9, "w is float32[10, 784]")}
    asked = lsp.CodeActionParams(
        lsp.TextDocumentIdentifier(uri_of(client)), found.range, lsp.CodeActionContext([found])
    )
    actions = await client.text_document_code_action_async(asked)
    assert [a.title for a in actions or ()] == ["Replace by x @ w.T", "Ignore array-shape here"]
    for action in actions or ():
        assert isinstance(action, lsp.CodeAction)
        assert await change(client, _applied(WRONG, action)) == []
    assert len(await change(client, WRONG)) == 1
    assert await change(client, PROGRAM) == []


JITTED = """\
import jax
import jax.numpy as jnp


@jax.jit
def layer(w, x):
    return jnp.tanh(x @ w)


@jax.jit
def pad(x, n):
    return jnp.zeros(n) + x


def main():
    w = jnp.ones((784, 10))
    small = layer(w, jnp.ones((17, 784)))
    large = layer(w, jnp.ones((32, 784)))
    i = jnp.arange(3)
    y = i + small[:, :3]
    z = jax.lax.add(i, y[0])
    pad(y[0], 3)
    return small, large, z


main()
"""


@pytest.mark.asyncio
async def test_what_is_asked_of_a_place(client: LanguageClient) -> None:
    """Lenses, hover, declaration, code actions and signature help, of one program."""
    assert len(await open_(client, JITTED)) == 2
    named = lsp.TextDocumentIdentifier(uri_of(client))
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(named))
    said = [(lens.range.start.line, lens.command.title) for lens in lenses or () if lens.command is not None]
    assert said == [(5, "compiled for 2 signatures"), (10, "compiled for 1 signature")]

    assert await _hover(client, 5, 6) == [
        "layer is compiled for 2 signatures",
        "  line 17: w float32[784, 10], x float32[17, 784]",
        "  line 18: w float32[784, 10], x float32[32, 784]",
    ]
    assert (await _hover(client, 19, 10))[:6] == [
        "float32[17, 3]",
        "how the dtypes join:",
        "  int32 -> float -> bfloat16 -> float32",
        "  float32 stays",
        "where the dtype comes from:",
        "  line 20: i + small[:, :3] is float32, since small[:, :3] is a strong float32 and i is a strong int32",
    ]
    made = await client.text_document_declaration_async(lsp.DeclarationParams(named, lsp.Position(20, 23)))
    assert made == [lsp.Location(named.uri, lsp.Range(lsp.Position(19, 4), lsp.Position(19, 4)))]

    titles = {
        "Cast i to float32": (20, 12),
        "Mark n static in pad": (11, 14),
        'Annotate x with jaxtyping: Float32[Array, "n 784"]': (5, 13),
    }
    for number, (title, (line, column)) in enumerate(titles.items()):
        place = lsp.Position(line, column)
        asked = lsp.CodeActionParams(named, lsp.Range(place, place), lsp.CodeActionContext([]))
        actions = await client.text_document_code_action_async(asked)
        (action,) = [a for a in actions or () if a.title == title]
        assert isinstance(action, lsp.CodeAction)
        assert len(await change(client, _applied(JITTED, action), 2 + 2 * number)) == (2 if "jaxtyping" in title else 1)
        await change(client, JITTED, 3 + 2 * number)

    unfinished = f"{JITTED}out = layer(jnp.ones((784, 10)), "
    await change(client, unfinished, 9)
    end = lsp.Position(unfinished.count("\n"), len(unfinished.splitlines()[-1]))
    help_ = await client.text_document_signature_help_async(lsp.SignatureHelpParams(named, end))
    assert help_ is not None
    assert help_.signatures[0].label == "layer(w: float32[784, 10], x)"
    assert help_.active_parameter == 1


async def _hover(client: LanguageClient, line: int, column: int) -> list[str]:
    asked = lsp.HoverParams(lsp.TextDocumentIdentifier(uri_of(client)), lsp.Position(line, column))
    found = await client.text_document_hover_async(asked)
    assert found is not None
    assert isinstance(found.contents, lsp.MarkupContent)
    return found.contents.value.splitlines()


def _applied(text: str, action: lsp.CodeAction) -> str:
    """The text after an action, as an editor changes it."""
    assert action.edit is not None
    ((*edits,),) = (action.edit.changes or {}).values()
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        assert isinstance(edit, lsp.TextEdit)
        assert edit.range.start.line == edit.range.end.line
        line = lines[edit.range.start.line]
        lines[edit.range.start.line] = (
            line[: edit.range.start.character] + edit.new_text + line[edit.range.end.character :]
        )
    return "\n".join(lines)


@pytest.mark.asyncio
async def test_several_files_are_followed(client: LanguageClient) -> None:
    """A file that is opened meanwhile does not keep another one from being followed."""
    text = "import jax.numpy as jnp\nx = jnp.ones(3)\n"
    for name in ("a.py", "b.py", "c.py"):
        item = lsp.TextDocumentItem(uri_of(client, name), "python", 1, text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    for _ in range(100):
        if all([await hints(client, name) == [(2, ": float32[3]")] for name in ("a.py", "b.py", "c.py")]):
            return
        await asyncio.sleep(0.2)
    pytest.fail("one was not followed")


@pytest.mark.asyncio
async def test_what_does_not_parse_keeps_the_last_answer(client: LanguageClient) -> None:
    await open_(client, PROGRAM)
    before = await hints(client)
    await change(client, "# a comment\n" + PROGRAM.replace("    return small, large", "    return (small,"))
    assert await hints(client) == [(line + 1, text) for line, text in before]


@pytest.mark.asyncio
async def test_a_module_is_followed_from_the_program_that_imports_it(client: LanguageClient) -> None:
    folder: Path = client.folder  # type: ignore[attr-defined]
    (folder / "train.py").write_text("import jax.numpy as jnp\nfrom model import f\n\nf(jnp.ones((2, 3)))\n")
    (folder / "model.py").write_text("def f(x):\n    return x\n")
    await open_(client, "def f(x):\n    y = x + 1\n    return y\n", "model.py")
    await _told(client, uri_of(client, "model.py"))
    assert await hints(client, "model.py") == [(1, ": float32[2, 3]"), (2, ": float32[2, 3]")]


@pytest.mark.asyncio
async def test_characters_are_counted_as_editors_do(client: LanguageClient) -> None:
    (found,) = await open_(client, 'import jax.numpy as jnp\ns = "😀é"; y = jnp.ones(3) + jnp.ones(4)\n')
    assert found.range.start == lsp.Position(1, len('s = "😀é"; y = ') + 1)
    assert await hints(client) == []


@pytest.mark.asyncio
async def test_an_endless_program_does_not_keep_the_next_answer(client: LanguageClient) -> None:
    endless = (
        "import jax.numpy as jnp\n\n\ndef f(n, x):\n    return x if n == 0 else f(n - 1, x) + f(n - 1, x)\n\n\n"
        "print(f(60, jnp.ones(3)))\n"
    )
    item = lsp.TextDocumentItem(uri_of(client), "python", 1, endless)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    await asyncio.sleep(2)
    began = time.monotonic()
    assert len(await change(client, WRONG)) == 1
    assert time.monotonic() - began < 15


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    config=ClientServerConfig(server_command=FORKED)
)
async def typed_client(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    folder = lsp.WorkspaceFolder(tmp_path.as_uri(), "folder")
    await lsp_client.initialize_session(
        lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), workspace_folders=[folder])
    )
    lsp_client.folder = tmp_path  # type: ignore[attr-defined]
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_types_are_checked_later(typed_client: LanguageClient) -> None:
    """What flow has found comes first, and is not told again by the types."""
    wrong = "import numpy as np\nx = np.ones(3) + np.ones(4)\nn: int = 'a'\n"
    (first,) = await open_(typed_client, wrong)
    assert first.code == "array-shape"
    flow, types = await _told(typed_client, uri_of(typed_client))
    assert flow == first
    assert (types.code, types.source, types.range.start.line) == ("assignment", "arraytyping (types)", 2)
    (left,) = await change(typed_client, "\n" + wrong.replace("ones(4)", "ones(3)"))
    assert left.range.start.line == 3
    assert await change(typed_client, "n: int = 3\n", 3) in ([], [left])


CELLS = [
    "import jax\nimport jax.numpy as jnp\n%matplotlib inline",
    "# Text",
    "@jax.jit\ndef layer(w, x):\n    return jnp.tanh(x @ w)",
    "%time y = layer(jnp.ones((784, 10)), jnp.ones((17, 784)))\nprint(y)",
    "%%bash\nls",
    "%time z = layer(jnp.ones((784, 10)), y)",
    "display(jnp.ones(3) + jnp.ones(4))",
]


class Cells:
    """A notebook in an editor."""

    def __init__(self, client: LanguageClient, texts: Sequence[str]) -> None:
        self.client = client
        self.uri = uri_of(client, "train.ipynb")
        self.version = 1
        path = self.uri.removeprefix("file://")
        self.uris = [f"vscode-notebook-cell:{path}#W{n}sZmlsZQ%3D%3D" for n in range(len(texts))]
        kinds = [lsp.NotebookCellKind.Markup if t == "# Text" else lsp.NotebookCellKind.Code for t in texts]
        cells = [lsp.NotebookCell(kind, uri) for kind, uri in zip(kinds, self.uris)]
        languages = ["markdown" if t == "# Text" else "shellscript" if "bash" in t else "python" for t in texts]
        items = [lsp.TextDocumentItem(u, language, 1, t) for u, language, t in zip(self.uris, languages, texts)]
        notebook = lsp.NotebookDocument(self.uri, "jupyter-notebook", 1, cells)
        client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(notebook, items))

    def change(self, changed: lsp.NotebookDocumentCellChanges) -> None:
        self.version += 1
        named = lsp.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        change = lsp.NotebookDocumentChangeEvent(cells=changed)
        self.client.notebook_document_did_change(lsp.DidChangeNotebookDocumentParams(named, change))

    def write(self, number: int, text: str) -> None:
        named = lsp.VersionedTextDocumentIdentifier(self.version, self.uris[number])
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        content = lsp.NotebookDocumentCellContentChanges(named, [whole])
        self.change(lsp.NotebookDocumentCellChanges(text_content=[content]))

    def remove(self, number: int) -> None:
        structure = lsp.NotebookDocumentCellChangeStructure(
            lsp.NotebookCellArrayChange(number, 1, []), did_close=[lsp.TextDocumentIdentifier(self.uris[number])]
        )
        self.change(lsp.NotebookDocumentCellChanges(structure=structure))

    async def until(self, number: int, count: int) -> list[lsp.Diagnostic]:
        """The mistakes in a cell, once there are so many."""
        for _ in range(600):
            found = self.client.diagnostics.get(self.uris[number])
            if found is not None and len(found) == count:
                return list(found)
            await asyncio.sleep(0.1)
        raise AssertionError(f"{count} mistakes in {number}: {self.client.diagnostics}")

    async def hints(self, number: int) -> list[tuple[int, int, str]]:
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(1000, 0))
        asked = lsp.InlayHintParams(lsp.TextDocumentIdentifier(self.uris[number]), whole)
        found = await self.client.text_document_inlay_hint_async(asked)
        return [(h.position.line, h.position.character, str(h.label)) for h in found or ()]


@pytest.mark.asyncio
async def test_the_cells_of_a_notebook(client: LanguageClient) -> None:
    """All that is asked of a file is asked of a cell; lines are those of the cell."""
    cells = Cells(client, CELLS)
    (sum_,) = await cells.until(6, 1)
    assert sum_.range == lsp.Range(lsp.Position(0, 8), lsp.Position(0, 33))
    (product,) = await cells.until(2, 1)
    assert product.range == lsp.Range(lsp.Position(2, 20), lsp.Position(2, 25))
    assert "layer: x is float32[17, 10], w is float32[784, 10] (line 1 of cell 6)" in product.message
    related = {(r.location.uri, r.location.range.start.line) for r in product.related_information or ()}
    assert related == {(cells.uris[2], 2), (cells.uris[5], 0)}
    assert not client.diagnostics[cells.uris[3]]
    assert await cells.hints(3) == [(0, 7, ": float32[17, 10]")]
    assert await cells.hints(2) == [(1, 11, ": float32[784, 10]"), (1, 14, ": float32[17, 784|10]")]

    hover = await client.text_document_hover_async(
        lsp.HoverParams(lsp.TextDocumentIdentifier(cells.uris[3]), lsp.Position(1, 6))
    )
    assert hover is not None
    assert hover.range == lsp.Range(lsp.Position(1, 6), lsp.Position(1, 7))
    assert isinstance(hover.contents, lsp.MarkupContent)
    assert hover.contents.value.splitlines()[:3] == [
        "float32[17, 10]",
        "where the dtype comes from:",
        "  line 3 of cell 3: jnp.tanh(x @ w) is float32",
    ]
    named = lsp.TextDocumentIdentifier(cells.uris[3])
    made = await client.text_document_declaration_async(lsp.DeclarationParams(named, lsp.Position(1, 6)))
    assert isinstance(made, list)
    assert [m.uri for m in made if isinstance(m, lsp.Location)] == [cells.uris[2]]
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(lsp.TextDocumentIdentifier(cells.uris[2])))
    assert [lens.range.start.line for lens in lenses or ()] == [1]
    at = lsp.Position(0, 20)
    signature = await client.text_document_signature_help_async(lsp.SignatureHelpParams(named, at))
    assert signature is not None
    assert signature.signatures[0].label == "layer(w: float32[784, 10], x: float32[17, 784]) -> float32[17, 10]"

    asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(cells.uris[6]), sum_.range, lsp.CodeActionContext([sum_]))
    (action,) = await client.text_document_code_action_async(asked) or ()
    assert isinstance(action, lsp.CodeAction)
    assert action.edit is not None
    ((uri, (edit,)),) = (action.edit.changes or {}).items()
    assert (uri, edit.new_text) == (cells.uris[6], "  # arraytyping: ignore[array-shape]")

    cells.write(6, CELLS[6] + edit.new_text)
    await cells.until(6, 0)
    cells.write(6, "display(jnp.ones(3) +")  # the last answer stays
    await asyncio.sleep(0.3)
    assert await cells.hints(3) == [(0, 7, ": float32[17, 10]")]
    cells.write(3, CELLS[3].replace("17", "18"))  # what is left unfinished elsewhere is passed by
    for _ in range(300):
        if (shown := await cells.hints(3)) == [(0, 7, ": float32[18, 10]")]:
            break
        await asyncio.sleep(0.1)
    assert shown == [(0, 7, ": float32[18, 10]")]
    cells.remove(5)
    await cells.until(2, 0)
    cells.write(6, CELLS[6])
    await cells.until(6, 1)
    client.notebook_document_did_close(
        lsp.DidCloseNotebookDocumentParams(
            lsp.NotebookDocumentIdentifier(cells.uri), [lsp.TextDocumentIdentifier(uri) for uri in cells.uris]
        )
    )
    await cells.until(6, 0)
    assert await cells.hints(3) == []


@pytest.mark.asyncio
async def test_from_a_key_to_the_answer(client: LanguageClient) -> None:
    """A bound that no loaded machine breaks; benchmarks measure."""
    await open_(client, PROGRAM)
    seconds = []
    for version in range(2, 8):
        began = time.monotonic()
        await change(client, PROGRAM.replace("17", str(version)), version)
        seconds.append(time.monotonic() - began)
        assert (11, f": float32[{version}, 10]") in await hints(client)
    assert statistics.median(seconds) < 5


@pytest.mark.asyncio
async def test_nonsense(client: LanguageClient) -> None:
    asked = lsp.HoverParams(lsp.TextDocumentIdentifier("untitled:nowhere"), lsp.Position(99, 99))
    assert await client.text_document_hover_async(asked) is None
    assert await open_(client, "") == []
    asked = lsp.HoverParams(lsp.TextDocumentIdentifier(uri_of(client)), lsp.Position(99, 99))
    assert await client.text_document_hover_async(asked) is None


def _processes_below(pid: int) -> set[int]:
    """The processes that a process has started, and those that these have."""
    found: set[int] = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid and fields[0] != "Z":
                found |= {int(stat.parent.name)} | _processes_below(int(stat.parent.name))
    return found


def _are_gone(pids: set[int]) -> bool:
    for _ in range(600):  # one that still loads jax looks for its server afterwards
        left = {
            pid
            for pid in pids
            if Path(f"/proc/{pid}/statm").exists() and Path(f"/proc/{pid}/statm").read_text()[0] != "0"
        }
        if not left:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
@pytest.mark.parametrize("is_killed", [False, True])
def test_nothing_is_left_of_a_server(tmp_path: Path, is_killed: bool) -> None:
    """Of one whose client dies, and of one that is killed, while there is something to follow."""
    editor = Editor([*COMMAND, "--no-types"], tmp_path, {})
    editor.__enter__()
    document = {"uri": (tmp_path / "a.py").as_uri(), "languageId": "python", "version": 1, "text": "import jax\n"}
    editor.notify("textDocument/didOpen", {"textDocument": document})
    below: set[int] = set()
    for _ in range(100):
        if below := _processes_below(editor.server.pid):
            break
        time.sleep(0.1)
    assert below
    if is_killed:
        editor.server.kill()
    else:
        assert editor.server.stdin is not None
        editor.server.stdin.close()
    editor.server.wait(timeout=30)
    assert _are_gone(below)


def test_a_client_that_sends_nonsense(tmp_path: Path) -> None:
    """It is answered all the same, and told in one line that a Python cannot be used."""
    settings = {"arraytyping": {"python": "nowhere/python"}}
    with Editor([*FORKED, "--no-types"], tmp_path, settings) as editor:
        assert editor.server.stdin is not None
        editor.server.stdin.write(b"Content-Length: 5\r\n\r\nabcde")
        editor.notify("textDocument/didOpen", {"what": 3})
        editor.notify("no/such/thing", [])
        with pytest.raises(RuntimeError, match="Invalid Params"):
            editor.request("textDocument/hover", {"textDocument": 3})
        assert editor.hover("x = 1|\n") == ""
        unknown = {"uri": "file:///none.ipynb", "version": 1}
        for event in ({"what": 3}, {"notebookDocument": unknown}, {"notebookDocument": unknown, "change": {}}):
            editor.notify("notebookDocument/didChange", event)
            editor.notify("notebookDocument/didClose", {**event, "cellTextDocuments": [{"uri": "file:///none"}]})
        unsaved: dict[str, Any] = {"uri": "untitled:a.ipynb", "notebookType": "jupyter-notebook", "version": 1}
        cell = {"uri": "vscode-notebook-cell:a#1", "languageId": "python", "version": 1, "text": "x = 1"}
        listed = [{"kind": 2, "document": cell["uri"]}, {"kind": 2, "document": "vscode-notebook-cell:a#none"}]
        opened: dict[str, Any] = {"notebookDocument": {**unsaved, "cells": listed}, "cellTextDocuments": [cell]}
        for uri in ("untitled:a.ipynb", (tmp_path / "a.ipynb").as_uri()):
            opened["notebookDocument"] = {**unsaved, "uri": uri, "cells": listed}
            editor.notify("notebookDocument/didOpen", opened)
        place = {"textDocument": {"uri": cell["uri"]}, "position": {"line": 99, "character": 99}}
        assert editor.request("textDocument/hover", place) is None
        editor.notify("textDocument/didChange", {"textDocument": {"uri": "file:///none.py", "version": 1}})
        document = {"uri": (tmp_path / "a.py").as_uri(), "languageId": "python", "version": 1, "text": "y = 2\n"}
        editor.notify("textDocument/didOpen", {"textDocument": document})
        for _ in range(100):
            editor.hover("y = 2|\n")
            if any("nowhere" in said for said in editor.messages):
                break
            time.sleep(0.1)
        (python,) = [said for said in editor.messages if "nowhere" in said]
        others = [said for said in editor.messages if said is not python]
        assert python.startswith("arraytyping: arraytyping.python: ")
        assert others
        assert len({*others}) == len(others)
        assert all(said.startswith("arraytyping: a message of the editor was not understood: ") for said in others)
        assert not any("\n" in said for said in editor.messages)


def test_nonsense_leaves_no_traceback(tmp_path: Path) -> None:
    """What a server writes to its error stream, editors show."""
    sent = b"Content-Length: 5\r\n\r\nabcdeContent-Length: 9999\r\n\r\n{"
    done = subprocess.run([*COMMAND, "--no-types"], cwd=tmp_path, input=sent, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_server_that_ends_says_nothing_of_what_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> list[str]:
        server = Server(None)
        said: list[str] = []
        monkeypatch.setattr(server, "window_show_message", lambda params: said.append(params.message))
        server.report_server_error(ValueError("before"), ValueError)
        await server.end()
        server.report_server_error(ValueError("after"), ValueError)
        return said

    assert asyncio.run(run()) == ["arraytyping: a message of the editor was not understood: before"]


class TwoFolders(Editor):
    """An editor with two folders, of which the second one's Python is a setting."""

    def request(self, method: str, parameters: Any) -> Any:
        if method == "initialize":
            parameters["workspaceFolders"] = [{"uri": (self.folder / n).as_uri(), "name": n} for n in "ab"]
        return super().request(method, parameters)

    def _serve(self, message: dict[str, Any]) -> None:
        if message["method"] != "workspace/configuration":
            return super()._serve(message)
        scopes = [item["scopeUri"] for item in message["params"]["items"]]
        self._send({"id": message["id"], "result": [{"python": "python"} if s.endswith("b") else {} for s in scopes]})


def test_two_folders_with_two_pythons_in_one_server(tmp_path: Path) -> None:
    """Each is followed with its own libraries: that in `.venv`, and that of the editor's setting."""
    for name, place, width in (("a", ".venv", 10), ("b", "python", 8)):
        folder = tmp_path / name / place
        venv.create(folder, symlinks=True)
        (packages,) = folder.glob("lib/python*/site-packages")
        (packages / "others.pth").write_text(f"{Path(pytest.__file__).parent.parent}\n")
        (packages / "widths.py").write_text(f"WIDTH = {width}\n")
    program = "import jax.numpy as jnp\nimport widths\nx = jnp.ones(widths.WIDTH)\ny = x + jnp.ones(10)\n"
    uris = [(tmp_path / name / "train.py").as_uri() for name in "ab"]
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    with TwoFolders([*FORKED, "--no-types"], tmp_path, {}) as editor:
        for uri in uris:
            document = {"uri": uri, "languageId": "python", "version": 1, "text": program}
            editor.notify("textDocument/didOpen", {"textDocument": document})
        for _ in range(600):
            asked = [{"textDocument": {"uri": uri}, "range": whole} for uri in uris]
            found = [[h["label"] for h in editor.request("textDocument/inlayHint", a)] for a in asked]
            if all(found):
                break
            time.sleep(0.1)
        assert found == [[": float32[10]", ": float32[10]"], [": float32[8]"]]
        assert editor.messages == []


def test_an_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cancelled and superseded questions, other kinds meanwhile, one that dies, and one that has grown."""
    module = """
import os, time
from arraytyping.checker.flow.report.serving import serve
def follow(request):
    if request["does"] == "sleep":
        time.sleep(60)
    if request["does"] == "die":
        os._exit(3)
    if request["does"] == "fail":
        1 / 0
    return {"report": [os.getppid(), request["does"]]}
def answer():
    serve(lambda libraries: None, follow)
"""
    (tmp_path / "fake_engine.py").write_text(module)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    async def ask(engine: Engine, does: str, kind: str = "follow") -> Any:
        return await engine.ask(tmp_path, {"does": does}, kind)

    async def run() -> None:
        engine = Engine(sys.executable, "fake_engine")
        slow = asyncio.create_task(ask(engine, "sleep"))
        await asyncio.sleep(0.5)
        pid, said = await ask(engine, "look", "look")
        assert said == "look"
        assert await ask(engine, "follow") == [pid, "follow"]
        with pytest.raises(asyncio.CancelledError):
            await slow
        slow = asyncio.create_task(ask(engine, "sleep"))
        await asyncio.sleep(0.3)
        (work,) = _processes_below(pid) or {0}
        slow.cancel()
        assert await asyncio.to_thread(_are_gone, {work})
        for does, why in (("die", "ended without an answer"), ("fail", "ZeroDivisionError")):
            with pytest.raises(EngineError, match=why):
                await ask(engine, does)
        os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.3)
        other, _ = await ask(engine, "follow")
        assert other != pid
        engine.most_bytes = 1
        third, _ = await ask(engine, "follow")
        assert third != other
        await engine.stop()
        assert await asyncio.to_thread(_are_gone, {pid, other, third})
        for python, why in ((str(tmp_path / "python"), "cannot be run"), ("/bin/true", "ended before")):
            with pytest.raises(EngineError, match=why):
                await ask(Engine(python, "fake_engine"), "follow")

    asyncio.run(run())


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not forked elsewhere")
def test_what_follows_programs_can_be_forked() -> None:
    """Nothing that is loaded beforehand starts a thread, nor is anything left that each answer would load anew."""
    asks = (
        "import sys; from arraytyping.checker.flow.report.engine import load; load(frozenset())\n"
        "from arraytyping.checker.flow.report.workers import can_fork\n"
        "print(can_fork(), 'jax' in sys.modules, 'numpy.testing' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "True", "True"]


def test_two_servers_check_types_in_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a directory of its own for what mypy keeps."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with types_cache(tmp_path) as first:
        with types_cache(tmp_path) as second:
            assert first != second
        with types_cache(tmp_path) as third:
            assert third == second
    assert not [*tmp_path.glob("[!s]*")]
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null/nowhere")
    with types_cache(tmp_path) as none:
        assert none == os.devnull


@pytest.mark.skipif(shutil.which("nvim") is None, reason="needs Neovim")
def test_neovim(tmp_path: Path) -> None:
    """A client that knows nothing of this server."""
    program = tmp_path / "train.py"
    program.write_text(
        "import jax\nimport jax.numpy as jnp\n"
        "x = jnp.ones((2, 3))\nf = jax.jit(lambda a: a)\nw = jnp.ones((4, 3))\nprint(f(x) @ w)\n"
    )
    script = Path(__file__).parent / "neovim_client.lua"
    ran = subprocess.run(
        ["nvim", "--headless", "--clean", "-c", f"luafile {script}"],
        env={**os.environ, "SERVER": json.dumps([*COMMAND, "--no-types"]), "PROGRAM": str(program)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    (line,) = [line for line in (ran.stdout + ran.stderr).splitlines() if line.startswith("{")]
    found = json.loads(line)
    ((at, message),) = found["diagnostics"]
    assert (at, "did you mean" in message) == (5, True)
    assert found["hints"] == [[2, ": float32[2, 3]"], [4, ": float32[4, 3]"]]
    assert found["lenses"] == [[3, "compiled for 1 signature"]]
    assert found["hover"].startswith("float32[4, 3]\nwhere the dtype comes from:\n  line 5: ")
    assert found["declaration"] == [4]
    assert found["left"] == 0


# The parts


def claims(*shapes: Any, dtype: str | None = "float32", weak: bool = False) -> list[Claim]:
    return [Claim(dtype, weak, shape) for shape in shapes]


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (claims((3, 4)), "float32[3, 4]"),
        (claims((32, 784), (17, 784)), "float32[32|17, 784]"),
        (claims((1,), (2,), (3,), (4,)), "float32[1|2|3|...]"),
        (claims((3,), (3, 4)), "float32[3] | float32[3, 4]"),
        (claims((3,), (4,), weak=True), "float32[3|4] (weak)"),
        (claims(None), "float32[...]"),
        (claims(None, dtype=None), ""),
        (claims((), dtype=None), "scalar"),
        (claims((None, None), dtype=None), "2-D array"),
        (claims((3, None), dtype=None), "?[3, ?]"),
        (claims(None, (3,)), "float32[...] | float32[3]"),
        (claims(None, dtype=None) + claims((3,)), "float32[3] | ?"),
        ([], ""),
    ],
)
def test_alternatives(found: list[Claim], text: str) -> None:
    assert shown_claims(found) == text


@pytest.mark.parametrize(
    ("found", "why", "is_mistaken", "lines"),
    [
        ([], MISTAKE, True, ["no result: the operation fails (array-shape)"]),
        ([], MISTAKE, False, ["no result: it depends on an operation that fails"]),
        (
            [*claims((3,)), Claim()],
            MISTAKE,
            True,
            ["float32[3] | ?", "  float32[3]", "otherwise no result: the operation fails (array-shape)"],
        ),
        ([], "f is not followed", False, ["unknown: f is not followed"]),
        (claims((None,)), "n is unknown", False, ["float32[?]", "not all is known: n is unknown"]),
        (
            [*claims((3,)), Claim()],
            "why",
            False,
            ["float32[3] | ?", "  float32[3]", "  unknown", "not all is known: why"],
        ),
        (claims((3,)), None, True, ["float32[3]"]),  # a warning
    ],
)
def test_hover_says_why_there_is_no_more(
    found: list[Claim], why: str | None, is_mistaken: bool, lines: list[str]
) -> None:
    e = ExpressionClaims(4, 2, 4, 7, tuple(found), "flow", why)
    mistake = Diagnostic("a.py", 4, 2 if is_mistaken else 3, 4, 7, "array-shape", "text")
    assert described(e, [mistake]) == lines


def test_hints_stand_behind_names() -> None:
    source = "a, b = f()\nx: int = g()\nif (n := h()): pass\n"
    e = [
        ExpressionClaims(1, 7, 1, 10, (Claim("int32", False, (2,), (0,)), Claim("int8", False, (), (1,))), "flow"),
        ExpressionClaims(2, 9, 2, 12, tuple(claims((1,))), "flow"),
        ExpressionClaims(3, 9, 3, 12, tuple(claims((5,))), "flow"),
    ]
    found = [(h.line, h.column, h.text) for h in hints_of(source, FileClaims.of(e))]
    assert found == [(1, 1, ": int32[2]"), (1, 4, ": int8[]"), (3, 5, ": float32[5]")]
    assert hints_of("def f(:", FileClaims()) == []


@pytest.mark.asyncio
async def test_the_edited_part_is_shown_before_all_is_known(client: LanguageClient) -> None:
    """While the rest is followed, hints for the function that is edited stand there, and all others stay."""
    said: list[str] = []
    client.feature(lsp.LOG_TRACE)(lambda params: said.append(params.message))
    client.set_trace(lsp.SetTraceParams(lsp.TraceValue.Messages))
    await open_(client, PROGRAM)
    edited = PROGRAM.replace("    return jnp.tanh(x @ w)", "    y = jnp.tanh(x @ w)\n    return y")
    assert await change(client, edited) == []
    assert (6, ": float32[17|32, 10]") in await hints(client)
    versions = [message.rpartition(" of ")[0] for message in said]
    assert versions == ["followed version 1", "followed part of version 2", "followed version 2"]


def test_hints_of_the_edited_part_take_the_place_of_others() -> None:
    """Those of the lines that are known anew are not shown twice; all move with their lines."""
    known = ExpressionClaims(3, 8, 3, 9, (Claim("float32", False, (2,)),), "flow")
    other = ExpressionClaims(5, 4, 5, 5, (Claim("float32", False, (3,)),), "flow")
    before = "x = 0\ndef f():\n    y = 1\n\nz = 2\n"
    after = "x = 0\ndef f():\n    y = 7\n    w = 8\n\nz = 2\n"
    document = Document(Path("a.py"), after, 2, found=Found(before, "a.py", FileClaims((known, other))))
    assert [(h.position.line, h.label) for h in document.hints()] == [(5, ": float32[3]")]  # that line has changed
    found = (replace(known, claims=(Claim("int8", False, (4,)),)), replace(known, line=4, end_line=4))
    document.early = Early(after, 2, 4, FileClaims(found))
    expected = [(2, ": int8[4]"), (3, ": float32[2]"), (5, ": float32[3]")]
    assert [(h.position.line, h.label) for h in document.hints()] == expected
    document.text = "\n" + after
    assert [(h.position.line, h.label) for h in document.hints()] == [(n + 1, label) for n, label in expected]


def test_places_move_with_their_lines() -> None:
    text = Text("a\nb = é + c\nd\n", "new\na\nd\nb = é + c\n")
    assert text.position(2, len("b = é".encode())) in (None, lsp.Position(3, 5))
    assert text.position(1, 0) == lsp.Position(1, 0)
    assert Text("😀 = 1", "😀 = 1").position(1, 4) == lsp.Position(0, 2)
    assert Text("😀 = 1", "😀 = 1").place(lsp.Position(0, 2)) == (1, 4)


@pytest.mark.asyncio
async def test_a_name_that_is_bound_says_what_it_holds(client: LanguageClient) -> None:
    """Where it is assigned, alone, with others or with an annotation, and where it is a parameter."""
    await open_(client, PROGRAM + "a, b = main()\nc: jax.Array = a.T\n")
    for line, column, text in [
        (9, 4, "float32[784, 10]"),
        (4, 13, "float32[17|32, 784]"),
        (16, 3, "[1]: float32[32, 10]"),
        (17, 0, "float32[10, 17]"),
    ]:
        place = lsp.Position(line, column)
        asked = lsp.HoverParams(lsp.TextDocumentIdentifier(uri_of(client)), place)
        hover = await client.text_document_hover_async(asked)
        assert hover is not None, (line, column)
        assert text in str(hover.contents), (line, column)


@pytest.mark.asyncio
async def test_a_file_does_not_wait_for_what_imports_it(client: LanguageClient) -> None:
    """It is followed alone first, and then with the programs that say what its parameters are."""
    folder: Path = client.folder  # type: ignore[attr-defined]
    (folder / "train.py").write_text("import jax.numpy as jnp\nfrom model import twice\ntwice(jnp.ones((17, 5)))\n")
    model = "def twice(x):\n    y = x + x\n    return y\n"
    assert await open_(client, model, "model.py") == []
    assert await hints(client, "model.py") == []
    await _told(client, uri_of(client, "model.py"))
    assert await hints(client, "model.py") == [(1, ": float32[17, 5]"), (2, ": float32[17, 5]")]


def test_importers(tmp_path: Path) -> None:
    files = {
        "a.py": "import model",
        "b.py": "from pkg import model",
        "c.py": "x = 'model'",
        "sub/d.py": "import model as m",
    }
    for name, text in {**files, "model.py": ""}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert [p.name for p in importers_of(tmp_path / "model.py", tmp_path)] == ["a.py", "b.py", "d.py"]


@pytest.mark.parametrize(
    ("text", "label", "active"),
    [
        ("def f(a, b=2, *, c=None): pass\nf(x, |)\n", "f(a, b=2, c=None)", 1),
        ("def f(a, b=2, *, c=None): pass\nf(c=|)\n", "f(a, b=2, c=None)", 2),
        ("def f(a, b=2, *, c=None): pass\nif f(1|\n    pass\n", "f(a, b=2, c=None)", 0),
        ("import jax.numpy as jnp\ny = [jnp.matmul(x, |\nz = 3\n", "jnp.matmul(a, b, precision=None)", 1),
        ("class A:\n    def f(self, a): pass\n    def g(self):\n        self.f(|\n", "self.f(a)", 0),
        ("import jax\ndef f(a): pass\ng = jax.jit(f)\ng(|)\n", "g(a)", 0),
        ("def f(a): pass\nf(*x, |)\n", "f(a)", None),
        ("def f(a): pass\nf = 3\nf(|)\n", None, None),
        ("f(a)| + 1\n", None, None),
        ("x = (1, |\n", None, None),
        ("def f(:\n  (|", None, None),
    ],
)
def test_the_call_around_the_cursor(text: str, label: str | None, active: int | None) -> None:
    before, _, after = text.partition("|")
    line, column = before.count("\n") + 1, len(before.splitlines()[-1])
    call = open_call(before + after, line, column)
    if label is None:
        assert call is None
    else:
        assert call is not None
        assert signature_help(call, None).signatures[0].label.partition("(")[2].startswith(label.partition("(")[2][:-1])
        assert call.active == active


@pytest.mark.parametrize(
    ("source", "after"),
    [
        (
            "@jax.jit\ndef f(n): pass\n",
            'import functools\n@functools.partial(jax.jit, static_argnames="n")\ndef f(n): pass\n',
        ),
        ("@jax.jit(inline=True)\ndef f(n): pass\n", '@jax.jit(inline=True, static_argnames="n")\ndef f(n): pass\n'),
        (
            'from functools import partial\n@partial(jax.jit, static_argnames="m")\ndef f(m, n): pass\n',
            'from functools import partial\n@partial(jax.jit, static_argnames=("m", "n"))\ndef f(m, n): pass\n',
        ),
        ("g = jax.jit(f)\n", 'g = jax.jit(f, static_argnames="n")\n'),
        ("g = jit(f)\n", None),
    ],
)
def test_marking_static(source: str, after: str | None) -> None:
    message = Message("a.py", 1, 0, 1, 0, "error", 'mark `n` static: `jax.jit(f, static_argnames="n")`', "array-traced")
    found = [applied(f"import jax\n{source}", mend.edits) for mend in mends(f"import jax\n{source}", message)]
    assert found == ([] if after is None else [f"import jax\n{after}"])


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (claims((3, 4)), 'Float32[Array, "3 4"]'),
        (claims((3, 4), (5, 4)), 'Float32[Array, "m 4"]'),
        (claims((3, 3), (5, 5)), 'Float32[Array, "m m"]'),
        (claims((), dtype="bool", weak=True), 'Bool[Array, ""]'),
        (claims((3,), dtype="bfloat16"), 'BFloat16[Array, "3"]'),
        (claims((3,), (3, 4)), None),
        (claims((3,)) + claims((3,), dtype="int32"), None),
        (claims((3, None)), None),
        (claims(None), None),
    ],
)
def test_annotations_of_what_is_known(found: list[Claim], text: str | None) -> None:
    source = 'def f(x):\n    "n"\n    return x\n'
    known = {(3, 11, 3, 12): ExpressionClaims(3, 11, 3, 12, tuple(found), "flow")}
    written = annotation_edits(source, 1, 6, known)
    assert (None if written is None else written[1][0].text) == (None if text is None else f": {text}")
    for taken in ("Array = 3\n", "class Float32: pass\n"):
        moved = {(4, 11, 4, 12): ExpressionClaims(4, 11, 4, 12, tuple(claims((3,))), "flow")}
        assert annotation_edits(taken + source, 2, 6, moved) is None
