import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../packages/kubewright/src/decode", import.meta.url));

/** The WebAssembly text files of the framework. */
export function watFiles(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".wat"))
    .map((name) => join(folder, name));
}
