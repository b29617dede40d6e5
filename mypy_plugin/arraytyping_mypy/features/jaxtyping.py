"""jaxtyping's annotations: `Float32[Array, "batch 3"]` is an array of this dtype and shape.

To a checker they are `typing.Annotated` by other names, so a type from `typing.Annotated` as such is left alone.
A named size is marked with its name (`named_sizes`); a literal one is known.  A dtype admits its weak type too, since
a weakly typed array has that dtype and passes jaxtyping's own check.

Source: https://docs.kidger.site/jaxtyping/api/array/.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import TypeAlias, TypeInfo
from mypy.plugin import AnalyzeTypeContext
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    ProperType,
    RawExpressionType,
    TupleType,
    Type,
    TypeOfAny,
    UnboundType,
    UnionType,
    get_proper_type,
)

from arraytyping.scalars import FLOAT8
from arraytyping.semantics.promotion.jax import WEAK, JaxPromotion
from arraytyping_mypy.checker import analyzed_module, analyzed_tree, is_loaded, lookup
from arraytyping_mypy.codes import ERROR_CODES
from arraytyping_mypy.dimension_strings import complaint, shape_of
from arraytyping_mypy.features.generic_classes import is_generic_itself
from arraytyping_mypy.named_sizes import text_of_any, token_of
from arraytyping_mypy.named_trees import tree_type
from arraytyping_mypy.names import ARRAY, ARRAYS, OWN_ARRAY, SCALARS_MODULE, STUB_SCALARS_MODULE, is_program
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.silencing import silencing_of

__all__ = ["analyze_alias", "analyze_annotated", "analyze_tree"]

_FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "Bool": ("bool_",),
    "Float": ("floating", "float"),
    "Int": ("signedinteger", "int"),
    "UInt": ("unsignedinteger",),
    "Integer": ("integer", "int"),
    "Complex": ("complexfloating", "complex"),
    "Inexact": ("inexact", "float", "complex"),
    "Real": ("floating", "integer", "int", "float"),
    "Num": ("number", "int", "float", "complex"),
    "Shaped": (),
}
"""The scalar classes (and weak types) that each of jaxtyping's families admits; none: any."""

_DTYPES: Final = {
    **{f"Int{bits}": f"int{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{f"UInt{bits}": f"uint{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{f"Float{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"Float8{dtype.partition('_')[2]}": dtype for dtype in FLOAT8},
    "BFloat16": "bfloat16",
    "Complex64": "complex64",
    "Complex128": "complex128",
}
"""The dtype of each annotation that names one."""


def analyze_annotated(sessions: Sessions, ctx: AnalyzeTypeContext) -> Type:
    """The type of a jaxtyping annotation, or that of `Annotated` for anything else."""
    written = ctx.type
    name = written.name.rpartition(".")[2]
    args = written.args
    inner = ctx.api.analyze_type(args[0]) if args else AnyType(TypeOfAny.from_error)
    text = _string(args[1]) if len(args) == 2 and (name in _FAMILIES or name in _DTYPES) else None
    if text is None:
        return inner
    _tell_malformed(name, text, ctx)
    return _array_type(name, text, inner, sessions, ctx)


def analyze_alias(sessions: Sessions, alias: TypeAlias, name: str, text: str, ctx: AnalyzeTypeContext) -> Type:
    """The type of an alias of such an annotation, with this name of jaxtyping's and this string."""
    return _array_type(name, text, alias.target, sessions, ctx)


def analyze_tree(sessions: Sessions, ctx: AnalyzeTypeContext) -> Type:
    """The type of `PyTree[...]`: `Any`, which keeps the sizes of leaves that are arrays of one annotation."""
    args = ctx.type.args
    found = _leaf(args[0], sessions, ctx) if 1 <= len(args) <= 2 else None
    structure = _string(args[1]) if len(args) == 2 else ""
    if found is None or structure is None:
        return AnyType(TypeOfAny.from_unimported_type)
    return tree_type(found, structure)


def _leaf(written: Type, sessions: Sessions, ctx: AnalyzeTypeContext) -> str | None:
    """The dimension string of a leaf; None for what is no annotation of an array."""
    if not isinstance(written, UnboundType):
        return None
    symbol = lookup(ctx.api, written.name, ctx.context)
    node = None if symbol is None else symbol.node
    name, args = written.name.rpartition(".")[2], written.args
    if not isinstance(node, TypeAlias) and not (args and name in (*_FAMILIES, *_DTYPES)):
        return None
    p = get_proper_type(ctx.api.analyze_type(written))
    if not (isinstance(p, Instance) and p.type.fullname in ARRAYS and len(p.args) == 2):
        return None
    shape = get_proper_type(p.args[1])
    text = text_of_any(shape)
    if text is not None or not isinstance(shape, TupleType):
        return text
    return " ".join(_token(i) for i in shape.items)


def _token(size: Type) -> str:
    p = get_proper_type(size)
    return str(p.value) if isinstance(p, LiteralType) else token_of(size) or "_"


def _array_type(name: str, text: str, inner: Type, sessions: Sessions, ctx: AnalyzeTypeContext) -> Type:
    array = get_proper_type(inner)
    if not (isinstance(array, Instance) and array.type.fullname in ARRAYS and len(array.args) == 2):
        return inner
    if name not in _FAMILIES and name not in _DTYPES:
        return inner
    integer = ctx.api.named_type("builtins.int", [])
    shape = shape_of(text, integer, ctx.api.named_type("builtins.tuple", [integer]))
    tree = analyzed_tree(ctx.api)
    path = "" if tree is None else tree.path
    promotions = sessions.settings.promotions_of(analyzed_module(ctx.api), path, array.type.fullname == OWN_ARRAY)
    dtype = _dtype(name, promotions, array.type, ctx)
    return array.copy_modified(args=[dtype, shape])


def _tell_malformed(name: str, text: str, ctx: AnalyzeTypeContext) -> None:
    """Report a string that jaxtyping refuses, in a program."""
    why = complaint(text)
    tree = analyzed_tree(ctx.api)
    if why is None or tree is None or not is_program(tree.fullname, tree.path):
        return
    code, line = "array-annotation", ctx.context.line
    if not silencing_of(tree.path).silences(code, range(line, (ctx.context.end_line or line) + 1)):
        ctx.api.fail(f'{name}[..., "{text}"]: {why}', ctx.context, code=ERROR_CODES[code])


def _string(t: Type) -> str | None:
    """The text of a string in an annotation."""
    if isinstance(t, RawExpressionType) and isinstance(t.literal_value, str):
        return t.literal_value
    if isinstance(t, UnboundType):
        return t.original_str_expr
    return None


def _dtype(name: str, promotions: tuple[JaxPromotion, ...], array: TypeInfo, ctx: AnalyzeTypeContext) -> Type:
    if name in _FAMILIES:
        names = _FAMILIES[name]
    else:
        dtype = _DTYPES[name]
        names = (dtype, *(w for w in WEAK if any(p.default(w) == dtype for p in promotions)))
    home = STUB_SCALARS_MODULE if array.fullname == ARRAY and is_generic_itself(array) else SCALARS_MODULE
    if not is_loaded(ctx.api, home):
        return AnyType(TypeOfAny.special_form)  # the program's environment lacks it, and mypy is in another one
    items: list[ProperType] = [ctx.api.named_type(f"builtins.{n}" if n in WEAK else f"{home}.{n}", []) for n in names]
    if not items:
        return AnyType(TypeOfAny.special_form)
    return items[0] if len(items) == 1 else UnionType(items)
