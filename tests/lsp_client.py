"""A client of a language server: what an editor asks of it, over its standard streams.

Source: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/.
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

MARK = "|"
"""Stands in a program where the cursor is."""


class Editor:
    """A server with one folder open; a context, at whose end the server is told to end."""

    def __init__(self, command: Sequence[str], folder: Path, settings: dict[str, Any], timeout: float = 60.0) -> None:
        self.folder = folder
        self.settings = settings
        self.timeout = timeout
        self.number = 0
        self.documents = 0
        self.messages: list[str] = []
        """What the server had shown."""
        self.answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.server = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> Editor:
        root = {"uri": self.folder.as_uri(), "name": self.folder.name}
        self.capabilities: dict[str, Any] = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root["uri"],
                "workspaceFolders": [root],
                "capabilities": {
                    "workspace": {"configuration": True, "workspaceFolders": True},
                    "textDocument": {
                        "hover": {"contentFormat": ["plaintext"]},
                        "completion": {"completionItem": {"documentationFormat": ["plaintext"]}},
                        "signatureHelp": {"signatureInformation": {"documentationFormat": ["plaintext"]}},
                    },
                },
            },
        )["capabilities"]
        self.notify("initialized", {})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.server.poll() is None:
            self.request("shutdown", None)
            self.notify("exit", None)
        try:
            self.server.wait(10)
        except subprocess.TimeoutExpired:
            self.server.kill()

    def completions(self, program: str) -> set[str]:
        """The names that are proposed at the mark."""
        found = self._at("textDocument/completion", program)
        items = found["items"] if isinstance(found, dict) else found or []
        return {item["label"] for item in items}

    def hover(self, program: str) -> str:
        """What is shown of the name at the mark."""
        found = self._at("textDocument/hover", program)
        if found is None:
            return ""
        contents = found["contents"]
        return str(contents["value"] if isinstance(contents, dict) else contents)

    def signature(self, program: str) -> str:
        """The signature that is shown at the mark, inside of a call."""
        found = self._at("textDocument/signatureHelp", program)
        return str(found["signatures"][found.get("activeSignature") or 0]["label"]) if found else ""

    def request(self, method: str, parameters: Any) -> Any:
        """The answer to a request.

        Raises:
            RuntimeError: if the server refuses, ends, or says nothing for too long.
        """
        self.number += 1
        self._send({"id": self.number, "method": method, "params": parameters})
        while True:
            try:
                message = self.answers.get(timeout=self.timeout)
            except queue.Empty:
                raise RuntimeError(f"no answer to {method} within {self.timeout} s") from None
            if message is None:
                raise RuntimeError(f"the server ended before it answered {method}")
            if "method" in message:
                self._serve(message)
            elif message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]

    def notify(self, method: str, parameters: Any) -> None:
        """Tell the server something."""
        self._send({"method": method, "params": parameters})

    def _at(self, method: str, program: str) -> Any:
        """The answer to a request on the place of the mark in a new document."""
        before, _, after = program.partition(MARK)
        self.documents += 1
        uri = (self.folder / f"document_{self.documents}.py").as_uri()
        document = {"uri": uri, "languageId": "python", "version": 1, "text": before + after}
        self.notify("textDocument/didOpen", {"textDocument": document})
        line, column = before.count("\n"), len(before) - before.rfind("\n") - 1
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
        answer = self.request(method, place)
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        return answer

    def _serve(self, message: dict[str, Any]) -> None:
        """Answer what the server asks."""
        if message["method"] == "window/showMessage":
            self.messages.append(message["params"]["message"])
        if "id" not in message:
            return
        result = None
        if message["method"] == "workspace/configuration":
            result = [self._settings(item.get("section", "")) for item in message["params"]["items"]]
        elif message["method"] == "workspace/workspaceFolders":
            result = [{"uri": self.folder.as_uri(), "name": self.folder.name}]
        self._send({"id": message["id"], "result": result})

    def _settings(self, section: str) -> Any:
        found: Any = self.settings
        for part in section.split("."):
            found = found.get(part, {}) if isinstance(found, dict) else {}
        return found

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.server.stdin is not None
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.server.stdin.flush()

    def _listen(self) -> None:
        assert self.server.stdout is not None
        while True:
            length = 0
            while line := self.server.stdout.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                self.answers.put(None)
                return
            self.answers.put(json.loads(self.server.stdout.read(length)))
