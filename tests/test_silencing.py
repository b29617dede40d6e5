"""What silences errors silences them in both layers, and mypy's own errors are shown where they are wanted."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path

import forked_commands
import pytest
from arraytyping_mypy.own_errors import about_arrays
from arraytyping_mypy.silencing import Silencing
from mypy_runs import Mypy, command_cache, of_modules

START = "import jax.numpy as jnp\nx = jnp.ones((3, 4))\n"
MISTAKE = f"{START}x @ x\n"
SPREAD = f"{START}y = jnp.dot(%s\n    x,\n    x,\n)\n"
CONFIG = "pyproject.toml"


def _run(directory: Path, cache: Path, *args: str) -> str:
    environ = {**os.environ, "MYPY_CACHE_DIR": str(cache), "ARRAYTYPING_DEBUG": "1"}
    done = forked_commands.run("-m", "arraytyping", "check", *args, cwd=directory, env=environ)
    return f"{done.returncode}\n{done.stdout}{done.stderr}"


CASES: dict[str, tuple[str, int]] = {
    # name: the text, and how many errors are left of it
    "none": (MISTAKE, 1),
    "own_bare": (f"{START}x @ x  # arraytyping: ignore\n", 0),
    "own_code": (f"{START}x @ x  # arraytyping: ignore[array-shape]\n", 0),
    "own_codes": (f"{START}x @ x  # arraytyping: ignore[array-dtype, array-shape]\n", 0),
    "own_other_code": (f"{START}x @ x  # arraytyping: ignore[array-dtype]\n", 1),
    "own_with_another": (f"{START}x @ x  # noqa  # arraytyping: ignore[array-shape] - on purpose\n", 0),
    "own_in_a_string": (f'{START}(x @ x, "# arraytyping: ignore")\n', 1),
    "own_first_line": (SPREAD % "  # arraytyping: ignore[array-shape]", 0),
    "own_elsewhere": (f"{START}# arraytyping: ignore\nx @ x\n", 1),
    "own_file": (f"# arraytyping: ignore\n{MISTAKE}", 0),
    "own_file_code": (f"# arraytyping: ignore[array-shape]\n{MISTAKE}x - (x > 0)\n(x > 0) - (x > 0)\n", 1),
    "type_file": (f"# type: ignore\n{MISTAKE}", 0),
    "type_code": (f"{START}x @ x  # type: ignore[array-shape]\n", 0),
    "type_other_code": (f"{START}x @ x  # type: ignore[array-dtype]\n", 1),
    "type_first_line": (SPREAD % "  # type: ignore[array-shape]", 0),
    "type_inner_line": (SPREAD.replace("    x,\n)", "    x,  # type: ignore[array-shape]\n)") % "", 0),
    "mypy_ignore_errors": (f"# mypy: ignore-errors\n{MISTAKE}", 0),
    "mypy_disable": (f'# mypy: disable-error-code="array-shape"\n{MISTAKE}', 0),
    "no_type_check": (f"from typing import no_type_check\n{START}@no_type_check\ndef f():\n    x @ x\nf()\n", 0),
    "no_type_check_of_typing": (f"import typing\n{START}@typing.no_type_check\ndef f() -> None:\n    x @ x\n", 0),
    "no_type_check_elsewhere": (
        f"from typing import no_type_check\n{START}@no_type_check\ndef f():\n    pass\nx @ x\n",
        1,
    ),
    "left_out": (MISTAKE, 0),
    "configured_code": (MISTAKE, 0),
    "configured_all": (MISTAKE, 0),
}
SETTINGS = """
[tool.mypy]
show_error_codes = true
exclude = ["^left_o", "^generated/$"]
[[tool.mypy.overrides]]
module = "configured_code"
disable_error_code = ["array-shape"]
[[tool.mypy.overrides]]
module = "configured_all"
ignore_errors = true
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file for each case."""
    directory = tmp_path_factory.mktemp("silencing")
    for name, (text, _) in CASES.items():
        (directory / f"{name}.py").write_text(text)
    (directory / CONFIG).write_text(SETTINGS)
    (directory / "generated").mkdir()
    (directory / "generated" / "left_out_as_well.py").write_text(MISTAKE)
    (directory / ".git").mkdir()
    return directory


@pytest.mark.parametrize("layers", [(), ("--no-types",), ("--no-flow",)], ids=["both", "flow", "types"])
def test_what_silences_one_layer_silences_the_other(
    layers: tuple[str, ...], folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    out = _run(folder, command_cache(tmp_path_factory), *layers, ".")
    lines = [line for line in out.splitlines() if ": error: " in line]
    errors = {name: sum(line.startswith(f"{name}.py:") for line in lines) for name in CASES}
    assert errors == {name: left for name, (_, left) in CASES.items()}, out
    assert "generated" not in out


def test_our_comment_works_in_mypy(mypy: Mypy) -> None:
    files = {f"{name}.py": text for name, (text, _) in CASES.items() if name.startswith("own")}
    run = mypy.run(files, mypy_settings=of_modules(files, "warn_unused_ignores = true"))
    left = {f"{name}.py": n for name, (_, n) in CASES.items() if name.startswith("own")}
    assert {file: sum(m.file == file for m in run.errors()) for file in files} == left, run.output
    unknown = mypy.run(f"{START}x @ x  # arraytyping: ignore[array-shap]\n")
    assert [m.code for m in unknown.errors()] == ["array-shape"]
    notes = [m.text for m in unknown.messages if m.severity == "note"]
    assert notes == [
        "arraytyping: ignore names array-shap, which is no error code of arraytyping; did you mean array-shape?"
    ]


UNUSED = {
    "used.py": f"{START}x @ x  # arraytyping: ignore[array-shape]\n",
    "unused.py": f"{START}x @ x.T  # arraytyping: ignore[array-shape]\n",
    "partly.py": f"{START}x @ x  # arraytyping: ignore[array-shape, array-dim]\n",
    "bare.py": f"# arraytyping: ignore\n{START}",
    "typo.py": f"{START}x @ x.T  # arraytyping: ignore[nothing]\n",
}


@pytest.mark.parametrize("layers", [(), ("--no-types",)], ids=["both", "flow"])
def test_unused_comments_are_told_on_demand(
    layers: tuple[str, ...], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for name, text in UNUSED.items():
        (tmp_path / name).write_text(text)
    cache = command_cache(tmp_path_factory)
    assert "Unused" not in _run(tmp_path, cache, *layers, ".")
    out = _run(tmp_path, cache, *layers, "--unused-ignores", ".")
    assert [line for line in out.splitlines() if "Unused" in line] == [
        'bare.py:1: error: Unused "arraytyping: ignore" comment  [unused-ignore]',
        'partly.py:3: error: Unused "arraytyping: ignore[array-dim]" comment  [unused-ignore]',
        'unused.py:3: error: Unused "arraytyping: ignore[array-shape]" comment  [unused-ignore]',
    ]
    assert out.startswith("1\n")
    assert "typo.py:3: note: arraytyping: ignore names nothing, which is no error code" in out.replace("3:1:", "3:")


def test_mypys_comments_are_told_without_the_types(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (tmp_path / "a.py").write_text(
        f"{START}x @ x.T  # type: ignore[array-shape]\nx @ x  # type: ignore[array-shape, array-dim]\n"
        "x @ x.T  # type: ignore[attr-defined]\nx @ x  # type: ignore[array-shape]\n"
    )
    out = _run(tmp_path, tmp_path / "cache", "--no-types", "a.py", "--mypy-args", "--warn-unused-ignores")
    assert [line for line in out.splitlines() if "error" in line][:2] == [
        'a.py:3: error: Unused "type: ignore" comment  [unused-ignore]',
        'a.py:4: error: Unused "type: ignore[array-dim]" comment  [unused-ignore]',
    ]


# ------------------------------------------------------------------------------------------- mypy's own errors

OWN = "import jax.numpy as jnp\nn: int = 'text'\nreveal_type(n)\nx = jnp.ones((3, 4))\nx.nothing\nx @ x\n"


@pytest.mark.thorough
def test_mypys_own_errors_are_shown_where_it_is_configured(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (tmp_path / "a.py").write_text(OWN)
    (tmp_path / ".git").mkdir()
    cache = command_cache(tmp_path_factory)

    def codes(*args: str) -> list[str]:
        lines = _run(tmp_path, cache, *args).splitlines()
        return [line.rpartition("[")[2].strip("]") for line in lines if ": error: " in line]

    quiet = _run(tmp_path, cache, "--no-flow", "a.py")
    assert "[assignment]" not in quiet
    assert "note: Revealed type is" in quiet
    assert "Found 1 error in 1 file" in quiet
    assert codes("--no-flow", "a.py") == ["array-shape"]
    assert codes("--no-flow", "--mypy-errors", "a.py") == ["assignment", "attr-defined", "array-shape"]
    assert codes("--no-flow", "a.py", "--mypy-args", "--warn-unreachable") == [
        "assignment",
        "attr-defined",
        "array-shape",
    ]
    hidden = _run(tmp_path, cache, "--no-flow", "a.py", "--mypy-args", "--hide-error-codes")
    assert "they must be equal\n" in hidden
    assert "Incompatible" not in hidden
    as_json = _run(tmp_path, cache, "--no-flow", "a.py", "--mypy-args", "-O", "json")
    found = [json.loads(line)["code"] for line in as_json.splitlines() if line.startswith("{")]
    assert [code for code in found if code != "misc"] == ["array-shape"]
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    assert codes("--no-flow", "a.py") == ["assignment", "attr-defined", "array-shape"]
    (tmp_path / "mypy.ini").unlink()
    (tmp_path / "a.py").write_text("n: int = 'text'\n")
    assert _run(tmp_path, cache, "--no-flow", "a.py").startswith("0\nSuccess")


def test_what_belongs_to_an_error_goes_with_it() -> None:
    messages = [
        "a.py:1: error: of mypy  [assignment]",
        "    x = 1",
        "        ^",
        'a.py:2: note: Revealed type is "int"',
        "a.py:3: error: of arrays  [array-shape]",
        "    x @ x",
        "a.py:3: note: x is float32[3]",
        "a.py:4: error: of mypy  [import-not-found]",
        "a.py:4: note: See https://mypy.readthedocs.io",
        "a.py:5: error: invalid syntax  [syntax]",
        "a.py:6:1:6:5: error: of arrays  [array-dim]",
    ]
    assert about_arrays(messages) == [*messages[3:7], *messages[9:]]
    assert about_arrays(messages[4:5], hides_codes=True) == ["a.py:3: error: of arrays"]


def test_comments_are_read_once_and_as_python_reads_them() -> None:
    text = '"""# arraytyping: ignore"""\nx = """\n# arraytyping: ignore\n"""'
    text += "  # arraytyping:ignore [array-dim,array-tree]\n"
    read = Silencing(text)
    assert {c.line: c.codes for c in read.own.values()} == {4: ("array-dim", "array-tree")}
    assert not read.silences("array-shape", range(1, 9))
    assert read.silences("array-tree", range(2, 5))
    assert Silencing("# arraytyping: ignore\n@f\ndef g(): ...\n").silences("array-shape", range(3, 4))
    assert Silencing("x = (\n").own == {}


