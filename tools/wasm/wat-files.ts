import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../packages/kubewright/src/decode", import.meta.url));

/** Every file in WebAssembly's text form that the framework has. */
export function watFiles(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".wat"))
    .map((name) => join(folder, name));
}
