"""What plain mypy says in a copy of the process is what it says in a process of its own, of the same modules."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from mypy_runs import Mypy, of_modules, shared_caches
from plain_both_ways import BOTH_WAYS

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no process can be copied")

ARRAYS = """import dataclasses, functools
from typing import Any, Callable, NamedTuple, Protocol, overload
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PyTree
@functools.partial(jax.jit, static_argnums=0)
def doubled(n: int, x: jax.Array) -> jax.Array:
    return n * x
a: int = jnp.zeros(3)
b: int = doubled(2, jnp.zeros(3))
c: str = jnp.float32
d: int = divmod(2, jnp.zeros(3))
e: int = jax.random.key(0)
f: int = jax.numpy.linalg.norm
jnp.zeros(3).shapes
jax.lax.scan(1)
@overload
def chosen(x: jax.Array) -> int: ...
@overload
def chosen(x: "jax.Array | float") -> str: ...
def chosen(x: Any) -> Any: ...
chosen(jnp.zeros(3)).upper()
chosen(1.0).bit_length()
def looped(x: Float[Array, "n"], y: "jax.Array | None", tree: PyTree[int]) -> list[int]:
    z = x
    for i in range(3):
        z = 1 if i else "a"
    y.shape
    tree.nothing
    return [x, *jnp.split(x, 2)]
class State(NamedTuple):
    x: jax.Array
    def changed(self) -> "State":
        return self._replace(y=1)
State(1, 2)
@jax.jit
def undefined(x):
    return nothing(x)
class Held(Protocol):
    x: jax.Array
held: Held = State(jnp.zeros(3))
jnp.zeros("3", dtype=7)
np.zeros(3).at[0]
for w in jnp.zeros(3):
    w: int = w
class Closed(jax.Array): ...
class Odd:
    def __eq__(self, other: "Odd") -> jax.Array: ...
"""


@pytest.fixture
def mypy(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Mypy:
    return Mypy(tmp_path, shared_caches(tmp_path_factory))


def asked(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith("asked both ways")]


STRICT = "".join(
    f"{name} = true\n" for name in (
        "check_untyped_defs", "disallow_any_generics", "disallow_untyped_defs", "warn_unused_ignores",
        "warn_return_any", "strict_equality", "disallow_subclassing_any", "no_implicit_reexport", "warn_unreachable",
    )
)  # fmt: skip


@pytest.mark.parametrize("settings", ["", STRICT], ids=["usual", "strict"])
def test_errors_of_arrays(mypy: Mypy, settings: str) -> None:
    program = ARRAYS + "unused = 1  # type: ignore\nimport missing  # type: ignore[import-not-found]\n"
    found = mypy.run(program, mypy_settings=of_modules(["program.py"], settings), before=BOTH_WAYS)
    (line,) = asked(found.output)
    assert line.endswith(" alike")
    assert int(line.split()[3]) >= 15


def test_a_package_whose_modules_import_each_other(mypy: Mypy) -> None:
    package = {
        "p/__init__.py": "from p.a import A\n",
        "p/a.py": "import jax\nimport p.b\nclass A:\n    x: jax.Array\n    def b(self) -> 'p.b.B': return 1\n",
        "p/b.py": "from p.a import A\nclass B(A):\n    y: int = 'a'\n    def z(self) -> int: return self.x\n",
        "p/c.py": "import jax.numpy as jnp\nfrom p import A\nfrom p.d import held\nA().x = held\nA().w\n",
        "p/d.py": "import jax.numpy as jnp\nheld = jnp.zeros(3)\nheld = 1\n",
        "p/e.py": "from p.missing import x\nn: str = 1\n",
    }
    found = mypy.run(package, check=["p"], before=BOTH_WAYS)
    lines = asked(found.output)
    assert lines
    assert all(line.endswith(" alike") for line in lines)


WAITING = {
    "first.py": "import json\njson.dumps(1)\nx: int = 'a'\n",
    "second.py": "import jax.numpy as jnp\nimport first\ny: int = jnp.zeros(3)\nfirst.z\n",
    "third.py": "from second import y\ny.upper()\n",
}
"""Modules of which the first is checked before the library of the second is taken out of mypy's cache."""
FOUND = [("first.py", 3), ("second.py", 3), ("second.py", 4), ("third.py", 2)]


