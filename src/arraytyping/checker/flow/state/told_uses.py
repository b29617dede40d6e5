"""Arguments of functions that nothing calls, where their uses say what they are: sizes are ints, others are arrays.

An int may be one of NumPy's, since nothing that takes a size tells them apart.
"""

from __future__ import annotations

import ast
from typing import Final

from arraytyping.checker.flow.sources.parameter_uses import uses_of_parameters
from arraytyping.checker.flow.state.fresh_sizes import as_size, some_int
from arraytyping.checker.flow.state.run_slots import Run, RunSlot
from arraytyping.checker.flow.state.unknown_shapes import one_array
from arraytyping.checker.flow.values import FunctionValue, OfNumPy, ScalarValue, Unknown, Value

__all__ = ["OF_FUNCTION", "OF_INSTANCE", "OF_METHOD", "TOLD_NUMBERS", "is_from_nowhere", "told_by_uses"]

OF_METHOD: Final = "an argument of a method that nothing calls"
OF_FUNCTION: Final = "an argument of a function that nothing calls"
OF_INSTANCE: Final = "an attribute of an instance that nothing makes"
_FROM_NOWHERE: Final = frozenset({OF_METHOD, OF_FUNCTION, OF_INSTANCE})
_MOST_NAMES: Final = 6
"""How many ints get names by one parameter: what is called in a loop is followed anew for each."""
_NAMED: Final[RunSlot[dict[ast.arg, int]]] = RunSlot("how many ints a parameter has given names", dict)
TOLD_NUMBERS: Final[RunSlot[bool]] = RunSlot("whether there are numbers that may be Python's or NumPy's", bool)


def is_from_nowhere(value: Value) -> bool:
    """Whether a value is unknown since nothing in the program gives or makes it."""
    return isinstance(value, Unknown) and value.why in _FROM_NOWHERE


def told_by_uses(it: Run, function: FunctionValue, parameter: ast.arg, value: Value) -> Value:
    """The argument as it is known: where it came from nowhere, an array or an int, if it is used as such."""
    if not is_from_nowhere(value):
        return value
    use = uses_of_parameters(function.node, function.frame.module.tree).get(parameter.arg)
    if use == "array":
        return one_array(it)
    if use is None:
        return value
    TOLD_NUMBERS.put(it, True)
    named = _NAMED.of(it)
    named[parameter] = named.get(parameter, 0) + 1
    size = some_int(it, parameter.arg).size if named[parameter] <= _MOST_NAMES else None
    if use == "size" and size is not None:
        size = as_size(size)
    return ScalarValue(int, OfNumPy, size=size)  # `np.prod(x.shape)` is a size as well
