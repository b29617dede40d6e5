"""Jaxprs: their syntax, parser, printer and type checker."""

from arraytyping.runtime.jaxpr import *  # noqa: F403
