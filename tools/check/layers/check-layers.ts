import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { findCycles } from "./find-cycles.js";
import { type ImportStatement, importsOf } from "./imports.js";

/** The allowed direction of imports; see `layers.json`. */
export interface Layers {
  /** Each package of `packages/`, with the packages that it may import. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
  /** Source folders that may import more packages than the rest of their package. @default none */
  readonly folderPackages?: Readonly<Record<string, readonly string[]>>;
  /** Source folders that may import only types of more packages. @default none */
  readonly folderTypes?: Readonly<Record<string, readonly string[]>>;
  /** What the workspaces of `operators/` may import. */
  readonly operators: readonly string[];
  /** Source folders with their subfolders from high to low: each may import those after it. */
  readonly folders: Readonly<Record<string, readonly string[]>>;
}

/**
 * Finds every import that violates the layers: a package or folder that imports a higher one, an import past a folder's `index.ts`, a
 * relative import into another package, and an import cycle.
 *
 * Tests may import any package, but also only through `index.ts`.
 */
export function checkLayers(root: string, layers: Layers): string[] {
  const problems: string[] = [];
  const graph = new Map<string, string[]>();
  for (const file of sourceFiles(root)) {
    const targets: string[] = [];
    for (const { specifier, line, isTypeOnly } of importsOf(readFileSync(join(root, file), "utf8"))) {
      const where = `${file}:${line}`;
      if (specifier.startsWith(".")) {
        const target = resolveRelative(root, file, specifier);
        if (target === undefined) problems.push(`${where}: "${specifier}" is not a source file`);
        else {
          targets.push(target);
          const problem = checkRelative(file, target, layers);
          if (problem) problems.push(`${where}: ${problem}`);
        }
      } else {
        const problem = checkPackage(file, { specifier, isTypeOnly }, layers);
        if (problem) problems.push(`${where}: ${problem}`);
      }
    }
    graph.set(file, targets);
  }
  for (const cycle of findCycles(graph)) problems.push(`Import cycle: ${[...cycle, cycle[0]].join(" -> ")}`);
  return problems;
}

function sourceFiles(root: string): string[] {
  const files: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && !["node_modules", "dist"].includes(entry.name)) visit(path);
      else if (entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts")) files.push(path);
    }
  };
  for (const folder of ["packages", "operators"]) if (existsSync(join(root, folder))) visit(folder);
  return files.sort();
}

function resolveRelative(root: string, file: string, specifier: string): string | undefined {
  const path = relative(root, resolve(root, dirname(file), specifier))
    .split(sep)
    .join("/");
  const candidates = [path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx"), path];
  return candidates.find((candidate) => /\.(tsx?|json)$/.test(candidate) && existsSync(join(root, candidate)));
}

function checkRelative(file: string, target: string, layers: Layers): string | undefined {
  const home = ownerOf(file);
  if (ownerOf(target) !== home) return `"${target}" belongs to another package: import it by the package's name`;
  const from = placeOf(file, layers);
  const to = placeOf(target, layers);
  if (to === undefined || from?.folder === to.folder) return undefined;
  if (!to.isEntryPoint) return `"${target}" is internal to its folder: import "${to.source}/${to.folder}/index.js"`;
  if (from === undefined || isTest(file)) return undefined;
  const order = layers.folders[to.source] ?? [];
  const unlisted = [from.folder, to.folder].find((folder) => !order.includes(folder));
  if (unlisted !== undefined) return `the folder "${to.source}/${unlisted}" is not in layers.json`;
  return order.indexOf(from.folder) > order.indexOf(to.folder)
    ? `"${from.folder}" may not import "${to.folder}": it is a higher layer`
    : undefined;
}

function checkPackage(
  file: string,
  { specifier, isTypeOnly }: Pick<ImportStatement, "specifier" | "isTypeOnly">,
  layers: Layers,
): string | undefined {
  const [, name] = /^(?:@kubewright\/([a-z]+)|(?=kubewright(?:\/|$)))/.exec(specifier) ?? [];
  const imported = name ?? (/^kubewright(\/|$)/.test(specifier) ? "kubewright" : undefined);
  if (imported === undefined || isTest(file)) return undefined;
  const [top = "", own = ""] = file.split("/");
  if (top === "packages" && own === imported) return `"${specifier}" is this package itself: use a relative import`;
  const allowed = top === "operators" ? layers.operators : layers.packages[own];
  if (allowed === undefined) return `the package "${own}" is not in layers.json`;
  const more = [layers.folderPackages, isTypeOnly ? layers.folderTypes : undefined].flatMap((folders) =>
    Object.entries(folders ?? {}).flatMap(([folder, packages]) => (file.startsWith(`${folder}/`) ? packages : [])),
  );
  return allowed.includes(imported) || more.includes(imported) ? undefined : `"${own}" may not import "${imported}"`;
}

/** The package or operator that a file belongs to. */
function ownerOf(file: string): string {
  return file.split("/").slice(0, 2).join("/");
}

/** The layer of a file; undefined for files at the top of a source folder, or outside. */
function placeOf(file: string, layers: Layers): { source: string; folder: string; isEntryPoint: boolean } | undefined {
  const source = Object.keys(layers.folders).find((candidate) => file.startsWith(`${candidate}/`));
  if (source === undefined) return undefined;
  const [folder = "", ...rest] = file.slice(source.length + 1).split("/");
  if (rest.length === 0) return undefined;
  // Generated modules are entry points: each is a subpath of its package.
  return { source, folder, isEntryPoint: rest.join("/") === "index.ts" || file.endsWith(".gen.ts") };
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || /^packages\/[^/]+\/test\//.test(file);
}
