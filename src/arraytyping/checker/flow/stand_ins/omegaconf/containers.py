"""Dicts and lists of omegaconf, whose values may be interpolations of others."""

from collections.abc import Sequence

from arraytyping import facts

from .errors import ConfigAttributeError, ConfigKeyError
from .interpolations import resolved
from .structures import fields_of, is_structure, put_into, types_of


class Container:
    def __getattr__(self, name):
        raise ConfigAttributeError("Missing key")

    def __str__(self):
        return facts.text()

    __repr__ = __str__

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()


def wrapped(value, parent):
    """What is kept of a value: a configuration of a dict, a list or a dataclass."""
    if is_structure(value):
        kind = value if isinstance(value, type) else type(value)
        return DictConfig(fields_of(value), parent=parent, structure=kind)
    if isinstance(value, DictConfig):
        return DictConfig(value._content, parent=parent, structure=value._of_structure)
    if isinstance(value, dict):
        return DictConfig(value, parent=parent)
    if isinstance(value, (list, tuple)):
        return ListConfig(value, parent=parent)
    if isinstance(value, ListConfig):
        return ListConfig(value._content, parent=parent)
    return value


def _plain_items(node, items, resolve):
    made = []
    for value in items:
        kept = resolved(node, value) if resolve else value
        made.append(kept.plain(resolve) if isinstance(kept, Container) else kept)
    return made


class DictConfig(Container):
    def __init__(self, content=None, key=None, parent=None, structure=None, ref_type=None, flags=None, **options):
        put = super().__setattr__
        put("_above", parent)
        put("_of_structure", structure)
        if is_structure(content):
            kind = content if isinstance(content, type) else type(content)
            put("_of_structure", kind)
            content = fields_of(content)
        elif isinstance(content, DictConfig):
            content = content.plain(False)
        structure = self._of_structure
        types = {} if structure is None else types_of(structure)
        put("_types", types)
        made = {}
        put("_content", made)
        for key, value in ({} if content is None else content).items():
            made[key] = wrapped(put_into(types[key], value) if key in types else value, self)

    def __getattr__(self, name):
        if name not in self._content:
            raise ConfigAttributeError("Missing key")
        return resolved(self, self._content[name])

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        del self._content[name]

    def __getitem__(self, name):
        if name not in self._content:
            raise ConfigKeyError("Missing key")
        return resolved(self, self._content[name])

    def __setitem__(self, name, value):
        if name in self._types:
            value = put_into(self._types[name], value)
        self._content[name] = wrapped(value, self)

    def __delitem__(self, name):
        del self._content[name]

    def __contains__(self, name):
        return name in self._content and not self._is_missing(name)

    def _is_missing(self, name):
        value = self._content[name]
        return isinstance(value, str) and value == "???"

    def __iter__(self):
        return iter(self._content)

    def __len__(self):
        return len(self._content)

    def __eq__(self, other):
        if isinstance(other, DictConfig):
            return self.plain(True) == other.plain(True)
        return self.plain(True) == other if isinstance(other, dict) else NotImplemented

    def __hash__(self):
        return hash(str(self))

    def written(self, name):
        """The value as it is written, with its interpolation."""
        return self._content[name]

    def plain(self, resolve):
        return dict(zip(self._content.keys(), _plain_items(self, self._content.values(), resolve)))

    def keys(self):
        return self._content.keys()

    def values(self):
        return [resolved(self, value) for value in self._content.values()]

    def items(self):
        return [(key, resolved(self, value)) for key, value in self._content.items()]

    def items_ex(self, resolve=True, keys=None):
        return self.items()

    def get(self, key, default_value=None):
        return resolved(self, self._content[key]) if key in self else default_value

    def pop(self, key, *default):
        if key in self._content:
            return resolved(self, self._content.pop(key))
        if not default:
            raise ConfigKeyError("Missing key")
        return default[0]

    def setdefault(self, key, default=None):
        if key not in self._content:
            self[key] = default
        return self[key]

    def update(self, *others, **named):
        for other in others:
            for key, value in other.items():
                self[key] = value
        for key, value in named.items():
            self[key] = value

    def merge_with(self, *others):
        for other in others:
            _merge_into(self, wrapped(other, None))

    def copy(self):
        return DictConfig(self._content, structure=self._of_structure)


def _merge_into(one, other):
    for key in other.keys():
        value = other.written(key)
        present = one.written(key) if key in one.keys() else None
        if isinstance(present, DictConfig) and isinstance(value, DictConfig):
            _merge_into(present, value)
        elif isinstance(value, DictConfig) and value._of_structure is None:
            one[key] = value.plain(False)
        elif isinstance(value, str) and value == "???" and key in one.keys():
            pass  # what is missing there stays what it is
        else:
            one[key] = value


class ListConfig(Container, Sequence):
    _of_list = True

    def __init__(self, content, key=None, parent=None, **options):
        self._above = parent
        self._content = []
        for item in content:
            self._content.append(wrapped(item, self))

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ListConfig(_plain_items(self, self._content[index], False), parent=self._above)
        return resolved(self, self._content[index])

    def __setitem__(self, index, value):
        self._content[index] = wrapped(value, self)

    def __delitem__(self, index):
        del self._content[index]

    def __iter__(self):
        return iter([resolved(self, item) for item in self._content])

    def __len__(self):
        return len(self._content)

    def __contains__(self, item):
        return item in [resolved(self, value) for value in self._content]

    def __eq__(self, other):
        if isinstance(other, ListConfig):
            return self.plain(True) == other.plain(True)
        return self.plain(True) == list(other) if isinstance(other, (list, tuple)) else NotImplemented

    def __hash__(self):
        return hash(str(self))

    def __add__(self, other):
        return ListConfig([*self.plain(False), *other])

    def __radd__(self, other):
        return ListConfig([*other, *self.plain(False)])

    def __iadd__(self, other):
        self.extend(other)
        return self

    def written(self, index):
        return self._content[index]

    def plain(self, resolve):
        return _plain_items(self, self._content, resolve)

    def append(self, item):
        self._content.append(wrapped(item, self))

    def extend(self, items):
        for item in items:
            self.append(item)

    def insert(self, index, item):
        self._content.insert(index, wrapped(item, self))

    def pop(self, index=-1):
        return resolved(self, self._content.pop(index))

    def remove(self, item):
        self._content.remove(item)

    def clear(self):
        self._content.clear()

    def index(self, value):
        return self.plain(True).index(value)

    def count(self, value):
        return self.plain(True).count(value)

    def sort(self, key=None, reverse=False):
        self._content.sort(key=key, reverse=reverse)

    def get(self, index, default_value=None):
        return resolved(self, self._content[index])

    def copy(self):
        return ListConfig(self._content)
