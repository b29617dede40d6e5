"""The generator of stubs, `python -m arraytyping.checker.stubgen`: what checkers without a plugin read of the rules.

Reading order: `nodes` (what a stub can say of a dtype), `answers` (the rules, asked for one dtype tuple after
another), `spelling` (types as text) and `overloads` (answers as few overloads, proved to say the same), `surface`
(which names and parameters JAX has), `calls`, `dtype_arguments`, `creation`, `scalar_classes`, `array_class`,
`transformations` (the parts of a stub), `modules`, `packages`, `own_package` (the files) and `__main__`.

The lattice is encoded in nominal classes.  Each scalar type lists what it is an upper bound of and what it is a lower
bound of, as contravariant parameters of two of its bases, `UpperBound` and `LowerBound`; where a join with another is
neither of the two, a base `Joining1`, `Joining2` or `Joining3` names it.  So a binary operator needs an overload for
each of these classes, not for each result.
"""
