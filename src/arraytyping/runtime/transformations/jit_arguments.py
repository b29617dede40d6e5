"""What a compiled function makes of the arguments of a call: arrays, and static values that tell programs apart."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any, Final

from arraytyping.basearray import Array
from arraytyping.runtime import tree
from arraytyping.runtime.call_arguments import OfType, described_type, place_of
from arraytyping.runtime.shape_dtype_struct import around_bits

__all__ = ["has_hash", "kind_of", "marked_arguments", "numbers_in", "with_stand_ins"]

_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_NAMED: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def marked_arguments(
    signature: inspect.Signature | None, name: str, what: str, numbers: Iterable[int] | None,
    names: Iterable[str] | None,
) -> tuple[frozenset[int], frozenset[str]]:  # fmt: skip
    """The arguments that `static_argnums` and `static_argnames` mark, by number and by name.

    A negative number counts from the last argument that a call passes by position, and has no name therefore.  Where
    only one of the two is given the signature completes it; where both are, they may differ, and each says how an
    argument has to be passed.

    Raises:
        ValueError: if there is no such argument.
    """
    by_number, by_name = [*(numbers or ())], [*(names or ())]
    if signature is None:
        return frozenset(by_number), frozenset(by_name)
    parameters = signature.parameters.values()
    positional = [p.name for p in parameters if p.kind in _POSITIONAL]
    kinds = {p.kind for p in parameters}
    for one in by_name:
        kind = signature.parameters[one].kind if one in signature.parameters else None
        if kind is inspect.Parameter.POSITIONAL_ONLY or kind is inspect.Parameter.VAR_POSITIONAL:
            raise ValueError(f"jit: {what}_argnames names {one!r}, which {name} takes by position only")
        if kind not in _NAMED and inspect.Parameter.VAR_KEYWORD not in kinds:
            raise ValueError(
                f"jit: {what}_argnames names {one!r}, but {name} has no such parameter; it has "
                f"{', '.join(signature.parameters) or 'none'}"
            )
    for n in by_number:
        if inspect.Parameter.VAR_POSITIONAL not in kinds and not -len(positional) <= n < len(positional):
            raise ValueError(
                f"jit: {what}_argnums names argument {n}, but {name} takes {len(positional)} positional arguments"
            )
    takes_name = {p.name for p in parameters if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD}
    if numbers is None:
        by_number = [positional.index(one) for one in by_name if one in takes_name]
    elif names is None:
        by_name = [positional[n] for n in by_number if 0 <= n < len(positional) and positional[n] in takes_name]
    return frozenset(by_number), frozenset(by_name)


def numbers_in(numbers: frozenset[int], count: int) -> frozenset[int]:
    """The numbers of marked arguments in a call with as many by position.

    Raises:
        ValueError: if a negative one is of no argument.
    """
    if not any(n < 0 for n in numbers):
        return numbers
    if (least := min(numbers)) < -count:
        raise ValueError(f"jit: argument {least} is marked as static or donated, and {count} are passed by position")
    return frozenset([n % count if n < 0 else n for n in numbers])


def with_stand_ins(args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The arguments, with stand-ins for arrays in the place of descriptions of their types."""

    def typed(leaf: Any) -> Any:
        if isinstance(leaf, Array) or (aval := described_type(leaf)) is None:
            return leaf
        return OfType(aval, place_of(leaf))

    args, kwargs = around_bits((args, kwargs), OfType)
    return tuple([tree.map(typed, a) for a in args]), {n: tree.map(typed, v) for n, v in kwargs.items()}


def kind_of(value: Any) -> Any:
    """What tells apart static values that are equal: 1, 1.0 and True, 0.0 and -0.0, also in tuples."""
    if type(value) is tuple:
        return tuple([kind_of(v) for v in value])
    return repr(value) if type(value) is float else type(value)


def has_hash(value: Any) -> bool:
    """Whether a static value can be told apart from others."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
