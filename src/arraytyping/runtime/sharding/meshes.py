"""`Mesh`: devices in an array whose dimensions have names, and the mesh that is in force here.

Source: https://docs.jax.dev/en/latest/jax.sharding.html#jax.sharding.Mesh.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.runtime.sharding.mesh_axes import AbstractDevice, AbstractMesh, AxisType, BaseMesh, axis_types_of

__all__ = ["Mesh", "get_mesh", "set_mesh"]


class Mesh(BaseMesh, contextlib.ContextDecorator):
    """Devices in an array, each dimension of which has a name; equal ones are those of the same devices and names.

    `with mesh:` makes it the mesh in force, as `with set_mesh(mesh):` does.

    Raises:
        ValueError: if the names are not as many as the dimensions, or one is there twice.
        TypeError: for types of axes that are none.
    """

    def __init__(self, devices: Any, axis_names: Any, axis_types: Any = None) -> None:
        array = devices.copy() if isinstance(devices, np.ndarray) else np.array(devices)
        names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        if any(name is None for name in names):
            raise ValueError(f"Mesh axis names cannot be None. Got: {names}")
        if array.ndim != len(names):
            raise ValueError(
                "Mesh requires the ndim of its first argument (`devices`) to equal the length of its second argument "
                f"(`axis_names`), but got devices.ndim == {array.ndim} and len(axis_names) == {len(names)}."
            )
        if len(set(names)) != len(names):
            raise ValueError(f"the axes of a mesh have names of their own, got {names}")
        types = axis_types_of(names, axis_types, "Mesh")
        array.flags.writeable = False
        self.devices: np.ndarray[Any, Any] = array
        self.axis_names: tuple[Any, ...] = names
        self.axis_types: tuple[AxisType, ...] = types
        self.size: int = math.prod(array.shape)
        self._flat: tuple[Any, ...] = tuple(array.flat)
        self._key = self._flat, array.shape, names, types
        self._hash = hash(self._key)
        self._entered: list[Any] = []

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Mesh) and self._key == other._key)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> Any:
        raise TypeError("a Mesh holds devices of this process, and cannot be pickled; pickle its shape and names")

    def __str__(self) -> str:
        if not self.axis_names:
            return "Mesh()"
        return f"Mesh({', '.join(f'{n!r}: {s}' for n, s in self.shape.items())}, axis_types={self.axis_types})"

    def __repr__(self) -> str:
        return f"Mesh(axis_sizes={self.devices.shape}, axis_names={self.axis_names!r}, axis_types={self.axis_types})"

    def __enter__(self) -> Mesh:
        context = config._set_here("mesh", self)
        context.__enter__()
        self._entered.append(context)
        return self

    def __exit__(self, *exception: Any) -> None:
        self._entered.pop().__exit__(None, None, None)

    @property
    def axis_sizes(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return tuple(self.devices.shape)

    @property
    def abstract_mesh(self) -> AbstractMesh:
        """Its axes without the devices."""
        first = self._flat[0] if self._flat else None
        device = first and AbstractDevice(first.device_kind, getattr(first, "core_count", None), first.platform)
        return AbstractMesh(self.axis_sizes, self.axis_names, self.axis_types, abstract_device=device)

    is_multi_process = False

    @property
    def device_ids(self) -> np.ndarray[Any, Any]:
        """The numbers of the devices."""
        return np.array([d.id for d in self._flat], int).reshape(self.devices.shape)

    @property
    def local_devices(self) -> list[Any]:
        """The devices of this process: all."""
        return list(self._flat)

    @property
    def local_mesh(self) -> Mesh:
        """The part of this process: all of it."""
        return self

    def update(self, devices: Any = None, axis_names: Any = None, axis_types: Any = None) -> Mesh:
        """The same mesh with other devices, names or types of axes."""
        return Mesh(
            self.devices if devices is None else devices,
            self.axis_names if axis_names is None else axis_names,
            self.axis_types if axis_types is None else axis_types,
        )


class set_mesh:
    """Make a mesh the one in force, for this thread: from now on, or within `with set_mesh(mesh):`.

    Its devices are those that programs run on, and that new arrays lie on, as copies.  None: no mesh is in force.

    Raises:
        ValueError: for what is no mesh.
    """

    def __init__(self, mesh: Mesh | None) -> None:
        if mesh is not None and not isinstance(mesh, Mesh):
            raise ValueError(f"Expected mesh of type `jax.sharding.Mesh`. Got type(mesh) = {type(mesh)}")
        self._before = config.set_for_thread("mesh", mesh, device_mesh=mesh)
        self._mesh = mesh

    def __enter__(self) -> Mesh | None:
        return self._mesh

    def __exit__(self, *exception: object) -> None:
        config.restore_for_thread(self._before)


def get_mesh() -> Mesh | None:
    """The mesh in force here, None if there is none."""
    mesh: Mesh | None = config.read("mesh")
    return mesh
