"""CPU time of the type checkers with the stubs: 1,000 array operations against NumPy's, and a cold run of mypy.

`python benchmarks/checker_time.py` prints for each checker the seconds that 1,000 operations take with `jax.numpy` and
its stubs, those of the same file with `numpy`, and their ratio; what the imports alone take is subtracted from both.
It is measured over 5,000 operations (`--operations`): over 1,000 it hangs on whether one of mypy's full garbage
collections (0.13 s) comes before the operations or among them.  Then the seconds of a cold run of mypy on a program
that imports jax, without the stubs and with them.  Each number is the smallest of several interleaved measurements.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

OPERATIONS: Final = (
    "{a} + {b}", "{a} * 2.0", "np.add({a}, {b})", "np.sin({a})", "{a}.sum(axis=0)", "{a}[0]", "{a}.T",
    "np.where({a} > 0, {a}, {b})", "{a}.reshape(-1)", "{a} @ {a}", "np.zeros((4, 3), np.float32)",
    "np.concatenate([{a}, {b}])", "{a}.astype(np.float16)", "np.mean({a}, axis=1)", "-{a}", "{a}.shape",
    "np.exp({a}) / {b}", "np.stack([{a}, {b}])", "1 - {a}", "{a} == {b}",
)  # fmt: skip
STUBS: Final = Path(__file__).parent.parent / "stubs"
BIN: Final = Path(sys.executable).parent

COMMANDS: Final[dict[str, Callable[[Path, str], list[str]]]] = {
    "mypy": lambda env, file: [
        sys.executable, "-m", "mypy", "--python-executable", str(env / "bin/python"), "--cache-dir", os.devnull, file,
    ],
    "pyright": lambda env, file: [str(BIN / "pyright"), "--pythonpath", str(env / "bin/python"), file],
    "basedpyright": lambda env, file: [
        str(BIN / "basedpyright"), "--level", "error", "--pythonpath", str(env / "bin/python"), file,
    ],
    "pyrefly": lambda env, file: [
        str(BIN / "pyrefly"), "check", "--preset", "default",
        "--python-interpreter-path", str(env / "bin/python"), file,
    ],
    "ty": lambda env, file: [str(BIN / "ty"), "check", "--python", str(env), file],
    "zuban": lambda env, file: [str(BIN / "zuban"), "check", "--python-executable", str(env / "bin/python"), file],
}  # fmt: skip
AIMS: Final = {"mypy": 0.5, "pyright": 0.5, "basedpyright": 0.5, "pyrefly": 1.0, "ty": 1.0, "zuban": 1.0}


def program(module: str, count: int, operations: Sequence[str] = OPERATIONS) -> str:
    """A program of so many operations in functions of twenty, on arrays of `jax.numpy` or `numpy`."""
    lines = [f"import {module} as np"]
    for i in range(count // len(operations)):
        lines += [f"def f{i}() -> None:", "    a = np.ones((4, 3))", "    b = np.ones((4, 3), np.int8)"]
        lines += [f"    v{k} = {o.format(a='a', b='b')}" for k, o in enumerate(operations)]
    return "\n".join(lines) + "\n"


def environment(folder: Path, stubs: Path | None) -> Path:
    """A virtual environment that has what ours has, with or without stubs of JAX."""
    env = Path(tempfile.mkdtemp(dir=folder))
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--symlinks", env], check=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(env), "platbase": str(env)}))
    (site / "ours.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    if stubs:
        (site / "jax-stubs").symlink_to(stubs, target_is_directory=True)
    return env


def run(command: list[str], folder: Path, variables: dict[str, str] | None = None) -> None:
    """Run a checker, with environment variables besides those that are set; it may find nothing."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, **(variables or {})})
    if done.returncode:
        raise SystemExit(f"{command[0]} finds errors in the benchmark's program:\n{done.stdout[-3000:]}{done.stderr}")


def seconds(command: list[str], folder: Path) -> float:
    """CPU seconds, user and system, of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(folder: Path, operations: int, repeats: int, checkers: list[str]) -> None:
    """Measure and print."""
    env, plain = environment(folder, STUBS / "jax-stubs"), environment(folder, None)
    for module, name in (("jax.numpy", "ours"), ("numpy", "theirs")):
        (folder / f"{name}.py").write_text(program(module, operations))
        (folder / f"{name}_0.py").write_text(program(module, 0))
    (folder / "pyrightconfig.json").write_text('{"include": ["ours.py"]}')
    print(f"{'':14}{'jax.numpy':>10}{'numpy':>10}{'ratio':>8}{'aim':>6}")
    for checker in checkers:
        best: dict[str, float] = {}
        for _ in range(repeats):
            for file in ("ours", "ours_0", "theirs", "theirs_0"):
                took = seconds(COMMANDS[checker](env, f"{file}.py"), folder)
                best[file] = min(best.get(file, took), took)
        ours, theirs = ((best[n] - best[f"{n}_0"]) * 1000 / operations for n in ("ours", "theirs"))
        print(f"{checker:14}{ours:9.2f}s{theirs:9.2f}s{ours / theirs:8.2f}{AIMS[checker]:6.1f}", flush=True)
    cold: dict[Path, float] = {}
    (folder / "cold.py").write_text(program("jax.numpy", 1000))
    for _ in range(repeats):
        for one in (plain, env):
            took = seconds(COMMANDS["mypy"](one, "cold.py"), folder)
            cold[one] = min(cold.get(one, took), took)
    print(f"cold mypy: {cold[plain]:.2f} s without the stubs, {cold[env]:.2f} s with them: ", end="")
    print(f"{cold[env] / cold[plain]:.2f} (aim 0.40)")


def main() -> None:
    """Parse the options and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--operations", type=int, default=5000, help="how many operations a file has")
    parser.add_argument("--repeats", type=int, default=3, help="measurements of each kind; the smallest counts")
    parser.add_argument("--checkers", default=",".join(COMMANDS), help="separated by commas")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), given.operations, given.repeats, given.checkers.split(","))


if __name__ == "__main__":
    main()
