"""Flow on programs that want the checker itself to do something: nothing of their choosing is called or computed."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flow_values import interpreted

from arraytyping.checker.flow.real_calls.costs import is_affordable
from arraytyping.checker.flow.real_calls.library_functions import OUTSIDE, REFUSED
from arraytyping.checker.flow.real_calls.permissions import may_call, may_enter, may_enter_standard
from arraytyping.checker.flow.real_calls.regular_expressions import bound_of_search
from arraytyping.checker.flow.real_calls.standard_functions import DATA_CLASSES, FUNCTIONS
from arraytyping.checker.flow.real_calls.weights import weight_of
from arraytyping.checker.flow.state.identity import identity, is_same_object
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.values import ArrayValue, InstanceValue, ListValue
from arraytyping.semantics.avals import ShapedArray

pytest.importorskip("jax")
pytest.importorskip("flax")
pytest.importorskip("equinox")

HERE = Path(__file__).parent


def _followed(*options: str) -> list[dict[str, Any]]:
    """What each hostile program made the checker do, in a process of its own."""
    command = [sys.executable, str(HERE / "hostile_run.py"), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return [one for one in found if "events" in one]


def test_nothing_is_done() -> None:
    """No program runs a command, writes, deletes, connects, loads, unpickles, or changes the process."""
    programs = _followed()
    assert len(programs) >= 120
    assert {p["name"]: p["events"] for p in programs if p["events"]} == {}
    assert {p["name"]: p["traces"] for p in programs if p["traces"]} == {}
    assert {p["name"]: p["crashes"] + p["errors"] for p in programs if p["crashes"] or p["errors"]} == {}


@pytest.mark.parametrize("module", FUNCTIONS)
def test_permitted_functions_are_there(module: str) -> None:
    """What the table names is of this Python, or of a later or an earlier one."""
    real = importlib.import_module(module)
    missing = [p for p in FUNCTIONS[module].split() if not hasattr(real, p.partition(".")[0])]
    later = {"sumprod", "fma", "cbrt", "exp2", "HASH"}
    assert set(missing) <= later
    for path in FUNCTIONS[module].split():
        name, _, method = path.partition(".")
        if name not in missing:
            found = getattr(real, name)
            assert hasattr(found, method) if method else may_call(found)


def test_data_classes_are_classes() -> None:
    """The classes whose instances are data."""
    for module, names in DATA_CLASSES.items():
        real = importlib.import_module(module)
        for name in names.split():
            assert isinstance(getattr(real, name, object), type) or module == "builtins"


def test_outside_is_refused() -> None:
    """Nothing of a module that reaches outside is called, whatever public name it has elsewhere."""
    for name in (
        "jax.profiler",
        "jax.distributed",
        "jax.experimental.serialize_executable",
        "flax.training.checkpoints",
    ):
        assert name in OUTSIDE
        module = importlib.import_module(name)
        own = [v for k, v in vars(module).items() if callable(v) and not k.startswith("_")]
        mine = [v for v in own if str(getattr(v, "__module__", "")).startswith(("jax", "flax"))]
        assert mine
        assert not [v for v in mine if may_call(v) and not isinstance(v, type)] or name.startswith("flax")
    for path in REFUSED:
        package, _, name = path.rpartition(".")
        if package.partition(".")[0] in ("jax", "chex", "equinox", "flax", "jaxtyping"):
            found = getattr(importlib.import_module(package), name, None)
            assert found is None or not may_call(found), path


def test_suspicious_names_are_decided() -> None:
    """A public function that sounds as if it reached outside is refused, or is one of those that were looked at."""
    sounds = re.compile(r"(^|_)(save|load|serialise|deserialise|deserialize|display|install|dump|write|fetch)(_|$)")
    for package in (
        "jax",
        "jax.numpy",
        "jax.lax",
        "jax.export",
        "optax",
        "flax",
        "flax.linen",
        "flax.nnx",
        "equinox",
        "chex",
    ):
        module = importlib.import_module(package)
        for name, value in vars(module).items():
            if callable(value) and sounds.search(name) and not name.startswith("_"):
                assert not may_call(value), f"{package}.{name}"


def test_what_may_be_given() -> None:
    """A callable within a container, a partial function, a closure or an object counts as given."""
    import functools
    import os

    import jax
    import optax

    def closing() -> Any:
        return os.system

    for hidden in (os.system, [os.system], {"a": (os.system,)}, functools.partial(os.system, "x"), os, closing):
        assert not may_enter(hidden) or hidden is closing
        assert not may_enter_standard(hidden)
    gelu = functools.partial(jax.nn.gelu, approximate=False)
    for harmless in (jax.nn.relu, [jax.numpy.sin], gelu, optax.adam(1e-3)):
        assert may_enter(harmless)
    assert may_enter(jax.nn.initializers.he_normal())
    assert not may_call(functools.partial(os.system, "x"))


@pytest.mark.parametrize(
    "pattern", ["(a+)+b", "(a|a)*b", "(a*)*b", "(?:a?a?)*b", r"(.*)(.*)(.*)(.*)(.*)\1x", "(?:(a?)*)?b"]
)
def test_regular_expressions_without_a_bound(pattern: str) -> None:
    """What may try for ever has no bound."""
    assert bound_of_search(pattern, 0, 200) > 10**8


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d+",
        r"^\s*(\w+)\s*=\s*(.*)$",
        r"layer_(\d+)/kernel",
        "a|b|cd",
        r"(\w|\d)+!",
        r"(?:\d{3}-)*x",
        r"^(?:([\w-]+)/)?([\w:.-]+?)(?:-v(\d+))?$",
    ],
)
def test_regular_expressions_with_a_bound(pattern: str) -> None:
    """Usual expressions on usual texts are quick."""
    assert bound_of_search(pattern, 0, 30) < 10**7


def test_costs() -> None:
    """What is large is seen before it is computed."""
    import fractions
    import operator

    assert not is_affordable("a".ljust, [10**10], {})
    assert not is_affordable(pow, [10, 10**9], {})
    assert not is_affordable((10).__pow__, [10**8], {})
    assert not is_affordable(operator.ipow, [10, 10**9], {})
    assert not is_affordable(fractions.Fraction, ["1e1000000000"], {})
    assert not is_affordable("{:>{}}".format, [1, 10**9], {})
    assert not is_affordable(sorted, [range(10**10)], {})
    assert not is_affordable(ast.literal_eval, ["-" * 9_000 + "1"], {})
    assert not is_affordable(ast.literal_eval, ["[" * 500 + "]" * 500], {})
    assert is_affordable(ast.literal_eval, ["{'a': [(1, 2), -3]}"], {})
    assert is_affordable("{:.3f}".format, [1.5], {})
    assert is_affordable("a".ljust, [10], {})


def _nested(make: Any, leaf: Any) -> Any:
    value = leaf
    for _ in range(60):
        value = make(value)
    return value


@pytest.mark.parametrize("make", [lambda v: (v, v), lambda v: ListValue([v, v])], ids=["tuple", "list"])
def test_what_is_shared_is_looked_at_once(make: Any) -> None:
    """Joins and keys of values that hold another one twice, sixty times over, are quick, and share it again."""
    a = _nested(make, ArrayValue(ShapedArray((3,), "float32", False)))
    b = _nested(make, ArrayValue(ShapedArray((4,), "float32", False)))
    joined: Any = join(a, b)
    items = joined if isinstance(joined, tuple) else joined.items
    assert items[0] is items[1]
    assert identity(a) == identity(a)
    assert hash(identity(a)) == hash(identity(a))
    assert not is_same_object(a, b)
    assert weight_of(_nested(lambda v: (v, v), (1,))) > 10**5


def test_what_contains_itself_is_joined() -> None:
    """The join of two lists that contain themselves comes to an end."""
    a, b = ListValue([1]), ListValue([2])
    assert a.items is not None
    assert b.items is not None
    a.items.append(a)
    b.items.append(b)
    assert isinstance(join(a, b), ListValue)
    assert not isinstance(identity(a), InstanceValue)


def test_the_dtype_of_keys_may_be_asked_about() -> None:
    """It holds functions, which are jax's own business: libraries tell keys from other arrays so."""
    source = """
import jax, jax.numpy as jnp
key, old = jax.random.key(0), jax.random.PRNGKey(0)
found = [jnp.issubdtype(k.dtype, jax.dtypes.prng_key) for k in (key, old)]
kinds = jax.dtypes.extended, jnp.unsignedinteger
wider = [jax.dtypes.issubdtype(k.dtype, kind) for k in (key, old) for kind in kinds]
inside = []
jax.jit(lambda k: inside.append(jnp.issubdtype(k.dtype, jax.dtypes.prng_key)))(key)
"""
    told, result = interpreted(source)
    assert result.diagnostics == []
    assert told["found"].items == [True, False]
    assert told["wider"].items == [True, False, False, True]
    assert told["inside"].items == [True]
