import type { CertificateState } from "./certificate-state.js";
import type { ObservedTarget, StoredState } from "./next-step.js";

/** A target with the version at which it was read. */
export interface StoredTarget extends ObservedTarget {
  readonly version: string;
}

/** A state with the version at which it was read. */
export interface VersionedState extends StoredState {
  readonly version: string;
}

/** Where replicas share their state. Reads return the latest version; writes reject with a conflict (409) if the object has another version. */
export interface CertificateStore<T extends StoredTarget = StoredTarget, S extends VersionedState = VersionedState> {
  /** The webhook configurations and CRDs that exist. */
  readTargets(signal: AbortSignal): Promise<readonly T[]>;
  /** The Secret; undefined if it does not exist. */
  readState(signal: AbortSignal): Promise<S | undefined>;
  /** Replaces the state that was read, or creates it. */
  writeState(state: CertificateState, read: S | undefined, signal: AbortSignal): Promise<void>;
  /** Writes the caBundle of each webhook of the target. */
  publish(target: T, bundle: string, signal: AbortSignal): Promise<void>;
}
