/**
 * Compares `packages/<name>/api/<entry>.api.md` with the declarations that `tsc -b` emitted, prints the differences, and exits with 1 when there
 * are some, when an export has no doc comment, or when a public signature names a type that no entry point exports. `--write` updates the files.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readApi, updateReports } from "./api-report.js";

const { values, positionals } = parseArgs({
  options: { write: { type: "boolean", default: false } },
  allowPositionals: true,
});
const root = resolve(positionals[0] ?? join(import.meta.dirname, "..", ".."));
let failed = false;
for (const name of readdirSync(join(root, "packages")).sort()) {
  const folder = join(root, "packages", name);
  const { reports, problems } = readApi(folder);
  for (const problem of problems) console.log(problem);
  failed ||= problems.length > 0;
  // A command without exports has no API, and git keeps no empty folder.
  if (reports.size === 0 && !existsSync(join(folder, "api"))) continue;
  if (values.write) {
    for (const file of updateReports(join(folder, "api"), reports))
      console.log(`updated: packages/${name}/api/${file}`);
    continue;
  }
  const temporary = mkdtempSync(join(tmpdir(), "kubewright-api-"));
  updateReports(temporary, reports);
  const args = ["diff", "--no-index", "--no-color", "--", relative(root, join(folder, "api")), temporary];
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  rmSync(temporary, { recursive: true });
  if (status !== 0) console.log(stdout);
  failed ||= status !== 0;
}
if (failed && !values.write) console.log("To accept the changes of the API: npm run api");
if (failed) process.exitCode = 1;
