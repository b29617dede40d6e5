"""Each rule is read: by the plugin, under the name by which mypy knows the function, and by flow, as jax's function."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from arraytyping_mypy.frameworks import function_rule, method_rule
from arraytyping_mypy.names import ARRAY, OWN_ARRAY
from oracle import resolve

from arraytyping.checker.flow.engines.rules import RuleNames
from arraytyping.checker.stubgen.modules import reads_rules
from arraytyping.semantics.rules.families import FAMILIES
from arraytyping.semantics.rules.registry import RULES
from arraytyping.semantics.rules.table import Rule, RuleTable

sys.path.append(str(Path(__file__).parent.parent / "tools"))  # behind our own modules, of which one has a name there
rule_table = importlib.import_module("rule_table")
runtime_names = importlib.import_module("runtime_names")

FUNCTIONS = sorted(n for n in RULES if not n.startswith("Array."))


def test_the_tools_hide_no_module_of_the_tests() -> None:
    spec = importlib.util.find_spec("rule_families")
    assert spec is not None
    assert spec.origin == str(Path(__file__).parent / "rule_families.py")


def mypy_names(name: str) -> set[str]:
    """The full names under which mypy may know a function: that of its definition, or that of jax's stubs."""
    thing: Any = resolve(name)
    inner = getattr(thing, "__wrapped__", thing)
    names = {f"{t.__module__}.{t.__name__}" for t in (thing, inner) if hasattr(t, "__name__")}
    return names | {f"jax.{name}"} if name.startswith("numpy.") else names


def read_by_the_plugin(name: str) -> bool:
    """Whether the plugin asks this rule, or that of another name of the same function: `nn.tanh` is `numpy.tanh`."""
    found = {function_rule(full) for full in mypy_names(name)} - {None}
    return any(
        RULES[str(other)].function is RULES[name].function or resolve(str(other)) is resolve(name) for other in found
    )


def test_every_function_is_read_by_the_plugin() -> None:
    unread = [n for n in FUNCTIONS if not read_by_the_plugin(n)]
    print(f"rules without a reader: {len(unread)}")
    assert unread == []


def test_every_rule_is_read_of_our_own_arrays() -> None:
    assert [n for n in FUNCTIONS if function_rule(f"arraytyping.{n}") != n] == []
    methods = [n for n in RULES if n.startswith("Array.") and not n.startswith("Array.at.")]
    assert [n for n in methods if method_rule(f"{OWN_ARRAY}.{n.removeprefix('Array.')}") != n] == []


@pytest.mark.parametrize("module", ["linalg", "stats"])
def test_every_rule_is_read_of_our_own_functions_where_they_are_defined(module: str) -> None:
    """Without stubs, of which mypy knows a function under the module in which it stands."""
    ours = importlib.import_module(f"arraytyping.scipy.{module}")
    names = [n.rpartition(".")[2] for n in FUNCTIONS if n.rpartition(".")[0] == f"scipy.{module}"]
    assert len(names) >= 3
    found = {n: function_rule(f"{getattr(ours, n).__module__}.{n}") for n in names}
    assert found == {n: f"scipy.{module}.{n}" for n in names}


def test_every_method_is_read_by_the_plugin() -> None:
    methods = [n for n in RULES if n.startswith("Array.") and not n.startswith("Array.at.")]
    assert [n for n in methods if method_rule(f"{ARRAY}.{n.removeprefix('Array.')}") != n] == []


def test_every_function_is_read_by_flow() -> None:
    names = RuleNames(has_jax=True)
    assert [n for n in FUNCTIONS if names.get(resolve(n)) is None] == []


def test_a_rule_that_nobody_reads_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arraytyping_mypy.frameworks._FUNCTION_SPACES", {"jax.numpy.": "numpy."})
    assert not read_by_the_plugin("nn.relu")
    assert read_by_the_plugin("numpy.sin")


def test_the_stubs_read_the_families() -> None:
    spaces = {n.rpartition(".")[0] for n in FUNCTIONS}
    assert {s for s in spaces if not reads_rules(s)} == {"scipy.stats"}  # of which they say nothing


def test_the_table_of_names_is_true() -> None:
    assert rule_table.main(["--check"]) == 0
    assert rule_table.stale() == []


def test_the_families_of_rules_are_those_that_enter_them() -> None:
    """In a process of its own, in which no family was imported before."""
    tool = rule_table.ROOT / "tools" / "rule_families.py"
    done = subprocess.run([sys.executable, str(tool), "--check"], capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_a_rule_imports_its_family_alone() -> None:
    program = (
        "import sys\n"
        "from arraytyping.semantics.rules.registry import RULES\n"
        "assert 'numpy.einsum' in RULES and len(RULES) > 900 and set(RULES) >= {'numpy.sin', 'Array.T'}\n"
        "RULES['numpy.argmax']\n"
        "print(*sorted(n.rpartition('.')[2] for n in sys.modules if n.startswith('arraytyping.semantics.rules.')))\n"
        "RULES.import_all()\n"
        "print(*sorted(n.rpartition('.')[2] for n in sys.modules if n.startswith('arraytyping.semantics.rules.')))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    one, all_of_them = (set(line.split()) for line in done.stdout.splitlines())
    assert "arg_reductions" in one
    assert one.isdisjoint({"einsum", "linalg", "random_draws", "special", "scipy_linalg", "lax_convolutions"})
    assert set(FAMILIES) <= all_of_them


def test_a_rule_that_is_given_stays_when_its_family_is_imported() -> None:
    table = RuleTable({"unary": ("numpy.sin",)})
    given = Rule("numpy.cos", lambda cx: None)
    table["numpy.cos"] = given
    assert table["numpy.cos"] is given
    assert sorted(table) == ["numpy.cos", "numpy.sin"]
    with pytest.raises(KeyError):
        table["numpy.tan"]
    with pytest.raises(ValueError, match=r"numpy\.cos has a rule already, in .*; a rule is written once"):
        table.enter("numpy.cos", given)


def test_the_table_of_the_runtimes_names_is_true() -> None:
    assert runtime_names.main(["--check"]) == 0
