"""A small sequence-labelling package: run it with `python -m package_model`."""

from .config import Config, DataConfig, ModelConfig
from .train import fit

__all__ = ["Config", "DataConfig", "ModelConfig", "fit"]
__version__ = "0.1.0"
