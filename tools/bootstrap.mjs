// Installs the locked dependencies when node_modules is missing or differs from package-lock.json.
// Plain JavaScript without dependencies, because it runs before they are installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stampFile = join(root, "node_modules", ".cache", "kubewright-lock-hash");

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Cannot run on Node ${process.versions.node}: Kubewright needs Node 20.19 or newer`);
  process.exit(1);
}

// Bindings differ between platforms: a folder that two of them share is installed again by each.
const lockHash = createHash("sha256")
  .update(`${process.platform} ${process.arch}\n`)
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
if (installedHash() !== lockHash) {
  console.error("Installing the locked dependencies ...");
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = spawnSync("npm", args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (npm.status !== 0) {
    console.error(`Cannot install dependencies: "npm ci" ended with ${npm.status ?? npm.signal ?? npm.error?.message}`);
    process.exit(1);
  }
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, lockHash);
}

function installedHash() {
  try {
    return readFileSync(stampFile, "utf8");
  } catch {
    return undefined;
  }
}
