import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const version = "v0.36.4";

/** The folder of each component's types in the module cache. */
function packagesIn(modules: string): (readonly [folder: string, component: string])[] {
  const groups = readdirSync(join(modules, `k8s.io/api@${version}`), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name);
  const versions = groups.flatMap((group) => ["v1", "v2"].map((one) => `${group}/${one}`));
  return [
    ...versions
      .filter((place) => existsSync(join(modules, `k8s.io/api@${version}`, place)))
      .map((place) => [`api@${version}/${place}`, `io.k8s.api.${place.replace("/", ".")}`] as const),
    [`apimachinery@${version}/pkg/apis/meta/v1`, "io.k8s.apimachinery.pkg.apis.meta.v1"],
    [`kube-aggregator@${version}/pkg/apis/apiregistration/v1`, "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1"],
  ];
}

/** Scalar types of other packages. */
const outside = new Map(
  ["v1.", "corev1.", "metav1.", "apiv1.", "core."].flatMap((prefix) =>
    [
      "PullPolicy",
      "Protocol",
      "ConditionStatus",
      "ResourceName",
      "NodeSelectorOperator",
      "UncertifiedStatus",
      "TolerationOperator",
      "TaintEffect",
    ].map((name) => [`${prefix}${name}`, "string"] as const),
  ),
);
const scalars = new Set(["string", "bool", "int", "int32", "int64", "uint32", "float64", "types.UID", "UID"]);

interface Field {
  readonly owner: string;
  readonly name: string;
  readonly type: string;
  readonly omitted: boolean;
  readonly omittedWhenZero: boolean;
}

interface GoPackage {
  readonly fields: Field[];
  readonly aliases: Map<string, string>;
  /** Inlined structs. */
  readonly inlined: { readonly owner: string; readonly part: string }[];
}

function readPackage(folder: string): GoPackage {
  const fields: Field[] = [];
  const inlined: { owner: string; part: string }[] = [];
  const aliases = new Map<string, string>();
  const names = readdirSync(folder).filter((name) => name.endsWith(".go") && !/_test|generated|zz_/.test(name));
  for (const name of names) {
    const text = readFileSync(join(folder, name), "utf8");
    for (const [, alias = "", type = ""] of text.matchAll(/^type (\w+) ([\w.]+)$/gm)) aliases.set(alias, type);
    for (const [, owner = "", body = ""] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
      for (const [, part = ""] of body.matchAll(/^\t(\w+) +`json:",inline/gm)) inlined.push({ owner, part });
      for (const [, type = "", tag = ""] of body.matchAll(/^\t\w+ +([\w.*[\]]+) +`json:"([^"]*)"/gm)) {
        const [field = "", ...options] = tag.split(",");
        if (field === "" || field === "-") continue;
        const omittedWhenZero = options.includes("omitzero");
        fields.push({ owner, name: field, type, omitted: options.includes("omitempty"), omittedWhenZero });
      }
    }
  }
  for (const { owner, part } of inlined)
    fields.push(...fields.filter((field) => field.owner === part).map((field) => ({ ...field, owner })));
  return { fields, aliases, inlined };
}

function moduleCache(): string {
  return execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).trim();
}

/**
 * The module `omit-empty-fields.gen.ts`, from the Go types in the module cache: the fields that Go's `omitempty` omits at their zero value, and
 * the fields that are null when unset.
 *
 * A field is omitted if it is a scalar, not a pointer, with `omitempty`; it is serialized as null if it is a time that is not a pointer, or a
 * list, map or pointer without `omitempty`.
 */
export function omitEmptyModule(): string {
  const modules = moduleCache();
  const found = new Map<string, { zero: string[]; nulls: string[] }>();
  for (const [folder, component] of packagesIn(modules)) {
    const read = readPackage(join(modules, "k8s.io", folder));
    const isScalar = (type: string): boolean => {
      if (scalars.has(type)) return true;
      const alias = read.aliases.get(type) ?? outside.get(type);
      return alias !== undefined && isScalar(alias);
    };
    for (const { owner, name, type, omitted, omittedWhenZero } of read.fields) {
      const entry = found.get(`${component}.${owner}`) ?? { zero: [], nulls: [] };
      found.set(`${component}.${owner}`, entry);
      if (omitted && isScalar(type)) entry.zero.push(name);
      else if (/^(metav1\.)?(Micro)?Time$/.test(type) && !omittedWhenZero) entry.nulls.push(name);
      else if (!omitted && !omittedWhenZero && /^(\[\]|map\[|\*)/.test(type)) entry.nulls.push(name);
    }
  }
  const lines = [...found]
    .filter(([, { zero, nulls }]) => zero.length + nulls.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, { zero, nulls }]) =>
        `  ${JSON.stringify(name)}: [${JSON.stringify(zero.join(" "))}, ${JSON.stringify(nulls.join(" "))}],`,
    );
  return [
    "// Written by tools/api-data/main.ts. Do not edit.",
    "",
    "/** By component: fields that are left out when they hold the zero value, and fields that are null when they are unset. */",
    "export const omitEmptyFields: Readonly<Record<string, readonly [zero: string, nulls: string]>> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}
