"""A jaxpr as a StableHLO module.

Every primitive has a rule that builds its operations; a jaxpr inside of a jaxpr (of a jitted function, of a branch
that is shared) becomes a function of the module, built once.  Where callbacks in it are ordered, that function takes
and gives the token which goes from one to the next.

Source: https://openxla.org/stablehlo/spec.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func as func_dialect, stablehlo as hlo

from arraytyping.runtime.effects import has_ordered
from arraytyping.runtime.jaxpr.syntax import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var
from arraytyping.runtime.xla.jaxlib_api import mlir_context
from arraytyping.runtime.xla.types import constant, splat, tensor_type

__all__ = ["ModuleContext", "lower_module"]


class ModuleContext:
    """The module that is being built."""

    def __init__(self, module: Any, platform: str) -> None:
        self.module = module
        self.platform = platform
        self.functions: dict[Any, str] = {}
        self.names: dict[str, int] = {}
        self.kept: list[Any] = []  # what a key's identity belongs to
        self.callbacks: list[Callable[..., Any]] = []
        self.token: Any = None  # of the last ordered callback

    def unique(self, name: str) -> str:
        """A name for one more function."""
        n = self.names[name] = self.names.get(name, -1) + 1
        return f"{name}_{n}" if n else name

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
            return list(rule(self, avals_in, avals_out, *operands, **eqn.params))
        return [rule(self, avals_in, avals_out[0], *operands, **eqn.params)]

    def closed(self, closed: ClosedJaxpr, args: Sequence[Any]) -> list[Any]:
        """Build a jaxpr without constants here."""
        return self.jaxpr(closed.jaxpr, self.constants(closed), args)

    def constants(self, closed: ClosedJaxpr) -> list[Any]:
        """The constants of a jaxpr that a transformation made, written into the program."""
        return [constant(c._value, c.aval.dtype) for c in closed.consts]

    def function_of(self, closed: ClosedJaxpr, name: str) -> str:
        """The name of the function that a jaxpr is, built if it is new."""
        symbol = self.functions.get(id(closed.jaxpr))
        if symbol is None:
            symbol = self.functions[id(closed.jaxpr)] = self.unique(name)
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
        if donated:
            plain = ir.DictAttr.get({})
            donor = ir.DictAttr.get({"jax.buffer_donor": ir.BoolAttr.get(True)})
            first = len(const_avals)
            op.arg_attrs = ir.ArrayAttr.get([donor if i - first in donated else plain for i in range(len(avals))])
        with ir.InsertionPoint(op.add_entry_block()):
            values = list(op.arguments)
            around, self.token = self.token, values.pop(0) if tokens else None
            consts = self.constants(held) if held else values[: len(const_avals)]
            outs = self.jaxpr(jaxpr, consts, values[len(const_avals) :])
            func_dialect.ReturnOp([self.token, *outs] if tokens else outs)
            self.token = around
        return op


def location(eqn: JaxprEqn) -> Any:
    """Where an equation comes from, for the error messages and profiles of XLA."""
    if eqn.source is None:
        return ir.Location.name(eqn.primitive.name)
    scope = f"{eqn.source.scope}/" if eqn.source.scope else ""
    return ir.Location.name(f"{scope}{eqn.primitive.name}", ir.Location.file(eqn.source.file, eqn.source.line, 0))


def lower_module(
    closed: ClosedJaxpr, name: str, platform: str, donated: Sequence[int] = (),
    callbacks: list[Callable[..., Any]] | None = None,
) -> Any:  # fmt: skip
    """The module whose `main` takes the constants and the inputs of a jaxpr; `donated` are inputs to be reused.

    What the program calls back is put into `callbacks`.
    """
    context = mlir_context()
    with context, ir.Location.unknown(context):
        module = ir.Module.create()
        safe = "".join(c if c.isalnum() or c == "_" else "_" for c in name) or "_"
        module.operation.attributes["sym_name"] = ir.StringAttr.get(f"jit_{safe}")
        one = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 1)
        module.operation.attributes["mhlo.num_replicas"] = one
        module.operation.attributes["mhlo.num_partitions"] = one
        cx = ModuleContext(module, platform)
        cx.names["main"] = 0
        with ir.InsertionPoint(module.body):
            cx.function("main", closed.jaxpr, None, "public", donated)
        if callbacks is not None:
            callbacks += cx.callbacks
        return module
