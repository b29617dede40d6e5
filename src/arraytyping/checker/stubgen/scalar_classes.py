"""The scalar types as a stub has them: the lattice as nominal classes, in NumPy's hierarchy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arraytyping.checker.stubgen.nodes import Nodes, is_wide
from arraytyping.checker.stubgen.spelling import element, joining
from arraytyping.scalars import ABSTRACT, SCALARS
from arraytyping.semantics.promotion.jax import WEAK

__all__ = ["order_classes", "scalar_module"]

HEAD = '''\
"""The scalar types: `Array[float32, ...]` names one, `float32(x)` makes a 0-d array, `dtype=float32` asks for it.

A scalar type says its place in the promotion lattice by its bases, whose parameter `O` is contravariant: a dtype fits
if it is among those that are listed there.  So `x + y` has the dtype of `y` if that is an `UpperBound` of the dtype of
`x`, that of `x` if it is a `LowerBound` of it, and if the join of the two is neither, `Joining1` and its kin name it.
"""

from typing import Any, Generic, TypeVar, overload

from {array} import Array, SomeShape

_S = TypeVar("_S")
O = TypeVar("O", contravariant=True)
J = TypeVar("J", covariant=True)
'''

ORDER = '''\
# The order.

class UpperBound(Generic[O, J]):
    """A dtype J that is an upper bound of O, one of those listed."""

class LowerBound(Generic[O]):
    """A dtype that is a lower bound of O, one of those listed."""
'''

MEANING: Final = {
    "NarrowInteger": "An integer of 8 to 32 bits.",
    "BelowFloat": "A dtype that is at most a weak float: `bool_`, and the integers of 8 to 64 bits.",
}
"""What the dtypes of a group have in common."""

ASKED = '''\
class AsDType(Generic[J]):
    """A scalar type as a `dtype` that is asked for, which gives arrays of dtype J."""
'''


def order_classes(nodes: Nodes) -> list[str]:
    """The names of the classes that say a dtype's place in the lattice."""
    return ["UpperBound", "LowerBound", *map(joining, nodes.places), *nodes.groups]


def scalar_module(nodes: Nodes, array_module: str) -> str:
    """The text of the module with the hierarchy, the order and the scalar types."""
    lines = [HEAD.format(array=array_module), "# The hierarchy.", ""]
    for name, cls in ABSTRACT.items():
        base = cls.__bases__[0].__name__ if cls.__bases__[0] is not object else ""
        lines.append(f"class {name}({base}): ..." if base else f"class {name}: ...")
    lines += ["", *ORDER.splitlines(), ""]
    for place in nodes.places:
        lines += [f"class {joining(place)}(Generic[O, J]):", '    """A dtype whose join with O is J."""', ""]
    for group in nodes.groups:
        lines += [f"class {group}:", f'    """{MEANING[group]}"""', ""]
    lines += ["# Each scalar type as the others list it: ty takes long if their bases name one another.", ""]
    lines += [*(f"class Is_{name}(generic): ..." for name in SCALARS), ""]
    lines += [*ASKED.splitlines(), "", "# The scalar types.", ""]
    for name, cls in SCALARS.items():
        own = element(name)
        # Without x64 a 64-bit type is asked for in vain.
        kept = own if nodes.x64 or not is_wide(name) else "Any"
        groups = [group for group, members in nodes.groups.items() if name in members]
        bases = [f"Is_{name}", cls.__bases__[0].__name__, *groups, *_order(name, nodes), f"AsDType[{kept}]"]

        def made(shape: str, dtype: str = kept) -> str:
            return f"Array[{dtype}, {shape}]"

        lines += [
            f"class {own}({', '.join(bases)}):",
            "    @overload",
            f"    def __new__(cls, x: complex = ..., /) -> {made('tuple[()]')}: ...  # type: ignore[misc]",
            "    @overload",
            f"    def __new__(cls, x: Array[object, _S], /) -> {made('_S')}: ...  # type: ignore[misc]",
            "    @overload",
            f"    def __new__(cls, x: object, /) -> {made('SomeShape')}: ...  # type: ignore[misc]",
            "    dtype: Any",
            "",
        ]
    return "\n".join(lines)


def _order(name: str, nodes: Nodes) -> list[str]:
    """The bases that say a dtype's place in the lattice."""

    def listed(members: Iterable[str]) -> str:
        usual = nodes.by_use(members)
        own = [name] if name in usual else []  # a dtype meets itself most often
        return " | ".join(n if n in WEAK else f"Is_{n}" for n in dict.fromkeys([*own, *usual]))

    return [
        f"UpperBound[{listed(nodes.lower_bounds(name))}, {element(name)}]",
        f"LowerBound[{listed(nodes.lattice.upper_bounds[name])}]",
        *(f"{joining(i)}[{listed(others)}, {element(join)}]" for i, (join, others) in enumerate(nodes.joins(name))),
    ]
