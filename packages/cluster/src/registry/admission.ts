import type { JsonObject } from "@kubewright/core/json";
import type { User } from "../access/index.js";
import type { Draft } from "./draft.js";
import type { Eventually } from "./eventually.js";
import type { Resource } from "./resource.js";

/** One write on its way through admission. */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly resource: Resource;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  readonly user: User;
  readonly dryRun: boolean;
  /**
   * The object that would be stored; the deleted one for a DELETE. A mutating plugin changes it in place, or replaces it: a replacement is
   * decoded and gets its defaults again.
   */
  object: Draft;
  /** The live object; undefined for a CREATE. */
  readonly old: JsonObject | undefined;
}

/** What decides about writes beside the kind itself. Throws the rejection of a write that it does not admit. */
export interface Admission {
  /** Whether a plugin that applies to the resource may have to be awaited. */
  mayWait(resource: Resource): boolean;
  /** Mutating plugins, after managedFields are tracked. */
  mutate(request: AdmissionRequest): Eventually<void>;
  /** Validating plugins, after the object is valid. */
  validate(request: AdmissionRequest): Eventually<void>;
  /**
   * ResourceQuota: checks the write against the quotas. Returns what charges them, or undefined where nothing is charged; the caller calls it
   * in the same turn, directly before the commit.
   */
  reserve(request: AdmissionRequest): (() => void) | undefined;
}

/** Admits everything: a registry on its own. */
export const admitAll: Admission = {
  mayWait: () => false,
  mutate: () => undefined,
  validate: () => undefined,
  reserve: () => undefined,
};
