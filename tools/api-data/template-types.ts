import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const oracle = join(dirname(fileURLToPath(import.meta.url)), "..", "oracle");

/** The fields of the Go types below a pod template in their order, as the hash of a template needs them: what our Go program prints. */
export function templateTypes(): string {
  return execFileSync("go", ["run", "./facts/templatehash", "types"], { cwd: oracle, encoding: "utf8" });
}
