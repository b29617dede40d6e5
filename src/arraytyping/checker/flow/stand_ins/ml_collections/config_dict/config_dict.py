"""`ml_collections.config_dict`: configurations, and what makes them.

Source: https://ml-collections.readthedocs.io.
"""

from ml_collections import ConfigDict, FieldReference, FrozenConfigDict, placeholder, required_placeholder

__all__ = ["ConfigDict", "FieldReference", "FrozenConfigDict", "create", "placeholder", "required_placeholder"]


def create(**kwargs):
    return ConfigDict(kwargs)
