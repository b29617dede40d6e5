"""What a recording says of an expression, where flow itself does not know it.

Structure, dtype and rank of what was recorded are facts; so are sizes that were the same in all calls.  A size that
varied is a new symbol each time that the call is evaluated; where it was always the size that another call gave last,
it is that one.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.boundary.sites import Site
from arraytyping.checker.boundary.structures import (
    Array,
    Each,
    Either,
    Fields,
    Items,
    Opaque,
    Plain,
    Size,
    Structure,
    is_known,
    to_json,
)
from arraytyping.checker.flow.state.aliases import describe_many
from arraytyping.checker.flow.state.fresh_sizes import fresh_size
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.recorded import RECORDED_LINES, RecordedFacts
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.flow.values import (
    ArrayValue,
    ClassValue,
    DictValue,
    InstanceValue,
    ListValue,
    ModuleValue,
    NumPyValue,
    ScalarValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.frames import Frame
from arraytyping.semantics.avals import Dim, ShapedArray
from arraytyping.semantics.sizes.dims import as_dim
from arraytyping.semantics.sizes.polynomials import symbol

__all__ = ["as_recorded"]

_EMPTY: Final = "what was empty as recorded, and may be something else in another call"
_SCALARS: Final = {kind.__name__: kind for kind in (bool, bytes, complex, float, int, str)}


def as_recorded(it: Interpreter, node: ast.expr | ast.arg, frame: Frame, value: Value) -> Value:
    """A value that came at an expression, target or parameter, with what was recorded of what is not known of it."""
    facts: RecordedFacts | None = it.recorded
    if facts is None or not frame.module.is_program:
        return value
    found = facts.find(frame.module, node)
    if found is None:
        return value
    site, structure = found
    maker = _Maker(it, node, frame, facts, site)
    with it.in_frame(frame):
        made = maker.filled(value, structure)
    if made is not value:
        facts.used.add(site)
        RECORDED_LINES.of(it).add((frame.module.shown, getattr(node, "lineno", 0)))
    elif maker.contradicts(value, structure) and not it.quiet and not it.path_uncertain:
        facts.contradicted.setdefault(site, f"gave {_shown(structure)} as recorded, and is {show(value)}")
    return made


class _Maker:
    """Makes the values of one evaluation of a site."""

    def __init__(
        self, it: Interpreter, node: ast.expr | ast.arg, frame: Frame, facts: RecordedFacts, site: Site
    ) -> None:
        self.it, self.node, self.frame, self.facts, self.site = it, node, frame, facts, site
        self.sizes: dict[str, Dim] = {}

    def filled(self, value: Value, structure: Structure) -> Value:
        """A value, and in the place of what is not known of it what was recorded; itself if that is nothing."""
        if isinstance(value, Unknown):
            made = self.value(structure) if is_known(structure) else value
            return value if isinstance(made, Unknown) else made
        if type(value) is tuple and isinstance(structure, Items) and len(structure.items) == len(value):
            items = tuple(self.filled(v, part) for v, part in zip(value, structure.items))
            return items if any(item is not v for item, v in zip(items, value)) else value
        if isinstance(value, ArrayValue | NumPyValue) and isinstance(structure, Array):
            return self._refined(value, structure)
        return value

    def _refined(self, value: ArrayValue | NumPyValue, structure: Array) -> Value:
        """An array of which a part is not known."""
        is_jax = isinstance(value, ArrayValue)
        shape = value.aval.shape if isinstance(value, ArrayValue) else value.shape
        dtype = value.aval.dtype if isinstance(value, ArrayValue) else value.dtype
        # What JAX makes of unknown sizes came from outside only as far as these did.
        is_partial = dtype is None or shape is None or (None in shape and not is_jax)
        if not is_partial or is_jax != (structure.library == "jax") or self.contradicts(value, structure):
            return value
        made = self.value(structure)
        found = made.aval.shape if is_jax else made.shape
        sizes = found if shape is None else tuple(new if old is None else old for old, new in zip(shape, found))
        if not is_jax:
            return NumPyValue(sizes, dtype or made.dtype, value.is_scalar, origin=made.origin)  # type: ignore[union-attr]
        known = made.aval if dtype is None else value.aval  # type: ignore[union-attr]
        aval = ShapedArray(sizes, known.dtype, known.weak_type)
        return self.it.array(aval, value.traced, self.node)  # type: ignore[union-attr]

    def contradicts(self, value: Value, structure: Structure) -> bool:
        """Whether what is known of an array cannot be what was recorded."""
        if not isinstance(value, ArrayValue | NumPyValue):
            return False
        if isinstance(structure, Either):
            return all(self.contradicts(value, option) for option in structure.options)
        if not isinstance(structure, Array) or isinstance(value, ArrayValue) != (structure.library == "jax"):
            return not isinstance(structure, Opaque)
        shape = value.aval.shape if isinstance(value, ArrayValue) else value.shape
        dtype = value.aval.dtype if isinstance(value, ArrayValue) else value.dtype
        if dtype is not None and structure.dtype is not None and dtype != structure.dtype:
            return True
        return shape is not None and (
            len(shape) != len(structure.shape)
            or any(type(a) is int and type(b) is int and a != b for a, b in zip(shape, structure.shape))
        )

    def value(self, structure: Structure) -> Any:
        """A value of this structure."""
        it = self.it
        if isinstance(structure, Array):
            return self._array(structure)
        if isinstance(structure, Plain):
            return None if structure.kind == "None" else ScalarValue(_SCALARS[structure.kind])
        if isinstance(structure, Items):
            items = [self.value(item) for item in structure.items]
            if structure == Items("list", ()):
                return ListValue(None, it.unknown(_EMPTY))
            return tuple(items) if structure.kind == "tuple" else ListValue(items)
        if isinstance(structure, Each):
            return ListValue(None, describe_many(self.value(structure.item)))
        if isinstance(structure, Either):
            return join_all([self.value(option) for option in structure.options])
        if isinstance(structure, Fields):
            values = {name: self.value(part) for name, part in structure.fields}
            if structure == Fields("", ()):
                return DictValue(None, ScalarValue(str), it.unknown(_EMPTY))
            return self._instance(structure.name, values) if structure.name else DictValue(dict(values))
        return it.unknown(f"an object of {structure.name}, as recorded")

    def _array(self, structure: Array) -> Value:
        shape = tuple(map(self._dim, structure.shape))
        if structure.library == "jax":
            weak = None if structure.dtype is None else structure.mark == "weak"
            return self.it.array(ShapedArray(shape, structure.dtype, weak), False, self.node)
        made = (self.frame.module.shown, getattr(self.node, "lineno", 0))
        return NumPyValue(shape, structure.dtype, structure.mark == "scalar", origin=made)

    def _dim(self, size: Size) -> Dim:
        if not isinstance(size, str):
            return size
        if size not in self.sizes:
            self.sizes[size] = self._named(size)
        return self.sizes[size]

    def _named(self, name: str) -> Dim:
        """The size of a name: a new one where it begins, else the one that came last."""
        last = self.facts.last_sizes
        if self.facts.recording.sizes.get(name) != self.site and last.items is not None:
            known = last.items.get(name)
            if isinstance(known, ScalarValue) and known.size is not None:
                return as_dim(known.size)
        made = symbol(str(as_dim(fresh_size(self.it, name))), 1, None)
        if name in self.facts.recording.sizes:
            self.it.put_item(last, name, ScalarValue(int, size=made), self.node)
        return as_dim(made)

    def _instance(self, name: str, values: dict[str, Value]) -> Value:
        """An instance of a class of the program or of a library, if that is found and understood."""
        cls = self._class(name)
        kind = cls.tuple_type if isinstance(cls, ClassValue) and cls.kind == "namedtuple" else cls
        if isinstance(kind, type) and issubclass(kind, tuple):
            return tuple.__new__(kind, list(values.values()))
        if isinstance(cls, ClassValue) and cls.kind == "dataclass":
            return InstanceValue(cls, values)
        return self.it.unknown(f"an object of {name}, as recorded")

    def _class(self, name: str) -> Value:
        parts = name.split(".")
        for i in range(len(parts) - 1, 0, -1):
            known = self.it.importer.modules.get(".".join(parts[:i]))
            if known is not None:
                found: Value = ModuleValue(known)
                for part in parts[i:]:
                    with self.it.quietly():
                        found = self.it.get_attribute(found, part, self.node)
                return found
        return None


def _shown(structure: Structure) -> str:
    text = str(to_json(structure))
    return text if len(text) <= 80 else f"{text[:77]}..."
