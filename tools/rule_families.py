"""Writes `semantics/rules/families.py`: which family of rules has which rules, so that it is imported on demand.

    python tools/rule_families.py [--check]

All modules of `semantics/rules/` are imported, and each rule is noted with the module that enters it; `--check` writes
nothing, and exits with 1 if the file differs.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from textwrap import wrap
from typing import Final

from arraytyping.semantics import rules
from arraytyping.semantics.rules import table
from arraytyping.semantics.rules.families import FAMILIES

FILE: Final = Path(table.__file__).with_name("families.py")
HEAD: Final = '''\
"""Which family of rules has which rules; written by `python tools/rule_families.py`."""

from typing import Final

__all__ = ["FAMILIES"]

FAMILIES: Final[dict[str, tuple[str, ...]]] = {
'''


def families() -> dict[str, list[str]]:
    """The names of the rules that each module enters.

    Raises:
        RuntimeError: if some were imported before, whose rules are not seen.
    """
    if any(f"{rules.__name__}.{family}" in sys.modules for family in FAMILIES):
        raise RuntimeError("families of rules have been imported already: run this in a process of its own")
    found: defaultdict[str, list[str]] = defaultdict(list)
    enter = table.RULES.enter

    def noted(name: str, rule: table.Rule) -> None:
        enter(name, rule)
        found[_entering()].append(name)

    table.RULES.enter = noted  # type: ignore[method-assign]
    for module in iter_modules(rules.__path__):
        import_module(f"{rules.__name__}.{module.name}")
    return dict(found)


def _entering() -> str:
    """The module that is being executed."""
    frame = sys._getframe()
    while frame.f_code.co_name != "<module>":
        assert frame.f_back is not None
        frame = frame.f_back
    name: str = frame.f_globals["__name__"]
    return name.removeprefix(f"{rules.__name__}.")


def text(found: dict[str, list[str]]) -> str:
    """The text of the file."""
    lines = []
    for family, names in sorted(found.items()):
        items = ", ".join(f'"{name}"' for name in sorted(names)) + ","
        lines += [f'    "{family}": (', *wrap(items, 120, initial_indent=" " * 8, subsequent_indent=" " * 8), "    ),"]
    return HEAD + "\n".join(lines) + "\n}  # fmt: skip\n"


def main(arguments: list[str] | None = None) -> int:
    """Write or compare; the exit code."""
    parser = argparse.ArgumentParser(description="Which family of rules has which rules.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the file differs")
    given = parser.parse_args(arguments)
    new = text(families())
    if FILE.read_text(encoding="utf-8") == new:
        return 0
    if given.check:
        print(f"{FILE.name} differs: run `python tools/rule_families.py` and commit what it writes")
        return 1
    FILE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
