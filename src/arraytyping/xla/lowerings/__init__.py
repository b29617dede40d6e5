"""How each primitive is built of StableHLO operations, by family; importing this fills the primitives' slots."""

from arraytyping.xla.lowerings import arithmetic, calls, choices, contractions, control_flow, indexing, reductions, sorting, structure

__all__ = ["arithmetic", "calls", "choices", "contractions", "control_flow", "indexing", "reductions", "sorting", "structure"]
