"""Where the source of an installed library lies, found without importing anything, and which libraries are followed.

A library that is not imported for real (`real_calls.library_imports`) is followed like the program, from its source.
"""

from __future__ import annotations

import functools
import importlib.machinery
from pathlib import Path
from typing import Final, NamedTuple

from arraytyping.regular_files import is_file

__all__ = ["NOT_FOLLOWED", "READS_ONLY", "LibrarySource", "find_library", "module_at"]

_COMPILED: Final = "most of it is compiled"
_SERVICE: Final = "it talks to services and processes"
_TYPES: Final = "it makes code and classes as it runs"

NOT_FOLLOWED: Final[dict[str, str]] = {
    "torch": _COMPILED,
    "torchvision": _COMPILED,
    "torchaudio": _COMPILED,
    "tensorflow_probability": _TYPES,
    "tensorflow_hub": _COMPILED,
    "keras": _TYPES,
    "cv2": _COMPILED,
    "h5py": _COMPILED,
    "ray": _SERVICE,
    "boto3": _SERVICE,
    "google": _SERVICE,
    "requests": _SERVICE,
    "urllib3": _SERVICE,
    "aiohttp": _SERVICE,
    "fsspec": _SERVICE,
    "gcsfs": _SERVICE,
    "IPython": _SERVICE,
    "ipywidgets": _SERVICE,
    "pygame": _COMPILED,
    "mujoco": _COMPILED,
    "dm_control": _COMPILED,
    "transformers": _TYPES,
    "tokenizers": _COMPILED,
    "sentencepiece": _COMPILED,
    "tensorstore": _COMPILED,
    "numba": _TYPES,
    "sympy": _TYPES,
    "mpmath": _TYPES,
    "pydantic": _TYPES,
    "attr": _TYPES,
    "hypothesis": _TYPES,
    "setuptools": _SERVICE,
    "pip": _SERVICE,
    "Cython": _COMPILED,
}
"""Libraries whose source says little, by their packages, and why; those of `READS_ONLY` are not followed either."""

READS_ONLY: Final = frozenset({
    "matplotlib", "seaborn", "plotly", "bokeh", "wandb", "mlflow", "neptune", "tensorboardX", "tensorboard", "orbax",
    "imageio", "psutil", "tabulate", "prettytable", "termcolor", "colorama", "humanize", "loguru", "rich", "swanlab",
    "git", "tensorflow", "tensorflow_datasets", "sklearn", "pandas", "polars", "mediapy", "moviepy", "pyinstrument",
    "comet_ml", "trackio", "PIL", "sacred", "gin", "datasets", "svgwrite",
})  # fmt: skip
"""Libraries, installed or not, whose calls change nothing of JAX's or Python's that they are given."""


class LibrarySource(NamedTuple):
    """The file of a module of a library, and whether it is a package's."""

    path: Path
    is_package: bool


def module_at(place: Path) -> LibrarySource | None:
    """The module whose path, without an ending, is given: a package's `__init__.py` before a file.

    A file that an editor has not saved yet is one.
    """
    if is_file(str(file := place / "__init__.py")):
        return LibrarySource(file, True)
    # not `with_suffix`, which would cut a name at its last point
    return LibrarySource(file, False) if is_file(str(file := place.parent / f"{place.name}.py")) else None


@functools.cache
def find_library(name: str) -> LibrarySource | None:
    """The source of a module of an installed library; None if there is none in Python, or it is not followed."""
    head, *rest = name.split(".")
    if head in NOT_FOLLOWED or head in READS_ONLY:
        return None
    found, directories = _top(head)
    for part in rest:
        found, directories = _inside(directories, part)
    return found


def _top(name: str) -> tuple[LibrarySource | None, list[Path]]:
    """A package or module as Python's own finder sees it, and where what is in it is looked for."""
    try:
        spec = importlib.machinery.PathFinder.find_spec(name)
    except (ImportError, ValueError, OSError):
        return None, []
    if spec is None:
        return None, []
    inside = spec.submodule_search_locations
    directories = [] if inside is None else [Path(place) for place in inside]
    if spec.origin is not None and spec.origin.endswith(".py"):
        return LibrarySource(Path(spec.origin), inside is not None), directories
    return (LibrarySource(directories[0], True) if directories else None), directories


def _inside(directories: list[Path], part: str) -> tuple[LibrarySource | None, list[Path]]:
    """A module in one of these directories of a package."""
    for directory in directories:
        if (found := module_at(directory / part)) is not None:
            return found, [directory / part] if found.is_package else []
    spaces = [directory / part for directory in directories if (directory / part).is_dir()]
    return (LibrarySource(spaces[0], True) if spaces else None), spaces
