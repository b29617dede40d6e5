"""x64 by program: folders of programs that differ, modules that they share, and what mypy's cache makes of changes."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from kept_runs import run_or_recall
from mypy_runs import Mypy, command_cache

from arraytyping.checker.audit import compare
from arraytyping.checker.claims import ProgramClaims
from arraytyping.checker.flow.sources import x64_programs
from arraytyping.checker.flow.sources.live_code import FileCode, read_code
from arraytyping.checker.flow.sources.x64_programs import decide_x64
from arraytyping.checker.flow.sources.x64_switches import ProgramsX64, switches_in

SWITCH = 'import jax\njax.config.update("jax_enable_x64", True)\n'
OFF = SWITCH.replace("True", "False")
ASK = 'if __name__ == "__main__":\n    {}\n'


def decided(tmp_path: Path, files: dict[str, str], *configured: str, paths: list[str] | None = None) -> ProgramsX64:
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / ".git").mkdir(exist_ok=True)
    return decide_x64([tmp_path / p for p in paths or ["."]], configured, tmp_path, {})


CLASS = 'import jax\nclass Run:\n    def __init__(self): jax.config.update("jax_enable_x64", True)\n'
CHECKERS = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import on\nprint()"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        # a script speaks for itself, and for what it alone imports
        ({"a": SWITCH, "b": "print()"}, {"a": True, "b": False}),
        ({"a": f"import lib\n{SWITCH}", "b": "print()", "lib": ""}, {"a": True, "b": False, "lib": True}),
        ({"a": f"import lib\n{SWITCH}", "b": "import lib\nprint()", "lib": ""}, {"a": True, "b": False, "lib": None}),
        ({"a": "import on\nprint()", "b": "print()", "on": SWITCH}, {"a": True, "b": False, "on": True}),
        ({"a": "import lib\nprint()", "lib": "import on", "on": SWITCH, "b": "print()"}, {"lib": True, "b": False}),
        ({"a": SWITCH, "b": f"import lib\n{OFF}", "c": "print()", "lib": ""}, {"a": True, "lib": False, "c": False}),
        # what is asked whether it is run, and functions, do not run where the file is imported
        ({"a": SWITCH + ASK.format("run()"), "b": "import a\nprint()"}, {"a": True, "b": True}),
        (
            {"a": ASK.format('jax.config.update("jax_enable_x64", True)'), "b": "import a\nprint()"},
            {"a": None, "b": False},
        ),
        (
            {
                "a": 'import jax\ndef main():\n    jax.config.update("jax_enable_x64", True)\n' + ASK.format("main()"),
                "b": "import a\ndef main(): print()\n" + ASK.format("main()"),
            },
            {"a": None, "b": False},
        ),
        (
            {
                "lib": 'import jax\ndef wide():\n    jax.config.update("jax_enable_x64", True)\n',
                "a": "import lib\nlib.wide()",
                "b": "import lib\nprint()",
                "c": "from lib import wide as w\nw()",
                "d": "from lib import wide\nif input(): wide()",
            },
            {"a": True, "b": False, "c": True, "d": None, "lib": None},
        ),
        (
            {
                "lib": CLASS,
                "a": "from lib import Run\nRun()",
                "b": "import lib\nprint()",
            },
            {"a": True, "b": False},
        ),
        # imports for checkers alone, and under a condition
        (
            {"a": CHECKERS, "on": SWITCH, "b": "print()"},
            {"a": False, "b": False, "on": True},
        ),
        (
            {"a": "if input():\n    import on\nprint()", "on": SWITCH, "b": "print()"},
            {"a": None, "b": False, "on": None},
        ),
        # packages, relative imports, tests with a conftest, folders
        (
            {
                "pkg/__init__": SWITCH,
                "pkg/a": "",
                "pkg/b": "from . import a",
                "c": "import pkg.a\nprint()",
                "d": "print()",
            },
            {"pkg/a": True, "pkg/b": True, "c": True, "d": False},
        ),
        (
            {"src/pkg/__init__": "", "src/pkg/a": SWITCH, "tests/test_a": "import pkg.a", "b": "print()"},
            {"tests/test_a": True},
        ),
        (
            {"tests/conftest": SWITCH, "tests/test_a": "import lib", "lib": "", "b": "print()"},
            {"lib": True, "b": False},
        ),
        ({"x/train": SWITCH, "y/train": "print()"}, {"x/train": True, "y/train": False}),
        # modules that import each other
        (
            {"a": "import b", "b": "import a\nimport on", "on": SWITCH, "c": "print()"},
            {"a": True, "b": True, "c": False},
        ),
    ],
)
def test_a_module_has_what_its_programs_say(
    files: dict[str, str], expected: dict[str, bool | None], tmp_path: Path
) -> None:
    found = decided(tmp_path, {f"{name}.py": text for name, text in files.items()})
    assert {name: found.of(str(tmp_path / f"{name}.py")).value for name in expected} == expected


def test_who_uses_a_library_may_call_what_switches(tmp_path: Path) -> None:
    switch = "import jax\ndef accurate():\n    jax.config.update('jax_enable_x64', True)\n"
    files = {"lib/__init__.py": switch, "lib/ops.py": "import lib\nimport jax.numpy as jnp\n"}
    found = decided(tmp_path, files, paths=["lib"])
    assert found.of(str(tmp_path / "lib" / "ops.py")).value is None
    (tmp_path / "lib" / "ops.py").unlink()
    found = decided(tmp_path, {"main.py": "import lib\nif __name__ == '__main__':\n    print(lib)\n", **files})
    assert found.of(str(tmp_path / "main.py")).value is False


def test_configured_entry_points_decide(tmp_path: Path) -> None:
    files = {
        "a.py": f"import lib\n{SWITCH}",
        "b.py": "import lib\ndef main(): pass\n",
        "lib.py": "",
        "c.py": "print()\n",
    }
    both = decided(tmp_path, files)
    assert both.of(str(tmp_path / "lib.py")).value is None
    one = decided(tmp_path, files, "a.py")
    assert one.of(str(tmp_path / "lib.py")).value is None  # nothing imports b, so it is looked at by itself
    assert decided(tmp_path, files, "a.py", paths=["a.py"]).of(str(tmp_path / "lib.py")).value is True


def test_what_no_program_is_known_to_reach_may_belong_to_any(tmp_path: Path) -> None:
    found = decided(tmp_path, {"a.py": SWITCH, "b.py": "print()"})
    assert found.of(str(tmp_path / "elsewhere.py")).value is None
    assert decided(tmp_path, {"b.py": SWITCH}).of(str(tmp_path / "elsewhere.py")).value is True


def test_it_is_said_by_program_only_where_they_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    same = decided(Path(), {"a.py": SWITCH, "b.py": "import a\nprint()"})
    assert str(same) == 'x64: on (a.py:2: jax.config.update("jax_enable_x64", True))'
    more = {f"c{n}.py": "print()" for n in range(4)}
    assert str(decided(Path(), {"a.py": SWITCH, "b.py": "print()", **more})) == (
        'x64: on in a.py (a.py:2: jax.config.update("jax_enable_x64", True)); '
        "off in 5 programs (JAX's default: nothing switches it on)"
    )


TESTED = {
    "pkg/__init__.py": "from pkg.a import f\n",
    "pkg/a.py": "def f(): pass\n",
    "tests/test_a.py": f"{SWITCH}from pkg import f\ndef test_f(): f()\n",
    "other.py": "print()\n",
}


@pytest.mark.parametrize(
    ("files", "path", "expected"),
    [
        (TESTED, "pkg", {"pkg/a.py": None}),
        (TESTED, "pkg/a.py", {"pkg/a.py": None}),
        (TESTED, "other.py", {"other.py": False}),
        ({**TESTED, "run.py": "import pkg\nprint()\n"}, "pkg", {"pkg/a.py": None}),
        ({"pkg/a.py": "", "tests/test_a.py": f"import jax\nimport pkg\n{OFF}"}, "pkg", {"pkg/a.py": False}),
        (
            {"pkg/a.py": "", "tests/test_a.py": "import on\nimport pkg.a\n", "tests/on.py": SWITCH},
            "pkg",
            {"pkg/a.py": None},
        ),
        (
            {"tests/conftest.py": SWITCH, "tests/test_b.py": "import jax\n"},
            "tests/test_b.py",
            {"tests/test_b.py": True},
        ),
        ({"pkg/__init__.py": SWITCH, "pkg/a/b.py": "", "pkg/a/__init__.py": ""}, "pkg/a/b.py", {"pkg/a/b.py": True}),
        ({"pkg/__init__.py": SWITCH, "run.py": "print()\n"}, "run.py", {"run.py": False}),
    ],
)
def test_programs_that_are_not_checked_say_what_holds_for_what_they_import(
    files: dict[str, str], path: str, expected: dict[str, bool | None], tmp_path: Path
) -> None:
    found = decided(tmp_path, files, paths=[path])
    assert {name: found.of(str(tmp_path / name)).value for name in expected} == expected


KEYS = 'import jax\njax.config.update("jax_default_prng_impl", "rbg")\n'


@pytest.mark.parametrize(
    ("files", "is_default"),
    [
        ({"tests/conftest.py": "import jax\n", "tests/test_a.py": "import pkg.a\n"}, True),
        ({"tests/conftest.py": KEYS, "tests/test_a.py": "import pkg.a\n"}, False),
        ({"tests/test_a.py": f"from pkg import a\n{KEYS}"}, False),
        ({"pkg/keys.py": f"from . import a\n{KEYS}"}, False),
        ({"conftest.py": KEYS}, False),
        ({"other.py": KEYS}, True),
    ],
)
def test_keys_of_a_package_are_as_its_tests_make_them(files: dict[str, str], is_default: bool, tmp_path: Path) -> None:
    decided(tmp_path, {"pkg/__init__.py": "", "pkg/a.py": "", **files})
    assert switches_in([tmp_path / "pkg"], {}).has_default_keys is is_default


def test_a_folder_that_nothing_says_is_a_project_is_not_looked_through(tmp_path: Path) -> None:
    for name, text in {**TESTED, **{f"more/f{n}/x.py": "" for n in range(70)}}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert not switches_in([tmp_path / "pkg"], {}).x64
    (tmp_path / ".git").mkdir()
    assert switches_in([tmp_path / "pkg"], {}).x64


LATE = 'jax.config.update("jax_enable_x64", True)\n'
BOTH = "import jax\nimport jax.numpy as jnp\n"
TABLE = f"{BOTH}TABLE = jnp.arange(3.0)\ndef fresh(): return jnp.arange(3.0)\n"
QUIET = (
    f"{BOTH}import dataclasses\nimport logging\nfrom functools import partial\nlog = logging.getLogger(__name__)\n"
    "@jax.jit\ndef fresh(): return jnp.arange(3.0)\nstep = jax.jit(fresh)\n"
    "@partial(jax.jit, static_argnums=0)\ndef sized(n, x=None): return jnp.zeros(n)\n"
    "@dataclasses.dataclass\nclass A:\n    x: jax.Array\n    def f(self): return jnp.ones(3)\n"
    "if __name__ == '__main__':\n    jnp.ones(3)\n"
)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"run": f"{BOTH}x = jnp.ones(3)\n{LATE}y = jnp.ones(3)\n"}, {"run": None}),
        ({"run": f"{BOTH}{LATE}x = jnp.ones(3)\n"}, {"run": True}),
        ({"run": f"import jax\nimport lib\n{LATE}", "lib": TABLE}, {"run": True, "lib": None}),
        ({"run": f"import jax\n{LATE}import lib\n", "lib": TABLE}, {"run": True, "lib": True}),
        ({"run": f"import jax\nimport lib\n{LATE}", "lib": QUIET}, {"run": True, "lib": True}),
        # by way of functions, classes, decorators, defaults and what is handed on
        ({"run": f"import jax\nimport lib\nT = lib.fresh()\n{LATE}", "lib": QUIET}, {"run": True, "lib": None}),
        ({"run": f"import jax\nfrom lib import A as B\nB(1).f()\n{LATE}", "lib": QUIET}, {"lib": None}),
        ({"run": f"import jax\nimport lib\njax.eval_shape(lib.fresh)\n{LATE}", "lib": QUIET}, {"lib": None}),
        ({"run": f"{BOTH}def f(x=jnp.ones(3)): pass\n{LATE}"}, {"run": None}),
        ({"run": f"{BOTH}ones = jnp.ones\nx = ones(3)\n{LATE}"}, {"run": None}),
        (
            {"run": f"{BOTH}class A:\n    def __init__(self): jnp.ones(3)\nclass B(A): pass\nB()\n{LATE}"},
            {"run": None},
        ),
        ({"run": f"{BOTH}def main():\n    jnp.ones(3)\n    {LATE}" + ASK.format("main()")}, {"run": None}),
        ({"run": f"{BOTH}def main():\n    {LATE}    jnp.ones(3)\n" + ASK.format("main()")}, {"run": True}),
        ({"run": f"{BOTH}from absl import app\ndef main(a):\n    {LATE}    jnp.ones(3)\napp.run(main)"}, {"run": True}),
        (
            {"run": f"import lib\nimport on\n{BOTH}x = jnp.ones(3)", "lib": TABLE, "on": SWITCH},
            {"run": True, "lib": None},
        ),
        (
            {"run": f"import on\nimport lib\n{BOTH}x = jnp.ones(3)", "lib": TABLE, "on": SWITCH},
            {"run": True, "lib": True},
        ),
        # switched to what it is anyway
        ({"run": f"{BOTH}x = jnp.ones(3)\n{LATE.replace('True', 'False')}"}, {"run": False}),
    ],
)
def test_what_is_made_before_the_switch_is_of_either_width(
    files: dict[str, str], expected: dict[str, bool | None], tmp_path: Path
) -> None:
    found = decided(tmp_path, {f"{name}.py": text for name, text in files.items()}, paths=["run.py"])
    assert {name: found.of(str(tmp_path / f"{name}.py")).value for name in expected} == expected


def test_a_package_that_switches_after_its_imports(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": f"import jax\nfrom . import a\n{LATE}from . import b\n",
        "pkg/a.py": TABLE,
        "pkg/b.py": TABLE,
    }
    found = decided(tmp_path, files, paths=["pkg/b.py"])
    assert [found.of(str(tmp_path / "pkg" / f"{name}.py")).value for name in "ab"] == [None, True]


# ------------------------------------------------------------------------------------------- claims against runs

CLEAN = """\
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float32

