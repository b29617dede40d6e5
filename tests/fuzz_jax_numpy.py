"""Straight-line programs over `jax.numpy`, run for real, and held against what both layers claim of each variable.

    python tests/fuzz_jax_numpy.py --values 50000 --seed 7

A claim of what is no array for an array is wrong, too.  It prints each difference, and ends with 1 if a claim is wrong
or a line that runs is refused.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from flow_values import interpreted
from jax_numpy_programs import PREAMBLE, Line, make_program
from mypy_runs import Mypy, of_modules
from oracle import describes, from_jax

from arraytyping.checker.flow.values import ScalarValue, UnionValue, Unknown

WEAK = {"int": "int32", "float": "float32", "complex": "complex64"}


def of_types(programs: list[list[Line]], mypy: Mypy, counts: Counter[str]) -> list[str]:
    """What the types say wrongly of programs, all in one run of mypy."""
    files = {}
    for number, program in enumerate(programs):
        reveals = [f"reveal_type({line.name})" for line in program if line.error is None]
        files[f"program{number}.py"] = "\n".join([PREAMBLE.strip(), *map(str, program), *reveals]) + "\n"
    first = PREAMBLE.count("\n") + 1
    found = mypy.run(files, mypy_settings=of_modules(files, "check_untyped_defs = true"))
    assert found.status in (0, 1), found.output
    wrong = []
    for number, program in enumerate(programs):
        messages = [m for m in found.messages if m.file == f"program{number}.py"]
        refused = {m.line: m for m in messages if m.severity == "error"}
        ran = [line for line in program if line.error is None]
        for at, line in enumerate(program, first):
            if line.error is not None:
                counts["types: found" if at in refused else "types: missed"] += 1
            elif at in refused:
                message = refused[at]
                if not str(message.code).startswith("array-"):  # mypy says so without the plugin, by jax's annotations
                    counts["types: refused by mypy itself"] += 1
                elif message.code != "array-x64":
                    wrong.append(f"types, false: program {number}: {line}: {message.text} [{message.code}]")
        revealed = {m.line: m.revealed for m in messages if m.revealed is not None}
        for at, line in enumerate(ran, first + len(program)):
            counts["types: values"] += 1
            claim = revealed.get(at, "Any")
            counts["types: known"] += "Any" not in claim
            if not admits(claim, line.value):
                wrong.append(
                    f"types, wrong: program {number}: {line}: {claim} is claimed, {_shown(line.value)} is true"
                )
    return wrong


def admits(claim: str, value: Any) -> bool:
    """Whether a type that mypy reveals is true of a value."""
    parts = _split(claim, " | ")
    if len(parts) > 1:
        return any(admits(part, value) for part in parts)
    if claim in ("Any", "object") or claim.startswith("_typeshed.SupportsDunder"):  # a protocol of arrays, too
        return True
    if claim == "Never" and not isinstance(value, jax.Array):
        return True
    if match := re.fullmatch(r"(?:tuple|list)\[(.*)\]", claim):
        items = _split(match[1], ", ")
        if not isinstance(value, tuple | list):
            return not isinstance(value, jax.Array)
        if claim.startswith("list") or items[-1:] == ["..."]:
            return all(admits(items[0], v) for v in value)
        return len(items) == len(value) and all(map(admits, items, value))
    match = re.fullmatch(r"Array\[(.*), (Any|tuple\[.*\])\]", claim)
    if not isinstance(value, jax.Array):
        return match is None
    return match is not None and _is_dtype(match[1], value) and _is_shape(match[2], value.shape)


def _is_dtype(claim: str, array: Any) -> bool:
    weak, dtype = bool(array.aval.weak_type), str(array.dtype)
    for name in _split(claim, " | "):
        if name == "Any" or (name == "bool_" and dtype == "bool") or (WEAK.get(name) == dtype and weak):
            return True
        if name == dtype and not weak:
            return True
        if name in ("signedinteger", "unsignedinteger", "integer", "floating", "inexact", "number", "generic"):
            return True
    return False


def _is_shape(claim: str, shape: tuple[int, ...]) -> bool:
    if claim in ("Any", "tuple[Any, ...]", "tuple[int, ...]"):
        return True
    dims = [d for d in _split(claim[6:-1], ", ") if d != "()"]
    return len(dims) == len(shape) and all(d in ("int", "Any", f"Literal[{n}]") for d, n in zip(dims, shape))


def _split(text: str, by: str) -> list[str]:
    """The parts of a type at its outermost level."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "[") - (c == "]")
        if depth == 0 and text.startswith(by, i) and i >= start:
            parts.append(text[start:i])
            start = i + len(by)
    return [*parts, text[start:]]


