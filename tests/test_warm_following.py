"""Programs that are followed again after each edit by processes that stay: these find what a new process finds."""

from __future__ import annotations

import ast
import base64
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import forked_commands
import pytest

from arraytyping.checker.flow.report.child import command_of
from arraytyping.checker.flow.report.reporting import request_for
from arraytyping.checker.flow.sources.unread_code import (
    Body,
    Code,
    differing_lines,
    is_same_program,
    starts_at,
    watched,
)

PROGRAM = """\
import jax
import jax.numpy as jnp

SIZE = 4


@jax.jit
def layer(w, x):
    return jnp.tanh(x @ w)


class Model:
    def __init__(self, n):
        self.w = jnp.ones((n, 2))

    def __call__(self, x):
        if x.ndim == 1:
            x = x[None]
        return layer(self.w, x)


def unused(x: int):
    return jnp.ones(x)


def train(model):
    total = jnp.zeros(2)
    for step in range(3):
        total = total + model(jnp.ones((step + 1, SIZE))).sum(0)
    return total


model = Model(SIZE)
total = train(model)
print(total)
try:
    total = total @ jnp.ones(3)
except TypeError:
    pass
"""
OTHER = """\
import jax.numpy as jnp


def made(n):
    return jnp.ones((n, 3))


TABLE = made(5)
"""
MAIN = """\
import jax.numpy as jnp
import other
from other import made

x = made(4) @ jnp.ones((3, 2))
y = other.TABLE.sum(axis=0)
z = x + jnp.ones((4, 1))
"""


class Engine:
    """The process that the language server asks."""

    def __init__(self, before: str = "") -> None:
        command = command_of("arraytyping.checker.flow.report.engine", None)
        command[-1] = before + command[-1]
        self.process = forked_commands.talking(command, {**os.environ, "JAX_PLATFORMS": "cpu"})
        self.number = 0
        self.seconds: float | None = None
        self.early: list[dict[str, Any]] = []
        """What was told of the edited part before the last answer."""
        self.foretold = 0
        """How much of all that was found was told before."""
        assert json.loads(self.process.stdout.readline()) == {"is_ready": True}

    def ask(self, kind: str, path: Path, text: str | None) -> dict[str, Any]:
        """What is found of a program with a text in the place of that of the file."""
        self.number += 1
        contents = {} if text is None else {str(path): base64.b64encode(text.encode()).decode()}
        request = {**request_for([path], uses_cache=False), "contents": contents, "progress": None}
        request["seconds"] = self.seconds
        question = {"id": self.number, "kind": kind, "folder": str(path.parent), "request": request}
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        self.process.stdin.flush()
        self.early = []
        answer = json.loads(self.process.stdout.readline())
        while answer["id"] < self.number or "early" in answer:  # to what was asked before
            self.early += [answer["early"]] if answer["id"] == self.number else []
            answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == self.number
        assert "report" in answer, answer
        return dict(answer["report"])

    def ask_within(self, path: Path, text: str, seconds: float) -> dict[str, Any]:
        """What is found of a text for which so much processor time may be used."""
        self.seconds = seconds
        try:
            return self.ask("follow", path, text)
        finally:
            self.seconds = None

    def begin(self, path: Path, text: str) -> None:
        """Ask what is found, and do not wait for it."""
        self.number += 1
        contents = {str(path): base64.b64encode(text.encode()).decode()}
        request = {**request_for([path], uses_cache=False), "contents": contents, "progress": None}
        question = {"id": self.number, "kind": "follow", "folder": str(path.parent), "request": request}
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        self.process.stdin.flush()

    def cancel(self) -> None:
        """No longer wait for the last answer."""
        question = {"id": self.number, "kind": "follow", "request": None}
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        self.process.stdin.flush()

    def agrees(self, path: Path, text: str | None) -> dict[str, Any]:
        """What is found, by the processes that stay and by a new one alike."""
        followed = self.ask("follow", path, text)
        self.foretold += _foretold(self.early, followed)
        warm, cold = _compared(followed), _compared(self.ask("look", path, text))
        assert warm == cold, f"{path.name}:\n{text}"
        return cold

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()


