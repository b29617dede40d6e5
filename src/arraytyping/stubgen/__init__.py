"""The generator of stubs: `python -m arraytyping.stubgen` writes what checkers without a plugin read of the rules.

Reading order: `nodes` (what a stub can say of a dtype), `answers` (the rules, asked for one dtype tuple after
another), `spelling` (types as text), `tables` and `overloads` (answers as few overloads, proved to say the same),
`surface` (which names and parameters JAX has), `scalar_classes`, `array_class`, `functions`, `creation`,
`transformations` (the parts of a stub), `packages` (the files) and `__main__`.

The lattice is encoded in nominal classes.  For each element r there is a marker `Le_r`, "at most r", and each scalar
type inherits the markers of its upper bounds; a binary operator has one overload for each result, lowest first, so the
first marker that both operands have is their join.
"""
