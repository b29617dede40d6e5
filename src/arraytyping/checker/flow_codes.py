"""The error codes of what flow reports; importing them imports nothing of flow."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.opt_in_codes import OPT_IN_CODES

__all__ = ["CODES"]

CODES: Final = {
    "array-traced": "a value is asked for that is not there while JAX traces, such as the truth of a tracer",
    "array-annotation": "a value contradicts the annotation of a parameter, return value, variable or field",
    "array-tree": "two pytrees that must have the same structure differ",
    "array-sharding": "an array cannot lie on the devices as the program says, or does not lie as it says",
    "array-key": "a random key is drawn from twice: what is drawn is the same, or hangs together",
    "array-leak": "a tracer is used after its trace, or what changes is a constant of a traced function",
    "array-donated": "an array is used whose buffer was donated to a function",
    "array-call": "JAX or Python refuses a call, an attribute or a key",
    "array-jax-version": "a name of an earlier jax that the installed one has no more",
    "array-index": "a known index is out of the bounds of a known size",
    "array-recompile": "a function is compiled again and again",
    "array-unused": "what a statement computes is dropped, and it does nothing else",
    **OPT_IN_CODES,
}
"""The codes that only flow reports, beside those of the rules."""
