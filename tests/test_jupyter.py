"""`%load_ext arraytyping`: cells are checked before they run, with what the session's variables are."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from arraytyping.checker.jupyter import extension as extension_module
from arraytyping.checker.jupyter.extension import ArrayTyping
from arraytyping.checker.jupyter.session import Session

# What a program says of variables, without an engine


def prelude(cell: str, **variables: Any) -> list[str]:
    program = Session().program(1, cell, variables, Path("/nowhere"))
    assert program is not None
    return program.text.split("\n")[: program.first]


class Unlooked:
    """Whatever is asked of it raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (jnp.ones((3, 4), jnp.bfloat16), "facts.array('bfloat16', (3, 4))"),
        (jnp.asarray(1.0), "facts.array('float32', (), weak_type=True)"),
        (jax.random.key(0), "wrap_key_data(_arraytyping_facts.array('uint32', (2,)), impl='threefry2x32')"),
        (np.ones(3), "facts.numpy_array('float64', (3,))"),
        (np.ones(3).view(">f8"), "facts.unknown('an object of ndarray')"),
        (np.float32(2), "_arraytyping_numpy.float32(2.0)"),
        (np.array(["a"]), "facts.unknown('an object of ndarray')"),
        (np.random.default_rng(0), "facts.unknown('an object of Generator')"),
        (2, "x = 2"),
        (float("inf"), "x = float('inf')"),
        ("a" * 1000, "facts.text()"),
        ({"a": [1, (2.0, None)]}, "{'a': _arraytyping_"),
        ({object(): 1}, "facts.unknown('an object of dict')"),
        (jax, "import jax as _arraytyping_in_jax"),
        (jnp.tanh, "_arraytyping_in_jax_numpy.tanh"),
    ],
)
def test_what_is_said_of_a_variable(value: Any, text: str) -> None:
    assert text in "\n".join(prelude("x", x=value))


def test_an_object_is_not_asked() -> None:
    assert "facts.unknown('an object of Unlooked')" in "\n".join(prelude("x", x=Unlooked()))


def test_only_what_a_cell_may_ask_for_is_described() -> None:
    said = "\n".join(prelude("y = x + 1", x=1, z=2))
    assert "x = 1" in said
    assert "z = 2" not in said
    assert "z = 2" in "\n".join(prelude("eval('z')", z=2))


def test_objects_keep_their_identity_and_cycles_end() -> None:
    inner: list[Any] = [1]
    inner.append(inner)
    lines = prelude("a, b", a=[inner, inner], b=inner)
    assert sum(line.endswith("= [1, _arraytyping_0]") for line in lines) <= 1
    made = next(line for line in lines if line.startswith("b = ")).removeprefix("b = ")
    assert f"[{made}, {made}]" in "\n".join(lines)


def test_a_module_whose_file_has_changed_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_sizes.py").write_text("N = 3\n")
    monkeypatch.syspath_prepend(tmp_path)
    import own_sizes  # type: ignore[import-not-found]

    for i in range(60):  # however many modules the program has
        (tmp_path / f"own_part_{i}.py").write_text(f"N = {i}\n")
        monkeypatch.setitem(sys.modules, f"own_part_{i}", importlib.import_module(f"own_part_{i}"))
    session = Session()
    session.begin({})
    own_sizes.N = 4  # what is set since holds
    program = session.program(1, "own_sizes.N", {"own_sizes": own_sizes}, tmp_path)
    assert program is not None
    assert "_arraytyping_module.N = 4" in program.text
    (tmp_path / "own_sizes.py").write_text("N = 5  # and more\n")
    program = session.program(1, "own_sizes.N", {"own_sizes": own_sizes}, tmp_path)
    assert program is not None
    assert "facts.unknown('an object of module')" in program.text
    del sys.modules["own_sizes"]


def ran(*cells: str) -> tuple[Session, dict[str, Any]]:
    """A session after these cells."""
    session, variables = Session(), dict[str, Any]()
    for number, cell in enumerate(cells, 1):
        session.begin(variables)
        with contextlib.suppress(ZeroDivisionError):
            exec(compile(cell, f"<cell {number}>", "exec"), variables)
        variables["__name__"] = "__main__"
        session.end(number, cell, variables)
    return session, variables


IMPORTS = "import functools, jax, jax.numpy as jnp\nfrom dataclasses import dataclass\n__name__ = '__main__'"


