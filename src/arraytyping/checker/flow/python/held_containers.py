"""Instances of classes that derive from `dict` or `list`: each holds a container, which the methods are of."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.values import DictValue, FunctionValue, InstanceValue, ListValue, Value

__all__ = ["CONTENTS", "IS_ATTRIBUTES", "aliased_dict", "contents_of", "is_container", "plain_contents"]

CONTENTS: Final = "the contents of a container"
"""In place of an attribute's name: the dict or list that an instance is."""
IS_ATTRIBUTES: Final = "the attributes are the contents"
"""In place of an attribute's name: whether `self.__dict__ = self` was executed."""


def is_container(value: InstanceValue) -> bool:
    """Whether the class of an instance derives from `dict` or `list`."""
    return any(isinstance(base, type) and issubclass(base, dict | list) for base in value.cls.mro)


def contents_of(value: Value) -> DictValue | ListValue | None:
    """The container that an instance is; None if it is none, or nothing is known of it any more."""
    held = value.attributes.get(CONTENTS) if isinstance(value, InstanceValue) else None
    return held if isinstance(held, DictValue | ListValue) else None


def plain_contents(value: InstanceValue) -> DictValue | None:
    """The dict that an instance is, where `dict` and `**` take it for one: where the class does not say how to iterate.

    Source: `PyDict_Merge` of CPython.
    """
    held = contents_of(value)
    return held if isinstance(held, DictValue) and not isinstance(value.cls.find("__iter__"), FunctionValue) else None


def aliased_dict(value: InstanceValue) -> DictValue | None:
    """The dict whose items are the attributes of an instance that is one, as `self.__dict__ = self` makes it."""
    held = contents_of(value) if value.attributes.get(IS_ATTRIBUTES) is True else None
    return held if isinstance(held, DictValue) else None
