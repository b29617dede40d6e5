"""The training loop: builds everything from a config and returns parameters and metrics."""

import functools
from collections import defaultdict

import jax
import jax.numpy as jnp

from . import optim
from .data import SequenceDataset
from .layers import Tagger
from .registry import OPTIMISERS


def masked_loss(model, params, batch, key=None):
    logits = model(params, batch.tokens, batch.mask, key)
    log_probs = jax.nn.log_softmax(logits, axis=-1)
    nll = -jnp.sum(jax.nn.one_hot(batch.tags, logits.shape[-1]) * log_probs, axis=-1)
    n_tokens = jnp.maximum(batch.mask.sum(), 1)
    correct = (logits.argmax(-1) == batch.tags) & batch.mask
    return jnp.where(batch.mask, nll, 0.0).sum() / n_tokens, {"accuracy": correct.sum() / n_tokens}


class Trainer:
    def __init__(self, config):
        self.config = config
        self.model = Tagger(config.model, config.data.n_symbols, config.data.n_tags)
        schedule = optim.warmup(config.optim.learning_rate, config.optim.warmup)
        self.optimiser = OPTIMISERS.build(config.optim.name, schedule)

    @functools.partial(jax.jit, static_argnums=0)
    def init(self, key):
        params = self.model.init(key)
        return params, self.optimiser.init(params)

    @functools.partial(jax.jit, static_argnums=0)
    def step(self, params, opt_state, batch, key):
        loss_fn = functools.partial(masked_loss, self.model)
        (loss, metrics), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, batch, key)
        grads, norm = optim.clip_by_norm(grads, self.config.optim.clip)
        params, opt_state = self.optimiser.update(grads, opt_state, params)
        return params, opt_state, {**metrics, "loss": loss, "grad_norm": norm}

    @functools.partial(jax.jit, static_argnums=0)
    def evaluate(self, params, batch):
        loss, metrics = masked_loss(self.model, params, batch)
        return {"loss": loss} | metrics


def mean_of(metrics):
    return {name: sum(values) / len(values) for name, values in metrics.items()}


def fit(config, log=print):
    trainer = Trainer(config)
    key, init_key = jax.random.split(jax.random.key(config.data.seed))
    params, opt_state = trainer.init(init_key)
    log(f"layers {trainer.model.layers}, {sum(p.size for p in jax.tree.leaves(params))} parameters")
    history = defaultdict(list)
    for i, batch in enumerate(SequenceDataset(config.data).take(config.optim.steps), start=1):
        params, opt_state, metrics = trainer.step(params, opt_state, batch, jax.random.fold_in(key, i))
        for name, value in metrics.items():
            history[name].append(float(value))
        if i % config.log_every == 0:
            recent = {name: values[-config.log_every :] for name, values in history.items()}
            log(f"step {i}: " + ", ".join(f"{name} {value:.3f}" for name, value in mean_of(recent).items()))

    totals = defaultdict(list)
    for batch in SequenceDataset(config.data, split="test").take(2):
        for name, value in trainer.evaluate(params, batch).items():
            totals[name].append(value)
    return params, mean_of(totals)
