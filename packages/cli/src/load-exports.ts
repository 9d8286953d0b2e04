import { ProjectModule } from "./project-module.js";

/**
 * Loads a JavaScript or TypeScript module and returns its exports.
 *
 * Rejects with CONFIG_INVALID when the file does not exist or fails to load.
 */
export async function loadExports(file: string): Promise<Readonly<Record<string, unknown>>> {
  await using module = new ProjectModule(file);
  return await module.load();
}
