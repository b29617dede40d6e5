"""`configparser`: INI files of the project, and what else is put into a configuration.

What is read and not known may hold any section and option: then their values are texts.

Source: https://docs.python.org/3/library/configparser.html.
"""

from arraytyping import facts

from .errors import (
    DuplicateOptionError, DuplicateSectionError, Error, InterpolationDepthError, InterpolationError,
    InterpolationMissingOptionError, InterpolationSyntaxError, MissingSectionHeaderError, NoOptionError,
    NoSectionError, ParsingError,
)  # fmt: skip
from .interpolations import BasicInterpolation, ExtendedInterpolation, Interpolation, LegacyInterpolation
from .sections import SectionProxy

DEFAULTSECT = "DEFAULT"
MAX_INTERPOLATION_DEPTH = 10
_UNSET = object()
_SYNTAX = ("allow_no_value", "delimiters", "comment_prefixes", "inline_comment_prefixes", "empty_lines_in_values")


class RawConfigParser:
    BOOLEAN_STATES = {
        "1": True, "yes": True, "true": True, "on": True, "0": False, "no": False, "false": False, "off": False,
    }  # fmt: skip
    _interpolation = Interpolation()

    def __init__(self, defaults=None, dict_type=dict, default_section=DEFAULTSECT, interpolation=_UNSET, **options):
        self.default_section = default_section
        if interpolation is None:
            self._interpolation = Interpolation()
        elif interpolation is not _UNSET:
            self._interpolation = interpolation
        self._has_own_syntax = not all([options.get(name) is None for name in _SYNTAX if name in options])
        self._may_lack_values = bool(options.get("allow_no_value", False))
        self.is_open = False
        self._defaults = {}
        self._sections = {}
        if defaults is not None:
            self._put(default_section, defaults.items())

    def optionxform(self, optionstr):
        return optionstr.lower()

    def defaults(self):
        return self._defaults if not self.is_open else facts.unknown("the defaults of a configuration")

    # what is read

    def _put(self, section, items):
        values = self._defaults
        if section != self.default_section:
            values = self._sections.setdefault(section, {})
        for option, value in items:
            values[self.optionxform(option)] = value

    def _take(self, read):
        if self._has_own_syntax or not facts.is_known(read):
            self.is_open = True
            self._defaults.clear()
            self._sections.clear()
        else:
            for section, items in read:
                self._put(section, items)

    def read(self, filenames, encoding=None):
        for name in [filenames] if isinstance(filenames, str) or not hasattr(filenames, "__iter__") else filenames:
            self._take(facts.parsed("ini", facts.file_text(name)))
        return facts.many(facts.text())

    def read_file(self, f, source=None):
        self._take(facts.parsed("ini", f))

    def read_string(self, string, source="<string>"):
        self._take(facts.parsed("ini", string))

    def read_dict(self, dictionary, source="<dict>"):
        for section, items in dictionary.items():
            self._put(section, [(str(key), None if value is None else str(value)) for key, value in items.items()])

    # what is in it

    def values_of(self, section):
        """The options of a section as they are written, and the defaults; unknown if there may be others."""
        if self.is_open:
            return facts.unknown("what a configuration holds")
        if section == self.default_section:
            return dict(self._defaults)
        if section not in self._sections:
            raise NoSectionError(section)
        return {**self._defaults, **self._sections[section]}

    def get(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        option = self.optionxform(option)
        if self.is_open:
            return self._found_if_open(section, option, fallback)
        try:
            values = self.values_of(section)
        except NoSectionError:
            if fallback is _UNSET:
                raise
            return fallback
        if vars is not None:
            values.update({self.optionxform(key): str(value) for key, value in vars.items()})
        if option not in values:
            if fallback is _UNSET:
                raise NoOptionError(option, section)
            return fallback
        value = values[option]
        return value if raw or value is None else self._interpolation.before_get(self, section, option, value, values)

    def _found_if_open(self, section, option, fallback):
        own = self._defaults if section == self.default_section else self._sections.get(section, {})
        if option in own and facts.is_known(own[option]) and "%" not in own[option] and "$" not in own[option]:
            return own[option]
        if fallback is _UNSET:
            self.may_lack(NoOptionError(option, section))
        texts = [facts.text(), None] if self._may_lack_values else [facts.text()]
        return facts.one_of(*texts) if fallback is _UNSET else facts.one_of(*texts, fallback)

    def may_lack(self, error):
        if self.is_open and facts.boolean():
            raise error

    def _converted(self, convert, section, option, given):
        fallback = given.pop("fallback", _UNSET)
        if fallback is not _UNSET:
            if self.is_open:
                return facts.one_of(convert(facts.text()), fallback)
            if not self.has_option(section, option):
                return fallback
        return convert(self.get(section, option, **given))

    def getint(self, section, option, **given):
        return self._converted(int, section, option, given)

    def getfloat(self, section, option, **given):
        return self._converted(float, section, option, given)

    def getboolean(self, section, option, **given):
        return self._converted(self._convert_to_boolean, section, option, given)

    def _convert_to_boolean(self, value):
        if not facts.is_known(value):
            return facts.boolean()
        if value.lower() not in self.BOOLEAN_STATES:
            raise ValueError("Not a boolean: " + value)
        return self.BOOLEAN_STATES[value.lower()]

    def sections(self):
        return facts.many(facts.text()) if self.is_open else list(self._sections)

    def options(self, section):
        if self.is_open:
            return facts.many(facts.text())
        if section not in self._sections:
            raise NoSectionError(section)
        return list({**self._sections[section], **self._defaults})

    def items(self, section=_UNSET, raw=False, vars=None):
        if section is _UNSET:
            return [(name, self[name]) for name in self]
        if self.is_open or vars is not None:
            return facts.many((facts.text(), facts.text()))
        return [(option, self.get(section, option, raw=raw)) for option in self.values_of(section)]

    def has_section(self, section):
        return section in self._sections or (self.is_open and facts.boolean())

    def has_option(self, section, option):
        if self.is_open:
            return facts.boolean()
        if not section or section == self.default_section:
            return self.optionxform(option) in self._defaults
        return section in self._sections and self.optionxform(option) in self.values_of(section)

    # what is put there

    def add_section(self, section):
        if section in self._sections:
            raise DuplicateSectionError(section)
        self._sections[section] = {}

    def set(self, section, option, value=None):
        if section and section != self.default_section and not self.is_open and section not in self._sections:
            raise NoSectionError(section)
        self._put(section or self.default_section, [(option, value)])

    def remove_option(self, section, option):
        values = self._defaults if section == self.default_section else self._sections.get(section, {})
        return values.pop(self.optionxform(option), None) is not None or (self.is_open and facts.boolean())

    def remove_section(self, section):
        return self._sections.pop(section, None) is not None or (self.is_open and facts.boolean())

    def clear(self):
        self._sections.clear()

    def write(self, fp, space_around_delimiters=True):
        return None

    # as a mapping

    def __getitem__(self, key):
        if not self.is_open and key != self.default_section and key not in self._sections:
            raise KeyError(key)
        if key != self.default_section and key not in self._sections:
            self.may_lack(KeyError(key))
        return SectionProxy(self, key)

    def __setitem__(self, key, value):
        if key == self.default_section:
            self._defaults.clear()
        else:
            self._sections[key] = {}
        self.read_dict({key: value})

    def __delitem__(self, key):
        del self._sections[key]

    def __contains__(self, key):
        return key == self.default_section or self.has_section(key)

    def __len__(self):
        return facts.integer() if self.is_open else len(self._sections) + 1

    def __iter__(self):
        return iter([self.default_section, *self.sections()])

    def keys(self):
        return [self.default_section, *self.sections()]

    def values(self):
        return [self[name] for name in self]


class ConfigParser(RawConfigParser):
    _interpolation = BasicInterpolation()


SafeConfigParser = ConfigParser
