"""The class `Array` of a stub: operators, methods, attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from arraytyping.checker.stubgen.answers import ERROR, Answer, Operand, Python
from arraytyping.checker.stubgen.calls import Calls
from arraytyping.checker.stubgen.dtype_arguments import astype_forms
from arraytyping.checker.stubgen.lists import DTYPE_METHOD
from arraytyping.checker.stubgen.nodes import SCALAR_KINDS
from arraytyping.checker.stubgen.operands import NUMPY_LIKE, OF_SHAPE
from arraytyping.checker.stubgen.overloads import single
from arraytyping.checker.stubgen.spelling import Same, annotation, result
from arraytyping.checker.stubgen.surface import Declaration, Parameter, Signature
from arraytyping.checker.stubgen.writing import function
from arraytyping.semantics.rules.operators import ARITHMETIC, COMPARISONS, UNARY
from arraytyping.semantics.rules.table import RULES

__all__ = ["array_class"]

_PAIR: Final = Signature((Parameter("self", "positional"), Parameter("other", "positional")))

FIXED: Final[dict[str, str]] = {
    "shape": "shape: _ShapeOf",
    "T": "T: _TransposeOf",
    "mT": "mT: _MatrixTransposeOf",
    "at": "@property\ndef at(self) -> _IndexUpdateHelper[D, S]: ...",
    "dtype": "@property\ndef dtype(self) -> DTypeOf[D]: ...",
    "ndim": "@property\ndef ndim(self) -> int: ...",
    "size": "@property\ndef size(self) -> int: ...",
    "itemsize": "@property\ndef itemsize(self) -> int: ...",
    "nbytes": "@property\ndef nbytes(self) -> int: ...",
    "weak_type": "@property\ndef weak_type(self) -> bool: ...",
    "__len__": "def __len__(self) -> int: ...",
    "__bool__": "def __bool__(self) -> bool: ...",
    "__int__": "def __int__(self) -> int: ...",
    "__index__": "def __index__(self) -> int: ...",
    "__float__": "def __float__(self) -> float: ...",
    "__complex__": "def __complex__(self) -> complex: ...",
    "__hex__": "def __hex__(self) -> str: ...",
    "__oct__": "def __oct__(self) -> str: ...",
    "__iter__": "def __iter__(self) -> Iterator[Array[D, SomeShape]]: ...",
    "__reversed__": "def __reversed__(self) -> Iterator[Array[D, SomeShape]]: ...",
    "__contains__": "def __contains__(self, other: Any, /) -> bool: ...",
    "__getitem__": "def __getitem__(self, key: Any, /) -> Array[D, SomeShape]: ...",
    "__copy__": "def __copy__(self) -> Array[D, S]: ...",
    "__deepcopy__": "def __deepcopy__(self, memo: Any) -> Array[D, S]: ...",
    "__array__": "def __array__(self, dtype: Any = None, context: Any = None, copy: Any = None) -> Any: ...",
    "__array_priority__": "__array_priority__: int",
    "block_until_ready": "def block_until_ready(self) -> Array[D, S]: ...",
    "copy_to_host_async": "def copy_to_host_async(self) -> None: ...",
    "is_deleted": "def is_deleted(self) -> bool: ...",
    "is_ready": "def is_ready(self) -> bool: ...",
    "delete": "def delete(self) -> None: ...",
    "addressable_data": "def addressable_data(self, index: int) -> Array[D, SomeShape]: ...",
    "to_device": "def to_device(self, device: Any, *, stream: Any = None) -> Array[D, S]: ...",
    "is_fully_addressable": "@property\ndef is_fully_addressable(self) -> bool: ...",
    "is_fully_replicated": "@property\ndef is_fully_replicated(self) -> bool: ...",
    "committed": "@property\ndef committed(self) -> bool: ...",
    "tobytes": "def tobytes(self, order: str = 'C') -> bytes: ...",
}
"""What the rules say nothing of, or what is said of shapes alone."""

HELPERS: Final = '''\
class _ShapeOf:
    """`x.shape`: the second parameter of `Array` where it is known."""
    @overload
    def __get__(self, array: Array[Any, NoShape], owner: Any = None, /) -> tuple[int, ...]: ...
    @overload
    def __get__(self, array: Array[Any, _S], owner: Any = None, /) -> _S: ...
    @overload
    def __get__(self, array: None, owner: Any = None, /) -> Any: ...

class _TransposeOf:
    """`x.T`: the sizes of at most three dimensions in reverse."""
    @overload
    def __get__(self, array: Array[_D, NoShape], owner: Any = None, /) -> Array[_D, SomeShape]: ...
    @overload
    def __get__(self, array: Array[_D, tuple[_N1, _N2]], owner: Any = None, /) -> Array[_D, tuple[_N2, _N1]]: ...
    @overload
    def __get__(self, array: Array[_D, tuple[_N1]], owner: Any = None, /) -> Array[_D, tuple[_N1]]: ...
    @overload
    def __get__(
        self, array: Array[_D, tuple[_N1, _N2, _N3]], owner: Any = None, /
    ) -> Array[_D, tuple[_N3, _N2, _N1]]: ...
    @overload
    def __get__(self, array: Array[_D, tuple[()]], owner: Any = None, /) -> Array[_D, tuple[()]]: ...
    @overload
    def __get__(self, array: Array[_D, Any], owner: Any = None, /) -> Array[_D, SomeShape]: ...
    @overload
    def __get__(self, array: None, owner: Any = None, /) -> Any: ...

class _MatrixTransposeOf:
    """`x.mT`: the sizes of a matrix, or of a stack of them, with the last two exchanged."""
    @overload
    def __get__(self, array: Array[_D, NoShape], owner: Any = None, /) -> Array[_D, SomeShape]: ...
    @overload
    def __get__(self, array: Array[_D, tuple[_N1, _N2]], owner: Any = None, /) -> Array[_D, tuple[_N2, _N1]]: ...
    @overload
    def __get__(
        self, array: Array[_D, tuple[_N1, _N2, _N3]], owner: Any = None, /
    ) -> Array[_D, tuple[_N1, _N3, _N2]]: ...
    @overload
    def __get__(self, array: Array[_D, Any], owner: Any = None, /) -> Array[_D, SomeShape]: ...
    @overload
    def __get__(self, array: None, owner: Any = None, /) -> Any: ...
'''


def array_class(calls: Calls, members: Mapping[str, Declaration]) -> list[str]:
    """The lines of the class, and before it those of the classes that it needs."""
    body: list[str] = ["# Operators."]
    for method in ARITHMETIC:
        body += _operator(calls, f"__{method}__", arrays=True)
        body += _operator(calls, f"__r{method}__", arrays=False)
    for method in COMPARISONS:
        body += _comparison(calls, f"__{method}__")
    for method in UNARY:
        body += _unary_operator(calls, f"__{method}__")
    body += ["", "# Methods and attributes.", *DTYPE_METHOD.splitlines()]
    operators = {f"__{r}{m}__" for m in ARITHMETIC for r in ("", "r")} | {f"__{m}__" for m in (*COMPARISONS, *UNARY)}
    parts: list[str] = []
    for name in sorted({*members, *FIXED} - operators):
        if name in FIXED:
            body += FIXED[name].splitlines()
        elif name in ("real", "imag"):
            parts += _descriptor(calls, name)
            body.append(f"{name}: _{name.capitalize()}Of")
        else:
            body += _member(calls, name, members[name])
    return [
        *HELPERS.splitlines(),
        *parts,
        *_updates(calls),
        "",
        "class _ArrayOf(Generic[D, S]):",
        '    """`Array` as the annotation of `self`: mypy takes longer to compare a class with itself."""',
        "",
        f"class {OF_SHAPE}(Generic[D, _X]):",
        '    """`Array` as the annotation of an operand that has exactly this shape."""',
        "",
        # Invariant on purpose: it is asked for as an operand alone.
        f"class Array(_ArrayOf[D, S], {OF_SHAPE}[D, S]):  # type: ignore[type-var]",
        '    """An array: its scalar type (a Python type if it is weak), and its shape."""',
        *(f"    {line}" if line else "" for line in body),
    ]


def _unary_operator(calls: Calls, name: str) -> list[str]:
    """An operator of one array: for a dtype that the rule refuses there is no overload."""
    forms = calls.forms(f"Array.{name}", Signature((Parameter("self", "positional"),)), method=True, refusing=True)
    assert forms is not None, f"no rule says what {name} gives"
    return function(name, forms)


def _table(calls: Calls, rule: str, *, arrays: bool) -> dict[tuple[Operand, ...], Answer]:
    nodes = calls.rules.nodes.names
    others: list[Operand] = [*(nodes if arrays else ()), *map(Python, SCALAR_KINDS)]
    return {(a, b): calls.rules.answer(rule, [a, b]) for a in nodes for b in others}


def _operator(calls: Calls, name: str, *, arrays: bool) -> list[str]:
    rule = f"Array.{name}"
    assert rule in RULES, f"no rule says what {name} gives"
    if name in ("__divmod__", "__rdivmod__"):  # pyright and zuban find no overload of builtins.divmod for overloads
        unknown = "Array[Any, SomeShape]"
        return [f"def {name}(self, other: Any, /) -> tuple[{unknown}, {unknown}]: ..."]
    table = _table(calls, rule, arrays=arrays)
    return function(name, calls.two.operator_forms(rule, table, _PAIR, True, arrays=arrays))


def _comparison(calls: Calls, name: str) -> list[str]:
    """`x < y` gives bool whatever the operands are, so it has few overloads, and operands without a join are let pass.

    mypy binds every overload of both operands' methods at every comparison, 40 us each.
    """
    rule = f"Array.{name}"
    said = set(_table(calls, rule, arrays=True).values()) - {ERROR}
    assert said == {"bool"}, f"{name} gives {said}"
    assert calls.rules.keeps_shape(rule, [calls.rules.nodes.scalar("int")])
    assert calls.rules.keeps_equal_shapes(rule)
    rows = [(NUMPY_LIKE, "SomeShape"), ("complex", "S"), ("Array[Any, NoShape]", "SomeShape")]
    rows += [(f"{OF_SHAPE}[Any, S]", "S"), ("Array[Any, Any]", "SomeShape")]
    forms = [(_PAIR.annotated({"self": "Self", "other": other}), result("bool", shape)) for other, shape in rows]
    if name in ("__eq__", "__ne__"):  # of what is no array Python compares the identities
        forms.append((_PAIR.annotated({"self": "Self", "other": "str | bytes | type | None"}), "bool"))
    return function(name, forms)


def _descriptor(calls: Calls, name: str) -> list[str]:
    """An attribute whose dtype depends on the array's."""
    column = {n: calls.rules.answer(f"Array.{name}", [n]) for n in calls.rules.nodes.names}
    keeps = "_S" if calls.rules.keeps_shape(f"Array.{name}") else "SomeShape"
    lines = [f"class _{name.capitalize()}Of:", f'    """`x.{name}`."""']
    rows = [("Array[NoDType, _S]", f"Array[Any, {keeps}]")]
    for row in single(column, calls.rules.nodes, calls.variables):
        pattern = row.patterns[0]
        said = f"Array[{pattern.variable}, {keeps}]" if isinstance(pattern, Same) else result(row.answer, keeps)
        rows.append((annotation(pattern, "_S"), said))
    rows += [("Array[Any, Any]", "Array[Any, SomeShape]"), ("None", "Any")]
    for array, said in rows:
        lines += ["    @overload", f"    def __get__(self, array: {array}, owner: Any = None, /) -> {said}: ..."]
    return [*lines, ""]


