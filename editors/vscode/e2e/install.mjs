/**
 * Installs code-server, which is VS Code in a browser, and playwright-core into a folder: node e2e/install.mjs FOLDER
 *
 * code-server's own installer fetches ripgrep and a fork of one package from elsewhere than the npm registry; here
 * neither is needed, so that its steps are made one by one.  A compiler for the native modules has to be there.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const VERSIONS = ["code-server@4.96.4", "playwright-core@1.64.1"]; // the last code-server for Node.js 20
const NATIVE = ["native-watchdog", "@vscode/spdlog", "node-pty", "@parcel/watcher"];

const target = path.resolve(process.argv[2] ?? "build/code-server");
const npm = (folder, ...args) => run(folder, "npm", ...args, "--ignore-scripts", "--no-audit", "--no-fund");

function run(folder, command, ...args) {
  console.log(`${command} ${args.join(" ")}`);
  execFileSync(command, args, { cwd: folder, stdio: "inherit" });
}

fs.mkdirSync(target, { recursive: true });
fs.writeFileSync(path.join(target, "package.json"), "{}\n");
npm(target, "install", ...VERSIONS);

const modules = path.join(target, "node_modules");
const code = path.join(modules, "code-server", "lib", "vscode");
const shrinkwrap = path.join(code, "npm-shrinkwrap.json");
const pinned = JSON.parse(fs.readFileSync(shrinkwrap, "utf8"));
delete pinned.packages["node_modules/@vscode/proxy-agent"]; // a commit on GitHub; the registry has it as well
fs.writeFileSync(shrinkwrap, JSON.stringify(pinned));
npm(code, "install", "--omit=dev");
npm(path.join(code, "extensions"), "install", "--omit=dev");
fs.rmSync(path.join(code, "node_modules.asar"), { force: true });
fs.symlinkSync("node_modules", path.join(code, "node_modules.asar"));

const npmHome = path.dirname(fs.realpathSync(execFileSync("sh", ["-c", "command -v npm"]).toString().trim()));
const gyp = path.join(npmHome, "..", "node_modules", "node-gyp", "bin", "node-gyp.js");
const headers = fs.existsSync("/usr/include/node/node.h") ? ["--nodedir=/usr"] : [];
for (const name of NATIVE) {
  run(path.join(code, "node_modules", name), process.execPath, gyp, "rebuild", ...headers);
}
const pre = path.join(modules, "@mapbox", "node-pre-gyp", "bin", "node-pre-gyp");
run(path.join(modules, "argon2"), process.execPath, pre, "rebuild", "--build-from-source", ...headers);
