import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const version = "v0.36.4";

/** The modules below `k8s.io` whose types have a protobuf encoding. */
const modules = ["api", "apimachinery", "apiextensions-apiserver", "kube-aggregator"];

/** Facts of a field that only its Go tags contain. */
interface GoField {
  readonly json: string;
  readonly isInline: boolean;
  readonly isPointer: boolean;
}

/**
 * The fields of every message, as JSON: by message name, a string with one field per line: number, JSON name, type, and flags: `p` for a
 * pointer, `r` for a list, `m` for a map, `i` for an inlined struct. Types are scalars or message names.
 */
export function protobufFields(): string {
  const cache = execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).trim();
  const messages: Record<string, string> = {};
  for (const one of modules) {
    for (const file of protobufFiles(join(cache, "k8s.io", `${one}@${version}`))) {
      const text = readFileSync(file, "utf8");
      const packageName = /^package (\S+);/m.exec(text)?.[1] ?? "";
      // Alpha and beta versions are not served.
      if (/v\d+(alpha|beta)\d+$/.test(packageName)) continue;
      const go = goFields(dirname(file));
      for (const [, name = "", body = ""] of text.matchAll(/^message (\w+) \{\n([\s\S]*?)^\}/gm))
        messages[`${packageName}.${name}`] = fieldLines(body, packageName, (number) => go.get(`${name} ${number}`));
    }
  }
  const sorted = Object.fromEntries(Object.entries(messages).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(sorted, undefined, 0)}\n`;
}

function protobufFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "testdata" || entry.name === "testing" ? [] : protobufFiles(path);
    return entry.name === "generated.proto" ? [path] : [];
  });
}

function fieldLines(body: string, packageName: string, goOf: (number: string) => GoField | undefined): string {
  const field = /^ {2}(optional |repeated |)(map<string, ?([\w.]+)>|[\w.]+) (\w+) = (\d+);/gm;
  return [...body.matchAll(field)]
    .flatMap(([, label = "", type = "", valueType, name = "", number = ""]) => {
      const go = goOf(number);
      const isMap = valueType !== undefined;
      const flags = [
        ...(label === "repeated " ? ["r"] : []),
        ...(isMap ? ["m"] : []),
        ...(go?.isPointer === true ? ["p"] : []),
        ...(go?.isInline === true ? ["i"] : []),
      ].join("");
      if (go?.json === "-") return [];
      return [`${number} ${go?.json || name} ${fullName(valueType ?? type, packageName)} ${flags}`.trimEnd()];
    })
    .join("\n");
}

const scalars = new Set(["string", "bytes", "bool", "int32", "int64", "uint32", "uint64", "double"]);

function fullName(type: string, packageName: string): string {
  if (scalars.has(type)) return type;
  return type.startsWith(".") ? type.slice(1) : `${packageName}.${type}`;
}

function goFields(folder: string): Map<string, GoField> {
  const fields = new Map<string, GoField>();
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(".go") || /_test|generated|zz_/.test(file)) continue;
    let owner = "";
    for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
      owner = /^type (\w+) struct/.exec(line)?.[1] ?? owner;
      const found = /^\s+(?:\w+\s+)?(\*?)[\w.[\]*]+\s+`json:"([^"]*)".*protobuf:"[^",]*,(\d+),/.exec(line);
      if (!found) continue;
      const [, star = "", json = "", number = ""] = found;
      const name = json.split(",", 1)[0] ?? "";
      fields.set(`${owner} ${number}`, {
        json: name,
        isInline: name === "" && json.includes("inline"),
        isPointer: star === "*",
      });
    }
  }
  return fields;
}
