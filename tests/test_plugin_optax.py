"""Optax, of which mypy finds no types: what the plugin says of its optimizers and losses, against Optax itself."""

from __future__ import annotations

import inspect
import itertools
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from answers import asked
from arraytyping_mypy.features.optax_losses import _LOSSES
from arraytyping_mypy.features.optimizer_making import FACTORIES, OPTIMIZERS, SCHEDULES
from arraytyping_mypy.features.optimizers import FUNCTIONS
from kept_checks import hold
from mypy.main import define_options
from mypy_runs import Mypy, of_modules, shared_caches

OPERANDS = {
    "f": "jnp.ones((4, 3), jnp.float32)",
    "h": "jnp.ones((4, 3), jnp.bfloat16)",
    "i": "jnp.ones((4,), jnp.int32)",
    "row": "jnp.ones((3,), jnp.float32)",
    "narrow": "jnp.ones((1, 3), jnp.float16)",
    "column": "jnp.ones((4, 1), jnp.uint8)",
    "b": "jnp.ones((4, 3), bool)",
    "weak": "jnp.full((4, 3), 2.0)",
    "n": "np.ones((4, 3), np.float32)",
    "number": "2.0",
}
OPTIONS = {
    "softmax_cross_entropy": ("axis=0", "axis=(0, 1)"),
    "softmax_cross_entropy_with_integer_labels": ("axis=0",),
    "huber_loss": ("delta=2",),
    "kl_divergence": ("axis=0",),
}
START = "import jax\nimport jax.numpy as jnp\nimport numpy as np\nimport optax  # type: ignore[import-untyped]\n"


