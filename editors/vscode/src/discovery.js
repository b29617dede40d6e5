// @ts-check
/** Where the server is: the setting, the chosen interpreter, the folder's own environment, PATH. */
"use strict";

const { execFile } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

/**
 * How a server is started, and for what.
 * @typedef {{command: string, args: string[], origin: string}} Server
 */

/**
 * Why there is none: one sentence for the user, and the command that mends it if there is one.
 * @typedef {{message: string, install?: string}} Problem
 */

/**
 * What is known of a folder: its settings and the interpreter that the Python extension has chosen for it.
 * @typedef {{folder: string | undefined, path: string, python: string, interpreter: string | undefined}} Request
 */

/**
 * What is asked of the machine; tests give their own.
 * @typedef {object} System
 * @property {NodeJS.Platform} platform
 * @property {NodeJS.ProcessEnv} env
 * @property {string} home
 * @property {(file: string) => boolean} exists whether a file is there that can be run
 * @property {(command: string, args: string[]) => Promise<{code: number | null, stdout: string, stderr: string}>} run
 */

const FACTS = `
import importlib.util, json, sys
has = lambda name: importlib.util.find_spec(name) is not None
print(json.dumps({"version": sys.version_info[:2], **{n: has(n) for n in ("arraytyping", "pygls", "jax")}}))
`;

const OLDEST = [3, 11];
const SECONDS = 30;

/** @type {System} */
const machine = {
  platform: process.platform,
  env: process.env,
  home: os.homedir(),
  exists(file) {
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return fs.statSync(file).isFile();
    } catch {
      return false;
    }
  },
  run(command, args) {
    return new Promise((resolve) => {
      // Not in the folder of the program, where a file may have the name of a module.
      const options = { cwd: os.tmpdir(), timeout: SECONDS * 1000, windowsHide: true };
      const child = execFile(command, args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        resolve({ code, stdout, stderr: stderr || (error !== null && code === null ? error.message : "") });
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end();
    });
  },
};

/**
 * A path of the settings with `~` and `${workspaceFolder}` replaced.
 * @param {string} text
 * @param {string | undefined} folder
 * @param {System} system
 */
function expand(text, folder, system) {
  let found = text.trim();
  if (folder !== undefined) {
    found = found.replaceAll("${workspaceFolder}", folder);
  }
  return found === "~" || found.startsWith("~/") || found.startsWith("~\\") ? system.home + found.slice(1) : found;
}

/**
 * The files that a program may be in a directory.
 * @param {string} directory
 * @param {string} name
 * @param {System} system
 */
function programs(directory, name, system) {
  const { join } = system.platform === "win32" ? path.win32 : path.posix;
  const names = system.platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  return names.map((n) => join(directory, n));
}

/**
 * The program of an environment, of `.venv` say.
 * @param {string} environment
 * @param {string} name
 * @param {System} system
 */
function programOf(environment, name, system) {
  const { join } = system.platform === "win32" ? path.win32 : path.posix;
  const directory = join(environment, system.platform === "win32" ? "Scripts" : "bin");
  return programs(directory, name, system).find(system.exists);
}

/**
 * The program on PATH, of which relative entries are left out: they would be of the folder that is open.
 * @param {string} name
 * @param {System} system
 */
function onPath(name, system) {
  const { delimiter, isAbsolute } = system.platform === "win32" ? path.win32 : path.posix;
  const directories = (system.env.PATH ?? system.env.Path ?? "").split(delimiter).filter((d) => isAbsolute(d));
  return directories.flatMap((d) => programs(d, name, system)).find(system.exists);
}

/**
 * What an interpreter has; undefined if it cannot be run.
 * @param {string} interpreter
 * @param {System} system
 * @returns {Promise<{version: [number, number], arraytyping: boolean, pygls: boolean, jax: boolean} | undefined>}
 */
