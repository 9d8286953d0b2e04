import type { ObjectKey } from "@kubewright/core/identity";
import { type AnyKind, clusterPath } from "../definition/index.js";

const known = new WeakMap<AnyKind, Map<string, string>>();
const maxKnown = 1_000;

/** The path of a collection; of all namespaces where `namespace` is "". */
export function collectionPath(kind: AnyKind, namespace: string): string {
  let paths = known.get(kind);
  if (paths === undefined || paths.size >= maxKnown) {
    paths = new Map();
    known.set(kind, paths);
  }
  let path = paths.get(namespace);
  if (path === undefined) {
    path = makePath(kind, namespace);
    paths.set(namespace, path);
  }
  return path;
}

function makePath(kind: AnyKind, namespace: string): string {
  const api = kind.group === "" ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const root = clusterPath(kind) + api;
  return namespace === ""
    ? `${root}/${kind.plural}`
    : `${root}/namespaces/${encodeURIComponent(namespace)}/${kind.plural}`;
}

/** The path of one object, or of a subresource of it. */
export function objectPath(kind: AnyKind, key: ObjectKey, subresource?: string): string {
  const path = `${collectionPath(kind, key.namespace)}/${encodeURIComponent(key.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}
