"""Which functions of Python and its library may be called for real: those without an effect, and quick ones."""

from __future__ import annotations

import types
from typing import Any, Final

__all__ = ["is_pure"]

_MODULES: Final = frozenset({
    "math", "cmath", "string", "textwrap", "fractions", "decimal", "statistics", "re", "_sre", "operator", "_operator",
    "itertools", "functools", "_functools", "collections", "_collections", "typing", "types", "enum", "keyword",
    "numbers", "unicodedata", "difflib", "bisect", "_bisect", "struct", "_struct", "base64", "binascii", "zlib",
    "posixpath", "ntpath", "genericpath", "datetime", "_datetime", "calendar", "ipaddress", "colorsys", "hashlib",
    "_hashlib", "json", "json.decoder", "json.encoder", "ast", "dataclasses", "copy", "abc", "inspect", "shlex", "html",
    "urllib.parse",
    "pathlib", "pathlib._local", "typing_extensions",
})  # fmt: skip
_TYPES: Final = (str, bytes, int, float, complex, bool, tuple, frozenset, range, slice, bytearray)
_IMPURE: Final = frozenset({
    "exists", "isfile", "isdir", "getsize", "getmtime", "realpath", "abspath", "expanduser", "expandvars", "today",
    "now", "utcnow", "islink", "ismount", "lexists", "samefile", "cwd", "home", "stat", "read_text", "read_bytes",
    "write_text", "write_bytes", "open", "mkdir", "unlink", "rmdir", "touch", "rename", "replace", "glob",
    "iterdir", "rglob", "chmod", "resolve", "is_file", "is_dir", "dump", "load", "getsource", "getsourcefile",
    "stack", "currentframe", "getmodule", "exec", "eval", "compile", "symlink_to", "hardlink_to", "is_symlink",
    "walk",
})  # fmt: skip


def is_pure(function: Any) -> bool:
    """Whether a function only computes."""
    name = getattr(function, "__name__", "")
    owner = getattr(function, "__self__", None)
    if owner is not None and not isinstance(owner, types.ModuleType):
        kind = owner if isinstance(owner, type) else type(owner)
        if kind in _TYPES:
            return True
        return kind.__module__ in _MODULES and name not in _IMPURE
    if isinstance(function, type):
        return function in _TYPES or (function.__module__ in _MODULES and function.__module__ not in ("pathlib",))
    if isinstance(function, types.MethodDescriptorType | types.WrapperDescriptorType):
        return function.__objclass__ in _TYPES
    if isinstance(function, types.BuiltinFunctionType) and any(
        getattr(kind, name, None) is function for kind in _TYPES
    ):
        return True
    module = getattr(function, "__module__", None)
    return module in _MODULES and name not in _IMPURE
