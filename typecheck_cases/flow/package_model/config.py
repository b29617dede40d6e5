"""Frozen dataclasses that describe one experiment, with overrides from `key.sub=value` strings."""

import ast
import dataclasses
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class DataConfig:
    n_symbols: int = 12
    n_tags: int = 4
    max_length: int = 14
    batch_size: int = 24
    seed: int = 0


@dataclass(frozen=True)
class ModelConfig:
    dim: int = 24
    layers: tuple[str, ...] = ("conv", "gru", "mlp")
    activation: str = "gelu"
    dropout: float = 0.1
    options: dict[str, dict[str, Any]] = field(default_factory=lambda: {"conv": {"width": 3}, "mlp": {"expand": 2}})


@dataclass(frozen=True)
class OptimConfig:
    name: str = "adam"
    learning_rate: float = 1e-2
    warmup: int = 4
    steps: int = 16
    clip: float | None = 1.0


@dataclass(frozen=True)
class Config:
    data: DataConfig = DataConfig()
    model: ModelConfig = ModelConfig()
    optim: OptimConfig = OptimConfig()
    log_every: int = 8

    def override(self, assignments):
        config = self
        for assignment in assignments:
            path, _, text = assignment.partition("=")
            try:
                value = ast.literal_eval(text)
            except (ValueError, SyntaxError):
                value = text
            config = _replace(config, path.split("."), value)
        return config


def _replace(node, path, value):
    head, *rest = path
    if not any(f.name == head for f in dataclasses.fields(node)):
        raise KeyError(f"{type(node).__name__} has no field {head!r}")
    new = _replace(getattr(node, head), rest, value) if rest else value
    return dataclasses.replace(node, **{head: new})
