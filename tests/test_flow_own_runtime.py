"""Programs on our own runtime: flow knows of them what it knows of the same programs on jax, and no claim is wrong.

The oracles are the runs on the runtime, and flow on the program whose imports are not exchanged.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from exchanged_programs import exchanged_text
from flow_values import interpreted

from arraytyping.checker.audit import compare, run_program
from arraytyping.checker.claims import ExpressionClaims, Position
from arraytyping.checker.flow.start.program import Result, interpret
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.flow.values import ArrayValue, Unknown

ROOT = Path(__file__).parent.parent
HEAD = "import arraytyping as jax\nimport arraytyping.numpy as jnp\n"
PROGRAMS = [
    *(ROOT / "tests" / "data" / "runtime_programs" / f"{name}.py" for name in ("pytrees", "quickstart", "stateful")),
    *(ROOT / "typecheck_cases" / "flow" / f"{name}.py" for name in ("kalman_filter", "stack_machine")),
]


def claims(result: Result) -> dict[Position, ExpressionClaims]:
    """What is claimed, by position."""
    return {e.position: e for file in result.claims.values() for e in file.expressions}


def shown(source: str) -> list[str]:
    """What is known of the variables whose names have one letter; the program has no certain mistake."""
    names, found = interpreted(HEAD + textwrap.dedent(source))
    assert not found.crashes, found.crashes
    assert not [m for m in found.diagnostics if m.is_certain], found.diagnostics
    return [described(value) for name, value in sorted(names.items()) if len(name) == 1]


def described(value: Any) -> str:
    """A value as it is shown, a weak type too."""
    return "weak " * (isinstance(value, ArrayValue) and value.aval.weak_type is True) + show(value)


def mistakes(source: str) -> list[str]:
    """The certain mistakes of a program."""
    _, found = interpreted(HEAD + textwrap.dedent(source))
    assert not found.crashes, found.crashes
    return [m.message for m in found.diagnostics if m.is_certain]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_programs_are_known_as_on_jax(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is claimed is the same, and what comes when the program runs is as claimed."""
    program = tmp_path / path.name
    program.write_text(exchanged_text(path.read_text()))
    theirs, ours = claims(interpret(path)), interpret(program)
    assert not ours.crashes
    assert [str(m) for m in ours.diagnostics if m.is_certain and not m.is_warning] == []
    found = claims(ours)
    assert len(found) > 20
    assert {p: str(e) for p, e in found.items()} == {p: str(e) for p, e in theirs.items()}
    monkeypatch.chdir(tmp_path)
    run = run_program(program)
    assert run.exception is None, run.traceback
    audit = compare(ours.program, run.observations)
    assert [str(w) for w in audit.wrong] == []
    assert audit.statistics.fully_known > 0.9 * audit.statistics.arrays


def test_digits_are_known() -> None:
    """The example of the runtime, whose first lines say that it runs on JAX with two imports exchanged."""
    path = ROOT / "examples" / "digits.py"
    ours = path.read_text()
    theirs = ours.replace("import arraytyping as jax\nimport arraytyping.numpy", "import jax\nimport jax.numpy")
    assert ours != theirs
    found, on_jax = claims(interpret(path)), claims(interpret(path, source=theirs))
    assert {p: str(e) for p, e in found.items()} == {p: str(e) for p, e in on_jax.items()}
    assert sum(e.is_dtype_known and e.is_shape_known for e in found.values()) > 0.95 * len(found)


