import { goQuote, type JsonObject } from "@kubewright/core/json";
import { partAt, textAt } from "../../../draft.js";
import { entriesAt } from "../../../validation/index.js";

interface Found {
  readonly path: string;
  /** The source of the file; empty in a volume with one source. */
  readonly source: string;
}

/** Warnings about overlapping paths in a volume, and about a projected volume without sources. */
export function pathWarnings(volume: JsonObject): string[] {
  const warnings: string[] = [];
  const name = textAt(volume, "name");
  const warn = (what: string, found: readonly Found[]): void => {
    const known: Found[] = [];
    for (const { path: whole, source } of found) {
      const one = { path: whole.replace(/\/+$/, ""), source };
      for (const other of known)
        if (isOverlap(one.path, other.path))
          warnings.push(`volume ${goQuote(name)} (${what}): overlapping paths: ${shown(one)} with ${shown(other)}`);
      known.push(one);
    }
  };
  const [config, secret, downward] = ["configMap", "secret", "downwardAPI"].map((kind) => partAt(volume, kind));
  if (config) warn(`ConfigMap ${goQuote(textAt(config, "name"))}`, pathsOf(config, ""));
  if (secret) warn(`Secret ${goQuote(textAt(secret, "secretName"))}`, pathsOf(secret, ""));
  if (downward) warn("DownwardAPI", pathsOf(downward, ""));
  const projected = partAt(volume, "projected");
  if (!projected) return warnings;
  const sources = entriesAt(projected, "sources", "").map(([source]) => source);
  for (const source of sources)
    if (Object.keys(source).length === 0) warnings.push(`volume ${goQuote(name)} (Projected) has no sources provided`);
  warn("Projected", sources.flatMap(projectedPaths));
  return warnings;
}

function projectedPaths(source: JsonObject): Found[] {
  const [config, secret, downward] = ["configMap", "secret", "downwardAPI"].map((kind) => partAt(source, kind));
  if (config?.["items"] !== undefined) return pathsOf(config, `ConfigMap ${goQuote(textAt(config, "name"))}`);
  if (secret?.["items"] !== undefined) return pathsOf(secret, `Secret ${goQuote(textAt(secret, "name"))}`);
  if (downward?.["items"] !== undefined) return pathsOf(downward, "DownwardAPI");
  const token = partAt(source, "serviceAccountToken");
  return token ? [{ path: textAt(token, "path"), source: "ServiceAccountToken" }] : [];
}

function pathsOf(part: JsonObject, source: string): Found[] {
  return entriesAt(part, "items", "").map(([item]) => ({ path: textAt(item, "path"), source }));
}

function isOverlap(one: string, other: string): boolean {
  if (one === "" || other === "") return false;
  return `${other}/`.startsWith(`${one}/`) || `${one}/`.startsWith(`${other}/`);
}

function shown({ path, source }: Found): string {
  return source === "" ? goQuote(path) : `${goQuote(path)} (${source})`;
}
