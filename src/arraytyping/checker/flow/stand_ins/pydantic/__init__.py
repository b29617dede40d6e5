"""`pydantic`: classes whose annotated names are fields.

Source: https://docs.pydantic.dev/latest/concepts/models/.
"""

import copy

from arraytyping import facts
from field_values import converted

_MISSING = object()
_CHANGED = "what a validator of pydantic makes of a field"


class ValidationError(ValueError):
    pass


class PydanticUserError(TypeError):
    pass


def ConfigDict(**options):
    return options


class FieldInfo:
    def __init__(self, default, default_factory, annotation=None):
        self.default = default
        self.default_factory = default_factory
        self.annotation = annotation

    def __getattr__(self, name):
        return facts.reads_only("pydantic.FieldInfo." + name)


def Field(default=_MISSING, *, default_factory=None, **options):
    for name in ("alias", "validation_alias", "init", "exclude"):
        if name in options:
            return facts.unknown("a field of pydantic with " + name)
    return FieldInfo(_MISSING if default is Ellipsis else default, default_factory)


def PrivateAttr(default=_MISSING, *, default_factory=None, **options):
    return FieldInfo(default, default_factory)


def _validated(*names, **options):
    def decorated(function):
        return _Validator(names, function)

    return decorated


class _Validator:
    """A function of the program that may change fields; which are not known then."""

    def __init__(self, names, function):
        self.names = names
        self.function = function

    def __getattr__(self, name):
        return facts.unknown("a validator of pydantic")


field_validator = validator = _validated


def model_validator(*functions, **options):
    return _Validator(("*",), functions[0]) if functions else _validated("*")


root_validator = model_validator


def field_serializer(*names, **options):
    return lambda function: function


def model_serializer(*functions, **options):
    return functions[0] if functions else lambda function: function


def computed_field(*functions, **options):
    return functions[0] if functions else lambda function: function


def _annotations(cls):
    """The annotated names of a class and of those that it derives from, the first of these first."""
    found = {}
    for base in cls.__mro__[::-1]:
        if base is object or base is BaseModel:
            continue
        for name, annotation in base.__annotations__.items():
            is_of_class = isinstance(annotation, str) and "ClassVar" in annotation
            if not is_of_class and name != "model_config":
                found[name] = annotation
    return found


def _changed(cls):
    """The names of fields that validators of the class may change."""
    found = []
    for base in cls.__mro__:
        if base is object or base is BaseModel:
            continue
        for value in vars(base).values():
            if isinstance(value, _Validator):
                found.extend(value.names)
    return found


def _default(found):
    if not isinstance(found, FieldInfo):
        return copy.deepcopy(found)
    return found.default_factory() if found.default_factory is not None else copy.deepcopy(found.default)


def _taken(kind, value):
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind(**value) if isinstance(value, dict) else value
    return converted(kind, value)


class BaseModel:
    def __init__(self, /, **data):
        changed = _changed(type(self))
        for name, kind in _annotations(type(self)).items():
            if name in data and not name.startswith("_"):
                is_changed = name in changed
                value = facts.unknown(_CHANGED) if is_changed else _taken(kind, data[name])
            else:
                value = getattr(type(self), name, _MISSING)
                if value is not _MISSING:
                    value = _default(value)
                if value is _MISSING:
                    if name.startswith("_"):
                        continue
                    raise ValidationError(name)
            if "*" in changed:
                value = facts.unknown(_CHANGED)
            object.__setattr__(self, name, value)
        self.model_post_init(None)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)

    def __getattr__(self, name):
        if name.startswith("model_") or name.startswith("__") or name in ("json", "schema", "fields", "construct"):
            return facts.unknown("pydantic's " + name)
        raise AttributeError(name)

    def __eq__(self, other):
        return type(self) is type(other) and self.model_dump() == other.model_dump()

    def __repr__(self):
        return facts.text()

    __str__ = __repr__

    def __iter__(self):
        return iter(self.model_dump().items())

    def model_post_init(self, context, /):
        return None

    def model_dump(self, **options):
        if options:
            return facts.reads_only("a part of a model of pydantic")
        made = {}
        for name in _annotations(type(self)):
            if not name.startswith("_"):
                made[name] = _dumped(getattr(self, name))
        return made

    dict = model_dump

    def model_dump_json(self, **options):
        return facts.text()

    def model_copy(self, *, update=None, deep=False):
        made = copy.deepcopy(self) if deep else copy.copy(self)
        for name, value in ({} if update is None else update).items():
            object.__setattr__(made, name, value)
        return made

    copy = model_copy

    @classmethod
    def model_validate(cls, obj, **options):
        return cls(**obj) if isinstance(obj, dict) else facts.unknown("a model of pydantic that is made from an object")

    @classmethod
    def parse_obj(cls, obj):
        return cls(**obj)

    @classmethod
    def model_validate_json(cls, json_data, **options):
        return cls(**facts.parsed("json", json_data))

    @classmethod
    def parse_raw(cls, b, **options):
        return cls(**facts.parsed("json", b))

    @classmethod
    def parse_file(cls, path, **options):
        return cls(**facts.read_data(path, "json"))


def _dumped(value):
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, list):
        return [_dumped(item) for item in value]
    if isinstance(value, dict):
        made = {}
        for key, item in value.items():
            made[key] = _dumped(item)
        return made
    return value


PositiveInt = NonNegativeInt = NegativeInt = NonPositiveInt = StrictInt = int
PositiveFloat = NonNegativeFloat = NegativeFloat = NonPositiveFloat = StrictFloat = FiniteFloat = float
StrictStr = str
StrictBool = bool


def __getattr__(name):
    return facts.unknown("pydantic." + name)
