import { formatKey, parseKey } from "@kubewright/core/identity";
import type { AnyKind } from "../definition/index.js";

/** Which object is to be reconciled. Says nothing about what happened: a run looks at the whole state. */
export interface Request {
  /** The kind, as `group/version/Kind`. */
  readonly kind: string;
  /** "" for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
}

/** How a mapping or a source names an object. */
export type Target = string | { readonly namespace?: string; readonly name: string };

/** The key of a request in the queue of its controller. */
export function formatRequest(request: Request): string {
  return formatKey(request);
}

/** The request that a key of the queue means. */
export function parseRequest(kind: AnyKind, key: string): Request {
  return { kind: kind.id, ...parseKey(key) };
}
