// @ts-check
/** The interpreter that is chosen in the Python extension (ms-python.python), if that is there. */
"use strict";

const vscode = require("vscode");

const ID = "ms-python.python";
const SECONDS = 15;

/**
 * The part of its interface that is used here.
 * @typedef {object} Environments
 * @property {(resource?: vscode.Uri) => {path: string} | undefined} getActiveEnvironmentPath
 * @property {(path: {path: string}) => Promise<{executable?: {uri?: vscode.Uri}} | undefined>} resolveEnvironment
 * @property {vscode.Event<unknown>} [onDidChangeActiveEnvironmentPath]
 */

/** @returns {Promise<Environments | undefined>} */
async function environments() {
  const extension = vscode.extensions.getExtension(ID);
  if (extension === undefined) {
    return undefined;
  }
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(undefined), SECONDS * 1000);
  });
  try {
    const api = await Promise.race([extension.activate(), late]);
    return api?.environments;
  } catch {
    return undefined; // what is wrong with it, it says itself
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The chosen interpreter for a folder.
 * @param {vscode.Uri | undefined} resource
 * @returns {Promise<string | undefined>}
 */
async function interpreterOf(resource) {
  const known = await environments();
  try {
    const chosen = known?.getActiveEnvironmentPath(resource);
    const resolved = chosen && (await known?.resolveEnvironment(chosen));
    return resolved?.executable?.uri?.fsPath;
  } catch {
    return undefined;
  }
}

/**
 * Calls back when another interpreter is chosen.
 * @param {() => void} changed
 * @returns {Promise<vscode.Disposable | undefined>}
 */
async function whenChosen(changed) {
  return (await environments())?.onDidChangeActiveEnvironmentPath?.(() => changed());
}

module.exports = { interpreterOf, whenChosen };
