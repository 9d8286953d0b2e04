import type { Transport } from "@kubewright/core/transport";
import type { MovableClock } from "./skipping-clock.js";

/** The cluster under a test: embedded or real. */
export interface Backend {
  /** Requests of the test, as an administrator. */
  readonly transport: Transport;
  /** Requests of the operator. */
  readonly operatorTransport: Transport;
  /** The operator's time; in the embedded cluster also the server's. */
  readonly clock: MovableClock;
  /** The namespace of the test. */
  readonly namespace: string;
  /** Whether the operator may see that namespace only. */
  readonly isConfined: boolean;
  /** Whether {@link busy} knows of everything that is under way; else rest can only be seen by waiting. */
  readonly countsItself: boolean;
  /** Whether what an owner leaves behind is deleted, and deleted namespaces go. */
  readonly collectsGarbage: boolean;
  /** Whether workloads become pods, and pods become ready. */
  readonly runsPods: boolean;
  /** What the cluster itself is doing, in words. */
  busy(): readonly string[];
  close(): Promise<void>;
}
