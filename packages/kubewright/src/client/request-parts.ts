import { OperatorError } from "@kubewright/core/errors";
import { formatKey, type ObjectKey } from "@kubewright/core/identity";
import type { AnyKind } from "../definition/index.js";
import type { DeleteOptions, ListOptions, WriteOptions } from "./client-options.js";
import type { ObjectPatch } from "./object-patch.js";
import { formatFields, formatLabels } from "./selector-input.js";

/** How error messages name an object. */
export function describe(kind: AnyKind, key: string): string {
  return `${kind.kind} "${key}"`;
}

/** A query without the parameters that were not given. */
export function compact(query: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const set: Record<string, string> = {};
  for (const [key, value] of Object.entries(query)) if (value !== undefined) set[key] = value;
  return set;
}

/** The query of a write. */
export function writeQuery(
  force: boolean,
  options: WriteOptions,
  defaultManager: string | undefined,
  defaultValidation: WriteOptions["fieldValidation"],
): Record<string, string> {
  const query: Record<string, string> = {};
  if (force) query["force"] = "true";
  const fieldManager = options.fieldManager ?? defaultManager;
  if (fieldManager !== undefined) query["fieldManager"] = fieldManager;
  if (options.dryRun === true) query["dryRun"] = "All";
  const fieldValidation = options.fieldValidation ?? defaultValidation;
  if (fieldValidation !== undefined) query["fieldValidation"] = fieldValidation;
  return query;
}

/** Selectors as query parameters. */
export function selectors(options: Pick<ListOptions, "labels" | "fields">): Record<string, string | undefined> {
  return { labelSelector: formatLabels(options.labels), fieldSelector: formatFields(options.fields) };
}

/** The body of a delete. */
export function deleteBody(options: DeleteOptions): object {
  const { dryRun, preconditions, propagationPolicy, gracePeriodSeconds } = options;
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    ...(dryRun === true ? { dryRun: ["All"] } : {}),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
  };
}

/** A patch as it travels: its content type names the patch format. */
export function patchBody(
  kind: AnyKind,
  key: ObjectKey,
  patch: ObjectPatch,
): { readonly type: string; readonly body: unknown } {
  if ("merge" in patch) return { type: "application/merge-patch+json", body: patch.merge };
  if ("json" in patch) return { type: "application/json-patch+json", body: patch.json };
  if ("strategic" in patch) return { type: "application/strategic-merge-patch+json", body: patch.strategic };
  throw new OperatorError(
    "CONFIG_INVALID",
    `Cannot patch ${describe(kind, formatKey(key))}: give one of "merge", "json", "strategic"`,
  );
}
