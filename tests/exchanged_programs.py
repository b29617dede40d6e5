"""Programs run twice, as they stand and with their imports exchanged, and what came is compared.

`import jax.numpy as jnp` becomes `import arraytyping.numpy as jnp`, `from jax import lax` becomes
`from arraytyping import lax`, nothing else is changed.  Compared are what a program prints, and the arrays that the
module and its function `main` hold when they end: dtype, weak type, shape, and values to rounding.

`python tests/exchanged_programs.py typecheck_cases/flow/*.py` runs the named programs and says how each did.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import dataclasses
import functools
import io
import json
import os
import re
import sys
import tempfile
import time
import traceback
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
from answers import asked

import arraytyping
from arraytyping import config
from arraytyping.runtime.core import EVAL, current_trace

__all__ = ["Run", "differences", "exchanged", "exchanged_text", "run", "run_on_jax"]

TOLERANCES = {"bfloat16": 3e-2, "float16": 5e-3, "float32": 2e-3, "complex64": 2e-3}
"""How far values may be apart, relatively to the largest of an array; programs iterate, so that rounding grows."""
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.?\d+)(?:e[-+]?\d+)?")


@dataclasses.dataclass
class Run:
    """What came of a program: its output, the arrays that were held at the ends, the exception, the time it took."""

    output: str
    arrays: dict[str, Any]
    error: BaseException | None
    where: str
    seconds: float


class Exchange(ast.NodeTransformer):
    """The imports of jax become imports of arraytyping, bound to the same names."""

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for alias in node.names:
            name, asname = exchanged_name(alias.name), alias.asname
            if name == alias.name:
                made.append(ast.Import([alias]))
            elif asname is not None:
                made.append(ast.Import([ast.alias(name, asname)]))
            else:  # `import jax.scipy` binds `jax`
                made += [ast.Import([ast.alias(name)])] if "." in name else []
                made.append(ast.Import([ast.alias("arraytyping", "jax")]))
        return [ast.copy_location(m, node) for m in made]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        arrays = [a for a in node.names if node.module == "jaxtyping" and a.name == "Array"]  # which is that of jax
        if node.module and not node.level:
            node.module = exchanged_name(node.module)
        made: list[ast.stmt] = [ast.ImportFrom("arraytyping", arrays, 0)] if arrays else []
        node.names = [a for a in node.names if a not in arrays]
        return [ast.copy_location(m, node) for m in [*made, *([node] if node.names else [])]]


def exchanged_text(source: str) -> str:
    """The text of a program whose imports of jax are exchanged; whatever else is in it stays where it stands."""
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            before = ast.unparse(node)
            made = Exchange().visit(node)
            after = "; ".join(map(ast.unparse, made))
            if after != before:
                first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
                start, end = lines[first].encode()[: node.col_offset], lines[last].encode()[node.end_col_offset :]
                text = start.decode() + after + end.decode()
                lines[first : last + 1] = [text, *["\n"] * (last - first)]
    return "".join(lines)


class Watch(ast.NodeTransformer):
    """`main` hands its local variables on when it ends."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if node.name == "main":
            handed = ast.parse("__ended__(locals())").body
            node.body = [ast.Try(body=node.body, handlers=[], orelse=[], finalbody=handed)]
        return node


def exchanged_name(module: str) -> str:
    """The name of the module that stands for one of jax's; another module's name as it is."""
    return re.sub(r"^jax(?=\.|$)", "arraytyping", module)


def exchanged(source: str, filename: str = "<program>") -> ast.Module:
    """The tree of a program whose imports of jax are exchanged."""
    tree: ast.Module = Exchange().visit(ast.parse(source, filename))
    return ast.fix_missing_locations(tree)


def run(path: Path, *, ours: bool) -> Run:
    """Run a program as `__main__`, on our runtime or on jax, in an empty directory."""
    found = _executed(path.read_text(encoding="utf-8"), str(path), ours)
    assert current_trace() is EVAL, "a trace is still in force after the program"
    return found


def run_on_jax(path: Path) -> Run:
    """What a run on jax gives, or what an earlier one of the same program has given (tests/answers.py)."""
    source = path.read_text(encoding="utf-8")
    texts, arrays = asked(functools.partial(_told, source, path.name))
    output, names = json.loads(bytes(texts.values).decode())
    held = zip(names, arrays, strict=True)
    return Run(output, {name: (dtype, weak, array.values) for (name, dtype, weak), array in held}, None, "", 0.0)


def _told(source: str, name: str) -> Any:
    """What a run on jax gives, as arrays that can be kept; a program that raises is none to compare with."""
    found = _executed(source, name, False)
    if found.error is not None:
        raise found.error
    names = [(name, dtype, weak) for name, (dtype, weak, _) in found.arrays.items()]
    text = np.frombuffer(json.dumps((found.output, names)).encode(), np.uint8)
    return text, [values for _, _, values in found.arrays.values()]


def _executed(source: str, name: str, is_ours: bool) -> Run:
    tree = Watch().visit(exchanged(source, name) if is_ours else ast.parse(source, name))
    code = compile(ast.fix_missing_locations(tree), name, "exec", dont_inherit=True)
    module = types.ModuleType("__main__")
    module.__file__ = name
    held: dict[str, Any] = {}
    vars(module)["__ended__"] = lambda variables: held.update({f"main.{k}": v for k, v in variables.items()})
    printed, error, where = io.StringIO(), None, ""
    started = time.perf_counter()
    with surroundings(module, name), contextlib.redirect_stdout(printed):
        try:
            exec(code, vars(module))
        except SystemExit as stopped:
            error = stopped if stopped.code else None
        except Exception as raised:
            error, where = raised, traceback.format_exc()  # type: ignore[assignment]
    held |= {name: value for name, value in vars(module).items() if not name.startswith("__")}
    arrays = dict(leaf for name, value in held.items() for leaf in leaves(name, value))
    return Run(printed.getvalue(), arrays, error, where, time.perf_counter() - started)


