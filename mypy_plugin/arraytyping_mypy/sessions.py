"""The sessions of a build: one for each module under check, made when its first hook runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy.plugin import CheckerPluginInterface

from arraytyping_mypy.checker import note
from arraytyping_mypy.session import Session
from arraytyping_mypy.settings import BuildSettings

if TYPE_CHECKING:
    from arraytyping_mypy.closed import ClosedFunctions

__all__ = ["Sessions"]


class Sessions:
    """Finds the session of the module that a hook is called for."""

    def __init__(self, settings: BuildSettings) -> None:
        self.settings = settings
        self._api: CheckerPluginInterface | None = None
        self._session: Session | None = None
        self._noted = False
        self.functions: dict[str, ClosedFunctions] = {}

    def of(self, api: CheckerPluginInterface) -> Session:
        """The session of the module under check."""
        if api is not self._api or self._session is None:
            self._session = session = Session(api, self.settings)
            self._api = api
            if self.settings.keeps_functions and session.is_active:
                self.functions[session.module] = session.closed_functions()
            if session.is_active and not self.settings.jax.is_supported and not self._noted:
                self._noted = True
                note(api, self.settings.jax.note)
        return self._session