def test_names_however_they_are_imported() -> None:
    assert shown(
        """
        from arraytyping import lax, random, nn, jit as compiled, float32
        from arraytyping.numpy import *
        from arraytyping.tree_util import tree_map
        from arraytyping.scipy.special import erf
        from arraytyping.scipy.stats import norm
        from arraytyping.numpy.linalg import svd
        import arraytyping.nn.initializers
        a = lax.add(ones(3, float32), zeros(3))
        b = random.normal(random.key(0), (2,))
        c = nn.relu(arange(4))
        d = compiled(lambda x: x[None])(a)
        e = tree_map(lambda x: x + 1, (a, b))
        f = erf(1.0)
        g = norm.logpdf(a)
        h = svd(ones((3, 2)), full_matrices=False).U
        i = jax.nn.initializers.he_normal()(random.key(1), (3, 4))
        j = getattr(jax.numpy, "sin")(a)
        k = jnp.r_[a, b]
        l = jnp.bfloat16(3)
        m = a.astype(jax.bfloat16)
        n = jnp.zeros(2, float32).dtype == jnp.float32
        o = jnp.issubdtype(b.dtype, jnp.floating)
        """
    ) == [
        "float32[3]", "float32[2]", "int32[4]", "float32[1, 3]", "the tuple (float32[3], float32[2])",
        "weak float32[]", "float32[3]", "float32[3, 2]", "float32[3, 4]", "float32[3]", "float32[5]", "bfloat16[]",
        "bfloat16[3]", "the Python bool True", "the Python bool True",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("jax.lax.create_token", "AttributeError: module 'arraytyping.lax' has no attribute 'create_token'"),
        ("jax.profiler.trace('x')", "AttributeError: module 'arraytyping' has no attribute 'profiler'"),
        ("from arraytyping.lax import after_all", None),
        ("jax.lax.scan(lambda c, x: (c, x), 0, jnp.ones(()))", None),
    ],
)
def test_what_is_not_there_is_said_as_it_runs(line: str, message: str | None) -> None:
    """What the runtime lacks raises, with the sentence that is foretold."""
    found = mistakes(line)
    done = subprocess.run([sys.executable, "-c", HEAD + line], capture_output=True, text=True, check=False)
    assert done.returncode
    if message is None:
        assert "known" not in "".join(found)
    else:
        assert found == [message]
        assert message in done.stderr


def test_messages_name_what_the_program_has() -> None:
    (message,) = mistakes(
        """
        @jax.jit
        def f(x):
            return x[: x.sum().astype(int)]
        f(jnp.arange(3))
        """
    )
    assert "arraytyping.lax.dynamic_slice" in message
    assert not {"jax.lax", "jax.numpy"} & set(message.split())


def test_annotations_with_subscripts() -> None:
    """`Array[...]` is read as it is on jax's arrays, and a contradiction is a mistake."""
    source = """
        from typing import Literal
        from arraytyping import Array, float32, int32
        Vector = Array[float32, tuple[Literal[3]]]
        def f(x: Array[float32, tuple[Literal[3]]]) -> {}:
            return x * 2
        def g(x: Vector | None, y: jax.Array) -> Array[jnp.float32 | jnp.bfloat16, tuple[int]]:
            return y if x is None else x
        a = f(jnp.ones({}))
        b = g(a, a)
        c = isinstance(a, jax.Array), isinstance(a, jnp.ndarray), isinstance(1.0, jax.Array)
        """
    assert shown(source.format("Vector", 3))[:2] == ["float32[3]", "float32[3]"]
    _, found = interpreted(HEAD + textwrap.dedent(source.format("Vector", 4)))
    assert {m.code for m in found.diagnostics} == {"array-annotation"}
    _, found = interpreted(HEAD + textwrap.dedent(source.format("Array[int32, tuple[int]]", 3)))
    assert {m.code for m in found.diagnostics} == {"array-annotation"}


def test_the_configuration_is_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    program = """
        a = jnp.arange(2)
        jax.config.update({}, True)
        b = jnp.arange(2)
        with jax.enable_x64(False):
            c = jnp.arange(2)
        d = jnp.arange(2) if jax.config.jax_enable_x64 else None
        """
    wide = ["int32[2]", "int64[2]", "int32[2]", "int64[2]"]
    assert shown(program.format("'enable_x64'")) == wide
    assert shown(program.format("'jax_enable_x64'")) == wide
    monkeypatch.setenv("ARRAYTYPING_ENABLE_X64", "1")
    assert shown("a = jnp.arange(2)") == ["int64[2]"]
    monkeypatch.delenv("ARRAYTYPING_ENABLE_X64")
    monkeypatch.setenv("JAX_ENABLE_X64", "1")
    assert shown("a = jnp.arange(2)") == ["int32[2]"]
    (message,) = mistakes("jax.config.update('jax_log_compiles', True)")
    assert message.startswith("AttributeError: there is no option 'jax_log_compiles'")
    (message,) = mistakes("jax.config.update('enable_x64', 'yes')")
    assert message == "ValueError: option 'enable_x64': expected True or False, got 'yes'"


