"""Sizes with names in mypy's types: how they are written there, and in which function each is meant.

An annotation's `n` is a plain `int` to mypy with the name as a mark, so that any size goes where it is declared.  What
is computed of such sizes is `Literal['n + 1']` with `int` behind it: a subtype of `int` that differs from every other,
so that mypy's joins and unions keep them apart.  A name belongs to a call of one function, and says nothing outside of
that function's body: behind a dot it has the mark of the function, which messages leave out.
"""

from __future__ import annotations

import ast
import re
import zlib
from functools import lru_cache
from typing import Final

from mypy.nodes import CallExpr, FuncDef, FuncItem, LambdaExpr, Node, RefExpr
from mypy.types import AnyType, ExtraAttrs, Instance, LiteralType, Type, TypeOfAny, TypeVarType, get_proper_type

from arraytyping.semantics.avals import Dim, Shape, SymbolicDim
from arraytyping.semantics.sizes.dims import as_dim, of_dim
from arraytyping.semantics.sizes.operations import floor_division, maximum, minimum
from arraytyping.semantics.sizes.polynomials import Size, constant
from arraytyping_mypy.walk import children

__all__ = [
    "any_of", "dim_of", "has_symbols", "is_called_only", "literal", "marked", "owners_of", "owner_mark", "plain_text",
    "size_of_text", "symbol", "text_of_any", "token_of",
]  # fmt: skip

_DOT: Final = "ˑ"
"""What stands before the mark of a function; to Python it is a part of an identifier."""
_OWNER: Final = re.compile(rf"{_DOT}\w+")
_ANNOTATION: Final = "jaxtyping "


def marked(token: str, integer: Instance) -> Instance:
    """`int`, marked with what an annotation calls the size: `n`, `n+1`, `#n`."""
    return Instance(integer.type, [], extra_attrs=ExtraAttrs({}, {token}, None))


def token_of(t: Type) -> str | None:
    """What an annotation calls a size of a shape; None if it has no name."""
    p = get_proper_type(t)
    if isinstance(p, TypeVarType):
        return p.name.rpartition(".")[2]
    return _mark(p) if isinstance(p, Instance) else None


def _mark(t: Instance) -> str | None:
    extra = t.extra_attrs
    if extra is None or extra.attrs or len(extra.immutable) != 1 or t.type.fullname != "builtins.int":
        return None
    (text,) = extra.immutable
    return text


def any_of(text: str) -> AnyType:
    """The unknown shape of an annotation that leaves the rank open, with the annotation's text."""
    source = AnyType(TypeOfAny.from_unimported_type, missing_import_name=_ANNOTATION + text)
    return AnyType(TypeOfAny.from_another_any, source_any=source)


def text_of_any(t: Type) -> str | None:
    """The text of such an annotation; None for any other type."""
    p = get_proper_type(t)
    name = p.missing_import_name if isinstance(p, AnyType) else None
    return None if name is None or not name.startswith(_ANNOTATION) else name[len(_ANNOTATION) :]


def symbol(name: str, owner: str) -> SymbolicDim:
    """The size of this name in a call of the function that has this mark."""
    return SymbolicDim(f"{name}{_DOT}{owner}")


def owner_mark(module: str, function: FuncItem, *more: str) -> str:
    """The mark of a function, or of an instance in a variable of it."""
    mark = _crc(f"{module}:{function.line}:{function.name}")
    return f"{mark}_{_crc(' '.join(more))}" if more else mark


def _crc(text: str) -> str:
    return f"{zlib.crc32(text.encode()):x}"


def owners_of(shape: Shape | None) -> frozenset[str]:
    """The marks of the functions whose names are in a shape."""
    names = {s.name for d in shape or () if isinstance(d, SymbolicDim) for s in _size(d).symbols}
    return frozenset(n.partition(_DOT)[2].partition("_")[0] for n in names)


def has_symbols(shape: Shape | None) -> bool:
    """Whether a size of a shape is known by name."""
    return shape is not None and any(isinstance(d, SymbolicDim) for d in shape)


def plain_text(text: str) -> str:
    """A message, or a size, without the marks."""
    return _OWNER.sub("", text) if _DOT in text else text


def literal(dim: SymbolicDim, integer: Instance) -> LiteralType:
    """The type of a size that is known by name."""
    return LiteralType(plain_text(dim.name), Instance(integer.type, [], extra_attrs=ExtraAttrs({}, {dim.name}, None)))


def dim_of(t: LiteralType) -> Dim:
    """The size of such a type; None for any other literal."""
    text = _mark(t.fallback) if isinstance(t.value, str) else None
    return None if text is None else size_of_text(text)


@lru_cache(maxsize=4096)
def size_of_text(text: str) -> Dim:
    """The size that is written in such a way, with the marks of functions behind the names."""
    try:
        size = _value(ast.parse(text, mode="eval").body)
    except (SyntaxError, RecursionError):
        return None
    return None if size is None else as_dim(size)


def _value(node: ast.expr) -> Size | None:
    if isinstance(node, ast.Constant):
        return constant(node.value) if isinstance(node.value, int) else None
    if isinstance(node, ast.Name):
        return _size(SymbolicDim(node.id))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _value(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.BinOp):
        a, b = _value(node.left), _value(node.right)
        if a is None or b is None:
            return None
        match node.op:
            case ast.Add():
                return a + b
            case ast.Sub():
                return a - b
            case ast.Mult():
                return a * b
            case ast.FloorDiv():
                return floor_division(a, b)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 2:
        a, b = map(_value, node.args)
        function = {"max": maximum, "min": minimum}.get(node.func.id)
        return None if a is None or b is None or function is None else function(a, b)
    return None


def _size(dim: Dim) -> Size:
    size = of_dim(dim)
    assert size is not None
    return size


_CALLED_ONLY: Final[dict[FuncItem, bool]] = {}


def is_called_only(function: FuncItem) -> bool:
    """Whether a function mentions itself only to call itself.

    What else it may do with itself gives arrays of another call, of whose names nobody would know that they are.
    """
    if isinstance(function, LambdaExpr) or not isinstance(function, FuncDef):
        return True
    found = _CALLED_ONLY.get(function)
    if found is None:
        if len(_CALLED_ONLY) > 20_000:
            _CALLED_ONLY.clear()
        found = _CALLED_ONLY[function] = not _mentions(function.body, function.name)
    return found


def _mentions(node: Node, name: str) -> bool:
    if isinstance(node, CallExpr) and isinstance(node.callee, RefExpr):
        return any(_mentions(child, name) for child in (*children(node.callee), *node.args))
    if isinstance(node, RefExpr) and getattr(node, "name", "") == name:
        return True
    return any(_mentions(child, name) for child in children(node))
