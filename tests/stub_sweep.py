"""Holds what checkers make of calls of JAX, with the stubs, against what the calls give.

`python tests/jax_calls.py FOLDER` finds the calls; `python tests/stub_sweep.py FOLDER [MODULE...]` has pyright and mypy
(`--checkers`) reveal the types, and prints what they refuse though it runs and JAX's own annotations accept it, and
each type that says something else than the run.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from checkers import BIN, environment
from jax_arguments import HEAD

PROMOTED: Final = {"int": {"int", "bool"}, "float": {"float", "int", "bool"}, "complex": {"complex", "float", "int"}}
WEAK: Final = {"int": ("int32", "int64"), "float": ("float32", "float64"), "complex": ("complex64", "complex128")}
"""The dtypes of weak arrays, by the Python type that names them."""

SILENT: Final = frozenset({"Any", "Unknown", "object", "SomeShape", "AnyShape", "Never", "NoReturn"})
ARRAYS: Final = frozenset({"Array", "ArrayImpl"})


@dataclass
class Said:
    """What a checker says of each line of the files: types that it reveals, and errors."""

    types: dict[tuple[str, int], str] = field(default_factory=dict)
    errors: dict[tuple[str, int], str] = field(default_factory=dict)


def pyright(env: Path, folder: Path, files: Sequence[str]) -> Said:
    """What pyright says."""
    (folder / "pyrightconfig.json").write_text(json.dumps({"include": list(files), "typeCheckingMode": "standard"}))
    command = [
        str(BIN / "pyright"),
        "--outputjson",
        "--pythonpath",
        str(env / "bin" / "python"),
        "--project",
        str(folder),
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    said = Said()
    for message in json.loads(done.stdout)["generalDiagnostics"]:
        place = Path(message["file"]).name, message["range"]["start"]["line"] + 1
        if message["severity"] == "information":
            said.types[place] = message["message"].rpartition('" is "')[2].rstrip('"')
        elif message["severity"] == "error":
            said.errors.setdefault(place, message["message"].splitlines()[0][:150] + f" [{message.get('rule')}]")
    return said


def mypy(env: Path, folder: Path, files: Sequence[str]) -> Said:
    """What mypy says."""
    (folder / "mypy.ini").write_text("[mypy]\nlocal_partial_types = true\nallow_redefinition = true\n")
    command = [
        str(BIN / "mypy"), "--config-file", "mypy.ini", "--python-executable", str(env / "bin" / "python"),
        "--cache-dir", str(env / "cache"), "--no-error-summary", "--no-pretty", *files,
    ]  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    said = Said()
    for line in done.stdout.splitlines():
        if (found := re.match(r"(.+?):(\d+): (note|error): (.*)$", line)) is None:
            continue
        place = Path(found[1]).name, int(found[2])
        if found[3] == "note" and (revealed := re.match(r'Revealed type is "(.*)"', found[4])):
            said.types[place] = revealed[1]
        elif found[3] == "error":
            said.errors.setdefault(place, found[4][:200])
    if done.returncode not in (0, 1):
        sys.stderr.write(done.stdout[-2000:] + done.stderr[-2000:])
    return said


def zuban(env: Path, folder: Path, files: Sequence[str]) -> Said:
    """What zuban says."""
    command = [str(BIN / "zuban"), "check", "--python-executable", str(env / "bin" / "python"), *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    said = Said()
    for line in done.stdout.splitlines():
        if (found := re.match(r"(.+?):(\d+): (note|error): (.*)$", line)) is None:
            continue
        place = Path(found[1]).name, int(found[2])
        if found[3] == "note" and (revealed := re.match(r'Revealed type is "(.*)"', found[4])):
            said.types[place] = revealed[1]
        elif found[3] == "error":
            said.errors.setdefault(place, found[4][:200])
    return said


def ty(env: Path, folder: Path, files: Sequence[str]) -> Said:
    """What ty says."""
    command = [str(BIN / "ty"), "check", "--python", str(env), "--output-format", "concise", *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    said = Said()
    for line in done.stdout.splitlines():
        if (found := re.match(r"^(.+?):(\d+):\d+: (info|error|warning)\[([\w-]+)\] (.*)$", line)) is None:
            continue
        place = Path(found[1]).name, int(found[2])
        if found[4] == "revealed-type":
            said.types[place] = re.sub(r"^Revealed type: `(.*)`$", r"\1", found[5])
        elif found[3] == "error":
            said.errors.setdefault(place, f"{found[5][:150]} [{found[4]}]")
    return said


def pyrefly(env: Path, folder: Path, files: Sequence[str]) -> Said:
    """What pyrefly says."""
    command = [
        str(BIN / "pyrefly"), "check", "--preset", "default", "--python-interpreter-path", str(env / "bin" / "python"),
        "--output-format", "json", "--min-severity", "info", *files,
    ]  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    said = Said()
    for message in json.loads(done.stdout)["errors"]:
        place = Path(message["path"]).name, message["line"]
        if message["name"] == "reveal-type":
            said.types[place] = message["description"].removeprefix("revealed type: ")
        elif message.get("severity", "error") == "error":
            said.errors.setdefault(place, f"{message['description'].splitlines()[0][:150]} [{message['name']}]")
    return said


CHECKERS: Final = {"pyright": pyright, "mypy": mypy, "zuban": zuban, "ty": ty, "pyrefly": pyrefly}


def contradiction(printed: str, value: Any) -> str | None:
    """What a printed type says that is not so of a described value."""
    text = re.sub(r"\b(?:[A-Za-z_]\w*\.)+(?=\w)", "", printed).replace("?", "").replace("*", "")
    text = text.replace("@_", "Any").replace("...", "Ellipsis")
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    return _contradiction(tree, value)


def _contradiction(tree: ast.expr, value: Any) -> str | None:
    if isinstance(tree, ast.BinOp):
        found = [_contradiction(side, value) for side in (tree.left, tree.right)]
        return None if None in found else found[0]
    name = ast.unparse(tree.value) if isinstance(tree, ast.Subscript) else ast.unparse(tree)
    items = _items(tree)
    if name in SILENT or (isinstance(tree, ast.List | ast.Call | ast.Constant) and name != "None"):
        return None
    if name in ARRAYS:
        return _of_array(items, value)
    kind = value[0]
    if kind == "Array":
        return f"an array is said to be {name}"
    if name in ("tuple", "list"):
        if kind != name:
            return None if kind == "class" and name in value[1] else f"{kind} is said to be {name}"
        held = value[1]
        if items and ast.unparse(items[-1]) == "Ellipsis":
            items = [items[0]] * len(held)
        elif name == "list" and items:
            items = items * len(held)
        elif items and ast.unparse(items[0]) == "()":
            items = []
        if isinstance(tree, ast.Subscript) and len(items) != len(held):
            return f"{len(held)} items are said to be {len(items)}"
        return next((c for t, v in zip(items, held) if (c := _contradiction(t, v))), None)
    classes = set(value[1]) if kind == "class" else {kind}
    if name in ("bool", "int", "float", "complex", "str"):
        return None if classes & (PROMOTED.get(name, {name}) | {name}) else f"{value[1][0]} is said to be {name}"
    if name == "None":
        return None if "NoneType" in classes else f"{value[1][0]} is said to be None"
    return None


def _items(tree: ast.expr) -> list[ast.expr]:
    if not isinstance(tree, ast.Subscript):
        return []
    inner = tree.slice
    return list(inner.elts) if isinstance(inner, ast.Tuple) and inner.elts else [inner]


def _of_array(items: list[ast.expr], value: Any) -> str | None:
    if value[0] != "Array":
        return f"{value[0] if value[0] != 'class' else value[1][0]} is said to be an array"
    _, dtype, weak, shape = value
    if items:
        said = ast.unparse(items[0])
        members = said.split(" | ")
        if not any(_is_dtype(member, dtype, weak) for member in members):
            return f"{'weak ' * weak}{dtype} is said to be {said}"
    if len(items) > 1 and isinstance(items[1], ast.Subscript) and ast.unparse(items[1].value) == "tuple":
        sizes = _items(items[1])
        texts = [ast.unparse(s) for s in sizes]
        if texts == ["()"]:
            texts = []
        if any("Ellipsis" in t or "Unpack" in t for t in texts):
            return None
        if len(texts) != len(shape):
            return f"rank {len(shape)} is said to be {len(texts)}"
        for text, size in zip(texts, shape):
            number = re.fullmatch(r"(?:Literal\[)?(-?\d+)\]?", text)
            if number is not None and int(number[1]) != size:
                return f"size {size} is said to be {number[1]}"
    return None


def _is_dtype(said: str, dtype: str, weak: bool) -> bool:
    if said in SILENT:
        return True
    if said in WEAK:
        return weak and dtype in WEAK[said]
    return said.rstrip("_") == dtype and (not weak or dtype == "bool")


@dataclass
class Line:
    """A line of a program: its text, and what it gives."""

    text: str
    value: Any
    module: str


def written(folder: Path, found: Mapping[str, Any], per_file: int = 4000) -> dict[tuple[str, int], Line]:
    """Write the programs; the lines of which something is known."""
    places: dict[tuple[str, int], Line] = {}
    head = HEAD.splitlines()
    for module, data in found.items():
        calls = data["calls"]
        for part in range(0, len(calls), per_file):
            file = f"{module.replace('.', '_')}_{part // per_file}.py"
            lines = list(head)
            for text, value in calls[part : part + per_file]:
                lines.append(f"reveal_type({text})")
                places[file, len(lines)] = Line(text, value, module)
            (folder / file).write_text("\n".join(lines) + "\n")
        file = f"{module.replace('.', '_')}_programs.py"
        lines = list(head)
        for number, program in enumerate(data["programs"]):
            lines.append(f"def program_{number}() -> None:")
            lines.append("    pass")
            for text, value in program:
                if value is not None:
                    lines.append(f"    reveal_type({text})")
                    places[file, len(lines)] = Line(text, value, module)
                    continue
                first = len(lines) + 1
                if '"""' in text or "'''" in text:
                    continue
                lines += [f"    {line}" for line in text.splitlines()]
                for at in range(first, len(lines) + 1):
                    places[file, at] = Line(lines[at - 1].strip(), None, module)
        (folder / file).write_text("\n".join(lines) + "\n")
    return places


