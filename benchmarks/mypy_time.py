"""CPU time of mypy with the plugin against mypy without it, on a file of 2,000 array operations, in one run.

`python benchmarks/mypy_time.py` prints three ratios, each of the smallest of several interleaved measurements:

- cold: no cache, so that jax's own sources are read too;
- warm: nothing has changed since the last run, which was the cold one, or the re-check;
- re-check: the file has changed, jax has not.

Both sides check the same program under the same options, which are written once, as those of a project.  A warm or
re-check run is mostly mypy's start-up.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

OPERATIONS = (
    "{a} + {b}", "{a} * 2.0", "jnp.add({a}, {b})", "jnp.sin({a})", "{a}.sum(axis=0)", "{a}[0]", "{a}.T",
    "jnp.where({a} > 0, {a}, {b})", "{a}.reshape(-1)", "{a} @ {c}", "jnp.zeros((4, {n}), jnp.float32)",
    "jnp.concatenate([{a}, {b}])", "{a}.astype(jnp.bfloat16)", "jnp.mean({a}, axis=1, keepdims=True)", "-{a}",
    "{a}.shape", "jnp.exp({a}) / {b}", "jnp.stack([{a}, {b}])", "1 - {a}", "{a} == {b}",
)  # fmt: skip


def program(count: int) -> str:
    """A program of so many array operations, in functions of twenty."""
    lines = ["import jax.numpy as jnp"]
    for i in range(count // len(OPERATIONS)):
        n = i % 7 + 2
        lines += [f"def f{i}() -> None:", f"    a = jnp.ones((4, {n}))", f"    b = jnp.ones((4, {n}), jnp.int8)"]
        lines.append(f"    c = jnp.ones(({n}, 3))")
        lines += [f"    v{k} = {o.format(a='a', b='b', c='c', n=n)}" for k, o in enumerate(OPERATIONS)]
    return "\n".join(lines) + "\n"


def _config(directory: Path, plugin: bool) -> Path:
    return directory / f"{'with' if plugin else 'plain'}.ini"


def run(directory: Path, plugin: bool, cache: str) -> float:
    """CPU seconds, user and system, of one run of mypy."""
    config = _config(directory, plugin)
    # Installed packages have their bytecode; a working copy has it after its first run, if it may be written.
    environ = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", config.name, "--cache-dir", cache, "program.py"],
        cwd=directory,
        capture_output=True,
        text=True,
        env=environ,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"mypy found errors in the benchmark's program:\n{done.stdout}{done.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(directory: Path, repeats: int) -> dict[str, dict[bool, float]]:
    """The smallest CPU time of each kind of run, without and with the plugin."""
    for plugin in (False, True):
        plugins = "plugins = arraytyping_mypy\n" if plugin else ""
        _config(directory, plugin).write_text(f"[mypy]\n{plugins}allow_redefinition = true\n")
    best: dict[str, dict[bool, float]] = {kind: {} for kind in ("cold", "warm", "re-check")}
    file = directory / "program.py"
    text = program(2000)
    for i in range(repeats):
        for plugin in (False, True):
            cache = f"cache-{plugin}-{i}"
            file.write_text(text)
            times = {"cold": run(directory, plugin, cache), "warm": run(directory, plugin, cache)}
            file.write_text(f"{text}# {i}\n")
            times["re-check"] = run(directory, plugin, cache)
            times["warm"] = min(times["warm"], run(directory, plugin, cache))
            for kind, time in times.items():
                best[kind][plugin] = min(best[kind].get(plugin, time), time)
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repeats", type=int, default=3, help="measurements of each kind; the smallest counts")
    with tempfile.TemporaryDirectory() as directory:
        best = measure(Path(directory), parser.parse_args().repeats)
    print(f"{'':10}{'plain':>9}{'plugin':>9}{'ratio':>8}{'aim':>8}")
    for kind, aim in (("cold", 1.05), ("warm", 1.05), ("re-check", 1.35)):
        plain, ours = best[kind][False], best[kind][True]
        print(f"{kind:10}{plain:8.2f}s{ours:8.2f}s{ours / plain:8.2f}{aim:8.2f}")


if __name__ == "__main__":
    main()
