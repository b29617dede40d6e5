"""What jax says of loops and branches whose parts do not fit, in our own sentences: the leaf, and both types.

Source: `_check_carry_type` and `_check_branch_outputs` of
https://github.com/jax-ml/jax/tree/main/jax/_src/lax/control_flow.
"""

from __future__ import annotations

import re
from typing import Final

from arraytyping.checker.control_flow_parts import MOST, carry_sentence, more

__all__ = ["control_flow_sentence"]

_CARRY: Final = re.compile(r"^(?P<name>\w+) body function carry input and carry output must have ")
_CARRY_TYPES: Final = re.compile(
    r"the input carry(?: component| at path)?(?P<leaf> \S+)? has type (?P<before>\S+) but the corresponding output "
    r"carry component has type (?P<after>\S+?)(?=[,.;]?(?:\s|$))",
    re.I,
)
_CARRY_TREES: Final = re.compile(
    r"the input carry(?: component| at path)?(?P<leaf> \S+)? is a (?P<before>.+?) but the corresponding component of "
    r"the carry output is a (?P<after>.+?), so (?:their|the) ",
    re.I,
)
_BRANCHES: Final = re.compile(r"^(?P<name>cond|switch) branch(?:es| outputs) must have ")
_BRANCH_TYPES: Final = re.compile(
    r"the output of (?P<one>true_fun|branch ?\d+)(?: at path (?P<leaf>\S+))? has type (?P<before>\S+) but the "
    r"corresponding output of (?P<other>false_fun|branch ?\d+) has type (?P<after>\S+?)(?=[,.;]?(?:\s|$))",
    re.I,
)
_BRANCH_TREES: Final = re.compile(
    r"(?P<one>true_fun|branch ?\d+) output(?: at path (?P<leaf>\S+))? is a (?P<before>.+?) but "
    r"(?P<other>false_fun|branch ?\d+) output(?: at path \S+)? is a (?P<after>.+?), so (?:their|the) "
)
_CONDITION: Final = re.compile(
    r"^cond_fun must return a boolean scalar, but got (?:output type\(s\) \[(?P<types>.*)\]|pytree (?P<tree>.*?)\.?$)"
)
_AVAL: Final = re.compile(r"ShapedArray\((?P<type>[^\s,\[]+\[[\d,]*\])[^)]*\)")
_PREDICATE: Final = re.compile(
    r"^(?:Pred must be a scalar, got (?P<value>.*?) of (?:type <class '(?P<class>\w+)'>|shape (?P<shape>\([\d, ]*\)))"
    r"|Pred type must be either boolean or number, got (?P<other>.*?)\.?$|cond predicate is (?P<none>None))",
    re.S,
)
_INDEX: Final = re.compile(
    r"^(?:Index type must be an integer, got .* as (?P<dtype>\w+)|"
    r"Branch index must be scalar, got .* of shape (?P<shape>\([\d, ]*\)))",
    re.S,
)
_METADATA: Final = re.compile(r"^<class '(?P<class>[\w.]+)'> with pytree metadata (?P<keys>.*)$")
_CHILDREN: Final = re.compile(r"^<class '(?P<class>[\w.]+)'> with (?P<count>\d+) child(?:ren)?$")
_LENGTH: Final = re.compile(r"^(?P<class>\w+) of length (?P<count>\d+)$")
_CLASS: Final = re.compile(r"^<class '(?P<class>[\w.]+)'>$")
_OF_PROGRAM: Final = ("Node", "CallableNode")
"""What stands for instances of the program's classes, which are written as their class."""


def control_flow_sentence(error: BaseException) -> str | None:
    """Our sentence for a loop's carry or the results of branches that do not fit; None for all else."""
    text = str(error).strip()
    for say in (_carry, _branches, _condition, _predicate, _index):
        if (said := say(text)) is not None:
            return f"{type(error).__name__}: {said}"
    return None


def _carry(text: str) -> str | None:
    """A body that gives another carry back than it got."""
    head = _CARRY.match(text)
    if head is None:
        return None
    types = [(_leaf(m["leaf"]), m["before"], m["after"]) for m in _CARRY_TYPES.finditer(text)]
    trees = [(_leaf(m["leaf"]), *_kinds(m["before"], m["after"])) for m in _CARRY_TREES.finditer(text)]
    found, what = (types, "types") if types else (trees, "structure")
    is_counted = any(leaf.startswith("loop_carry[") for leaf, _, _ in found)
    name = "fori_loop" if is_counted else head["name"]
    if not found:
        should = f"the body must give the carry back with the {what} that it got"
        return f"{name}: the carry that goes out is another tree than the one that comes in; {should}"
    return f"{name}: {carry_sentence([(_own(leaf, name), before, after) for leaf, before, after in found], what)}"


