"""What docs/editors.md says of Neovim and Emacs, run without a screen where these are installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

pytest.importorskip("pygls")

_TEXT = """\
void triangle(double *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i] += a[j];
}
"""
_HINTS = ["= n a call", "= n*(n - 1)/2 a call"]
_LENSES = ["work = n*(n - 1)/2 iterations a call"]
_IN_NEOVIM = """
local function hints()
  local found = {}
  for _, h in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
    found[#found + 1] = h.inlay_hint.label
  end
  return found
end
local function lenses()
  local found = {}
  for _, lens in ipairs(vim.lsp.codelens.get(0)) do found[#found + 1] = lens.command.title end
  return found
end
vim.wait(60000, function() return #hints() == 2 and #lenses() == 1 end, 20)
local hover
local place = { line = 2, character = 2 }
local document = vim.lsp.util.make_text_document_params()
vim.lsp.buf_request_all(0, 'textDocument/hover', { textDocument = document, position = place },
  function(answers) for _, answer in pairs(answers) do hover = answer.result.contents.value end end)
vim.wait(60000, function() return hover end, 20)
local shown = { hints = hints(), lenses = lenses(), hover = hover }
io.stdout:write('SHOWN', vim.json.encode(shown), '\\n')
vim.cmd('qall!')
"""
_IN_EMACS = """
(setq eglot-sync-connect 60)
(find-file "triangle.c")
(run-hooks 'post-command-hook)
(let ((until (+ (float-time) 60)) (server (eglot-current-server)) hints hover)
  (unless eglot-inlay-hints-mode (error "no inlay hints"))
  (while (and (< (length hints) 2) (< (float-time) until))
    (eglot--update-hints-1 (point-min) (point-max))
    (accept-process-output nil 0.1)
    (setq hints nil)
    (dolist (shown (overlays-in (point-min) (point-max)))
      (when (overlay-get shown 'eglot--inlay-hint)
        (push (string-trim (substring-no-properties
                            (or (overlay-get shown 'after-string)
                                (overlay-get shown 'before-string))))
              hints))))
  (setq hover (jsonrpc-request server :textDocument/hover
                               (list :textDocument (eglot--TextDocumentIdentifier)
                                     :position '(:line 2 :character 2))))
  (princ (concat "SHOWN" (json-serialize
                          (list :hints (vconcat hints) :lenses []
                                :hover (plist-get (plist-get hover :contents) :value)))
                 "\\n")))
(kill-emacs)
"""


def _blocks(language: str) -> list[str]:
    """What the page shows in a language, in its order."""
    text = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def _version(command: str) -> tuple[int, ...]:
    """The version of an editor, () where it is not installed."""
    path = shutil.which(command)
    if path is None:
        return ()
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    return tuple(map(int, found.groups())) if found else ()


def _shown(words: list[str], folder: Path) -> dict[str, list[str]]:
    """What an editor shows of the example, with the command `looplaw` being ours."""
    (folder / "triangle.c").write_text(_TEXT)
    (folder / "bin").mkdir()
    started = folder / "bin/looplaw"
    started.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m looplaw "$@"\n')
    started.chmod(0o755)
    path = os.pathsep.join((str(folder / "bin"), os.environ.get("PATH", os.defpath)))
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("SHOWN")]
    assert lines, done.stdout + done.stderr
    shown: dict[str, list[str]] = json.loads(lines[-1].removeprefix("SHOWN"))
    assert "iterations in a call of its function: `n*(n - 1)/2`" in shown.pop("hover")
    return shown


@pytest.mark.skipif(_version("nvim") < (0, 11), reason="no Neovim 0.11 or later")
def test_neovim_shows_laws_and_work_after_what_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "init.lua").write_text("\n".join(_blocks("lua")))
    (tmp_path / "check.lua").write_text(_IN_NEOVIM)
    words = ["nvim", "--headless", "-u", "init.lua", "triangle.c", "-c", "luafile check.lua"]
    assert _shown(words, tmp_path) == {"hints": _HINTS, "lenses": _LENSES}


@pytest.mark.skipif(_version("emacs") < (29,), reason="no Emacs 29 or later")
def test_eglot_shows_laws_after_what_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "notes.el").write_text(_blocks("elisp")[0])
    (tmp_path / "check.el").write_text(_IN_EMACS)
    words = ["emacs", "--batch", "-Q", "-l", "notes.el", "-l", "check.el"]
    shown = _shown(words, tmp_path)
    assert sorted(shown["hints"]) == sorted(_HINTS)
