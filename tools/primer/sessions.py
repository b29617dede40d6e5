"""Runs notebooks cell by cell with the extension for Jupyter, and holds what it said against what came of each cell.

    python tools/primer/sessions.py NOTEBOOK...

A mistake is false if the cell runs without an exception, a row of the table if the variable is another array then.
Each notebook has a process of its own, without Jupyter: IPython's shell is what the kernel has, too.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SILENT = ("array-x64", "array-annotation", "array-recompile", "array-unused", "array-key", "array-index")
"""Mistakes by which no exception is raised."""


def run(path: Path) -> int:
    """Run one notebook in this process; how much was wrong."""
    import nbformat
    from IPython.core.interactiveshell import InteractiveShell

    from arraytyping.checker.jupyter import extension as module

    os.environ.setdefault("MPLBACKEND", "agg")
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    shell = InteractiveShell.instance()
    shell.run_line_magic("xmode", "Minimal")
    shell.run_line_magic("load_ext", "arraytyping")
    extension = next(iter(module._loaded.values()))
    while not extension.is_ready:
        time.sleep(0.05)
    extension.wait = 20.0
    cells = raised = mistakes = rows = wrong = 0
    shown: list[Any] = []
    extension._display = lambda data, handle=None: None  # type: ignore[method-assign]
    original = extension._findings

    def findings(asked: Any) -> Any:
        found = original(asked)
        shown.append(found)
        return found

    extension._findings = findings  # type: ignore[method-assign]
    prepared: list[float] = []
    ask = extension._session.program

    def program(*args: Any) -> Any:
        begun = time.process_time()
        made = ask(*args)
        prepared.append(time.process_time() - begun)
        return made

    extension._session.program = program  # type: ignore[method-assign,assignment]
    for number, cell in enumerate(notebook.cells, 1):
        installs = any(line.lstrip().startswith(("!", "%pip", "%%bash")) for line in cell.source.splitlines())
        if cell.cell_type != "code" or installs:
            continue
        shown.clear()
        result = shell.run_cell(cell.source, store_history=True)  # type: ignore[no-untyped-call]
        cells += 1
        error = result.error_in_exec or result.error_before_exec
        raised += error is not None
        for found in shown:
            if found is None:
                continue
            for m in found.diagnostics:
                mistakes += 1
                if error is None and m.code not in SILENT:
                    wrong += 1
                    print(f"FALSE {path.name} cell {number}: {m.text} [{m.code}]\n{cell.source}")
                else:
                    print(f"said  {path.name} cell {number}: {m.text} [{m.code}] ({type(error).__name__}: {error})")
            if error is None:
                for row in found.rows():
                    if "[" in row.name or "|" in row.shape or row.name not in shell.user_ns:
                        continue
                    value = shell.user_ns[row.name]
                    if not hasattr(value, "dtype") or not hasattr(value, "shape"):
                        print(f"WRONG {path.name} cell {number}: {row}, is {type(value).__name__}")
                        wrong += 1
                        continue
                    rows += 1
                    shape = f"({', '.join(map(str, value.shape))}{',' if len(value.shape) == 1 else ''})"
                    weak = "weak" if getattr(value, "weak_type", False) and str(value.dtype) != "bool" else ""
                    sizes = [s.strip(",") for s in row.shape.strip("()").split(", ") if s]
                    is_like = len(sizes) == len(value.shape) and all(
                        not said.isdecimal() or int(said) == size for said, size in zip(sizes, value.shape)
                    )
                    fits = row.shape in ("?", shape) or is_like
                    if row.dtype not in ("?", str(value.dtype)) or not fits or row.weak_type not in ("?", weak):
                        wrong += 1
                        print(f"WRONG {path.name} cell {number}: {row}, is {value.dtype} {weak} {shape}\n{cell.source}")
    times = sorted(extension._times) or [0.0]
    own = sorted(prepared) or [0.0]
    print(
        f"{path.name}: {cells} cells, {raised} raised, {mistakes} mistakes said, {rows} rows right, {wrong} wrong; "
        f"answers {times[len(times) // 2]:.2f} s median, {times[-1]:.2f} at most; kernel's own work "
        f"{own[len(own) // 2] * 1000:.0f} ms median, {own[-1] * 1000:.0f} at most; "
        f"failed {extension._counts['failed']} {extension._why}"
    )
    shell.run_line_magic("unload_ext", "arraytyping")
    return wrong


def main() -> None:
    """Run the notebooks that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        sys.exit(min(run(given.notebooks[0]), 1))
    status = 0
    for path in given.notebooks:
        command = [sys.executable, __file__, "--here", str(path.resolve())]
        done = subprocess.run(command, capture_output=True, text=True, cwd=path.parent)
        lines = [line for line in done.stdout.splitlines() if line.startswith(("FALSE", "WRONG", "said", path.name))]
        print("\n".join(lines) if lines else f"{path.name}: {done.stderr[-500:]}", flush=True)
        status |= done.returncode
    sys.exit(status)


if __name__ == "__main__":
    main()
