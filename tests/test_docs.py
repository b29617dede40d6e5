"""The programs in README.md and docs/ are checked as they stand there, and what is printed there is what is said.

A block of Python whose first line names a file (`# wrong.py`) is a program; the block of text after it is all that
mypy says of it, and a program without one is clean.  Other blocks are parts of programs, and are only compiled.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from dataclasses import dataclass
from pathlib import Path

import click
import forked_commands
import pytest
from kept_checks import hold
from mypy.main import define_options
from mypy.options import PER_MODULE_OPTIONS
from mypy_runs import Mypy, Run, command_cache, of_modules, shared_caches
from run_pages import run_page

from arraytyping.checker.cli import cli
from arraytyping.checker.flow_codes import CODES as FLOW_CODES
from arraytyping.checker.opt_in_codes import parent_of
from arraytyping.checker.settings_file import load_settings
from arraytyping.semantics.rules.errors import CODES
from arraytyping.semantics.rules.registry import RULES

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
ERROR_PAGES = {code: ROOT / "docs" / "errors" / f"{code}.md" for code in (*CODES, *FLOW_CODES)}
FLOW_PAGES = {ROOT / "docs" / "flow.md", *(ERROR_PAGES[code] for code in FLOW_CODES)}
"""The pages whose programs are checked with `flow = true`."""
FLOW_SETTINGS = 'flow = true\nenable = ["array-nan", "array-promotion"]'
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
"""The pages whose commands are run as they are printed."""
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (\w+\.py)\n")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str

    @property
    def file(self) -> str | None:
        """The file that a program names in its first line."""
        match = NAMED.match(self.text) if self.language == "python" else None
        return match[1] if match else None


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, those in lists too."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [Block(language, textwrap.dedent(text)) for _, language, text in found]


@dataclass(frozen=True)
class Program:
    """A program of a page, and what the page prints as mypy's messages on it."""

    page: Path
    file: str
    text: str
    messages: tuple[str, ...]

    @property
    def module(self) -> str:
        """The name of its file where all programs lie in one directory."""
        return re.sub(r"\W", "_", f"{self.page.stem}_{self.file[:-3]}") + ".py"


def programs(page: Path) -> list[Program]:
    every = blocks(page)
    found = []
    for block, following in zip(every, [*every[1:], None]):
        if block.file is not None:
            is_output = following is not None and following.language == "text" and following.text.startswith(block.file)
            messages = following.text.splitlines() if following is not None and is_output else []
            found.append(Program(page, block.file, block.text, tuple(messages)))
    return found


PROGRAMS = [program for page in PAGES if page not in TUTORIALS for program in programs(page)]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Run]:
    """One run over the programs that are checked with flow, and one over all others."""
    cache = shared_caches(tmp_path_factory)
    found = {}
    for flow in (False, True):
        files = {p.module: p.text for p in PROGRAMS if (p.page in FLOW_PAGES) is flow}
        mypy = Mypy(tmp_path_factory.mktemp("docs"), cache)
        found[flow] = mypy.run(files, settings=FLOW_SETTINGS if flow else "")
    return found


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.module)
def test_what_mypy_says_of_a_program_is_what_the_page_prints(program: Program, runs: dict[bool, Run]) -> None:
    said = tuple(
        f"{program.file}:{m.line}: {m.severity}: {m.text}{f'  [{m.code}]' if m.code else ''}"
        for m in runs[program.page in FLOW_PAGES].messages
        if m.file == program.module
    )
    assert said == program.messages


def test_the_names_of_the_programs_differ() -> None:
    assert len({p.module for p in PROGRAMS}) == len(PROGRAMS)


@pytest.mark.parametrize("code", [*CODES, *FLOW_CODES])
def test_each_code_has_a_page_with_a_wrong_and_a_right_program(code: str) -> None:
    found = {p.file: p.messages for p in programs(ERROR_PAGES[code])}
    assert sorted(found) == ["right.py", "wrong.py"]
    assert found["wrong.py"]
    # What jax no longer has, mypy itself does not find either.
    codes = tuple(f"  [{c}]" for c in (code, *(c for c in FLOW_CODES if parent_of(c) == code)))
    codes += ("  [attr-defined]",) if code == "array-jax-version" else ()
    assert all(m.endswith(codes) for m in found["wrong.py"] if ": note: " not in m)
    assert any(m.endswith(codes) for m in found["wrong.py"])
    assert found["right.py"] == ()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_parts_of_programs_and_settings_are_well_formed(page: Path, tmp_path: Path) -> None:
    for block in blocks(page):
        if block.language == "python" and not block.text.startswith("# In ["):  # a cell, which may have magics
            compile(block.text, str(page), "exec")
        elif block.language == "toml":
            tomllib.loads(block.text)
            file = tmp_path / "pyproject.toml"
            file.write_text(block.text)
            (tmp_path / "stand_ins").mkdir(exist_ok=True)
            load_settings(config_file=file)


