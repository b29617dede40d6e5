"""Trees of edited texts, made of those before the edit, against a parse of the whole."""

from __future__ import annotations

import ast
import random
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from arraytyping.checker.reparsing import reparsed

FLOW = Path(__file__).parent.parent / "typecheck_cases" / "flow"
_PIECES = ("x", " ", "\n", "    ", "(", ")", '"""', "'", "\\\n", ":", "#", ";", "@f\n", "if x:\n    y\n", "else:\n",
           "global q\n", "from __future__ import annotations\n", "return 1\n", "def g():\n    return 2\n", "\f", "\r\n",
           "async ", "class A: ", "try:\n    1\n", "é", "\t", "await z\n")  # fmt: skip


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def whole(text: str) -> ast.Module | None:
    """The tree of a text, if it is a program."""
    try:
        tree = ast.parse(text)
        compile(tree, "<all>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return tree


def is_same(tree: ast.Module, text: str) -> bool:
    expected = whole(text)
    return expected is not None and ast.dump(tree, include_attributes=True) == ast.dump(
        expected, include_attributes=True
    )


def edits(text: str, random_: random.Random) -> str:
    """A text with something put in, or taken out, at a place or two."""
    for _ in range(random_.choice((1, 1, 1, 2))):
        at = random_.randrange(len(text) + 1)
        if random_.random() < 0.5:
            line = text.rfind("\n", 0, at) + 1
            at = line if random_.random() < 0.5 else at
        text = text[:at] + random_.choice(_PIECES) + text[at + random_.choice((0, 0, 0, 1, 7)) :]
    return text


@pytest.mark.parametrize("seed", range(6))
def test_random_edits_of_programs(seed: int) -> None:
    """What is found is the tree of the whole, over edits that follow each other."""
    random_ = random.Random(seed)
    found = tried = 0
    for file in random_.sample(sorted(FLOW.glob("*.py")), 8):
        source = file.read_text(encoding="utf-8")
        tree = ast.parse(source)
        for _ in range(60):
            text = edits(source, random_)
            tried += whole(text) is not None
            new = reparsed(tree, source, text)
            if new is not None:
                found += 1
                assert is_same(new, text), f"seed {seed}, {file.name}"
                source, tree = text, new
    assert found > tried // 3


SMALL = "import os\nx = 1\ndef f(a):\n    return a\ny = f(x)\n\n@staticmethod\ndef g():\n    pass\nz = 3; w = 4\n"


def test_every_piece_at_every_place() -> None:
    """A small program that has a little of all, edited everywhere."""
    tree = ast.parse(SMALL)
    found = 0
    for at in range(len(SMALL) + 1):
        for piece in _PIECES:
            for taken in (0, 1, 5):
                text = SMALL[:at] + piece + SMALL[at + taken :]
                new = reparsed(tree, SMALL, text)
                found += new is not None
                assert new is None or is_same(new, text), text
    assert found > 500


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("x = 1\ny = 2\nif y:\n    global z\n", "x = 1\nz = 2\nif y:\n    global z\n"),
        ("x = 1\n\nfrom __future__ import annotations\n", "x = 1\ny\nfrom __future__ import annotations\n"),
        ("from __future__ import annotations\nx = 1\ny: 1\n", "from __future__ import annotations\nx\ny: (a := 1)\n"),
        ('"""a"""\nx = 1\ny = """\n"""\nz = 1\n', '"""a"""\nx = 1\ny = """\n"" "\nz = 1\n'),
    ],
)  # fmt: skip
def test_what_hangs_on_the_whole(source: str, text: str) -> None:
    """Statements that are one only where others stand, or do not stand, are left to a parse of the whole."""
    new = reparsed(ast.parse(source), source, text)
    assert new is None or is_same(new, text)


def test_only_what_is_new_is_parsed() -> None:
    """The statements that are the same are those of the tree before."""
    source = "a = 1\nb = 2\nc = 3\nd = 4\n"
    tree = ast.parse(source)
    new = reparsed(tree, source, source.replace("c = 3", "c = 7"))
    assert new is not None
    assert new.body[0] is tree.body[0]
    assert new.body[3] is tree.body[3]
    assert new.body[2] is not tree.body[2]
    assert reparsed(tree, source, source.replace("c = 3", "c = 3\ne = 4")) is None  # what is behind has moved