def _foretold(early: list[dict[str, Any]], report: dict[str, Any]) -> int:
    """How many expressions were told of before; all that was said of these is said of them in the end, too."""
    found = {
        (os.path.realpath(path), e["line"], e["column"], e["end_line"], e["end_column"]): e["claims"]
        for path, file in report["claims"]["files"].items()
        for e in file["expressions"]
    }
    told = 0
    for part in (p for p in early if any(p["path"] == path for path, *_ in found)):  # others were not asked about
        for e in part["claims"]["expressions"]:
            assert part["first"] <= e["line"] <= part["last"]
            at = found[part["path"], e["line"], e["column"], e["end_line"], e["end_column"]]
            assert all(claim in at for claim in e["claims"]), (e, at)
            told += 1
    return told


def _compared(report: dict[str, Any]) -> dict[str, Any]:
    """A report without times, and without the exceptions that were caught, which only the first question brings about.

    As text, the order counts.
    """
    left = {**report, "entry_points": [(name, done) for name, _, done in report["entry_points"]], "swallowed": None}
    return {key: json.dumps(value) for key, value in left.items()}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    found = Engine()
    yield found
    found.end()


def _typed(text: str, place: int, line: str, step: int) -> Iterator[str]:
    """The texts that parse while a line is typed before another one."""
    lines = text.split("\n")
    indentation = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
    for end in [*range(1, len(line), step), len(line)]:
        typed = "\n".join([*lines[:place], indentation + line[:end], *lines[place:]])
        if _parses(typed):
            yield typed


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


LINES = (
    "probe = jnp.ones((3, 4)) @ jnp.ones((4, 5))",
    "wrong = jnp.ones((3, 4)) @ jnp.ones((5, 4))",
    "SIZE = 5",
    "return None",
    "# a comment",
    "raise ValueError",
    "assert False",
    "def train(model): return model(jnp.ones((2, SIZE)))",
    "jnp.sin(jnp.ones(3))",
    "import jax.numpy as jnp",
    "%% a cell",
)


def _edits(text: str, rng: random.Random) -> Iterator[str]:
    lines = text.split("\n")
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.choice(("type", "type", "type", "remove", "number", "exchange", "empty", "comment"))
    if kind == "type":
        yield from _typed(text, place, rng.choice(LINES), rng.choice((5, 9, 40)))
    elif kind == "remove":
        yield "\n".join([*lines[:place], *lines[place + 1 :]])
    elif kind == "number":
        digits = [i for i, c in enumerate(text) if c.isdigit()]
        if digits:
            at = rng.choice(digits)
            yield text[:at] + rng.choice("12345") + text[at + 1 :]
    elif kind == "exchange":
        lines[place], lines[other] = lines[other], lines[place]
        yield "\n".join(lines)
    elif kind == "empty":
        yield "\n".join([*lines[:place], "", *lines[place:]])
    else:
        yield "\n".join([*lines[:place], lines[place] + "  # so", *lines[place + 1 :]])


@pytest.mark.parametrize("seed", range(2))
def test_edits_at_random_give_what_a_new_process_gives(
    engine: Engine, tmp_path: Path, seed: int, request: pytest.FixtureRequest
) -> None:
    """Claims, mistakes and all else, in the same order."""
    rng = random.Random(seed)
    path = tmp_path / "program.py"
    most = 400 if request.config.getoption("--thorough") else 40
    text, done = PROGRAM, 0
    path.write_text(PROGRAM)
    engine.agrees(path, text)
    while done < most:
        for edited in _edits(text, rng):
            if _parses(edited):
                engine.agrees(path, edited)
                text, done = edited, done + 1
        if rng.random() < 0.2:
            text = PROGRAM
    assert engine.foretold > most // 4  # how many there are hangs on which of the processes that wait are at hand


LONG = """\
import jax.numpy as jnp


def layer(w, x):
    y = x @ w
    return y + 1


def train():
    w = jnp.ones((4, 2))
    for step in range(40):
        layer(w, jnp.ones((step + 1, 4)))
    return w


train()
"""


def test_what_is_edited_is_told_before_all_is_known(engine: Engine, tmp_path: Path) -> None:
    """First what the statement gives, then what the whole function does, as they are called for the first time."""
    path = tmp_path / "program.py"
    engine.ask("follow", path, LONG)
    assert engine.early == []  # nothing is edited
    edited = LONG.replace("y = x @ w", "y = x @ w * 2")
    report = engine.ask("follow", path, edited)
    parts = [(part["first"], part["last"], _told(part)) for part in engine.early]
    assert parts == [(4, 5, {5: [[1, 2]]}), (4, 6, {5: [[1, 2]], 6: [[1, 2]]})]
    assert _foretold(engine.early, report) > 5
    assert len(report["claims"]["files"][str(path)]["expressions"]) > 5
    engine.ask("follow", path, edited.replace("(4, 2))", "(4, 3))"))
    assert [(part["first"], part["last"]) for part in engine.early] == [(9, 10), (9, 13)]
    engine.ask("follow", path, edited.replace("\n\ntrain()", "\n\nresult = train()"))
    assert [(part["first"], part["last"]) for part in engine.early] == [(16, 16)]


