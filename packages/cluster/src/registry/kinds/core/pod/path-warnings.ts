import { goQuote } from "@kubewright/core/json";
import type { Volume, VolumeProjection } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";

interface Found {
  readonly path: string;
  /** The source of the file; empty in a volume with one source. */
  readonly source: string;
}

/** Warnings about overlapping paths in a volume, and about a projected volume without sources. */
export function pathWarnings({ name = "", configMap, secret, downwardAPI, projected }: Decoded<Volume>): string[] {
  const warnings: string[] = [];
  const warn = (what: string, found: readonly Found[]): void => {
    const known: Found[] = [];
    for (const { path: whole, source } of found) {
      const one = { path: whole.replace(/\/+$/, ""), source };
      for (const other of known)
        if (isOverlap(one.path, other.path))
          warnings.push(
            `volume ${goQuote(name)} (${what}): overlapping paths: ${formatPath(one)} with ${formatPath(other)}`,
          );
      known.push(one);
    }
  };
  if (configMap) warn(`ConfigMap ${goQuote(configMap.name ?? "")}`, pathsOf(configMap.items, ""));
  if (secret) warn(`Secret ${goQuote(secret.secretName ?? "")}`, pathsOf(secret.items, ""));
  if (downwardAPI) warn("DownwardAPI", pathsOf(downwardAPI.items, ""));
  const sources = projected?.sources ?? [];
  for (const source of sources)
    if (Object.keys(source).length === 0) warnings.push(`volume ${goQuote(name)} (Projected) has no sources provided`);
  warn("Projected", sources.flatMap(projectedPaths));
  return warnings;
}

function projectedPaths(source: Decoded<VolumeProjection>): Found[] {
  const { configMap, secret, downwardAPI, serviceAccountToken: token } = source;
  if (configMap?.items) return pathsOf(configMap.items, `ConfigMap ${goQuote(configMap.name ?? "")}`);
  if (secret?.items) return pathsOf(secret.items, `Secret ${goQuote(secret.name ?? "")}`);
  if (downwardAPI?.items) return pathsOf(downwardAPI.items, "DownwardAPI");
  return token ? [{ path: token.path ?? "", source: "ServiceAccountToken" }] : [];
}

function pathsOf(items: readonly { readonly path?: string }[] | undefined, source: string): Found[] {
  return (items ?? []).map(({ path = "" }) => ({ path, source }));
}

function isOverlap(one: string, other: string): boolean {
  if (one === "" || other === "") return false;
  return `${other}/`.startsWith(`${one}/`) || `${one}/`.startsWith(`${other}/`);
}

function formatPath({ path, source }: Found): string {
  return source === "" ? goQuote(path) : `${goQuote(path)} (${source})`;
}