def main() -> int:
    """Compare; the exit code says whether something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("calls", type=Path)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--checkers", default="pyright,mypy")
    parser.add_argument("--shown", type=int, default=4, help="how many of a function and of a kind are printed")
    given = parser.parse_args()
    paths = sorted(given.calls.glob("*.json"))
    found = {p.stem: json.loads(p.read_text()) for p in paths if not given.modules or p.stem in given.modules}
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environments = {n: environment(folder / n, p) for n, p in (("ours", ["jax-stubs"]), ("plain", []))}
        programs = folder / "programs"
        programs.mkdir()
        places = written(programs, found)
        files = sorted({file for file, _ in places})
        for checker in given.checkers.split(","):
            said = CHECKERS[checker](environments["ours"], programs, files)
            refused = [p for p in said.errors if p in places]
            again = sorted({file for file, _ in refused})
            plain = CHECKERS[checker](environments["plain"], programs, again) if refused else Said()
            groups: dict[str, list[str]] = defaultdict(list)
            kinds: Counter[str] = Counter()
            for place in refused:
                if place not in plain.errors:
                    line = places[place]
                    kinds["refused"] += 1
                    groups[f"refused {_function(line.text)}"].append(f"{line.text}\n        {said.errors[place]}")
                else:
                    kinds["refused by jax's own, too"] += 1
            for place, printed in said.types.items():
                known = places.get(place)
                if known is not None and known.value is not None and place not in said.errors:
                    wrong = contradiction(printed, known.value)
                    kinds["types"] += 1
                    if wrong is not None:
                        kinds["wrong"] += 1
                        groups[f"wrong {_function(known.text)}"].append(f"{known.text}\n        {printed}: {wrong}")
            bad += kinds["refused"] + kinds["wrong"]
            sys.stdout.write(f"== {checker}: {len(places)} lines, {dict(kinds)}\n")
            for group, examples in sorted(groups.items()):
                sys.stdout.write(f"{group}: {len(examples)}\n")
                sys.stdout.writelines(f"    {example}\n" for example in examples[: given.shown])
            sys.stdout.flush()
    return 1 if bad else 0


def _function(text: str) -> str:
    return text.partition("(")[0]


if __name__ == "__main__":
    sys.exit(main())
