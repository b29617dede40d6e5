"""The settings of a build: the table `[tool.arraytyping]`, and x64 as it is decided for the program."""

from __future__ import annotations

from typing import Any

from mypy.options import Options

from arraytyping.promotion.jax import JaxPromotion

__all__ = ["BuildSettings"]


class BuildSettings:
    """What is configured, read once before the build."""

    def __init__(self, options: Options) -> None:
        options.allow_redefinition = True
        self._promotions = {False: (JaxPromotion(x64=False),)}

    def promotions_of(self, module: str) -> tuple[JaxPromotion, ...]:
        """The promotion systems that may be in force in a module: two if x64 is not known."""
        return self._promotions[False]

    def fingerprint(self, module: str) -> dict[str, Any]:
        """What of the settings changes an answer in this module."""
        return {}
