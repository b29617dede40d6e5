"""What is written in a configuration of omegaconf may stand for what is elsewhere in it: `${model.width}`."""

from arraytyping import facts

from .errors import MissingMandatoryValue


def steps_of(key):
    """The names and indices of which a key such as `model.sizes[2]` is made."""
    return key.replace("[", ".").replace("]", "").split(".")


def resolved(node, value):
    """What a value that is written in a node stands for."""
    if not isinstance(value, str):
        return value
    if value == "???":
        raise MissingMandatoryValue("Missing mandatory value")
    if "${" not in value:
        return value
    if not value.startswith("${") or not value.endswith("}") or value.count("${") != 1:
        return facts.text()
    name = value[2:-1]
    if ":" in name:
        return facts.text() if name.startswith("oc.env:") else facts.unknown("what a resolver of omegaconf gives")
    if name.startswith("."):
        found = node
        name = name[1:]
        while name.startswith("."):
            found = found._above
            name = name[1:]
    else:
        found = node
        while found._above is not None:
            found = found._above
    for part in steps_of(name):
        found = found[int(part)] if hasattr(found, "_of_list") else found[part]
    return found
