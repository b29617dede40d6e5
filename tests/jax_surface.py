"""Writes down what the public modules of the installed JAX hold, for the generator of stubs, which never imports JAX.

`python tests/jax_surface.py` writes src/arraytyping/checker/stubgen/jax_surface.txt: for each module its functions with
their parameters, its classes with their attributes, its modules and values, as declarations that `ast` can parse.
"""

from __future__ import annotations

import enum
import importlib
import inspect
import math
import re
import sys
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.scipy.stats

FILE = Path(__file__).parent.parent / "src" / "arraytyping" / "checker" / "stubgen" / "jax_surface.txt"
MODULES = (
    "jax", "jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.lax", "jax.lax.linalg", "jax.random", "jax.nn",
    "jax.nn.initializers", "jax.tree", "jax.tree_util", "jax.scipy", "jax.scipy.linalg", "jax.scipy.special",
    "jax.scipy.signal", "jax.scipy.fft", "jax.scipy.ndimage", "jax.scipy.optimize", "jax.scipy.integrate",
    "jax.dtypes", "jax.errors",
    "jax.sharding", "jax.debug", "jax.profiler", "jax.ops", "jax.image", "jax.flatten_util", "jax.stages", "jax.typing",
    "jax.core", "jax.custom_batching", "jax.custom_derivatives", "jax.ad_checkpoint", "jax.api_util", "jax.dlpack",
    "jax.distributed", "jax.export", "jax.ffi", "jax.monitoring", "jax.ref", "jax.scipy.stats",
    *(f"jax.scipy.stats.{name}" for name, value in vars(jax.scipy.stats).items() if inspect.ismodule(value)),
)  # fmt: skip
"""The modules that get a stub; the others are read from JAX's own sources."""

RESULTS = frozenset({
    "Array", "bool", "int", "float", "str", "None", "tuple[Array, Array]", "tuple[Array, ...]", "list[Array]",
    "tuple[Array, Array, Array]", "tuple[int, ...]", "Array | tuple[Array, Array]",
})  # fmt: skip
"""The annotations of results that are kept; any other is unknown."""

OTHERWISE = frozenset({
    # a list, where a tuple is annotated
    "jax.lax.top_k", "jax.lax.linalg.hessenberg", "jax.lax.linalg.lu", "jax.lax.linalg.schur",
    "jax.lax.linalg.tridiagonal", "jax.scipy.linalg.schur",
    # what a function gives, which need not be an array
    "jax.numpy.apply_along_axis", "jax.numpy.fromfunction",
})  # fmt: skip
"""What gives something else than what it is annotated with."""

CLASSES: dict[type, tuple[str, str]] = {}
"""The module and the name under which each class is declared."""

Declaration = tuple[str, str]
"""A name and its declaration."""


def surface() -> str:
    """The whole text."""
    blocks = [f"# The public names of jax {jax.__version__}, written by tests/jax_surface.py."]
    for name in (*MODULES[1:], MODULES[0]):  # a class is declared where it is at home, and imported elsewhere
        module = importlib.import_module(name)
        lines = [line for _, line in sorted(declarations(module))]
        blocks.append("\n".join([f"[{name}]", *lines]))
    methods = sorted(members(jax.Array, type(jax.numpy.zeros(()))))
    blocks.append("\n".join(["[jax.Array]", *(line for _, line in methods)]))
    return "\n\n".join(blocks) + "\n"


def declarations(module: types.ModuleType) -> Iterator[Declaration]:
    """One line for every public name of a module."""
    for name in sorted(set(dir(module))):
        if name.startswith("_") or name == "annotations":
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                value = getattr(module, name)
            except AttributeError:
                continue  # removed, kept for its message only
        yield name, declaration(name, value, module)


def declaration(name: str, value: Any, module: types.ModuleType) -> str:
    """The declaration of one name."""
    if isinstance(value, types.ModuleType):
        return f"import {value.__name__} as {name}"
    if value is jax.Array:
        return f"{name}: Array"
    if module.__name__ == "jax.numpy" and type(value) is type(jax.numpy.float32):
        return f"{name}: {value.dtype.name}"
    if isinstance(value, type):
        home, first = CLASSES.setdefault(value, (module.__name__, name))
        elsewhere = (home, first) != (module.__name__, name)
        return f"from {home} import {first} as {name}" if elsewhere else class_line(name, value)
    if isinstance(value, jax.numpy.ufunc):
        return f"{name}: ufunc"
    if callable(value):
        line = function_line(name, value)
        return re.sub(r"-> .*:", "-> Any:", line) if f"{module.__name__}.{name}" in OTHERWISE else line
    kind = type(value).__name__ if type(value) in (bool, int, float, str) else "Any"
    return f"{name}: {kind}"


def class_line(name: str, value: type) -> str:
    """A class with its attributes; of its bases only a builtin exception matters."""
    base = next((b.__name__ for b in value.__mro__ if b.__module__ == "builtins" and issubclass(b, BaseException)), "")
    own: set[str] = set(dir(value)) - set(dir(object))
    if issubclass(value, enum.Enum):
        own |= set(value.__members__)
    names = sorted(n for n in own if not n.startswith("_"))
    inner = "; ".join(f"{n}: Any" for n in names) if names and not base else "..."
    return f"class {name}({base}): {inner}"


def function_line(name: str, value: Any, *, method: bool = False) -> str:
    """A function with its parameters and the result that it is annotated with."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return f"def {name}(*args, **kwargs) -> Any: ..."
    shown: list[str] = []
    state = 0
    parameters = list(signature.parameters.values())
    if method and parameters and parameters[0].kind is not inspect.Parameter.VAR_POSITIONAL:
        parameters[0] = parameters[0].replace(name="self")
    for i, p in enumerate(parameters):
        if p.kind is p.KEYWORD_ONLY and state == 0:
            shown.append("*")
            state = 1
        stars: dict[object, str] = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}
        star = stars.get(p.kind, "")
        if star == "*":
            state = 1
        shown.append(star + p.name + ("" if p.default is p.empty else f"={default(p.default)}"))
        following = parameters[i + 1].kind if i + 1 < len(parameters) else None
        if p.kind is p.POSITIONAL_ONLY and following is not p.POSITIONAL_ONLY:
            shown.append("/")
    annotation = signature.return_annotation
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "").rpartition(".")[2]
    text = re.sub(r"\b(?:jax|typing|builtins)\.", "", text)
    return f"def {name}({', '.join(shown)}) -> {text if text in RESULTS else 'Any'}: ..."


def default(value: Any) -> str:
    """A default as it can be written down, or an ellipsis."""
    if value is None or type(value) in (bool, int, str):
        return repr(value)
    if type(value) is float and math.isfinite(value):
        return repr(value)
    return "..."


def members(*classes: type) -> Iterator[Declaration]:
    """The attributes and methods of arrays, as the class or its instances have them."""
    seen: dict[str, Any] = {}
    for cls in classes:
        for name in dir(cls):
            if name not in dir(object) and (not name.startswith("_") or re.fullmatch(r"__\w+__", name)):
                seen.setdefault(name, inspect.getattr_static(cls, name))
    for name, value in seen.items():
        if name in ("__dict__", "__weakref__", "__module__", "__slots__", "__annotations__", "__abstractmethods__"):
            continue
        if isinstance(value, property | types.GetSetDescriptorType) or not callable(value):
            yield name, f"{name}: Any"
        else:
            yield name, function_line(name, value, method=True)


if __name__ == "__main__":
    FILE.write_text(surface())
    sys.stdout.write(f"{FILE.name}: {len(FILE.read_text().splitlines())} lines\n")
