import type { JsonObject } from "@kubewright/core/json";
import type { User } from "../access/index.js";
import type { Draft } from "./draft.js";
import type { Eventually } from "./eventually.js";
import type { Resource } from "./resource.js";

/** How a subresource with a kind of its own shows and changes its object: the scale subresource, with the kind Scale. */
export interface SubresourceForm {
  /** The object as the subresource shows it. */
  of(object: JsonObject): JsonObject;
  /** The object, changed as a changed form requires. The result is a new object. */
  applyTo(object: JsonObject, form: JsonObject): Draft;
}

/** One request that passes through admission. */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  /** The resource as requested, in the requested version. */
  readonly resource: Resource;
  /** Empty for the main resource. */
  readonly subresource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty during mutation if the name of a new object is generated. */
  name: string;
  readonly user: User;
  readonly dryRun: boolean;
  /** The options that the client sent, with kind and apiVersion: CreateOptions, UpdateOptions or DeleteOptions; undefined for a CONNECT. */
  options(): JsonObject | undefined;
  /** Set if `object` and `old` are not what the subresource shows. */
  readonly form?: SubresourceForm;
  /** Sends a warning to the client. */
  warn(message: string): void;
  /** Adds an annotation to the audit event of the request. @default no audit */
  readonly annotate?: (key: string, value: string) => void;
  /**
   * The object to store; for a DELETE, the object to delete; for a CONNECT, the options of the connection. A mutating plugin changes it in
   * place, or replaces it with an object that passed {@link decodeAdmitted}.
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
