"""A function for each platform, of which that of the platform is called on which programs run.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.platform_dependent.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.runtime.placement import default_backend

__all__ = ["platform_dependent"]


def platform_dependent(
    *args: Any, default: Callable[..., Any] | None = None, **per_platform: Callable[..., Any]
) -> Any:
    """The result of the function of the platform on which programs run, else of the default one.

    Unlike in JAX, the functions of other platforms are not traced.

    Raises:
        TypeError: for what is no function.
        ValueError: for a platform `gpu`, which is `cuda` or `rocm`.
        NotImplementedError: if there is no function for this platform.
    """
    for name, function in per_platform.items():
        if not callable(function):
            raise TypeError(f"platform_dependent: what is given for {name} is no function: {function!r:.60}")
        if name == "gpu":
            raise ValueError("platform_dependent: name the platform 'cuda' or 'rocm', not 'gpu'")
    if default is not None and not callable(default):
        raise TypeError(f"platform_dependent: the default is no function: {default!r:.60}")
    platform = default_backend()
    chosen = per_platform.get("cuda" if platform == "gpu" else platform, default)
    if chosen is None:
        raise NotImplementedError(
            f"platform_dependent: there is no function for {platform}, only for {', '.join(per_platform) or 'none'}; "
            "give one, or a default"
        )
    return chosen(*args)
