import type { JsonObject } from "@kubewright/core/json";
import type { User } from "../access/index.js";
import type { Draft } from "./draft.js";
import type { Eventually } from "./eventually.js";
import type { Resource } from "./resource.js";

/** One write that passes through admission. */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly resource: Resource;
  /** Empty for the main resource. */
  readonly subresource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  readonly user: User;
  readonly dryRun: boolean;
  /**
   * The object to store; for a DELETE, the object to delete. A mutating plugin changes it in place or replaces it. A replacement is decoded
   * and defaulted again.
   */
  object: Draft;
  /** The live object; undefined for a CREATE. */
  readonly old: JsonObject | undefined;
}

/** The admission chain. Its methods throw the rejection of a write that is not admitted. */
export interface Admission {
  /** Whether an asynchronous plugin may apply to the resource. */
  mayWait(resource: Resource): boolean;
  /** Mutating plugins, after managedFields are tracked. */
  mutate(request: AdmissionRequest): Eventually<void>;
  /** Validating plugins, after the object is valid. */
  validate(request: AdmissionRequest): Eventually<void>;
  /**
   * Checks the write against its ResourceQuotas. Returns a function that charges them, or undefined if nothing is charged. The caller calls
   * it in the same turn, directly before the commit.
   */
  reserve(request: AdmissionRequest): (() => void) | undefined;
}

/** Admits every write: the default of a registry without an admission chain. */
export const admitAll: Admission = {
  mayWait: () => false,
  mutate: () => undefined,
  validate: () => undefined,
  reserve: () => undefined,
};
