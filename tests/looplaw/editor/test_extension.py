"""The VS Code extension: its description is right, and it starts the server that is set."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from looplaw.cli.main import VERBS
from looplaw.editor.notes import Options
from staticana.frontend.registry import SUFFIXES as KNOWN

FOLDER = Path(__file__).resolve().parents[3] / "editors" / "vscode"
_STUBS = """
const module_ = require('module');
const load = module_._load;
const said = { commands: [], sent: [] };
const section = { command: ['/there/looplaw', 'lsp'], compileErrors: false };
const configuration = { ...section, get: (name) => section[name] };
let changed;
const vscode = {
  commands: { registerCommand: (name) => said.commands.push(name) },
  window: { showErrorMessage: (text) => (said.error = text) },
  workspace: {
    getConfiguration: () => configuration,
    onDidChangeConfiguration: (handler) => (changed = handler),
  },
};
class LanguageClient {
  constructor(id, name, server, client) { Object.assign(said, { id, server, client }); }
  async start() { said.started = true; if (process.env.FAILS) throw new Error('ENOENT'); }
  async stop() { said.stopped = true; }
  sendNotification(method, params) { said.sent.push([method, params]); }
}
module_._load = (name, ...rest) =>
  name === 'vscode' ? vscode
  : name === 'vscode-languageclient/node' ? { LanguageClient, TransportKind: { stdio: 0 } }
  : load(name, ...rest);
(async () => {
  const extension = require(process.argv[1]);
  await extension.activate({ subscriptions: [] });
  await changed({ affectsConfiguration: (name) => name === 'looplaw' });
  await extension.deactivate();
  console.log(JSON.stringify(said));
})();
"""


def _package() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "package.json").read_text())
    return found


def test_the_description_names_what_exists() -> None:
    package = _package()
    assert (FOLDER / package["main"]).is_file()
    settings = package["contributes"]["configuration"]["properties"]
    name, verb = settings["looplaw.command"]["default"]
    assert name == "looplaw"
    assert verb in VERBS
    script = (FOLDER / package["main"]).read_text()
    for command in package["contributes"]["commands"]:
        assert f"'{command['command']}'" in script
    assert {"vscode-languageclient"} == package["dependencies"].keys()
    assert set(re.findall(r"require\('([^'/]+)", script)) == {"vscode", "vscode-languageclient"}


def test_each_option_of_the_server_is_a_setting_with_its_default() -> None:
    settings = _package()["contributes"]["configuration"]["properties"]
    defaults = msgspec.to_builtins(Options())
    assert {k.removeprefix("looplaw."): v["default"] for k, v in settings.items()} == {
        "command": ["looplaw", "lsp"],
        **defaults,
    }


def test_which_program_is_started_is_not_for_an_untrusted_folder_to_say() -> None:
    trust = _package()["capabilities"]["untrustedWorkspaces"]
    assert trust["restrictedConfigurations"] == ["looplaw.command"]


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
@pytest.mark.parametrize("fails", ["", "1"])
def test_it_starts_the_server_that_is_set(fails: str) -> None:
    done = subprocess.run(
        ["node", "-e", _STUBS, str(FOLDER / "extension.js")],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/usr/bin:/bin", "FAILS": fails},
    )
    said = json.loads(done.stdout)
    assert said["started"]
    assert said["server"]["command"] == "/there/looplaw"
    assert said["server"]["args"] == ["lsp"]
    assert said["client"]["initializationOptions"] == {"compileErrors": False}
    if fails:
        assert "pip install 'looplaw[editor]'" in said["error"]
    else:
        ((method, params),) = said["sent"]
        assert method == "workspace/didChangeConfiguration"
        assert params == {"settings": {"looplaw": {"compileErrors": False}}}
        assert said["stopped"]


def test_the_server_analyses_what_the_front_ends_read() -> None:
    pytest.importorskip("pygls")
    from looplaw.editor.server import SUFFIXES

    # code that nobody edits, and hosts of kernels, whose editors have tools of their own
    assert SUFFIXES | {".ll", ".bc", ".spv", ".opencl", ".py"} == KNOWN
