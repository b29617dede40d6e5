"""One-point changes to a Python program that may break it: axes, shapes, dtypes, letters of einsum, orders, and others.

`edits_of(source)` yields every change that some mutator knows.  Each replaces pieces of single lines, so that all other
code stays in its line.
"""

from __future__ import annotations

import ast
import functools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

Replacement = tuple[int, int, int, str]
"""Line, and from which to which column (in bytes) to replace by what."""


@dataclass(frozen=True)
class Edit:
    """A change to a source: what kind, where it stands, and in words."""

    kind: str
    line: int
    column: int
    description: str
    replacements: tuple[Replacement, ...]

    def apply(self, source: str) -> str | None:
        """The source with the change; None if that is no Python, or the same program."""
        lines = source.encode().splitlines(keepends=True)
        for line, start, end, text in sorted(self.replacements, reverse=True):
            old = lines[line - 1]
            lines[line - 1] = old[:start] + text.encode() + old[end:]
        changed = b"".join(lines).decode()
        first, last = _statement(source, min(r[0] for r in self.replacements), max(r[0] for r in self.replacements))
        part = _dump_of(b"".join(lines[first - 1 : last]).decode())
        if part is None:  # then all of it may still be Python
            dumped = _dump_of(changed)
            return None if dumped is None or dumped == _dump_of(source) else changed
        before = b"".join(source.encode().splitlines(keepends=True)[first - 1 : last]).decode()
        return changed if part != _dump_of(before) else None


def _dump_of(source: str) -> str | None:
    """What a source says; None if it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "mutant", "exec", dont_inherit=True)
            return ast.dump(ast.parse(source))
    except SyntaxError:
        return None


def _statement(source: str, first: int, last: int) -> tuple[int, int]:
    """The lines of the statements of a module in which these lines are."""
    touched = [(a, b) for a, b in _statements(source) if a <= last and first <= b]
    return min(a for a, _ in touched), max(b for _, b in touched)


@functools.cache
def _statements(source: str) -> list[tuple[int, int]]:
    """From which line to which each statement of a module goes."""
    return [
        (min(n.lineno for n in (node, *getattr(node, "decorator_list", ()))), node.end_lineno or node.lineno)
        for node in ast.parse(source).body
    ]


@dataclass
class Program:
    """A source, its tree, and what the mutators ask about it."""

    source: str
    tree: ast.Module = field(init=False)
    parents: dict[ast.AST, ast.AST] = field(init=False)
    keys: dict[str, list[str]] = field(init=False)
    """Other keys of dicts in the file, by key."""
    imports_numpy: bool = field(init=False)

    def __post_init__(self) -> None:
        self.tree = ast.parse(self.source)
        self._lines = self.source.encode().splitlines()
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        keys = {
            key.value: None
            for node in ast.walk(self.tree)
            for key in (
                node.keys if isinstance(node, ast.Dict) else [node.slice] if isinstance(node, ast.Subscript) else []
            )
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        }
        self.keys = {key: [k for k in keys if k != key] for key in keys}
        self.imports_numpy = "import numpy as np" in self.source

    def text(self, node: ast.AST) -> str:
        """A node's text; it must stand in one line."""
        line, start, end = self.span(node)
        return self._lines[line - 1][start:end].decode()

    def span(self, node: ast.AST) -> tuple[int, int, int]:
        """The line and the columns of a node in one line."""
        assert is_single(node)
        return node.lineno, node.col_offset, node.end_col_offset  # type: ignore[attr-defined]

    def between(self, before: ast.AST, after: ast.AST) -> tuple[int, int, int, str]:
        """What stands between the ends of two nodes in one line."""
        line, start, end = before.end_lineno, before.end_col_offset, after.col_offset  # type: ignore[attr-defined]
        return line, start, end, self._lines[line - 1][start:end].decode()

    def tail(self, inner: ast.AST, outer: ast.AST) -> Replacement | None:
        """The replacement that drops what stands behind the inner node up to the outer's end, if in one line."""
        line, end_line = inner.end_lineno, outer.end_lineno  # type: ignore[attr-defined]
        if line != end_line:
            return None
        return line, inner.end_col_offset, outer.end_col_offset, ""  # type: ignore[attr-defined]

    def in_function(self, node: ast.AST) -> bool:
        """Whether a node stands in a function."""
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, ast.FunctionDef | ast.Lambda):
                return True
        return False


