"""Work that flow does not do twice, or not at all, with the same answers."""

from __future__ import annotations

import ast
import gc
import importlib
import importlib.metadata
import importlib.util
import inspect
import py_compile
import subprocess
import sys
from collections import Counter
from importlib.machinery import SourceFileLoader
from pathlib import Path
from py_compile import PycInvalidationMode
from types import CellType, FunctionType, SimpleNamespace
from typing import Any

import pytest
from flow_values import difference, interpreted, run

from arraytyping.checker import garbage
from arraytyping.checker.flow.engines import pytrees
from arraytyping.checker.flow.engines.flax_shapes import Unlike, key_of
from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.engines.jax_import import importing_jax
from arraytyping.checker.flow.engines.jax_private import primal_of, value_of
from arraytyping.checker.flow.real_calls import deferred_imports
from arraytyping.checker.flow.real_calls.deferred_imports import deferring
from arraytyping.checker.flow.report.child import command_of
from arraytyping.checker.flow.sources import source_files
from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.flow.sources.statements import nodes_of
from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.start.python_interpreter import PythonInterpreter
from arraytyping.checker.flow.state import identity as identities
from arraytyping.checker.flow.state.identity import DEPTH, identity
from arraytyping.checker.flow.state.journal import Journal
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.flow.values import ListValue, Unknown

ORTHOGONAL = """
import jax, jax.numpy as jnp, numpy as np
from jax.nn.initializers import orthogonal
def draw(key):
    wide, tall = orthogonal(2.0)(key, (3, 4)), orthogonal(2)(key, (40, 5))
    first, later = orthogonal(np.sqrt(2), 0)(key, (7, 8, 2), jnp.float32), orthogonal()(key, (2, 3, 4), "float32")
    return wide, tall, first, later
a, b, c, d = jax.jit(draw)(jax.random.key(0))
e, f, g, h = jax.jit(draw)(jax.random.PRNGKey(0))
i = jax.vmap(lambda key: orthogonal()(key, (3, 4)))(jax.random.split(jax.random.key(0), 5))
"""
REFUSED = {
    "orthogonal()(key, (3,))": "ValueError",
    "orthogonal(1.0, 2)(key, (3, 4))": "IndexError",
    "orthogonal()(key, (3, 4), jnp.int32)": "dtype",
    "orthogonal()(jnp.ones((2,)), (3, 4))": "TypeError",
    "orthogonal()(jax.random.split(key), (3, 4))": "key",
}


