"""`ml_collections.config_dict`: the package, whose names are those of its module of the same name."""

from ml_collections.config_dict.config_dict import (
    ConfigDict,
    FieldReference,
    FrozenConfigDict,
    create,
    placeholder,
    required_placeholder,
)
