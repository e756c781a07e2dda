"""A client of the language server for tests: it writes and reads the protocol itself."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE_S = 120.0
"""Far beyond what any answer takes: a test that waits so long has failed."""


class Client:
    """One server, started as editors do, and what it said."""

    def __init__(self, folder: Path, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "looplaw", "lsp", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=environment,
        )
        self.folder = folder
        self._number = 0
        self._heard: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._kept: list[dict[str, Any]] = []
        self._versions: dict[str, int] = {}
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        while header := self.process.stdout.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                header = self.process.stdout.readline()
            self._heard.put(json.loads(self.process.stdout.read(length)))
        self._heard.put(None)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method: str, params: Any = None) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Any = None) -> int:
        """The number of a request, to wait for its answer."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def wait(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first message of a kind that was not taken yet; requests of the server are
        answered."""
        for k, message in enumerate(self._kept):
            if is_it(message):
                return self._kept.pop(k)
        while True:
            message = self._heard.get(timeout=PATIENCE_S)
            assert message is not None, "the server has ended"
            if "method" in message and "id" in message:
                self._send({"id": message["id"], "result": None})
            if is_it(message):
                return message
            self._kept.append(message)

    def answer(self, number: int) -> Any:
        message = self.wait(lambda m: m.get("id") == number and "method" not in m)
        assert "error" not in message, message["error"]
        return message["result"]

    def request(self, method: str, params: Any = None) -> Any:
        return self.answer(self.ask(method, params))

    def initialize(self, **options: Any) -> dict[str, Any]:
        result: dict[str, Any] = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": self.folder.as_uri(),
                "capabilities": {},
                "initializationOptions": options,
            },
        )
        self.notify("initialized", {})
        return result

    def open(self, path: Path, text: str | None = None) -> str:
        uri = path.as_uri()
        given = path.read_text() if text is None else text
        self._versions[uri] = 1
        item = {"uri": uri, "languageId": "c", "version": 1, "text": given}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, text: str) -> int:
        self._versions[uri] += 1
        version = self._versions[uri]
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]},
        )
        return version

    def hints(self, uri: str) -> dict[int, str]:
        """Line from 1 -> what stands behind it."""
        span = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}
        found = self.request(
            "textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": span}
        )
        return {h["position"]["line"] + 1: h["label"] for h in found}

    def hover(self, uri: str, line: int) -> str:
        """What is shown of a line, counted from 1; "" where that is nothing."""
        where = {"textDocument": {"uri": uri}, "position": {"line": line - 1, "character": 2}}
        found = self.request("textDocument/hover", where)
        return "" if found is None else str(found["contents"]["value"])

    def diagnostics(self, uri: str, version: int = 1) -> list[dict[str, Any]]:
        """The diagnostics of a version of a file."""

        def is_it(message: dict[str, Any]) -> bool:
            params = message.get("params") or {}
            return (
                message.get("method") == "textDocument/publishDiagnostics"
                and params["uri"] == uri
                and params.get("version") == version
            )

        found: list[dict[str, Any]] = self.wait(is_it)["params"]["diagnostics"]
        return found

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait for what the system does by itself, such as the end of processes."""
        until = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < until
            time.sleep(0.01)

    def leave(self) -> int:
        """Say good-bye; the exit code of the server."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(timeout=PATIENCE_S)


@contextmanager
def served(folder: Path, **options: Any) -> Iterator[Client]:
    """A server that has been initialised; it is ended afterwards, whatever happens."""
    client = Client(folder)
    try:
        client.initialize(**options)
        yield client
    finally:
        client.process.kill()
        client.process.wait()