async function factsOf(interpreter, system) {
  const { code, stdout } = await system.run(interpreter, ["-c", FACTS]);
  try {
    return code === 0 ? JSON.parse(stdout) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What is wrong with a program that should be arraytyping; undefined if it serves.
 *
 * With nothing on its standard input the server ends at once, without an error.
 * @param {string} program
 * @param {System} system
 * @returns {Promise<Problem | undefined>}
 */
async function fault(program, system) {
  const { code, stderr } = await system.run(program, ["lsp"]);
  if (code === 0) {
    return undefined;
  }
  if (stderr.includes("pygls")) {
    return withoutExtra(program, "pip install 'arraytyping[lsp]'");
  }
  if (stderr.includes("No such command")) {
    return { message: `${program} is an arraytyping without a language server, or another program; update it.` };
  }
  const said = stderr.trim().split("\n").at(-1) || `it ended with ${code}`;
  return { message: `arraytyping does not run: ${program}: ${said}` };
}

/**
 * @param {string} where
 * @param {string} install
 * @returns {Problem}
 */
function withoutExtra(where, install) {
  return { message: `arraytyping is in ${where}, but what its language server needs is not: ${install}`, install };
}

/**
 * The server for a folder.
 * @param {Request} request
 * @param {System} [system]
 * @returns {Promise<{server: Server} | {problem: Problem}>}
 */
async function findServer(request, system = machine) {
  const { folder, interpreter } = request;
  const facts = interpreter === undefined ? undefined : await factsOf(interpreter, system);
  const args = ["lsp"];
  const python = expand(request.python, folder, system);
  if (python !== "") {
    args.push("--python", python);
  } else if (interpreter !== undefined && facts?.jax) {
    args.push("--python", interpreter); // else the server looks for an environment that has jax
  }

  const named = expand(request.path, folder, system);
  if (named !== "") {
    const program = path.isAbsolute(named) || system.exists(named) ? named : (onPath(named, system) ?? named);
    if (!system.exists(program)) {
      const message = `The setting arraytyping.path names ${named}, which is no program; mend it, or leave it empty.`;
      return { problem: { message } };
    }
    const problem = await fault(program, system);
    return problem === undefined ? { server: { command: program, args, origin: "arraytyping.path" } } : { problem };
  }

  /** @type {Problem | undefined} */
  let first;
  if (interpreter !== undefined && facts?.arraytyping) {
    if (facts.pygls) {
      // -P: a file `arraytyping.py` beside the program is not meant.
      return { server: { command: interpreter, args: ["-P", "-m", "arraytyping", ...args], origin: "interpreter" } };
    }
    first = withoutExtra(interpreter, `${quoted(interpreter)} -m pip install "arraytyping[lsp]"`);
  }
  const { join } = system.platform === "win32" ? path.win32 : path.posix;
  const environments = folder === undefined ? [] : [".venv", "venv"].map((name) => join(folder, name));
  const candidates = [
    ...environments.map((e) => /** @type {const} */ ([programOf(e, "arraytyping", system), e])),
    /** @type {const} */ ([onPath("arraytyping", system), "PATH"]),
  ];
  for (const [program, origin] of candidates) {
    if (program === undefined) {
      continue;
    }
    const problem = await fault(program, system);
    if (problem === undefined) {
      return { server: { command: program, args, origin } };
    }
    first ??= problem;
  }
  return { problem: first ?? nowhere(interpreter, facts) };
}

/**
 * @param {string | undefined} interpreter
 * @param {{version: [number, number]} | undefined} facts
 * @returns {Problem}
 */
function nowhere(interpreter, facts) {
  if (interpreter === undefined) {
    const install = "pip install 'arraytyping[lsp]'";
    return { message: `arraytyping is not on PATH: ${install}, or set arraytyping.path.`, install };
  }
  if (facts === undefined) {
    return { message: `The interpreter ${interpreter} does not run, and arraytyping is not on PATH; choose another.` };
  }
  const [major, minor] = facts.version;
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    const version = `${major}.${minor}, and arraytyping needs ${OLDEST.join(".")} or later`;
    return {
      message: `arraytyping is not there: ${interpreter} is Python ${version}; install it elsewhere ("uv tool install 'arraytyping[lsp]'"), or set arraytyping.path.`,
    };
  }
  const install = `${quoted(interpreter)} -m pip install "arraytyping[lsp]"`;
  return { message: `arraytyping is neither in ${interpreter} nor on PATH: ${install}`, install };
}

/** @param {string} text */
function quoted(text) {
  return /[\s"'()&]/.test(text) ? `"${text}"` : text;
}

module.exports = { expand, findServer, machine, onPath };
