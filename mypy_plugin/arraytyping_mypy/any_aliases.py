"""Names for `Any`, such as `Array = Any` and `Dtype = Any`.

mypy looks for `Any` among the arguments of an overloaded call to see that several overloads match, but not behind a
name: there it takes the first one, so that `np.dtype(dtype)` would be that of float64.  So `Any` is put in its place.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.nodes import TypeAlias
from mypy.plugin import AnalyzeTypeContext
from mypy.semanal_shared import has_placeholder
from mypy.types import AnyType, CollectAliasesVisitor, Type, TypeOfAny, UnionType, get_proper_type

__all__ = ["annotation_hook"]


def annotation_hook(alias: TypeAlias) -> Callable[[AnalyzeTypeContext], Type] | None:
    """What an annotation with this name means, if that is `Any`, alone or as one of several."""
    if alias.alias_tvars:
        return None
    target = get_proper_type(alias.target)
    items = target.items if isinstance(target, UnionType) else [target]
    if not any(isinstance(get_proper_type(item), AnyType) for item in items):
        return None  # as of most aliases
    if has_placeholder(target) or alias in target.accept(CollectAliasesVisitor()):
        return None  # a recursive one would be written out in itself each time that mypy analyses it, without end
    if isinstance(target, AnyType):
        return lambda context: _any(target)
    given = [_any(p) if isinstance(p := get_proper_type(item), AnyType) else item for item in items]
    return lambda context: UnionType(given, context.context.line, context.context.column)


def _any(t: AnyType) -> AnyType:
    """The same, but not as written by who uses the name, which `--disallow-any-explicit` would tell at each use."""
    is_written = t.type_of_any in (TypeOfAny.explicit, TypeOfAny.special_form)
    return AnyType(TypeOfAny.implementation_artifact if is_written else t.type_of_any)
