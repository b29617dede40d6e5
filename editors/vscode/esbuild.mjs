/** Bundles the extension into dist/extension.js, and the licenses of what is in it into dist/LICENSES.txt. */
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const production = process.argv.includes("--production");
const { metafile } = await build({
  entryPoints: ["src/extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  external: ["vscode"],
  format: "cjs",
  platform: "node",
  target: "node20",
  minify: production,
  sourcemap: !production,
  logLevel: "warning",
  metafile: true,
});

const packages = new Set(Object.keys(metafile.inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
const texts = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = fs.readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
  if (file === undefined) throw new Error(`${name} comes without the text of its license`);
  return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(folder, file), "utf8").trim()}\n`;
});
fs.writeFileSync("dist/LICENSES.txt", texts.join(`\n${"-".repeat(80)}\n\n`));
