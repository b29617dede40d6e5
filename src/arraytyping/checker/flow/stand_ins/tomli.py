"""`tomli`: what configurations of the project hold.

Source: https://pypi.org/project/tomli/.
"""

from arraytyping import facts


def load(fp):
    return facts.parsed("toml", fp)


def loads(s):
    return facts.parsed("toml", s)
