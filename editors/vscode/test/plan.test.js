"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { groups } = require("../src/plan");

const server = (command, ...args) => ({ command, args, origin: "PATH" });

test("folders with the same server and the same Python share one", () => {
  const a = server("at", "lsp", "--python", "/p");
  const b = server("at", "lsp", "--python", "/q");
  const found = groups([{ folder: "/one", server: a }, { folder: "/two", server: b }, { folder: "/three", server: { ...a } }]);
  assert.deepEqual(found.map((g) => g.folders), [["/one", "/three"], ["/two"]]);
});

test("a folder in another one is served with it, and one that only begins alike is not", () => {
  const a = server("a");
  const b = server("b");
  const found = groups([{ folder: "/one/inner", server: b }, { folder: "/one", server: a }, { folder: "/one-more", server: b }]);
  assert.deepEqual(found.map((g) => g.folders), [["/one"], ["/one-more"]]);
});

test("without a folder there is one server for all files", () => {
  assert.deepEqual(groups([{ folder: "", server: server("a") }]).map((g) => g.folders), [[""]]);
});
