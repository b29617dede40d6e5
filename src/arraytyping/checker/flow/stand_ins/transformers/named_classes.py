"""Classes of which only the name tells them apart, and instances of which it is not known what else they are."""

from arraytyping import facts

_MADE = {}
_OTHER = facts.reads_only("another class of transformers")


def named(name, base):
    """The class of this name, one each time."""
    if name not in _MADE:
        _MADE[name] = type(name, (base,), {})
    return _MADE[name]


def read(cls):
    """An instance that is read from somewhere: of this class, or of any that derives from it."""
    return object.__new__(type(cls.__name__, (cls, _OTHER), {}))


def __getattr__(name):
    return facts.unknown("transformers.named_classes." + name)
