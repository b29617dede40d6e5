"""`omegaconf`: configurations as dicts whose items are attributes as well.

Source: https://omegaconf.readthedocs.io.
"""

from contextlib import contextmanager

from arraytyping import facts

MISSING = "???"


def _wrapped(value):
    return DictConfig(value) if isinstance(value, dict) else value


class DictConfig:
    def __init__(self, content=None, **options):
        made = {}
        for key, value in (content or {}).items():
            made[key] = _wrapped(value)
        super().__setattr__("_content", made)

    def __getattr__(self, name):
        return self._content.get(name)

    def __setattr__(self, name, value):
        self._content[name] = _wrapped(value)

    def __getitem__(self, name):
        return self._content[name]

    def __setitem__(self, name, value):
        self._content[name] = _wrapped(value)

    def __delitem__(self, name):
        del self._content[name]

    def __contains__(self, name):
        return name in self._content

    def __iter__(self):
        return iter(self._content)

    def __len__(self):
        return len(self._content)

    def keys(self):
        return self._content.keys()

    def values(self):
        return self._content.values()

    def items(self):
        return self._content.items()

    def get(self, name, default=None):
        return self._content.get(name, default)

    def pop(self, name, *default):
        return self._content.pop(name, *default)

    def setdefault(self, name, default=None):
        return self._content.setdefault(name, default)

    def update(self, *others, **named):
        for other in others:
            for key, value in other.items():
                self[key] = value
        for key, value in named.items():
            self[key] = value

    def copy(self):
        return DictConfig(_plain(self))


ListConfig = list


def _plain(value):
    if isinstance(value, DictConfig):
        made = {}
        for key, item in value.items():
            made[key] = _plain(item)
        return made
    return value


def _merged(one, other):
    made = {}
    for key, value in one.items():
        made[key] = value
    for key, value in other.items():
        if isinstance(value, dict) and key in made and isinstance(made[key], dict):
            made[key] = _merged(made[key], value)
        else:
            made[key] = value
    return made


class OmegaConf:
    @staticmethod
    def create(obj=None, parent=None, flags=None):
        return _wrapped({} if obj is None else _plain(obj))

    @staticmethod
    def structured(obj, parent=None, flags=None):
        return facts.unknown("a structured configuration of omegaconf")

    @staticmethod
    def load(file_):
        return _wrapped(facts.read_data(file_))

    @staticmethod
    def to_container(cfg, resolve=False, throw_on_missing=False, enum_to_str=False, structured_config_mode=None):
        return _plain(cfg)

    @staticmethod
    def to_object(cfg):
        return _plain(cfg)

    @staticmethod
    def merge(*configs):
        made = {}
        for one in configs:
            made = _merged(made, _plain(one))
        return DictConfig(made)

    @staticmethod
    def update(cfg, key, value=None, **options):
        if "." in key:
            facts.call_with_anything(cfg)
        cfg[key] = value

    @staticmethod
    def select(cfg, key, default=None, **options):
        found = cfg
        for part in key.split("."):
            if part not in found:
                return default
            found = found[part]
        return found

    @staticmethod
    def to_yaml(cfg, **options):
        return facts.text()

    @staticmethod
    def set_struct(conf, value):
        return None

    @staticmethod
    def set_readonly(conf, value):
        return None

    @staticmethod
    def resolve(cfg):
        return None

    @staticmethod
    def save(config, f, resolve=False):
        return None

    @staticmethod
    def register_new_resolver(name, resolver, **options):
        return None

    @staticmethod
    def is_config(obj):
        return isinstance(obj, DictConfig)

    @staticmethod
    def is_dict(obj):
        return isinstance(obj, DictConfig)

    @staticmethod
    def is_missing(cfg, key):
        return cfg.get(key) == MISSING


@contextmanager
def open_dict(config):
    yield config


@contextmanager
def read_write(config):
    yield config
