"""What is kept of entry points is used after edits on which nothing of it hangs, and stands where it has moved."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from arraytyping.checker.flow.report.analysis import Analysis, analyze
from arraytyping.checker.flow.report.cache import ReportCache
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.sources.same_code import moves_between
from arraytyping.checker.flow.start import starting
from arraytyping.checker.flow.start.kept_report import Report
from arraytyping.checker.settings import Settings

SHARED = '''"""A module."""
import jax.numpy as jnp


def double(x):
    """Twice."""
    return x * 2


def triple(x):
    return x + jnp.ones(3)


class Layer:
    def __call__(self, x):
        return jnp.dot(x, jnp.ones((4, 5)))

    def other(self, x):
        return jnp.zeros(2) + jnp.zeros(3)
'''
DOUBLES = "import jax.numpy as jnp\nfrom shared import double\ny = double(jnp.ones((2, 3)))\nz = jnp.ones(2) + y[0]\n"
TRIPLES = """import jax
from shared import triple
k = jax.random.key(0)
y = triple(jax.random.normal(k, (3,)))
z = triple(jax.random.normal(k, (3,)))
"""
LAYERS = "import jax.numpy as jnp\nfrom shared import Layer\ny = Layer()(jnp.ones((2, 3)))\n"
PROGRAMS = {"doubles.py": DOUBLES, "triples.py": TRIPLES, "layers.py": LAYERS}


class Project:
    """Files in the current directory, what is found in them with and without what is kept."""

    def __init__(self, started: list[str]) -> None:
        self._started = started
        self.write("shared.py", SHARED)
        for name, text in PROGRAMS.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        Path(name).write_text(text, encoding="utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        text = Path(name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new, 1))

    def followed(self) -> set[str]:
        """The entry points that are followed anew; what is found is all that is found where nothing is kept."""
        self._started.clear()
        kept = analyze([Path()], Settings(), cache=ReportCache(Path(".arraytyping_cache"), Settings()))
        started = {name.removesuffix(".py") for name in self._started}
        assert told(kept) == told(analyze([Path()], Settings()))
        return started


def told(found: Analysis) -> Any:
    entries = [(str(r.entry), r.to_json() | {"seconds": 0, "unread": {}}) for r in found.entry_points]
    return found.claims.to_json(), [d.to_json() for d in found.diagnostics], entries


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    started: list[str] = []

    def start(entry: EntryPoint, *given: Any) -> Report:
        started.append(str(entry))
        return real(entry, *given)

    real = starting.start
    monkeypatch.setattr(starting, "start", start)
    made = Project(started)
    assert made.followed() == {"doubles", "triples", "layers", "import shared"}
    assert made.followed() == set()
    return made


def test_comments_docstrings_and_blank_lines_follow_nothing_anew(project: Project) -> None:
    project.edit("shared.py", '"""A module."""\n', "# one\n\n# two\n")
    assert project.followed() == set()
    project.edit("shared.py", "    return x * 2\n", "    # more\n    return (\n        x * 2\n    )\n")
    assert project.followed() == set()
    project.edit("shared.py", "Twice.", "Twice.\n\n    In several lines.\n    ")
    project.edit("doubles.py", "y = double", "\n\ny = double")
    assert project.followed() == set()
    assert project.followed() == set()
    project.edit("shared.py", "x * 2", "x * 3.5")
    assert project.followed() == {"doubles", "import shared"}


def test_what_calls_a_function_is_followed_anew_after_its_edit(project: Project) -> None:
    project.edit("shared.py", "x * 2", "x * 2 + jnp.zeros(7)")
    assert project.followed() == {"doubles", "import shared"}  # which looks at the names in all of it
    project.edit("shared.py", "jnp.ones((4, 5))", "jnp.ones((3, 5))")
    assert project.followed() == {"layers", "import shared"}
    project.edit("shared.py", "jnp.zeros(2) +", "jnp.zeros(3) +")
    assert project.followed() == {"import shared"}
    project.edit("shared.py", "def triple(x)", "def triple(x, y=1)")
    assert project.followed() == {"doubles", "triples", "layers", "import shared"}


def test_lines_that_a_text_names_are_right(project: Project) -> None:
    # What is told of the key names the line in which it was used before.
    project.edit("triples.py", "y = triple", "# a comment\ny = triple")
    assert project.followed() == {"triples"}
    project.write("triples.py", Path("triples.py").read_text(encoding="utf-8") + "# the end\n")
    assert project.followed() == set()


def test_what_is_kept_of_a_text_is_not_believed(project: Project) -> None:
    for kept in Path(".arraytyping_cache", "flow").glob("*.source"):
        kept.write_bytes(b"something else")
    project.edit("shared.py", "A module.", "The module.")
    assert project.followed() == {"doubles", "triples", "layers", "import shared"}


OLD = "import jax\n\ndef f(x):\n    return x\n\ndef g(x):\n    return x + 1\n"


@pytest.mark.parametrize(
    ("new", "unread", "is_same"),
    [
        (OLD, [], True),
        (OLD.replace("x + 1", "x + 2"), [], False),
        (OLD.replace("x + 1", "x + 2"), [1], True),
        (OLD.replace("x + 1", "x + 2"), [0], False),
        (OLD.replace("g(x)", "g(y)"), [1], False),
        (OLD.replace("def g", "@jax.jit\ndef g"), [1], False),
        (OLD.replace("x + 1", "x + 1.0"), [], False),
        (OLD.replace("x + 1", "x + True"), [], False),
        (OLD.replace("    return x\n\n", "    'A text.'\n    return x\n\n"), [], True),
        (OLD.replace("    return x\n\n", "    'A text.'; return x\n\n"), [], True),
        (OLD.replace("    return x\n\n", "    b'A text.'\n    return x\n\n"), [], False),
        (OLD.replace("return x + 1", "return (x +\n      1)"), [], True),
        (OLD + "print(f.__doc__)\n", [], False),
        (OLD + "pass\n", [], False),
        (OLD + "this is no Python\n", [], False),
        (OLD + "# %%\n", [], False),
        (OLD.replace("x\n\ndef", "x\ndef"), [], True),
    ],
)
def test_what_says_the_same(new: str, unread: list[int], is_same: bool) -> None:
    moves = moves_between(Path("a.py"), OLD.encode(), new.encode(), tuple(unread))
    assert (moves is not None) == is_same
    if moves is not None:
        for (line, column, end_line, end_column), now in moves.positions.items():
            before, after = (_text(text, at) for text, at in ((OLD, (line, column, end_line, end_column)), (new, now)))
            if 1 not in unread and "def" not in before:
                assert re.sub(r"[\s()]", "", before) == re.sub(r"[\s()]", "", after)


def _text(text: str, at: tuple[int, int, int, int]) -> str:
    lines = text.splitlines(keepends=True)[at[0] - 1 : at[2]]
    lines[-1] = lines[-1][: at[3]]
    return "".join(lines)[at[1] :]


def test_what_has_moved_apart_or_together_is_not_the_same() -> None:
    assert moves_between(Path("a.py"), b"a = 1; b = 2\n", b"a = 1\nb = 2\n", ()) is None
    assert moves_between(Path("a.py"), b"a = 1\nb = 2\n", b"a = 1; b = 2\n", ()) is None
