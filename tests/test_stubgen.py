"""The generated stubs are those that the rules give, and leave nothing out."""

from __future__ import annotations

import ast
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import pytest
from agreements import agreed, digest_of, record
from jax_surface import FILE
from read_files import read_for
from shares import is_thorough

import arraytyping
from arraytyping.checker.stubgen.__main__ import main
from arraytyping.checker.stubgen.answers import ERROR, Python, Rules
from arraytyping.checker.stubgen.calls import Calls
from arraytyping.checker.stubgen.matching import Overload, is_right, verified
from arraytyping.checker.stubgen.nodes import Nodes
from arraytyping.checker.stubgen.overloads import TypeVariables, array_pairs, by_scalar, single
from arraytyping.checker.stubgen.own_package import SOURCES, exported, modules
from arraytyping.checker.stubgen.spelling import Joining, LowerBound, UpperBound, element, in_order
from arraytyping.checker.stubgen.surface import read_surface
from arraytyping.semantics.lattice import JoinError
from arraytyping.semantics.rules import registry

assert registry.RULES

STUBS = Path(__file__).parent.parent / "stubs"


def test_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    """Where they were so before, and nothing has changed of what makes them, they are (see tests/agreements.py)."""
    digest = digest_of(["the stubs", *platform.python_version_tuple()[:2], *_makes_them()])
    if agreed(digest) and not is_thorough():
        return
    assert main(["--check"]) == 0, capsys.readouterr().out
    record(digest)


def _makes_them() -> Iterator[str]:
    """The generator and the rules with all that they import, jax's surface, what our modules export, and the stubs.

    Nothing in it hangs on what else was imported before, as the attributes of a package do.
    """
    folders = (SOURCES / "checker" / "stubgen", SOURCES / "semantics")  # which imports rules by their names
    files = [f.relative_to(SOURCES.parent).as_posix() for folder in folders for f in sorted(folder.rglob("*.py"))]
    read = read_for(SOURCES.parent, files, [])
    assert "arraytyping/__init__.py" in read  # which names what the package has
    yield from (part for item in read.items() for part in item)
    yield FILE.read_text(encoding="utf-8")
    for module in modules():
        yield f"{module} {sorted(exported(module))}"
    for stub in sorted(STUBS.rglob("*")):
        yield stub.relative_to(STUBS).as_posix()
        yield stub.read_text(encoding="utf-8") if stub.is_file() else ""