def _leaf(text: str | None) -> str:
    """How jax calls a part of the carry, by the name of the body's parameter."""
    return (text or "").strip() or "carry"


def _own(leaf: str, name: str) -> str:
    """The same of a `fori_loop`, which carries its counter and bounds before what the program sees."""
    return re.sub(r"^loop_carry\[\d+\]", "carry", leaf) if name == "fori_loop" else leaf


def _branches(text: str) -> str | None:
    """Branches whose results have other types, or another structure."""
    head = _BRANCHES.match(text)
    if head is None:
        return None
    types = [(m, m["before"], m["after"]) for m in _BRANCH_TYPES.finditer(text)]
    trees = [(m, *_kinds(m["before"], m["after"])) for m in _BRANCH_TREES.finditer(text)]
    found, what = (types, "types") if types else (trees, "structure")
    should = f"all branches must give the same {what}"
    if not found:
        return f"{head['name']}: the branches give different trees; {should}"
    said = [
        f"{_at(m['leaf'])}{_branch(m['one'])} gives {before}, {_branch(m['other'])} {after}"
        for m, before, after in found[:MOST]
    ]
    return f"{head['name']}: {'; '.join(said)}{more(len(found))}; {should}"


def _at(leaf: str | None) -> str:
    return f"at {leaf}, " if leaf else ""


def _branch(name: str) -> str:
    """The true branch, the false one, or one of several by its number."""
    if name.endswith("_fun"):
        return f"the {name.removesuffix('_fun').lower()} branch"
    return f"branch {name.lower().removeprefix('branch').strip()}"


def _kinds(before: str, after: str) -> tuple[str, str]:
    """What jax says of two nodes of trees, in words."""
    one, other = _kind(before), _kind(after)
    return one, "one with other metadata" if other == one else other


def _kind(text: str) -> str:
    if (metadata := _METADATA.match(text)) is not None:
        if metadata["class"].rpartition(".")[2] in _OF_PROGRAM:
            return f"an instance of {metadata['keys']}"
        keyed = f" with the keys {metadata['keys'].strip('()[]').rstrip(',')}"
        return _named(metadata["class"]) + (keyed if metadata["class"] == "dict" else "")
    if (counted := _CHILDREN.match(text) or _LENGTH.match(text)) is not None:
        one = counted["count"] == "1"
        return f"{_named(counted['class'])} of {counted['count']} item{'' if one else 's'}"
    if (plain := _CLASS.match(text)) is not None:
        return _named(plain["class"])
    return "an array" if text == "pytree leaf" else f"a {text}"


def _named(cls: str) -> str:
    name = cls.rpartition(".")[2]
    if name in ("ShapedArray", "Leaf", "ArrayImpl") or name.endswith("Tracer"):
        return "an array"
    if name in _OF_PROGRAM:
        return "an instance of a class of the program"
    if name == "NoneType":
        return "None"
    return f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"


def _condition(text: str) -> str | None:
    """A condition of `while_loop` that gives no scalar of bool."""
    found = _CONDITION.match(text)
    if found is None:
        return None
    types = [m["type"] for m in _AVAL.finditer(found["types"] or "")]
    given = " and ".join(types) if types else "a tree"
    return f"while_loop: the condition must give one bool, bool[], and gives {given}; compare, or use .any() or .all()"


def _predicate(text: str) -> str | None:
    """What is no predicate of `cond`."""
    found = _PREDICATE.match(text)
    if found is None:
        return None
    if found["shape"]:
        given, advice = f"an array of shape {found['shape']}", "use .any() or .all(), or jnp.where for each element"
    elif found["none"]:
        given, advice = "None", "give a bool or an array of rank 0"
    elif found["class"]:
        given, advice = _named(found["class"]), "give a bool or an array of rank 0"
    elif found["other"].startswith("<"):
        given, advice = "a function", "call it"
    else:
        given, advice = found["other"], "give a bool or a number"
    return f"cond: the predicate must be a bool or a number, got {given}; {advice}"


def _index(text: str) -> str | None:
    """What is no index of `switch`."""
    found = _INDEX.match(text)
    if found is None:
        return None
    if found["shape"]:
        return f"switch: the index must be one integer, got an array of shape {found['shape']}; give one of rank 0"
    return f"switch: the index must be an integer, got {found['dtype']}; cast it with .astype(jnp.int32)"
