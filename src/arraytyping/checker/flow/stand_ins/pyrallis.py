"""`pyrallis`: command lines for dataclasses.

Source: https://eladrich.github.io/pyrallis/.
"""

import copy
import dataclasses
from functools import wraps

from arraytyping import facts


def parse(config_class, config_path=None, args=None):
    if config_path is not None:
        return facts.unknown("what a file of pyrallis says")
    return facts.command_line(config_class, None, args)


def wrap(config_path=None):
    def decorated(function):
        @wraps(function)
        def called(*args, **options):
            if config_path is None and not args and not options:
                return facts.command_line(function)
            facts.call_with_anything(function)
            return facts.unknown("what a function with a command line gives")

        return called

    return decorated


def field(*, default=dataclasses.MISSING, default_factory=dataclasses.MISSING, is_mutable=False, **options):
    if is_mutable and default is not dataclasses.MISSING:
        return dataclasses.field(default_factory=lambda: copy.deepcopy(default))
    if default is not dataclasses.MISSING:
        return dataclasses.field(default=default)
    return dataclasses.field(default_factory=default_factory)


def __getattr__(name):
    return facts.reads_only("pyrallis." + name)
