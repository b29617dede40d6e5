"""`ml_collections`: configurations as dicts whose items are attributes as well.

Source: https://ml-collections.readthedocs.io.
"""

from contextlib import contextmanager

from arraytyping import facts


def _wrapped(value):
    if isinstance(value, FieldReference):
        return value
    return ConfigDict(value) if isinstance(value, dict) else value


def _read(value):
    return value.get() if isinstance(value, FieldReference) else value


class ConfigDict:
    def __init__(self, initial_dictionary=None, type_safe=True, convert_dict=True, **options):
        super().__setattr__("_fields", {})
        for key, value in (initial_dictionary or {}).items():
            self._fields[key] = _wrapped(value)

    def __getattr__(self, name):
        if name not in self._fields:
            raise AttributeError(name)
        return _read(self._fields[name])

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        del self._fields[name]

    def __getitem__(self, name):
        found = self
        for part in name.split("."):
            found = _read(found._fields[part])
        return found

    def __setitem__(self, name, value):
        before = self._fields.get(name)
        if isinstance(before, FieldReference) and not isinstance(value, FieldReference):
            before.set(value)
        else:
            self._fields[name] = _wrapped(value)

    def __delitem__(self, name):
        del self._fields[name]

    def __contains__(self, name):
        return name in self._fields

    def __iter__(self):
        return iter(self._fields)

    def __len__(self):
        return len(self._fields)

    def keys(self, **options):
        return self._fields.keys()

    def values(self, **options):
        return [_read(value) for value in self._fields.values()]

    def items(self, **options):
        return [(key, _read(value)) for key, value in self._fields.items()]

    iteritems = items

    def get(self, name, default=None):
        return _read(self._fields.get(name, default))

    def get_ref(self, name):
        return _read(self._fields[name])

    def get_oneway_ref(self, name):
        return _read(self._fields[name])

    def pop(self, name, *default):
        return _read(self._fields.pop(name, *default))

    def setdefault(self, name, default=None):
        return _read(self._fields.setdefault(name, default))

    def update(self, *others, **named):
        for other in others:
            for key, value in other.items():
                self._update_one(key, value)
        for key, value in named.items():
            self._update_one(key, value)

    def _update_one(self, key, value):
        if isinstance(value, (dict, ConfigDict)) and isinstance(self._fields.get(key), ConfigDict):
            self._fields[key].update(value)
        else:
            self[key] = value

    def update_from_flattened_dict(self, flattened_dict, strip_prefix=""):
        for key, value in flattened_dict.items():
            place = self
            parts = key.removeprefix(strip_prefix).split(".")
            for part in parts[:-1]:
                place = place[part]
            place[parts[-1]] = value

    def to_dict(self, **options):
        made = {}
        for key, value in self._fields.items():
            made[key] = value.to_dict() if isinstance(value, ConfigDict) else _read(value)
        return made

    def copy_and_resolve_references(self, **options):
        return ConfigDict(self.to_dict())

    def copy(self):
        return ConfigDict(self.to_dict())

    def lock(self):
        return self

    def unlock(self):
        return self

    @contextmanager
    def unlocked(self):
        yield self

    @contextmanager
    def ignore_type(self):
        yield self

    def is_locked(self):
        return facts.boolean()

    def to_yaml(self, **options):
        return facts.text()

    def to_json(self, *args, **options):
        return facts.text()

    to_json_best_effort = to_json

    def eq_as_configdict(self, other):
        return facts.boolean()


class FrozenConfigDict(ConfigDict):
    def as_configdict(self):
        return ConfigDict(self.to_dict())


class FieldReference:
    def __init__(self, default, field_type=None, **options):
        self._value, self._made = default, None

    def get(self):
        return self._value if self._made is None else self._made()

    def set(self, value, **options):
        self._value, self._made = _read(value), None

    def __add__(self, other):
        return _computed(lambda: self.get() + _read(other))

    def __radd__(self, other):
        return _computed(lambda: other + self.get())

    def __sub__(self, other):
        return _computed(lambda: self.get() - _read(other))

    def __rsub__(self, other):
        return _computed(lambda: other - self.get())

    def __mul__(self, other):
        return _computed(lambda: self.get() * _read(other))

    def __rmul__(self, other):
        return _computed(lambda: other * self.get())

    def __truediv__(self, other):
        return _computed(lambda: self.get() / _read(other))

    def __rtruediv__(self, other):
        return _computed(lambda: other / self.get())

    def __floordiv__(self, other):
        return _computed(lambda: self.get() // _read(other))

    def __pow__(self, other):
        return _computed(lambda: self.get() ** _read(other))

    def __getattr__(self, name):
        return facts.unknown("attribute " + name + " of a reference to a field")


def _computed(made):
    """What is computed of references, whenever it is asked for."""
    reference = FieldReference(None)
    reference._made = made
    return reference


def placeholder(field_type, required=False):
    return None


def required_placeholder(field_type):
    return None
