"""`hydra.utils`: `instantiate` calls what `_target_` names.

Source: https://hydra.cc/docs/advanced/instantiate_objects/overview/.
"""

import functools

from omegaconf import DictConfig

from arraytyping import facts

_OWN = ("_target_", "_partial_", "_recursive_", "_convert_", "_args_")


def instantiate(config, *args, **kwargs):
    if config is None:
        return None
    given = {}
    for key, value in config.items():
        if key not in _OWN:
            given[key] = instantiate(value) if isinstance(value, DictConfig) and "_target_" in value else value
    for key, value in kwargs.items():
        given[key] = value
    if "_target_" not in config:
        return DictConfig(given)
    target = facts.named(config["_target_"])
    if config.get("_partial_", False):
        return functools.partial(target, *args, **given)
    return target(*args, **given)


call = instantiate


def get_original_cwd():
    return facts.text()


def to_absolute_path(path):
    return facts.text()