def norm(x: Float32[Array, "3"]) -> Float32[Array, ""]:
    return jnp.sqrt(jnp.sum(x * x))

print(norm(jnp.ones(3)))
print(lax.add(jnp.ones(3), jnp.ones(3, jnp.float32)))
"""
NUMPY = "import jax.numpy as jnp\n"
PROGRAMS = {
    "clean.py": CLEAN,
    "precise.py": f"{SWITCH}{NUMPY}import shared\nx = jnp.ones(3)\ny = x * jnp.arange(3)\nz = shared.grid(4)\n",
    "also_precise.py": f"import settings\n{NUMPY}a = jnp.linspace(0, 1, 5)\nb = jnp.cumsum(a) / a.mean()\n",
    "settings.py": SWITCH,
    "shared.py": f"{NUMPY}def grid(n):\n    steps = jnp.arange(5) * 2\n    return steps / steps.sum()\n",
    "usual.py": f"import shared\n{NUMPY}w = jnp.zeros((2, 3)) + 1\nv = (w @ w.T).sum() * shared.grid(3)\n",
    "counts.py": f"{NUMPY}k = jnp.array([1, 2, 3])\nm = jnp.bincount(k, length=4)\nn = k.sum() + m.mean()\n",
}
SCRIPTS = ("clean.py", "precise.py", "also_precise.py", "usual.py", "counts.py")


def test_no_claim_is_wrong_in_a_folder_of_programs_that_differ(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text)
    environ = {**os.environ, "MYPY_CACHE_DIR": str(command_cache(tmp_path_factory))}
    environ.pop("JAX_ENABLE_X64", None)
    runs = run_or_recall([tmp_path / name for name in SCRIPTS])
    for layer in ("--no-flow", "--no-types"):
        command = [sys.executable, "-m", "arraytyping", "coverage", layer, "--json", "."]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environ)
        assert done.returncode == 0, done.stderr
        claims = ProgramClaims.from_json(json.loads(done.stdout))
        for script, run in runs.items():
            assert run.exception is None, run.traceback
            audit = compare(claims, run.observations, tmp_path)
            assert [str(w) for w in audit.wrong] == [], (layer, script.name)
            assert audit.statistics.dtype_known >= 2, (layer, script.name, str(audit.statistics))
    command = [sys.executable, "-m", "arraytyping", "check", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environ)
    assert "error" not in done.stdout, done.stdout
    assert "x64: on in also_precise.py, precise.py (" in done.stdout
    assert "; off in clean.py, counts.py, usual.py (JAX's default" in done.stdout


SHOWING = f"""\
import jax
import jax.numpy as jnp
from consts import TABLE

