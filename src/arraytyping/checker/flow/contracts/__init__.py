"""Contracts: an annotation says what a value is, and a value that contradicts it for certain is a mistake.

Reading order: `expectations` (what an annotation asks for), `grammar` (jaxtyping's dimension strings), `reading` (from
an annotation's syntax to what it asks for), `bindings` (the sizes that names have in one call), `symbolic` (sizes
such as `n+1`), `dimensions` (a shape against dimensions), `arrays` (a value against an array), `matching` (a value
against an expectation), `checking` (the mistakes), `entries` (arguments made from annotations).
"""

from arraytyping.checker.flow.contracts.checking import check_annotation
from arraytyping.checker.flow.contracts.entries import symbolic_arguments

__all__ = ["check_annotation", "symbolic_arguments"]
