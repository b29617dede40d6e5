// @ts-check
/** The running servers: one for all folders that have the same arraytyping and the same Python. */
"use strict";

const path = require("node:path");
const vscode = require("vscode");
const { CloseAction, ErrorAction, LanguageClient, State } = require("vscode-languageclient/node");
const { findServer } = require("./discovery");
const { interpreterOf } = require("./interpreter");
const { groups } = require("./plan");

const RESTARTS = 3;
const WITHIN = 3 * 60 * 1000; // milliseconds
const SCHEMES = ["file", "vscode-notebook-cell"];

/** A client that leaves to `Servers` what the user is told. */
class QuietClient extends LanguageClient {
  /**
   * @param {string} message
   * @param {any} [data]
   */
  error(message, data) {
    super.error(message, data, false);
  }
}

class Servers {
  /** @param {vscode.LogOutputChannel} output */
  constructor(output) {
    this.output = output;
    this.status = vscode.languages.createLanguageStatusItem("arraytyping.status", { language: "python" });
    this.status.name = "arraytyping";
    this.status.command = { title: "Show output", command: "arraytyping.showOutput" };
    /** @type {LanguageClient[]} */
    this.clients = [];
    /** @type {Promise<void>} */
    this.last = Promise.resolve();
    /** @type {Set<string>} */
    this.told = new Set();
  }

  /**
   * End all servers and start what the settings ask for now; one after another, if asked several times.
   * @param {{tellAgain?: boolean}} [how]
   */
  restart({ tellAgain = false } = {}) {
    this.last = this.last
      .then(async () => {
        if (tellAgain) {
          this.told.clear();
        }
        await this.end();
        await this.start();
      })
      .catch((error) => this.fail({ message: String(error?.message ?? error) }));
    return this.last;
  }

  stop() {
    this.last = this.last.then(() => this.end());
    return this.last;
  }

  refreshHints() {
    for (const client of this.clients) {
      for (const document of vscode.workspace.textDocuments) {
        client.getFeature("textDocument/inlayHint")?.getProvider(document)?.onDidChangeInlayHints.fire();
      }
    }
  }

  async start() {
    this.show("starting", { busy: true });
    const folders = vscode.workspace.workspaceFolders?.filter((f) => f.uri.scheme === "file") ?? [];
    const uris = folders.length > 0 ? folders.map((f) => f.uri) : [undefined];
    const found = [];
    let disabled = 0;
    for (const uri of uris) {
      const settings = vscode.workspace.getConfiguration("arraytyping", uri);
      if (!settings.get("enable", true)) {
        disabled += 1;
        continue;
      }
      const answer = await findServer({
        folder: uri?.fsPath,
        path: settings.get("path", ""),
        python: settings.get("python", ""),
        interpreter: await interpreterOf(uri),
      });
      if ("problem" in answer) {
        this.fail(answer.problem);
      } else {
        found.push({ folder: uri?.fsPath ?? "", server: answer.server });
      }
    }
    if (disabled === uris.length) {
      this.show("disabled for this workspace");
    }
    const all = groups(found);
    for (const group of all) {
      await this.run(group, all.length === 1);
    }
  }

  /**
   * @param {import("./plan").Group} group
   * @param {boolean} alone whether there is no other server, so that this one takes also what is in no folder
   */
  async run({ server, folders }, alone) {
    this.output.info(`starting ${[server.command, ...server.args].join(" ")} (by ${server.origin})`);
    /** @type {number[]} */
    const ends = [];
    // Of the notebooks the server asks for all, wherever they are.
    const takes = (/** @type {vscode.NotebookDocument} */ notebook) =>
      alone || folders.some((folder) => notebook.uri.fsPath.startsWith(path.join(folder, path.sep)));
    const client = new QuietClient(
      "arraytyping",
      "arraytyping",
      { command: server.command, args: server.args, options: { cwd: folders[0] || undefined } },
      {
        documentSelector: (alone ? [{}] : folders.map((folder) => ({ pattern: below(folder) }))).flatMap((where) =>
          SCHEMES.map((scheme) => ({ scheme, language: "python", ...where })),
        ),
        outputChannel: this.output,
        traceOutputChannel: this.output,
        middleware: {
          provideInlayHints: (document, range, token, next) => {
            const settings = vscode.workspace.getConfiguration("arraytyping", document.uri);
            return settings.get("inlayHints.enable", true) ? next(document, range, token) : [];
          },
          notebooks: {
            didOpen: async (notebook, cells, next) => (takes(notebook) ? next(notebook, cells) : undefined),
            didChange: async (event, next) => (takes(event.notebook) ? next(event) : undefined),
            didClose: async (notebook, cells, next) => (takes(notebook) ? next(notebook, cells) : undefined),
          },
        },
        initializationFailedHandler: () => false, // `start` says it
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => {
            ends.push(Date.now());
            if (!this.clients.includes(client)) {
              return { action: CloseAction.DoNotRestart, handled: true }; // `start` says it
            }
            if (ends.filter((time) => time > Date.now() - WITHIN).length > RESTARTS) {
              this.fail({ message: `The server of arraytyping ended ${ends.length} times; its output says why.` });
              return { action: CloseAction.DoNotRestart, handled: true };
            }
            return { action: CloseAction.Restart, handled: true };
          },
        },
      },
    );
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        const { name, version } = client.initializeResult?.serverInfo ?? {};
        this.show(`${name ?? "arraytyping"} ${version ?? ""}`.trim(), { detail: server.command });
      }
    });
    try {
      await client.start();
      this.clients.push(client);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      this.fail({ message: `The server ${server.command} did not start: ${said}` });
    }
  }

  async end() {
    const ended = this.clients.splice(0);
    await Promise.all(ended.map((client) => client.dispose(5000).catch((error) => this.output.warn(String(error)))));
  }

  /**
   * Say once what is wrong.
   * @param {import("./discovery").Problem} problem
   */
  fail({ message, install }) {
    this.output.error(message);
    this.show("not running", { detail: message, severity: vscode.LanguageStatusSeverity.Error });
    if (this.told.has(message)) {
      return;
    }
    this.told.add(message);
    const copy = install === undefined ? [] : ["Copy command"];
    const asked = vscode.window.showErrorMessage(message, ...copy, "Open settings", "Show output");
    void Promise.resolve(asked).then((answer) => {
      if (answer === "Copy command" && install !== undefined) {
        return vscode.env.clipboard.writeText(install);
      }
      if (answer === "Open settings") {
        return vscode.commands.executeCommand("workbench.action.openSettings", "arraytyping");
      }
      return answer === "Show output" ? this.output.show() : undefined;
    });
  }

  /**
   * @param {string} text
   * @param {{busy?: boolean, detail?: string, severity?: vscode.LanguageStatusSeverity}} [more]
   */
  show(text, { busy = false, detail, severity = vscode.LanguageStatusSeverity.Information } = {}) {
    this.status.text = text;
    this.status.detail = detail ?? "arraytyping";
    this.status.busy = busy;
    this.status.severity = severity;
  }
}

/**
 * The pattern of all files below a folder, in whose name nothing has another meaning.
 * @param {string} folder
 */
function below(folder) {
  return `${folder.split(path.sep).join("/").replace(/[[\]{}*?]/g, "[$&]")}/**`;
}

module.exports = { Servers };