x = jnp.ones(3)
{LATE}
y = jnp.ones(3)
shown = (x, y, TABLE, TABLE + y)
"""


def test_no_claim_is_wrong_of_what_is_made_before_the_switch(mypy: Mypy) -> None:
    files = {"run.py": f"{SHOWING}reveal_type(shown)\n", "consts.py": TABLE}
    (shown,) = mypy.run(files, check=["run.py"]).revealed()
    script = f"{SHOWING}print(*(a.dtype.name for a in shown))"
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=mypy.directory, capture_output=True, text=True, check=True
    ).stdout.split()
    assert ran == ["float32", "float64", "float32", "float64"]
    claimed = [item.split(", ")[0].split(" | ") for item in re.findall(r"Array\[([^]]*)\]", shown)]
    assert len(claimed) == len(ran)
    for possible, dtype in zip(claimed, ran):
        assert dtype in possible, shown


def test_a_file_of_many_programs_is_taken_apart_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[ast.Module] = []

    def counted(tree: ast.Module) -> FileCode:
        taken.append(tree)
        return read_code(tree)

    monkeypatch.setattr(x64_programs, "read_code", counted)
    scripts = {f"{name}.py": f"import lib\nlib.start()  # {name}" for name in "abcd"}
    lib = 'import jax\ndef start():\n    jax.config.update("jax_enable_x64", True)'
    found = decided(tmp_path, {**scripts, "lib.py": lib, "alone.py": "print()"})
    assert {name: d.value for name, d in found.by_program.items() if name.endswith("a.py")} == {
        str(tmp_path / "a.py"): True
    }
    assert len(taken) == 6, [ast.unparse(tree) for tree in taken]


def test_what_programs_load_alike_is_found_once_and_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    switch = 'jax.config.update("jax_enable_x64", True)'
    files = {
        "pkg/__init__.py": "from pkg import ops, deco\nfrom .main import main",
        "pkg/ops.py": f"import jax\ndef wide():\n    {switch}\ndef narrow(): pass\n",
        "pkg/deco.py": f"import jax\nfrom functools import cache\n@cache\ndef kept():\n    {switch}\n",
        "pkg/main.py": f"import pkg.ops\ndef main(): helper()\n{ASK.format('pkg.ops.wide()')}",
        "pkg/late.py": "import pkg\nif input():\n    from . import seldom\n",
        "pkg/seldom.py": f"import jax\n{switch}\n",
        "tests/conftest.py": "import pkg\n",
        **{f"tests/test_{n}.py": f"import pkg\ndef test_it(): pkg.ops.{n}()\n" for n in ("wide", "narrow")},
        "tests/test_named.py": f"import pkg\nimport jax\ndef helper():\n    {switch}\n",
        "alone.py": "print()",
        "runs.py": "from pkg.ops import wide\nif input(): wide()\n",
    }
    shared = decided(tmp_path, files)
    runs: list[str] = []
    run = x64_programs._Loaded.load

    def counted(loaded: x64_programs._Loaded, file: str, name: str, level: int, *, is_main: bool = False) -> None:
        runs.append(name)
        run(loaded, file, name, level, is_main=is_main)

    monkeypatch.setattr(x64_programs._Loaded, "load", counted)
    assert str(decided(tmp_path, files)) == str(shared)
    few = runs.count("pkg.deco")
    runs.clear()
    monkeypatch.setattr(x64_programs._Files, "loaded_before", lambda self, roots, _: x64_programs._Loaded(roots, self))
    apart = decided(tmp_path, files)
    assert runs.count("pkg.deco") > few
    assert str(apart) == str(shared)
    assert dict(apart.by_file) == dict(shared.by_file)
    assert apart.by_program == shared.by_program
    assert len({d.value for d in apart.by_program.values()}) > 1


# ------------------------------------------------------------------------------------------- mypy's cache

SHOWN = "import jax.numpy as jnp\nreveal_type(jnp.arange(3))\n"
NARROW, WIDE, EITHER = (f"Array[{d}, tuple[Literal[3]]]" for d in ("int32", "int64", "int32 | int64"))


@pytest.mark.thorough
def test_a_change_in_one_script_checks_just_those_modules_again(mypy: Mypy, tmp_path: Path) -> None:
    files = {
        "a.py": "import lib\n" + SHOWN,
        "b.py": SHOWN,
        "lib.py": SHOWN,
        "c.py": "import other\n",
        "other.py": SHOWN,
    }
    options = ["--cache-dir", str(mypy.cache), "-v"]

    def check(**changed: str) -> tuple[dict[str, str | None], set[str]]:
        run = mypy.run({**files, **{f"{n}.py": t for n, t in changed.items()}}, options=options)
        stale = {line.split()[4] for line in run.output.splitlines() if "Metadata abandoned for" in line}
        return {m.file: m.revealed for m in run.messages if m.revealed}, {s.rstrip(":") for s in stale}

    assert set(check()[0].values()) == {NARROW}
    shown, stale = check(a=files["a.py"] + SWITCH)
    assert shown == {"a.py": WIDE, "lib.py": WIDE, "b.py": NARROW, "other.py": NARROW}
    assert {"lib"} <= stale, stale
    assert not stale & {"b", "c", "other"}, stale
    shown, stale = check(a=files["a.py"] + SWITCH, b="import lib\n" + SHOWN)
    assert shown == {"a.py": WIDE, "lib.py": EITHER, "b.py": NARROW, "other.py": NARROW}
    assert not stale & {"c", "other"}, stale


def test_the_daemon_begins_anew_where_x64_changes(mypy: Mypy) -> None:
    """No module imports jax here, so that it begins fast."""
    switch = 'import os\nos.environ["JAX_ENABLE_X64"] = "1"\n'
    files = {"a.py": "import lib\nprint()\n", "b.py": "print()\n", "lib.py": "x = 1\n"}
    mypy.write({**files, "pyproject.toml": '[tool.mypy]\nplugins = ["arraytyping_mypy"]\n'})
    command = [sys.executable, "-m", "mypy.dmypy"]

    def restarts(**changed: str) -> bool:
        mypy.write({f"{name}.py": text for name, text in changed.items()})
        done = subprocess.run([*command, "run", "--", *files], cwd=mypy.directory, capture_output=True, text=True)
        assert "Success" in done.stdout, done.stdout + done.stderr
        assert "Restarting: configuration changed" not in done.stdout
        return "Restarting: plugins changed" in done.stdout

    try:
        assert not restarts()
        assert not restarts(b="print(1)\n")
        assert restarts(a=files["a.py"] + switch)
        assert not restarts(b="print(2)\n")
        assert restarts(b="import lib\nprint()\n")
    finally:
        subprocess.run([*command, "kill"], cwd=mypy.directory, capture_output=True)
