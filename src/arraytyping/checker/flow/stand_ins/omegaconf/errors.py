"""What omegaconf raises."""


class OmegaConfBaseException(Exception):
    pass


class ConfigKeyError(OmegaConfBaseException, KeyError):
    pass


class ConfigAttributeError(OmegaConfBaseException, AttributeError):
    pass


class ConfigIndexError(OmegaConfBaseException, IndexError):
    pass


class ConfigTypeError(OmegaConfBaseException, TypeError):
    pass


class MissingMandatoryValue(OmegaConfBaseException):
    pass


class ReadonlyConfigError(OmegaConfBaseException):
    pass


class ValidationError(OmegaConfBaseException, ValueError):
    pass


class InterpolationKeyError(OmegaConfBaseException):
    pass
