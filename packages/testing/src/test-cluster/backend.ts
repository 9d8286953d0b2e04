import type { Transport } from "@kubewright/core/transport";
import type { MovableClock } from "./skipping-clock.js";

/** The cluster of a test: embedded or real. */
export interface Backend {
  /** Transport of the test, as cluster administrator. */
  readonly transport: Transport;
  /** Transport of the operator. */
  readonly operatorTransport: Transport;
  /** Clock of the operator; of the embedded cluster too. */
  readonly clock: MovableClock;
  /** Namespace of the test. */
  readonly namespace: string;
  /** Whether the operator is restricted to that namespace. */
  readonly isConfined: boolean;
  /** Whether {@link busy} covers all pending work; otherwise the cluster counts as settled after a quiet period. */
  readonly countsItself: boolean;
  /** Whether dependents and deleted namespaces are garbage-collected. */
  readonly collectsGarbage: boolean;
  /** Whether workload controllers create Pods, and Pods become ready. */
  readonly runsPods: boolean;
  /** Descriptions of the cluster's pending work. */
  busy(): readonly string[];
  close(): Promise<void>;
}
