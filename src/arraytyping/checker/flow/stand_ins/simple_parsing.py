"""`simple_parsing`: command lines for dataclasses.

Source: https://github.com/lebrice/SimpleParsing.
"""

from arraytyping import facts


def parse(config_class, config_path=None, args=None, default=None, dest="config", **options):
    return facts.command_line(config_class, default, args)


def __getattr__(name):
    return facts.reads_only("simple_parsing")
