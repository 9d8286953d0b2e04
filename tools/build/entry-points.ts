/** What a consumer of a package can load: modules, and the declarations they lead to. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** The fields of a package.json that name entry points and dependencies. */
export interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly default: string }>>;
  readonly imports?: Readonly<Record<string, string | { readonly default: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Modules that another module starts by URL: neither `exports` nor an import names them. */
const threadModules: Readonly<Record<string, readonly string[]>> = { kubewright: ["lease/lease-worker"] };

/** The entry points of the package in `folder`: paths below `src`, without extension. Reads the output of tsc. */
export function entryPoints(folder: string, { name, exports, imports = {}, bin = {} }: Manifest): string[] {
  const conditional = [...Object.values(exports), ...Object.values(imports)];
  const targets = [
    ...conditional.map((target) => (typeof target === "string" ? target : target.default)),
    ...Object.values(bin),
  ];
  const dist = distFiles(join(folder, "dist"));
  const files = targets.flatMap((target) => {
    const [, path] = /^(?:\.\/)?dist\/(.+)$/.exec(target) ?? [];
    if (path === undefined) return [];
    // In `exports`, `*` matches slashes too.
    const [start = "", end] = path.split("*");
    return end === undefined ? [path] : dist.filter((file) => file.startsWith(start) && file.endsWith(end));
  });
  const modules = files.map((file) => file.replace(/\.js$/, ""));
  return [...new Set([...modules, ...(threadModules[name] ?? [])])];
}

/** The declaration files that the entry points lead to, those of the entry points included. */
export function reachableDeclarations(dist: string, modules: readonly string[]): string[] {
  const reached = new Set<string>();
  const pending = modules.map((module) => `${module}.d.ts`);
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(join(dist, file), "utf8");
    for (const [, path = ""] of text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g))
      pending.push(slashed(join(dirname(file), `${path}.d.ts`)));
  }
  return [...reached];
}

/** Every file below a folder, with `/` on every platform. */
export function distFiles(dist: string): string[] {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => slashed(join(entry.parentPath, entry.name).slice(dist.length + 1)));
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}
