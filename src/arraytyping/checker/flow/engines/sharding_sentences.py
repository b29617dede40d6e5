"""What jax says of arrays that do not lie as they have to, in our own sentences.

Source: https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html and
https://docs.jax.dev/en/latest/notebooks/shard_map.html#scan-vma.
"""

from __future__ import annotations

import ast
import re
from typing import Final

from arraytyping.semantics.shardings import ShardingError, axes_str, check_fit, no_such_axis, spec_str

__all__ = ["is_of_spec", "sharding_sentence"]

_CARRY: Final = re.compile(
    r"^(?P<kind>\w+): (?P<name>\w+) body.*?The input carry(?: component)? (?P<what>\S+) has type (?P<before>\S+) but "
    r"the corresponding output carry component has type (?P<after>\S+?)[,.]?(?:\s|$)",
    re.S,
)
_PLACES: Final = re.compile(r"@(?:\w+|\([^)]*\))|\{[^}]*\}")
"""What of a type says where an array lies."""
_VARYING: Final = re.compile(r"\{V:\(?([\w,]+)\)?\}")
_BROADCAST: Final = re.compile(
    r"^(?P<kind>\w+): (?P<name>\w+) got incompatible shardings for broadcasting: (?P<specs>\(.*\))\.$"
)
_CONTRACTING: Final = re.compile(
    r"^(?P<kind>\w+): Contracting dimensions are sharded.*lhs_contracting_spec=(?P<left>\(.*?\)) and "
    r"rhs_contracting_spec=(?P<right>\(.*?\))$",
    re.S,
)


_NO_AXIS: Final = re.compile(
    r"^(?P<kind>\w+): Resource axis: (?P<axis>\w+) of (?P<spec>P.*\)) is not found in mesh: (?P<axes>\('.*\))\.?$", re.S
)
_INDIVISIBLE: Final = re.compile(
    r"^(?P<kind>\w+): Sharding spec (?P<entry>\(.*?\)) implies that array axis (?P<number>\d+) is partitioned "
    r"(?P<count>\d+) times, but does not evenly divide the dimension size \d+\. Got shape: (?P<shape>\([\d, ]*\)) and "
    r"sharding .*spec=(?P<spec>P.*\))\)\.?$",
    re.S,
)


def is_of_spec(error: BaseException) -> bool:
    """Whether a spec does not fit its mesh or the shape of the array, wherever that lies."""
    text = f"{type(error).__name__}: {str(error).strip()}"
    return any(pattern.search(text) is not None for pattern in (_NO_AXIS, _INDIVISIBLE))


def sharding_sentence(error: BaseException) -> str | None:
    """Our sentence for a refusal of jax that is about where arrays lie; None where there is none."""
    text = f"{type(error).__name__}: {str(error).strip()}"
    for pattern, say in (
        (_NO_AXIS, _no_axis),
        (_INDIVISIBLE, _indivisible),
        (_CARRY, _carry),
        (_BROADCAST, _broadcast),
        (_CONTRACTING, _contracting),
    ):
        found = pattern.search(text)
        if found is not None and (said := say(found)) is not None:
            return f"{found['kind']}: {said}"
    return None


def _no_axis(found: re.Match[str]) -> str | None:
    """A spec that names an axis which the mesh does not have."""
    axes = re.findall(r"'(\w+)'", found["axes"])
    return no_such_axis(spec_str(found["spec"]), found["axis"], axes)


def _indivisible(found: re.Match[str]) -> str | None:
    """A dimension that the devices along its axes do not divide."""
    axes, shape = ast.literal_eval(found["entry"]), ast.literal_eval(found["shape"])
    sizes = {**dict.fromkeys(axes, 1), axes[0]: int(found["count"])}  # of which the product alone is told
    try:
        check_fit((*[()] * int(found["number"]), axes), sizes, shape, spec_str(found["spec"]), "the array")
    except ShardingError as error:
        return str(error)
    return None


def _carry(found: re.Match[str]) -> str | None:
    """A loop whose carry lies elsewhere after the body than before it."""
    before, after = found["before"], found["after"]
    if _PLACES.sub("", before) != _PLACES.sub("", after):
        return None
    said = f"{found['name']}: the carry {found['what']} is {before} before the body and {after} after it"
    varying = _VARYING.search(after)
    if varying is not None and _VARYING.search(before) is None:
        names = tuple(varying[1].split(","))
        return f"{said}; begin with jax.lax.pcast(..., {names}, to='varying')"
    return f"{said}: put it there before the loop, or back at the end of the body (jax.reshard)"


def _broadcast(found: re.Match[str]) -> str | None:
    """Operands that are cut along different axes in one dimension."""
    specs = _specs(f"({found['specs']},)")
    if specs is None or len(specs) != 2 or len(specs[0]) != len(specs[1]):
        return None
    for number, (one, other) in enumerate(zip(*specs)):
        if one and other and one != other:
            return (
                f"{found['name']}: dimension {number} is cut along {axes_str(one)} in one operand and along "
                f"{axes_str(other)} in the other: bring one of them to the sharding of the other (jax.reshard)"
            )
    twice = [axis for entry in specs[0] for axis in entry if any(axis in e for e in specs[1])]
    if not twice:
        return None
    return (
        f"{found['name']}: the axis {twice[0]!r} cuts one dimension of one operand and another dimension of the other: "
        "bring one of them to the sharding of the other (jax.reshard)"
    )


def _contracting(found: re.Match[str]) -> str | None:
    """A product over a dimension that is cut, so that the result could lie in several ways."""
    specs = _specs(f"({found['left']}, {found['right']})")
    names = sorted({axis for spec in specs or () for entry in spec for axis in entry})
    if not names:
        return None
    return (
        f"the dimension that is summed over is cut along {axes_str(names)}, and the result could lie in several ways: "
        "say in which (out_sharding=P(...))"
    )


def _specs(text: str) -> list[list[tuple[str, ...]]] | None:
    """Specs as jax prints them in its messages."""
    try:
        read = ast.literal_eval(text)
        return [[() if e is None else (e,) if isinstance(e, str) else tuple(e) for e in spec] for spec in read]
    except (ValueError, SyntaxError, TypeError):
        return None
