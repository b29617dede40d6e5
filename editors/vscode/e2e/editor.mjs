/** VS Code in a headless Chromium, with the packaged extension: what a person sees and does there. */
import { spawn, execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import os from "node:os";
import path from "node:path";

const CHROMIUM = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
]; // prettier-ignore

const SETTINGS = {
  "breadcrumbs.enabled": false,
  "editor.fontFamily": "DejaVu Sans Mono",
  "editor.hover.above": false,
  "editor.minimap.enabled": false,
  "editor.renderLineHighlight": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "window.commandCenter": false,
  "workbench.activityBar.location": "hidden",
  "workbench.layoutControl.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

/** The lines of editors, those in notebooks too. */
const LINES = ".editor-instance .view-line, .notebookOverlay .view-line";

/** A free port of this machine. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export class Editor {
  /**
   * @param {{codeServer: string, vsix: string, chromium: string, settings?: object, env?: object, width?: number,
   *   height?: number, others?: string[]}} how
   */
  static async open(how) {
    const editor = new Editor();
    try {
      await editor.#open(how);
    } catch (error) {
      await editor.close();
      throw error;
    }
    return editor;
  }

  async #open({ codeServer, vsix, chromium, settings = {}, env = {}, width = 860, height = 760, others = [] }) {
    this.home = fs.mkdtempSync(path.join(os.tmpdir(), "arraytyping-editor-"));
    this.folder = path.join(this.home, "digits");
    const user = path.join(this.home, "user");
    const installed = path.join(this.home, "extensions");
    fs.mkdirSync(path.join(user, "User"), { recursive: true });
    fs.mkdirSync(this.folder);
    fs.writeFileSync(path.join(user, "User", "settings.json"), JSON.stringify({ ...SETTINGS, ...settings }));
    fs.writeFileSync(path.join(this.home, "config.yaml"), "auth: none\n");
    const entry = path.join(codeServer, "node_modules", "code-server", "out", "node", "entry.js");
    const common = [
      entry, "--config", path.join(this.home, "config.yaml"), "--user-data-dir", user, "--extensions-dir", installed,
    ]; // prettier-ignore
    for (const file of [vsix, ...others]) {
      execFileSync(process.execPath, [...common, "--install-extension", file], { stdio: "pipe" });
    }
    this.port = await freePort();
    const options = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
    this.server = spawn(process.execPath, [...common, ...options, "--bind-addr", `127.0.0.1:${this.port}`], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    await new Promise((resolve, reject) => {
      let said = "";
      const listen = (data) => {
        said += data;
        if (said.includes("HTTP server listening")) resolve();
      };
      this.server.stdout.on("data", listen);
      this.server.stderr.on("data", listen);
      this.server.on("exit", () => reject(new Error(`code-server ended: ${said}`)));
    });
    const { chromium: browser } = createRequire(path.join(codeServer, "package.json"))("playwright-core");
    this.browser = await browser.launch({ executablePath: chromium, args: CHROMIUM });
    this.page = await this.browser.newPage({ viewport: { width, height } });
    this.page.setDefaultTimeout(40_000);
  }

  /** Open a file of the folder with this text. */
  async show(name, text) {
    const file = path.join(this.folder, name);
    fs.writeFileSync(file, text);
    const payload = JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${this.port}${file}`]]);
    const query = new URLSearchParams({ folder: this.folder, payload });
    await this.page.goto(`http://127.0.0.1:${this.port}/?${query}`);
    await this.page.locator(".monaco-editor .view-line").first().waitFor();
  }

  /** The lines of the editor that can be seen, with the hints in them. */
  async lines() {
    const texts = await this.page.locator(LINES).evaluateAll((lines) =>
      lines
        .map((line) => [parseInt(line.style.top, 10), line.textContent])
        .sort(([a], [b]) => a - b)
        .map(([, text]) => text.replaceAll("\u00a0", " ").replace(/[\u200b\u200c\u200d]/g, "")),
    );
    return texts.join("\n");
  }

  /** Wait until the lines contain a text, or contain it no longer. */
  async waitForLine(text, { gone = false, seconds = 60 } = {}) {
    const until = Date.now() + seconds * 1000;
    for (;;) {
      const shown = await this.lines();
      if (shown.includes(text) !== gone) return shown;
      if (Date.now() > until) {
        throw new Error(`the editor ${gone ? "still shows" : "does not show"} ${JSON.stringify(text)}:\n${shown}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** The place of a text in the line that begins so. */
  async placeOf(beginning, text) {
    const box = await this.page.evaluate(
      ([start, wanted, lines]) => {
        for (const line of document.querySelectorAll(lines)) {
          const whole = line.textContent.replaceAll("\u00a0", " ");
          if (!whole.trimStart().startsWith(start)) continue;
          const range = document.createRange();
          const at = whole.indexOf(wanted);
          if (at < 0) continue;
          const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          let before = 0;
          for (let node = walker.nextNode(); node; before += node.data.length, node = walker.nextNode()) {
            if (before <= at && at < before + node.data.length) range.setStart(node, at - before);
            const end = at + wanted.length;
            if (before < end && end <= before + node.data.length) range.setEnd(node, end - before);
          }
          const { x, y, width, height } = range.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        }
        return null;
      },
      [beginning, text, LINES],
    );
    if (box === null) throw new Error(`${JSON.stringify(text)} is not in a line that begins with ${beginning}`);
    return box;
  }

  /** Run a command by its title in the palette. */
  async command(title) {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget .quick-input-box input").first().waitFor();
    await this.page.keyboard.type(title);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
    await this.page.keyboard.press("Enter");
  }

  /** What the extension has written to its output. */
  output() {
    const logs = path.join(this.home, "user", "logs");
    const files = fs.existsSync(logs) ? fs.readdirSync(logs, { recursive: true }) : [];
    const own = files.filter((file) => path.basename(file).includes("arraytyping") && file.endsWith(".log"));
    return own.map((file) => fs.readFileSync(path.join(logs, file), "utf8")).join("\n");
  }

  async screenshot(file) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
  }

  async close() {
    await this.browser?.close();
    if (this.server?.pid !== undefined && this.server.exitCode === null) {
      try {
        process.kill(-this.server.pid, "SIGTERM"); // with the processes that it has started
      } catch {
        // it has ended by itself
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    if (this.home !== undefined) fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}
