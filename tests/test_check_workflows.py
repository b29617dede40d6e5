"""What surrounds a check: the standard input, comments that are added, revisions, watching, hooks and actions."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import forked_commands
import pytest
import yaml
from test_output_formats import MISTAKE, check, folder

from arraytyping.checker.cli.diff_base import for_base
from arraytyping.checker.messages.ignoring import add_ignores
from arraytyping.checker.messages.message import Message

__all__ = ["folder"]

pytestmark = pytest.mark.usefixtures("warm_mypy")
ROOT = Path(__file__).parent.parent


# The standard input


def test_the_standard_input_is_checked_as_the_file(folder: Path) -> None:
    (folder / "train.py").write_text("import jax.numpy as jnp\n")
    status, out, _ = check(folder, "-", "--stdin-filename", "train.py", stdin=MISTAKE)
    assert status == 1
    assert out.startswith("train.py:3:5: error: add:")
    assert (folder / "train.py").read_text() == "import jax.numpy as jnp\n"
    assert check(folder, "train.py")[0] == 0


def test_the_standard_input_without_a_file(folder: Path) -> None:
    assert check(folder, "-", stdin=MISTAKE)[1].startswith("stdin.py:3:5: error:")
    status, _, err = check(folder, "-", "train.py", stdin=MISTAKE)
    assert status == 2
    assert "The standard input is checked alone" in err
    status, _, err = check(folder, "-", "--watch", stdin="")
    assert (status, "--watch checks files again" in err) == (2, True)
    status, out, err = check(folder, "-", stdin="def f(:\n")
    assert (status, "stdin.py:1: error: syntax error" in out + err) == (2, True)


def test_a_notebook_on_the_standard_input_that_is_no_file(folder: Path) -> None:
    cell: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": MISTAKE,
    }
    text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
    status, out, _ = check(folder, "-", "--stdin-filename", "new.ipynb", stdin=text)
    assert (status, out.partition(" error")[0]) == (1, "new.ipynb:cell 1:3:5:")
    status, out, _ = check(folder, "-", "--stdin-filename", "new.ipynb", stdin="")
    assert (status, out.splitlines()[0].partition(":1: error: ")[2][:14]) == (2, "is no notebook")


def test_the_types_read_the_standard_input_too(folder: Path) -> None:
    (folder / "train.py").write_text("x = 1\n")
    command = ("-m", "arraytyping", "check", "--no-flow", "--stdin-filename", "train.py")
    done = forked_commands.run(*command, cwd=folder, input=MISTAKE)
    assert done.stdout.startswith("train.py:3:5: error: add:"), done.stderr


# Comments


def mistakes(*places: tuple[int, int, str]) -> list[Message]:
    return [Message("a.py", line, 0, end, 0, "error", "text", code) for line, end, code in places]


@pytest.mark.parametrize(
    ("text", "places", "expected"),
    [
        ("x = f()\n", [(1, 1, "array-shape")], "x = f()  # arraytyping: ignore[array-shape]\n"),
        ("x = f()", [(1, 1, "array-shape")], "x = f()  # arraytyping: ignore[array-shape]"),
        (
            "x = f()  # why\r\ny = 1\r\n",
            [(1, 1, "array-shape"), (1, 1, "array-call")],
            "x = f()  # why  # arraytyping: ignore[array-call, array-shape]\r\ny = 1\r\n",
        ),
        (
            "x = f(  # arraytyping: ignore[array-dim]\n    1,\n)\n",
            [(1, 1, "array-shape")],
            "x = f(  # arraytyping: ignore[array-dim, array-shape]\n    1,\n)\n",
        ),
        (
            'x = f("""\na\nb""", \\\n 1)\n',
            [(1, 4, "array-shape")],
            'x = f("""\na\nb""", \\\n 1)  # arraytyping: ignore[array-shape]\n',
        ),
        ('# coding: latin-1\ns = "é"; f()\n', [(2, 2, "array-call")],
         '# coding: latin-1\ns = "é"; f()  # arraytyping: ignore[array-call]\n'),
    ],
)  # fmt: skip
def test_comments_are_added(text: str, places: list[Any], expected: str, folder: Path) -> None:
    encoding = "latin-1" if "latin-1" in text else "utf-8"
    (folder / "a.py").write_bytes(text.encode(encoding))
    assert add_ignores(mistakes(*places)) == (len(places), [])
    assert (folder / "a.py").read_bytes() == expected.encode(encoding)


def test_where_no_comment_can_stand_nothing_is_written(folder: Path) -> None:
    text = 'x = f("""\na\n""")\n'
    (folder / "a.py").write_text(text)
    found = mistakes((1, 2, "array-shape"))
    assert add_ignores(found) == (0, found)
    assert add_ignores(mistakes((1, 1, "arg-type"))) == (0, [])
    assert (folder / "a.py").read_text() == text


def test_what_was_silenced_stays_silent(folder: Path) -> None:
    (folder / "train.py").write_text(MISTAKE)
    status, _, err = check(folder, "--add-ignores", "train.py")
    assert (status, "1 mistake silenced" in err) == (0, True)
    assert check(folder, "--unused-ignores", "train.py")[0] == 0


# Revisions


def git(folder: Path, *args: str) -> None:
    own = ["-c", "user.email=a@b.c", "-c", "user.name=a", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *own, *args], cwd=folder, check=True, capture_output=True)


def test_what_is_new_since_a_revision(folder: Path) -> None:
    (folder / ".git").rmdir()
    git(folder, "init")
    (folder / "train.py").write_text(MISTAKE)
    (folder / "sizes.py").write_text("n = 3\n")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "first")
    (folder / "train.py").write_text(f"from sizes import n\n{MISTAKE}z = jnp.ones(3) + jnp.ones(n)\n")
    git(folder, "commit", "-am", "second")
    assert check(folder, "--diff-base", "HEAD")[0] == 0
    (folder / "sizes.py").write_text("n = 4\n")
    status, out, _ = check(folder, "--diff-base", "HEAD~1", "--output-format", "concise")
    assert status == 1
    assert [line.partition(" ")[0] for line in out.splitlines() if ": error:" in line] == ["train.py:5:5:"]
    for revision in ("nowhere", "--help"):
        status, out, err = check(folder, f"--diff-base={revision}")
        assert (status, out) == (2, "")
        assert err.startswith(f"arraytyping: error: --diff-base: git knows no revision {revision!r} here")
    # A file that was not there, named with one that git leaves out of archives, and modules of the program that have
    # names of ours.
    (folder / ".gitattributes").write_text("train.py export-ignore\n")
    (folder / "rich_click.py").write_text("raise SystemExit('it was run')\n")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "third")
    (folder / "new.py").write_text(MISTAKE)
    named = [str(folder / "new.py"), "train.py", "--no-types"]
    status, out, err = check(folder, "--diff-base", "HEAD", "--output-format", "concise", *named)
    assert (status, [line.partition(" ")[0] for line in out.splitlines() if ": error:" in line]) == (
        1,
        [f"{named[0]}:3:5:"],
    )
    git(folder, "checkout", "--orphan", "other")
    git(folder, "commit", "-m", "alone")
    status, _, err = check(folder, "--diff-base", "main")
    assert (status, "has no commit in common of 'main' and HEAD: fetch more of it" in err) == (2, True)


def test_what_a_revision_is_checked_with() -> None:
    """Neither the paths, which may be others there, nor what is for the run itself."""
    given = [
        "--diff-base",
        "HEAD",
        "a.py",
        "--enable=array-nan",
        "--output-format=json",
        "--devices",
        "8",
        "--exit-zero",
    ]
    after = ["--mypy-args", "--strict", "a.py"]
    assert for_base([*given, *after], ["a.py"]) == ["--enable=array-nan", "--devices", "8", *after]
    assert for_base(["-", "--stdin-filename", "a.py", "--possible"], ["a.py"]) == ["--possible"]


# Watching


def test_after_a_change_it_is_checked_again(folder: Path) -> None:
    (folder / "train.py").write_text("x = 1\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "arraytyping", "check", "--no-types", "--watch", "train.py"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        # Whatever runs in the background of a shell ignores it, and so would this process.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    try:
        first = _until_watching(process.stdout)
        assert any(line.startswith("Success") for line in first)
        (folder / "train.py").write_text(MISTAKE)
        second = _until_watching(process.stdout)
        assert any(line.startswith("train.py:3:5: error:") for line in second)
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=300)
    assert process.returncode == 130


def _until_watching(stream: Any) -> list[str]:
    lines: list[str] = []
    while not lines or "watching for changes" not in lines[-1]:
        line = stream.readline()
        assert line, lines
        lines.append(line)
    return lines


# Hooks and actions


def recipes() -> list[tuple[str, str]]:
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    blocks = re.findall(r"## ([^\n]*)\n(.*?)(?=\n## |\Z)", text, re.DOTALL)
    return [(title, block) for title, part in blocks for block in re.findall(r"```yaml\n(.*?)```", part, re.DOTALL)]


SCHEMAS = {"GitLab": "vendor.gitlab-ci"}


@pytest.mark.parametrize(("title", "recipe"), recipes(), ids=lambda value: value.splitlines()[0])
def test_the_recipes_are_what_their_schemas_say(title: str, recipe: str, tmp_path: Path) -> None:
    (tmp_path / "recipe.yml").write_text(recipe)
    if title == "pre-commit":
        (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
        (repo,) = yaml.safe_load(recipe)["repos"]
        assert [h["id"] for h in repo["hooks"]] == [hook["id"]]
        return
    validated(SCHEMAS.get(title, "vendor.github-workflows"), tmp_path / "recipe.yml")


def validated(schema: str, file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_jax_is_asked_anew_each_week() -> None:
    file = ROOT / ".github" / "workflows" / "oracle.yml"
    validated("vendor.github-workflows", file)
    workflow = yaml.safe_load(file.read_text())
    assert set(workflow[True]) == {"schedule", "workflow_dispatch"}  # YAML reads `on` as a truth value
    assert workflow["jobs"]["live"]["steps"][-1]["run"] == "python dev.py test --oracle live --thorough"


def test_the_hook_runs(folder: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert (hook["language"], hook["pass_filenames"]) == ("python", False)
    assert hook["types_or"] == ["python", "pyi", "jupyter"], "notebooks are checked, too"
    program, *args = hook["entry"].split()
    (folder / "train.py").write_text(MISTAKE)
    command = [str(Path(sys.executable).with_name(program)), *args, "--no-types", "--python", sys.executable]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "PATH": "/usr/bin"})
    assert (done.returncode, done.stdout.partition(" ")[0]) == (1, "train.py:3:5:"), done.stderr


def test_the_action_runs(folder: Path) -> None:
    validated("vendor.github-actions", ROOT / "action.yml")
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    _, step = action["runs"]["steps"]
    names = {"PATHS": "paths", "ARGS": "args", "PYTHON": "python", "OUTPUT_FORMAT": "output-format"}
    assert step["env"] == {name: f"${{{{ inputs.{of} }}}}" for name, of in names.items()}
    inputs = {name: action["inputs"][of]["default"] for name, of in names.items()}
    (folder / "train.py").write_text(MISTAKE)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for given in ({}, {"PATHS": "train.py", "PYTHON": sys.executable}):
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", step["run"]],
            cwd=folder,
            capture_output=True,
            text=True,
            env={**os.environ, **inputs, "ARGS": "--no-types\n--possible\n", **given, "PATH": path},
        )
        assert done.returncode == 1, done.stderr
        assert done.stdout.startswith("::error title=arraytyping (array-shape),file=train.py,line=3")