def test_modules_whose_libraries_are_still_in_the_cache_are_left_for_later(mypy: Mypy) -> None:
    found = mypy.run(WAITING, before=BOTH_WAYS)
    assert "left for later: second third" in found.output
    assert asked(found.output) == ["asked both ways: 1 alike"]
    assert [(m.file, m.line) for m in found.errors()] == FOUND


def test_what_was_left_for_later_is_asked_of_a_copy_as_well(mypy: Mypy) -> None:
    no_process = """
from arraytyping_mypy import plain
def fails(*arguments):
    raise RuntimeError("another process is asked")
plain._run = fails
"""
    found = mypy.run({name: f"{text}# again\n" for name, text in WAITING.items()}, before=no_process)
    assert "another process" not in found.output
    assert [(m.file, m.line) for m in found.errors()] == FOUND


def test_what_mypy_refuses_in_an_annotation_of_a_library(mypy: Mypy) -> None:
    """Plain mypy takes `structure` for None after the loop, and does not go through what comes after it."""
    program = """
from typing import Callable
from jax.tree_util import tree_flatten, tree_unflatten
def parallel(function: Callable, given: dict):
    structure = None
    results = None
    for i in range(10):
        values, structure = tree_flatten(function(given))
        if results is None:
            results = tuple([value] for value in values)
        else:
            for j, value in enumerate(values):
                results[j].append(value)
    if structure is None:
        return None
    return tree_unflatten(structure, [sum(result) for result in results])
x: int = "a"
"""
    found = mypy.run(program, before=BOTH_WAYS)
    assert [m.code for m in found.errors()] == ["assignment"]
    assert all(line.endswith(" alike") for line in asked(found.output))


def test_modules_that_are_imported_silently(mypy: Mypy) -> None:
    files = {
        "silent.py": "import jax\nx: int = 'a'\ndef f(): return jax\n",
        "program.py": "import silent\nsilent.f()\nsilent.x.y\n",
    }
    found = mypy.run(
        files,
        mypy_settings=of_modules(["silent.py"], 'follow_imports = "silent"'),
        check=["program.py"],
        before=BOTH_WAYS,
    )
    assert asked(found.output) == ["asked both ways: 1 alike"]
    assert [(m.file, m.line) for m in found.errors()] == [("program.py", 3)]


def test_where_the_copy_fails_a_process_of_its_own_is_asked(mypy: Mypy) -> None:
    broken = """
from arraytyping_mypy import plain_program
def fails(*arguments):
    raise RuntimeError("broken")
plain_program._restart = fails
"""
    found = mypy.run("import jax.numpy as jnp\nz = jnp.ones(3)\nx: int = 'a'\ny: int = jnp.zeros(3)\n", before=broken)
    assert [m.code for m in found.errors()] == ["assignment", "assignment"]
    assert "broken" in found.output, "with the variable for those who look for mistakes in the plugin"


def test_what_is_large_is_left_to_a_process_with_a_cache(mypy: Mypy) -> None:
    bounded = "from arraytyping_mypy import plain\nplain._LITTLE = 0\n"
    files = {
        "large.py": "class C: ...\n" + "# line\n" * 1000,
        "program.py": "import large\nlarge.C()\nx: int = 'a'\n",
    }
    silent = of_modules(["large.py"], 'follow_imports = "silent"')
    first = mypy.run(files, mypy_settings=silent, before=bounded + BOTH_WAYS, check=["program.py"])
    assert "asked both ways: 1 None" in first.output, "nothing is found in the copy"
    assert [m.line for m in first.errors()] == [3]


WHAT_IS_CHECKED = """
import sys
from arraytyping_mypy import plain_program
_said = plain_program.PlainProgram.said
def said(self, name, line):
    found = _said(self, name, line)
    print("checked", name, line, "of functions", sorted(one.name for one in self._checked), file=sys.stderr)
    return found
plain_program.PlainProgram.said = said
"""
FUNCTIONS = """import jax.numpy as jnp
def silent(x):
    return x
def untouched(x: int) -> int:
    return silent(x)
class C:
    x = 1
    def method(self) -> int:
        return "a"
    def other(self) -> str:
        return untouched("a")
def wrong(n: int) -> int:
    y: int = jnp.zeros(n)
    return y
"""


