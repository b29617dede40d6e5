"""The dtypes that an operation does not take, as data: which, what to do instead, and what JAX raises."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from arraytyping.scalars import SMALL_FLOATS
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, ANY_INEXACT, NARROW_INTEGER, TINY_INTEGER
from arraytyping.semantics.rules.errors import DtypeError

__all__ = ["BOOL", "COMPLEX", "INEXACT", "NARROW", "NARROW_SIGNED", "SMALL_FLOAT", "TINY", "Refusal", "refuse"]


class Refusal(NamedTuple):
    """Dtypes that are refused, with advice for the message and the exception raised at run time."""

    dtypes: frozenset[str]
    advice: str
    exception: type[Exception] = TypeError

    def raising(self, exception: type[Exception]) -> Refusal:
        """The same refusal by an operation that raises another exception."""
        return self._replace(exception=exception)

    def only(self, *dtypes: str) -> Refusal:
        """The same refusal of these dtypes only."""
        return self._replace(dtypes=frozenset(dtypes))


BOOL: Final = Refusal(frozenset(("bool",)), "make it an integer first, with x.astype(jnp.int32)")
COMPLEX: Final = Refusal(ANY_COMPLEX, "take jnp.real, jnp.imag or jnp.abs of it first")
INEXACT: Final = Refusal(ANY_INEXACT, "it takes bool and integers: convert first, with x.astype(jnp.int32)")
TINY: Final = Refusal(TINY_INTEGER, "1-bit and 2-bit integers have no float: widen it first, with x.astype(jnp.int8)")
NARROW: Final = Refusal(NARROW_INTEGER, "widen it first, with x.astype(jnp.int8)", ValueError)
NARROW_SIGNED: Final = Refusal(frozenset(("int2", "int4")), "widen it first, with x.astype(jnp.int8)")
SMALL_FLOAT: Final = Refusal(frozenset(SMALL_FLOATS), "widen it first, with x.astype(jnp.float32)", NotImplementedError)


def refuse(operation: str, dtype: str | None, refusals: Iterable[Refusal]) -> None:
    """Refuse a dtype that is among the refusals; an unknown one is not.

    Raises:
        DtypeError: naming the operation and the dtype, with the refusal's advice.
    """
    for refusal in refusals:
        if dtype in refusal.dtypes:
            raise DtypeError(f"{operation} does not take {dtype}; {refusal.advice}", refusal.exception)