def _told(part: dict[str, Any]) -> dict[int, list[Any]]:
    """By line the shapes of its first expression."""
    found: dict[int, list[Any]] = {}
    for e in part["claims"]["expressions"]:
        found.setdefault(e["line"], [claim["shape"] for claim in e["claims"]])
    return found


def test_a_file_that_is_imported_changes_on_the_disk(engine: Engine, tmp_path: Path) -> None:
    """Also while what imports it is edited behind where it was read."""
    main, other = tmp_path / "main.py", tmp_path / "other.py"
    main.write_text(MAIN)
    other.write_text(OTHER)
    assert engine.agrees(main, MAIN)["diagnostics"] == "[]"
    for text in _typed(MAIN, MAIN.count("\n"), "last = x.sum()", 4):
        engine.agrees(main, text)
    other.write_text(OTHER.replace("(n, 3)", "(n, 4)"))
    assert "array-shape" in engine.agrees(main, MAIN + "last = x\n")["diagnostics"]
    assert "array-shape" in engine.agrees(main, MAIN + "last = x.T\n")["diagnostics"]
    other.write_text(OTHER)
    assert engine.agrees(main, MAIN + "last = x.T\n")["diagnostics"] == "[]"
    other.unlink()
    engine.agrees(main, MAIN + "last = x.T\n")
    engine.agrees(main, MAIN + "last = x.sum()\n")
    other.write_text(OTHER)
    engine.agrees(main, MAIN + "last = x.sum()\n")


READS = """\
import json
import jax.numpy as jnp
import made_by_us

size = json.load(open("size.json"))["n"]
x = jnp.ones(size)
"""


def test_a_file_that_was_not_there_is_noticed(engine: Engine, tmp_path: Path) -> None:
    """A configuration that the program reads, a stand-in, and the settings of the project."""
    path = tmp_path / "program.py"
    path.write_text(READS)
    assert '"shape": [8]' not in engine.agrees(path, READS)["claims"]
    for text in _typed(READS, READS.count("\n"), "y = x.sum()", 4):
        engine.agrees(path, text)
    (tmp_path / "size.json").write_text('{"n": 8}')
    assert '"shape": [8]' in engine.agrees(path, text)["claims"]
    assert '"shape": [8]' in engine.agrees(path, READS + "y = x.T\n")["claims"]
    (tmp_path / "size.json").unlink()
    assert '"shape": [8]' not in engine.agrees(path, READS + "y = x.T\n")["claims"]
    (tmp_path / "stand_ins").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.arraytyping]\nx64 = true\nstand-ins = ["stand_ins"]\n')
    made = READS + "y = made_by_us.array()\n"
    assert '"shape": [7]' not in engine.agrees(path, made)["claims"]
    (tmp_path / "stand_ins" / "made_by_us.py").write_text(
        "import jax.numpy as jnp\n\n\ndef array():\n    return jnp.ones(7)\n"
    )
    assert '"shape": [7]' in engine.agrees(path, made)["claims"]


