"""What programs read off a parser of `argparse` besides its methods: its groups, and the options in each.

Source: https://github.com/python/cpython/blob/main/Lib/argparse.py, `_ActionsContainer`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any, Final

from arraytyping.checker.flow.libraries.argparse_lines import Declaration, Group
from arraytyping.checker.flow.libraries.command_lines import instance_of, synthetic_class
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import MISSING, ClassValue, InstanceValue, ListValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["actions_of", "attribute_of_action", "attribute_of_group", "groups_of", "note_action", "note_group"]

_WHY: Final = "the options of a parser that are not all known"


@dataclass
class _Noted:
    """What was said of actions and groups, by the addresses of what stands for them."""

    names: dict[int, tuple[InstanceValue, str | None, Call]] = field(default_factory=dict)
    groups: dict[int, tuple[InstanceValue, list[tuple[InstanceValue, Value]]]] = field(default_factory=dict)
    helps: dict[int, InstanceValue] = field(default_factory=dict)
    """The option `--help` of each parser."""


_NOTED: Final[RunSlot[_Noted]] = RunSlot("the actions and groups of argparse", _Noted)


def note_action(it: Interpreter, made: InstanceValue, dest: str | None, call: Call) -> None:
    """An option was added."""
    _NOTED.of(it).names[id(made)] = (made, dest, call)


def note_group(it: Interpreter, parser: InstanceValue, made: InstanceValue, call: Call) -> None:
    """A group of options was added to a parser."""
    title = call.argument(0, "title", None)
    _NOTED.of(it).groups.setdefault(id(parser), (parser, []))[1].append((made, title))


def attribute_of_action(it: Interpreter, action: InstanceValue, name: str, node: ast.AST | None) -> Value:
    """An attribute of an option, as far as it was said where the option was added; MISSING for others."""
    _, dest, call = _NOTED.of(it).names.get(id(action), (None, None, Call([], {}, None)))
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
    """`parser._action_groups`: those of the parser itself, then those that were added."""
    _, added = _NOTED.of(it).groups.get(id(parser), (parser, []))
    own = [instance_of(group, parser=parser, group=Group(None, False, MISSING)) for _ in range(2)]
    for made, title, is_positional in zip(own, ("positional arguments", "options"), (True, False), strict=True):
        made.attributes |= {"title of its own": title, "is positional": is_positional}
    return ListValue([*own, *(made for made, _ in added)])


def attribute_of_group(it: Interpreter, owner: InstanceValue, name: str) -> Value:
    """`title` or `_group_actions` of a group."""
    parser: Any = owner.attributes.get("parser")
    if name == "title":
        _, added = _NOTED.of(it).groups.get(id(parser), (parser, []))
        titles = {id(made): title for made, title in added}
        return owner.attributes.get("title of its own", titles.get(id(owner), Unknown("the title of a group")))
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
    noted = _NOTED.of(it)
    if id(parser) not in noted.helps:
        made = instance_of(synthetic_class("Action", attribute_of_action))
        noted.helps[id(parser)] = made
        note_action(it, made, "help", Call(["-h", "--help"], {}, None))
    return noted.helps[id(parser)]