def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What jax decomposes from here on."""
    drawing: Any = importlib.import_module("jax._src.random")
    found: list[Any] = []
    real = drawing.orthogonal

    def noting(key: Any, *sizes: Any) -> Any:
        found.append(sizes)
        return real(key, *sizes)

    monkeypatch.setattr(drawing, "orthogonal", noting)
    return found


def test_orthogonal_weights_are_known_in_a_trace_without_their_decomposition(monkeypatch: pytest.MonkeyPatch) -> None:
    real = run(ORTHOGONAL)
    calls = asked(monkeypatch)
    found, result = interpreted(ORTHOGONAL)
    assert not result.crashes
    assert not result.diagnostics
    assert not [text for name in "abcdefghi" if (text := difference(found[name], real[name]))]
    assert [show(found[name]) for name in "abcdefghi"] == [
        *["float32[3, 4]", "float32[40, 5]", "float32[7, 8, 2]", "float32[2, 3, 4]"] * 2, "float32[5, 3, 4]",
    ]  # fmt: skip
    assert len(calls) <= 1  # of those that are mapped


@pytest.mark.parametrize("call", REFUSED)
def test_what_jax_refuses_of_orthogonal_weights_is_told(call: str) -> None:
    source = ORTHOGONAL.partition("def draw")[0] + f"made = jax.jit(lambda key: {call})(jax.random.key(0))\n"
    _, result = interpreted(source)
    assert REFUSED[call] in " ".join(m.message for m in result.diagnostics if m.is_certain)


def test_jax_is_imported_without_the_metadata_of_other_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("jax-rocm8-plugin", "zzz"):
        folder = tmp_path / f"{name.replace('-', '_')}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n")
    (tmp_path / "etils").mkdir()
    (tmp_path / "etils" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(importlib.import_module("sys").modules, "etils", raising=False)
    with importing_jax():
        names = {found.metadata["Name"] for found in importlib.metadata.distributions()}
        with pytest.raises(ImportError):
            importlib.import_module("etils")
    assert "jax-rocm8-plugin" in names
    assert all(name.startswith("jax") for name in names)
    assert "zzz" in {found.metadata["Name"] for found in importlib.metadata.distributions()}
    assert importlib.import_module("etils").__file__ == str(tmp_path / "etils" / "__init__.py")


def nested(depth: int, leaf: Any) -> ListValue:
    """Lists each of which stands in the one around it, and one deeper."""
    made = ListValue([leaf])
    for _ in range(depth):
        made = ListValue([made, ListValue([made])])
    return made


def test_the_key_of_what_is_shared_at_several_depths_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: Counter[Any] = Counter()
    real = identities._interned

    def counting(parts: Any) -> Any:
        made[parts] += 1
        return real(parts)

    monkeypatch.setattr(identities, "_interned", counting)
    key = identity(nested(DEPTH // 2 - 1, Unknown("x")))
    assert max(made.values()) == 1
    assert key == identity(nested(DEPTH // 2 - 1, Unknown("y")))
    assert key != identity(nested(DEPTH // 2 - 1, 1))


def test_below_the_depth_values_are_told_apart_by_what_they_are() -> None:
    shared = nested(1, 1)
    deep: Any = shared
    for _ in range(DEPTH - 1):
        deep = ListValue([deep])
    flat = ListValue([shared, deep])
    assert identity(flat) == identity(flat)
    assert identity(ListValue([nested(1, 1), deep])) == identity(flat)  # what is not deep is looked into
    assert identity(nested(DEPTH, 1)) != identity(nested(DEPTH, 1))


def test_the_one_path_that_returns_needs_no_changes_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[Any] = []
    real = Journal.meet_paths

    def noting(self: Journal, mark: int, paths: Any, is_reachable: bool) -> None:
        met.append(inspect.currentframe())
        real(self, mark, paths, is_reachable)

    monkeypatch.setattr(Journal, "meet_paths", noting)
    source = "def f(held):\n    held.append(1)\n    n = len(held)\n    return n\nheld = []\nn = f(held)\n"
    found, _ = interpreted(source)
    assert (found["n"], found["held"].items) == (1, [1])
    assert not met
    # What is written behind the `return` counts all the same, and what a path wrote that raises does not.
    source = (
        "import os\ndef f(held):\n    try:\n        return len(held)\n    finally:\n        held.append(2)\n"
        "def g(held):\n    if os.environ.get('A'):\n        return len(held)\n    held.append(3)\n"
        "    raise ValueError\n"
        "held, other = [1], [1]\nn = f(held)\nm = g(other)\n"
    )
    found, _ = interpreted(source)
    assert (found["n"], found["held"].items, found["other"].items) == (1, [1, 2], [1])
    assert met


def test_garbage_is_not_looked_for_among_libraries_while_a_program_is_followed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept: list[int] = []
    call = PythonInterpreter.call

    def noting(*args: Any) -> Any:
        kept.append(gc.get_freeze_count())
        return call(*args)

    monkeypatch.setattr(PythonInterpreter, "call", noting)
    program = tmp_path / "program.py"
    program.write_text("class A:\n    def f(self):\n        return 1\nA().f()\n")
    garbage.unfreeze()
    interpret(program)
    assert kept
    assert min(kept) > 10_000
    assert gc.get_freeze_count() == 0


def test_the_nodes_of_a_file_are_those_of_ast_walk() -> None:
    tree = ast.parse(Path(ast.__file__).read_text())
    assert list(nodes_of(tree)) == list(ast.walk(tree))


def test_a_rule_is_asked_once_of_the_same_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_of: list[str] = []
    rules: Any = importlib.import_module("arraytyping.checker.flow.engines.rules")
    real = rules.evaluate

    def noting(name: str, *given: Any) -> Any:
        asked_of.append(name)
        return real(name, *given)

    monkeypatch.setattr(rules, "evaluate", noting)
    source = "import jax.numpy as jnp\nx = jnp.ones((3, 4))\n" + "".join(
        f"{name} = jnp.sum(x, axis={axis})\n" for name, axis in zip("abcd", (0, 1, 0, 1))
    )
    found, _ = interpreted(source + "e = x[1]\nf = x[True]\ng = x[1]\n")
    assert [show(found[name]) for name in "abcdefg"] == [
        *["float32[4]", "float32[3]"] * 2, "float32[4]", "float32[1, 3, 4]", "float32[4]",
    ]  # fmt: skip
    assert asked_of.count("numpy.sum") <= 2


APPLIED = """
import jax, jax.numpy as jnp, numpy as np, flax.linen as nn
from flax.linen.initializers import constant, orthogonal
class Net(nn.Module):
    width: int
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(self.width, kernel_init=orthogonal(np.sqrt(2)), bias_init=constant(0.0))(x)
        return nn.Dense(3)(nn.relu(x))
