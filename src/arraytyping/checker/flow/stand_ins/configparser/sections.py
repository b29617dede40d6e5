"""A section of a configuration of `configparser` as a mapping.

Source: https://docs.python.org/3/library/configparser.html#mapping-protocol-access.
"""


class SectionProxy:
    def __init__(self, parser, name):
        self._parser = parser
        self._name = name

    @property
    def parser(self):
        return self._parser

    @property
    def name(self):
        return self._name

    def __getitem__(self, key):
        if self._parser.is_open:
            self._parser.may_lack(KeyError(key))
        elif not self._parser.has_option(self._name, key):
            raise KeyError(key)
        return self._parser.get(self._name, key)

    def __setitem__(self, key, value):
        self._parser.set(self._name, key, value)

    def __delitem__(self, key):
        if not self._parser.remove_option(self._name, key):
            raise KeyError(key)

    def __contains__(self, key):
        return self._parser.has_option(self._name, key)

    def __len__(self):
        return len(self.keys())

    def __iter__(self):
        return iter(self.keys())

    def keys(self):
        if self._name == self._parser.default_section:
            return list(self._parser.defaults())
        return self._parser.options(self._name)

    def values(self):
        return [self[key] for key in self.keys()]

    def items(self):
        return [(key, self[key]) for key in self.keys()]

    def get(self, option, fallback=None, *, raw=False, vars=None, **options):
        return self._parser.get(self._name, option, raw=raw, vars=vars, fallback=fallback)

    def getint(self, option, fallback=None, **given):
        return self._parser.getint(self._name, option, fallback=fallback, **given)

    def getfloat(self, option, fallback=None, **given):
        return self._parser.getfloat(self._name, option, fallback=fallback, **given)

    def getboolean(self, option, fallback=None, **given):
        return self._parser.getboolean(self._name, option, fallback=fallback, **given)
