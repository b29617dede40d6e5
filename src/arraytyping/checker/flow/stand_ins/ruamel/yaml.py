"""`ruamel.yaml`: it reads YAML 1.2, where `1e-3` is a float and `on` a text, so that nothing is said of what it reads.

Source: https://yaml.dev/doc/ruamel.yaml/.
"""

from arraytyping import facts


class YAML:
    def __init__(self, *args, **options):
        pass

    def load(self, stream):
        return facts.unknown("what ruamel.yaml reads")

    load_all = load

    def dump(self, data, stream=None, **options):
        return None


def __getattr__(name):
    return facts.unknown("ruamel.yaml." + name)