def is_single(node: ast.AST) -> bool:
    """Whether a node stands in one line."""
    return node.lineno == node.end_lineno  # type: ignore[attr-defined,no-any-return]


Mutator = Callable[[Program, ast.AST], Iterator[tuple[str, list[Replacement]]]]
MUTATORS: dict[str, Mutator] = {}


def _mutator(mutate: Mutator) -> Mutator:
    MUTATORS[mutate.__name__.strip("_")] = mutate
    return mutate


def edits_of(source: str) -> Iterator[Edit]:
    """All changes to a source; `apply` tells which make another program."""
    program = Program(source)
    nodes = [*ast.walk(program.tree)]
    seen: set[tuple[Replacement, ...]] = set()
    for kind, mutate in MUTATORS.items():
        for node in nodes:
            for description, replacements in mutate(program, node):
                change = tuple(replacements)
                if change not in seen:
                    seen.add(change)
                    yield Edit(kind, *min(r[:2] for r in change), description, change)


def _whole(program: Program, node: ast.AST, text: str) -> tuple[str, list[Replacement]]:
    """Replace a whole node."""
    return f"`{program.text(node)}` -> `{text}`", [(*program.span(node), text)]


def _swapped(program: Program, a: ast.AST, b: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Exchange two nodes."""
    if is_single(a) and is_single(b) and program.text(a) != program.text(b):
        x, y = program.text(a), program.text(b)
        yield f"`{x}` and `{y}` exchanged", [(*program.span(a), y), (*program.span(b), x)]


def _name(node: ast.AST) -> str:
    """The last part of a dotted name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _integer(node: ast.AST) -> int | None:
    """The value of an integer literal, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _integer(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


_AXES = frozenset({"axis", "axis1", "axis2", "dim", "dimension", "axis_size", "in_axis", "out_axis"})
_WITH_AXIS = {
    "sum": 1, "mean": 1, "max": 1, "min": 1, "argmax": 1, "argmin": 1, "concatenate": 1, "stack": 1, "split": 2,
    "cumsum": 1, "expand_dims": 1, "prod": 1, "var": 1, "std": 1, "roll": 2, "softmax": 1, "squeeze": 1, "take": 2,
    "moveaxis": 1, "swapaxes": 1, "logsumexp": 1, "sort": 1, "argsort": 1, "flip": 1, "repeat": 2, "top_k": 1,
}  # fmt: skip
_SHAPED = frozenset({
    "zeros", "ones", "full", "empty", "reshape", "normal", "uniform", "broadcast_to", "randint", "eye", "arange",
    "split", "truncated_normal", "bernoulli", "linspace", "standard_normal", "integers", "tile", "one_hot",
    "categorical", "permutation", "ShapeDtypeStruct", "identity", "full_like", "randn", "rand", "choice", "pad", "iota",
})  # fmt: skip


@_mutator
def axis(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """`axis=0` -> `axis=1`."""
    if not isinstance(node, ast.Call):
        return
    found: list[ast.expr] = [k.value for k in node.keywords if k.arg in _AXES]
    if _name(node.func) in _WITH_AXIS:
        at = _WITH_AXIS[_name(node.func)]
        is_method = isinstance(node.func, ast.Attribute) and _name(node.func.value) not in ("jnp", "np", "lax", "nn")
        found += node.args[at - is_method :]
    for value in found:
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        for part in parts:
            number = _integer(part)
            if number is not None and is_single(part):
                for other in {0: (1, 2), 1: (0, 2), -1: (0, -2), 2: (1, 3), -2: (-1, -3)}.get(number, (0,)):
                    yield _whole(program, part, str(other))


@_mutator
def transpose(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Drop or add a transposition, or exchange its arguments."""
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        if drop := program.tail(node.value, node):
            yield f"`.{node.attr}` dropped", [drop]
    elif isinstance(node, ast.Call) and _name(node.func) in ("swapaxes", "transpose", "moveaxis", "matrix_transpose"):
        if len(node.args) >= 2:
            yield from _swapped(program, node.args[-2], node.args[-1])
        if isinstance(node.func, ast.Attribute) and node.args and is_single(node):
            if _name(node.func.value) in ("jnp", "np", "lax"):
                yield _whole(program, node, program.text(node.args[0]))
            elif drop := program.tail(node.func.value, node):
                yield f"`.{node.func.attr}(...)` dropped", [drop]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        for operand in (node.left, node.right):
            if isinstance(operand, ast.Name | ast.Attribute | ast.Subscript) and is_single(operand):
                yield _whole(program, operand, program.text(operand) + ".T")


@_mutator
def einsum(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Drop, double, replace or exchange letters."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str) and "->" in node.value and is_single(node)):
        return
    if isinstance(program.parents.get(node), ast.JoinedStr):
        return
    text = program.text(node)
    letters = [i for i, c in enumerate(text) if c.isalpha()]
    for i in letters:
        other = next((text[j] for j in letters if text[j] != text[i]), "z")
        yield _whole(program, node, text[:i] + text[i + 1 :])
        yield _whole(program, node, text[:i] + text[i] + text[i:])
        yield _whole(program, node, text[:i] + other + text[i + 1 :])
        yield _whole(program, node, text[:i] + "z" + text[i + 1 :])
        if i + 1 in letters:
            yield _whole(program, node, text[:i] + text[i + 1] + text[i] + text[i + 2 :])


@_mutator
def operands(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Exchange the operands of a product of matrices."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield from _swapped(program, node.left, node.right)
    elif isinstance(node, ast.Call) and _name(node.func) in ("matmul", "dot", "outer", "solve") and len(node.args) == 2:
        yield from _swapped(program, node.args[0], node.args[1])


@_mutator
def operator(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """`*` -> `@`, and back."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.MatMult):
        old, new = ("*", "@") if isinstance(node.op, ast.Mult) else ("@", "*")
        if node.left.end_lineno == node.right.lineno:
            line, start, end, text = program.between(node.left, node.right)
            if text.count(old) == 1:
                left, right = ast.unparse(node.left), ast.unparse(node.right)
                yield f"`{left} {old} {right}` with `{new}`", [(line, start, end, text.replace(old, new))]


_DTYPES = {
    "float32": ("int32", "bfloat16", "float16", "int8"),
    "int32": ("float32", "int8", "uint32"),
    "bfloat16": ("float32", "int32"),
    "float16": ("float32", "int32"),
    "int8": ("int32", "float32"),
    "uint8": ("int32", "float32"),
    "bool_": ("float32", "int32"),
    "uint32": ("int32", "float32"),
    "complex64": ("float32",),
    "float64": ("int32",),
    "int64": ("float32",),
}


@_mutator
def dtype(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """`jnp.float32` -> `jnp.int32`."""
    if isinstance(node, ast.Attribute) and _name(node.value) in ("jnp", "np") and is_single(node):
        for other in _DTYPES.get(node.attr, ()):
            yield _whole(program, node, f"{program.text(node.value)}.{other}")
    elif isinstance(node, ast.keyword) and node.arg == "dtype" and isinstance(node.value, ast.Name):
        for other in ("float", "int"):
            yield _whole(program, node.value, other)


@_mutator
def shape(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Change, drop or exchange the sizes in a shape."""
    if isinstance(node, ast.Tuple):
        parent = program.parents.get(node)
        parent = program.parents.get(parent) if isinstance(parent, ast.keyword) else parent
        is_shape = isinstance(parent, ast.Call) and _name(parent.func) in _SHAPED
        sizes = node.elts if is_shape else []
        dropped = node.elts if is_shape and is_single(node) and len(node.elts) > 1 else []
    elif isinstance(node, ast.Call) and _name(node.func) in _SHAPED:
        own = isinstance(node.func, ast.Attribute) and _name(node.func.value) not in ("jnp", "np", "random")
        sizes = node.args if own or _name(node.func) in ("eye", "arange", "zeros", "ones", "empty", "split") else []
        sizes = [s for s in sizes if not isinstance(s, ast.Tuple | ast.Starred)]
        dropped = []
    else:
        return
    for size in sizes:
        if not is_single(size) or isinstance(size, ast.Starred):
            continue
        number, text = _integer(size), program.text(size)
        yield _whole(program, size, str(number + 1) if number is not None else f"{text} + 1")
    for i in range(len(dropped)):
        rest = [program.text(e) for j, e in enumerate(dropped) if j != i]
        yield _whole(program, node, f"({', '.join(rest)},)" if len(rest) == 1 else f"({', '.join(rest)})")
    for a, b in pairwise(dropped):
        yield from _swapped(program, a, b)


@_mutator
def in_axes(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Change an axis of vmap."""
    if isinstance(node, ast.keyword) and node.arg in ("in_axes", "out_axes", "in_axis", "out_axis"):
        found = [node.value]
    elif isinstance(node, ast.Call) and _name(node.func) == "vmap":
        found = node.args[1:]
        if not found and not node.keywords and node.args and is_single(node.args[0]):
            text = program.text(node.args[0])
            yield _whole(program, node.args[0], f"{text}, in_axes=1")
            yield _whole(program, node.args[0], f"{text}, out_axes=1")
    else:
        return
    for value in found:
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        for part in parts:
            if is_single(part) and _integer(part) is not None:
                yield _whole(program, part, "None")
                yield _whole(program, part, str(1 - (_integer(part) or 0)))
            elif isinstance(part, ast.Constant) and part.value is None:
                yield _whole(program, part, "0")
        if isinstance(value, ast.Tuple) and len(parts) > 1:
            yield from _without(program, value, len(parts) - 1)


def _without(program: Program, node: ast.Tuple | ast.List, i: int) -> Iterator[tuple[str, list[Replacement]]]:
    """Drop the element of a tuple or list."""
    if is_single(node):
        rest = [program.text(e) for j, e in enumerate(node.elts) if j != i]
        inner = ", ".join(rest) + ("," if len(rest) == 1 and isinstance(node, ast.Tuple) else "")
        opening, closing = "[]" if isinstance(node, ast.List) else "()"
        yield _whole(program, node, opening + inner + closing)


@_mutator
def returned(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Exchange, drop or cast what a function returns, such as the carry of a scan."""
    value = node.value if isinstance(node, ast.Return) else node.body if isinstance(node, ast.Lambda) else None
    if isinstance(value, ast.Tuple) and len(value.elts) >= 2:
        yield from _swapped(program, value.elts[0], value.elts[1])
        for i in range(len(value.elts)):
            yield from _without(program, value, i)
        for part in value.elts:
            if isinstance(part, ast.Name):
                yield _whole(program, part, f"{part.id}.astype(jnp.bfloat16)")
                yield _whole(program, part, f"{part.id}[None]")
            elif isinstance(part, ast.Tuple) and len(part.elts) >= 2:
                yield from _swapped(program, part.elts[0], part.elts[1])
                yield from _without(program, part, len(part.elts) - 1)
    elif isinstance(value, ast.Name) and program.in_function(value):
        yield _whole(program, value, f"({value.id},)")


@_mutator
def broadcast(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Drop a new axis or `keepdims`."""
    if isinstance(node, ast.Subscript) and is_single(node):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for i, part in enumerate(parts):
            if isinstance(part, ast.Constant) and part.value is None:
                rest = ", ".join(program.text(p) for j, p in enumerate(parts) if j != i)
                owner = program.text(node.value)
                yield _whole(program, node, f"{owner}[{rest}]" if rest else owner)
                if len(parts) == 2:
                    yield from _swapped(program, parts[0], parts[1])
    elif isinstance(node, ast.keyword) and node.arg == "keepdims" and ast.unparse(node.value) == "True":
        yield _whole(program, node.value, "False")


@_mutator
def slicing(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Move or drop a bound, or change an index."""
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for part in parts:
            if isinstance(part, ast.Slice):
                for bound in (part.lower, part.upper):
                    if bound is not None and is_single(bound):
                        number, text = _integer(bound), program.text(bound)
                        yield _whole(program, bound, "")
                        yield _whole(program, bound, str(number + 1) if number is not None else f"{text} + 1")
            elif is_single(part) and (number := _integer(part)) is not None:
                yield _whole(program, part, str(number + 1 if number >= 0 else number - 1))
                yield _whole(program, part, ":")


@_mutator
def arguments(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Exchange or drop arguments of a call."""
    if not isinstance(node, ast.Call) or _name(node.func) in ("print", "partial"):
        return
    for a, b in pairwise(node.args):
        if isinstance(a, ast.Name | ast.Attribute | ast.Subscript) and isinstance(b, ast.Name | ast.Attribute):
            yield from _swapped(program, a, b)
    if len(node.args) >= 2 and node.args[-2].end_lineno == node.args[-1].end_lineno and is_single(node.args[-1]):
        a, b = node.args[-2:]
        if isinstance(program.parents.get(node), ast.expr | ast.stmt) and b.col_offset > a.end_col_offset:  # type: ignore[operator]
            yield f"argument `{program.text(b)}` dropped", [(b.lineno, a.end_col_offset, b.end_col_offset, "")]  # type: ignore[list-item]


_STATIC = frozenset({"static_argnums", "static_argnames", "length", "axis_name", "has_aux", "nondiff_argnums"})


@_mutator
def static(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Drop `static_argnames`."""
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg in _STATIC:
                earlier = [*node.args, *node.keywords[: node.keywords.index(keyword)]]
                if earlier and (drop := program.tail(earlier[-1], keyword)):
                    yield f"`{program.text(keyword)}` dropped", [drop]


@_mutator
def missing(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Drop an element of a tuple or list, or a target of an unpacking."""
    if isinstance(node, ast.Tuple | ast.List) and len(node.elts) >= 2 and is_single(node):
        parent = program.parents.get(node)
        if isinstance(parent, ast.Assign | ast.For | ast.Call):
            text = program.text(node)
            bare = not text.startswith(("(", "["))
            for i in {0, len(node.elts) - 1}:
                for description, found in _without(program, node, i):
                    yield description, [(*r[:3], r[3][1:-1]) for r in found] if bare else found


@_mutator
def key(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Use another key of a dict, or another attribute."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        for other in program.keys.get(node.slice.value, ())[:3]:
            yield _whole(program, node.slice, f'"{other}"')
        yield _whole(program, node.slice, f'"{node.slice.value}_"')


@_mutator
def module(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """`jnp.` -> `np.` in a function."""
    if isinstance(node, ast.Name) and node.id == "jnp" and program.imports_numpy and program.in_function(node):
        parent = program.parents[node]
        if isinstance(parent, ast.Attribute):
            _, replacements = _whole(program, node, "np")
            yield f"`jnp.{parent.attr}` -> `np.{parent.attr}`", replacements


@_mutator
def size(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Change a size that has a name."""
    value: ast.expr | None = None
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.keyword):
        value = node.value
        if isinstance(node, ast.keyword) and node.arg in (*_AXES, "in_axes", "out_axes", "static_argnums"):
            return
        values = value.elts if isinstance(value, ast.Tuple) else [value]
    elif isinstance(node, ast.arguments):
        values = [*node.defaults]
    elif isinstance(node, ast.Call) and _name(node.func) not in (*_WITH_AXIS, *_SHAPED, "range", "key", "round"):
        values = node.args
    else:
        return
    for number in values:
        if number is not None and (n := _integer(number)) is not None and is_single(number):
            yield _whole(program, number, str(n + 1))


_REMOVED = frozenset({
    "reshape", "ravel", "astype", "squeeze", "flatten", "mean", "sum", "expand_dims", "broadcast_to", "asarray",
})  # fmt: skip


@_mutator
def removed(program: Program, node: ast.AST) -> Iterator[tuple[str, list[Replacement]]]:
    """Drop a reshape, cast, or reduction."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _REMOVED:
        if _name(node.func.value) in ("jnp", "np", "lax"):
            if node.args and is_single(node):
                yield _whole(program, node, program.text(node.args[0]))
        elif drop := program.tail(node.func.value, node):
            yield f"`.{node.func.attr}(...)` dropped", [drop]
