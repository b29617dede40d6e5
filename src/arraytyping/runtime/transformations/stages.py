"""The stages of a jitted function before it runs: traced, lowered to StableHLO, compiled.

Source: https://docs.jax.dev/en/latest/aot.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from arraytyping.runtime import tree
from arraytyping.runtime.core import EVAL, Tracer
from arraytyping.runtime.jaxpr.syntax import ClosedJaxpr
from arraytyping.runtime.shape_dtype_struct import struct_of
from arraytyping.runtime.transformations.arguments import arrays_of, described_argument
from arraytyping.runtime.transformations.jit_programs import Program
from arraytyping.semantics.avals import ShapedArray

__all__ = ["Compiled", "Lowered", "Traced"]


@dataclass(frozen=True)
class _Call:
    """What a kind of call is, whatever stage it is at."""

    function: Callable[..., Any]
    fun_name: str
    closed: ClosedJaxpr
    program: Program
    in_tree: Any
    out_tree: Any
    donated: tuple[int, ...]
    finish: Callable[[Sequence[Any]], Any]
    split: Callable[[Any, Any], Any]
    """The arguments of a call, which are those that are not static, as the tree has them."""

    @property
    def out_info(self) -> Any:
        """What the result looks like, in its tree."""
        return self.finish(list(map(struct_of, self.closed.out_avals)))

    @property
    def args_info(self) -> Any:
        """What the arguments look like, in the tree of positional and keyword arguments."""
        return tree.unflatten(self.in_tree, list(map(struct_of, self.closed.in_avals)))

    @property
    def in_avals(self) -> Any:
        """The abstract values of the arguments, in the tree of positional and keyword arguments."""
        return tree.unflatten(self.in_tree, self.closed.in_avals)

    @property
    def donate_argnums(self) -> tuple[int, ...]:
        """The numbers of the arrays that are given away."""
        return self.donated


@dataclass(frozen=True)
class Traced(_Call):
    """A function traced for one kind of arguments."""

    @property
    def jaxpr(self) -> ClosedJaxpr:
        """Its jaxpr."""
        return self.closed

    def lower(self) -> Lowered:
        """The function as StableHLO."""
        return Lowered(**vars(self))


@dataclass(frozen=True)
class Lowered(_Call):
    """A function as a StableHLO module."""

    def compiler_ir(self, dialect: str | None = None) -> Any:
        """The module; for the dialect "hlo" the computation that XLA makes of it, before it is optimized.

        Raises:
            ValueError: for another dialect.
        """
        if dialect not in (None, "stablehlo", "hlo"):
            raise ValueError(f"a function is lowered to the dialects stablehlo and hlo, got {dialect!r}")
        program = self.program
        module = EVAL.lower(program.closed, self.fun_name, program.donated, program.in_shardings, program.out_shardings)
        return EVAL.hlo_of(module) if dialect == "hlo" else module

    def as_text(self, dialect: str | None = None, *, debug_info: bool = False) -> str:
        """The module as text, with the lines of the program where `debug_info` holds; raises as `compiler_ir`."""
        if dialect == "hlo":
            return EVAL.hlo_text(self.compiler_ir(), debug_info)
        module = self.compiler_ir(dialect)
        text: str = module.operation.get_asm(enable_debug_info=debug_info)
        return text

    def cost_analysis(self) -> dict[str, float]:
        """What XLA thinks that it costs: operations, bytes."""
        return self.compile().cost_analysis()

    def compile(self) -> Compiled:
        """The function as a program for the default device.

        Raises:
            NotImplementedError: if XLA cannot compute with a dtype in it.
        """
        return Compiled(**vars(self), run=self.program.compiled(self.fun_name))


@dataclass(frozen=True)
class Compiled(_Call):
    """A function as a program, for arguments of the types for which it was made alone."""

    run: Any

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function's result for the arguments that are not static.

        Raises:
            TypeError: for arguments of another structure or of other types.
        """
        found, in_tree = tree.flatten_as_given(self.split(args, kwargs))
        if in_tree != self.in_tree:
            raise TypeError(
                "Function compiled with input pytree does not match the input pytree it was called with: "
                f"{self.fun_name} takes {self.in_tree}, got {in_tree}"
            )

        def described(i: int) -> str:
            return described_argument(self.function, in_tree.paths()[i])

        leaves = arrays_of(found, self.function, described)
        wrong = [
            f"Argument {described(i)!r} compiled with {aval} and called with {leaf.aval}"
            for i, (leaf, aval) in enumerate(zip(leaves, self.closed.in_avals))
            if not _fits(leaf.aval, aval)
        ]
        if wrong:
            raise TypeError(
                f"Argument types differ from the types for which {self.fun_name} was compiled. The mismatches are:\n"
                + "\n".join(wrong)
            )
        if (tracer := next((leaf for leaf in leaves if isinstance(leaf, Tracer)), None)) is not None:
            raise TypeError(
                "Cannot apply JAX transformations to a function lowered and compiled for a particular signature. "
                f"Detected argument of Tracer type {type(tracer).__name__}; transform {self.fun_name} before it is "
                "lowered"
            )
        return self.finish(self.run(self.program.taken(leaves)))

    @property
    def input_shardings(self) -> Any:
        """Where the arguments lie that the program takes, in their tree; None for one that it does not take."""
        given = iter(self._lying()[0])
        kept = set(self.program.kept)
        lies = [next(given) if i in kept else None for i in range(len(self.closed.in_avals))]
        return tree.unflatten(self.in_tree, lies)

    @property
    def output_shardings(self) -> Any:
        """Where the results lie, in their tree."""
        return self.finish(self._lying()[1])

    def _lying(self) -> tuple[Sequence[Any], Sequence[Any]]:
        return EVAL.lying(self.program.closed, self.fun_name, self.program.in_shardings, self.program.out_shardings)

    def as_text(self) -> str:
        """The optimized HLO, as XLA prints it."""
        text: str = self.run.executable.text()
        return text

    def cost_analysis(self) -> dict[str, float]:
        """What XLA thinks that it costs: operations, bytes."""
        found: dict[str, float] = self.run.executable.cost_analysis()
        return found

    def memory_analysis(self) -> Any:
        """The bytes of arguments, results, temporary values and code."""
        return self.run.executable.memory_analysis()


def _fits(given: ShapedArray, wanted: ShapedArray) -> bool:
    return given.shape == wanted.shape and given.dtype == wanted.dtype
