/**
 * `npm run build [-- name ...]`: the published form of the packages, of all six or of those named.
 *
 * tsc writes the declarations; esbuild bundles each entry point, with shared chunks. Node takes about a millisecond to load a module, and there
 * are hundreds: bundled, the framework starts in less than half the time. Dependencies, other workspace packages among
 * them, stay imports.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { distFiles, entryPoints, type Manifest, reachableDeclarations } from "./entry-points.js";
import { packageNames } from "./package-names.js";

const root = join(import.meta.dirname, "..", "..");
const modulesFolder = join(root, "node_modules");
/**
 * Bundled where they are a devDependency. `yaml` has 72 CommonJS modules, and every operator loads it with its kubeconfig: bundled from its
 * ECMAScript modules, which it has for browsers, it loads in a third of the time.
 */
const bundledDependencies: readonly string[] = ["yaml"];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !packageNames.includes(name));
if (unknown.length > 0) {
  console.error(`Cannot build "${unknown.join('", "')}": the packages are ${packageNames.join(", ")}`);
  process.exit(2);
}
const names = asked.length > 0 ? asked : packageNames;
// From scratch: tsc keeps the output of deleted sources.
for (const name of names) {
  rmSync(join(root, "packages", name, "dist"), { recursive: true, force: true });
  rmSync(join(root, "packages", name, "tsconfig.tsbuildinfo"), { force: true });
}
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const projects = names.map((name) => join("packages", name));
const tsc = spawnSync(process.execPath, [compiler, "-b", ...projects], { cwd: root, stdio: "inherit" });
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

for (const name of names) {
  const folder = join(root, "packages", name);
  const dist = join(folder, "dist");
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const modules = entryPoints(folder, manifest);
  const { dependencies, optionalDependencies, peerDependencies, devDependencies = {} } = manifest;
  const bundledPackages = bundledDependencies.filter((dependency) => dependency in devDependencies);
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: modules.map((module) => join("src", `${module}.ts`)),
    bundle: true,
    splitting: true,
    // The consumer, Node or a bundler, resolves the package's own `imports`: conditions differ between them.
    external: ["#*", ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })],
    alias: Object.fromEntries(
      bundledPackages.map((dependency) => [dependency, join(modulesFolder, dependency, "browser")]),
    ),
    format: "esm",
    platform: "node",
    target: "node20.19",
    sourcemap: true,
    // The tarball holds the sources.
    sourcesContent: false,
    outdir: "dist",
    outbase: "src",
    metafile: true,
    logLevel: "warning",
  });
  const bundled = Object.keys(metafile.outputs).map((file) => file.replace(/^dist\//, ""));
  const declarations = reachableDeclarations(dist, modules);
  const shipped = new Set([...bundled, ...declarations, ...declarations.map((file) => `${file}.map`)]);
  const unreachable = distFiles(dist).filter((file) => !shipped.has(file));
  // `files` of package.json includes all of dist. tsc's other output stays on disk, because `tsc -b` relies on it.
  writeFileSync(join(dist, ".npmignore"), `${unreachable.map((file) => `/${file}`).join("\n")}\n`);
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  for (const dependency of bundledPackages)
    copyFileSync(join(modulesFolder, dependency, "LICENSE"), join(dist, `LICENSE-${dependency}`));
  console.log(`${manifest.name}: ${modules.length} entry points, ${shipped.size} files`);
}
