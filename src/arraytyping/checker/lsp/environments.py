"""The Python of each folder, and the process in it that follows programs."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from arraytyping.checker.environment import Environment, find_environment, inspect_environment
from arraytyping.checker.lsp.engines import Engine

__all__ = ["Environments"]

_LONGEST_WAIT: Final = 5.0
"""So many seconds the editor has to say what its settings are."""


class Environments:
    """Which environment a file has: that of `--python`, of the editor's settings, or what is found."""

    def __init__(self, server: LanguageServer, python: Path | None, tell: Callable[[str], None]) -> None:
        self._server = server
        self._python = python
        self._tell = tell
        self._by_folder: dict[Path, Environment] = {}
        self._engines: dict[str, Engine] = {}

    async def of(self, folder: Path, path: Path) -> Environment:
        """The environment of a file in a folder.

        Raises:
            NoEnvironmentError: if it cannot be used.
        """
        if folder not in self._by_folder:
            if self._python is not None:
                environment = inspect_environment(self._python, "--python")
            elif (python := await self._configured(folder)) is not None:
                environment = inspect_environment(python, "arraytyping.python")
            else:
                environment = find_environment([folder, path]).environment
            if environment.jax is None:
                self._tell(f"jax is installed in no environment of {folder}: nothing is known of its arrays")
            self._by_folder[folder] = environment
        return self._by_folder[folder]

    async def engine(self, folder: Path, path: Path) -> Engine:
        """What follows a file in a folder.

        Raises:
            NoEnvironmentError: if its environment cannot be used.
        """
        python = (await self.of(folder, path)).python
        return self._engines.setdefault(python, Engine(python))

    def forget(self) -> None:
        """Ask anew for the environment of each folder."""
        self._by_folder.clear()

    async def end(self) -> None:
        """End the processes in all of them."""
        for engine in self._engines.values():
            await engine.stop()

    async def _configured(self, folder: Path) -> Path | None:
        """What the editor has as `arraytyping.python` for a folder."""
        capabilities = self._server.client_capabilities.workspace
        if capabilities is None or not capabilities.configuration:
            return None
        item = lsp.ConfigurationItem(scope_uri=folder.as_uri(), section="arraytyping")
        with contextlib.suppress(Exception):  # whatever the editor makes of the request
            (given,) = await asyncio.wait_for(
                self._server.workspace_configuration_async(lsp.ConfigurationParams([item])), _LONGEST_WAIT
            )
            python = given.get("python") if isinstance(given, dict) else getattr(given, "python", None)
            if isinstance(python, str) and python:
                return folder / Path(python.replace("${workspaceFolder}", str(folder))).expanduser()
        return None
