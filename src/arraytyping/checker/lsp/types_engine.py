"""A process that stays, with mypy loaded, and checks the types of a program, as `arraytyping check` does.

It is given what flow has found, so that each mistake is told once.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import hashlib
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NoReturn

from arraytyping.checker.claims import ProgramClaims
from arraytyping.checker.environment import Environment
from arraytyping.checker.flow.report.cache_key import state_directory
from arraytyping.checker.flow.report.reporting import Shown, Unreadable
from arraytyping.checker.flow.report.serving import serve
from arraytyping.checker.flow.state.diagnostics import Diagnostic, together
from arraytyping.checker.messages.message import Message
from arraytyping.checker.messages.presenting import Presenter
from arraytyping.regular_files import give_contents

__all__ = ["answer", "messages_of", "request_of", "types_cache"]

_MOST_CACHES: Final = 8
"""So many servers in one folder have caches."""


def request_of(
    path: Path, contents: dict[str, bytes], environment: Environment, report: dict[str, Any]
) -> dict[str, Any]:
    """What is asked of a file, given flow's report of the program."""
    return {
        "path": str(path),
        "contents": {name: base64.b64encode(content).decode() for name, content in contents.items()},
        "environment": asdict(environment),
        "flow": {name: report[name] for name in ("diagnostics", "claims", "errors")},
    }


def messages_of(report: Sequence[Sequence[Any]]) -> list[Message]:
    """The messages that an answer holds."""
    return [Message(*fields) for fields in report]


def _check(request: dict[str, Any]) -> dict[str, Any]:
    """What the types say of a file that flow has not said."""
    from arraytyping_mypy.building import check

    os.nice(5)  # whoever types comes first
    give_contents({path: base64.b64decode(content) for path, content in request["contents"].items()})
    flow = request["flow"]
    diagnostics = [Diagnostic.from_json(m) for m in flow["diagnostics"]]
    shown = Shown(
        together(m for m in diagnostics if m.is_shown),
        [Unreadable(*e) for e in flow["errors"]],
        claims=ProgramClaims.from_json(flow["claims"]),
        found=diagnostics,
    )
    presenter = Presenter("json", lambda told, totals: iter(()))
    given = request["environment"]
    environment = Environment(**{**given, "version": tuple(given["version"])})
    with types_cache(Path.cwd()) as cache, contextlib.suppress(SystemExit):
        check(
            [request["path"]],
            [f"--cache-dir={cache}"],
            stdout=io.StringIO(),
            stderr=io.StringIO(),
            program="arraytyping",
            flow=lambda roots, config_file, found: shown,
            environment=environment,
            is_named=True,
            present=lambda settings: presenter,
        )
    real = os.path.realpath(request["path"])
    said = [m for m in presenter.found if m.diagnostic is None and m.path and os.path.realpath(m.path) == real]
    told = {(m.line, m.code) for m in diagnostics if m.is_shown and os.path.realpath(m.path) == real}
    return {
        "report": [
            [m.path, m.line, m.column, m.end_line, m.end_column, m.severity, m.text, m.code, m.hint]
            for m in said
            if (m.line, m.code) not in told
        ]
    }


@contextlib.contextmanager
def types_cache(folder: Path) -> Iterator[str]:
    """A directory for what mypy keeps of a folder, which no other process uses meanwhile."""
    name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:16]
    for number in range(_MOST_CACHES):
        directory = state_directory() / "types" / f"{name}-{number}"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            with (directory / "lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield str(directory)
                return
        except OSError:
            continue
    yield os.devnull


def _load(libraries: frozenset[str]) -> None:
    import arraytyping_mypy.building  # noqa: F401


def answer() -> NoReturn:
    """Answer what is asked on the standard input, until there is no more."""
    serve(_load, _check)
