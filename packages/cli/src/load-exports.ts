import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { OperatorError } from "@kubewright/core/errors";

/**
 * What a module exports. TypeScript is read as it is.
 *
 * Throws CONFIG_INVALID for a file that is not there, or that fails while it is loaded.
 */
export async function loadExports(file: string): Promise<Readonly<Record<string, unknown>>> {
  const path = resolve(file);
  if (!existsSync(path)) throw new OperatorError("CONFIG_INVALID", `Cannot load "${file}": there is no such file`);
  try {
    // The reader of TypeScript takes a while to load, and only this needs it.
    const { tsImport } = await import("tsx/esm/api");
    return (await tsImport(pathToFileURL(path).href, import.meta.url)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError("CONFIG_INVALID", `Cannot load "${file}": ${why}`, { cause });
  }
}
