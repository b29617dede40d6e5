"""x64 as it is decided from a program's text and the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from arraytyping.checker.flow.sources.x64_programs import decide_x64
from arraytyping.checker.imported_files import python_files
from arraytyping.checker.x64 import X64Decision, parse_flag

ON = 'import jax\njax.config.update("jax_enable_x64", True)\n'
OFF = ON.replace("True", "False")


def decided(tmp_path: Path, environ: dict[str, str] | None = None, /, **files: str) -> X64Decision:
    for name, text in files.items():
        file = tmp_path / f"{name.replace('__', '/')}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return of_all([tmp_path], environ)


def of_all(roots: list[Path], environ: dict[str, str] | None = None) -> X64Decision:
    """The decision that all programs share."""
    decision = decide_x64(roots, environ=environ or {}).everywhere
    assert decision is not None
    return decision


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('import jax\njax.config.update("jax_enable_x64", True)', True),
        ('import jax\njax.config.update("jax_enable_x64", False)', False),
        ('import jax\njax.config.update("jax_enable_x64", val=1)', True),
        ('from jax import config\nconfig.update("jax_enable_x64", True)', True),
        ('from jax import config as c\nc.update("jax_enable_x64", True)', True),
        ('import jax.config as cfg\ncfg.update("jax_enable_x64", True)', True),
        ("import jax\njax.config.jax_enable_x64 = True", True),
        ("from jax import config\nconfig.jax_enable_x64 = False", False),
        ('import jax\nsetattr(jax.config, "jax_enable_x64", True)', True),
        ('import os\nos.environ["JAX_ENABLE_X64"] = "1"', True),
        ('import os\nos.environ["JAX_ENABLE_X64"] = "false"', False),
        ('from os import environ\nenviron["JAX_ENABLE_X64"] = "True"', True),
        ('import os as o\no.environ.setdefault("JAX_ENABLE_X64", "on")', True),
        ('import os\nos.environ.update(JAX_ENABLE_X64="1")', True),
        ('import os\nos.environ.update({"A": "b", "JAX_ENABLE_X64": "0"})', False),
        ('def main():\n    import jax\n    jax.config.update("jax_enable_x64", True)', True),
        ('if __name__ == "__main__":\n    jax.config.update("jax_enable_x64", True)', True),
        ('if not jax.config.jax_enable_x64:\n    jax.config.update("jax_enable_x64", True)', True),
        ('try:\n    jax.config.update("jax_enable_x64", True)\nfinally:\n    pass', True),
        # takes effect only sometimes
        ('import sys\njax.config.update("jax_enable_x64", "--double" in sys.argv)', None),
        ('if args.double:\n    jax.config.update("jax_enable_x64", True)', None),
        ('args.double and jax.config.update("jax_enable_x64", True)', None),
        ('jax.config.update("jax_enable_x64", True) if args.double else None', None),
        ('for x in ():\n    jax.config.update("jax_enable_x64", True)', None),
        ('while f():\n    jax.config.update("jax_enable_x64", True)', None),
        ('try:\n    pass\nexcept E:\n    jax.config.update("jax_enable_x64", True)', None),
        ('match a:\n    case "x":\n        jax.config.update("jax_enable_x64", True)', None),
        ('def test_a():\n    jax.config.update("jax_enable_x64", True)', None),
        ('@pytest.fixture\ndef double():\n    jax.config.update("jax_enable_x64", True)', None),
        ('import os\nos.environ["JAX_ENABLE_X64"] = flag', None),
        ('import os\nos.environ["JAX_ENABLE_X64"] = "maybe"', None),
        ("import jax\nwith jax.enable_x64(True):\n    pass", None),
        ("import jax as j\nwith j.enable_x64():\n    pass", None),
        ("from jax.experimental import enable_x64\nwith enable_x64():\n    pass", None),
        ("from jax.experimental import disable_x64 as d\nwith d():\n    pass", None),
        ("import jax\n@jax.enable_x64(True)\ndef f(): pass", None),
    ],
)
def test_what_a_program_says(text: str, value: bool | None, tmp_path: Path) -> None:
    decision = decided(tmp_path, a=text)
    assert decision.value is value
    assert len(decision.evidence) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = 1",
        '"""jax.config.update("jax_enable_x64", True)"""',
        '# jax.config.update("jax_enable_x64", True)',
        'print("jax_enable_x64")',
        'jax.config.update("jax_debug_nans", True)',
        "print(jax.config.jax_enable_x64)",
        "def enable_x64(): pass\nenable_x64()",
        'settings["JAX_ENABLE_X64"] = "1"',
        'import os\nos.environ.get("JAX_ENABLE_X64")',
        'jax.config.update("jax_enable_x64", True',  # a syntax error is the checker's to report
        "\0jax_enable_x64",
    ],
)
def test_what_says_nothing(text: str, tmp_path: Path) -> None:
    decision = decided(tmp_path, a=text)
    assert decision == X64Decision(False, "JAX's default: nothing switches it on", is_default=True)


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    declared = f"# -*- coding: latin-1 -*-\nx = '\xe9'\n{ON}".encode("latin-1")
    (tmp_path / "a.py").write_bytes(declared)
    assert of_all([tmp_path]).value is True
    (tmp_path / "a.py").write_bytes(declared.partition(b"\n")[2])  # not declared: no Python program
    assert of_all([tmp_path]).value is False


@pytest.mark.parametrize("text", ["1", "true", "True", "YES", "t", "on", "y"])
def test_the_environment_variable_as_jax_reads_it(text: str, tmp_path: Path) -> None:
    decision = decided(tmp_path, {"JAX_ENABLE_X64": text})
    assert str(decision) == f"x64: on (environment variable JAX_ENABLE_X64={text})"


def test_parse_flag_is_jaxs(monkeypatch: pytest.MonkeyPatch) -> None:
    from jax._src.config import bool_env

    for text in ("1", "0", "T", "f", "on", "OFF", "Yes", "n", "", "2", "enabled"):
        monkeypatch.setenv("X", text)
        try:
            expected: bool | None = bool_env("X", False)
        except ValueError:
            expected = None
        assert parse_flag(text) is expected, text


def test_the_program_wins_over_the_environment(tmp_path: Path) -> None:
    assert decided(tmp_path, {"JAX_ENABLE_X64": "1"}, a=OFF).value is False
    assert decided(tmp_path, {"JAX_ENABLE_X64": "0"}, a=ON).value is True


def test_a_default_for_the_variable_loses_against_the_environment(tmp_path: Path) -> None:
    text = 'import os\nos.environ.setdefault("JAX_ENABLE_X64", "1")\n'
    assert decided(tmp_path, {"JAX_ENABLE_X64": "0"}, a=text).value is False
    assert decided(tmp_path, {}, a=text).value is True


def test_a_variable_that_jax_refuses(tmp_path: Path) -> None:
    decision = decided(tmp_path, {"JAX_ENABLE_X64": "maybe"})
    assert decision.value is None
    assert "JAX_ENABLE_X64='maybe'" in decision.reason


def test_the_deciding_line_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    decision = decided(tmp_path, pkg__train=ON)
    assert str(decision) == 'x64: on (pkg/train.py:2: jax.config.update("jax_enable_x64", True))'


def test_a_program_that_contradicts_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    decision = decided(tmp_path, a=f"import b\n{ON}", b=OFF)
    assert decision.value is None
    assert str(decision) == (
        'x64: undecided (a.py:3: jax.config.update("jax_enable_x64", True) says on; '
        'b.py:2: jax.config.update("jax_enable_x64", False) says off; what depends on it is given for both)'
    )


def test_what_was_configured() -> None:
    assert str(X64Decision.configured(False, "pyproject.toml")) == "x64: off (configured in pyproject.toml)"


def test_directories_that_hold_no_program_are_passed_by(tmp_path: Path) -> None:
    names = (
        "a",
        "b/c",
        ".hidden/d",
        "venv/e",
        "lib/site-packages/f",
        "node_modules/g",
        "build/h",
        "own/i",
        "__pycache__/j",
    )
    for name in names:
        file = tmp_path / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(ON)
    (tmp_path / "own" / "pyvenv.cfg").write_text("")
    (tmp_path / "b" / "notes.txt").write_text(ON)
    found = [f.relative_to(tmp_path).as_posix() for f, _ in python_files([tmp_path, tmp_path / "b"])]
    assert found == ["a.py", "b/c.py"]


def test_a_root_inside_such_a_directory_is_read_all_the_same(tmp_path: Path) -> None:
    inside = tmp_path / "build" / "pkg"
    inside.mkdir(parents=True)
    (inside / "a.py").write_text(ON)
    assert of_all([inside]).value is True


@pytest.mark.parametrize(
    "line",
    [
        "import settings",
        "import os, settings",
        "import settings as s",
        "from settings import x",
        "try:\n    import settings\nexcept ImportError:\n    pass",
        "from middle import x",
        "from pkg import inner",
        "from pkg import (\n    other,\n    inner,\n)",
        "import pkg.inner",
        "from pkg.inner import y",
        "import pkg.relative",
    ],
)
def test_the_imports_of_a_file_are_followed(line: str, tmp_path: Path) -> None:
    files = {
        "settings": ON,
        "middle": "import settings",
        "pkg/__init__": "",
        "pkg/inner": ON,
        "pkg/relative": "from . import inner",
        "unrelated": OFF,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").write_text(text)
    main = tmp_path / "main.py"
    main.write_text(f"{line}\n")
    assert of_all([main]).value is True
    main.write_text("import json, numpy\nfrom . import nothing\nfrom .. import more\n")
    assert of_all([main]).evidence == ()


def test_roots_that_are_not_there_say_nothing(tmp_path: Path) -> None:
    assert of_all([tmp_path / "missing"]).value is False