@pytest.mark.parametrize(
    ("cells", "is_known"),
    [
        (["def f(x): return x"], True),
        (["@jax.jit\ndef f(x): return x"], True),
        (["def g(x): return x", "f = jax.jit(g)"], True),
        (["def f(x): return x\nf = jax.jit(f)"], True),
        (["f = lambda x: x"], True),
        (["n = 3\nf = functools.partial(max, n)"], True),
        (["def f(x): return x\n1 / 0"], True),
        (["n = 3", "def f(x, n=n): return x", "n = 4"], True),  # with the n of then
        (["class f:\n    n = [1]"], True),
        (["@dataclass\nclass f:\n    n: int = 3"], True),
        (["def d(g): return g", "@d\ndef f(x): return x"], False),  # a decorator of the session
        (["def f(x, found=[]): found.append(x)", "f(1)"], False),
        (["class f:\n    n = []", "f.n.append(1)"], False),
        (["class f: pass", "f.g = 1"], False),
        (["class f: pass\nf.g = 1"], False),
        (["def f(x): return x", "f.__defaults__ = (1,)"], False),
        (["def make():\n    def inner(x): return x\n    return inner", "f = make()"], False),
        (["class f: pass", "jax.tree_util.register_pytree_node(f, lambda x: ((), None), lambda a, c: f())"], True),
        (["class f: pass", "for c in [f]: jax.tree_util.register_static(c)"], False),
        (["@functools.singledispatch\ndef f(x): return x", "f.register(int)(abs)"], False),
        (["if True:\n    def f(x): return x"], False),
        (["def g(x, n): return x", "n = 0\nn = 1\nf = jax.jit(g, static_argnums=n)"], False),
    ],
)
def test_functions_and_classes_by_the_statements_that_made_them(cells: list[str], is_known: bool) -> None:
    session, variables = ran(IMPORTS, *cells)
    program = session.program(9, "f", variables, Path("/nowhere"))
    assert program is not None
    assert ("unknown('an object" not in program.text) == is_known, program.text


def test_a_default_is_what_it_was() -> None:
    session, variables = ran("n = 3", "def f(x, n=n): return x", "n = 4")
    program = session.program(9, "f, n", variables, Path("/nowhere"))
    assert program is not None
    lines = program.text.split("\n")
    assert lines.index("n = 3") < lines.index("def f(x, n=n): return x") < lines.index("n = 4")
    assert program.cells.of(lines.index("def f(x, n=n): return x") + 1) == (2, 1)
    assert program.cells.of(1) == (0, 0)


# In a shell


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InteractiveShell]:
    made = InteractiveShell.instance()
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("session"))
    made.run_line_magic("xmode", "Minimal")
    made.run_line_magic("load_ext", "arraytyping")
    extension = extension_of(made)
    extension.wait = 20.0
    begun = time.monotonic()
    while not extension.is_ready and time.monotonic() - begun < 120:
        time.sleep(0.05)
    made.run_cell("import jax, jax.numpy as jnp, numpy as np", store_history=True)  # type: ignore[no-untyped-call]
    yield made
    made.run_line_magic("unload_ext", "arraytyping")
    InteractiveShell.clear_instance()
    os.chdir(before)


def extension_of(shell: InteractiveShell) -> ArrayTyping:
    return extension_module._loaded[id(shell)]


def said(shell: InteractiveShell, capsys: pytest.CaptureFixture[str], cell: str) -> str:
    capsys.readouterr()
    shell.run_cell(cell, store_history=True)  # type: ignore[no-untyped-call]
    return capsys.readouterr().out


