"""Primitives, traces and tracers, under the names of `jax.core`."""

from arraytyping.runtime.core import *  # noqa: F403
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr as eval_jaxpr
from arraytyping.runtime.tracing.scopes import ensure_compile_time_eval as ensure_compile_time_eval
from arraytyping.semantics.avals import ShapedArray as ShapedArray