net = Net(8)
@jax.jit
def run(x):
    params = net.init(jax.random.key(0), x)
    def step(carry, _):
        return carry, (net.apply(params, x), net.apply(params, x + 1))
    return jax.lax.scan(step, x, None, 3)[1]
a, b = run(jnp.ones((2, 4)))
wrong = GIVEN
"""


def traced_shapes(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What of Flax's questions for the shapes of parameters jax is asked from here on."""
    jax: Any = importlib.import_module("jax")
    found: list[Any] = []
    real = jax.eval_shape

    def noting(function: Any, *args: Any, **kwargs: Any) -> Any:
        if getattr(function, "__qualname__", "").startswith("Scope.param"):
            found.append(function)
        return real(function, *args, **kwargs)

    monkeypatch.setattr(jax, "eval_shape", noting)
    return found


def test_flax_asks_once_for_the_shape_of_equal_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("flax")
    found = traced_shapes(monkeypatch)
    monkeypatch.setattr(JaxEngine, "shapes", {}, raising=False)
    given, result = interpreted(APPLIED.replace("GIVEN", "1"))
    assert not result.diagnostics
    assert show(given["a"]) == show(given["b"]) == "float32[3, 2, 3]"
    assert len(found) <= 4  # two kernels and two biases, applied twice in a loop


def test_flax_refuses_a_parameter_of_another_shape_than_was_asked_for() -> None:
    pytest.importorskip("flax")
    _, result = interpreted(APPLIED.replace("GIVEN", "Net(9).apply(net.init(jax.random.key(0), a[0]), a[0])"))
    assert any("(3, 9)" in m.message and m.is_certain for m in result.diagnostics)


def test_initializers_are_equal_by_what_they_have_closed_over() -> None:
    initializers: Any = importlib.import_module("jax.nn.initializers")

    def asking(init: Any, *args: Any) -> Any:
        return FunctionType(
            (lambda: init(*args)).__code__, {"__name__": "flax.core.scope"}, "", None, cells(args, init)
        )

    def cells(*contents: Any) -> tuple[Any, ...]:
        return tuple(map(CellType, contents))

    one = key_of(asking(initializers.constant(0.0), (3, 4)))
    assert one == key_of(asking(initializers.constant(0.0), (3, 4)))
    assert one != key_of(asking(initializers.constant(0), (3, 4)))
    assert one != key_of(asking(initializers.constant(0.0), (3, 5)))
    assert one != key_of(asking(initializers.normal(0.0), (3, 4)))
    for unlike in (asking(lambda *_: 0, (3,)), asking(initializers.constant(0.0), [3])):
        with pytest.raises(Unlike):
            key_of(unlike)


