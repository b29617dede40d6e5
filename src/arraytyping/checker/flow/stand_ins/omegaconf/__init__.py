"""`omegaconf`: configurations as dicts whose items are attributes as well.

Source: https://omegaconf.readthedocs.io.
"""

from contextlib import contextmanager

from arraytyping import facts

from .containers import Container, DictConfig, ListConfig, wrapped
from .errors import (
    ConfigAttributeError, ConfigKeyError, MissingMandatoryValue, OmegaConfBaseException, ReadonlyConfigError,
    ValidationError,
)  # fmt: skip
from .interpolations import resolved, steps_of
from .structures import to_instances

MISSING = "???"


def II(interpolation):
    return "${" + interpolation + "}"


def SI(interpolation):
    return interpolation


def _plain(value, resolve=False):
    """Dicts and lists, with interpolations as they are written."""
    if isinstance(value, Container):
        return value.plain(resolve)
    return value


def _source(value):
    """The content of what a configuration is made from."""
    return value if isinstance(value, Container) else wrapped(value, None)


def _put(config, key, value):
    *above, last = steps_of(key)
    for part in above:
        if isinstance(config, ListConfig):
            config = config[int(part)]
            continue
        if not isinstance(config.get(part), Container):
            config[part] = {}
        config = config[part]
    if isinstance(config, ListConfig):
        config[int(last)] = value
    else:
        config[last] = value


class OmegaConf:
    @staticmethod
    def create(obj=None, parent=None, flags=None):
        if isinstance(obj, str):
            obj = facts.parsed("omegaconf", obj)
        return wrapped({} if obj is None else _plain(obj), None)

    @staticmethod
    def structured(obj, parent=None, flags=None):
        return wrapped(obj, None)

    @staticmethod
    def load(file_):
        if hasattr(file_, "read"):
            return wrapped(facts.parsed("omegaconf", file_), None)
        return wrapped(facts.read_data(file_, "omegaconf"), None)

    @staticmethod
    def save(config, f, resolve=False):
        return None

    @staticmethod
    def from_dotlist(dotlist):
        if not facts.is_known(dotlist):
            return facts.unknown("a configuration of words that are not known")
        made = DictConfig({})
        for word in dotlist:
            key, equals, value = word.partition("=")
            _put(made, key, facts.parsed("omegaconf", value) if equals else None)
        return made

    @staticmethod
    def from_cli(args_list=None):
        return OmegaConf.from_dotlist(facts.words() if args_list is None else args_list)

    @staticmethod
    def to_container(cfg, resolve=False, throw_on_missing=False, enum_to_str=False, structured_config_mode=None):
        if structured_config_mode is not None:
            return facts.unknown("a container of omegaconf with instances")
        return _plain(cfg, resolve)

    @staticmethod
    def to_object(cfg):
        return to_instances(cfg)

    @staticmethod
    def merge(*configs):
        first = _source(configs[0])
        made = first.copy()
        for other in configs[1:]:
            other = _source(other)
            if isinstance(other, ListConfig):
                made = other.copy()
            else:
                made.merge_with(other)
        return made

    unsafe_merge = merge

    @staticmethod
    def update(cfg, key, value=None, merge=True, force_add=False):
        present = OmegaConf.select(cfg, key)
        if merge and isinstance(present, DictConfig) and isinstance(value, (dict, DictConfig)):
            present.merge_with(value)
        else:
            _put(cfg, key, value)

    @staticmethod
    def select(cfg, key, default=None, throw_on_resolution_failure=True, throw_on_missing=False):
        found = cfg
        for part in steps_of(key):
            if isinstance(found, ListConfig):
                found = found[int(part)]
            elif isinstance(found, DictConfig) and part in found:
                found = found[part]
            else:
                return default
        return found

    @staticmethod
    def to_yaml(cfg, resolve=False, sort_keys=False):
        return facts.text()

    @staticmethod
    def resolve(cfg):
        for key in list(cfg.keys() if isinstance(cfg, DictConfig) else range(len(cfg))):
            value = cfg.written(key)
            if isinstance(value, Container):
                OmegaConf.resolve(value)
            else:
                cfg[key] = resolved(cfg, value)

    @staticmethod
    def missing_keys(cfg):
        return facts.unknown("which keys of a configuration are missing")

    @staticmethod
    def is_missing(cfg, key):
        value = cfg.written(key)
        return isinstance(value, str) and value == MISSING

    @staticmethod
    def is_interpolation(node, key=None):
        value = node.written(key)
        return isinstance(value, str) and "${" in value

    @staticmethod
    def is_config(obj):
        return isinstance(obj, Container)

    @staticmethod
    def is_dict(obj):
        return isinstance(obj, DictConfig)

    @staticmethod
    def is_list(obj):
        return isinstance(obj, ListConfig)

    @staticmethod
    def get_type(obj, key=None):
        return facts.unknown("the type of a node of omegaconf")

    @staticmethod
    def masked_copy(conf, keys):
        made = {}
        for key in [keys] if isinstance(keys, str) else keys:
            made[key] = _plain(conf.written(key))
        return DictConfig(made)

    @staticmethod
    def register_new_resolver(name, resolver, *, replace=False, use_cache=False):
        facts.call_with_anything(resolver)

    register_resolver = legacy_register_resolver = register_new_resolver

    @staticmethod
    def has_resolver(name):
        return facts.boolean()

    @staticmethod
    def clear_resolvers():
        return None

    @staticmethod
    def set_struct(conf, value):
        return None

    set_readonly = set_struct

    @staticmethod
    def is_struct(conf):
        return facts.boolean()

    is_readonly = is_struct


@contextmanager
def open_dict(config):
    yield config


@contextmanager
def read_write(config):
    yield config


@contextmanager
def flag_override(config, names, values):
    yield config