def test_what_is_typed_at_the_end_follows_only_that(engine: Engine, tmp_path: Path) -> None:
    """The processor time of each key is a small part of that of the whole program."""
    slow = "import jax.numpy as jnp\nx = jnp.ones(3)\n"
    slow += "".join(f"for i{n} in range(60):\n    x = x + jnp.ones((i{n} + 1, 3)).sum(0)\n" for n in range(40))
    path = tmp_path / "slow.py"
    path.write_text(slow)
    whole = engine.ask("look", path, slow)["entry_points"][0][1]
    times = []
    engine.ask("follow", path, slow)
    for text in _typed(slow, slow.count("\n"), "y = x @ jnp.ones((3, 4))", 3):
        began = _busy(engine.process.pid)
        engine.ask("follow", path, text)
        times.append(_busy(engine.process.pid) - began)
    assert len(times) > 3
    assert sorted(times)[len(times) // 2] < 0.5 * whole, (times, whole)


@pytest.mark.skipif(sys.platform != "linux", reason="nothing stays elsewhere")
def test_processes_stay_for_two_folders(tmp_path: Path) -> None:
    """Whoever goes from one folder to another and back finds what was followed there."""
    engine = Engine()
    paths = []
    for name in "abc":
        (tmp_path / name).mkdir()
        paths.append(tmp_path / name / "program.py")
        paths[-1].write_text(PROGRAM)
    a, b, c = paths
    try:
        engine.ask("follow", a, PROGRAM)
        (first,) = _children(engine.process.pid)
        engine.ask("follow", b, PROGRAM)
        (second,) = _children(engine.process.pid) - {first}
        engine.begin(b, PROGRAM.replace("range(3)", "range(4)"))  # which is given up
        report = engine.ask("follow", a, PROGRAM.replace("SIZE = 4", "SIZE = 5"))
        assert report["claims"]["files"]
        assert _children(engine.process.pid) == {first, second}
        engine.ask("follow", c, PROGRAM)  # the last one that was asked stays
        (third,) = _children(engine.process.pid) - {first}
        assert third != second
        engine.agrees(a, PROGRAM)
        engine.agrees(b, PROGRAM)
    finally:
        engine.end()


def _children(pid: int) -> set[int]:
    """The processes that were forked from one and have not ended."""
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


@pytest.mark.skipif(sys.platform != "linux", reason="nothing stays elsewhere")
@pytest.mark.parametrize("is_cancelled", [True, False])
def test_a_question_that_is_given_up_ends_nobody_who_waits(tmp_path: Path, is_cancelled: bool) -> None:
    """Be it cancelled, or another one asked while it is answered; the next answer is right."""
    slow = "import jax.numpy as jnp\nx = jnp.ones(3)\n"
    slow += "".join(f"for i{n} in range(60):\n    x = x + jnp.ones((i{n} + 1, 3)).sum(0)\n" for n in range(8))
    path = tmp_path / "slow.py"
    path.write_text(slow)
    engine = Engine()
    rng = random.Random(0)
    try:
        engine.agrees(path, slow)
        end = slow + "y = x @ jnp.ones((3, 4))\n"
        engine.agrees(path, end)
        engine.agrees(path, end + "z = y\n")
        waiting = _below(engine.process.pid)[:2]
        assert len(waiting) == 2, "the one that answers, and below it the one that has followed it all"
        for step in range(12):
            # An edit at the beginning: all has to be followed again.
            engine.begin(path, slow.replace("jnp.ones(3)", f"jnp.ones(3) * {step}"))
            time.sleep(rng.random() * 0.4)
            if is_cancelled:
                engine.cancel()
            engine.ask("follow", path, f"{end}z = y + {step}\n")
        assert _below(engine.process.pid)[:2] == waiting
        engine.agrees(path, end.replace("(3, 4)", "(4, 4)"))
    finally:
        engine.end()


def test_long_questions_that_are_given_up_do_not_stop_the_process(tmp_path: Path) -> None:
    """They are longer than what a pipe holds."""
    path = tmp_path / "long.py"
    text = "import jax.numpy as jnp\nx = jnp.ones(3)\n" + "# a line that says nothing\n" * 20_000
    path.write_text(text)
    engine = Engine()
    try:
        for step in range(20):
            engine.begin(path, f"{text}y = x + {step}\n")
        assert engine.ask("follow", path, text)["entry_points"]
    finally:
        engine.end()


def test_a_program_that_takes_too_long_is_known_in_part(engine: Engine, tmp_path: Path) -> None:
    """What was found before that is told, with why it ends there."""
    text = "import jax.numpy as jnp\nx = jnp.ones(3) + jnp.ones(4)\ny = jnp.ones(3)\n"
    text += "def f(n):\n    for i in range(60):\n        f(n - 1) if n else y.sum()\nf(9)\n"
    path = tmp_path / "long.py"
    path.write_text(text)
    report = engine.ask_within(path, text, 2.0)
    assert report["not_checked"] == [[str(path), "it needs more than 2 s of processor time"]]
    assert [m["line"] for m in report["diagnostics"]] == [2]


def _busy(pid: int) -> float:
    """The seconds of processor time of the processes below one, with those that have ended."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            ticks += sum(map(int, fields[11:15]))
            ticks += round(_busy(int(stat.parent.name)) * os.sysconf("SC_CLK_TCK"))
    return ticks / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="nothing stays elsewhere")
def test_processes_that_die_cost_only_their_time(tmp_path: Path) -> None:
    """Whoever follows ends in the middle, or all that wait do: a new process answers."""
    engine = Engine()
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    try:
        engine.agrees(path, PROGRAM)
        engine.agrees(path, PROGRAM + "x = 1\n")
        for pid in _below(engine.process.pid)[1:]:
            os.kill(pid, 9)
        time.sleep(0.2)
        engine.agrees(path, PROGRAM + "x = 2\n")
        engine.agrees(path, PROGRAM + "x = 3\n")
    finally:
        processes = _below(engine.process.pid)
        engine.end()
    assert processes
    ended = time.monotonic() + 10
    while any(map(_lives, processes)) and time.monotonic() < ended:
        time.sleep(0.05)
    assert not [pid for pid in processes if _lives(pid)]


def _below(pid: int) -> list[int]:
    """The processes below one, each behind its parent."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            inner = int(stat.parent.name)
            found += [inner, *_below(inner)]
    return found


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="nothing stays elsewhere")
@pytest.mark.parametrize("kernel_alone", [False, True])
def test_a_process_that_stays_reaches_nothing_outside(tmp_path: Path, kernel_alone: bool) -> None:
    """Nor does one that was forked from it."""
    actions = {
        "a file": "open('escaped', 'w')",
        "a removal": "os.remove('program.py')",
        "a socket": "import socket; socket.socket()",
        "a signal": "os.kill(1, 0)",
        "exec": "os.execv('/bin/touch', ['touch', 'escaped'])",
    }
    if not kernel_alone:
        actions["a fork"] = "os.fork() or os._exit(0)"
    before = (
        "import os\n"
        "from collections import Counter\n"
        "from arraytyping.checker.flow.report import warm_process\n"
        "from arraytyping.checker.flow.start.starting import Report\n"
        "import arraytyping.checker.flow.confinement as c\n"
        f"ACTIONS = {actions!r}\n"
        "def start(entry, *args):\n"
        "    refused = {}\n"
        "    for name, action in ACTIONS.items():\n"
        "        try:\n"
        "            exec(action, {'os': os})\n"
        "        except BaseException:\n"
        "            refused[name] = 1\n"
        "    return Report(entry=entry, unknowns=Counter(refused))\n"
        "warm_process.start = start\n"
    )
    if kernel_alone:
        before += "def install(answer, forks):\n    pass\nc.install = install\n"
    engine = Engine(before)
    path = tmp_path / "program.py"
    path.write_text("x = 1\nprint(x)\n")
    try:
        for text in ("x = 1\nprint(x)\n", "x = 2\nprint(x)\n"):
            assert set(engine.ask("follow", path, text)["unknowns"]) == set(actions)
    finally:
        engine.end()
    assert [p.name for p in tmp_path.iterdir()] == ["program.py"]


