"""What the types of fields make of values that are put there.

Sources: https://omegaconf.readthedocs.io/en/2.3_branch/structured_config.html and
https://docs.pydantic.dev/latest/concepts/conversion_table/.
"""

from typing import Any, Optional

from arraytyping import facts

_ANY = (Any, "Any", "typing.Any")
_FLOAT = (float, "float", Optional[float], "Optional[float]", "float | None")
_SIMPLE = (
    (int, (int, "int", Optional[int], "Optional[int]", "int | None")),
    (str, (str, "str", Optional[str], "Optional[str]", "str | None")),
    (bool, (bool, "bool", Optional[bool], "Optional[bool]", "bool | None")),
)


def converted(kind, value):
    """A value as a field of such a type holds it; not known where it is converted otherwise than from int to float."""
    if kind in _ANY:
        return value
    if kind in _FLOAT:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return float(value) if is_number else facts.unknown("what a field makes of a value for a float")
    for wanted, kinds in _SIMPLE:
        if kind in kinds:
            is_kept = isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))
            return value if is_kept else facts.unknown("what a field makes of a value of another type")
    return facts.unknown("what a field of such a type makes of a value")