@contextlib.contextmanager
def surroundings(module: types.ModuleType, name: str) -> Iterator[None]:
    """What a program finds and may change, put back at the end."""
    main, argv, place = sys.modules["__main__"], sys.argv, Path.cwd()
    theirs, ours = jax.config.jax_enable_x64, config.read("enable_x64")  # type: ignore[attr-defined]
    state = np.random.get_state()
    with tempfile.TemporaryDirectory() as directory, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sys.modules["__main__"], sys.argv = module, [name]
        os.chdir(directory)
        try:
            yield
        finally:
            os.chdir(place)
            sys.modules["__main__"], sys.argv = main, argv
            jax.config.update("jax_enable_x64", theirs)  # type: ignore[no-untyped-call]
            config.update("enable_x64", ours)
            np.random.set_state(state)


def leaves(name: str, value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The arrays in a value, with the path to each, as NumPy arrays with dtype and weak type."""
    if isinstance(value, jax.Array | arraytyping.Array):
        with contextlib.suppress(Exception):  # a tracer that the program has kept, or a deleted array
            yield name, described(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(f"{name}[{key!r}]", item, depth + 1)
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            yield from leaves(f"{name}[{number}]", item, depth + 1)
    elif dataclasses.is_dataclass(value) and type(value).__module__ == "__main__" and depth < 20:  # of the program
        for field in dataclasses.fields(value):
            yield from leaves(f"{name}.{field.name}", getattr(value, field.name, None), depth + 1)


def described(value: Any) -> tuple[str, bool, Any]:
    """Dtype, weak type and values of an array; of keys their data."""
    weak = bool(value.weak_type) if hasattr(value, "weak_type") else value.aval.weak_type
    if str(value.dtype).startswith("key<"):
        random = jax.random if isinstance(value, jax.Array) else arraytyping.random
        return str(value.dtype), weak, np.asarray(random.key_data(value))
    return str(value.dtype), weak, np.asarray(value)


def differences(ours: Run, theirs: Run, *, looser: float = 1.0) -> list[str]:
    """What differs between two runs, a line for each; `looser` times as far apart as usual may values be."""
    if theirs.error is not None:
        return [f"jax raises {theirs.error!r}"]
    if ours.error is not None:
        return [f"{type(ours.error).__name__}: {ours.error}"]
    found = [*compared_texts(ours.output, theirs.output)]
    for name in sorted(ours.arrays.keys() ^ theirs.arrays.keys()):
        found.append(f"{name} is an array on {'our runtime' if name in ours.arrays else 'jax'} alone")
    for name in theirs.arrays:
        if name in ours.arrays:
            found += [f"{name}: {line}" for line in compared_arrays(ours.arrays[name], theirs.arrays[name], looser)]
    return found


def compared_texts(ours: str, theirs: str) -> Iterator[str]:
    """The first lines that differ by more than the rounding of their numbers."""
    if len(ours.splitlines()) != len(theirs.splitlines()):
        yield f"{len(ours.splitlines())} lines are printed, on jax {len(theirs.splitlines())}"
    for mine, yours in zip(ours.splitlines(), theirs.splitlines(), strict=False):
        words = ["".join(NUMBER.sub("#", line).split()) for line in (mine, yours)]
        numbers = [np.array([float(n) for n in NUMBER.findall(line)]) for line in (mine, yours)]
        if words[0] != words[1] or not np.allclose(numbers[0], numbers[1], rtol=2e-2, atol=2e-3):
            yield f"prints {mine!r}, on jax {yours!r}"


def compared_arrays(ours: tuple[str, bool, Any], theirs: tuple[str, bool, Any], looser: float) -> Iterator[str]:
    """What differs between two arrays."""
    for what, mine, yours in zip(("dtype", "weak type"), ours, theirs, strict=False):
        if mine != yours:
            yield f"{what} {mine}, on jax {yours}"
    a, b = ours[2], theirs[2]
    if a.shape != b.shape:
        yield f"shape {a.shape}, on jax {b.shape}"
    elif ours[0] == theirs[0] and a.size:
        if a.dtype.kind in "biu":
            same = np.array_equal(a, b)
        else:
            a, b = (x.astype(np.complex128 if x.dtype.kind == "c" else np.float64) for x in (a, b))
            largest = max(1.0, float(np.max(np.abs(b[np.isfinite(b)]), initial=0.0)))
            apart = looser * largest * TOLERANCES.get(ours[0], 1e-6)
            same = np.allclose(a, b, rtol=0, atol=apart, equal_nan=True)
        if not same:
            yield f"values {a.ravel()[:4]}..., on jax {b.ravel()[:4]}..."


def main() -> int:
    """Run the named programs both ways and say how each did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, nargs="+")
    parser.add_argument("--tracebacks", action="store_true", help="show where our runtime raised")
    asked = parser.parse_args()
    failed = 0
    for path in map(Path.absolute, asked.programs):
        ours = run(path, ours=True)
        theirs = run(path, ours=False) if ours.error is None else Run("", {}, None, "", 0.0)
        lines = differences(ours, theirs)
        failed += bool(lines)
        how = "DIFFERS" if lines else "same"
        print(f"{how:8}{path.name:30}{ours.seconds:6.1f} s, jax {theirs.seconds:6.1f} s, {len(ours.arrays)} arrays")
        for line in lines[:8]:
            print(f"        {line:.300}")
        if asked.tracebacks and ours.where:
            print(ours.where)
        sys.stdout.flush()
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
