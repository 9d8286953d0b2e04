import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Packages whose name is not that of their command. */
const packageOf: Readonly<Record<string, string>> = { tsc: "typescript", biome: "@biomejs/biome" };

/**
 * The script behind a command of an installed package, to be run by `process.execPath`.
 *
 * Not the shim in `node_modules/.bin`: on Windows it is a batch file, which cannot be started without a shell.
 */
export function binScript(root: string, command: string): string {
  const folder = join(root, "node_modules", packageOf[command] ?? command);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly bin: string | Readonly<Record<string, string>>;
  };
  return join(folder, typeof bin === "string" ? bin : (bin[command] ?? ""));
}