def _member(calls: Calls, name: str, found: Declaration) -> list[str]:
    if found.signature is None:
        return ["@property", f"def {name}(self) -> Any: ..."]
    if name == "astype":
        return function(name, astype_forms(calls.rules, found.signature))
    signature = found.signature
    forms = None
    if signature.parameters and signature.parameters[0].name == "self":
        forms = calls.forms(f"Array.{name}", signature, method=True)
    if forms is not None:
        return function(name, forms)
    if signature.parameters and signature.parameters[0].name == "self":
        rest = Signature(signature.parameters[1:])
        return [f"def {name}(self{', ' if rest.text else ''}{rest.text}) -> {_unknown(signature.result)}: ..."]
    return [f"def {name}(self, *args: Any, **kwargs: Any) -> {_unknown(signature.result)}: ..."]


def _unknown(annotation: str) -> str:
    """A result that JAX annotates, its arrays being of unknown dtype and shape."""
    return annotation.replace("Array", "Array[Any, SomeShape]")


def _updates(calls: Calls) -> list[str]:
    """`x.at[i].set(v)` and its kin."""
    keyword = "indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None, **kwargs: Any"
    first = {"apply": "func: Callable[[Any], Any], ", "get": ""}
    lines = [
        "class _IndexUpdateHelper(Generic[D, S]):",
        '    """`x.at`."""',
        "    def __getitem__(self, index: Any, /) -> _IndexUpdateRef[D, S]: ...",
        "",
        "class _IndexUpdateRef(Generic[D, S]):",
        '    """`x.at[i]`."""',
    ]
    for rule in sorted(r for r in RULES if r.startswith("Array.at.")):
        name = rule.rpartition(".")[2]
        dtype = "D" if calls.one.keeps_dtype(rule) else "Any"
        shape = "SomeShape" if name == "get" else "S"
        lines.append(
            f"    def {name}(self, {first.get(name, 'values: Any, ')}*, {keyword}) -> Array[{dtype}, {shape}]: ..."
        )
    return lines
