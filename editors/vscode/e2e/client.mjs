/**
 * Talks to the server by the client library of VS Code: node e2e/client.mjs PATH_OF_ARRAYTYPING
 *
 * Prints as JSON what it says of train.py: the diagnostics, the hints, what stands at a hover, the titles of the actions.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import protocol from "vscode-languageserver-protocol/node";

const file = path.join(import.meta.dirname, "train.py");
const uri = pathToFileURL(file).href;
const text = fs.readFileSync(file, "utf8");
const server = spawn(process.argv[2], ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = protocol.createProtocolConnection(
  new protocol.StreamMessageReader(server.stdout),
  new protocol.StreamMessageWriter(server.stdin),
);
const told = new Promise((resolve) => {
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
    if (params.uri === uri && params.diagnostics.length > 0) resolve(params.diagnostics);
  });
});
connection.listen();

const folder = pathToFileURL(import.meta.dirname).href;
const { capabilities, serverInfo } = await connection.sendRequest(protocol.InitializeRequest.type, {
  processId: process.pid,
  rootUri: folder,
  workspaceFolders: [{ uri: folder, name: "e2e" }],
  capabilities: { textDocument: { inlayHint: {}, hover: { contentFormat: ["plaintext"] }, publishDiagnostics: {} } },
});
await connection.sendNotification(protocol.InitializedNotification.type, {});
await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
  textDocument: { uri, languageId: "python", version: 1, text },
});
const diagnostics = await told;
const lines = text.split("\n");
const textDocument = { uri };
const range = { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } };
const hints = await connection.sendRequest(protocol.InlayHintRequest.type, { textDocument, range });
const line = lines.findIndex((l) => l.includes("x @ w + b"));
const position = { line: line - 3, character: lines[line - 3].indexOf('layer["w"]') };
const hover = await connection.sendRequest(protocol.HoverRequest.type, { textDocument, position });
const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
  textDocument,
  range: diagnostics[0].range,
  context: { diagnostics },
});
await connection.sendRequest(protocol.ShutdownRequest.type);
await connection.sendNotification(protocol.ExitNotification.type);
console.log(
  JSON.stringify({
    serverInfo,
    capabilities: Object.keys(capabilities),
    diagnostics: diagnostics.map((d) => [d.range.start.line + 1, d.code, d.message]),
    hints: hints.map((h) => [h.position.line + 1, h.label]),
    hover: hover?.contents.value ?? null,
    actions: actions.map((a) => a.title),
  }),
);
connection.dispose();
