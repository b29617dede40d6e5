"""Programs with random damage, in bytes and in their syntax trees: whatever is left of them, flow has to end well.

    python tests/fuzz_mutants.py --programs 1000 --seed 1

checks so many mutants of the programs of `typecheck_cases/flow/`, each followed by a worker, and prints what is wrong:
an internal error, an answer that is missing, a bound that is not kept.  The exit code is 1 if there is any.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROGRAMS = Path(__file__).parent.parent / "typecheck_cases" / "flow"
SECONDS = 10.0
"""Of processor time for one mutant; a worker may take a quarter more."""

_CHECK = """\
import json, sys
from pathlib import Path
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.settings import Settings

limits = Limits()
limits.seconds = {seconds}
for line in sys.stdin:
    paths = json.loads(line)
    found = analyze([Path(p) for p in paths], Settings(), limits=limits, jobs={jobs}, confined=True)
    print(json.dumps({{
        "crashes": found.crashes,
        "reports": [[str(r.entry), r.seconds, r.stopped] for r in found.entry_points],
    }}), flush=True)
"""


def mutants(seed: int, count: int) -> Iterator[bytes]:
    """So many programs with damage, half of them in the bytes and half in the trees."""
    chance = random.Random(seed)
    texts = [path.read_text(encoding="utf-8") for path in sorted(PROGRAMS.glob("*.py"))]
    for number in range(count):
        text = chance.choice(texts)
        yield damaged_bytes(text.encode(), chance) if number % 2 else damaged_tree(text, texts, chance).encode()


def damaged_bytes(data: bytes, chance: random.Random) -> bytes:
    """A text some of whose bytes or lines are lost, exchanged or there twice."""
    for _ in range(chance.randint(1, 3)):
        at, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        end = min(end, at + chance.choice((1, 1, 4, 40)))
        kind = chance.randrange(5)
        if kind == 0:
            data = data[:at] + data[end:]
        elif kind == 1:
            data = data[:at] + bytes(chance.randrange(256) for _ in range(end - at)) + data[end:]
        elif kind == 2:
            data = data[:end] + data[at:]
        else:
            lines = data.split(b"\n")
            i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
            if kind == 3:
                lines[i], lines[j] = lines[j], lines[i]
            else:
                del lines[i]
            data = b"\n".join(lines)
    return data


def damaged_tree(text: str, others: list[str], chance: random.Random) -> str:
    """A program some of whose expressions and statements are lost, exchanged, or those of another program."""
    tree = ast.parse(text)
    for _ in range(chance.randint(1, 4)):
        strange = ast.parse(chance.choice(others)) if chance.random() < 0.3 else tree
        kind: type[ast.AST] = chance.choice((ast.expr, ast.expr, ast.stmt))
        places = [place for place in _places(tree) if isinstance(_at(place), kind)]
        givers = [node for node in ast.walk(strange) if isinstance(node, kind) and not isinstance(node, ast.Starred)]
        place, giver = chance.choice(places), copy.deepcopy(chance.choice(givers))
        if kind is ast.expr and chance.random() < 0.3:
            value: Any = chance.choice((0, -1, 1.5, None, True, "", "a", (), 2**70, float("nan"), b"x", 1j))
            giver = ast.Constant(value) if not isinstance(value, tuple) else ast.Tuple([], ast.Load())
        node, name, number = place
        if number is None:
            setattr(node, name, giver)
        elif kind is ast.stmt and chance.random() < 0.4 and len(getattr(node, name)) > 1:
            del getattr(node, name)[number]
        else:
            getattr(node, name)[number] = giver
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return text


Place = tuple[ast.AST, str, int | None]


def _places(tree: ast.AST) -> Iterator[Place]:
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                yield node, name, None
            elif isinstance(value, list):
                yield from ((node, name, i) for i, item in enumerate(value) if isinstance(item, ast.AST))


def _at(place: Place) -> Any:
    node, name, number = place
    value = getattr(node, name)
    return value if number is None else value[number]


def wrong(seed: int, count: int, keep: Path, jobs: int = 1, seconds: float = SECONDS) -> list[str]:
    """What is wrong with so many mutants, of which those at fault are kept in a directory."""
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as directory:
        process = subprocess.Popen(
            [sys.executable, "-c", _CHECK.format(seconds=seconds, jobs=jobs)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=directory,
            text=True,
            env={**os.environ, "JAX_PLATFORMS": "cpu"},
        )
        assert process.stdin is not None
        assert process.stdout is not None
        programs = list(mutants(seed, count))
        for first in range(0, count, 10):
            paths = [Path(directory, f"m{number}.py") for number in range(first, min(first + 10, count))]
            for number, path in enumerate(paths, first):
                path.write_bytes(programs[number])
            process.stdin.write(json.dumps([p.name for p in paths]) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                faults.append(f"seed {seed}: no answer to {paths[0].name} to {paths[-1].name}")
                break
            answer = json.loads(line)
            found = [f"seed {seed}: {crash}" for crash in answer["crashes"]]
            for name, used, stopped in answer["reports"]:
                # A program may need more than it gets, if it is stopped then.
                if (stopped and "processor time" not in stopped) or (not stopped and used > seconds * 1.25):
                    found.append(f"seed {seed}: {name}: {stopped or f'{used:.1f} s'}")
            if found:
                keep.mkdir(parents=True, exist_ok=True)
                for path in paths:
                    (keep / path.name).write_bytes(path.read_bytes())
            faults += found
            for path in paths:
                path.unlink()
        process.stdin.close()
        process.wait()
    return faults


def main() -> int:
    """Check mutants and print what is wrong."""
    parser = argparse.ArgumentParser(description="Programs with random damage, each followed by flow.")
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-mutants"), help="where those at fault are kept")
    parser.add_argument("-j", type=int, default=1, help="processes at once")
    options = parser.parse_args()
    faults = wrong(options.seed, options.programs, options.keep, options.j)
    print("\n".join([*faults, f"{options.programs} mutants, seed {options.seed}: {len(faults)} faults"]))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