def test_modules_that_no_trace_needs_are_executed_when_they_are_asked_for_a_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "deferred_here"
    package.mkdir()
    (package / "__init__.py").write_text("from deferred_here.inner import name\n")
    (package / "inner.py").write_text("import deferred_here.other\nname = 'inner'\n")
    (package / "other.py").write_text("name = 'other'\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(deferred_imports, "DEFERRED", frozenset({"deferred_here"}))
    before = [*sys.meta_path]
    with deferring():
        made = importlib.import_module("deferred_here.inner")
        package_made = importlib.import_module("deferred_here")
        assert importlib.import_module("deferred_here.inner") is made  # a second import executes nothing
    assert sys.meta_path == before
    assert "name" not in vars(made)
    assert "name" not in vars(package_made)
    assert package_made.inner is made
    assert made.name == "inner"
    assert vars(sys.modules["deferred_here.other"])["name"] == "other"
    assert type(made.__loader__) is type(made.__spec__.loader) is SourceFileLoader
    assert not hasattr(made, "absent")
    assert vars(importlib.import_module("deferred_here"))["inner"] is made
    with deferring(), pytest.raises(ModuleNotFoundError):
        importlib.import_module("deferred_here.absent")


def test_flax_is_imported_without_what_it_draws_tables_with() -> None:
    pytest.importorskip("flax")
    code = (
        "import sys; from arraytyping.checker.flow.start.program import load_libraries;"
        "from arraytyping.checker.flow.real_calls.library_imports import import_library;"
        "load_libraries(); linen = import_library('flax.linen'); console = sys.modules['rich.console'];"
        "print('Console' in vars(console), console.Console.__name__, 'Console' in vars(console),"
        "type(linen.summary.rich.table.Table).__name__)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "Console", "True", "type"]


def test_what_unittest_loads_when_it_is_asked_for_is_not_loaded() -> None:
    code = (
        "import sys; from arraytyping.checker.flow.start.program import load_libraries; load_libraries();"
        "from arraytyping.checker.flow.libraries.registry import Registry; made = Registry();"
        "import unittest; made.find_base(unittest.TestCase);"
        "print('asyncio' in sys.modules, made.find_base(unittest.IsolatedAsyncioTestCase) is not None)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "True"]


@pytest.mark.parametrize("mode", [PycInvalidationMode.TIMESTAMP, PycInvalidationMode.UNCHECKED_HASH])
def test_what_python_has_compiled_is_not_compiled_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mode: PycInvalidationMode
) -> None:
    file = tmp_path / "program.py"
    file.write_text("def f():\n    return 1\n")
    compiled: list[str] = []
    real = compile

    def noting(source: Any, name: str, *rest: Any, **options: Any) -> Any:
        compiled.append(name)
        return real(source, name, *rest, **options)

    monkeypatch.setattr(source_files, "compile", noting, raising=False)
    read_source(file)
    assert compiled == [str(file)]
    py_compile.compile(str(file), invalidation_mode=mode)
    read_source(file)
    assert len(compiled) == 1
    read_source(file, "x = 1\n")  # a text in its place
    assert len(compiled) == 2
    file.write_text("x = 2\nreturn 1\n")  # of another length
    with pytest.raises(SourceError, match="outside function"):
        read_source(file)
    bytecode = Path(importlib.util.cache_from_source(str(file)))
    for damaged in (b"", b"\0" * 16, bytecode.read_bytes()[:15]):
        bytecode.write_bytes(damaged)
        with pytest.raises(SourceError, match="outside function"):
            read_source(file)


def test_garbage_is_not_looked_for_while_a_program_is_followed_in_a_worker_nor_as_it_ends() -> None:
    code = (
        "import gc, sys; from pathlib import Path; from arraytyping.checker.flow.report.workers import Workers;"
        "from arraytyping.checker.settings import Settings; looked = [];"
        "from arraytyping.checker.flow.start.program import interpret;"
        "Workers({}, Settings(), None, 1, ()).warm_up(); gc.callbacks.append(lambda *told: looked.append(1));"
        "interpret(Path(sys.argv[1])); made = [[i] for i in range(2000)];"
        "print(len(looked), gc.get_freeze_count() > 9999)"
    )
    ran = subprocess.run([sys.executable, "-c", code, __file__], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["0", "True"]


def test_what_answers_in_a_process_of_its_own_looks_for_garbage_seldom() -> None:
    *command, code = command_of("the_one_that_answers", None)
    begun = code.partition("from the_one_that_answers")[0]
    ran = subprocess.run(
        [*command, f"{begun}import gc; print(*gc.get_threshold())"], capture_output=True, text=True, check=True
    )
    assert int(ran.stdout.split()[0]) > 100_000


SET_UP = """
import jax, jax.numpy as jnp, flax.linen as nn
class Net(nn.Module):
    def setup(self):
        self.inner = nn.Dense(3)
    def __call__(self, x):
        return nn.relu(self.inner(x))
made = jax.jit(lambda key, x: Net().init_with_output(key, x)[0])(jax.random.key(0), jnp.ones((2, 4)))
"""


def test_modules_of_flax_are_not_set_up_to_be_asked_for_names_of_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("flax")
    module: Any = importlib.import_module("flax.linen.module").Module
    found: list[str] = []
    real = module.__getattr__

    def noting(self: Any, name: str) -> Any:
        found.append(name)
        return real(self, name)

    monkeypatch.setattr(module, "__getattr__", noting)
    given, result = interpreted(SET_UP)
    assert show(given["made"]) == "float32[2, 3]"
    assert not result.diagnostics
    assert found
    assert not {"__self__", "__name__", "__globals__"} & {*found}


def test_the_name_of_a_dtype_is_made_once() -> None:
    made: list[int] = []

    class Dtype:
        def __str__(self) -> str:
            made.append(1)
            return "dtype"

    engine: Any = interpreted("import jax")[1].interpreter.engines.jax
    dtype = Dtype()
    assert engine.dtype_name(dtype) == engine.dtype_name(dtype) == "dtype"
    assert len(made) == 1
    assert [engine.dtype_name(engine.jax.numpy.dtype(name)) for name in ("float32", "int8", "bfloat16")] == [
        "float32", "int8", "bfloat16",
    ]  # fmt: skip


def test_tracers_are_not_asked_for_what_their_classes_have_not(monkeypatch: pytest.MonkeyPatch) -> None:
    jax: Any = importlib.import_module("jax")
    tracer: Any = importlib.import_module("jax._src.core").Tracer
    asked_for: list[str] = []
    real = tracer.__getattr__

    def noting(self: Any, name: str) -> Any:
        asked_for.append(name)
        return real(self, name)

    monkeypatch.setattr(tracer, "__getattr__", noting)
    seen: list[Any] = []

    def noted(x: Any) -> Any:
        seen.append((primal_of(x) is not None, value_of(x) is not None))
        return x

    jax.grad(noted)(1.0)
    jax.vmap(noted)(jax.numpy.ones(2))
    assert seen == [(True, False), (False, True)]
    assert not {"primal", "val"} & {*asked_for}


def test_containers_are_no_arrays_without_asking_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    engine: Any = interpreted("import jax")[1].interpreter.engines.jax
    array = engine.jax.numpy.ones(2)
    assert engine.is_array(array)

    class Refusing(type):
        def __instancecheck__(cls, value: Any) -> bool:
            raise AssertionError(value)

    monkeypatch.setattr(engine, "jax", SimpleNamespace(Array=Refusing("Array", (), {})))
    assert not any(map(engine.is_array, ((array,), [array], {"a": array}, 1, 1.0, "a", None)))
    with pytest.raises(AssertionError):
        engine.is_array(array)


def test_the_names_of_real_bases_are_gathered_once() -> None:
    gathered: Any = vars(pytrees)["_names_of"]
    source = """
import jax, jax.numpy as jnp
from typing import Generic, TypeVar
T = TypeVar("T")
@jax.tree_util.register_pytree_node_class
class Pair(Generic[T]):
    def __init__(self, a):
        self.a = a
    def tree_flatten(self):
        return (self.a,), None
    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)
pairs = jax.vmap(lambda a, b: (a, b))(Pair(jnp.ones(2)), Pair(jnp.ones(2)))
"""
    gathered.cache_clear()
    _, result = interpreted(source)
    assert not result.diagnostics
    assert gathered.cache_info().hits > gathered.cache_info().misses > 0


def test_commands_load_nothing_of_what_follows_programs() -> None:
    code = "import sys, arraytyping.checker.cli.flow_command; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {*ran.stdout.split()}
    assert "arraytyping.checker.flow.report.reporting" in loaded
    assert not {"arraytyping.checker.flow.state.interpreter", "arraytyping.checker.flow.syntax.imports"} & loaded
