"""Runs the type checkers on files, in an environment that has the stubs, and says what each thinks of each line."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import kept_reports
from read_files import read_for
from warm_caches import digest, kept, locked

ROOT: Final = Path(__file__).parent.parent
STUBS: Final = ROOT / "stubs"
BIN: Final = Path(sys.executable).parent
CHECKERS: Final = ("mypy", "mypy+plugin", "pyright", "basedpyright", "pyrefly", "ty", "zuban")


@dataclass(frozen=True)
class Report:
    """What a checker says of one line: the types of failed assertions, and the codes of other errors."""

    types: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


@dataclass
class Run:
    """The reports of a checker by file and line, and the CPU seconds that it took."""

    reports: dict[str, dict[int, Report]] = field(default_factory=dict)
    seconds: float = 0.0
    output: str = ""

    def add(self, file: str, line: int, *, actual: str | None = None, code: str | None = None) -> None:
        """Note one message."""
        lines = self.reports.setdefault(Path(file).name, {})
        old = lines.get(line, Report())
        types = old.types if actual is None else (*old.types, actual)
        errors = old.errors if code is None else (*old.errors, code)
        lines[line] = Report(types, errors)


def environment(folder: Path, packages: Sequence[str] = ("jax-stubs",)) -> Path:
    """A virtual environment that has these stub packages, as if installed, and all that ours has."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--symlinks", folder], check=True)
    site = _site(folder)
    folders = (
        sysconfig.get_path("purelib"),
        ROOT / "src",
        ROOT / "mypy_plugin",
    )  # a .pth file in the first is not read
    (site / "ours.pth").write_text("".join(f"{folder}\n" for folder in folders))
    for package in packages:
        (site / package).symlink_to(STUBS / package, target_is_directory=True)
    return folder


_kept_twins: dict[Path, Path] = {}


def shared_environment(folder: Path, packages: Sequence[str] = ("jax-stubs",), sources: Sequence[str] = ()) -> Path:
    """Such an environment, with packages of ours beside the stubs, as pip installs them.

    Mypy has a twin of it that is kept between test runs, with what it made of jax there.  Others would take files of
    the twin, which lies in this repository, for the program's own.
    """
    env = _with_sources(environment(folder, packages), sources)
    if (home := kept()) is not None:
        twin = home / f"environment-{digest([*packages, *sources])}"
        with locked(twin.name):
            if not (twin / "complete").exists():
                shutil.rmtree(twin, ignore_errors=True)
                _with_sources(environment(twin, packages), sources)
                (twin / "complete").touch()
        _kept_twins[env] = twin
    return env


def _with_sources(env: Path, sources: Sequence[str]) -> Path:
    for package in sources:
        (_site(env) / Path(package).name).symlink_to(ROOT / package, target_is_directory=True)
    return env


def run(checker: str, env: Path, folder: Path, files: Sequence[str], *, x64: bool = False, seconds: float = 600) -> Run:
    """What one checker says of files of a folder, or said before of the same files (see `kept_reports.py`).

    Raises:
        RuntimeError: if it did not come to an end by itself, with what it printed.
        subprocess.TimeoutExpired: if it took longer than `seconds`.
    """
    if checker not in kept_reports.OF_OTHERS:
        return _asked(checker, env, folder, files, x64, seconds)
    packages = sorted(p.name for p in _site(env).iterdir() if p.name.endswith("-stubs"))
    sources = sorted(p.name for p in _site(env).iterdir() if p.is_symlink() and p.name not in packages)
    options = [f"x64={x64}", *packages, *sources]
    question = kept_reports.question(checker, read_for(folder, files, packages), options, Path(__file__))
    if (kept_answer := kept_reports.recalled(question)) is not None:
        return _from_text(kept_answer)
    result = _asked(checker, env, folder, files, x64, seconds)
    kept_reports.keep(question, _as_text(result, (folder, env)))
    return result


def _asked(checker: str, env: Path, folder: Path, files: Sequence[str], x64: bool, seconds: float) -> Run:
    command, read = _COMMANDS[checker](env, folder, files, x64)
    before = _children()
    with locked(f"{_kept_twins.get(env, env).name}-{checker}") if checker.startswith("mypy") else nullcontext():
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds)
    result = Run(seconds=_children() - before, output=done.stdout + done.stderr)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{checker} ended with {done.returncode}:\n{result.output[-3000:]}")
    read(result, done.stdout)
    return result


def _site(env: Path) -> Path:
    """Where an environment has what is installed."""
    return Path(sysconfig.get_path("purelib", vars={"base": str(env), "platbase": str(env)}))


_MUCH: Final = 100_000
_END: Final = 3_000
"""Of an output of more than so many characters, the end is kept, which is what tests show when they fail."""


def _as_text(result: Run, folders: Iterable[Path]) -> str:
    output = result.output if len(result.output) <= _MUCH else result.output[-_END:]
    for path in (*folders, ROOT):  # which lie elsewhere next time
        output = output.replace(str(path), "")
    reports = {f: {line: (r.types, r.errors) for line, r in lines.items()} for f, lines in result.reports.items()}
    return json.dumps([reports, round(result.seconds, 1), output], separators=(",", ":"))