@pytest.mark.parametrize(
    ("source", "is_ignored"),
    [
        ("# type: ignore\nx = 1\n", True),
        ("#!/usr/bin/env python\n\n  # of the library\n\t\n# type:ignore\n'''Text.'''\nx = 1\n", True),
        ("# type: ignore[misc]\nx = 1\n", False),
        ("'''\n# type: ignore\n'''\nx = 1\n", False),
        ("@f\n# type: ignore\ndef g(): ...\n", False),
        ("x = 1  # type: ignore\n", False),
        ("# type: ignore\n", False),
        ("", False),
    ],
)
def test_a_comment_before_the_first_statement_silences_the_file(source: str, is_ignored: bool) -> None:
    assert Silencing(source).is_ignored is is_ignored


def test_a_file_is_not_parsed_for_comments_behind_its_first_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    parse = ast.parse

    def noted(source: str, *, type_comments: bool) -> ast.Module:
        parsed.append(source)
        return parse(source, type_comments=type_comments)

    behind = "import jax\nx = 1  # type: ignore\n"
    before = f"# type: ignore\n{behind}"
    with monkeypatch.context() as patched:
        patched.setattr(ast, "parse", noted)
        found = [Silencing(text).is_ignored for text in (behind, before)]
    assert found == [False, True]
    assert parsed == [before]
