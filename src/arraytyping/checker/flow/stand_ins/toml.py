"""`toml`: what configurations of the project hold.

Source: https://pypi.org/project/toml/.
"""

from arraytyping import facts


def load(f, _dict=dict, decoder=None):
    return facts.parsed("toml", open(f) if isinstance(f, str) else f)


def loads(s, _dict=dict, decoder=None):
    return facts.parsed("toml", s)


def dumps(o, encoder=None):
    return facts.text()


def dump(o, f, encoder=None):
    return facts.text()
