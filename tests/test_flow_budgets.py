"""What flow says does not depend on how fast the machine is: work is counted, and seconds only end an entry point."""

from __future__ import annotations

import itertools
import re
import time
from pathlib import Path

import pytest
from flow_values import PATH

from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.start.program import Result, interpret
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.settings import Settings

_FLOW = Path(__file__).parents[1] / "src/arraytyping/checker/flow"

LOOPS = """
import jax.numpy as jnp
x = jnp.ones(3)
n = 0
for i in range(9):
    x = jnp.concatenate([x, x[:1]])
    n += 1
while n < 30:
    n += 2
y = [jnp.ones(k) for k in range(4)]
"""

TESTS = """
import jax.numpy as jnp
def test_long():
    for i in range(60):
        for j in range(8):
            jnp.ones(i + j + 1).sum()
def test_wrong():
    jnp.ones(3) + jnp.ones(4)
"""


def _found(source: str, limits: Limits | None = None) -> Result:
    return interpret(PATH, source=source, limits=limits)


def test_a_slow_machine_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = _found(LOOPS)
    seconds = itertools.count(0, 30)
    monkeypatch.setattr(time, "process_time", lambda: float(next(seconds)))
    limits = Limits()
    limits.seconds = 1e9
    slow = _found(LOOPS, limits)
    assert slow.claims == quick.claims
    variables = slow.interpreter.importer.modules["__main__"].frame.variables
    assert variables["n"] == 31
    assert variables["x"].aval.shape == (12,)


def test_a_loop_is_widened_by_the_work_that_it_was() -> None:
    source = "import jax.numpy as jnp\nx = jnp.ones(3)\nfor i in range(60):\n    x = jnp.fft.fft(jnp.ones(i + 1))\n"
    limits = Limits()
    limits.loop_work = 1000
    bounded, free = _found(source, limits), _found(source)
    assert free.interpreter.importer.modules["__main__"].frame.variables["x"].aval.shape == (60,)
    assert bounded.interpreter.importer.modules["__main__"].frame.variables["x"].aval.shape != (60,)
    assert bounded.interpreter.work < free.interpreter.work
    again = _found(source, limits)  # of which all is known already
    assert again.interpreter.work == bounded.interpreter.work
    assert again.claims == bounded.claims


def test_a_test_ends_by_the_work_that_it_was(tmp_path: Path) -> None:
    file = tmp_path / "test_both.py"
    file.write_text(TESTS)
    limits = Limits()
    limits.test_work, limits.spare_work = 100, 0
    found = analyze([file], Settings(), limits=limits)
    assert [m.line for m in found.diagnostics] == [8]
    assert not found.is_complete
    assert analyze([file], Settings()).is_complete


def test_a_test_may_use_what_the_others_of_its_file_leave(tmp_path: Path) -> None:
    file = tmp_path / "test_both.py"
    limits = Limits()
    limits.test_work, limits.spare_work = 100, 2_000
    for count, is_complete in ((1, True), (9, False)):
        file.write_text(TESTS + "".join(TESTS.replace("test_", f"test_{i}_") for i in range(count - 1)))
        assert analyze([file], Settings(), limits=limits).is_complete is is_complete


def test_only_the_ends_of_entry_points_look_at_the_clock() -> None:
    """The machine's clock is read where the time of an entry point is set and checked, or told."""
    readers = {
        file.relative_to(_FLOW).as_posix()
        for file in _FLOW.rglob("*.py")
        if re.search(r"\btime\.(process_time|monotonic|perf_counter|time)\(\)", file.read_text())
    }
    allowed = {"state/interpreter.py", "start/program.py", "start/starting.py", "start/running_tests.py"}
    allowed |= {"report/analysis.py", "report/child.py"}
    allowed |= {"report/cache.py"}  # which compares it with the ages of files
    allowed |= {"report/workers.py", "confinement/limits.py"}  # which end an entry point
    allowed |= {"report/serving.py"}  # which lets a process that is given up end by itself
    allowed |= {"report/warm_line.py", "report/warm_process.py"}  # which decide what is worth keeping
    assert readers <= allowed


def test_a_recursion_that_is_undecided_is_not_followed_for_ever() -> None:
    source = """
import unknown
def interleavings(target, a, b):
    found = []
    def solve(t, i, j, path):
        if len(found) > 1:
            return
        if t == len(target):
            if i == len(a) and j == len(b):
                found.append(list(path))
            return
        if i < len(a) and target[t] == a[i]:
            path.append("a")
            solve(t + 1, i + 1, j, path)
            path.pop()
        if j < len(b) and target[t] == b[j]:
            path.append("b")
            solve(t + 1, i, j + 1, path)
            path.pop()
    solve(0, 0, 0, [])
    return found
a = interleavings(unknown.target, unknown.a, unknown.b)
b = interleavings((2, 3), (2,), (3,))
"""
    found = _found(source)
    variables = found.interpreter.importer.modules["__main__"].frame.variables
    assert found.interpreter.work < 100_000
    assert variables["a"].items is None
    assert [one.items for one in variables["b"].items] == [["a", "b"]]


def test_a_generator_that_goes_through_itself_undecided_comes_to_an_end() -> None:
    source = """
import unknown
class Tree: pass
def rows(path, obj, level):
    if isinstance(obj, Tree):
        below = {}
        for name, value in unknown.items(obj):
            if unknown.is_part(value):
                below[name] = value
        yield [obj, path, [k for k in below]]
        if level != 0:
            for name, value in below.items():
                if unknown.is_wanted(name):
                    yield from rows(path + (name,), value, level - 1)
def nested(obj):
    if isinstance(obj, list):
        for one in obj:
            yield from nested(one)
    else:
        yield obj
a = list(rows((), unknown.tree, -1))
b = list(nested([1, [2, [3, [4]]]]))
"""
    found = _found(source)
    variables = found.interpreter.importer.modules["__main__"].frame.variables
    assert found.interpreter.work < 5_000
    assert variables["a"].items is None
    assert variables["b"].items == [1, 2, 3, 4]


def test_several_values_that_a_flattening_makes_are_not_asked_for_again_and_again() -> None:
    source = """
import jax, jax.numpy as jnp
import unknown
@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b
    @property
    def either(self):
        return self.b if unknown.is_wanted() else None
    def tree_flatten(self):
        return (self.a, self.either), None
    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)
p = Pair(jnp.ones(3), jnp.ones(2))
x = jax.lax.fori_loop(0, 3, lambda i, p: p, p)
y = jax.vmap(lambda p, w: w * 2)(p, jnp.ones(3))
"""
    found = _found(source)
    assert found.diagnostics == []
    assert found.interpreter.work < 5_000
