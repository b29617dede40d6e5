"""Libraries are read with the options that are configured: only the program's own variables may be bound again.

So what mypy finds in them is what it finds without the plugin.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mypy.options import Options

from arraytyping_mypy.names import BYSTANDERS, LIBRARIES

__all__ = ["hide_sections", "leave_libraries"]

_SECTIONS: Final = tuple(
    f"{name}.*" for name in sorted((LIBRARIES | BYSTANDERS) - {"arraytyping", "builtins", "typing"})
)
_made: Final[set[str]] = set()


def leave_libraries(options: Options, redefinition: bool, partial: bool) -> None:
    """Give the known libraries these options, but those of which the program may have one of the same name."""
    # mypy's daemon compares what it was started with: those options must stay as they are.
    options.per_module_options = {name: {**own} for name, own in options.per_module_options.items()}
    for section in _SECTIONS:
        name = section.removesuffix(".*")
        if any(Path(base, name).exists() or Path(base, f"{name}.py").exists() for base in ("", "src")):
            continue
        if section not in options.per_module_options:
            options.per_module_options[section] = {}
            _made.add(section)
        own = options.per_module_options[section]
        own.setdefault("allow_redefinition", redefinition)
        own.setdefault("local_partial_types", partial)


def hide_sections(options: Options) -> None:
    """Have mypy not warn of a section that it was given here."""
    options._unused_configs.difference_update(_made)
