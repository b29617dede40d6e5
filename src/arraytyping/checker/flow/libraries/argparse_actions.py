"""What programs read off a parser of `argparse` besides its methods: its groups, and the options in each.

Source: https://github.com/python/cpython/blob/main/Lib/argparse.py, `_ActionsContainer`.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.libraries.argparse_lines import Declaration, Group
from arraytyping.checker.flow.libraries.command_lines import instance_of, synthetic_class
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import MISSING, ClassValue, InstanceValue, ListValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["actions_of", "attribute_of_action", "attribute_of_group", "groups_of", "note_action"]

_WHY: Final = "the options of a parser that are not all known"


_TITLES: Final = ("positional arguments", "options")
"""The titles of the groups that each parser has."""
_NAMES: Final[RunSlot[dict[int, tuple[InstanceValue, str | None, Call]]]] = RunSlot("the options of argparse", dict)
"""By the address of what stands for an option: that itself, where its value goes, and the call that has added it."""
_HELPS: Final[RunSlot[dict[int, InstanceValue]]] = RunSlot("the option --help of each parser of argparse", dict)


def note_action(it: Interpreter, made: InstanceValue, dest: str | None, call: Call) -> None:
    """An option was added."""
    _NAMES.of(it)[id(made)] = (made, dest, call)


def attribute_of_action(it: Interpreter, action: InstanceValue, name: str, node: ast.AST | None) -> Value:
    """An attribute of an option, as far as it was said where the option was added; MISSING for others."""
    _, dest, call = _NAMES.of(it).get(id(action), (None, None, Call([], {}, None)))
    if name == "dest" and dest is not None:
        return dest
    if name == "option_strings" and dest is not None and all(isinstance(a, str) for a in call.args):
        return ListValue([a for a in map(str, call.args) if a.startswith("-")])
    return MISSING


def actions_of(it: Interpreter, parser: InstanceValue) -> Value:
    """`parser._actions`."""
    declared = _declared(parser)
    if declared is None:
        return it.unknown(_WHY)
    return ListValue([_help(it, parser), *(d.made for d in declared)])


def groups_of(it: Interpreter, parser: InstanceValue, group: ClassValue) -> Value:
    """`parser._action_groups`: those of the parser itself, then those that were added to it."""
    added = parser.attributes.get("groups", ())
    if type(added) is not tuple or _declared(parser) is None:  # parents and subcommands have groups, too
        return it.unknown(_WHY)
    own = [instance_of(group, parser=parser, group=Group(None, False, MISSING), title=title) for title in _TITLES]
    for made, is_positional in zip(own, (True, False), strict=True):
        made.attributes["is positional"] = is_positional
    return ListValue([*own, *(made for made in added if made.attributes["group"].outer is None)])


def attribute_of_group(it: Interpreter, owner: InstanceValue) -> Value:
    """`_group_actions` of a group."""
    parser: Any = owner.attributes.get("parser")
    declared = _declared(parser)
    if declared is None:
        return it.unknown(_WHY)
    is_positional = owner.attributes.get("is positional")
    if is_positional is None:
        return ListValue([d.made for d in declared if d.group is owner.attributes.get("group")])
    own: list[Value] = [d.made for d in declared if d.group is None and _is_positional(d) is is_positional]
    return ListValue(own if is_positional else [_help(it, parser), *own])


def _declared(parser: InstanceValue) -> list[Declaration] | None:
    """The options in order; None where there may be others, or groups within groups."""
    declared = parser.attributes.get("declared")
    settings = parser.attributes.get("settings")
    if type(declared) is not tuple or getattr(settings, "kwargs", {}).keys() & {"parents", "add_help", "prefix_chars"}:
        return None
    found = [d for d in declared if isinstance(d, Declaration) and d.kind != "defaults"]
    if len(found) != sum(not (isinstance(d, Declaration) and d.kind == "defaults") for d in declared):
        return None
    if any(d.kind != "argument" or (d.group is not None and (d.group.excludes or d.group.outer)) for d in found):
        return None
    return found


def _is_positional(declared: Declaration) -> bool:
    return not declared.args or not str(declared.args[0]).startswith("-")


def _help(it: Interpreter, parser: InstanceValue) -> InstanceValue:
    helps = _HELPS.of(it)
    if id(parser) not in helps:
        helps[id(parser)] = instance_of(synthetic_class("Action", attribute_of_action))
        note_action(it, helps[id(parser)], "help", Call(["-h", "--help"], {}, None))
    return helps[id(parser)]
