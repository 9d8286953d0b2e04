/** Builds programs from a Go module into the per-user cache directory. */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { realCacheDir } from "@kubewright/testing/control-plane";

/** Binaries of one Go module, which are installed together. */
export interface BinarySet {
  readonly title: string;
  readonly moduleFolder: string;
  /** Prefix of the name of their directory. */
  readonly version: string;
  /** Name of the symbolic link to the directory in use. */
  readonly link: string;
  readonly binaries: readonly { readonly name: string; readonly source: string; readonly flags: string }[];
  /** Source files of the module itself: a change of one triggers a build. @default none */
  readonly sourceFiles?: readonly string[];
}

/** Returns the directory of the binaries, which are built unless they are up to date. Prints the progress. Exits with 1 without Go. */
export async function installBinaries(set: BinarySet): Promise<string> {
  const cache = realCacheDir();
  const folder = join(cache, `${set.version}-${moduleHash(set)}`);
  if (set.binaries.every(({ name }) => existsSync(join(folder, name)))) {
    link(join(cache, set.link), folder);
    console.log(`${set.title} is up to date: ${folder}`);
    return folder;
  }
  if (spawnSync("go", ["version"], { stdio: "ignore" }).status !== 0) {
    console.error(
      `Cannot build ${set.title}: "go" is not on the PATH. Install Go 1.26 or newer, or set KUBEBUILDER_ASSETS to a directory with kube-apiserver, etcd and kubectl.`,
    );
    process.exit(1);
  }
  const startedMs = performance.now();
  console.log(`Building ${set.title} from Go modules; the first build takes several minutes.`);
  await step(set, "download modules", ["mod", "download"], undefined);
  // Built in a temporary directory and renamed: an interrupted build never looks complete.
  const unfinished = `${folder}.building-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    for (const { name, source, flags } of set.binaries) {
      const total = packagesOf(set, source);
      await step(
        set,
        `build ${name}`,
        ["build", "-v", "-mod=readonly", "-trimpath", "-ldflags", flags, "-o", join(unfinished, name), source],
        total,
      );
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  link(join(cache, set.link), folder);
  console.log(`Installed in ${Math.round((performance.now() - startedMs) / 1_000)} s: ${folder}`);
  return folder;
}

function moduleHash({ moduleFolder, binaries, sourceFiles = [] }: BinarySet): string {
  const hash = createHash("sha256");
  for (const file of ["go.mod", "go.sum", ...sourceFiles]) {
    const path = join(moduleFolder, file);
    if (existsSync(path)) hash.update(readFileSync(path)); // a module without dependencies has no go.sum
  }
  for (const { name, source, flags } of binaries) hash.update(`${name} ${source} ${flags}\n`);
  return hash.digest("hex").slice(0, 12);
}

function link(current: string, folder: string): void {
  if (existsSync(current) && readlinkSync(current) === folder) return;
  const fresh = `${current}.${process.pid}`;
  symlinkSync(folder, fresh);
  renameSync(fresh, current);
}

/** Number of packages that a binary depends on, for the progress. */
function packagesOf({ moduleFolder }: BinarySet, source: string): number {
  const list = spawnSync("go", ["list", "-deps", source], {
    cwd: moduleFolder,
    env: goEnvironment(),
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return list.stdout.split("\n").filter(Boolean).length;
}

function goEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, CGO_ENABLED: "0" };
}

/** Runs a Go command. Its output lines (`go build -v` prints one per compiled package) drive the progress and are part of the error. */
async function step(
  { moduleFolder }: BinarySet,
  title: string,
  args: readonly string[],
  total: number | undefined,
): Promise<void> {
  const go = spawn("go", args, { cwd: moduleFolder, env: goEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
  const lastLines: string[] = [];
  let compiled = 0;
  const startedMs = performance.now();
  const report = (): void => {
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    const progress = total === undefined ? "" : `${compiled} packages compiled of at most ${total}, `;
    const text = `  ${title}: ${progress}${seconds} s`;
    if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${text}`);
    else console.log(text);
  };
  const ticker = setInterval(report, process.stdout.isTTY ? 250 : 30_000);
  const onLine = (line: string): void => {
    compiled++;
    lastLines.push(line);
    if (lastLines.length > 40) lastLines.shift();
  };
  createInterface({ input: go.stdout }).on("line", onLine);
  createInterface({ input: go.stderr }).on("line", onLine);
  const code = await new Promise<number | null>((resolve, reject) => go.once("error", reject).once("close", resolve));
  clearInterval(ticker);
  report();
  if (process.stdout.isTTY) process.stdout.write("\n");
  if (code !== 0) throw new Error(`Cannot ${title}: "go ${args[0]}" exited with code ${code}\n${lastLines.join("\n")}`);
}
