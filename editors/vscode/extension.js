// Starts `looplaw lsp` and hands it to VS Code; everything else is the server's.
'use strict';

const { commands, window, workspace } = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

const LANGUAGES = ['c', 'cpp', 'rust', 'fortran', 'FortranFreeForm', 'fortran-modern'];
const SECTION = 'looplaw';
let client;

function options() {
  const { compileErrors, codeLens, budget, debounce, limit } = workspace.getConfiguration(SECTION);
  return { compileErrors, codeLens, budget, debounce, limit };
}

async function start() {
  const [command, ...args] = workspace.getConfiguration(SECTION).get('command');
  client = new LanguageClient(
    SECTION,
    'looplaw',
    { command, args, transport: TransportKind.stdio },
    {
      documentSelector: LANGUAGES.map((language) => ({ scheme: 'file', language })),
      initializationOptions: options(),
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(
      `looplaw: ${command} does not start: ${error.message}. ` +
        "Type: pip install 'looplaw[editor]', or name it in the setting looplaw.command.",
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand('looplaw.restart', async () => {
      await stop();
      await start();
    }),
    workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration(`${SECTION}.command`)) {
        await stop();
        await start();
      } else if (event.affectsConfiguration(SECTION)) {
        client?.sendNotification('workspace/didChangeConfiguration', {
          settings: { [SECTION]: options() },
        });
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