def test_a_change_of_what_makes_them_has_them_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule, the generator, the surface, a stub and a name that is exported are all in what is kept."""
    real = Path.read_text
    before = [*_makes_them()]
    changed = ("rules/binary.py", "stubgen/volumes.py", "jax_surface.txt", "-stubs/scalars.pyi", "lax/__init__.py")

    def read(path: Path, *args: Any, **options: Any) -> str:
        text = real(path, *args, **options)
        return f"{text}\nadded = 1\n" if path.as_posix().endswith(changed) else text

    monkeypatch.setattr(Path, "read_text", read)
    monkeypatch.setattr(arraytyping, "imported_by_another_test", jax, raising=False)
    others = [b for a, b in zip(before, _makes_them(), strict=True) if a != b]
    assert sum(text.endswith("added = 1\n") for text in others) >= len(changed) - 1
    assert any(text.startswith("lax [") and "'added'" in text for text in others)
    assert not any("imported_by_another_test" in text for text in others)


def test_stubs_with_64_bits_are_not_written_over_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--x64"])
    assert "--x64 needs --output" in capsys.readouterr().err


def test_check_finds_a_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "jax-stubs").mkdir()
    (tmp_path / "jax-stubs" / "old.pyi").write_text("x: int\n")
    files = {"py.typed": "partial\n"}
    from arraytyping.checker.stubgen.__main__ import update

    assert update(tmp_path / "jax-stubs", files, check=True) == [
        tmp_path / "jax-stubs" / "old.pyi", tmp_path / "jax-stubs" / "py.typed",
    ]  # fmt: skip
    assert update(tmp_path / "jax-stubs", files, check=False)
    assert sorted(p.name for p in (tmp_path / "jax-stubs").iterdir()) == ["py.typed"]
    assert update(tmp_path / "jax-stubs", files, check=True) == []


def test_nothing_is_left_out() -> None:
    """Whatever a module or an array of the installed JAX has, the stubs declare."""
    if f"jax {jax.__version__}," not in FILE.read_text().splitlines()[0]:
        pytest.skip("the surface is that of another release of jax")
    if sys.version_info[:2] == (3, 11):  # what a class inherits from `int` or `tuple` is another version's
        # in a fresh interpreter: which submodules a module of jax has depends on what was imported
        code = "import sys, jax_surface; sys.stdout.write(jax_surface.surface())"
        found = subprocess.run(
            [sys.executable, "-c", code], cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        )
        assert found.stdout == FILE.read_text(), "run `python tests/jax_surface.py` under Python 3.11"
    declared = _names(STUBS / "jax-stubs" / "_src" / "basearray.pyi", "Array")
    array = type(jax.numpy.zeros(()))
    missing = {n for cls in (jax.Array, array) for n in dir(cls) if not n.startswith("_")} - declared
    assert missing == set()
    for module, names in read_surface().items():
        if module not in ("jax.Array", "jax.typing"):
            path = STUBS / "jax-stubs" / Path(*module.split(".")[1:])
            file = path / "__init__.pyi" if path.is_dir() else path.with_suffix(".pyi")
            assert set(names) - _names(file) == set(), module


def _names(file: Path, cls: str = "") -> set[str]:
    body: list[ast.stmt] = ast.parse(file.read_text()).body
    if cls:
        body = next(s.body for s in body if isinstance(s, ast.ClassDef) and s.name == cls)
    found: set[str] = set()
    for s in body:
        if isinstance(s, ast.FunctionDef | ast.ClassDef):
            found.add(s.name)
        elif isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name):
            found.add(s.target.id)
        elif isinstance(s, ast.Assign):
            found |= {t.id for t in s.targets if isinstance(t, ast.Name)}
        elif isinstance(s, ast.ImportFrom):
            found |= {a.asname for a in s.names if a.asname is not None}
    return found


def test_no_wrong_overloads_pass() -> None:
    nodes = Nodes()
    low, high = in_order(["int8"], nodes), in_order(["int8", "int16"], nodes)
    answers = {("int8", "int8"): "int8", ("int8", "int16"): "int16", ("int16", "int8"): "int16"}
    right = [Overload((low, low), "int8"), Overload((high, high), "int16")]
    assert verified(right, answers) == right  # type: ignore[arg-type]
    for wrong in (right[::-1], right[:1], [Overload((high, high), None)]):
        with pytest.raises(AssertionError, match="the overloads say"):
            verified(wrong, answers)  # type: ignore[arg-type]


def test_order_classes_say_the_joins() -> None:
    """For two strong dtypes, exactly one of the classes of the order says their join, or there is none."""
    nodes = Nodes()
    result = TypeVariables(nodes).same(None)
    for a in nodes.strong:
        for b in nodes.strong:
            try:
                join: str | None = nodes.lattice.join(a, b)
            except JoinError:
                join = None
            said = {b} if UpperBound(result, nodes).admits(b, a) else set()
            said |= {a} if LowerBound(nodes).admits(b, a) else set()
            said |= {j for place in range(3) if (j := Joining(place, result, nodes).join(b, a)) is not None}
            assert said == ({join} - {None}), (a, b)


def test_unions_name_usual_dtypes_first_and_groups_by_their_class() -> None:
    nodes = Nodes()
    scalars = ast.parse((STUBS / "jax-stubs" / "_src" / "numpy" / "scalar_types.pyi").read_text()).body
    bases = {s.name: [ast.unparse(b) for b in s.bases] for s in scalars if isinstance(s, ast.ClassDef)}
    for group, members in nodes.groups.items():
        assert {n for n in nodes.strong if group in bases[element(n)]} == members
        assert in_order({*members, "int"}, nodes).dtypes() == f"{group} | int"
    integers = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32)}
    assert nodes.groups == {"NarrowInteger": integers, "BelowFloat": integers | {"bool", "int64", "uint64"}}
    assert in_order(["int8", "float", "float64", "float32"], nodes).dtypes() == "float32 | float | int8 | float64"
    for name in nodes.strong:
        order = next(b for b in bases[element(name)] if b.startswith("UpperBound"))
        assert order.startswith(f"UpperBound[Is_{name}"), order


@pytest.mark.parametrize("rule", ["numpy.add", "numpy.true_divide", "numpy.power", "numpy.left_shift", "lax.pow"])
def test_no_overload_of_a_scalar_is_superfluous(rule: str) -> None:
    calls = Calls(Rules(Nodes()))
    for array in (0, 1):
        answers = {
            o: a for o, a in calls.two.pairs(rule).items()
            if isinstance(o[array], str) and isinstance(o[1 - array], Python)
        }  # fmt: skip
        rows = by_scalar(answers, calls.rules.nodes, calls.variables, array)
        assert is_right(rows, answers)
        assert [r for r in rows if is_right([o for o in rows if o is not r], answers)] == []


def test_exceptions_and_type_variables() -> None:
    nodes = Nodes()
    odd = {(a, b): "bool" if (a, b) == ("int8", "float32") else "float32" for a in nodes.names for b in nodes.names}
    made = array_pairs(odd, nodes, TypeVariables(nodes))  # type: ignore[arg-type]
    assert "bool" in {o.answer for o in made}
    column = {n: n if n != "bool" else ERROR for n in nodes.names}
    rows = single(column, nodes, TypeVariables(nodes))
    assert [r.same for r in rows] == [0]
