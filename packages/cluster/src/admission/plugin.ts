import type { AdmissionRequest, Eventually } from "../registry/index.js";
import type { Store } from "../storage/index.js";

/** What plugins may read. */
export interface AdmissionContext {
  readonly store: Store;
}

/** An admission plugin, named as in kube-apiserver. Throws to reject a write. */
export interface AdmissionPlugin {
  readonly name: string;
  /** The resources that it handles, as `<plural>` or `<plural>.<group>`. @default all */
  readonly resources?: readonly string[];
  /** Whether it may return promises. @default false */
  readonly mayWait?: boolean;
  mutate?(request: AdmissionRequest, context: AdmissionContext): Eventually<void>;
  validate?(request: AdmissionRequest, context: AdmissionContext): Eventually<void>;
}