def _from_text(text: str) -> Run:
    reports: Mapping[str, Mapping[str, tuple[Any, Any]]]
    reports, seconds, output = json.loads(text)
    by_line = {
        f: {int(line): Report(tuple(types), tuple(errors)) for line, (types, errors) in lines.items()}
        for f, lines in reports.items()
    }
    return Run(by_line, seconds, output)


def _children() -> float:
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


Command = tuple[list[str], Callable[[Run, str], None]]

_MYPY: Final = re.compile(r"^(.+?):(\d+): error: (.*?)(?:  \[([\w-]+)\])?$")
_MYPY_TYPE: Final = re.compile(r'^Expression is of type "(.*)", not "')


def _read_mypy(result: Run, output: str) -> None:
    for line in output.splitlines():
        if (found := _MYPY.match(line)) is None:
            continue
        file, number, message, code = found.groups()
        actual = _MYPY_TYPE.match(message)
        if actual is not None:
            result.add(file, int(number), actual=actual[1])
        else:
            result.add(file, int(number), code=code or message)


def _mypy(plugin: bool) -> Callable[[Path, Path, Sequence[str], bool], Command]:
    def command(env: Path, folder: Path, files: Sequence[str], x64: bool) -> Command:
        config = folder / f"mypy-{plugin}-{x64}.toml"
        plugins = '[tool.mypy]\nplugins = ["arraytyping_mypy"]\n' if plugin else "[tool.mypy]\n"
        config.write_text(f"{plugins}[tool.arraytyping]\nx64 = {str(x64).lower()}\n")
        home = _kept_twins.get(env, env)
        options = ["--python-executable", str(home / "bin" / "python"), "--cache-dir", str(home / f"mypy-{plugin}")]
        return [
            sys.executable,
            "-m",
            "mypy",
            "--config-file",
            config.name,
            *options,
            "--no-error-summary",
            *files,
        ], _read_mypy

    return command


def _zuban(env: Path, folder: Path, files: Sequence[str], x64: bool) -> Command:
    return [str(BIN / "zuban"), "check", "--python-executable", str(env / "bin" / "python"), *files], _read_mypy


_PYRIGHT_TYPE: Final = re.compile(r'^"assert_type" mismatch: expected ".*" but received "(.*)"', re.S)


def _read_pyright(result: Run, output: str) -> None:
    for message in json.loads(output)["generalDiagnostics"]:
        if message["severity"] != "error":
            continue
        line = message["range"]["start"]["line"] + 1
        actual = _PYRIGHT_TYPE.match(message["message"])
        if actual is not None:
            result.add(message["file"], line, actual=actual[1])
        else:
            result.add(message["file"], line, code=message.get("rule", message["message"]))


def _pyright(name: str) -> Callable[[Path, Path, Sequence[str], bool], Command]:
    def command(env: Path, folder: Path, files: Sequence[str], x64: bool) -> Command:
        project = folder / f"{name}.json"
        settings = {"include": list(files), "typeCheckingMode": "standard"}
        project.write_text(json.dumps(settings))
        return [
            str(BIN / name), "--outputjson", "--pythonpath", str(env / "bin" / "python"), "--project", project.name,
        ], _read_pyright  # fmt: skip

    return command


_PYREFLY_TYPE: Final = re.compile(r"^assert_type\((.*), (?:Array\[\w+, SomeShape\]|Undefined|\w+)\) failed", re.S)


def _read_pyrefly(result: Run, output: str) -> None:
    for message in json.loads(output)["errors"]:
        if message.get("severity", "error") != "error":
            continue
        actual = _PYREFLY_TYPE.match(message["description"])
        if actual is not None:
            result.add(message["path"], message["line"], actual=actual[1])
        else:
            result.add(message["path"], message["line"], code=message["name"])


def _pyrefly(env: Path, folder: Path, files: Sequence[str], x64: bool) -> Command:
    return [
        str(BIN / "pyrefly"), "check", "--preset", "default", "--python-interpreter-path", str(env / "bin" / "python"),
        "--output-format", "json", *files,
    ], _read_pyrefly  # fmt: skip


_TY: Final = re.compile(r"^(.+?):(\d+):\d+: error\[([\w-]+)\] (.*)$")
_TY_TYPE: Final = re.compile(r"^Type `(.*)` does not match asserted type `")


def _read_ty(result: Run, output: str) -> None:
    for line in output.splitlines():
        if (found := _TY.match(line)) is None:
            continue
        file, number, code, message = found.groups()
        actual = _TY_TYPE.match(message)
        if actual is not None:
            result.add(file, int(number), actual=actual[1])
        else:
            result.add(file, int(number), code=code)


def _ty(env: Path, folder: Path, files: Sequence[str], x64: bool) -> Command:
    return [str(BIN / "ty"), "check", "--python", str(env), "--output-format", "concise", *files], _read_ty


_COMMANDS: Final[Mapping[str, Callable[[Path, Path, Sequence[str], bool], Command]]] = {
    "mypy": _mypy(False),
    "mypy+plugin": _mypy(True),
    "pyright": _pyright("pyright"),
    "basedpyright": _pyright("basedpyright"),
    "pyrefly": _pyrefly,
    "ty": _ty,
    "zuban": _zuban,
}
