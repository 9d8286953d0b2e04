/**
 * `npm run platforms`: installs the lock file as each platform would, and prints which native binding each package got.
 *
 * npm selects bindings by `--os`, `--cpu` and `--libc`, so one machine can check all of them. Ends with 1 when a binding is missing.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockedPath } from "../check/lock/check-lock.js";
import { npm } from "./run-program.js";

interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly libc?: string;
}

interface LockedPackage {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const platforms: readonly Platform[] = [
  { os: "linux", cpu: "x64", libc: "glibc" },
  { os: "linux", cpu: "arm64", libc: "glibc" },
  { os: "darwin", cpu: "arm64" },
  { os: "darwin", cpu: "x64" },
  { os: "win32", cpu: "x64" },
];
const root = join(import.meta.dirname, "..", "..");
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

const rows: string[][] = [];
let missing = 0;
for (const platform of platforms) {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-platform-"));
  try {
    rows.push([[platform.os, platform.cpu].join(" "), ...(await install(platform, folder))]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const hosts = bindingHosts();
console.log(["", ...hosts.map(([name]) => name)].join(" | "));
for (const row of rows) console.log(row.join(" | "));
console.log(missing === 0 ? "Every platform has every binding" : `${missing} bindings are missing`);
process.exitCode = missing === 0 ? 0 : 1;

/** Installs into `folder`; returns what each host has there. */
async function install(platform: Platform, folder: string): Promise<string[]> {
  const manifests = Object.keys(packages).filter((path) => !path.includes("node_modules"));
  for (const path of manifests)
    cpSync(join(root, path, "package.json"), join(folder, path, "package.json"), { recursive: true });
  for (const file of ["package-lock.json", ".npmrc"]) cpSync(join(root, file), join(folder, file));
  const target = Object.entries(platform).map(([key, value]) => `--${key}=${value}`);
  // A lock file without a binding is rejected as a whole: the table then shows all of them as missing.
  await npm(["ci", ...target], folder).catch((error: Error) => console.error(error.message));
  return bindingHosts().map(([, bindings]) => {
    const wanted = bindings.filter((path) => fits(packages[path] ?? {}, platform));
    const present = wanted.filter((path) => existsSync(join(folder, path, "package.json")));
    if (present.length === wanted.length && present.length > 0) return "present";
    missing++;
    return "missing";
  });
}

/** The packages whose code is native: their names, and the lock entries of their bindings. A package with a single binding, as fsevents, can do without it. */
function bindingHosts(): [name: string, bindings: string[]][] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]): [string, string[]][] => {
    const bindings = Object.keys(optionalDependencies)
      .map((name) => lockedPath(packages, path, name) ?? `node_modules/${name}`)
      .filter((entry) => packages[entry]?.os !== undefined || packages[entry] === undefined);
    return bindings.length > 1 ? [[path.slice(path.lastIndexOf("node_modules/") + 13), bindings]] : [];
  });
}

function fits({ os, cpu, libc }: LockedPackage, platform: Platform): boolean {
  const allows = (list: readonly string[] | undefined, value: string | undefined): boolean =>
    list === undefined || value === undefined || list.includes(value);
  return allows(os, platform.os) && allows(cpu, platform.cpu) && allows(libc, platform.libc);
}
