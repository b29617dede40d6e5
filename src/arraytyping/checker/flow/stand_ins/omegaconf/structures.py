"""Dataclasses and classes of attrs as configurations: their fields are the keys, and what is put there is converted."""

import dataclasses

from field_values import converted


def is_structure(value):
    return dataclasses.is_dataclass(value)


def fields_of(structure):
    """What the fields hold, by name."""
    instance = structure() if isinstance(structure, type) else structure
    made = {}
    for field in dataclasses.fields(instance):
        made[field.name] = getattr(instance, field.name)
    return made


def types_of(structure):
    made = {}
    for field in dataclasses.fields(structure):
        made[field.name] = field.type
    return made


def put_into(kind, value):
    """What is kept of a value that is put into a field of such a type."""
    if not isinstance(value, (str, int, float)) or (isinstance(value, str) and (value == "???" or "${" in value)):
        return value
    return converted(kind, value)


def to_instances(value):
    """Dicts, lists and instances of the dataclasses that the configuration was made from."""
    if hasattr(value, "_of_structure"):
        made = {}
        for key in value.keys():
            made[key] = to_instances(value[key])
        return made if value._of_structure is None else value._of_structure(**made)
    if hasattr(value, "_of_list"):
        return [to_instances(item) for item in value]
    return value