# ---------------------------------------------------------------------- what was read


def _code(text: str) -> Code:
    return watched(Path("program.py"), text, ast.parse(text))


def _becomes(code: Code, text: str) -> bool:
    tree = ast.parse(text)
    if not code.can_become(text, tree):
        return False
    code.become(text, tree)
    assert _shown(code.tree) == _shown(ast.parse(text))
    return True


def _shown(node: Any) -> Any:
    """All of a tree, without its being read."""
    if isinstance(node, list):
        return [_shown(inner) for inner in list.__iter__(node)]
    if not isinstance(node, ast.AST):
        return repr(node)
    return type(node), {name: _shown(getattr(node, name, None)) for name in (*node._fields, *node._attributes)}


def _read(body: list[ast.stmt], count: int) -> list[ast.stmt]:
    return [statement for _, statement in zip(range(count), body)]


def test_statements_that_nobody_has_read_are_replaced() -> None:
    code = _code("a = 1\nb = 2\nc = 3\n")
    first = _read(code.tree.body, 2)
    assert _becomes(code, "a = 1\nb = 2\nc = 4\nd = 5\n")
    assert code.tree.body[:2] == first


def test_statements_that_were_read_are_not() -> None:
    for read, text in (
        (1, "a = 2\nb = 2\n"),
        (2, "a = 1\nb = 3\n"),
        (1, "\na = 1\nb = 2\n"),
        (1, " a = 1"[1:] + ";c = 3\n"),
    ):
        code = _code("a = 1\nb = 2\n")
        _read(code.tree.body, read)
        assert _becomes(code, text) == (read == 1 and text.startswith("a = 1;")), text


