import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isJsonObject } from "@kubewright/core/json";
import { findUp } from "../find-up.js";
import { type Check, type CheckResult, ok } from "./check.js";

/** Packages of which a program should have one copy: two zods make types that do not fit, two frameworks double the memory. */
const single = /^(kubewright|zod|@kubewright\/[a-z]+)$/;

/** The checks that need no cluster. */
export function projectChecks(module: string): Check[] {
  return [
    { name: "Node", run: () => nodeVersion(process.versions.node) },
    { name: "packages", run: () => packages(module) },
  ];
}

function nodeVersion(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return ok(version);
  return { status: "failed", detail: `${version} is too old`, remedy: "install Node 20.19 or newer" };
}

/** Looks for several copies in the lock file of npm. */
async function packages(module: string): Promise<CheckResult> {
  const file = findUp("package-lock.json", dirname(resolve(module)));
  if (file === undefined) return { status: "skipped", detail: "no package-lock.json" };
  const lock: unknown = JSON.parse(await readFile(file, "utf8"));
  const entries = isJsonObject(lock) && isJsonObject(lock["packages"]) ? lock["packages"] : {};
  // By package: its folders with their versions. Two folders are two copies, also of one version.
  const copies = new Map<string, Map<string, string>>();
  for (const [path, entry] of Object.entries(entries)) {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (!path.includes("node_modules/") || !single.test(name) || !isJsonObject(entry)) continue;
    if (typeof entry["version"] !== "string") continue;
    copies.set(name, (copies.get(name) ?? new Map<string, string>()).set(path, entry["version"]));
  }
  const doubled = [...copies].filter(([, found]) => found.size > 1);
  if (doubled.length === 0) return ok(`one copy of each of ${copies.size} packages`);
  const list = doubled.map(([name, found]) => `${name} (${[...found.values()].join(", ")})`).join(", ");
  return { status: "warning", detail: `several copies of ${list}`, remedy: "npm dedupe, or npm update" };
}
