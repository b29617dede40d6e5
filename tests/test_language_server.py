"""`arraytyping lsp`, asked as an editor asks it."""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from arraytyping.checker.claims import Claim, ExpressionClaims, FileClaims
from arraytyping.checker.lsp.hints import hints_of, shown_claims
from arraytyping.checker.lsp.importers import importers_of
from arraytyping.checker.lsp.positions import Text

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


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    config=ClientServerConfig(server_command=[sys.executable, "-m", "arraytyping", "lsp"])
)
async def client(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    (tmp_path / ".git").mkdir(exist_ok=True)
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
    assert hover.contents.value == "float32[17|32, 784]\n  float32[17, 784]\n  float32[32, 784]"


@pytest.mark.asyncio
async def test_mistakes_come_and_go_while_the_program_is_written(client: LanguageClient) -> None:
    (found,) = await open_(client, WRONG)
    assert (found.code, found.source) == ("array-shape", "arraytyping")
    assert found.range == lsp.Range(lsp.Position(5, 20), lsp.Position(5, 25))
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
        assert action.edit is not None
        ((edit,),) = (action.edit.changes or {}).values()
        assert isinstance(edit, lsp.TextEdit)
        lines = WRONG.splitlines()
        line = lines[edit.range.start.line]
        lines[edit.range.start.line] = (
            line[: edit.range.start.character] + edit.new_text + line[edit.range.end.character :]
        )
        assert await change(client, "\n".join(lines)) == []
    assert len(await change(client, WRONG)) == 1
    assert await change(client, PROGRAM) == []


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


def test_a_client_that_dies_takes_everything_with_it(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "arraytyping", "lsp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    assert process.stdin is not None
    process.stdin.write(b"Content-Length: 5\r\n\r\nabcde")
    process.stdin.close()
    process.wait(timeout=30)
    assert process.stderr is not None


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
        ([], ""),
    ],
)
def test_alternatives(found: list[Claim], text: str) -> None:
    assert shown_claims(found) == text


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


def test_places_move_with_their_lines() -> None:
    text = Text("a\nb = é + c\nd\n", "new\na\nd\nb = é + c\n")
    assert text.position(2, len("b = é".encode())) in (None, lsp.Position(3, 5))
    assert text.position(1, 0) == lsp.Position(1, 0)
    assert Text("😀 = 1", "😀 = 1").position(1, 4) == lsp.Position(0, 2)
    assert Text("😀 = 1", "😀 = 1").place(lsp.Position(0, 2)) == (1, 4)


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
