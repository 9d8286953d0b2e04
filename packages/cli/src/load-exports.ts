import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { OperatorError } from "@kubewright/core/errors";

/**
 * Loads a JavaScript or TypeScript module and returns its exports.
 *
 * Rejects with CONFIG_INVALID when the file does not exist or fails to load.
 */
export async function loadExports(file: string): Promise<Readonly<Record<string, unknown>>> {
  const path = resolve(file);
  if (!existsSync(path)) throw new OperatorError("CONFIG_INVALID", `Cannot load "${file}": no such file`);
  try {
    // Loaded lazily: tsx is slow to load, and no other command needs it.
    const { tsImport } = await import("tsx/esm/api");
    return (await tsImport(pathToFileURL(path).href, import.meta.url)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError("CONFIG_INVALID", `Cannot load "${file}": ${why}`, { cause });
  }
}
