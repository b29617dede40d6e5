"""The modules of a stub package that declare what JAX's surface holds: each name once, as a declaration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from arraytyping.checker.stubgen.calls import Calls
from arraytyping.checker.stubgen.creation import CREATION, creation_forms
from arraytyping.checker.stubgen.sampling import sampling_forms
from arraytyping.checker.stubgen.spelling import element
from arraytyping.checker.stubgen.structures import structured_forms
from arraytyping.checker.stubgen.surface import Declaration, Signature
from arraytyping.checker.stubgen.writing import function
from arraytyping.scalars import ABSTRACT, DTYPES

__all__ = ["SHAPE", "SHAPE_VARIABLES", "module_lines", "reads_rules"]

SHAPE: Final = '_S = TypeVar("_S", bound=Sized)'
"""A shape; bounded, since mypy would take `NoShape` for it where that is asked for, and then no overload fits.

Not by `tuple[Any, ...]`: ty would refuse `AnyShape`.
"""

SHAPE_VARIABLES: Final = [
    '_T = TypeVar("_T", bound=generic)',
    SHAPE,
    *(f'_N{n} = TypeVar("_N{n}", bound=int)' for n in (1, 2, 3)),
    '_Ns = TypeVarTuple("_Ns")',
    '_Shape = TypeVar("_Shape", bound=tuple[int, ...])',
]

_MODULES: Final = (
    "numpy", "numpy.linalg", "numpy.fft", "lax", "lax.linalg", "nn", "scipy.special", "scipy.signal", "scipy.fft",
    "scipy.linalg", "random", "image",
)  # fmt: skip
"""The modules whose functions have rules."""

_DISTRIBUTIONS: Final = "scipy.stats."
"""How the names of the modules of distributions begin, whose functions have rules, too."""


def reads_rules(module: str) -> bool:
    """Whether the functions of a module are declared by their rules."""
    return module in _MODULES or module.startswith(_DISTRIBUTIONS)


def module_lines(
    module: str, declarations: Mapping[str, Declaration], calls: Calls, stubbed: Iterable[str], package: str
) -> list[str]:
    """The declarations of one module, named without the package (`numpy.linalg`)."""
    lines: list[str] = []
    ufuncs: dict[tuple[str, ...], str] = {}
    space = f"{module}." if reads_rules(module) else None
    for name, found in declarations.items():
        if found.kind == "function":
            assert found.signature is not None
            lines += _function(name, found.signature, space, calls)
        elif found.kind == "value" and found.type == "ufunc":
            lines += _ufunc(name, f"{space}{name}", calls, ufuncs)
        else:
            lines += _other(name, found, module, set(stubbed), package)
    return lines


def _function(name: str, signature: Signature, space: str | None, calls: Calls) -> list[str]:
    forms = None
    if space is not None and (rule := f"{space}{name}") != "numpy.astype":
        if rule in CREATION:
            make = partial(creation_forms, calls.rules, rule)
        elif space == "random.":
            make = partial(sampling_forms, calls.rules, rule)
        else:
            make = partial(calls.forms, rule)
        forms = structured_forms(calls.rules, rule, signature, make)
    if forms is not None:
        return function(name, forms)
    said = "Any" if "|" in signature.result else signature.result
    said = said.replace("Array", "Array[Any, SomeShape]").replace("bool", "builtins.bool")
    return [f"def {name}({signature.text}) -> {said}: ..."]


def _ufunc(name: str, rule: str, calls: Calls, made: dict[tuple[str, ...], str]) -> list[str]:
    """A ufunc: an instance of a class whose call has the overloads; those with the same share a class."""
    from arraytyping.checker.stubgen.surface import Parameter

    arity = 1 if name == "negative" else 2
    signature = Signature(tuple(Parameter(n, "positional") for n in ("x", "y")[:arity]))
    forms = calls.forms(rule, signature)
    if forms is None:
        return [f"{name}: ufunc"]
    method = function(
        "__call__",
        [
            (Signature((Parameter("self", "positional"), *s.parameters)).annotated({"self": "Self"}), r)
            for s, r in forms
        ],
    )
    key = tuple(method)
    lines: list[str] = []
    if key not in made:
        made[key] = f"_Ufunc_{name}"
        lines = [f"class _Ufunc_{name}(ufunc):", *(f"    {line}" for line in method)]
    return [*lines, f"{name}: {made[key]}"]


def _other(name: str, found: Declaration, module: str, stubbed: set[str], package: str) -> list[str]:
    if found.kind == "module":
        inner = found.type.partition(".")[2]
        parent, _, last = found.type.rpartition(".")
        if found.type.startswith("jax.") and inner in stubbed:
            return [f"from {parent.replace('jax', package, 1)} import {last} as {name}"]
        return [f"{name}: Any"]
    if found.kind == "import":
        home, _, first = found.type.rpartition(".")
        return [f"from {home.replace('jax', package, 1)} import {first} as {name}"]
    if found.kind == "class":
        if name in ABSTRACT or name in DTYPES:
            return [f"from jax._src.numpy.scalar_types import {name} as {name}"]
        return _class(name, found)
    if module == "numpy" and found.type in (*DTYPES, "Array"):
        return _alias(name, found.type)
    kind = "builtins.bool" if found.type == "bool" else found.type
    return [f"{name}: {'type[Array[Any, Any]]' if kind == 'Array' else kind}"]


def _alias(name: str, dtype: str) -> list[str]:
    if dtype == "Array":
        return [f"{name} = Array"]
    if element(dtype) == name:
        return []
    # An assignment to `bool` would be one to Python's own for mypy.
    return [f"bool: type[{element(dtype)}]" if name == "bool" else f"{name} = {element(dtype)}"]


def _class(name: str, found: Declaration) -> list[str]:
    if found.type:
        return [f"class {name}({found.type}): ..."]
    if name == "ufunc":
        return [
            "class ufunc:",
            "    def __init__(self, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> None: ...",
            "    def __call__(self, *args: Any) -> Any: ...",
            *(f"    @property\n    def {n}(self) -> int: ..." for n in ("nin", "nout", "nargs")),
            "    @property\n    def identity(self) -> Any: ...",
            *(
                f"    def {n}(self, *args: Any, **kwargs: Any) -> Array[Any, SomeShape]: ..."
                for n in ("reduce", "accumulate", "at", "reduceat", "outer")
            ),
        ]
    return [
        f"class {name}(Any):",
        "    def __init__(self, *args: Any, **kwargs: Any) -> None: ...",
        "    def __getattr__(self, name: str) -> Any: ...",
        *(f"    {member}: Any" for member in found.members),
    ]
