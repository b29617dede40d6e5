"""Which expressions of unknown value count as array expressions: those whose value may be an array.

A figure of matplotlib, a file, or the shape of something unknown is none.  What comes of a library that is not followed
may be an array only if the library requires jax, or is not installed, so that nothing is known of it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from typing import Final

from arraytyping.checker.flow.sources.statements import nodes_of
from arraytyping.checker.flow.values import Unknown
from arraytyping.checker.flow.values.frames import Module

__all__ = ["may_be_array"]

_FACTS: Final = frozenset({"shape", "ndim", "dtype", "size", "itemsize", "nbytes", "weak_type", "sharding", "__name__"})
"""Attributes of arrays that are none themselves."""
_FILE: Final = "a file"
_LIBRARY = re.compile(r"(?:the module )?(\w+)[\w.]*, which is not followed")


def may_be_array(module: Module) -> Callable[[ast.AST], bool]:
    """Whether an expression of a module, at which nothing but unknown values were seen, may make an array."""

    @cache
    def called() -> set[ast.AST]:
        return {node.func for node in nodes_of(module.tree) if type(node) is ast.Call}

    def answer(node: ast.AST) -> bool:
        if _is_fact(node) or node in called():
            return False
        if isinstance(node, ast.Call):
            return not _is_foreign(module, node.func)
        return not (isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and _is_foreign(module, node))

    return answer


def _is_fact(node: ast.AST) -> bool:
    """Whether it is a fact about an array, such as `x.shape` or `x.shape[0]`."""
    if isinstance(node, ast.Subscript):
        return _is_fact(node.value)
    return isinstance(node, ast.Attribute) and node.attr in _FACTS


def _is_foreign(module: Module, node: ast.AST) -> bool:
    """Whether all that was seen at an expression came of what makes no arrays."""
    values = [value for seen in module.seen.get(node, {}).values() for _, value in seen]
    return bool(values) and all(isinstance(value, Unknown) and _is_no_array(value.why) for value in values)


def _is_no_array(why: str) -> bool:
    found = _LIBRARY.fullmatch(why)
    return why == _FILE if found is None else not _may_make_arrays(found[1])


@cache
def _may_make_arrays(package: str) -> bool:
    """Whether a library may give arrays of JAX: it requires jax, or nothing is known of it."""
    names = _names(package)
    return not names or any(_requires_jax(name, frozenset()) for name in names)


def _names(package: str) -> list[str]:
    """The distributions that a package comes from."""
    if _distribution(package) is not None:
        return [package]
    return [found.name for found in distributions() if _provides(found, package)]


def _provides(found: Distribution, package: str) -> bool:
    """Whether a distribution brings a package: what it says is read as text, a tenth of `packages_distributions()`."""
    if tops := found.read_text("top_level.txt"):
        return package in tops.split()
    files = found.read_text("RECORD") or ""
    return re.search(rf"^{re.escape(package)}(?:/|\.py,)", files, re.MULTILINE) is not None


@cache
def _distribution(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except (PackageNotFoundError, ValueError):
        return None


def _requires_jax(name: str, above: frozenset[str]) -> bool:
    found = _distribution(name)
    required = [] if found is None else [r for r in found.requires or () if "extra ==" not in r]
    names = {re.split(r"[^\w.-]", r.strip(), maxsplit=1)[0].lower() for r in required}
    if not names.isdisjoint({"jax", "jaxlib"}):
        return True
    return any(_requires_jax(n, above | {name}) for n in names - above - {name})
