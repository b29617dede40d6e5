"""`arraytyping record`: what is kept of a run, and what flow says with it, against the runs themselves."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arraytyping.checker.audit import compare, run_program
from arraytyping.checker.audit.boundary_recorder import BoundaryRecorder
from arraytyping.checker.boundary.file import (
    NAME,
    BoundaryError,
    Recording,
    read_recordings,
    write_recordings,
)
from arraytyping.checker.boundary.joining import joined, with_part
from arraytyping.checker.boundary.observing import Observed
from arraytyping.checker.boundary.sites import Site, sites_of
from arraytyping.checker.boundary.structures import (
    Array,
    Each,
    Either,
    Fields,
    Items,
    Opaque,
    Plain,
    Structure,
    from_json,
    to_json,
)
from arraytyping.checker.flow.report.analysis import Analysis, analyze
from arraytyping.checker.settings import Settings

# ---------------------------------------------------------------------- structures and their text

STRUCTURES: list[tuple[Structure, Any]] = [
    (Array("numpy", "float32", ("n", 28, None)), "numpy.float32[n, 28, ?]"),
    (Array("jax", "float32", (), "weak"), "jax.float32[] weak"),
    (Array("numpy", "int64", (), "scalar"), "numpy.int64[] scalar"),
    (Array("jax", "key<fry>", (3,)), "jax.key<fry>[3]"),
    (Array("numpy", None, (3,)), "numpy.?[3]"),
    (Plain("None"), "None"),
    (Opaque("pandas.DataFrame"), "object pandas.DataFrame"),
    (Items("tuple", ()), {"tuple": []}),
    (Items("list", (Plain("int"), Plain("str"))), {"list": ["int", "str"]}),
    (Each(Plain("int")), {"each": "int"}),
    (Fields("", (("x", Plain("bool")),)), {"dict": {"x": "bool"}}),
    (Fields("pkg.State", (("x", Plain("bool")),)), {"class": "pkg.State", "fields": {"x": "bool"}}),
    (Either((Plain("None"), Plain("int"))), {"either": ["None", "int"]}),
]


@pytest.mark.parametrize(("structure", "data"), STRUCTURES, ids=lambda v: str(v)[:40])
def test_structures_are_read_as_they_are_written(structure: Structure, data: Any) -> None:
    assert to_json(structure) == data
    assert from_json(data) == structure


@pytest.mark.parametrize(
    "data",
    [
        "numpy.float33[3]", "numpy.float32", "numpy.float32[-3]", "numpy.float32[3", "torch.float32[3]", "integer",
        "numpy.float32[3] weak", "jax.float32[] scalar", "numpy.float32[3] scalar", 3, None, [], {}, {"tuple": "int"},
        {"tuple": [], "list": []}, {"dict": {"x": 3}}, {"class": "A"}, {"either": ["int"]}, {"each": {"each": None}},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_structure_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match=r"is no|has"):
        from_json(data)


def test_what_is_nested_for_ever_is_refused() -> None:
    data: Any = "int"
    for _ in range(100):
        data = {"each": data}
    with pytest.raises(ValueError, match="nested"):
        from_json(data)


# ---------------------------------------------------------------------- places that last


def test_a_site_stays_the_same_where_lines_move_and_is_another_one_where_its_text_changes() -> None:
    text = "def f(a):\n    x = g(a)\n    return g(a) + [y for y in h(x)][0]\n"
    before = list(sites_of(ast.parse(text)).values())
    assert list(sites_of(ast.parse(f"\n\n# a comment\n{text.replace('g(a)', 'g( a )')}")).values()) == before
    assert ("f", "g(a)") in before
    assert ("f", "g(a) #2") in before
    assert ("f", "for y in h(x)") in before
    assert ("f", "parameter a") in before
    assert len(set(before)) == len(before)
    assert ("f", "g(b)") in sites_of(ast.parse(text.replace("g(a)", "g(b)"))).values()


# ---------------------------------------------------------------------- sizes

A, B, C, D = (Site("a.py", "", name) for name in "abcd")


def f32(*shape: int | str | None) -> Array:
    """An array of NumPy."""
    return Array("numpy", "float32", shape)


def observed(*events: tuple[Site, Structure]) -> Recording:
    """What is recorded of some events, at all sites."""
    seen = Observed()
    for site, structure in events:
        seen.see(site, structure)
    return seen.recording([], [A, B, C])


def test_a_size_that_was_the_same_is_a_number_and_one_that_varied_has_a_name() -> None:
    found = observed((A, f32(32, 8, 0)), (A, f32(7, 8, 0)), (B, f32(1)), (B, f32(0)))
    assert found.entries == {A: f32("n", 8, 0), B: f32(None)}


def test_sizes_within_a_call_are_tied_where_they_agree_in_all_calls() -> None:
    pair = observed((A, Items("tuple", (f32(3, 3), f32(3)))), (A, Items("tuple", (f32(5, 4), f32(4)))))
    assert pair.entries == {A: Items("tuple", (f32("n", "m"), f32("m")))}


def test_a_size_is_that_of_another_call_only_if_it_always_was_what_that_one_gave_last() -> None:
    tied = observed((A, f32(3)), (B, f32(3)), (A, f32(5)), (B, f32(5)), (B, f32(5)), (C, f32(5)), (C, f32(3)))
    assert tied.entries == {A: f32("n"), B: f32("n"), C: f32("m")}
    assert tied.sizes == {"n": A}
    first = observed((A, f32(3)), (A, f32(5)), (B, f32(3)), (B, f32(5)))  # the k-th, but not the last
    assert first.entries == {A: f32("n"), B: f32("m")}
    assert first.sizes == {}


def test_two_recordings_agree_on_what_both_say() -> None:
    both = joined(
        Recording({A: f32(3, 8), B: f32(3), C: Plain("None")}, {}, frozenset({"a"})),
        Recording({A: f32(5, 8), B: f32(5), C: f32(2)}, {}, frozenset({"b"})),
    )
    assert both.entries == {A: f32("n", 8), B: f32("n"), C: Either((Plain("None"), f32(2)))}
    assert both.sizes == {"n": A}
    assert both.arguments == {"a", "b"}
    cut = with_part(both, Recording({A: f32(1, 8), B: Plain("int"), D: f32(2)}, {}, frozenset({"c"})))
    assert cut.entries == {A: f32("n", 8), B: Either((f32("n"), Plain("int"))), C: both.entries[C], D: f32(None)}
    assert cut.arguments == both.arguments
    assert with_part(None, Recording({A: f32(3, 8)})).entries == {A: f32(None, None)}
    named = joined(observed((A, f32(3)), (A, f32(4))), observed((A, f32(3)), (B, f32(3))))
    assert named.entries == {A: f32("n"), B: f32(3)}


# ---------------------------------------------------------------------- the file


def test_the_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    entries = {Site("a.py", "f" if i % 2 else "", f"g({i})"): s for i, (s, _) in enumerate(STRUCTURES)}
    written = {"a.py": Recording(entries, {"n": A}, frozenset({"none"})), "b.py": Recording()}
    write_recordings(tmp_path / NAME, written)
    assert read_recordings(tmp_path / NAME) == written
    before = (tmp_path / NAME).read_text()
    write_recordings(tmp_path / NAME, dict(reversed(written.items())))
    assert (tmp_path / NAME).read_text() == before


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "is no JSON"),
        ("[]", "version null"),
        ('{"arraytyping-boundary": 2}', "has version 2, and this arraytyping reads version 1"),
        ('{"arraytyping-boundary": 1}', "no programs"),
        ('{"arraytyping-boundary": 1, "programs": {"a.py": {}}}', "changed by hand: a program has no calls"),
        ('{"arraytyping-boundary": 1, "programs": {"a.py": {"calls": {}}}}', "no list of arguments"),
        (
            '{"arraytyping-boundary": 1, "programs": {"a.py": {"calls": {"a.py": {"f": {"g()": "float32[3]"}}}}}}',
            r"a.py: g\(\) in f: 'float32\[3\]' is no array such as 'numpy.float32\[n, 28\]', and no type",
        ),
        (
            '{"arraytyping-boundary": 1, "programs": {"a.py": {"arguments": [], "calls": {}, "sizes": {"n": 3}}}}',
            "the size n is not said to begin at a call",
        ),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(text)
    with pytest.raises(BoundaryError, match=why) as error:
        read_recordings(tmp_path / NAME)
    assert "\n" not in str(error.value)


# ---------------------------------------------------------------------- what a run shows

LIBRARY = """
import dataclasses
from typing import NamedTuple
import numpy as np

