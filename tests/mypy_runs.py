"""mypy with the plugin, run as a user runs it, on programs given as text; with caches that are warm."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import forked_commands
import pytest
from warm_caches import USUAL, cache_for, warm_copy

SHORT = re.compile(r"jax\._src\.basearray\.(?=Array)|arraytyping\.scalars\.|numpy\.(?=ndarray)|builtins\.|typing\.")


@dataclass(frozen=True)
class Message:
    """One line of mypy's output."""

    file: str
    line: int
    column: int
    severity: str
    text: str
    code: str | None

    @property
    def revealed(self) -> str | None:
        """The type in a note of `reveal_type`, with short names."""
        match = re.fullmatch(r'Revealed type is "(.*)"', self.text)
        return SHORT.sub("", match[1]) if match else None


_LINE = re.compile(r"(?P<file>[^:\n]+\.pyi?):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<severity>\w+): (?P<text>.*)")


def parse(output: str) -> list[Message]:
    """The messages in mypy's output."""
    found = []
    for match in _LINE.finditer(output):
        text, code = match["text"], None
        if ends := re.fullmatch(r"(.*?)  \[([\w-]+)\]", text):
            text, code = ends[1], ends[2]
        line, column = int(match["line"]), int(match["column"] or 0)
        found.append(Message(match["file"], line, column, match["severity"], text, code))
    return found


@dataclass(frozen=True)
class Run:
    """One run of mypy: its exit code, messages and whole output."""

    status: int
    messages: list[Message]
    output: str

    def errors(self) -> list[Message]:
        """The errors among the messages."""
        return [m for m in self.messages if m.severity == "error"]

    def revealed(self) -> list[str]:
        """The revealed types, with short names."""
        return [m.revealed for m in self.messages if m.revealed is not None]


class Mypy:
    """Runs mypy in a directory; runs of the same options share a cache in `caches`, unless there is one given."""

    def __init__(self, directory: Path, caches: Path, cache: Path | None = None) -> None:
        self.directory = directory
        self.caches = caches
        self.given = cache
        self.cache = cache or caches
        """The cache of the last run."""

    def write(self, files: Mapping[str, str]) -> None:
        """Put a program's files into the directory.

        mypy takes a file for unchanged that is as long as it was and of the same second: what changes gets a later one.
        """
        for name, text in files.items():
            path = self.directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            before = int(path.stat().st_mtime) if path.exists() and path.read_text() != text else None
            path.write_text(text)
            if before is not None and int(path.stat().st_mtime) <= before:
                os.utime(path, (before + 1, before + 1))

    def run(
        self,
        files: Mapping[str, str] | str,
        *,
        settings: str = "",
        mypy_settings: str = "",
        options: Sequence[str] = (),
        plugin: bool = True,
        environ: Mapping[str, str] | None = None,
        check: Sequence[str] | None = None,
        before: str = "",
    ) -> Run:
        """Check files (a text alone is `program.py`) under `[tool.arraytyping]` and `[tool.mypy]` as given.

        `before` is run in mypy's process before mypy is: such as what breaks the plugin.  That mypy keeps in its cache,
        so the program should be no other test's.
        """
        if isinstance(files, str):
            files = {"program.py": files}
        plugins = 'plugins = ["arraytyping_mypy"]\n' if plugin else ""
        config = f"[tool.mypy]\n{plugins}{mypy_settings}\n[tool.arraytyping]\n{settings}\n"
        self.write({**files, "pyproject.toml": config})
        self.cache = self.given or cache_for(self.directory, self.caches, config, options)
        start = f"{before}\nfrom mypy.__main__ import console_entry\nconsole_entry()"
        done = forked_commands.run(
            *(("-c", start) if before else ("-m", "mypy")),
            *("--show-column-numbers", "--hide-error-context", "--no-pretty", "--cache-dir", str(self.cache)),
            *options,
            *(check if check is not None else files),
            cwd=self.directory,
            env={**os.environ, "ARRAYTYPING_DEBUG": "1", **(environ or {})},
        )
        return Run(done.returncode, parse(done.stdout), done.stdout + done.stderr)


def of_modules(files: Iterable[str], settings: str) -> str:
    """Settings of mypy for these files alone: with settings for all modules, mypy would analyse jax anew."""
    return f"[[tool.mypy.overrides]]\nmodule = {[file.removesuffix('.py') for file in files]}\n{settings}"


def shared_caches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where `Mypy` has its caches, as long as the whole run, one directory for each worker of a parallel run."""
    caches = tmp_path_factory.getbasetemp() / "mypy-caches"
    caches.mkdir(exist_ok=True)
    return caches


def command_cache(tmp_path_factory: pytest.TempPathFactory, name: str = "command") -> Path:
    """A cache for the command `arraytyping check` and for mypy with the plugin alone, as long as the whole run.

    There is one for each worker of a parallel run.
    """
    directory = tmp_path_factory.getbasetemp()
    cache = directory / f"{name}-cache"
    if not cache.exists():
        plain = tmp_path_factory.mktemp("configuration")
        (plain / "pyproject.toml").write_text(USUAL)
        both = cache_for(plain, plain, USUAL, ())
        command = ["-m", "arraytyping", "check", "--no-flow", "{program}"]
        warm_copy(plain / "command", "command", command, directory)
        shutil.copytree(plain / "command", both, dirs_exist_ok=True)
        both.rename(cache)
    return cache
