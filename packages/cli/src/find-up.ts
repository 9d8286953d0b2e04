import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest file of that name in a directory or one above it; undefined if there is none. */
export function findUp(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return join(folder, name);
    if (folder === dirname(folder)) return undefined;
  }
}
