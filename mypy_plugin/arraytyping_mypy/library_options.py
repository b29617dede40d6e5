"""Libraries are read with the options that are configured: only the program's own variables may be bound again.

So what mypy finds in them is what it finds without the plugin.
"""

from __future__ import annotations

import os
import sys
from typing import Final

from mypy.options import Options

from arraytyping_mypy.names import BYSTANDERS, LIBRARIES, NEIGHBOURS

__all__ = [
    "Redefinition", "add_sections", "configured_redefinition", "hide_sections", "leave_libraries", "names_in",
    "redefine", "share_options",
]  # fmt: skip

Redefinition = tuple[bool, bool]
"""mypy's `allow_redefinition` and `local_partial_types`."""

_VARIABLE: Final = "ARRAYTYPING_PLAIN_REDEFINITION"

_SECTIONS: Final = tuple(
    f"{name}.*" for name in sorted((LIBRARIES | BYSTANDERS | NEIGHBOURS) - {"arraytyping", "builtins", "typing"})
)
_OTHERS: Final = BYSTANDERS | NEIGHBOURS
_made: Final[set[str]] = set()


def configured_redefinition(options: Options) -> Redefinition:
    """The two options that we change, as they are configured; mypy's workers get ours, and find them here."""
    if "mypy.build_worker.worker" in sys.modules and _VARIABLE in os.environ:
        redefinition, partial = os.environ[_VARIABLE].split()
        return redefinition == "True", partial == "True"
    os.environ[_VARIABLE] = f"{options.allow_redefinition} {options.local_partial_types}"
    return options.allow_redefinition, options.local_partial_types


def redefine(options: Options, configured: Redefinition) -> None:
    """An array variable is normally bound again to another shape: `x = x.reshape(-1)`."""
    options.allow_redefinition = True
    options.local_partial_types = True
    leave_libraries(options, *configured)


def leave_libraries(options: Options, redefinition: bool, partial: bool) -> None:
    """Give the known libraries these options, but those of which the program may have one of the same name."""
    own = {name.removesuffix(".py") for base in ("", "src") for name in names_in(base)}
    installed = _installed(options)
    wanted: dict[str, dict[str, object]] = {}
    for section in _SECTIONS:
        name = section.removesuffix(".*")
        if name not in own and (name not in _OTHERS or installed is None or name in installed):
            wanted[section] = {"allow_redefinition": redefinition, "local_partial_types": partial}
    add_sections(options, wanted)


def add_sections(options: Options, wanted: dict[str, dict[str, object]]) -> None:
    """Give the modules of some sections these options, but for those that are configured for them."""
    # mypy's daemon compares what it was started with: those options must stay as they are.
    known = options.per_module_options
    _made.update(wanted.keys() - known.keys())
    options.per_module_options = {**known, **{name: {**own, **known.get(name, {})} for name, own in wanted.items()}}
    if options._per_module_cache is not None:  # of the sections before, where a module is not followed
        options.build_per_module_cache()


def share_options(options: Options) -> None:
    """Make the options of the sections that are as they were given here: those that say the same share them.

    mypy would make them as it begins, one after the other, which takes a hundredth of a run in which nothing has
    changed.
    """
    sections = options.per_module_options
    configured = sections.keys() - _made
    shared: dict[str, list[str]] = {}
    for name in sections.keys() & _made:
        if not any(other.startswith(name[:-1]) or name.startswith(other.rstrip("*")) for other in configured):
            shared.setdefault(repr(sections[name]), []).append(name)  # no other section begins with what it says
    apart = {name for names in shared.values() for name in names}
    options.per_module_options = {name: own for name, own in sections.items() if name not in apart}
    options.build_per_module_cache()
    options.per_module_options = sections
    known = options._per_module_cache
    assert known is not None
    for made in known.values():
        made.per_module_options = sections
    for names in shared.values():
        known.update(dict.fromkeys(names, options.apply_changes(sections[names[0]])))


def _installed(options: Options) -> set[str] | None:
    """What is installed for the program, since each section costs mypy time; None where that is another Python's."""
    if options.python_executable not in (None, sys.executable):
        return None
    return {
        name.removesuffix(".py") for folder in sys.path if folder.endswith("-packages") for name in names_in(folder)
    }


def names_in(folder: str) -> list[str]:
    """What is in a folder; nothing if there is none."""
    try:
        return os.listdir(folder or ".")  # noqa: PTH208
    except OSError:
        return []


def hide_sections(options: Options) -> None:
    """Have mypy not warn of a section that it was given here."""
    options._unused_configs.difference_update(_made)