MIXED = {
    "jax": "import jax.numpy as theirs\n",
    "in a function": "def f():\n    from jax import Array\n",
    "by name": "import importlib\ntheirs = importlib.import_module('jax.numpy')\n",
    "in a text": "exec('import jax')\n",
    "a library on jax": "import optax\n",
    "jaxtyping's Array": "from jaxtyping import Array\n",
}


@pytest.mark.parametrize("line", MIXED.values(), ids=MIXED)
def test_beside_arrays_of_jax_nothing_is_said_of_ours(line: str) -> None:
    """`isinstance(x, jax.Array)` is false of ours, and jax's functions may refuse them."""
    names, found = interpreted(HEAD + line + "x = jnp.ones(3)\n")
    assert isinstance(names["x"], Unknown)
    assert not [m for m in found.diagnostics if m.is_certain]


def test_beside_arrays_of_jax_in_another_module(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("def f():\n    import jax\n    return jax.numpy.ones(3)\n")
    program = tmp_path / "program.py"
    program.write_text(HEAD + "import other\nx = jnp.ones(3)\ny = other.f()\n")
    found = claims(interpret(program))
    assert not found[3, 4, 3, 15].is_dtype_known if (3, 4, 3, 15) in found else True
    assert {str(e) for p, e in found.items() if p[0] == 5} == {"float32[3]"}


def test_neutral_libraries(tmp_path: Path) -> None:
    assert shown(
        "from jaxtyping import Float\ndef add(x: Float[jax.Array, 'n']): return x + 1\na = add(jnp.ones(3))"
    ) == ["float32[3]"]


def test_trees_are_those_of_our_runtime() -> None:
    """Typed keys, deques and `struct_time`s are nodes to it, and leaves to jax."""
    source = """
        import collections, time
        a = jax.tree.leaves({"k": jax.random.key(0)})[0]
        b = jax.tree.map(lambda x: x, collections.deque([jnp.ones(2)]))
        c = jax.tree.map(lambda p, k: p, (jnp.ones(2),), (jax.random.key(1),))
        d = jax.tree.leaves(time.gmtime(0))[0]
        e = jax.jit(lambda k: k)(jax.random.key(0))
        """
    names, _ = interpreted(HEAD + textwrap.dedent(source))
    assert [isinstance(names[n], Unknown) for n in "abcde"] == [True, True, False, True, False]
    assert "key" in show(names["e"])


def test_what_jax_hands_on_as_numbers_are_arrays() -> None:
    assert shown(
        """
        a = jax.checkpoint(lambda x: 2.0)(1.0)
        b = jax.lax.fori_loop(0, 0, lambda i, c: c, 1.0)
        @jax.custom_jvp
        def same(x): return x
        @same.defjvp
        def rule(primals, tangents): return same(*primals), tangents[0]
        c = same(3)
        d = jax.grad(same)(2.0)
        e = jnp.shape(a)
        """
    ) == ["weak float32[]", "weak float32[]", "weak int32[]", "weak float32[]", "the tuple ()"]


def test_a_program_on_jax_loads_nothing_of_the_runtime(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import jax\nfrom arraytyping import Array, float32\nx = jax.numpy.ones(3)\n"
        "def f(x: Array[float32, tuple[int]]): return x\ny = f(x)\n"
    )
    text = (
        "import sys; from pathlib import Path\n"
        "from arraytyping.checker.flow.start.program import interpret\n"
        "found = interpret(Path(sys.argv[1]))\n"
        "assert 'arraytyping.runtime.whole' not in sys.modules\n"
        "print(sorted({str(e) for f in found.claims.values() for e in f.expressions}), found.diagnostics)\n"
    )
    done = subprocess.run([sys.executable, "-c", text, str(program)], capture_output=True, text=True, check=False)
    assert done.stdout == "['float32[3]'] []\n", done.stderr


# ------------------------------------------------------------------------------------------- where jax is not installed

WITHOUT_JAX = """
import importlib.machinery, json, sys
from pathlib import Path
finder = importlib.machinery.PathFinder
real = finder.find_spec
def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] == "jax" else real(name, path, target)
finder.find_spec = find_spec
from arraytyping.checker.flow.start.program import interpret
found = {}
for path in sys.argv[1:]:
    result = interpret(Path(path))
    found[Path(path).name] = {
        "claims": [[list(e.position), str(e)] for f in result.claims.values() for e in f.expressions],
        "mistakes": [m.message for m in result.diagnostics if m.is_certain and not m.is_warning],
        "crashes": list(result.crashes),
        "errors": [str(e) for e in result.errors],
    }
from arraytyping.runtime.core import PRIMITIVES
assert "jax" not in sys.modules and "made" not in PRIMITIVES
print(json.dumps(found))
"""

ALONE = {
    "mistakes": (
        "y = jnp.ones((2, 3)) @ jnp.ones(2)\n",
        ["matmul: contracted dimensions differ"],
    ),
    "escapes": (
        "kept = []\n@jax.jit\ndef f(x):\n    kept.append(x)\n    return x if x > 0 else -x\nf(jnp.ones(()))\n",
        ["has no value yet; use jnp.where or arraytyping.lax.cond"],
    ),
    "missing": ("jax.lax.create_token\n", ["'arraytyping.lax' has no attribute 'create_token'"]),
    "wide": ("jax.config.update('jax_enable_x64', True)\nx = jnp.ones(2)\ny = jax.jit(lambda x: x @ x)(x)\n", []),
    "keys": ("k = jax.random.split(jax.random.key(0), 3)\nx = jax.vmap(jax.random.normal)(k)\n", []),
    "files": (
        "open_it = jnp.save('made.npy', jnp.ones(3))\nx = jnp.load('made.npy')\n"
        "import arraytyping.regular_files as files\ny = files.read_regular(__file__)\n"
        "from arraytyping.core import Primitive\np = Primitive('made')\njax.load_ipython_extension(None)\n",
        [],
    ),
}


def test_where_jax_is_not_installed(tmp_path: Path) -> None:
    """The runtime itself is asked: claims are those of the same programs on jax, and nothing is written or loaded."""
    paths = [tmp_path / path.name for path in PROGRAMS]
    for path, own in zip(PROGRAMS, paths, strict=True):
        own.write_text(exchanged_text(path.read_text()))
    small = {name: tmp_path / f"{name}.py" for name in ALONE}
    for name, path in small.items():
        path.write_text(HEAD + ALONE[name][0])
    command = [sys.executable, "-c", WITHOUT_JAX, *map(str, [*paths, *small.values()])]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for path in PROGRAMS:
        mine = found[path.name]
        assert (mine["mistakes"], mine["crashes"], mine["errors"]) == ([], [], [])
        on_jax = claims(interpret(path))
        assert {tuple(p): text for p, text in mine["claims"]} == {p: str(e) for p, e in on_jax.items()}
    for name, (_, words) in ALONE.items():
        mine = found[f"{name}.py"]
        assert (mine["crashes"], mine["errors"]) == ([], [])
        assert len(mine["mistakes"]) == min(1, len(words)), mine
        assert all(word in "".join(mine["mistakes"]) for word in words), mine
    assert [text for p, text in found["wide.py"]["claims"] if p[1] == 4] == ["float64[2]", "float64[]"]
    assert {"key<fry>[3]", "float32[3]"} <= {text for _, text in found["keys.py"]["claims"]}
    assert not (tmp_path / "made.npy").exists()
