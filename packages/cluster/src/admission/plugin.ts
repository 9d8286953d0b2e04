import type { AdmissionRequest, Eventually, Resource } from "../registry/index.js";
import type { Store } from "../storage/index.js";
import type { Reinvocation } from "./reinvocation.js";

/** What plugins may read. */
export interface AdmissionContext {
  readonly store: Store;
}

/**
 * An admission plugin, named as in kube-apiserver: a built-in one, webhooks, policies or ResourceQuota. Its methods throw to reject a request.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** The resources that it handles, as `<plural>` or `<plural>.<group>`. @default all */
  readonly resources?: readonly string[];
  /** Whether it may return promises for changes of a resource, which may then be retried. @default never */
  readonly mayWait?: boolean | ((resource: Resource) => boolean);
  mutate?(request: AdmissionRequest, context: AdmissionContext, reinvocation: Reinvocation): Eventually<void>;
  validate?(request: AdmissionRequest, context: AdmissionContext): Eventually<void>;
  /** See `Admission.reserve`: the last check of a write, in the turn of its commit. */
  reserve?(request: AdmissionRequest): (() => void) | undefined;
}