def test_how_many_there_are_is_read_as_well() -> None:
    for read in (len, bool, list, reversed, lambda body: body[-1], lambda body: body[1:], lambda body: [*body]):
        code = _code("a = 1\nb = 2\n")
        read(code.tree.body)
        assert _becomes(code, "a = 1\nb = 2\nc = 3\n") == (read is bool), read


def test_the_text_of_a_function_that_was_not_called_is_not_read() -> None:
    text = "def f(x):\n    if x:\n        return 1\n    return 2\n\n\ny = 3\n"
    code = _code(text)
    _read(code.tree.body, 2)
    assert [*code.open_places(ast.parse(text.replace("return 2", "return 20")))] == [(1, 0)]
    assert _becomes(code, text.replace("return 2", "return 20"))
    assert not _becomes(code, text.replace("f(x)", "f(z)"))
    assert not _becomes(code, text.replace("y = 3", "y = 4"))
    function = code.tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    branch = function.body[0]
    assert not _becomes(code, text.replace("if x", "if z"))
    assert isinstance(branch, ast.If)
    assert _becomes(code, text.replace("return 1", "return 9").replace("return 2", "return 8"))
    assert [*branch.body]
    assert not _becomes(code, text)


def test_walking_a_tree_reads_all_of_it() -> None:
    code = _code(PROGRAM)
    for _ in ast.walk(code.tree):
        pass
    assert not _becomes(code, PROGRAM + "x = 1\n")
    assert not _becomes(code, PROGRAM.replace("jnp.tanh", "jnp.sinh"))
    assert _becomes(code, PROGRAM.replace("SIZE = 4", "SIZE = 4  # so many"))


def test_cells_are_known_by_comments() -> None:
    assert not _becomes(_code("a = 1\nb = 2\n"), "a = 1\nb = 2\n# %%\n")
    assert not is_same_program("a = 1\n", ast.parse("a = 1\n"), "a = 1\n# %%\n", ast.parse("a = 1\n"))


def test_programs_that_differ_in_comments_alone_are_the_same() -> None:
    def is_same(one: str, other: str) -> bool:
        return is_same_program(one, ast.parse(one), other, ast.parse(other))

    assert is_same("a = 1\nb = 2\n", "a = 1  # one\nb = 2\n")
    assert not is_same("a = 1\nb = 2\n", "a = 1\n\nb = 2\n")
    assert not is_same("a = 1\nb = -0.0\n", "a = 1\nb = 0.0\n")
    assert not is_same("a = 1\n", "a = True\n"[:6])
    assert not is_same("a = 1 \n", "a = 1.\n")
    assert not is_same("if a:\n    pass\n", "if a:\n    pass\nelse:\n    pass\n")
    assert not is_same("'''a'''\n", "'''b'''\n")


def test_where_a_difference_would_be_seen_first() -> None:
    text = "a = 1\n\n\ndef f(x):\n    y = x\n    return y\n\n\nb = 2\n"
    code = _code(text)
    body = code.tree.body
    assert isinstance(body, Body)
    function = body.statement(1)
    assert isinstance(function, ast.FunctionDef)
    assert isinstance(function.body, Body)
    assert [starts_at(body, 0, n) for n in (1, 2)] == [True, False]
    assert [starts_at(body, 1, n) for n in (1, 3, 4, 5, 6, 7)] == [True, True, True, False, False, False]
    assert [starts_at(function.body, 0, n) for n in (4, 5, 6)] == [True, True, False]
    assert [starts_at(function.body, 2, n) for n in (7, 20)] == [False, False]
    assert [starts_at(body, 3, n) for n in (9, 20)] == [True, True]
    assert differing_lines(text, text) is None
    assert differing_lines(text, text.replace("return y", "return 2")) == (6, 6)
    assert differing_lines(text, text + "c = 3\n") == (10, 10)
    assert differing_lines("a\x0cb\nc\n", "a\x0cb\nd\n") == (2, 2)
    assert differing_lines("a\nb\nc\n", "a\nx\ny\nc\n") == (2, 3)
    assert differing_lines("a\nb\nb\nc\n", "a\nb\nc\n") == (3, 3)
