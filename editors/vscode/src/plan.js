// @ts-check
/** Which servers run for which folders: folders whose server would be the same share one. */
"use strict";

const path = require("node:path");

/**
 * @typedef {import("./discovery").Server} Server
 * @typedef {{server: Server, folders: string[]}} Group
 */

/**
 * The groups of folders; those within another folder are with it, since a file is served by one server.
 * @param {{folder: string, server: Server}[]} found
 * @returns {Group[]}
 */
function groups(found) {
  /** @type {Map<string, Group>} */
  const byCommand = new Map();
  const outermost = found.filter(({ folder }) => !found.some((other) => isWithin(folder, other.folder)));
  for (const { folder, server } of outermost) {
    const key = JSON.stringify([server.command, server.args]);
    const group = byCommand.get(key) ?? { server, folders: [] };
    group.folders.push(folder);
    byCommand.set(key, group);
  }
  return [...byCommand.values()];
}

/**
 * Whether a folder lies in another one.
 * @param {string} inner
 * @param {string} outer
 */
function isWithin(inner, outer) {
  const way = path.relative(outer, inner);
  return way !== "" && way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

module.exports = { groups };
