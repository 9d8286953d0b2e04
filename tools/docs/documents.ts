import { existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { packageNames } from "../build/package-names.js";

/** The documents for users, relative to the repository: the README, those of packages and operators, and `docs`. */
export function documents(root: string): string[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((file) => posix.join("docs", ...file.split(/[\\/]/)))
    .filter((file) => file.endsWith(".md"));
  const operators = readdirSync(join(root, "operators")).map((name) => `operators/${name}/README.md`);
  const packages = packageNames.map((name) => `packages/${name}/README.md`);
  return ["README.md", ...packages, ...operators.filter((file) => existsSync(join(root, file))), ...docs];
}
