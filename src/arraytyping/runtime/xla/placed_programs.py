"""Programs that run elsewhere than on the default device: on one that arguments lie on, or on all of a mesh.

A jaxpr has one program for each way in which its arguments lie.

Source: https://docs.jax.dev/en/latest/sharded-computation.html; https://openxla.org/shardy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from arraytyping.runtime.array import ArrayImpl, buffer_of
from arraytyping.runtime.core import aval_of
from arraytyping.runtime.cut_types import sharding_of_type
from arraytyping.runtime.effects import has_ordered
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr, Jaxpr, jaxprs_in
from arraytyping.runtime.placed_array import PlacedArray, device_set_here, jaxlib_sharding, placed
from arraytyping.runtime.sharding import Mesh, NamedSharding, PartitionSpec, Sharding, SingleDeviceSharding, get_mesh
from arraytyping.runtime.sharding.layouts import spec_of_tiles
from arraytyping.runtime.xla.jaxlib_api import (
    collect_garbage,
    compile_partitioned,
    default_device,
    device_of,
    result_handler,
    result_tiles,
    told_of,
    turns,
)
from arraytyping.runtime.xla.lowering import Layout, lower_module
from arraytyping.semantics.avals import ShapedArray, static_shape

__all__ = ["PlacedPrograms", "PlacedRun", "meshes_in"]

Devices = tuple[Any, ...]


def meshes_in(jaxpr: Jaxpr) -> Iterator[Mesh]:
    """The meshes that equations name."""
    for eqn in jaxpr.eqns:
        if isinstance(mesh := eqn.params.get("mesh"), Mesh):
            yield mesh
        elif isinstance(sharding := eqn.params.get("sharding"), NamedSharding):
            yield sharding.mesh
        for inner in jaxprs_in(eqn.params):
            yield from meshes_in(inner.jaxpr)


class _Program:
    """A compiled program, and where its arguments have to lie and its results do."""

    __slots__ = ("arguments", "committed", "executable", "execute", "explain", "handlers", "is_plain", "results")

    def __init__(self, executable: Any, execute: Any, arguments: Any, results: Any, committed: bool) -> None:
        self.is_plain: bool = not committed and executable.devices == (default_device(),)
        self.executable: Any = executable
        self.execute: Callable[[list[Any]], Any] = execute
        self.explain: Callable[[Exception, Sequence[Any]], None] = executable._explain
        self.arguments: list[Sharding] = arguments
        self.results: list[Sharding] = results
        self.committed: bool = committed
        self.handlers: list[Any] = [
            result_handler(aval, jaxlib_sharding(s, len(static_shape(aval))))
            for aval, s in zip(executable.out_avals, results)
        ]

    def run(self, values: Sequence[Any]) -> list[ArrayImpl]:
        """The results for these arguments, which are moved to where they have to lie."""
        buffers = [_buffer_on(value, sharding) for value, sharding in zip(values, self.arguments)]
        if next(turns):
            collect_garbage()
        try:
            made = self.execute(buffers).consume_with_handlers(self.handlers)
        except Exception as error:
            self.explain(error, buffers)
            raise
        if self.is_plain:
            return list(map(ArrayImpl, made))
        return [PlacedArray(buffer, sharding, self.committed) for buffer, sharding in zip(made, self.results)]


def _buffer_on(value: Any, sharding: Sharding) -> Any:
    if isinstance(value, PlacedArray):
        if value._sharding == sharding:
            return value._placed
    elif sharding.num_devices == 1 and device_of(buffer := buffer_of(value)) == sharding._devices[0]:
        return buffer
    return placed(value, sharding)._placed


_MOST_TEXTS: Final = 512
_executables: Final[dict[Any, Any]] = {}
"""Executables by the text of their modules: a function that is mapped over a mesh anew is mostly the same program."""


class PlacedPrograms:
    """The programs of one jaxpr, by where its arguments lie."""

    __slots__ = ("closed", "donated", "in_shardings", "meshes", "name", "out_shardings", "programs")

    def __init__(
        self, closed: ClosedJaxpr, name: str, donated: Sequence[int],
        in_shardings: Sequence[Sharding | None] | None = None, out_shardings: Sequence[Sharding | None] | None = None,
    ) -> None:  # fmt: skip
        self.closed: ClosedJaxpr = closed
        self.name: str = name
        self.donated: Sequence[int] = donated
        self.meshes: list[Mesh] = list(dict.fromkeys(meshes_in(closed.jaxpr)))
        self.in_shardings: list[Sharding | None] = [
            *[None] * len(closed.consts), *(in_shardings or [None] * len(closed.in_avals)),
        ]  # fmt: skip
        given = list(out_shardings or [None] * len(closed.out_avals))
        self.out_shardings: list[Sharding | None] = [
            _of_type(a) if s is None else s for s, a in zip(given, closed.out_avals)
        ]
        self.programs: dict[Any, _Program] = {}

    @property
    def is_placed(self) -> bool:
        """Whether these are all the programs that there are: the jaxpr says itself where it runs."""
        return bool(self.meshes) or any(s is not None for s in (*self.in_shardings, *self.out_shardings))

    def run(self, args: Sequence[Any]) -> list[ArrayImpl]:
        """The results for these arguments.

        Raises:
            ValueError: if arguments lie on different devices, or not as it is said of them.
        """
        values = [*self.closed.consts, *args]
        lie = _places(values)
        key = device_set_here(), get_mesh(), lie
        program = self.programs.get(key)
        if program is None:
            program = self.programs[key] = self._made(values, lie)
        return program.run(values)

    def of_types(self) -> _Program:
        """The program for arguments of which nothing but the types is known."""
        values = [*self.closed.consts, *map(_Type, self.closed.in_avals)]
        return self._made(values, _places(values))

    def module(self) -> Any:
        """The StableHLO of the program for arguments of which nothing but the types is known."""
        values = [*self.closed.consts, *map(_Type, self.closed.in_avals)]
        devices, mesh = self._devices(values, [None] * len(values))
        arguments = self._arguments(values, [None] * len(values), devices, mesh)
        layout = Layout(len(devices), arguments, self.out_shardings)
        return lower_module(self.closed, self.name, devices[0].platform, self.donated, [], layout)

    def _arguments(
        self, values: Sequence[Any], lie: Sequence[Sharding | None], devices: Devices, mesh: Mesh | None
    ) -> list[Sharding]:
        return [
            self._argument(value, given, wanted, devices, mesh)
            for value, given, wanted in zip(values, lie, self.in_shardings)
        ]

    def _made(self, values: Sequence[Any], lie: Sequence[Sharding | None]) -> _Program:
        devices, mesh = self._devices(values, lie)
        is_over_mesh = isinstance(device_set_here(), Mesh)
        arguments = self._arguments(values, lie, devices, mesh)
        wanted = list(self.out_shardings)
        for sharding, aval in zip(wanted, self.closed.out_avals):
            if sharding is not None:
                sharding.check_divides(static_shape(aval), "a result")
        here = get_mesh()
        if mesh is not None and here is not None and (here._flat, here.shape) == (devices, mesh.shape):
            mesh = here  # whose axes may be of other types than those of the arguments' mesh
        if mesh is not None and mesh.are_all_axes_explicit:  # what a type says nothing of is whole along such axes
            wanted = [
                NamedSharding(mesh, PartitionSpec(*[None] * len(static_shape(a)))) if s is None else s
                for s, a in zip(wanted, self.closed.out_avals)
            ]
        named = [(s, v) for s, v in zip(arguments, values) if isinstance(s, NamedSharding) and s.mesh == mesh]
        orig = next(((s, len(static_shape(aval_of(v)))) for s, v in named), None)
        while True:
            executable, execute = self._compiled(devices, arguments, wanted)
            results = [
                given if given is not None else self._result(tiles, devices, mesh, aval, orig)
                for given, tiles, aval in zip(wanted, result_tiles(executable), self.closed.out_avals, strict=True)
            ]
            if None not in results:
                break
            assert mesh is not None  # the compiler's choice has no name on the mesh: it lies on every device then
            wanted = [NamedSharding(mesh, PartitionSpec()) if r is None else w for r, w in zip(results, wanted)]
        committed = self.is_placed or is_over_mesh or len(devices) > 1 or any(s is not None for s in lie)
        return _Program(executable, execute, arguments, results, committed)

    def _devices(self, values: Sequence[Any], lie: Sequence[Sharding | None]) -> tuple[Devices, Mesh | None]:
        """The devices of the program, and a mesh of them.

        Raises:
            ValueError: if not all that is said of them is the same.
        """
        found: list[tuple[Devices, Mesh | None, str]] = []
        first = len(self.closed.consts)
        for number, (value, sharding) in enumerate(zip(values, lie)):
            if sharding is not None:
                what = "an array that is closed over" if number < first else f"argument {number - first}"
                where = f"{what} of {self.name} with shape {_text(value)}"
                found.append((sharding._devices, _mesh_of(sharding), where))
        here = device_set_here()
        if isinstance(here, Mesh) and not self.meshes:
            found.append((here._flat, here, "the mesh in force (set_mesh)"))
        found += [(m._flat, m, f"a mesh in {self.name}") for m in self.meshes]
        for s, what in ((self.in_shardings, "in_shardings"), (self.out_shardings, "out_shardings")):
            found += [(one._devices, _mesh_of(one), f"{what} of {self.name}") for one in s if one is not None]
        if not found:
            return (here or default_device(),), None
        wanted, _, named = found[0]
        for devices, _, what in found[1:]:
            if devices != wanted:
                raise ValueError(
                    f"Received incompatible devices for jitted computation. Got {_named(wanted, named)} and "
                    f"{_named(devices, what)}; put them onto the same devices with device_put"
                )
        return wanted, next((mesh for _, mesh, _ in found if mesh is not None), None)

    def _argument(
        self, value: Any, given: Sharding | None, wanted: Sharding | None, devices: Devices, mesh: Mesh | None
    ) -> Sharding:
        shape = static_shape(aval_of(value))
        if wanted is not None:
            wanted.check_divides(shape, "an argument")
            if given is not None and not given.is_equivalent_to(wanted, len(shape)):
                raise ValueError(
                    f"Sharding passed to jit does not match the sharding on the respective arg. Got jit sharding: "
                    f"{wanted}, arg sharding: {given} for arg type: {_text(value)}"
                )
            return wanted
        if given is not None:
            return given
        if (typed := sharding_of_type(aval_of(value))) is not None:
            return typed
        return SingleDeviceSharding(devices[0]) if mesh is None else NamedSharding(mesh, PartitionSpec())

    def _result(
        self, tiles: Any, devices: Devices, mesh: Mesh | None, aval: ShapedArray, orig: tuple[NamedSharding, int] | None
    ) -> Sharding | None:
        """Where a result lies, as the first argument does if that is the same, else by the shortest spec."""
        if mesh is None:
            return SingleDeviceSharding(devices[0])
        ndim = len(static_shape(aval))
        spec = PartitionSpec() if tiles is None else spec_of_tiles(mesh, tiles, ndim)
        if spec is None:
            return None
        found = NamedSharding(mesh, spec)
        return orig[0] if orig is not None and orig[1] == ndim and orig[0].is_equivalent_to(found, ndim) else found

    def _compiled(
        self, devices: Devices, arguments: Sequence[Sharding], results: Sequence[Sharding | None]
    ) -> tuple[Any, Any]:
        callbacks: list[Callable[..., Any]] = []
        layout = Layout(len(devices), arguments, results)
        module = lower_module(self.closed, self.name, devices[0].platform, self.donated, callbacks, layout)
        is_free = [r is None for r in results]
        key = str(module), devices, tuple(is_free)
        executable = None if callbacks else _executables.get(key)
        if executable is None:
            executable = compile_partitioned(module, self.closed.out_avals, devices, callbacks, is_free)
            if not callbacks:
                if len(_executables) >= _MOST_TEXTS:
                    del _executables[next(iter(_executables))]
                _executables[key] = executable
        if effects := self.closed.effects:
            return executable, told_of(executable, has_ordered(effects))
        return executable, executable._execute


def _places(values: Sequence[Any]) -> tuple[Sharding | None, ...]:
    """Where the arrays lie that are to stay there."""
    return tuple([v._sharding if type(v) is PlacedArray and v._committed else None for v in values])


def _of_type(aval: ShapedArray) -> Sharding | None:
    """Where a value of this type lies, if the compiler decides along no axis."""
    found = sharding_of_type(aval)
    return None if found is None or found.mesh.auto_axes else found


def _mesh_of(sharding: Sharding) -> Mesh | None:
    return sharding.mesh if isinstance(sharding, NamedSharding) else None


def _text(value: Any) -> str:
    return f"{value.aval.dtype}[{','.join(map(str, value.aval.shape))}]"


def _named(devices: Devices, what: str) -> str:
    return f"{what} and with device ids {[d.id for d in devices]} on platform {devices[0].platform.upper()}"


@dataclass(frozen=True, slots=True)
class _Type:
    aval: ShapedArray


class PlacedRun:
    """What runs a jaxpr none of whose programs is one for the default device, as `compile_jaxpr` gives it.

    It is given buffers of the default device as arrays; no text is made for its calls.
    """

    __slots__ = ("programs",)
    single = None
    has_effects = True

    def __init__(self, programs: PlacedPrograms) -> None:
        self.programs: PlacedPrograms = programs

    def __call__(self, args: Sequence[Any]) -> list[ArrayImpl]:
        """The results for these arrays."""
        return self.programs.run(args)

    def on_buffers(self, buffers: list[Any]) -> list[ArrayImpl]:
        """The results for arrays that these buffers hold."""
        return self.programs.run([ArrayImpl(b) for b in buffers])

    def one(self, buffers: list[Any]) -> ArrayImpl:
        """The result, if it is one."""
        return self.on_buffers(buffers)[0]

    @property
    def executable(self) -> Any:
        """The program for arguments that may be moved to where they have to lie."""
        return self.programs.of_types().executable
