"""The sessions of a build: one for each module under check, made when its first hook runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from mypy.plugin import AttributeContext, CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import Type

from arraytyping_mypy.checker import note
from arraytyping_mypy.own_names import is_own
from arraytyping_mypy.session import Session
from arraytyping_mypy.settings import BuildSettings

if TYPE_CHECKING:
    from arraytyping_mypy.closed import ClosedFunctions

__all__ = ["Sessions", "within"]

_Context = TypeVar("_Context", FunctionContext, MethodContext, AttributeContext)


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


def within(
    fullname: str, hook: Callable[[_Context], Type] | None, sessions: Sessions
) -> Callable[[_Context], Type] | None:
    """The hook of something of JAX or of arraytyping, in which arrays are those of the one that it belongs to."""
    own = is_own(fullname)
    if hook is None or not (own or fullname.startswith("jax.")):
        return hook

    def call(ctx: _Context) -> Type:
        session = sessions.of(ctx.api)
        if session.is_own is own:
            return hook(ctx)
        before = session.use(own)
        try:
            return hook(ctx)
        finally:
            session.use(before)

    return call
