"""`wandb`: what is logged leaves the program, and the configuration of a run is what it was begun with.

In a sweep it is changed; a program that begins one knows nothing of its configuration.

Source: https://docs.wandb.ai/ref/python/.
"""

import argparse

from arraytyping import facts

__version__ = facts.text()
config = facts.reads_only("wandb.config")
run = facts.reads_only("wandb.run")
summary = facts.reads_only("wandb.summary")


_state = {"runs": 0, "is_swept": False}


def _friendly(value):
    """What becomes of a value in a configuration."""
    if isinstance(value, dict):
        return {key: _friendly(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_friendly(each) for each in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return facts.unknown("what wandb makes of a value")


class Config:
    def __init__(self, items):
        object.__setattr__(self, "_items", {})
        self.update(items)

    def __getitem__(self, key):
        return self._items[key] if key in self._items else facts.unknown("wandb.config")

    def __setitem__(self, key, value):
        self._items[key] = _friendly(value)

    __setattr__ = __setitem__

    def __getattr__(self, name):
        return self[name]

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, key):
        return True if key in self._items else facts.boolean()

    def keys(self):
        return list(self._items)

    def items(self):
        return list(self._items.items())

    def as_dict(self):
        return dict(self._items)

    def get(self, key, default=None):
        return self._items[key] if key in self._items else facts.unknown("wandb.config")

    def update(self, items, allow_val_change=None):
        if isinstance(items, argparse.Namespace):
            items = vars(items)
        if not isinstance(items, (dict, Config)):
            object.__setattr__(self, "_items", facts.unknown("wandb.config"))
            return
        for key, value in items.items():
            self._items[key.strip("-")] = _friendly(value)

    def setdefaults(self, items):
        if not isinstance(items, dict):
            object.__setattr__(self, "_items", facts.unknown("wandb.config"))
            return
        for key, value in items.items():
            if key not in self._items:
                self._items[key] = _friendly(value)


def _configuration(given, options):
    is_plain = isinstance(given, (dict, argparse.Namespace)) and not [key for key in options if "config" in key]
    if not is_plain or _state["is_swept"] or _state["runs"] > 0:
        return facts.reads_only("wandb.config")
    return Config(given)


class Run:
    def __init__(self, config):
        self.config = config
        self.summary = facts.reads_only("wandb.summary")
        self.id = facts.text()
        self.name = facts.text()
        self.dir = facts.text()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def log(self, *args, **options):
        return None

    def finish(self, *args, **options):
        finish()

    def __getattr__(self, name):
        return facts.reads_only("an attribute of a run of wandb")


def init(*args, **options):
    global config, run
    given = options.pop("config", None)
    config = facts.reads_only("wandb.config") if args else _configuration(given, options)
    _state["runs"] += 1
    run = Run(config)
    return run


def log(*args, **options):
    return None


save = alert = log


def finish(*args, **options):
    _state["runs"] = 0


def login(*args, **options):
    return facts.boolean()


def sweep(*args, **options):
    _state["is_swept"] = True
    return facts.text()


def agent(sweep_id, function=None, entity=None, project=None, count=None, **options):
    _state["is_swept"] = True
    if function is not None:
        function()


def __getattr__(name):
    return facts.reads_only("wandb." + name)
