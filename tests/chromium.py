"""A headless Chromium that tests steer through its debugging pipe: real keys and clicks, colour
schemes, sizes of screens, screenshots, and whatever the page writes to its console."""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tools.screenshots import browser, headless

Json = dict[str, Any]
_PATIENCE_S = 60.0
"""A browser that says nothing for so long has hung."""
_KEYS = {"Enter": 13, "Tab": 9, "Space": 32, "ArrowRight": 39, "ArrowLeft": 37}

_SETTLED = """
(async () => {
  const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
  let before = -1;
  for (let now = 0; now !== before;) {  // what asks to be called when idle is called in turn
    before = now;
    await idle();
    await idle();
    now = document.documentElement.outerHTML.length;
  }
})()
"""


class Browser:
    """A browser with one page. complaints: what the page wrote to its console as an error, and
    exceptions."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read, self._buffer, self._number = write, read, b"", 0
        self._session: str | None = None
        self._loaded = False
        self.complaints: list[str] = []
        made = self._call("Target.createTarget", {"url": "about:blank"})
        attached = self._call(
            "Target.attachToTarget", {"targetId": made["targetId"], "flatten": True}
        )
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._call(f"{domain}.enable")
        self._call("Page.setBypassCSP", {"enabled": True})

    def open(self, file: Path, *, size: tuple[int, int], dark: bool, fragment: str = "") -> None:
        """Open a page on a screen of a size, in a colour scheme, and wait until it is there."""
        self._navigate("about:blank")  # to another fragment of a page browsers only scroll
        self.complaints.clear()
        width, height = size
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", screen)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", {"features": [scheme]})
        self._navigate(file.as_uri() + fragment)

    def _navigate(self, address: str) -> None:
        self._loaded = False
        self._call("Page.navigate", {"url": address})
        while not self._loaded:
            self._take()

    def settle(self) -> None:
        """Wait until the page has done what it does when it is idle."""
        self.run(_SETTLED)

    def run(self, script: str) -> Any:
        """The value of a script, or of what it promises."""
        found = self._call(
            "Runtime.evaluate", {"expression": script, "awaitPromise": True, "returnByValue": True}
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def key(self, name: str) -> None:
        """Press a key."""
        text = {"Enter": "\r", "Space": " "}.get(name, "")
        said = {"key": " " if name == "Space" else name, "windowsVirtualKeyCode": _KEYS[name]}
        down = {"type": "keyDown" if text else "rawKeyDown", **said}
        self._call("Input.dispatchKeyEvent", down | ({"text": text} if text else {}))
        self._call("Input.dispatchKeyEvent", {"type": "keyUp", **said})

    def click(self, selector: str) -> None:
        """Click with the mouse into the middle of an element."""
        x, y = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({ block: 'center' }); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            at = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            self._call("Input.dispatchMouseEvent", at)

    def screenshot(self) -> bytes:
        """What is on the screen, as PNG."""
        return base64.b64decode(self._call("Page.captureScreenshot", {"format": "png"})["data"])

    def serious(self) -> list[str]:
        """What axe-core finds that is serious or critical; skips where it is not installed."""
        self.run(axe())
        self.run(  # far sections, too, which browsers lay out only when they are near
            "document.head.append(Object.assign(document.createElement('style'),"
            " { textContent: '* { content-visibility: visible !important; }' }))"
        )
        found = self.run(
            "axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations"
            ".filter((v) => ['serious', 'critical'].includes(v.impact))"
            ".map((v) => [v.id, v.nodes[0].html.slice(0, 200),"
            " ...v.nodes[0].any.map((a) => a.message)].join(': ')))"
        )
        return [str(v) for v in found]

    @property
    def is_too_wide(self) -> bool:
        """Does the page have to be scrolled sideways?"""
        return bool(self.run("document.documentElement.scrollWidth > window.innerWidth"))

    def _call(self, method: str, parameters: Json | None = None) -> Json:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters or {}}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._take()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                result: Json = answer["result"]
                return result

    def _take(self) -> Json:
        """The next message, of which events are noted."""
        until = time.monotonic() + _PATIENCE_S
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(until - time.monotonic(), 0))
            assert ready, "the browser does not answer"
            more = os.read(self._read, 1 << 16)
            assert more, "the browser ended"
            self._buffer += more
        text, _, self._buffer = self._buffer.partition(b"\0")
        message: Json = json.loads(text)
        about, said = message.get("method"), message.get("params", {})
        if about == "Page.loadEventFired":
            self._loaded = True
        elif about == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.complaints.append(str(details.get("exception", {}).get("description", details)))
        elif about == "Runtime.consoleAPICalled" and said["type"] in ("error", "assert"):
            self.complaints.append(str(said["args"]))
        elif about == "Log.entryAdded" and said["entry"]["level"] == "error":
            self.complaints.append(said["entry"]["text"])
        return message


@contextmanager
def started(profile: Path) -> Iterator[Browser]:
    """A browser with a profile of its own; skips where there is none."""
    program = browser()
    if program is None:
        pytest.skip("no chromium on PATH")
    to_read, to_write = os.pipe()
    back_read, back_write = os.pipe()
    command = [*headless(program, profile, (1300, 1000)), "--remote-debugging-pipe"]
    with subprocess.Popen(  # the browser wants its pipe as files 3 and 4
        ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{back_write}', "bash", *command],
        pass_fds=(to_read, back_write),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as running:
        os.close(to_read)
        os.close(back_write)
        try:
            yield Browser(to_write, back_read)
        finally:
            os.close(to_write)
            os.close(back_read)
            running.terminate()


def axe() -> str:
    """The text of axe-core; skips where the package axe-core-python is not installed."""
    found = importlib.util.find_spec("axe_core_python")
    if found is None or found.origin is None:
        pytest.skip("axe-core-python is not installed")
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")
