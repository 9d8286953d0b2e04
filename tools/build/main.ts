/**
 * `npm run build`: what is published. tsc writes declarations and modules into each `dist`; then each entry point becomes one file.
 *
 * Node takes about a millisecond to load a module, and there are hundreds: as one file the framework starts in less than half the time.
 * Dependencies, other packages of the workspace among them, stay imports.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const names = ["core", "kubewright", "cluster", "testing", "codegen", "cli"];
// From nothing: what an earlier build bundled must not be bundled again.
for (const name of names) {
  rmSync(join(root, "packages", name, "dist"), { recursive: true, force: true });
  rmSync(join(root, "packages", name, "tsconfig.tsbuildinfo"), { force: true });
}
const tsc = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-b"], { cwd: root, stdio: "inherit" });
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

for (const name of names) {
  const folder = join(root, "packages", name);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const entryPoints = entriesOf(folder, manifest);
  await build({
    entryPoints,
    bundle: true,
    splitting: true,
    packages: "external",
    // What a package's own `imports` decide depends on who loads it, Node or a bundler: not on this build.
    external: ["#*"],
    format: "esm",
    platform: "node",
    target: "node20.19",
    sourcemap: true,
    outdir: join(folder, "dist"),
    outbase: join(folder, "dist"),
    allowOverwrite: true,
    logLevel: "warning",
  });
  console.log(`${manifest.name}: ${entryPoints.length} entry points`);
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly default: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/** The modules that a user can import or run. */
function entriesOf(folder: string, { exports, bin = {} }: Manifest): string[] {
  const targets = [...Object.values(exports).map(({ default: target }) => target), ...Object.values(bin)];
  const files = targets.flatMap((target) =>
    target.includes("*") ? filesLike(folder, target) : [join(folder, target)],
  );
  return [...new Set(files)];
}

/** The files that a pattern of `exports` reaches; `*` there stands for any text, slashes included. */
function filesLike(folder: string, target: string): string[] {
  const [start = "", end = ""] = target.replace(/^\.\//, "").split("*");
  return readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" })
    .map((file) => join("dist", file))
    .filter((file) => file.startsWith(start) && file.endsWith(end) && !file.includes("chunk-"))
    .map((file) => join(folder, file));
}
