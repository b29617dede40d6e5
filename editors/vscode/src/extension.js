// @ts-check
/** What VS Code calls: it starts the servers, and tells what is wrong in one message. */
"use strict";

const vscode = require("vscode");
const { Servers } = require("./servers");
const { whenChosen } = require("./interpreter");

const RESTARTING = ["arraytyping.enable", "arraytyping.path", "arraytyping.python"];
const PAUSE = 300; // milliseconds; several folders change one after the other

/** @type {Servers | undefined} */
let servers;

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  const output = vscode.window.createOutputChannel("arraytyping", { log: true });
  const running = new Servers(output);
  servers = running;

  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void running.restart(), PAUSE);
  };
  context.subscriptions.push(
    output,
    running.status,
    { dispose: () => clearTimeout(timer) },
    vscode.commands.registerCommand("arraytyping.restart", () => running.restart({ tellAgain: true })),
    vscode.commands.registerCommand("arraytyping.showOutput", () => output.show()),
    vscode.workspace.onDidChangeWorkspaceFolders(soon),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (RESTARTING.some((name) => event.affectsConfiguration(name))) {
        soon();
      } else if (event.affectsConfiguration("arraytyping.inlayHints")) {
        running.refreshHints();
      }
    }),
  );
  await running.restart();
  const subscription = await whenChosen(soon);
  if (subscription !== undefined) {
    context.subscriptions.push(subscription);
  }
}

function deactivate() {
  return servers?.stop();
}

module.exports = { activate, deactivate };
