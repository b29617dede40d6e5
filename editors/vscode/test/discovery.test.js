"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { expand, findServer, machine, onPath } = require("../src/discovery");

const ALL = { version: [3, 12], arraytyping: true, pygls: true, jax: true };
const WITHOUT_PYGLS = "arraytyping: error: the language server needs pygls, which is not installed\n";

/** A machine with these programs: what interpreters have, and what other programs answer to `lsp`. */
function system({ interpreters = {}, programs = {}, env = {}, platform = "linux" } = {}) {
  const ran = [];
  return {
    ran,
    platform,
    env,
    home: "/home/me",
    exists: (file) => file in interpreters || file in programs,
    async run(command, args) {
      ran.push([command, ...args]);
      if (command in interpreters) {
        const facts = interpreters[command];
        return facts === null
          ? { code: null, stdout: "", stderr: "cannot run" }
          : { code: 0, stdout: JSON.stringify(facts), stderr: "" };
      }
      return { code: 0, stdout: "", stderr: "", ...programs[command] };
    },
  };
}

function asked(more) {
  return { folder: "/home/me/digits", path: "", python: "", interpreter: undefined, ...more };
}

test("the setting comes first, and is not looked past", async () => {
  const here = system({ interpreters: { "/env/bin/python": ALL }, programs: { "/opt/arraytyping": {} } });
  const { server } = await findServer(asked({ path: "/opt/arraytyping", interpreter: "/env/bin/python" }), here);
  assert.deepEqual(server, {
    command: "/opt/arraytyping",
    args: ["lsp", "--python", "/env/bin/python"],
    origin: "arraytyping.path",
  });
  const { problem } = await findServer(asked({ path: "/opt/other", interpreter: "/env/bin/python" }), here);
  assert.match(problem.message, /arraytyping\.path names \/opt\/other, which is no program/);
});

test("the setting may be a name on PATH, begin with ~, and name the folder", async () => {
  const files = { "/usr/bin/arraytyping": {}, "/home/me/at": {}, "/home/me/digits/env/bin/arraytyping": {} };
  const here = system({ programs: files, env: { PATH: "/bin:/usr/bin" } });
  for (const [path, found] of [
    ["arraytyping", "/usr/bin/arraytyping"],
    ["~/at", "/home/me/at"],
    ["${workspaceFolder}/env/bin/arraytyping", "/home/me/digits/env/bin/arraytyping"],
  ]) {
    assert.equal((await findServer(asked({ path }), here)).server.command, found);
  }
});

test("the chosen interpreter runs the server if it has it, and no file of the folder is taken for it", async () => {
  const here = system({ interpreters: { "/env/bin/python": ALL }, programs: { "/home/me/digits/.venv/bin/arraytyping": {} } });
  const { server } = await findServer(asked({ interpreter: "/env/bin/python" }), here);
  assert.equal(server.command, "/env/bin/python");
  assert.deepEqual(server.args, ["-P", "-m", "arraytyping", "lsp", "--python", "/env/bin/python"]);
});

test("an interpreter with jax alone is checked for by an arraytyping elsewhere", async () => {
  const facts = { ...ALL, arraytyping: false, pygls: false };
  const here = system({
    interpreters: { "/env/bin/python": facts },
    programs: { "/usr/bin/arraytyping": {} },
    env: { PATH: "/usr/bin" },
  });
  const { server } = await findServer(asked({ interpreter: "/env/bin/python" }), here);
  assert.deepEqual(server, {
    command: "/usr/bin/arraytyping",
    args: ["lsp", "--python", "/env/bin/python"],
    origin: "PATH",
  });
});

test("an interpreter without jax is not told to the server, which looks for another", async () => {
  const here = system({ interpreters: { "/usr/bin/python3": { ...ALL, jax: false } } });
  const { server } = await findServer(asked({ interpreter: "/usr/bin/python3" }), here);
  assert.deepEqual(server.args, ["-P", "-m", "arraytyping", "lsp"]);
});

test("arraytyping.python goes before the chosen interpreter", async () => {
  const here = system({ interpreters: { "/env/bin/python": ALL } });
  const request = asked({ interpreter: "/env/bin/python", python: "${workspaceFolder}/.conda" });
  const { server } = await findServer(request, here);
  assert.deepEqual(server.args.slice(-2), ["--python", "/home/me/digits/.conda"]);
});

