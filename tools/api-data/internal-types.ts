import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where a server's own types lie, and those that clients see, below the cache of modules. */
const places: Readonly<Record<string, readonly [own: string, seen: string]>> = {
  core: ["kubernetes@v1.36.4/pkg/apis/core", "api@v0.36.4/core/v1"],
  batch: ["kubernetes@v1.36.4/pkg/apis/batch", "api@v0.36.4/batch/v1"],
  policy: ["kubernetes@v1.36.4/pkg/apis/policy", "api@v0.36.4/policy/v1"],
  apps: ["kubernetes@v1.36.4/pkg/apis/apps", "api@v0.36.4/apps/v1"],
  apiextensions: [
    "apiextensions-apiserver@v0.36.4/pkg/apis/apiextensions",
    "apiextensions-apiserver@v0.36.4/pkg/apis/apiextensions/v1",
  ],
};

/** The types that refusals quote. */
const roots = [
  "core.PodSpec",
  "core.PodTemplateSpec",
  "core.PersistentVolumeClaimSpec",
  "core.PersistentVolumeSource",
  "core.EphemeralContainer",
  "batch.SuccessPolicy",
  "policy.PodDisruptionBudgetSpec",
  "apps.RollingUpdateStatefulSetStrategy",
  "apiextensions.CustomResourceDefinitionVersion",
];

interface GoPackage {
  readonly structs: Map<string, readonly (readonly [name: string, type: string, json: string])[]>;
  readonly aliases: Map<string, string>;
}

function readPackage(folder: string): GoPackage {
  const structs: GoPackage["structs"] = new Map();
  const aliases = new Map<string, string>();
  for (const file of readdirSync(folder).filter((name) => /^types.*\.go$/.test(name))) {
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, alias = "", type = ""] of text.matchAll(/^type (\w+) ((?:map\[\w+\]|\[\])?[\w.]+(?:\{\})?)$/gm))
      aliases.set(alias, type);
    for (const [, name = "", body = ""] of text.matchAll(/^type (\w+) struct ?\{(?:\}|\n([\s\S]*?)^\})/gm))
      structs.set(name, fieldsIn(body));
  }
  return { structs, aliases };
}

function fieldsIn(body: string): (readonly [string, string, string])[] {
  return body.split("\n").flatMap((line) => {
    const found = /^\t(?:(\w+)\s+)?([\w.*[\]]+)(?:\s+`[^`]*json:"([^",]*)[^`]*`)?\s*(?:\/\/.*)?$/.exec(line);
    if (!found) return [];
    const [, name = "", type = "", json = ""] = found;
    return [[name, type, json] as const];
  });
}

/**
 * The fields of a server's own Go types in their order, by type (`core.PodSpec`): the name in Go, in JSON as clients know it (`-` for
 * structs whose fields lie flat in the other), and the type. Refusals quote objects in this form.
 */
export function internalTypes(): string {
  const modules = join(execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).trim(), "k8s.io");
  const packages = new Map(
    Object.entries(places).map(([name, [own, seen]]) => [
      name,
      { own: readPackage(join(modules, own)), seen: readPackage(join(modules, seen)) },
    ]),
  );
  const written = new Map<string, string>();
  const wanted = [...roots];
  for (let type = wanted.pop(); type !== undefined; type = wanted.pop()) {
    if (written.has(type)) continue;
    const [place = "", name = ""] = type.split(".");
    const found = packages.get(place);
    if (!found) continue;
    const qualify = (inner: string): string =>
      inner.replace(/(^|[*\]])([A-Z]\w*)/g, (_, before: string, bare: string) => `${before}${place}.${bare}`);
    const alias = found.own.aliases.get(name);
    const fields = found.own.structs.get(name);
    if (alias !== undefined) written.set(type, `= ${qualify(alias)}`);
    if (fields) {
      const json = new Map((found.seen.structs.get(name) ?? []).map(([field, , tag]) => [field, tag]));
      const lines = fields.map(([field, inner]) =>
        field === "" ? `- - ${qualify(inner)}` : `${field} ${json.get(field) || lowerFirst(field)} ${qualify(inner)}`,
      );
      written.set(type, lines.join("\n"));
    }
    for (const [, inner = ""] of (written.get(type) ?? "").matchAll(/([a-z]\w*\.[A-Z]\w*)/g)) wanted.push(inner);
  }
  const entries = [...written].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(entries))}\n`;
}

/** `HostPID` is `hostPID`, `OS` is `os`. */
function lowerFirst(name: string): string {
  return name.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase());
}
