"""The scalar types as a stub has them: the lattice as nominal classes, in NumPy's hierarchy."""

from __future__ import annotations

from arraytyping.scalars import ABSTRACT, SCALARS
from arraytyping.stubgen.nodes import Nodes, is_wide
from arraytyping.stubgen.spelling import element, marker

__all__ = ["scalar_module"]

HEAD = '''\
"""The scalar types: `Array[float32, ...]` names one, `float32(x)` makes a 0-d array, `dtype=float32` asks for it.

For each element r of the promotion lattice there is a marker `Le_r`, "at most r"; a scalar type inherits those of all
its upper bounds, so that the first marker that two dtypes share, the lowest first, is their join.
"""

from typing import Any, TypeVar, overload

from {array} import Array, SomeShape

_S = TypeVar("_S")
'''


def scalar_module(nodes: Nodes, array_module: str) -> str:
    """The text of the module with the markers and the scalar types."""
    lines = [HEAD.format(array=array_module), "# The hierarchy.", ""]
    for name, cls in ABSTRACT.items():
        base = cls.__bases__[0].__name__ if cls.__bases__[0] is not object else ""
        lines.append(f"class {name}({base}): ..." if base else f"class {name}: ...")
    lines += ["", "# At most r, the lowest r first.", ""]
    lines += [f"class {marker(n)}: ..." for n in nodes.names]
    lines += ["", "# The scalar types.", ""]
    for name, cls in SCALARS.items():
        bounds = nodes.lattice.upper_bounds[name]
        bases = [cls.__bases__[0].__name__, *(marker(n) for n in nodes.names if n in bounds)]
        own = element(name)
        # Without x64 a 64-bit type is asked for in vain.
        kept = own if nodes.x64 or not is_wide(name) else "Any"

        def made(shape: str, dtype: str = kept) -> str:
            return f"Array[{dtype}, {shape}]"

        lines += [
            f"class {own}({', '.join(bases)}):",
            "    @overload",
            f"    def __new__(cls, x: complex = ..., /) -> {made('tuple[()]')}: ...  # type: ignore[misc]",
            "    @overload",
            f"    def __new__(cls, x: Array[Any, _S], /) -> {made('_S')}: ...  # type: ignore[misc]",
            "    @overload",
            f"    def __new__(cls, x: Any, /) -> {made('SomeShape')}: ...  # type: ignore[misc]",
            "    dtype: Any",
            "",
        ]
    return "\n".join(lines)
