"""A jaxpr as a StableHLO module.

Every primitive has a rule that builds its operations; a jaxpr inside of a jaxpr (of a jitted function, of a branch
that is shared) becomes a function of the module, built once.  Where callbacks in it are ordered, that function takes
and gives the token which goes from one to the next.

Source: https://openxla.org/stablehlo/spec.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func as func_dialect, sdy, stablehlo as hlo

from arraytyping.runtime.cut_types import CutArray
from arraytyping.runtime.effects import has_ordered
from arraytyping.runtime.jaxpr.syntax import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var
from arraytyping.runtime.sharding import Mesh, NamedSharding, PartitionSpec, Sharding
from arraytyping.runtime.sharding.specs import UNCONSTRAINED
from arraytyping.runtime.varying import Axes
from arraytyping.runtime.xla.jaxlib_api import mlir_context
from arraytyping.runtime.xla.types import constant, splat, tensor_type
from arraytyping.semantics.avals import ShapedArray, static_shape
from arraytyping.semantics.cut_rules import axes_of_entry

__all__ = ["Layout", "ManualMesh", "ModuleContext", "lower_module"]


@dataclass(frozen=True, slots=True)
class Layout:
    """For how many devices a module is, and where the constants and arguments of `main` lie, and its results.

    Where a result lies of which None is said, the compiler decides.
    """

    count: int
    arguments: Sequence[Sharding]
    results: Sequence[Sharding | None]


@dataclass(frozen=True, slots=True)
class ManualMesh:
    """A mesh, and those of its axes over which what is being built is mapped."""

    mesh: Mesh
    axes: Axes

    @property
    def free(self) -> list[Any]:
        """The axes along which the compiler decides, in order."""
        return [name for name in self.mesh.axis_names if name not in self.axes]


class ModuleContext:
    """The module that is being built."""

    def __init__(self, module: Any, platform: str, layout: Layout | None = None) -> None:
        self.module = module
        self.platform = platform
        self.layout = layout
        self.meshes: dict[Any, str] = {}
        self.manual: ManualMesh | None = None
        self.functions: dict[Any, str] = {}
        self.names: dict[str, int] = {}
        self.kept: list[Any] = []  # what a key's identity belongs to
        self.callbacks: list[Callable[..., Any]] = []
        self.token: Any = None  # of the last ordered callback

    def unique(self, name: str) -> str:
        """A name for one more function."""
        n = self.names[name] = self.names.get(name, -1) + 1
        return f"{name}_{n}" if n else name

    @property
    def is_partitioned(self) -> bool:
        """Whether the module is for several devices."""
        return self.layout is not None and self.layout.count > 1

    def mesh(self, mesh: Mesh) -> str:
        """The symbol of a mesh in the module, declared if it is new."""
        key = mesh.shape_tuple
        symbol = self.meshes.get(key)
        if symbol is None:
            symbol = self.meshes[key] = self.unique("mesh")
            axes = [sdy.MeshAxisAttr.get(str(name), size) for name, size in mesh.shape_tuple]
            with ir.InsertionPoint.at_block_begin(self.module.body):
                sdy.MeshOp(symbol, sdy.MeshAttr.get(axes))
        return symbol

    def sharding(
        self, mesh: Mesh, spec: PartitionSpec, ndim: int, is_open: bool = False, whole: Sequence[Any] = ()
    ) -> Any:
        """A spec as an attribute; the compiler may cut dimensions further that are `UNCONSTRAINED`, or all of them.

        Along the axes `whole` it may not.
        """
        dims = []
        for entry in (*spec, *[None] * (ndim - len(spec))):
            names = () if entry is None or entry is UNCONSTRAINED else entry if isinstance(entry, tuple) else (entry,)
            axes = [sdy.AxisRefAttr.get(name) for name in names]
            dims.append(sdy.DimensionShardingAttr.get(axes, is_closed=not is_open and entry is not UNCONSTRAINED))
        replicated = [sdy.AxisRefAttr.get(str(name)) for name in whole]
        return sdy.TensorShardingAttr.get(self.mesh(mesh), dims, replicated_axes=replicated)

    def add_callback(self, function: Callable[..., Any]) -> int:
        """The number of one more function that the program calls back."""
        self.callbacks.append(function)
        return len(self.callbacks) - 1

    def current_token(self) -> Any:
        """What the next ordered callback comes after."""
        if self.token is None:
            self.token = hlo.create_token()
        return self.token

    def jaxpr(self, jaxpr: Jaxpr, consts: Sequence[Any], args: Sequence[Any]) -> list[Any]:
        """Build the operations of a jaxpr here; the values of its results."""
        env: dict[Var, Any] = dict(zip(jaxpr.constvars, consts))
        env.update(zip(jaxpr.invars, args))

        def read(atom: Atom) -> Any:
            return splat(atom.val, atom.aval) if isinstance(atom, Literal) else env[atom]

        for eqn in jaxpr.eqns:
            with location(eqn):
                outs = self.equation(eqn, [read(v) for v in eqn.invars])
            env.update(zip(eqn.outvars, outs))
        return [read(v) for v in jaxpr.outvars]

    def equation(self, eqn: JaxprEqn, operands: Sequence[Any]) -> list[Any]:
        """Build the operations of one equation; the values of its results.

        Raises:
            NotImplementedError: if the primitive has no lowering.
        """
        rule = eqn.primitive.lowering
        if rule is None:
            raise NotImplementedError(f"'{eqn.primitive}' has no lowering to StableHLO")
        avals_in, avals_out = [v.aval for v in eqn.invars], [v.aval for v in eqn.outvars]
        if eqn.primitive.multiple_results:
            outs = list(rule(self, avals_in, avals_out, *operands, **eqn.params))
        else:
            outs = [rule(self, avals_in, avals_out[0], *operands, **eqn.params)]
        return [self.typed(o, a) if type(a) is CutArray else o for o, a in zip(outs, avals_out)]

    def typed(self, value: Any, aval: CutArray) -> Any:
        """A value of whose type the compiler is told how it is cut."""
        if not self.is_partitioned:
            return value
        rank, mesh = len(static_shape(aval)), aval.mesh
        used = {axis for entry in aval.cut for axis in axes_of_entry(entry)}
        whole = [axis for axis in mesh.explicit_axes if axis not in used] if mesh.auto_axes else []
        lies = self.sharding(mesh, PartitionSpec(*aval.cut), rank, is_open=bool(mesh.auto_axes), whole=whole)
        return sdy.sharding_constraint(value, lies)

    def closed(self, closed: ClosedJaxpr, args: Sequence[Any]) -> list[Any]:
        """Build a jaxpr without constants here."""
        return self.jaxpr(closed.jaxpr, self.constants(closed), args)

    def constants(self, closed: ClosedJaxpr) -> list[Any]:
        """The constants of a jaxpr that a transformation made, written into the program."""
        return [constant(c._value, c.aval.dtype) for c in closed.consts]

    def function_of(self, closed: ClosedJaxpr, name: str) -> str:
        """The name of the function that a jaxpr is, built if it is new."""
        key = id(closed.jaxpr), self.manual
        symbol = self.functions.get(key)
        if symbol is None:
            symbol = self.functions[key] = self.unique(name)
            self.kept.append(closed.jaxpr)
            with ir.InsertionPoint(self.module.body):
                self.function(symbol, closed.jaxpr, closed, "private")
        return symbol

    def call(self, closed: ClosedJaxpr, name: str, args: Sequence[Any]) -> list[Any]:
        """Call a jaxpr, as a function that is built once."""
        symbol = self.function_of(closed, name)
        results = [tensor_type(a) for a in closed.out_avals]
        if not has_ordered(closed.effects):
            return list(func_dialect.CallOp(results, ir.FlatSymbolRefAttr.get(symbol), list(args)).results)
        given = [self.current_token(), *args]
        call = func_dialect.CallOp([given[0].type, *results], ir.FlatSymbolRefAttr.get(symbol), given)
        self.token, *outs = call.results
        return list(outs)

    def function(
        self,
        symbol: str,
        jaxpr: Jaxpr,
        held: ClosedJaxpr | None,
        visibility: str,
        donated: Sequence[int] = (),
    ) -> Any:
        """Build a function; its first parameters are the constants, but for those that `held` holds."""
        const_avals = [] if held else [v.aval for v in jaxpr.constvars]
        avals = [*const_avals, *jaxpr.in_avals]
        tokens = [hlo.TokenType.get()] if held and has_ordered(jaxpr.effects) else []
        signature = ir.FunctionType.get(
            [*tokens, *map(tensor_type, avals)], [*tokens, *map(tensor_type, jaxpr.out_avals)]
        )
        op: Any = func_dialect.FuncOp(symbol, signature)
        op.attributes["sym_visibility"] = ir.StringAttr.get(visibility)
        layout = self.layout if visibility == "public" and self.is_partitioned else None
        if donated or layout:
            first = len(const_avals)
            given: list[dict[str, Any]] = [
                {"jax.buffer_donor": ir.BoolAttr.get(True)} if i - first in donated else {} for i in range(len(avals))
            ]
            if layout:
                for attributes, aval, lies in zip(given, avals, layout.arguments, strict=True):
                    attributes.update(self._lies(aval, lies))
                results = [self._lies(aval, lies) for aval, lies in zip(jaxpr.out_avals, layout.results, strict=True)]
                op.result_attrs = ir.ArrayAttr.get([ir.DictAttr.get(r) for r in results])
            op.arg_attrs = ir.ArrayAttr.get([ir.DictAttr.get(attributes) for attributes in given])
        with ir.InsertionPoint(op.add_entry_block()):
            values = list(op.arguments)
            around, self.token = self.token, values.pop(0) if tokens else None
            consts = self.constants(held) if held else values[: len(const_avals)]
            outs = self.jaxpr(jaxpr, consts, values[len(const_avals) :])
            func_dialect.ReturnOp([self.token, *outs] if tokens else outs)
            self.token = around
        return op

    def _lies(self, aval: ShapedArray, lies: Sharding | None) -> dict[str, Any]:
        """The attributes of an argument or result that say where it lies."""
        if not isinstance(lies, NamedSharding):
            return {}
        return {"sdy.sharding": self.sharding(lies.mesh, lies.spec, len(static_shape(aval)))}


def location(eqn: JaxprEqn) -> Any:
    """Where an equation comes from, for the error messages and profiles of XLA."""
    if eqn.source is None:
        return ir.Location.name(eqn.primitive.name)
    scope = f"{eqn.source.scope}/" if eqn.source.scope else ""
    return ir.Location.name(f"{scope}{eqn.primitive.name}", ir.Location.file(eqn.source.file, eqn.source.line, 0))


def lower_module(
    closed: ClosedJaxpr, name: str, platform: str, donated: Sequence[int] = (),
    callbacks: list[Callable[..., Any]] | None = None, layout: Layout | None = None,
) -> Any:  # fmt: skip
    """The module whose `main` takes the constants and the inputs of a jaxpr; `donated` are inputs to be reused.

    What the program calls back is put into `callbacks`.  Without a `layout` it is for one device.
    """
    context = mlir_context()
    with context, ir.Location.unknown(context):
        module = ir.Module.create()
        safe = "".join(c if c.isalnum() or c == "_" else "_" for c in name) or "_"
        module.operation.attributes["sym_name"] = ir.StringAttr.get(f"jit_{safe}")
        i32 = ir.IntegerType.get_signless(32)
        count = 1 if layout is None else layout.count
        module.operation.attributes["mhlo.num_replicas"] = ir.IntegerAttr.get(i32, 1)
        module.operation.attributes["mhlo.num_partitions"] = ir.IntegerAttr.get(i32, count)
        cx = ModuleContext(module, platform, layout)
        cx.names["main"] = 0
        with ir.InsertionPoint(module.body):
            cx.function("main", closed.jaxpr, None, "public", donated)
        if callbacks is not None:
            callbacks += cx.callbacks
        return module
