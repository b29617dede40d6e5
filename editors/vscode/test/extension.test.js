"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { afterEach, beforeEach, test } = require("node:test");
const { load, makeClients, makeVscode } = require("./vscode_mock");

let folder, context, clients, extension;
const savedPath = process.env.PATH;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "arraytyping-test-"));
  context = { subscriptions: [] };
  clients = makeClients();
  process.env.PATH = folder; // no arraytyping of this machine
});

afterEach(async () => {
  process.env.PATH = savedPath;
  await extension?.deactivate();
  context.subscriptions.forEach((s) => s.dispose());
  fs.rmSync(folder, { recursive: true });
});

/** A program that answers `lsp` as arraytyping does. */
function program(name, body = "") {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `#!${process.execPath}\n${body}\n`, { mode: 0o755 });
  return file;
}

async function activate(how) {
  const vscode = makeVscode(how);
  extension = load("../src/extension.js", vscode, clients);
  await extension.activate(context);
  return vscode;
}

/** Wait until something holds. */
async function until(holds) {
  for (let i = 0; !holds(); i++) {
    assert.ok(i < 200, `${holds} within 10 s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const EVERYWHERE = ["file", "vscode-notebook-cell"].map((scheme) => ({ scheme, language: "python" }));

test("the server is started for the Python files of the folder", async () => {
  const vscode = await activate({ folders: [folder], settings: { path: program("at") } });
  const [client] = clients.LanguageClient.made;
  assert.ok(client.started);
  assert.equal(client.id, "arraytyping"); // of which the client makes arraytyping.trace.server
  assert.deepEqual(client.server.args, ["lsp"]);
  assert.deepEqual(client.options.documentSelector, EVERYWHERE);
  assert.deepEqual(vscode.did.messages, []);
  await extension.deactivate();
  assert.ok(client.disposed);
});

test("the interpreter of the Python extension is asked, and a change of it restarts the server", async () => {
  const facts = { version: [3, 12], arraytyping: true, pygls: true, jax: true };
  let chosen = program("python-a", `console.log(${JSON.stringify(JSON.stringify(facts))})`);
  let changed;
  const environments = {
    getActiveEnvironmentPath: () => ({ path: chosen }),
    resolveEnvironment: async ({ path: p }) => ({ executable: { uri: { fsPath: p } } }),
    onDidChangeActiveEnvironmentPath: (listener) => {
      changed = listener;
      return { dispose() {} };
    },
  };
  await activate({ folders: [folder], extensions: { "ms-python.python": { activate: async () => ({ environments }) } } });
  assert.equal(clients.LanguageClient.made[0].server.command, chosen);
  chosen = program("python-b", `console.log(${JSON.stringify(JSON.stringify(facts))})`);
  changed();
  await until(() => clients.LanguageClient.made[1]?.started);
  assert.ok(clients.LanguageClient.made[0].disposed);
  assert.equal(clients.LanguageClient.made[1].server.command, chosen);
});

test("a Python extension that fails is as none", async () => {
  const failing = { "ms-python.python": { activate: () => Promise.reject(new Error("no")) } };
  await activate({ folders: [folder], settings: { path: program("at") }, extensions: failing });
  assert.ok(clients.LanguageClient.made[0].started);
});

test("where arraytyping is missing, one message says it, until the server is asked for anew", async () => {
  const vscode = makeVscode({ folders: [folder, `${folder}-other`] });
  vscode.answer = "Copy command";
  extension = load("../src/extension.js", vscode, clients);
  await extension.activate(context);
  assert.equal(vscode.did.messages.length, 1);
  assert.match(vscode.did.messages[0].text, /^arraytyping is not on PATH: pip install/);
  assert.deepEqual(vscode.did.messages[0].buttons, ["Copy command", "Open settings", "Show output"]);
  await until(() => vscode.did.copied.length);
  assert.deepEqual(vscode.did.copied, ["pip install 'arraytyping[lsp]'"]);
  assert.equal(clients.LanguageClient.made.length, 0);
  await vscode.did.commands["arraytyping.restart"]();
  assert.equal(vscode.did.messages.length, 2);
});

test("a server that does not start is told once", async () => {
  clients.LanguageClient.failing = "it ended";
  const vscode = await activate({ folders: [folder], settings: { path: program("at") } });
  assert.deepEqual(
    vscode.did.messages.map((m) => m.text),
    [`The server ${path.join(folder, "at")} did not start: it ended`],
  );
});

test("a server that ends is started again, but not for ever", async () => {
  const vscode = await activate({ folders: [folder], settings: { path: program("at") } });
  const { errorHandler } = clients.LanguageClient.made[0].options;
  const actions = [1, 2, 3, 4].map(() => errorHandler.closed());
  assert.deepEqual(actions.map((a) => a.action), [2, 2, 2, 1]);
  assert.ok(actions.every((a) => a.handled));
  assert.equal(vscode.did.messages.length, 1);
  assert.match(vscode.did.messages[0].text, /The server of arraytyping ended 4 times/);
});

test("settings take effect as they change", async () => {
  const vscode = await activate({ folders: [folder], settings: { path: program("at") } });
  vscode.changeSetting("path", program("other"));
  await until(() => clients.LanguageClient.made[1]?.started);
  assert.equal(clients.LanguageClient.made[1].server.command, path.join(folder, "other"));
  vscode.changeSetting("enable", false);
  await until(() => clients.LanguageClient.made[1].disposed);
  assert.equal(clients.LanguageClient.made.length, 2);
});

test("folders that come and go, each with its own arraytyping", async () => {
  const own = ["a", "b[1]"].map((name) => {
    fs.mkdirSync(path.join(folder, name, ".venv", "bin"), { recursive: true });
    return program(path.join(name, ".venv", "bin", "arraytyping"));
  });
  program("arraytyping");
  const vscode = await activate({ folders: [] });
  assert.equal(clients.LanguageClient.made[0].server.command, path.join(folder, "arraytyping"));
  assert.deepEqual(clients.LanguageClient.made[0].options.documentSelector, EVERYWHERE);
  vscode.changeFolders(["a", "b[1]"].map((name) => path.join(folder, name)));
  await until(() => clients.LanguageClient.made[2]?.started);
  const made = clients.LanguageClient.made.slice(1);
  assert.deepEqual(made.map((c) => c.server.command), own);
  const patterns = made.map((c) => c.options.documentSelector.map((filter) => filter.pattern));
  assert.deepEqual(patterns, [`${folder}/a/**`, `${folder}/b[[]1[]]/**`].map((below) => [below, below]));
  const notebook = { uri: { fsPath: path.join(folder, "b[1]", "train.ipynb") } };
  const sent = await Promise.all(
    made.flatMap((c) => {
      const { didOpen, didChange, didClose } = c.options.middleware.notebooks;
      return [
        didOpen(notebook, [], async () => "opened"),
        didChange({ notebook }, async () => "changed"),
        didClose(notebook, [], async () => "closed"),
      ];
    }),
  );
  assert.deepEqual(sent, [undefined, undefined, undefined, "opened", "changed", "closed"]);
});

test("hints are asked for only where they are wanted", async () => {
  const vscode = await activate({ folders: [folder], settings: { path: program("at") } });
  const { provideInlayHints } = clients.LanguageClient.made[0].options.middleware;
  const hints = () => provideInlayHints({ uri: {} }, {}, {}, () => ["hint"]);
  assert.deepEqual(hints(), ["hint"]);
  vscode.settings["inlayHints.enable"] = false;
  assert.deepEqual(hints(), []);
});

test("package.json has what the code asks for", () => {
  const manifest = require("../package.json");
  const root = path.join(__dirname, "..");
  const sources = fs.readdirSync(path.join(root, "src")).map((f) => fs.readFileSync(path.join(root, "src", f), "utf8"));
  const code = sources.join("\n");
  for (const { command } of manifest.contributes.commands) assert.ok(code.includes(`"${command}"`), command);
  const settings = Object.keys(manifest.contributes.configuration.properties);
  for (const [, name] of code.matchAll(/settings\.get\("([\w.]+)"/g)) assert.ok(settings.includes(`arraytyping.${name}`), name);
  assert.ok(settings.includes("arraytyping.trace.server"));
  assert.deepEqual(manifest.activationEvents, ["onLanguage:python"]);
  assert.ok(fs.existsSync(path.join(root, manifest.icon)));
});
