"""The axes of meshes: their names, sizes and types, with the devices along them or without.

Source: https://docs.jax.dev/en/latest/jax.sharding.html.
"""

from __future__ import annotations

import enum
import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

__all__ = ["AbstractDevice", "AbstractMesh", "AxisType", "BaseMesh", "axis_types_of"]


class AxisType(enum.Enum):
    """Who decides along an axis where arrays lie: the compiler, their types, or, within `shard_map`, the program."""

    Auto = enum.auto()
    Explicit = enum.auto()
    Manual = enum.auto()

    def __repr__(self) -> str:
        return self.name


def axis_types_of(names: Sequence[Any], given: Any, what: str) -> tuple[AxisType, ...]:
    """The types of axes as they were given, by default the compiler's.

    Raises:
        TypeError: for types of axes that are none.
        ValueError: if there are not as many as names.
    """
    types = (AxisType.Auto,) * len(names) if given is None else given
    types = types if isinstance(types, tuple) else tuple(types) if isinstance(types, list) else (types,)
    if not all(isinstance(t, AxisType) for t in types):
        raise TypeError(
            f"axis_types passed to {what} must be of type `jax.sharding.AxisType`. Got {types} of type "
            f"{tuple(map(type, types))}"
        )
    if len(types) != len(names):
        raise ValueError(
            f"Number of axis names should match the number of axis_types. Got axis_names={names} and axis_types={types}"
        )
    return types


class BaseMesh:
    """Axes with names, sizes and types."""

    axis_names: tuple[Any, ...]
    axis_types: tuple[AxisType, ...]
    size: int

    @property
    def axis_sizes(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        raise NotImplementedError

    @property
    def shape_tuple(self) -> tuple[tuple[Any, int], ...]:
        """The names and sizes of the axes."""
        return tuple(zip(self.axis_names, self.axis_sizes))

    @property
    def shape(self) -> OrderedDict[Any, int]:
        """The size of each axis by its name."""
        return OrderedDict(self.shape_tuple)

    @property
    def empty(self) -> bool:
        """Whether it has no devices."""
        return self.size == 0

    @property
    def auto_axes(self) -> tuple[Any, ...]:
        """The axes along which the compiler decides."""
        return self._of_type(AxisType.Auto)

    @property
    def explicit_axes(self) -> tuple[Any, ...]:
        """The axes of arrays' types."""
        return self._of_type(AxisType.Explicit)

    @property
    def manual_axes(self) -> tuple[Any, ...]:
        """The axes over which a function is mapped."""
        return self._of_type(AxisType.Manual)

    def _of_type(self, wanted: AxisType) -> tuple[Any, ...]:
        return tuple(name for name, kind in zip(self.axis_names, self.axis_types) if kind is wanted)

    @property
    def are_all_axes_auto(self) -> bool:
        """Whether the compiler decides along all."""
        return bool(self.axis_types) and set(self.axis_types) == {AxisType.Auto}

    @property
    def are_all_axes_explicit(self) -> bool:
        """Whether all are of arrays' types."""
        return bool(self.axis_types) and set(self.axis_types) == {AxisType.Explicit}

    @property
    def are_all_axes_manual(self) -> bool:
        """Whether a function is mapped over all."""
        return bool(self.axis_types) and set(self.axis_types) == {AxisType.Manual}


@dataclass(frozen=True, slots=True)
class AbstractDevice:
    """A kind of device."""

    device_kind: str
    num_cores: int | None
    platform: str

    def __str__(self) -> str:
        return f"device_kind={self.device_kind}, num_cores={self.num_cores}, platform={self.platform}"

    def __repr__(self) -> str:
        return f"AbstractDevice({self})"


class AbstractMesh(BaseMesh):
    """The axes of a mesh without its devices; equal ones are those of the same names, sizes, types and kind of device.

    Raises:
        TypeError: for types of axes that are none.
        ValueError: if there are not as many sizes, or types, as names.
    """

    def __init__(
        self, axis_sizes: Sequence[int], axis_names: Any, axis_types: Any = None, *, abstract_device: Any = None
    ) -> None:
        names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        sizes = tuple(axis_sizes)
        if len(sizes) != len(names):
            raise ValueError(f"AbstractMesh takes as many sizes as names of axes, got {sizes} and {names}")
        self.axis_names: tuple[Any, ...] = names
        self.axis_types: tuple[AxisType, ...] = axis_types_of(names, axis_types, "AbstractMesh")
        self.size: int = math.prod(sizes) if sizes else 0
        self.abstract_device: AbstractDevice | None = abstract_device
        self._sizes = sizes
        self._key = sizes, names, self.axis_types, abstract_device

    @property
    def axis_sizes(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return self._sizes

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, AbstractMesh) and self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> Any:
        return _abstract_mesh, self._key

    def __repr__(self) -> str:
        axes = ", ".join(f"{n!r}: {s}" for n, s in self.shape_tuple) or "()"
        device = "" if self.abstract_device is None else f", {self.abstract_device}"
        return f"AbstractMesh({axes}, axis_types={self.axis_types}{device})"

    @property
    def abstract_mesh(self) -> AbstractMesh:
        """Itself."""
        return self

    def update(
        self, axis_sizes: Any = None, axis_names: Any = None, axis_types: Any = None, **rest: Any
    ) -> AbstractMesh:
        """The same with other sizes, names or types of axes, or another kind of device."""
        return AbstractMesh(
            self._sizes if axis_sizes is None else axis_sizes,
            self.axis_names if axis_names is None else axis_names,
            self.axis_types if axis_types is None else axis_types,
            **{"abstract_device": self.abstract_device, **rest},
        )

    def update_axis_types(self, name_to_type: Mapping[Any, AxisType]) -> AbstractMesh:
        """The same with other types of these axes."""
        types = [name_to_type.get(name, kind) for name, kind in zip(self.axis_names, self.axis_types)]
        return self.update(axis_types=tuple(types))

    def _has_no(self, name: str) -> NoReturn:
        raise ValueError(f"AbstractMesh does not implement {name}: it has no devices; use a Mesh")

    @property
    def devices(self) -> NoReturn:
        """Raises ValueError: there are none."""
        self._has_no("devices")

    @property
    def device_ids(self) -> NoReturn:
        """Raises ValueError: there are none."""
        self._has_no("device_ids")

    @property
    def local_devices(self) -> NoReturn:
        """Raises ValueError: there are none."""
        self._has_no("local_devices")

    @property
    def local_mesh(self) -> NoReturn:
        """Raises ValueError: there is none."""
        self._has_no("local_mesh")

    @property
    def is_multi_process(self) -> NoReturn:
        """Raises ValueError: there are no devices."""
        self._has_no("is_multi_process")

    def __enter__(self) -> NoReturn:
        self._has_no("__enter__")

    def __exit__(self, *exception: object) -> NoReturn:
        self._has_no("__exit__")


def _abstract_mesh(sizes: Any, names: Any, types: Any, device: Any) -> AbstractMesh:
    return AbstractMesh(sizes, names, types, abstract_device=device)
