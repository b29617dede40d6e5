"""The version of jax that a program is checked against, and whether our rules are known to hold for it."""

from __future__ import annotations

from typing import Final, NamedTuple

from mypy.modulefinder import get_search_dirs
from mypy.options import Options

from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.releases import NEWEST, OLDEST, Release, release_of, unsupported
from arraytyping_mypy.library_options import names_in

__all__ = ["JaxVersion", "installed_jax"]

_OPERATORS: Final = ("add", "radd", "sub", "rsub", "mul", "rmul", "lt", "le", "gt", "ge", "eq", "ne", "neg")
STABLE: Final = frozenset(
    {f"Array.__{op}__" for op in _OPERATORS}
    | {"Array.T", "Array.shape", "Array.ndim", "Array.size", "Array.dtype", "Array.reshape", "Array.astype"}
    | {"numpy.add", "numpy.subtract", "numpy.multiply", "numpy.zeros", "numpy.ones", "numpy.full", "numpy.reshape"}
)
"""The rules that have been the same in every release for years: all that is claimed of an unsupported one."""


class JaxVersion(NamedTuple):
    """A release of jax; `number` is its major and minor version, None if jax is not installed."""

    text: str
    number: Release | None

    @property
    def is_supported(self) -> bool:
        """Whether the rules are tested against it."""
        return self.number is None or OLDEST <= self.number <= NEWEST

    @property
    def release(self) -> Release:
        """The supported release that it is, or is nearest to; the newest if jax is not installed."""
        return min(max(self.number or NEWEST, OLDEST), NEWEST)

    @property
    def note(self) -> str:
        """What the user is told of an unsupported one."""
        return unsupported(self.text)


def installed_jax(options: Options) -> JaxVersion:
    """The jax in the environment that mypy looks into."""
    try:
        sys_path, site_packages = get_search_dirs(options.python_executable)
    except Exception as error:  # no such interpreter: mypy reports it
        swallow(error)
        sys_path, site_packages = [], []
    for directory in dict.fromkeys((*site_packages, *sys_path)):  # the latter also where a `.pth` file leads
        for name in sorted(filter(_is_jax, names_in(directory)), reverse=True):
            text = name.removeprefix("jax-").removesuffix(".dist-info")
            number = release_of(text)
            if number is not None:
                return JaxVersion(text, number)
    return JaxVersion("none", None)


def _is_jax(name: str) -> bool:
    """Whether a name among those of installed packages says that a jax is installed there."""
    return name.startswith("jax-") and name.endswith(".dist-info")