class Pair(NamedTuple):
    x: object
    n: int

@dataclasses.dataclass(frozen=True)
class State:
    x: object

held = {"x": np.ones(3)}
def fresh(n): return {"x": np.ones((n, 2), np.float32), "y": [np.zeros(n)], "z": None}
def mixed(n): return {"own": [1, 2], "held": held}
def loader():
    for n in (4, 4, 2):
        yield np.ones((n, 3), np.float32), n
"""
READER = """
import outside
from outside import held, fresh, mixed, loader
a = fresh(3)
b = outside.mixed(1)
c = outside.Pair(1.5, 2)
d = outside.State(outside.np.float32(3))
f = outside.held
for x, n in loader():
    print(x.sum(), n)
ys = [x * 2 for x, n in loader() if n > 2]
def g(first, *rest, last=None):
    'What it does.'
    return first
g(ys[0], 1)
print(g.__doc__, len(ys), [y.sum() for y in ys])
"""


def written(directory: Path, **texts: str) -> Path:
    """A directory with these modules."""
    directory.mkdir(exist_ok=True)
    for name, text in texts.items():
        (directory / f"{name}.py").write_text(text)
    return directory


def test_what_a_run_shows_is_kept_and_the_run_is_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = written(tmp_path / "elsewhere", outside=LIBRARY)
    program = written(tmp_path / "own", reader=READER) / "reader.py"
    monkeypatch.syspath_prepend(str(outside))
    recorder = BoundaryRecorder(program.parent)
    with redirect_stdout(StringIO()) as printed:
        run = run_program(program, recorder=recorder)
    sys.modules.pop("outside")
    assert run.exception is None
    plain = subprocess.run(
        [sys.executable, program], env={**os.environ, "PYTHONPATH": str(outside)}, capture_output=True, text=True
    )
    assert printed.getvalue() == plain.stdout
    found = {s.text: to_json(e) for s, e in recorder.observed.recording([]).entries.items() if s.file == "reader.py"}
    assert found["fresh(3)"] == {"dict": {"x": "numpy.float32[3, 2]", "y": {"each": "numpy.float64[3]"}, "z": "None"}}
    assert found["outside.mixed(1)"] == {"dict": {"own": {"each": "int"}, "held": "object dict"}}
    assert found["outside.Pair(1.5, 2)"] == {"class": "outside.Pair", "fields": {"x": "float", "n": "int"}}
    assert found["outside.State(outside.np.float32(3))"] == {
        "class": "outside.State",
        "fields": {"x": "numpy.float32[] scalar"},
    }
    assert "outside.held" not in found  # others hold it, and may change it
    assert found["for (x, n) in loader()"]["tuple"][1] == "int"
    assert found["parameter first"] == "numpy.float32[4, 3]"


# ---------------------------------------------------------------------- from the command to the facts

DATA = """
_numpy = __import__("numpy")
class Tensor:
    def __init__(self, array): self._array = array
    def numpy(self): return self._array
