/**
 * Opens a program with a mistake in VS Code with the packaged extension, and holds what a person sees there.
 *
 *   npm ci && npm run package
 *   node e2e/install.mjs build/code-server
 *   node e2e/run.mjs --code-server build/code-server --arraytyping PATH_OF_THE_PROGRAM [--images FOLDER]
 *
 * Debian's chromium is used (--chromium /usr/bin/chromium).  Nothing is fetched.  With --images the pictures of the
 * documentation are made; --only TEXT runs the scenes in whose name that is.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createVSIX } from "@vscode/vsce";
import { Editor } from "./editor.mjs";

const here = import.meta.dirname;
const { values } = parseArgs({
  options: {
    "code-server": { type: "string", default: "build/code-server" },
    arraytyping: { type: "string" },
    vsix: { type: "string", default: path.join(here, "..", "arraytyping.vsix") },
    chromium: { type: "string", default: "/usr/bin/chromium" },
    images: { type: "string" },
    only: { type: "string", default: "" },
  },
});
if (values.arraytyping === undefined) throw new Error("--arraytyping: the path of the program is needed");
const arraytyping = path.resolve(values.arraytyping);
const how = { codeServer: path.resolve(values["code-server"]), vsix: path.resolve(values.vsix), chromium: values.chromium };
const program = fs.readFileSync(path.join(here, "train.py"), "utf8");
const MISTAKE = "x @ w + b";

let failed = 0;

/** Do something in an editor of its own, and say whether it went well. */
async function scene(name, options, act) {
  if (!name.includes(values.only)) return;
  const started = Date.now();
  let editor;
  try {
    editor = await Editor.open({ ...how, ...options });
    await act(editor);
    console.log(`ok: ${name} (${((Date.now() - started) / 1000).toFixed(0)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`failed: ${name}: ${error.stack}\n${editor?.output() ?? ""}`);
    await editor?.screenshot(path.join(os.tmpdir(), "arraytyping-editor-failed.png"));
  } finally {
    await editor?.close();
  }
}

async function image(editor, name) {
  if (values.images === undefined) return;
  const file = path.join(values.images, name);
  await editor.screenshot(file);
  spawnSync("pngquant", ["--force", "--quality", "70-95", "--output", file, file]); // smaller, where it is installed
}

/** The texts of the notifications. */
const notifications = (editor) => editor.page.locator(".notification-list-item-message").allTextContents();

/** An extension of these files, packaged. */
async function packaged(files) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "arraytyping-stand-in-"));
  files[".vscodeignore"] = "";
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  const packagePath = path.join(folder, "stand-in.vsix");
  await createVSIX({ cwd: folder, packagePath, dependencies: false, allowMissingRepository: true, skipLicense: true });
  process.on("exit", () => fs.rmSync(folder, { recursive: true }));
  return packagePath;
}

/** Work as a person does: read, hover, mend, undo, restart. */
async function work(editor, theme) {
  const { page } = editor;
  await editor.show("train.py", program);
  await page.keyboard.press("Control+B"); // without the list of files

  const shown = await editor.waitForLine("w: float32[128, 784], b: float32[128] = layer");
  assert.ok(shown.includes("w: float32[128, 784], b: float32[128] = layer"), shown);
  assert.ok(shown.includes("def loss(layers, images: float32[32, 784], labels: int32[32]):"), shown);
  await page.locator(".squiggly-error").first().waitFor();

  const place = await editor.placeOf("logits = x @ w", MISTAKE.slice(0, 5));
  await page.mouse.move(place.x, place.y);
  const hover = page.locator(".monaco-hover:not(.hidden) .monaco-hover-content");
  await hover.filter({ hasText: "array-shape" }).waitFor();
  const said = await hover.innerText();
  assert.match(said, /dimension 1 of \(32, 128\) is 128, dimension 0 of \(10, 128\) is 10/);
  assert.match(said, /did you mean x @ w\.T\?/);
  await hover.filter({ hasText: "no result: the operation fails (array-shape)" }).waitFor();
  await page.waitForTimeout(500); // until it has faded in
  await image(editor, `vscode-${theme}.png`);
  await page.mouse.move(5, 5);

  await editor.command("View: Toggle Problems");
  await page.locator(".markers-panel .monaco-list-row", { hasText: "matmul: contracted dimensions differ" }).waitFor();
  await editor.command("View: Toggle Problems");

  await page.mouse.click(place.x, place.y);
  await page.keyboard.press("Control+.");
  const widget = page.locator(".action-widget");
  await widget.getByText("Replace by x @ w.T").waitFor();
  await widget.getByText("Ignore array-shape here").waitFor();
  await image(editor, `vscode-actions-${theme}.png`);
  await page.keyboard.press("Enter"); // which takes the first one
  await editor.waitForLine("logits: float32[32, 10] = x @ w.T + b"); // which is not saved
  await page.locator(".squiggly-error").first().waitFor({ state: "detached" });
  assert.ok((await editor.lines()).includes("value: float32[], grads"), await editor.lines());

  await editor.command("arraytyping: Restart server");
  await editor.waitForLine("float32[32, 784]", { gone: true });
  await editor.waitForLine("logits: float32[32, 10] = x @ w.T + b");
  assert.deepEqual(await notifications(editor), []);
}

for (const [theme, name] of [["dark", "Default Dark Modern"], ["light", "Default Light Modern"]]) {
  const settings = { "arraytyping.path": arraytyping, "workbench.colorTheme": name };
  await scene(`hints, a diagnostic, hover, code actions and a restart, ${theme}`, { settings }, (e) => work(e, theme));
}

/** A notebook of these cells. */
const notebook = (...cells) =>
  JSON.stringify({
    cells: cells.map((source) => ({ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source })),
    metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 4,
  }); // prettier-ignore
const cells = [
  "import jax\nimport jax.numpy as jnp\n%matplotlib inline",
  "def layer(w, x):\n    return jax.nn.relu(x @ w)",
  "images = jnp.ones((32, 784))\nhidden = layer(jnp.ones((784, 128)), images)",
  "%time logits = hidden @ jnp.ones((10, 128))",
];
const light = { "arraytyping.path": arraytyping, "workbench.colorTheme": "Default Light Modern", "workbench.editorAssociations": { "*.ipynb": "jupyter-notebook" } };
await scene("the cells of a notebook", { settings: light, height: 520 }, async (editor) => {
  fs.writeFileSync(path.join(editor.folder, "train.ipynb"), notebook(...cells));
  await editor.show("empty.py", "import jax.numpy as jnp\nx = jnp.ones(3)\n");
  await editor.waitForLine("x: float32[3] ="); // by then all extensions are there
  await editor.page.getByRole("treeitem", { name: "train.ipynb" }).dblclick(); // by its address it is shown as text
  await editor.page.locator(".notebookOverlay").first().waitFor();
  await editor.page.keyboard.press("Control+B");
  await editor.waitForLine("hidden: float32[32, 128] = layer(");
  await editor.waitForLine("def layer(w: float32[784, 128], x: float32[32, 784]):");
  await editor.page.locator(".squiggly-error").first().waitFor();
  await image(editor, "vscode-notebook-light.png");
  const place = await editor.placeOf("%time logits", "hidden");
  await editor.page.mouse.move(place.x, place.y);
  const hover = editor.page.locator(".monaco-hover:not(.hidden) .monaco-hover-content");
  await hover.filter({ hasText: "dimension 1 of (32, 128) is 128, dimension 0 of (10, 128) is 10" }).waitFor();
  assert.match(await hover.innerText(), /line 2 of cell 2/);
  assert.deepEqual(await notifications(editor), []);
});

const python = path.join(path.dirname(arraytyping), process.platform === "win32" ? "python.exe" : "python");
const standIn = await packaged({
  "package.json": JSON.stringify({
    name: "python", publisher: "ms-python", version: "1.0.0", engines: { vscode: "^1.91.0" }, main: "./main.js",
    activationEvents: ["onLanguage:python"], extensionKind: ["workspace"],
  }), // prettier-ignore
  "main.js": `const vscode = require("vscode");
exports.activate = () => ({environments: {
  getActiveEnvironmentPath: () => ({path: ${JSON.stringify(python)}}),
  resolveEnvironment: async (p) => ({executable: {uri: vscode.Uri.file(p.path)}}),
}});`,
});
const bare = { PATH: "/usr/bin:/bin" };
await scene("the interpreter of the Python extension (a stand-in for it)", { env: bare, others: [standIn] }, async (editor) => {
  await editor.show("train.py", program);
  await editor.waitForLine("w: float32[128, 784], b: float32[128] = layer");
  assert.match(editor.output(), /-P -m arraytyping lsp --python .* \(by interpreter\)/);
});

await scene("arraytyping is nowhere: one message", { env: bare }, async (editor) => {
  await editor.show("train.py", program);
  await editor.page.locator(".notification-list-item-message").first().waitFor();
  await editor.page.waitForTimeout(3000);
  const said = await notifications(editor);
  assert.equal(said.length, 1, said.join("\n"));
  assert.match(said[0], /arraytyping is not on PATH: pip install 'arraytyping\[lsp\]'/);
});

const dying = path.join(here, "dying_server.mjs");
await scene("a server that dies: one message", { settings: { "arraytyping.path": dying } }, async (editor) => {
  await editor.show("train.py", program);
  await editor.page.locator(".notification-list-item-message").first().waitFor();
  await editor.page.waitForTimeout(3000);
  const said = await notifications(editor);
  assert.equal(said.length, 1, said.join("\n"));
  assert.match(said[0], /dying_server\.mjs did not start/);
});

process.exitCode = failed ? 1 : 0;
