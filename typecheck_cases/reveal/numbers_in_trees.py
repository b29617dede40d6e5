"""Fields of trees that are declared numbers, and come as arrays of them: stacked by `scan`, batched by `vmap`."""

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

import jax
import jax.numpy as jnp


class Info(Protocol):
    code: int
    rate: float


@jax.tree_util.register_dataclass
@dataclass
class Step:
    code: int
    rate: float


@partial(jax.tree_util.register_dataclass, data_fields=["code", "rate"], meta_fields=["size"])
@dataclass
class Sized:
    code: int
    rate: float
    size: int


class State(NamedTuple):
    code: int
    rate: float


@dataclass
class Config:
    rate: float


def of_protocol(info: Info) -> None:
    reveal_type(jnp.sum(info.code != 0, axis=1))  # R: Array[Any, Any]
    rates = jnp.asarray(info.rate)
    rows, columns = rates.shape
    reveal_type(rates)  # R: Array[Any, Any]


def of_dataclass(step: Step) -> None:
    reveal_type(jnp.sum(step.code + 1, axis=0))  # R: Array[Any, Any]
    reveal_type(jnp.ones((5, 3), jnp.float16) * step.rate)  # R: Array[Any, Any]


def of_sized(step: Sized) -> None:
    reveal_type(jnp.mean(-step.rate, axis=1))  # R: Array[Any, Any]
    reveal_type(jnp.ones(3, jnp.float16) * step.size)  # R: Array[float16, tuple[Literal[3]]]


def of_named_tuple(state: State) -> None:
    code = state.code * 2
    reveal_type(jnp.mean(code, axis=0))  # R: Array[Any, Any]
    reveal_type(jnp.zeros(3, jnp.uint8) + state.code)  # R: Array[Any, Any]
    total = float(jnp.sum(state.rate))
    reveal_type(jnp.zeros((3, 2)) + total)  # R: Array[float32, tuple[Literal[3], Literal[2]]]


def of_config(config: Config) -> None:
    reveal_type(jnp.ones(3, jnp.float16) * config.rate)  # R: Array[float16, tuple[Literal[3]]]


def count(state: State, _: Any) -> tuple[State, State]:
    return State(state.code + 1, state.rate * 2), state


made = State(0, 0.5)
reveal_type(jnp.ones(3, jnp.float16) * made.rate)  # R: Array[float16, tuple[Literal[3]]]
_, stacked = jax.lax.scan(count, State(jnp.int32(0), jnp.float32(0.5)), None, length=3)  # type: ignore[arg-type]
of_named_tuple(stacked)
grid = jnp.ones((5, 3), jnp.int32)
of_protocol(Step(grid, grid / 2))  # type: ignore[arg-type]
of_dataclass(Step(grid, grid / 2))  # type: ignore[arg-type]
of_sized(Sized(grid, grid / 2, 4))  # type: ignore[arg-type]
of_config(Config(0.5))
