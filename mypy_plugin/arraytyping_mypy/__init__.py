"""The mypy plugin: `plugins = ["arraytyping_mypy"]` makes `jax.Array` carry its dtype, weak type and shape.

Reading order: `hooks` (which hook goes where), `frameworks` (which names are arrays and operations), `convert` and
`statics` (mypy's types and expressions to abstract values, and back), `calls` (a call to a rule and its result),
then `features`, one module for each thing that the plugin knows.
"""

from __future__ import annotations

from mypy.plugin import Plugin

from arraytyping_mypy import codes as codes  # registers the error codes as the plugin is imported

__version__ = "none"
"""What mypy's daemon compares with the time before: `settings` puts there what it cannot see change."""


def plugin(version: str) -> type[Plugin]:
    """Mypy's entry point: the plugin class for this version of mypy."""
    from arraytyping_mypy.hooks import ArrayTypingPlugin

    return ArrayTypingPlugin
