// Makes a fresh or stale clone ready: installs the locked dependencies when they are missing or older than the lock file.
// Plain JavaScript without imports from npm, because it runs before anything is installed.
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

const lockHash = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
if (installedHash() !== lockHash) {
  console.error("Installing the locked dependencies, once per change of package-lock.json ...");
  // Not `npm ci`: it refuses a lock file without the optional binaries of other platforms, which a mirror need not carry. This installs
  // the locked versions too, and writes nothing back.
  const npm = spawnSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (npm.status !== 0) {
    console.error(
      `Cannot install dependencies: "npm install" ended with ${npm.status ?? npm.signal ?? npm.error?.message}`,
    );
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