def of_flow(program: list[Line], number: int, counts: Counter[str]) -> list[str]:
    """What flow says wrongly of a program."""
    variables, result = interpreted("\n".join([PREAMBLE.strip(), *map(str, program)]) + "\n")
    first = PREAMBLE.count("\n") + 1
    refused = {m.line: m for m in result.diagnostics if m.is_shown}
    wrong = [f"flow, crash: program {number}: {crash}" for crash in result.crashes]
    for at, line in enumerate(program, first):
        if line.error is not None:
            counts["flow: found" if at in refused else "flow: missed"] += 1
            continue
        if at in refused and refused[at].code != "array-x64":
            wrong.append(f"flow, false: program {number}: {line}: {refused[at].message}")
        counts["flow: values"] += 1
        claim = variables.get(line.name)
        if not is_true(claim, line.value, counts):
            wrong.append(f"flow, wrong: program {number}: {line}: {claim} is claimed, {_shown(line.value)} is true")
    return wrong


def is_true(claim: Any, value: Any, counts: Counter[str]) -> bool:
    """Whether what flow claims is true of a value."""
    if claim is None or isinstance(claim, Unknown):
        return True
    if isinstance(claim, UnionValue):
        return any(is_true(c, value, Counter()) for c in claim.values)
    if isinstance(value, tuple | list):
        items = claim if isinstance(claim, tuple) else getattr(claim, "items", None)
        return items is None or (
            len(items) == len(value) and all(is_true(c, v, Counter()) for c, v in zip(items, value))
        )
    aval = getattr(claim, "aval", None)
    if isinstance(value, jax.Array):
        if jnp.issubdtype(value.dtype, jax.dtypes.extended):
            return True
        counts["flow: known"] += aval is not None and aval.dtype is not None and aval.shape is not None
        real = from_jax(value)
        return aval is not None and describes(aval, real)
    return aval is None and (not isinstance(claim, ScalarValue) or type(value) in claim.kinds)


def _shown(value: Any) -> str:
    return str(jax.typeof(value)) if isinstance(value, jax.Array) else repr(value)[:80]


def differences(seed: int, values: int, lines: int, mypy: Mypy, counts: Counter[str]) -> list[str]:
    """The differences of programs that have so many variables together."""
    rng = random.Random(seed)
    programs = [make_program(rng, lines) for _ in range(max(1, values // lines))]
    wrong = of_types(programs, mypy, counts)
    for number, program in enumerate(programs):
        wrong += of_flow(program, number, counts)
    return [f"seed {seed}: {line}" for line in wrong]


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--values", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lines", type=int, default=100, help="variables of one program")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    batch = 500
    with tempfile.TemporaryDirectory() as directory:
        cache = Path(directory) / "cache"
        for start in range(0, options.values, batch):
            place = Path(directory) / f"batch{start}"
            place.mkdir()
            count = min(batch, options.values - start)
            found = differences(options.seed * 1_000_003 + start, count, options.lines, Mypy(place, cache), counts)
            print("\n".join(found), flush=True) if found else None
            wrong += found
            jax.clear_caches()  # type: ignore[no-untyped-call]
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    print(f"{len(wrong)} wrong or false")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
