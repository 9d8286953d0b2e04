/** The lock gate: every lock file installs on every platform, from any registry. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type LockEntry, lockDefects } from "./check-lock.js";

const root = process.argv[2] ?? join(import.meta.dirname, "..", "..", "..");
const files = ["package-lock.json", "tools/packages/consumer/package-lock.json", "tools/site/package-lock.json"];
const defects = files.flatMap((file) => {
  const { packages } = JSON.parse(readFileSync(join(root, file), "utf8")) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  return lockDefects(packages).map((defect) => `${file}: ${defect}`);
});
for (const defect of defects) console.log(defect);
process.exitCode = defects.length === 0 ? 0 : 1;
