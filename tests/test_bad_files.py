"""One file that cannot be checked does not stop the others, in either layer, and is never a success."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import forked_commands
import pytest
from mypy_runs import command_cache

MISTAKE = "import jax.numpy as jnp\nx = jnp.ones((3, 4))\ny = x + jnp.ones((3, 5))\n"
OTHER = "import jax.numpy as jnp\nz = jnp.ones((2, 3)) @ jnp.ones((2, 3))\n"
BAD: dict[str, tuple[bytes, str]] = {
    "python2.py": (
        b'print "hello"\n',
        "syntax error: Missing parentheses in call to 'print'. Did you mean print(...)?",
    ),
    "broken.py": (b"def f(:\n", "syntax error: invalid syntax"),
    "binary.py": (b"\x7fELF\x00\x01", "is no text: there are null bytes in it"),
    "latin.py": (b's = "\xff"\n', "syntax error: invalid or missing encoding declaration"),
}
NOTEBOOK = "is no notebook: it does not say of which format it is (nbformat)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)


@pytest.fixture
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return command_cache(tmp_path_factory)


def run(folder: Path, cache: Path, *args: str, stdin: str = "") -> tuple[int, list[str], str]:
    environ = {**os.environ, "MYPY_CACHE_DIR": str(cache)}
    done = forked_commands.run("-m", "arraytyping", *args, cwd=folder, env=environ, input=stdin)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines(), done.stderr


def errors(lines: list[str]) -> dict[str, str]:
    """What is said of each file, by its path."""
    found = (line.partition(": error: ") for line in lines)
    return {place.partition(":")[0]: text.partition("  [")[0] for place, is_error, text in found if is_error}


def test_each_bad_file_gets_its_line_and_the_others_are_checked(folder: Path, cache: Path) -> None:
    write(folder, {name: data for name, (data, _) in BAD.items()})
    (folder / "dangling.py").symlink_to("nowhere.py")
    write(folder, {"good.py": MISTAKE, "uses.py": f"import broken, python2\nbroken.f(python2.x)\n{OTHER}"})
    for layers in ("--flow", "--no-types"):
        status, out, err = run(folder, cache, "check", ".", layers)
        assert (status, err) == (2, "")
        said = errors(out)
        assert {name: said.pop(name) for name in BAD} == {name: text for name, (_, text) in BAD.items()}
        assert said.pop("dangling.py") == "cannot be read: No such file or directory"
        assert {name: text.partition(":")[0] for name, text in said.items()} == {"good.py": "add", "uses.py": "matmul"}
        assert "Found 7 errors in 7 files (checked 2 source files)" in out
        assert any("array expressions: dtype known for" in line for line in out)


def test_modules_of_one_name_in_two_folders_and_a_folder_that_is_no_name(folder: Path, cache: Path) -> None:
    main = "import train\n\nprint(train.__name__)\n"
    write(folder, {"a/train.py": MISTAKE, "b/train.py": OTHER, "a/main.py": main, "b/main.py": main})
    write(folder, {"my-tools/__init__.py": "", "my-tools/run.py": MISTAKE, "my-tools/more.py": "from . import run\n"})
    status, out, err = run(folder, cache, "check", ".")
    assert (status, err) == (1, "")
    said = errors(out)
    assert {name: text.partition(":")[0] for name, text in said.items()} == {
        os.path.join("a", "train.py"): "add",  # noqa: PTH118
        os.path.join("b", "train.py"): "matmul",  # noqa: PTH118
        os.path.join("my-tools", "run.py"): "add",  # noqa: PTH118
    }
    assert any("(checked 7 source files)" in line for line in out)


def test_jax_is_not_read_again_where_modules_share_a_name_or_one_is_refused(folder: Path, cache: Path) -> None:
    """What is not followed has options of its own in mypy, and those of libraries stay what they are elsewhere."""
    write(folder, {"good.py": MISTAKE})
    run(folder, cache, "check", "good.py", "--no-flow")
    write(folder, {"a/train.py": MISTAKE, "b/train.py": OTHER, "odd.py": "def f():\n    from . import good\n"})
    for paths in (("a", "b"), ("good.py", "odd.py")):
        _, out, err = run(folder, cache, "check", *paths, "--no-flow", "--mypy-args", "-v")
        told = [*out, *err.splitlines()]
        assert any(re.search(r"Metadata fresh for jax: ", t) for t in told)
        assert not [t for t in told if re.search(r"abandoned for (jax|numpy)\b", t)]


def test_what_only_mypy_refuses_leaves_the_others_checked_too(folder: Path, cache: Path) -> None:
    write(folder, {"good.py": MISTAKE, "odd.py": "def f():\n    from . import good\n"})
    status, out, _ = run(folder, cache, "check", "good.py", "odd.py")
    assert status == 2
    assert errors(out)["odd.py"].startswith("No parent module")
    assert errors(out)["good.py"].startswith("add: ")


def test_a_file_on_which_mypy_fails_itself_gets_one_line_and_what_flow_finds_in_it(folder: Path, cache: Path) -> None:
    kinds = (
        "from typing import Any, Callable, Mapping, TypeVar, Union\n\n"
        'Item = TypeVar("Item", int, str)\nBatch = TypeVar("Batch", Mapping[str, Item], Item)\n'
        'Product = TypeVar("Product", bound=Callable[[Batch], Union[Item, Any]])\n'
    )
    made = "def made(loss: kinds.Product) -> kinds.Product:\n    return loss\n"
    write(folder, {"kinds.py": kinds, "fails.py": f"import kinds\n\n{made}\n{OTHER}", "good.py": MISTAKE})
    write(folder, {"uses.py": "import fails\n\nfails.made(len)\n"})
    for paths in ((".",), ("good.py", "uses.py")):
        status, out, err = run(folder, cache, "check", *paths)
        assert (status, err) == (2, "")
        told = [line for line in out if line.startswith("fails.py:") and ": error: " in line]
        assert re.match(r"fails\.py:3: error: mypy [\d.]+ fails here \(AssertionError: .*\), so the types", told[0])
        assert [line.partition("error: ")[2].partition(":")[0] for line in told[1:]] == ["matmul"]
        assert errors(out)["good.py"].startswith("add: ")
        assert any("array expressions: dtype known for" in line for line in out)


def test_a_bad_file_that_is_imported_only(folder: Path, cache: Path) -> None:
    write(folder, {"good.py": f"import broken\n{MISTAKE}", "broken.py": "def f(:\n"})
    status, out, _ = run(folder, cache, "check", "good.py")
    assert status == 2
    assert set(errors(out)) == {"good.py", "broken.py"}


@pytest.mark.parametrize("layer", ["--no-types", "--no-flow"])
def test_what_is_no_program_is_no_success(layer: str, folder: Path, cache: Path) -> None:
    write(folder, {"book.ipynb": '{"cells": [], "x": null}', "broken.py": "def f(:\n"})
    status, out, _ = run(folder, cache, "check", "book.ipynb", "missing.py", "/dev/stdin", "broken.py", layer)
    assert status == 2
    assert errors(out) == {
        "/dev/stdin": "is no regular file, and no directory",
        "book.ipynb": NOTEBOOK,
        "broken.py": "syntax error: invalid syntax",
        "missing.py": "cannot be read: No such file or directory",
    }
    assert out[-1] == "Found 4 errors in 4 files (errors prevented further checking)"


def test_a_folder_without_python_and_a_configuration_that_is_none_get_one_line(folder: Path, cache: Path) -> None:
    status, out, err = run(folder, cache, "check", "--no-types")
    assert (status, out[0], err) == (2, ".:1: error: there is no Python file in this directory", "")
    write(folder, {"pyproject.toml": "[tool.arraytyping\n", "good.py": MISTAKE})
    status, out, err = run(folder, cache, "check")
    assert (status, out) == (2, [])
    assert re.fullmatch(r"arraytyping: error: pyproject\.toml: is not valid TOML: [^\n]*\n", err)


def test_as_json_and_in_coverage(folder: Path, cache: Path) -> None:
    write(folder, {"good.py": MISTAKE, "broken.py": "def f(:\n"})
    status, out, _ = run(folder, cache, "check", ".", "--no-types", "--mypy-args", "-O", "json")
    assert status == 2
    assert [(m["file"], m["line"], m["code"]) for m in map(json.loads, out)] == [
        ("broken.py", 1, "syntax"),
        ("good.py", 3, "array-shape"),
    ]
    status, out, err = run(folder, cache, "coverage", ".", "--no-types")
    assert status == 2
    assert err == "broken.py:1: error: syntax error: invalid syntax  [syntax]\n"
    assert out[0].startswith("good.py: ")


def test_an_option_is_looked_for_in_mypy_before_it_is_said_to_be_one_of_its(folder: Path, cache: Path) -> None:
    status, _, err = run(folder, cache, "check", "--sarif", "x.py")
    assert status == 2
    assert "stand after" not in err
    status, _, err = run(folder, cache, "check", "--strict", "x.py")
    assert status == 2
    assert "--mypy-args --strict" in " ".join(err.replace("│", " ").split())