@pytest.mark.parametrize("page", [*TUTORIALS, ERROR_PAGES["array-promotion"]], ids=lambda p: p.stem)
def test_what_the_commands_of_a_tutorial_print_is_what_the_page_prints(page: Path, cache: Path) -> None:
    assert run_page(page, cache) == page.read_text(encoding="utf-8")


RUN_ELSEWHERE = {
    ROOT / "README.md": "below",
    ROOT / "docs" / "commands.md": "below",
    ROOT / "docs" / "ci.md": "below",
    ROOT / "docs" / "promotion.md": "test_promotion_commands.py",
    ROOT / "docs" / "outside-facts.md": "test_record.py",  # with a program of its own
}
"""The other pages that show what commands print, and where these are run."""


@pytest.mark.parametrize(
    "page", [p for p in PAGES if any(b.language == "console" for b in blocks(p))], ids=lambda p: p.stem
)
def test_every_command_is_one(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are shown with what they print are run; all others have programs and options that are there."""
    lines = [line for b in blocks(page) if b.language == "console" for line in b.text.splitlines()]
    printed = [line for line in lines if line.startswith("$ ")]
    assert not printed or page in {*TUTORIALS, ERROR_PAGES["array-promotion"], *RUN_ELSEWHERE}
    monkeypatch.chdir(tmp_path)
    for b in blocks(page):
        if b.language == "console":
            shown = [line.removeprefix("$ ") for line in b.text.splitlines() if line.startswith("$ ")]
            for command in shown or b.text.splitlines():
                _is_there(page, command)


def _is_there(page: Path, command: str) -> None:
    program, *arguments = shlex.split(command, comments=True)
    if program == "arraytyping":
        name, *rest = arguments
        found = cli.get_command(click.Context(cli), name)
        assert found is not None, command
        try:
            found.make_context(name, rest)
        except click.UsageError as error:  # of a file that is not there, which is another matter
            if not isinstance(error, click.BadParameter):
                raise AssertionError(f"{page}: {command}: {error.message}") from None
    elif program in ("python", "python3"):
        file = arguments[1].replace(".", "/") if arguments[0] == "-m" else arguments[0]
        assert (ROOT / file).exists() or (ROOT / f"src/{file}.py").exists() or (ROOT / f"src/{file}").is_dir(), command
    elif program == "node":
        assert (EXTENSION / arguments[0]).exists(), command
    else:
        assert program in OTHER_PROGRAMS, f"{page}: {command}"


EXTENSION = ROOT / "editors" / "vscode"
OTHER_PROGRAMS = {"cd", "code", "lint-imports", "mkdocs", "mypy", "npm", "pip", "pytest", "ruff"}


def test_a_baseline_is_written_and_read_as_the_page_says(cache: Path, tmp_path: Path) -> None:
    (shown,) = (b.text for b in blocks(ROOT / "docs" / "ci.md") if b.text.startswith("$ "))
    first, said, second = shown.splitlines()
    (tmp_path / "mistakes.py").write_bytes((ROOT / "examples" / "mistakes.py").read_bytes())
    for command, expected in ((first, f"{said}\n"), (second, "")):
        done = arraytyping(*command.split()[2:], cache=cache, folder=tmp_path)
        assert (done.returncode, done.stderr) == (0, expected)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = [a or b for a, b in re.findall(r"\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$", text, re.MULTILINE)]
    for link in links:
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        if target.parent == ROOT / "docs" / "reference" and target.suffix == ".md":
            continue  # which is made with the site, whose strict build finds links that lead nowhere
        assert target.exists(), link
        if target.suffix == ".png":
            assert anchor in ("", "only-light", "only-dark"), link  # the theme of the site in which it is shown
        elif anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}, link


def test_the_rule_that_is_shown_is_one_of_ours() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src/arraytyping/semantics/rules").rglob("*.py")]
    shown = [
        b.text for b in blocks(ROOT / "CONTRIBUTING.md") if b.text.startswith(("@rule(", "def matrices_transposed"))
    ]
    assert len(shown) == 2
    assert all(any(text in source for source in sources) for text in shown)


def test_the_numbers_of_rules_are_those_of_the_table() -> None:
    functions = sum(name.startswith("numpy.") for name in RULES)
    primitives = sum(name.startswith("lax.") for name in RULES)
    others = sum(name.startswith(("random.", "nn.", "scipy.", "image.")) for name in RULES)
    methods = sum(name.startswith("Array.") for name in RULES)
    assert functions + primitives + others + methods == len(RULES)
    text = " ".join(README.read_text(encoding="utf-8").split())
    assert f"{functions} functions of `jax.numpy`, {primitives} of `jax.lax` and {methods} methods" in text


def arraytyping(*arguments: str, cache: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command in a folder, in an environment that switches nothing."""
    environ = {k: v for k, v in os.environ.items() if k not in ("JAX_ENABLE_X64", "FORCE_COLOR", "MYPY_FORCE_COLOR")}
    environ["MYPY_CACHE_DIR"] = str(cache)
    return forked_commands.run("-m", "arraytyping", *arguments, cwd=folder, env=environ)


@pytest.fixture
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return command_cache(tmp_path_factory)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples under the settings of this repository, which is strict: here to them alone, as jax is analysed."""
    folder = tmp_path_factory.mktemp("root")
    shutil.copytree(ROOT / "examples", folder / "examples")
    assert tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]["strict"] is True
    _, _, flags = define_options()
    strict = [f"{name} = {str(value).lower()}\n" for name, value in flags if name in PER_MODULE_OPTIONS]
    assert "disallow_untyped_defs = true\n" in strict
    files = [example.name for example in EXAMPLES]
    (folder / "pyproject.toml").write_text(f"[tool.mypy]\n{of_modules(files, ''.join(strict))}")
    return folder


@pytest.mark.parametrize(
    ("page", "command"),
    [
        (README, "arraytyping check examples/mistakes.py"),
        (ROOT / "docs" / "commands.md", "arraytyping coverage examples/mlp.py"),
    ],
    ids=["check", "coverage"],
)
def test_what_is_printed_of_the_examples_is_what_the_page_prints(
    page: Path, command: str, cache: Path, root: Path
) -> None:
    (shown,) = (b.text for b in blocks(page) if b.text.startswith(f"$ {command}\n"))
    done = arraytyping(*command.split()[1:], cache=cache, folder=root)
    assert_shown(shown, f"$ {command}\n{done.stdout}")
    assert done.returncode == ("check" in command)


def assert_shown(shown: str, actual: str) -> None:
    """A line of `...` stands for lines that are left out; everything else is as it is printed."""
    parts = [part.splitlines() for part in re.split(r"^ *\.\.\.\n", shown, flags=re.MULTILINE)]
    lines = actual.splitlines()
    start, *rest = parts
    assert lines[: len(start)] == start
    assert len(lines) >= sum(map(len, parts))
    for part in rest:
        assert lines[-len(part) :] == part
    assert len(rest) <= 1


def test_three_mistakes_are_planted_and_each_has_its_own_code(cache: Path, root: Path) -> None:
    done = arraytyping("check", "examples/mistakes.py", cache=cache, folder=root)
    codes = re.findall(r"error: .*  \[([\w-]+)\]$", done.stdout, re.MULTILINE)
    assert len(codes) == len(set(codes)) == 3
    assert set(codes) <= set(CODES)


def test_the_example_without_mistakes_is_clean(cache: Path, root: Path) -> None:
    done = arraytyping("check", "examples/mlp.py", cache=cache, folder=root)
    assert done.stdout.startswith("Success: no issues found in 1 source file\n"), done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.stem)
def test_the_examples_run(example: Path) -> None:
    hold(runs_and_prints, example.read_text(encoding="utf-8"))


def runs_and_prints(text: str) -> None:
    """Run a program in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_lines_that_the_readme_quotes_are_those_of_the_example() -> None:
    example = (ROOT / "examples" / "mistakes.py").read_text(encoding="utf-8")
    quoted = [b.text for b in blocks(README) if b.language == "python" and "w is the other way round" in b.text]
    assert len(quoted) == 1
    assert quoted[0] in example
