"""`tyro`: a command line for a dataclass or a function.

Source: https://brentyi.github.io/tyro/.
"""

from arraytyping import facts


def cli(f, *, prog=None, description=None, args=None, default=None, **options):
    return facts.command_line(f, default, args)


def __getattr__(name):
    return facts.reads_only("tyro")
