"""What pyright does for an array operation, counted instead of timed: the same in every run, on every machine.

`python benchmarks/pyright_work.py` prints for each operation of `checker_time.py` how many thousand characters of its
own source pyright executes for it with `jax.numpy` and its stubs, with `numpy`, and the ratio; `--old DIR` adds another
`jax-stubs`, so that a change of the stubs can be judged.  V8 counts how often each block of a script runs
(https://nodejs.org/api/cli.html#node_v8_coveragedir); a block counts as long as it is.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any, Final

from checker_time import COMMANDS, OPERATIONS, STUBS, environment, program, run

EACH: Final = 20
"""Operations of a function."""
FUNCTIONS: Final = 40
"""Functions, besides a first one that is subtracted with all that happens once."""


def executed(ranges: list[dict[str, int]]) -> int:
    """The characters that a function executed: its blocks' lengths, without those within, by their counts."""
    lengths = [r["endOffset"] - r["startOffset"] for r in ranges]
    total = 0
    around: list[int] = []
    for i, block in enumerate(ranges):  # each block comes after the one that it lies in
        while around and ranges[around[-1]]["endOffset"] <= block["startOffset"]:
            around.pop()
        if around:
            total -= lengths[i] * ranges[around[-1]]["count"]
        total += lengths[i] * block["count"]
        around.append(i)
    return total


def work(env: Path, folder: Path, text: str) -> int:
    """The characters that pyright executes for a program."""
    (folder / "program.py").write_text(text)
    with tempfile.TemporaryDirectory() as counts:
        run(COMMANDS["pyright"](env, "program.py"), folder, {"NODE_V8_COVERAGE": counts})
        scripts: list[dict[str, Any]] = [
            script for file in Path(counts).glob("*.json") for script in json.loads(file.read_text())["result"]
        ]
    return sum(executed(f["ranges"]) for s in scripts if "pyright" in s["url"] for f in s["functions"])


def per_operation(env: Path, folder: Path, module: str, operation: str) -> float:
    """Thousands of characters for one operation."""
    first, both = (work(env, folder, program(module, n, [operation] * EACH)) for n in (EACH, EACH * (1 + FUNCTIONS)))
    return (both - first) / FUNCTIONS / EACH / 1000


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--old", type=Path, metavar="DIR", help="another jax-stubs to compare with")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pyrightconfig.json").write_text('{"include": ["program.py"]}')
        columns = {"jax.numpy": (environment(folder, STUBS / "jax-stubs"), "jax.numpy")}
        columns["numpy"] = (columns["jax.numpy"][0], "numpy")
        if given.old is not None:
            columns["old"] = (environment(folder, given.old.resolve()), "jax.numpy")
        print(f"{'':32}" + "".join(f"{c:>11}" for c in columns) + f"{'ratio':>8}")
        sums = dict.fromkeys(columns, 0.0)
        for operation in OPERATIONS:
            found = {c: per_operation(env, folder, module, operation) for c, (env, module) in columns.items()}
            sums = {c: sums[c] + n for c, n in found.items()}
            print_row(operation.format(a="a", b="b"), found)
        print_row("mean of these", {c: n / len(OPERATIONS) for c, n in sums.items()})


def print_row(title: str, found: dict[str, float]) -> None:
    """Print the counts of an operation and the ratio of ours to NumPy's."""
    counts = "".join(f"{n:11.0f}" for n in found.values())
    print(f"{title:32}{counts}{found['jax.numpy'] / found['numpy']:8.2f}", flush=True)


if __name__ == "__main__":
    main()
