import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Installs the locked generator where it is missing or another version is locked. Returns the program of VitePress. */
export function installGenerator(folder: string): string {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const stamp = join(folder, "node_modules", ".cache", "installed-lock.json");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
    console.error("Installing the generator of the site ...");
    const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status } = spawnSync("npm", args, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" });
    if (status !== 0) throw new Error(`Cannot install the generator of the site: "npm ci" ended with ${status}`);
    mkdirSync(join(stamp, ".."), { recursive: true });
    writeFileSync(stamp, lock);
  }
  return join(folder, "node_modules", "vitepress", "bin", "vitepress.js");
}
