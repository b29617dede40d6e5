"""The exceptions of `configparser`.

Source: https://docs.python.org/3/library/configparser.html#exceptions.
"""


class Error(Exception):
    pass


class NoSectionError(Error):
    pass


class DuplicateSectionError(Error):
    pass


class DuplicateOptionError(Error):
    pass


class NoOptionError(Error):
    pass


class InterpolationError(Error):
    pass


class InterpolationDepthError(InterpolationError):
    pass


class InterpolationMissingOptionError(InterpolationError):
    pass


class InterpolationSyntaxError(InterpolationError):
    pass


class ParsingError(Error):
    pass


class MissingSectionHeaderError(ParsingError):
    pass
