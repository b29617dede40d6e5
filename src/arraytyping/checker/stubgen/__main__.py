"""`python -m arraytyping.checker.stubgen`: write the stub packages, or with `--check` only compare them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from arraytyping.checker.stubgen.own_package import own_package
from arraytyping.checker.stubgen.packages import jax_package
from arraytyping.checker.stubgen.volumes import divided
from arraytyping.semantics.rules import registry

ROOT = Path(__file__).parents[4] / "stubs"


def main(arguments: list[str] | None = None) -> int:
    """Write or compare; the exit code."""
    assert registry.RULES
    parser = argparse.ArgumentParser(prog="python -m arraytyping.checker.stubgen", description=(__doc__ or "").strip())
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file differs")
    parser.add_argument("--x64", action="store_true", help="stubs for programs with jax_enable_x64 on")
    parser.add_argument("--output", type=Path, metavar="DIR", help="where the packages lie (default: stubs/)")
    given = parser.parse_args(arguments)
    if given.output is None and given.x64:
        parser.error("--x64 needs --output: those in stubs/ are for programs without 64-bit dtypes")
    output = given.output or ROOT
    jax = jax_package(given.x64)
    packages = {"jax-stubs": divided(jax, "jax"), "arraytyping-stubs": divided(own_package(jax), "arraytyping")}
    differing = [p for name, files in packages.items() for p in update(output / name, files, given.check)]
    for path in differing:
        print(f"{'differs' if given.check else 'written'}: {path}")
    if given.check and differing:
        print("run `python -m arraytyping.checker.stubgen` and commit what it writes")
    return 1 if given.check and differing else 0


def update(folder: Path, files: dict[str, str], check: bool) -> list[Path]:
    """The files that differ, written unless only compared; files that are no longer made are removed."""
    differing: list[Path] = []
    for old in sorted(folder.rglob("*")):
        if old.is_file() and old.suffix in (".pyi", ".typed") and str(old.relative_to(folder)) not in files:
            differing.append(old)
            if not check:
                old.unlink()
    for name, text in sorted(files.items()):
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            differing.append(path)
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    return differing


if __name__ == "__main__":
    sys.exit(main())