def test_a_session(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(shell, capsys, "images = jnp.ones((100, 28, 28))\nscale = 2.0 * jnp.asarray(1.0)")
    assert out.split("\n")[:2] == ["images  float32 (100, 28, 28)", "scale   float32 (weak) ()"]

    number = shell.execution_count
    said(shell, capsys, "n = 10\n@jax.jit\ndef project(x):\n    return x @ jnp.ones((n, 2))")
    out = said(shell, capsys, "flat = images.reshape(100, -1)\nresult = project(flat)")
    assert "error[array-shape]: matmul: contracted dimensions differ" in out
    assert f"--> In [{number}]:4:12" in out
    assert f"float32[100, 784], made in line 1 of In [{number + 1}]" in out
    assert "way: project" in out
    assert "flat  float32 (100, 784)" in out
    assert "dot_general requires contracting dimensions" in out  # the cell ran all the same

    assert "result  float32 (100, 2)" in said(shell, capsys, "n = 784\nresult = project(flat)")
    params = (
        "params = {'w': [jnp.ones((2, 3))], 'step': 0}\nclass Net:\n    def __init__(self, k): self.w = jnp.ones(k)"
    )
    said(shell, capsys, f"{params}\nnet = Net(5)")
    out = said(shell, capsys, "new = result @ params['w'][0] * net.w[:3]\nbad = result + net.w")
    assert "new  float32 (100, 3)" in out
    assert "result + net.w" in out.partition("-->")[2]
    assert "float32[100, 2]" in out
    assert "float32[5]" in out


def test_comments_silence(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(shell, capsys, "jnp.ones(3) + jnp.ones(4)  # arraytyping: ignore[array-shape]")
    assert "error[array" not in out
    assert "incompatible shapes" in out


def test_a_cell_that_does_not_parse_or_has_magics(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    assert "arraytyping" not in said(shell, capsys, "x = = 3")
    out = said(shell, capsys, "%time timed = jnp.ones(3)\nfiles = !echo a")
    assert "timed  float32 (3,)" in out


def test_the_magic_checks_a_cell_that_is_not_run(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(shell, capsys, "%%arraytyping\nfresh = jnp.ones((2, 3))\nsums = fresh.sum(axis=0)\nfresh @ sums[None]")
    assert "error[array-shape]: matmul" in out
    assert "sums = fresh.sum(axis=0)  # fresh.sum(axis=0): float32[3]; fresh: float32[2, 3]" in out.replace("   ", " ").replace("  #", "  #")  # fmt: skip  # noqa: E501
    assert "fresh" not in shell.user_ns


def test_rules_of_derivatives(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    said(shell, capsys, "@jax.custom_jvp\ndef ruled(x):\n    return jnp.sin(x)")
    rule = "@ruled.defjvp\ndef rule(primals, tangents):\n    return ruled(primals[0]), tangents[0] * jnp.ones(3)"
    said(shell, capsys, rule)
    out = said(shell, capsys, "ruled_gradient = jax.grad(lambda x: ruled(x).sum())(jnp.ones(3))")
    assert "ruled_gradient  float32 (3,)" in out
    said(shell, capsys, "@jax.custom_vjp\ndef other(x):\n    return x")
    said(shell, capsys, "other.defvjp(lambda x: (x, None), lambda found, g: (g,))")
    assert "error[" not in said(shell, capsys, "jax.grad(lambda x: other(x).sum())(jnp.ones(3))")


def test_magics(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no longer checked" in said(shell, capsys, "%arraytyping off")
    assert "float32" not in said(shell, capsys, "x = jnp.ones(3)")
    assert "checked before they run" in said(shell, capsys, "%arraytyping on")
    said(shell, capsys, "%arraytyping table off")
    assert "float32" not in said(shell, capsys, "x = jnp.ones(3)")
    said(shell, capsys, "%arraytyping table on")
    out = said(shell, capsys, "%arraytyping status")
    assert out.startswith("arraytyping: on, a cell waits 20 s; cells: ")
    assert "0 failed" in out
    assert "is not known; there are %arraytyping on|off|status" in said(shell, capsys, "%arraytyping maybe")
    assert "is not known" in said(shell, capsys, "%arraytyping wait long")


def test_a_cell_does_not_wait_for_more_than_a_moment(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    extension = extension_of(shell)
    extension.wait = 0.0
    try:
        out = said(shell, capsys, "slow = jnp.ones(3)\nimport time\ntime.sleep(5)")
        assert "slow  float32 (3,)" in out  # after the cell has run
    finally:
        extension.wait = 20.0


def test_failures_are_no_tracebacks(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> Any:
        raise RuntimeError("planted")

    extension = extension_of(shell)
    with monkeypatch.context() as patch:
        patch.setattr(extension._session, "program", fail)
        patch.setattr(extension._session, "end", fail)
        assert said(shell, capsys, "print('runs')") == "runs\n"
    assert "the last failure: RuntimeError: planted" in said(shell, capsys, "%arraytyping status")
    assert extension._engine._process is not None
    extension._engine._process.kill()
    assert said(shell, capsys, "print('runs')").endswith("runs\n")
    # Until the new process has loaded jax, cells run without an answer.
    assert any("again  float32 (3,)" in said(shell, capsys, "again = jnp.ones(3)") for _ in range(20))


def test_a_real_kernel(tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    cells = [
        "%load_ext arraytyping\n%arraytyping wait 20",
        "import time\nfrom arraytyping.checker.jupyter import extension\n"
        "while not next(iter(extension._loaded.values())).is_ready: time.sleep(0.1)",
        "import jax.numpy as jnp\nx = jnp.ones((3, 4))",
        "y = x + jnp.ones((3, 5))",
        "%unload_ext arraytyping",
    ]
    notebook: Any = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])  # type: ignore[no-untyped-call]
    client = NotebookClient(
        notebook, timeout=180, kernel_name="python3", allow_errors=True, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    (table,) = [o for o in notebook.cells[2].outputs if o.output_type == "display_data"]
    assert "x  float32 (3, 4)" in table.data["text/plain"]
    assert "<td" in table.data["text/html"]
    mistake, *_, error = notebook.cells[3].outputs
    assert "add: incompatible shapes" in mistake.data["text/html"]
    number = notebook.cells[3].execution_count
    assert f"--> In [{number}]:1:5" in mistake.data["text/plain"]
    assert error.output_type == "error"
    assert not any(o.output_type == "error" for cell in notebook.cells[:3] for o in cell.outputs)


def test_the_hooks_are_of_the_package() -> None:
    import arraytyping

    assert isinstance(arraytyping.load_ipython_extension, types.FunctionType)
    assert isinstance(arraytyping.unload_ipython_extension, types.FunctionType)