def test_of_functions_those_are_checked_that_are_asked_about(mypy: Mypy) -> None:
    found = mypy.run(FUNCTIONS, before=WHAT_IS_CHECKED)
    said = [line for line in found.output.splitlines() if line.startswith("checked")]
    assert said[0] == "checked program 9 of functions ['method']"
    assert said[-1] == "checked program 13 of functions ['method', 'other', 'wrong']"
    assert [m.line for m in found.errors()] == [9, 11, 11, 13]


def test_of_a_line_in_no_function_no_function_is_checked(mypy: Mypy) -> None:
    found = mypy.run(
        "import jax\nz: int = jax.numpy.zeros(3)\ndef f() -> int:\n    return jax.x\n", before=WHAT_IS_CHECKED
    )
    said = [line for line in found.output.splitlines() if line.startswith("checked")]
    assert said == ["checked program 2 of functions []", "checked program 4 of functions ['f']"]
    assert [m.line for m in found.errors()] == [2, 4]


def test_of_functions_of_one_name_those_are_checked_that_are_asked_about(mypy: Mypy) -> None:
    program = """
import jax
if jax.device_count() > 1:
    def varied() -> int:
        return "a"
else:
    def varied() -> int:
        return jax.x
def untouched() -> int:
    return 1
"""
    found = mypy.run(program, before=WHAT_IS_CHECKED)
    said = [line for line in found.output.splitlines() if line.startswith("checked")]
    assert said == ["checked program 5 of functions ['varied']", "checked program 8 of functions ['varied', 'varied']"]
    assert [m.line for m in found.errors()] == [5, 8]


def test_modules_that_nothing_asked_about_imports_are_not_read(mypy: Mypy) -> None:
    files = {
        "beside.py": "import jax\nw: int = jax.numpy.zeros(3).shape[0]\n",
        "imported.py": "import jax\nclass D: ...\n",
        "program.py": "import beside, imported\ndef f() -> int:\n    return imported.D()\n",
        "second.py": "import imported\nv: imported.D = 1\n",
    }
    read = """
import sys
from arraytyping_mypy import plain_program
_read = plain_program.PlainProgram._read
def read(self, name):
    new = _read(self, name)
    print("read for", name, sorted(new), file=sys.stderr)
    return new
plain_program.PlainProgram._read = read
"""
    found = mypy.run(files, before=read, check=["second.py", "beside.py"])
    assert "read for second ['imported', 'second']" in found.output
    assert "'beside'" not in found.output


def test_a_copy_ends_with_the_process_that_it_was_made_of(mypy: Mypy) -> None:
    noted = """
import os, sys
from arraytyping_mypy import plain_fork
_init = plain_fork.PlainCopy.__init__
def init(self, *arguments):
    _init(self, *arguments)
    print("made", self._child, file=sys.stderr)
plain_fork.PlainCopy.__init__ = init
"""
    found = mypy.run(FUNCTIONS, before=noted)
    (child,) = [int(line.split()[1]) for line in found.output.splitlines() if line.startswith("made")]
    for _ in range(100):
        if not _is_alive(child):
            break
        time.sleep(0.1)
    assert not _is_alive(child)


def test_a_copy_can_be_let_go_though_a_later_one_lives(mypy: Mypy) -> None:
    both = """
import os, signal, sys
from arraytyping_mypy import plain_fork
_init, copies = plain_fork.PlainCopy.__init__, []
def init(self, *arguments):
    _init(self, *arguments)
    copies.append(self)
    if len(copies) == 2:
        signal.signal(signal.SIGALRM, lambda *_: os._exit(7))
        signal.alarm(30)
        copies[0].end()
        signal.alarm(0)
        print("the first has ended", file=sys.stderr)
plain_fork.PlainCopy.__init__ = init
"""
    found = mypy.run({name: f"{text}# and again\n" for name, text in WAITING.items()}, before=both)
    assert "the first has ended" in found.output
    assert [(m.file, m.line) for m in found.errors()] == FOUND


def _is_alive(process: int) -> bool:
    status = Path(f"/proc/{process}/stat")
    if not status.parent.parent.joinpath("self").exists():
        pytest.skip("it is not told of processes here")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"
