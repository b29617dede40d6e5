"""Programs on arraytyping's own runtime: whether a run is of one, and what its names stand for then.

In the place of a function of ours stands that of jax with the same name, so that all that is known of jax is known of
a program on our runtime.  That is so only where no array of jax can be beside one of ours: the two are not the same.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.real_calls.library_functions import JAX_LIKE
from arraytyping.checker.flow.real_calls.own_names import stands_alone, twin_of
from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.flow.sources.statements import statements
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.x64_sides import CONFIGURED
from arraytyping.checker.flow.values import Value
from arraytyping.checker.x64 import own_by_default
from arraytyping.semantics.releases import NEWEST

__all__ = ["is_on_own_runtime", "name_own_runtime", "stands_for_own", "told_of_own"]

_ON_OWN: Final[RunSlot[bool | None]] = RunSlot("whether all arrays of the program are of our own runtime", lambda: None)

_NEUTRAL: Final = frozenset({"einops", "jaxtyping", "ml_dtypes"})
"""Libraries for jax that a program on our runtime may import: they bring no array of jax with them."""
_OTHERS: Final = frozenset(JAX_LIKE) - _NEUTRAL
_OF_JAXTYPING: Final = frozenset({"Array", "ArrayLike", "PRNGKeyArray", "*"})
_IN_TEXT: Final = re.compile(rf"(\W*(import|from)\s+)?({'|'.join(sorted(_OTHERS))})(\.\w+)*(\s+import\s.*)?", re.S)
"""Texts that may name a module of them: that of `import_module("jax.numpy")`, or `exec("import jax")`."""
_LINE: Final = re.compile(rf"^(?:import|from)[ \t]+(?:{'|'.join(sorted(_OTHERS))})\b", re.M)
_NAME: Final = re.compile(r"\bjax((?:\.\w+)+)")


def is_on_own_runtime(it: Interpreter) -> bool:
    """Whether the program computes on our runtime, and has named something of it before."""
    return bool(_ON_OWN.of(it))


def name_own_runtime(it: Interpreter) -> bool:
    """The program names something of our runtime: whether nothing of it can make an array of jax.

    The first time what is particular to our runtime is put in force.  Other programs are not looked through.
    """
    found = _ON_OWN.of(it)
    if found is None:
        # The runtime is as the newest jax; another one promotes otherwise, or has other names.
        is_answered = it.engines.has_jax and it.engines.jax.version[:2] == NEWEST
        # Most programs on jax say so in a line; of those nothing more is read, as an editor's would be at every key.
        is_said = any(_LINE.search(module.source) for module in it.importer.loaded)
        found = is_answered and not is_said and not any(_is_of_jax(tree) for tree in _trees(it))
        _ON_OWN.put(it, found)
        if found:
            _put_defaults(it)
    return found


def stands_for_own(it: Interpreter, value: Value) -> Value:
    """What stands for an object of our runtime wherever the program names it: the same of jax, or itself."""
    twin = twin_of(value) if name_own_runtime(it) and not stands_alone() else None
    return it.engines.from_python(value if twin is None else twin)


def told_of_own(it: Interpreter, message: str) -> str:
    """A message of a run, in which functions have the names that they have in the program."""
    return _NAME.sub(_own_name, message) if _ON_OWN.of(it) else message


def _own_name(found: re.Match[str]) -> str:
    value = sys.modules.get("arraytyping")
    for name in found[1].split(".")[1:]:
        value = getattr(value, name, None)
    return found[0] if value is None else f"arraytyping{found[1]}"


def _put_defaults(it: Interpreter) -> None:
    """What the environment says of jax is nothing to our runtime."""
    own = {
        "jax_enable_x64": bool(own_by_default()),
        "jax_numpy_dtype_promotion": "standard",
        "jax_numpy_rank_promotion": "allow",
        "jax_enable_custom_prng": False,
    }
    for name, value in own.items():
        if name not in CONFIGURED.of(it):
            it.engines.jax.configure(name, value)


def _trees(it: Interpreter) -> Iterator[ast.Module]:
    """The trees of the program's modules: of those that are loaded, and of those that they import."""
    waiting: list[tuple[str, bool, ast.Module]] = []
    seen: set[Path] = set()
    for module in it.importer.loaded:
        seen.add(module.path.resolve())
        waiting.append((module.name, module.is_package, module.tree))
    for name, is_package, tree in waiting:
        yield tree
        for imported in _imported(name, is_package, tree):
            found = it.importer.find(imported)
            if found is None or not found[0].is_file() or (path := found[0].resolve()) in seen:
                continue
            seen.add(path)
            it.importer.data.add(path)  # what is said of the program hangs on it, although it may not be executed
            try:
                waiting.append((imported, found[1], read_source(path, it.importer.overrides.get(path))[1]))
            except SourceError:
                continue


def _imported(name: str, is_package: bool, tree: ast.Module) -> Iterator[str]:
    """The names of modules that a module imports, or may."""
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = name.split(".") if is_package else name.split(".")[:-1]
            base = ".".join([*package[: len(package) - node.level + 1], *([node.module] if node.module else [])])
            base = base if node.level else node.module or ""
            yield from (base, *(f"{base}.{alias.name}" for alias in node.names))


def _is_of_jax(tree: ast.Module) -> bool:
    """Whether a module may bring arrays of jax into the program."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            if any(_head(alias.name) in _OTHERS or alias.name == "jaxtyping" for alias in node.names):
                return True
        elif isinstance(node, ast.ImportFrom) and not node.level:
            if _head(node.module or "") in _OTHERS:
                return True
            if node.module == "jaxtyping" and not _OF_JAXTYPING.isdisjoint(alias.name for alias in node.names):
                return True
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _IN_TEXT.fullmatch(node.value):
            return True
    return False


def _head(name: str) -> str:
    return name.partition(".")[0]
