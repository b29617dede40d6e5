#!/usr/bin/env node
/** A language server that ends at the first message, and without an error if there is none. */
process.stdin.once("data", () => process.exit(1));