test("the environment in the folder goes before PATH", async () => {
  const programs = { "/home/me/digits/.venv/bin/arraytyping": {}, "/usr/bin/arraytyping": {} };
  const here = system({ programs, env: { PATH: "/usr/bin" } });
  assert.equal((await findServer(asked(), here)).server.command, "/home/me/digits/.venv/bin/arraytyping");
  assert.equal((await findServer(asked({ folder: undefined }), here)).server.command, "/usr/bin/arraytyping");
});

test("on Windows programs end in .exe", async () => {
  const programs = { "C:\\digits\\.venv\\Scripts\\arraytyping.exe": {}, "C:\\bin\\arraytyping.exe": {} };
  const here = system({ programs, platform: "win32", env: { Path: "C:\\Windows;C:\\bin" } });
  const found = await findServer(asked({ folder: "C:\\digits" }), here);
  assert.equal(found.server.command, "C:\\digits\\.venv\\Scripts\\arraytyping.exe");
  assert.equal(onPath("arraytyping", here), "C:\\bin\\arraytyping.exe");
});

test("relative entries of PATH are not looked into", () => {
  const here = system({ programs: { "bin/arraytyping": {}, "./arraytyping": {} }, env: { PATH: "bin:.::" } });
  assert.equal(onPath("arraytyping", here), undefined);
});

test("where the extra is missing, that is said with the command that installs it", async () => {
  const facts = { ...ALL, pygls: false };
  const here = system({ interpreters: { "/my env/bin/python": facts } });
  const { problem } = await findServer(asked({ interpreter: "/my env/bin/python" }), here);
  assert.equal(problem.install, '"/my env/bin/python" -m pip install "arraytyping[lsp]"');
  assert.match(problem.message, /what its language server needs is not/);

  const there = system({ programs: { "/opt/arraytyping": { code: 2, stderr: WITHOUT_PYGLS } } });
  assert.match((await findServer(asked({ path: "/opt/arraytyping" }), there)).problem.message, /language server needs/);
});

test("an interpreter without the extra is passed over for a program that has it", async () => {
  const here = system({
    interpreters: { "/env/bin/python": { ...ALL, pygls: false } },
    programs: { "/usr/bin/arraytyping": {} },
    env: { PATH: "/usr/bin" },
  });
  const { server } = await findServer(asked({ interpreter: "/env/bin/python" }), here);
  assert.equal(server.command, "/usr/bin/arraytyping");
});

test("where it is nowhere, one sentence says so", async () => {
  const none = { ...ALL, arraytyping: false };
  const cases = [
    [undefined, {}, /not on PATH: pip install 'arraytyping\[lsp\]', or set arraytyping\.path/],
    ["/p", { "/p": none }, /neither in \/p nor on PATH: \/p -m pip install "arraytyping\[lsp\]"/],
    ["/p", { "/p": { ...none, version: [3, 9] } }, /is Python 3\.9, and arraytyping needs 3\.11 or later/],
    ["/p", { "/p": null }, /The interpreter \/p does not run/],
  ];
  for (const [interpreter, interpreters, said] of cases) {
    const { problem } = await findServer(asked({ interpreter }), system({ interpreters }));
    assert.match(problem.message, said);
    assert.equal(problem.message.split("\n").length, 1);
  }
});

test("a program that fails is named, with the last line of what it says", async () => {
  for (const [answer, said] of [
    [{ code: 2, stderr: "Usage: ...\nNo such command 'lsp'.\n" }, /without a language server, or another program/],
    [{ code: 1, stderr: "Traceback...\nImportError: no mypy\n" }, /does not run: \/opt\/arraytyping: ImportError: no mypy/],
    [{ code: 3, stderr: "" }, /: it ended with 3/],
  ]) {
    const here = system({ programs: { "/opt/arraytyping": answer } });
    assert.match((await findServer(asked({ path: "/opt/arraytyping" }), here)).problem.message, said);
  }
});

test("the machine's own programs are run and their ends are told", async () => {
  const good = await machine.run(process.execPath, ["-e", "process.stdin.resume(); process.stdin.on('end', () => process.exit(3))"]);
  assert.equal(good.code, 3);
  const gone = await machine.run("/nowhere/at/all", []);
  assert.equal(gone.code, null);
  assert.match(gone.stderr, /ENOENT/);
  assert.ok(machine.exists(process.execPath));
  assert.ok(!machine.exists(__dirname));
  assert.equal(expand(" ~ ", undefined, machine), machine.home);
});
