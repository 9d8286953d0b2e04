import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const mount = "/sys/fs/cgroup";

/** How often killed processes are looked for until their cgroups are empty. */
const attempts = 50;
const retryMs = 100;

/** The folders of a cgroup: one, or with cgroup v1 one for each hierarchy. */
function foldersOf(name: string): readonly string[] {
  if (existsSync(join(mount, "cgroup.controllers"))) return [join(mount, name)];
  return readdirSync(mount, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map((one) => join(mount, one.name, name));
}

/** Creates the cgroup of a node's pods, which kubelet expects to exist. */
export function createCgroup(name: string): void {
  for (const folder of foldersOf(name)) {
    mkdirSync(folder, { recursive: true });
    // In cgroup v1 a new cpuset has no CPUs, and no process may enter it.
    for (const file of ["cpuset.cpus", "cpuset.mems"]) {
      const parent = join(folder, "..", file);
      if (existsSync(parent)) writeFileSync(join(folder, file), readFileSync(parent));
    }
  }
}

/** Kills all processes of a cgroup and removes it. */
export async function removeCgroup(name: string): Promise<void> {
  const folders = foldersOf(name).filter(existsSync);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const left = folders.flatMap(withChildren);
    for (const pid of new Set(left.flatMap(processesOf))) kill(pid);
    if (left.map(removed).every(Boolean)) return;
    await delay(retryMs);
  }
  throw new Error(`Cannot remove the cgroup "${name}": it has processes that do not end`);
}

/** A cgroup's folders, the deepest first. */
function withChildren(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const children = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  return [...children.flatMap((one) => withChildren(join(folder, one.name))), folder];
}

function processesOf(folder: string): readonly number[] {
  try {
    return readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return !existsSync(folder);
  }
}
