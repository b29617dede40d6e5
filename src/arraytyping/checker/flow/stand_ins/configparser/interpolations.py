"""What texts in a configuration of `configparser` say of others.

Source: https://docs.python.org/3/library/configparser.html#interpolation-of-values.
"""

from arraytyping import facts

from .errors import InterpolationDepthError, InterpolationMissingOptionError, InterpolationSyntaxError

_MOST = 10


class Interpolation:
    def before_get(self, parser, section, option, value, defaults):
        return value


class BasicInterpolation(Interpolation):
    """`%(option)s` is the value of another option, and `%%` a percent sign."""

    def before_get(self, parser, section, option, value, defaults):
        return self._filled(parser, value, defaults, 1) if facts.is_known(value) else facts.text()

    def _filled(self, parser, value, defaults, depth):
        if depth > _MOST:
            raise InterpolationDepthError(value)

        def reference(text):
            name, end, rest = text.partition(")s")
            if name[:1] != "(" or not end or ")" in name:
                raise InterpolationSyntaxError(name)
            name = parser.optionxform(name[1:])
            if name not in defaults:
                raise InterpolationMissingOptionError(name)
            return self._filled(parser, defaults[name], defaults, depth + 1), rest

        return _replaced(value, "%", reference)


class ExtendedInterpolation(Interpolation):
    """`${section:option}` is the value of an option of any section, and `$$` a dollar sign."""

    def before_get(self, parser, section, option, value, defaults):
        return self._filled(parser, value, section, defaults, 1) if facts.is_known(value) else facts.text()

    def _filled(self, parser, value, section, defaults, depth):
        if depth > _MOST:
            raise InterpolationDepthError(value)

        def reference(text):
            name, end, rest = text.partition("}")
            if name[:1] != "{" or not end:
                raise InterpolationSyntaxError(name)
            other, has_section, option = name[1:].rpartition(":")
            values = parser.values_of(other) if has_section else defaults
            option = parser.optionxform(option)
            if option not in values:
                raise InterpolationMissingOptionError(option)
            return self._filled(parser, values[option], other or section, values, depth + 1), rest

        return _replaced(value, "$", reference)


class LegacyInterpolation(Interpolation):
    def before_get(self, parser, section, option, value, defaults):
        return facts.text()


def _replaced(value, sign, reference):
    """The text with each reference behind a sign replaced, of which `reference` gives the value and what follows it."""
    made = ""
    while sign in value:
        before, _, value = value.partition(sign)
        if value[:1] == sign:
            found, value = sign, value[1:]
        else:
            found, value = reference(value)
        made += before + found
    return made + value
