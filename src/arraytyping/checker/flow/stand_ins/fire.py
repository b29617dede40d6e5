"""`fire`: a command line for anything.

Source: https://github.com/google/python-fire.
"""

from arraytyping import facts


def Fire(component=None, command=None, name=None, serialize=None):
    return facts.command_line(component)
