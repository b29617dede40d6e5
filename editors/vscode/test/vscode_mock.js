/** The part of VS Code that the extension uses, for tests without VS Code: `vscode` and the client are exchanged. */
"use strict";

const Module = require("node:module");

/** A state that a test sets, and what the extension did. */
function makeVscode({ folders = [], settings = {}, extensions = {} } = {}) {
  const listeners = { configuration: [], folders: [] };
  const did = { messages: [], commands: {}, copied: [], opened: [] };
  const subscribe = (list) => (listener) => {
    list.push(listener);
    return { dispose: () => list.splice(list.indexOf(listener), 1) };
  };
  const vscode = {
    LanguageStatusSeverity: { Information: 0, Warning: 1, Error: 2 },
    answer: undefined,
    did,
    settings,
    changeSetting(name, value) {
      settings[name] = value;
      listeners.configuration.forEach((l) => l({ affectsConfiguration: (asked) => `arraytyping.${name}`.startsWith(asked) }));
    },
    changeFolders(next) {
      vscode.workspace.workspaceFolders = next.map(folderOf);
      listeners.folders.forEach((l) => l({}));
    },
    commands: {
      registerCommand(name, callback) {
        did.commands[name] = callback;
        return { dispose() {} };
      },
      executeCommand: async (...args) => did.opened.push(args),
    },
    env: { clipboard: { writeText: async (text) => did.copied.push(text) } },
    extensions: { getExtension: (id) => extensions[id] },
    languages: { createLanguageStatusItem: (id, selector) => ({ id, selector, dispose() {} }) },
    window: {
      createOutputChannel: () => ({ info() {}, warn() {}, error() {}, show: () => did.opened.push(["output"]), dispose() {} }),
      showErrorMessage: async (text, ...buttons) => {
        did.messages.push({ text, buttons });
        return vscode.answer;
      },
    },
    workspace: {
      workspaceFolders: folders.map(folderOf),
      textDocuments: [],
      getConfiguration: () => ({ get: (name, otherwise) => settings[name] ?? otherwise }),
      onDidChangeConfiguration: subscribe(listeners.configuration),
      onDidChangeWorkspaceFolders: subscribe(listeners.folders),
    },
  };
  return vscode;
}

function folderOf(folder) {
  return { uri: { scheme: "file", fsPath: folder } };
}

/** Clients that only note what they were made of; `LanguageClient.failing` lets the next ones fail. */
function makeClients() {
  class LanguageClient {
    static made = [];
    static failing = undefined;
    constructor(id, name, server, options) {
      Object.assign(this, { id, name, server, options, started: false, disposed: false });
      LanguageClient.made.push(this);
    }
    onDidChangeState(listener) {
      this.listener = listener;
    }
    async start() {
      if (LanguageClient.failing) throw new Error(LanguageClient.failing);
      this.started = true;
      this.initializeResult = { serverInfo: { name: "arraytyping", version: "0.1.0" } };
      this.listener({ newState: 2 });
    }
    async dispose() {
      this.disposed = true;
    }
  }
  return {
    LanguageClient,
    CloseAction: { DoNotRestart: 1, Restart: 2 },
    ErrorAction: { Continue: 1, Shutdown: 2 },
    State: { Stopped: 1, Starting: 3, Running: 2 },
  };
}

/** Load a module of the extension anew, with these in the place of `vscode` and of the client. */
function load(file, vscode, clients = makeClients()) {
  const original = Module._load;
  Module._load = (request, ...rest) =>
    request === "vscode" ? vscode : request === "vscode-languageclient/node" ? clients : original(request, ...rest);
  try {
    for (const key of Object.keys(require.cache)) {
      if (/[\\/]vscode[\\/]src[\\/]/.test(key)) delete require.cache[key];
    }
    return require(file);
  } finally {
    Module._load = original;
  }
}

module.exports = { load, makeClients, makeVscode };