@pytest.fixture
def mypy(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Mypy:
    return Mypy(tmp_path, shared_caches(tmp_path_factory))


def known(value: Any) -> str:
    """The type of an array, as it is revealed."""
    if not isinstance(value, jax.Array):
        return "Any"
    kind = {"f": "float", "i": "int"}[value.dtype.name[0]] if value.aval.weak_type else value.dtype.name
    return f"Array[{kind}, tuple[{', '.join(f'Literal[{n}]' for n in value.shape) or '()'}]]"


def types_of(start: str, calls: tuple[str, ...], x64: bool, release: str) -> Any:
    """The types of what this release of Optax computes, and the empty text for what it refuses."""
    found = []
    with jax.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names: dict[str, Any] = {}
        exec(start, names)
        for call in calls:
            try:
                found.append(known(eval(call, names)))
            except (AttributeError, TypeError, ValueError):
                found.append("")
    return np.array(found)


@pytest.mark.parametrize("x64", [False, True])
def test_losses_are_what_optax_computes(mypy: Mypy, x64: bool) -> None:
    calls = [
        f"optax.{name}({a}, {b}{option})"
        for name in _LOSSES
        for a, b in itertools.product(OPERANDS, OPERANDS)
        for option in ("", *(f", {o}" for o in OPTIONS.get(name, ())))
    ]
    calls += [f"optax.global_norm({t})" for t in ("f", "(f, h)", "{'a': i, 'b': [f]}", "weak", "b", "[]")]
    switch = f"jax.config.update('jax_enable_x64', {x64})\n"
    start = START + switch + "".join(f"{name} = {text}\n" for name, text in OPERANDS.items())
    done = mypy.run(start + "".join(f"reveal_type({call})\n" for call in calls))
    first = start.count("\n") + 1
    revealed = {m.line: m.revealed for m in done.messages if m.revealed}
    refused = {m.line for m in done.errors()}
    exact = 0
    # A switch in the program would stay.
    types = asked(partial(types_of, start.replace(switch, ""), tuple(calls), x64, optax.__version__))
    for line, call, computed in zip(itertools.count(first), calls, map(str, types.values)):
        if computed:
            assert line not in refused, call
            assert revealed[line] in ("Any", computed), call
            exact += revealed[line] == computed
    assert exact > 500
    assert len(refused) > 500


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16", "float64"])
@pytest.mark.parametrize("x64", [False, True])
def test_optimizers_keep_the_types_of_gradients(dtype: str, x64: bool) -> None:
    hold(optimizers_keep_types, dtype, x64, tuple(sorted(OPTIMIZERS)))


def optimizers_keep_types(dtype: str, x64: bool, optimizers: tuple[str, ...]) -> None:
    """Two steps of each give what has the types of the parameters."""
    schedule = optax.cosine_decay_schedule(0.1, 10)
    with jax.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        params = {"a": jnp.ones((3, 4), dtype), "b": jnp.ones((), dtype)}
        for name in optimizers:
            for given in _arguments(name, schedule):
                made = (
                    optax.chain(optax.sgd(0.1), optax.clip(1.0)) if name == "chain" else getattr(optax, name)(**given)
                )

                def steps(grads: Any, made: Any = made) -> Any:
                    once, state = made.update(grads, made.init(params), params)
                    return once, made.update(grads, state, params)[0]

                for updates in jax.eval_shape(steps, params):
                    found = {k: (u.shape, u.dtype, u.weak_type) for k, u in updates.items()}
                    assert found == {k: (p.shape, p.dtype, False) for k, p in params.items()}, (name, given)


@pytest.mark.parametrize(("dtype", "x64"), [("bfloat16", False), ("float32", False), ("float64", True)])
def test_optimizers_that_are_made_of_others_keep_the_types_of_gradients(dtype: str, x64: bool) -> None:
    hold(made_of_others_keep_types, dtype, x64, tuple(sorted(FACTORIES)))


def made_of_others_keep_types(dtype: str, x64: bool, factories: tuple[str, ...]) -> None:
    """Two steps of optimizers made of these, and of others, give what has the types of the parameters."""

    def kept(made: Any, params: dict[str, Any]) -> bool:
        def steps(grads: Any) -> Any:
            once, state = made.update(grads, made.init(params), params)
            return once, made.update(grads, state, params)[0]

        every = [{k: (u.shape, u.dtype, u.weak_type) for k, u in us.items()} for us in jax.eval_shape(steps, params)]
        return all(found == {k: (p.shape, p.dtype, False) for k, p in params.items()} for found in every)

    with jax.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        params = {"a": jnp.ones((3, 4), dtype), "b": jnp.ones((), dtype)}
        mixed = params | {"b": jnp.ones((), "float16")}
        for name in factories:
            assert kept(optax.inject_hyperparams(getattr(optax, name))(**_arguments(name, 0.1)[0]), params), name
        labels = {"a": "x", "b": "y"}
        for inner in (optax.adam(0.1), optax.sgd(optax.linear_schedule(1.0, 0.0, 10), momentum=0.9)):
            for made in (
                optax.masked(inner, {"a": True, "b": False}),
                optax.multi_transform({"x": inner, "y": optax.lion(0.1)}, labels),
                optax.MultiSteps(inner, 2),
                optax.MultiSteps(inner, 2, use_grad_mean=False).gradient_transformation(),
            ):
                assert kept(made, mixed)
        for schedule in (optax.linear_schedule(1.0, 0.0, 10), optax.cosine_decay_schedule(0.1, 10)):
            made = optax.inject_hyperparams(optax.adam)(schedule)
            assert kept(made, params) or dtype not in ("float32", "float64")


def _arguments(name: str, schedule: Any) -> list[dict[str, Any]]:
    """Ways to make an optimizer of numbers, schedules and other optimizers."""
    parameters = inspect.signature(getattr(optax, name)).parameters.values()
    needed = {p.name: 0.1 for p in parameters if p.default is p.empty}
    needed |= {n: 1 for n in needed if n in ("key", "max_consecutive_errors")}
    needed |= {n: optax.sgd(0.1) for n in needed if n == "inner"}
    ways = [needed | {n: schedule for n in needed if n == "step_size_fn"}]
    if "learning_rate" in needed:
        ways.append(needed | {"learning_rate": schedule})
    for p in parameters:
        if isinstance(p.default, bool):
            ways.append(ways[0] | {p.name: not p.default})
        elif p.name in ("momentum", "weight_decay"):
            ways.append(ways[0] | {p.name: 0.1})
    return ways


def test_all_names_are_names_of_optax() -> None:
    assert all(hasattr(optax, name) for name in (*OPTIMIZERS, *SCHEDULES, *_LOSSES))
    assert all(hasattr(optax.losses, name) for name in _LOSSES)
    assert all(hasattr(optax.schedules, n.rpartition(".")[2]) for n in FUNCTIONS if n.startswith("optax.schedules."))


def test_only_the_optimizer_itself_is_known(mypy: Mypy) -> None:
    done = mypy.run(
        START
        + """
def changed(c: bool):
    tx = optax.sgd(0.1)
    params = jnp.ones(3)
    def step(params, state):
        return tx.update(params, state)[0]
    state = tx.init(params)
    found = step(params, state)
    tx = optax.contrib.muon(0.1)
    reveal_type(step(params, state))
    return found
reveal_type(changed(True))

class Trainer:
    def __init__(self, tx):
        self.tx = tx
    def step(self, params):
        return self.tx.update(params, self.tx.init(params))[0]
reveal_type(Trainer(optax.sgd(0.1)).step(jnp.ones(3)))
trainer = Trainer(optax.sgd(0.1))
trainer.tx = optax.contrib.muon(0.1)
reveal_type(trainer.step(jnp.ones(3)))
tx = optax.sgd(0.1)
def stepped(params):
    return tx.update(params, tx.init(params))[0]
tx = optax.scale_by_distance_over_gradients()
reveal_type(stepped(jnp.ones(3)))
""",
        mypy_settings=of_modules(["program.py"], "check_untyped_defs = true"),
    )
    assert done.errors() == []
    float32 = "Array[float32, tuple[Literal[3]]]"
    assert [r for r in done.revealed() if r not in ("Any", float32)] == []
    assert done.revealed().count("Any") >= 3


STRICT = """\
disallow_any_generics = true
disallow_subclassing_any = true
disallow_untyped_calls = true
disallow_untyped_defs = true
disallow_incomplete_defs = true
check_untyped_defs = true
disallow_untyped_decorators = true
warn_unused_ignores = true
warn_return_any = true
implicit_reexport = false
strict_equality = true
extra_checks = true
"""
"""What `--strict` says of a module; that of all modules (`warn_redundant_casts`) is of programs with casts."""


def test_strict_is_what_mypy_means_by_it() -> None:
    _, _, flags = define_options()
    written = {line.partition(" = ")[0]: line.endswith("true") for line in STRICT.splitlines()}
    assert written | {"warn_redundant_casts": True} == dict(flags)


def test_mypy_finds_nothing_else_in_programs_that_use_optax(mypy: Mypy) -> None:
    done = mypy.run(
        START
        + """
def choose(name: str) -> object:
    if name == "adam":
        tx = optax.adam(1e-3)
    else:
        tx = [name]
    tx = optax.sgd(learning_rate=name, momentum=None)
    tx.anything(1, 2)
    for part in optax.adam(1.0).init(jnp.ones(3)):
        part.mu[0] += 1
    a, b = optax.sgd(0.1)
    count: int = optax.sgd(0.1)
    return [optax.adam.__name__, a(b), count, optax.nothing(3), optax.adam(*[0.1], **{"b1": 0.9})]
""",
        mypy_settings=of_modules(["program.py"], STRICT),
    )
    assert done.errors() == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("optax.softmax_cross_entropy(logits, labels)", "array-shape"),
        ("optax.l2_loss(logits, labels)", "array-shape"),
        ("optax.squared_error(labels)", "array-dtype"),
        ("optax.apply_updates({'w': logits}, {'w': jnp.ones(3)})", "array-shape"),
        ("optax.apply_updates({'w': logits}, optax.adam(1.0).init({'w': logits}))", "array-tree"),
    ],
)
def test_mistakes_are_told(mypy: Mypy, line: str, code: str) -> None:
    start = START + "logits = jnp.ones((5, 4))\nlabels = jnp.arange(5)\n"
    done = mypy.run(start + line + "\n")
    assert [m.code for m in done.errors()] == [code]
    with pytest.raises((TypeError, ValueError)):
        exec(start + line, {})


def test_types_of_optax_in_mypys_cache_are_read_again(mypy: Mypy) -> None:
    files = {
        "made.py": START + "tx = optax.adam(1e-3)\n",
        "program.py": START + "from made import tx\nreveal_type(tx)\nreveal_type(optax.sgd(0.1))\n",
    }
    first = mypy.run(files).revealed()
    files["program.py"] += "\n"
    assert mypy.run(files).revealed() == first
    assert [r.rpartition(".")[2] for r in first] == ["GradientTransformation"] * 2
