"""Files of Python: their text and syntax tree, or why there is none."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import warnings
from pathlib import Path
from typing import Any

from arraytyping.checker.flow.sources.compiled_files import is_compiled
from arraytyping.checker.notebooks.cells import is_notebook
from arraytyping.checker.reparsing import reparsed
from arraytyping.regular_files import content_of, read_regular

__all__ = ["SourceError", "read_source"]


class SourceError(Exception):
    """A file cannot be read as Python; the message is one line."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.line = line
        self.message = message

    def __reduce__(self) -> Any:
        return SourceError, (self.path, self.line, self.message)


def read_source(
    path: Path, text: str | None = None, known: tuple[str, ast.Module] | None = None, *, compiles: bool = True
) -> tuple[str, ast.Module]:
    """The text and syntax tree of a file, or of a text in its place.

    With what is `known` of an earlier text, the statements that are the same are those of its tree.  Where it is of no
    matter what Python refuses of a text that can be parsed, it need not be compiled, which takes as long; nor where
    Python has done so.

    Raises:
        SourceError: if it cannot be read, is no text, or no Python.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise SourceError(path, 1, "is no regular file, and no directory")
        data = read_regular(path) if text is None else text.encode()
    except OSError as error:
        raise SourceError(path, 1, f"cannot be read: {error.strerror}") from None
    except RuntimeError:  # a link to itself, in older versions of Python
        raise SourceError(path, 1, "cannot be read: it is a link to itself") from None
    is_of_cells = is_notebook(path)
    if is_of_cells and text is None and content_of(path) is None:
        raise SourceError(path, 1, "is a notebook, which is read by `arraytyping` alone")
    if b"\0" in data:
        raise SourceError(path, 1, "is no text: there are null bytes in it")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            source = importlib.util.decode_source(data)
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if is_of_cells else 0
            if known is not None and known[0] == source:
                return known
            edited = None if known is None else reparsed(known[1], known[0], source, flags)
            if edited is not None:
                return source, edited
            tree = ast.parse(source)
            has_passed = text is None and content_of(path) is None and is_compiled(path, data)
            if compiles and not has_passed:  # which alone refuses `return` outside of functions
                compile(tree, str(path), "exec", flags, dont_inherit=True)
            return source, tree
    except SyntaxError as error:
        raise SourceError(path, error.lineno or 1, f"syntax error: {error.msg}") from None
    except (UnicodeDecodeError, LookupError) as error:
        raise SourceError(path, 1, f"is no text in the encoding that it declares: {error}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise SourceError(path, 1, f"cannot be parsed: {type(error).__name__}") from None
