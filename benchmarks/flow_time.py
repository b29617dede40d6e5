"""CPU time of flow: per 1,000 lines of program, cold and with what was kept, and how it grows with the program.

`python benchmarks/flow_time.py [PROGRAM...]` prints for each program, by default those of `typecheck_cases/flow/`:

- cold: nothing is kept, and the libraries are loaded;
- again: nothing has changed since;
- the share of the time in which the installed jax was asked.

Then one program is repeated 1, 10 and 100 times as functions of one file, and the cost of a copy is compared: where
it is linear the ratios are near 1.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

PROGRAMS = Path(__file__).parent.parent / "typecheck_cases" / "flow"
COPIED = """\
def example_{i}():
    def init(key, sizes):
        keys = jax.random.split(key, len(sizes) - 1)
        return [(jax.random.normal(k, (m, n)), jnp.zeros(n)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]

    def apply(params, x):
        for w, b in params[:-1]:
            x = jnp.tanh(x @ w + b)
        w, b = params[-1]
        return x @ w + b

    def loss(params, x, y):
        return jnp.mean((apply(params, x) - y) ** 2)

    @jax.jit
    def step(params, x, y):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value

    params = init(jax.random.key({i}), [{n}, 16, 1])
    x, y = jnp.ones((32, {n})), jnp.zeros((32, 1))
    for _ in range(3):
        params, value = step(params, x, y)
    return value
"""
_SHARE = """\
import sys, time
from pathlib import Path
from arraytyping.checker.flow.engines.asking import Asker
from arraytyping.checker.flow.start.program import interpret

inside = depth = asked = 0

def timed(ask):
    def wrapped(*args, **kwargs):
        global inside, depth, asked
        depth += 1
        asked += depth == 1
        began = time.process_time()
        try:
            return ask(*args, **kwargs)
        finally:
            depth -= 1
            if not depth:
                inside += time.process_time() - began
    return wrapped

interpret(Path(sys.argv[1]))  # loads the libraries
from arraytyping.checker.flow.start import program
program._answers.clear()
Asker.ask = timed(Asker.ask)
began = time.process_time()
interpret(Path(sys.argv[1]))
print(time.process_time() - began, inside, asked)
"""


def check(directory: Path, *paths: Path) -> float:
    """CPU seconds, user and system, of flow on these files."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "arraytyping", "check", "--no-types", *map(str, paths)],
        cwd=directory,
        capture_output=True,
        text=True,
        env={k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode == 2:
        raise SystemExit(f"flow could not check the benchmark's program:\n{done.stdout}{done.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def share(path: Path) -> tuple[float, float, int]:
    """Seconds of following a program once the libraries are loaded, those in which jax was asked, and how often."""
    done = subprocess.run([sys.executable, "-c", _SHARE, str(path)], capture_output=True, text=True, check=True)
    seconds, inside, asked = done.stdout.split()
    return float(seconds), float(inside), int(asked)


def measure(paths: list[Path], directory: Path) -> None:
    """Print the time of each program."""
    empty = directory / "empty.py"
    empty.write_text("import jax\nimport jax.numpy as jnp\njnp.ones(3)\n")
    print(f"start alone (the libraries are loaded): {check(directory, empty):.2f} s")
    print(f"{'program':32}{'lines':>7}{'cold':>9}{'again':>9}{'flow':>9}{'in jax':>8}{'asked':>7}")
    sums = [0.0] * 5
    for path in paths:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        cold, again = check(directory, path), check(directory, path)
        seconds, inside, asked = share(path)
        sums = [a + b for a, b in zip(sums, (lines, cold, again, seconds, inside))]
        print(f"{path.name:32}{lines:7}{cold:8.2f}s{again:8.2f}s{seconds:8.2f}s{inside / seconds:8.0%}{asked:7}")
    written, cold, again, seconds, inside = sums
    per = 1000 / written
    print(f"{'per 1,000 lines':39}{cold * per:8.2f}s{again * per:8.2f}s{seconds * per:8.2f}s{inside / seconds:8.0%}")


def grow(directory: Path) -> None:
    """Print what a copy costs in programs of different sizes."""
    print(f"\n{'copies':>7}{'lines':>8}{'flow':>9}{'a copy':>10}{'ratio':>8}")
    first = 0.0
    for count in (1, 10, 100):
        text = "import jax\nimport jax.numpy as jnp\n\n" + "\n\n".join(
            textwrap.dedent(COPIED).format(i=i, n=4 + i) for i in range(count)
        )
        calls = "\n".join(f"    example_{i}()" for i in range(count))
        path = directory / f"copies_{count}.py"
        path.write_text(f"{text}\n\nif __name__ == '__main__':\n{calls}\n")
        seconds, _, _ = share(path)
        first = first or seconds
        size = len(path.read_text().splitlines())
        print(f"{count:7}{size:8}{seconds:8.2f}s{seconds / count:9.3f}s{seconds / count / first:8.2f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("programs", type=Path, nargs="*", help="programs to measure; by default the test programs")
    paths = parser.parse_args().programs or sorted(PROGRAMS.glob("*.py"))
    with tempfile.TemporaryDirectory() as directory:
        measure([path.resolve() for path in paths], Path(directory))
        grow(Path(directory))


if __name__ == "__main__":
    main()