class Loader:
    def __init__(self, n): self.n = n
    def __iter__(self):
        for size in (4, 4, self.n):
            yield Tensor(_numpy.ones((size, 3), "float32")), Tensor(_numpy.zeros(size, "int32"))
"""
TRAIN = """
import sys
import jax
import jax.numpy as jnp
import numpy as np
from data import Loader

@jax.jit
def step(w, x, y):
    e = x @ w - y[:, None]
    return w - 0.1 * x.T @ e, e.mean()

def main():
    images = np.load("images.npy")
    print(jnp.asarray(images).mean(axis=0).shape)
    w = jnp.zeros((3, 2))
    for epoch in range(2):
        for x, y in Loader(len(sys.argv) + 1):
            x = jnp.asarray(x.numpy())
            y = jnp.asarray(y.numpy())
            w, loss = step(w, x, y)
            twice = jnp.concatenate([x, x])
    print(w.shape, loss.shape, twice.shape)
    if len(sys.argv) > 2:
        raise OSError("the data ends here")

main()
"""


def command(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a directory."""
    environ = {**os.environ, "PYTHONPATH": str(directory / "site-packages"), "JAX_ENABLE_X64": "0"}
    return subprocess.run(
        [sys.executable, "-P", "-m", "arraytyping", *arguments],
        cwd=directory,
        env=environ,
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that was recorded; its data is gone."""
    directory = written(tmp_path_factory.mktemp("project"), train=TRAIN)
    (directory / "site-packages").mkdir()
    written(directory / "site-packages", data=DATA)
    np.save(directory / "images.npy", np.zeros((10, 28, 28), np.uint8))
    done = command(directory, "record", "train.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "(28, 28)\n(3, 2) () (4, 3)\n"
    (directory / "observed.txt").write_text(done.stderr)
    return directory


def followed(directory: Path, text: str | None = None, arguments: Sequence[str] = ()) -> Analysis:
    """What flow says of the recorded program in this process, or of a changed one."""
    program = directory / "train.py"
    program.write_text(TRAIN if text is None else text)
    return analyze([program], Settings(recording=directory / NAME), root=directory, arguments=tuple(arguments))


def test_the_recording_is_small_and_has_what_flow_cannot_know(project: Path) -> None:
    data = json.loads((project / NAME).read_text())["programs"]["train.py"]
    assert data["arguments"] == ["none"]
    assert data["calls"] == {
        "train.py": {
            "main": {
                "np.load('images.npy')": "numpy.uint8[10, 28, 28]",
                "x.numpy()": "numpy.float32[n, 3]",
                "y.numpy()": "numpy.int32[n]",
            }
        }
    }
    assert data["sizes"] == {"n": ["train.py", "main", "x.numpy()"]}
    assert "arraytyping-boundary.json has 3 calls of train.py" in (project / "observed.txt").read_text()


def test_with_the_recording_flow_knows_what_comes_and_nothing_else(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = followed(project)
    assert not found.diagnostics
    assert "3 calls are known as recorded" in found.remarks
    monkeypatch.syspath_prepend(str(project / "site-packages"))
    monkeypatch.chdir(project)
    with redirect_stdout(StringIO()):
        run = run_program(project / "train.py")
    sys.modules.pop("data")
    assert run.exception is None
    claims = type(found.claims)({"train.py": next(iter(found.claims.files.values()))})
    audit = compare(claims, run.observations, project)
    assert not audit.wrong
    counts = audit.files["train.py"]
    assert counts.arrays >= 20
    assert counts.dtype_known == counts.arrays


def test_a_mistake_that_rests_on_the_recording_is_found_and_says_so(project: Path) -> None:
    found = followed(project, TRAIN.replace("print(jnp.asarray(images)", "print(jnp.add(images, jnp.ones(27))"))
    (mistake,) = found.diagnostics
    assert mistake.is_certain
    assert "recorded" in (mistake.note or "")


def test_a_changed_call_is_stale_and_a_moved_one_is_not(project: Path) -> None:
    assert not any("stale" in r for r in followed(project, f"# moved\n\n{TRAIN}").remarks)
    changed = followed(project, TRAIN.replace('"images.npy"', '"others.npy"'))
    assert [r for r in changed.remarks if "stale" in r] == [
        f"{_shown(project)} is stale: train.py: np.load('images.npy') in main is not in the program any more: "
        "record it again"
    ]


def test_a_recording_that_contradicts_what_flow_knows_is_reported_and_flow_is_believed(project: Path) -> None:
    known = TRAIN.replace("import numpy as np", "class np:\n    load = staticmethod(lambda name: jnp.zeros((3, 4)))")
    found = followed(project, known)
    (remark,) = [r for r in found.remarks if "contradicts" in r]
    assert "np.load('images.npy') in main gave numpy.uint8[10, 28, 28] as recorded, and is float32[3, 4]" in remark


def test_with_other_arguments_nothing_is_known_of_sizes(project: Path) -> None:
    found = followed(project, arguments=["a"])
    assert any("was recorded with other arguments" in r for r in found.remarks)
    claims = [c for e in next(iter(found.claims.files.values())).expressions for c in e.claims]
    assert any(c.dtype == "uint8" and c.shape == (None, None, None) for c in claims)
    assert not any(c.shape and 10 in c.shape for c in claims)


@pytest.mark.parametrize(("text", "why"), [("{", "is no JSON"), ('{"arraytyping-boundary": 9}', "has version 9")])
def test_a_bad_file_is_a_note_and_no_fact(text: str, why: str, project: Path) -> None:
    kept = (project / NAME).read_text()
    try:
        (project / NAME).write_text(text)
        found = followed(project)
    finally:
        (project / NAME).write_text(kept)
    assert len([r for r in found.remarks if why in r]) == 1
    assert not found.recorded


def test_a_program_that_raises_adds_what_was_seen_until_then(project: Path) -> None:
    followed(project)  # the text as it was
    done = command(project, "record", "train.py", "x", "y")
    assert done.returncode == 1
    assert "OSError: the data ends here" in done.stderr
    assert "arraytyping: note: train.py raised OSError: what was seen until then is added to" in done.stderr
    data = json.loads((project / NAME).read_text())["programs"]["train.py"]
    assert data["arguments"] == ["none"]
    assert data["calls"]["train.py"]["main"]["x.numpy()"] == "numpy.float32[n, 3]"


def _shown(directory: Path) -> str:
    relative = os.path.relpath(directory / NAME)
    return str(directory / NAME) if relative.startswith(os.pardir) else relative
