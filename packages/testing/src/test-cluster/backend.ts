import type { Snapshot, WorkloadOptions } from "@kubewright/cluster";
import type { Transport } from "@kubewright/core/transport";
import type { Operator } from "kubewright";
import type { PolicyRule } from "kubewright/permissions";
import type { WebhookHandler } from "kubewright/webhook";
import type { MovableClock } from "./skipping-clock.js";

/** The address of a test cluster for kubectl and other programs. */
export interface ServedCluster {
  /** For instance `https://127.0.0.1:6443`. */
  readonly url: string;
  /** Path of a kubeconfig file for the administrator; removed with the cluster. */
  readonly kubeconfig: string;
}

/** How the cluster of a test is started. */
export interface BackendOptions {
  readonly workloads: boolean | WorkloadOptions;
  readonly seed: number | undefined;
  /** Whether the operators' admission webhooks are called. */
  readonly webhooks: boolean;
  /** The RBAC rules of an operator's ServiceAccount. */
  rulesOf(operator: Operator): readonly PolicyRule[];
}

/** The cluster of a test: embedded or real. */
export interface Backend {
  /** Transport of the test, as cluster administrator. */
  readonly transport: Transport;
  /** Transport of an operator, as its ServiceAccount. */
  operatorTransport(operator: Operator): Transport;
  /** Clock of the operator; of the embedded cluster too. */
  readonly clock: MovableClock;
  /** Namespace of the test. */
  readonly namespace: string;
  /** Whether operators are restricted to that namespace, unless they need other ones: see `spansNamespaces`. */
  readonly isConfined: boolean;
  /** Whether {@link busy} covers all pending work; otherwise the cluster counts as settled after a quiet period. */
  readonly countsItself: boolean;
  /** Whether dependents and deleted namespaces are garbage-collected. */
  readonly collectsGarbage: boolean;
  /** Whether workload controllers create Pods, and Pods become ready. */
  readonly runsPods: boolean;
  /** Random numbers of the operator, from the seed of the test; undefined without a seed. */
  readonly random?: () => number;
  /** Handles the reviews that the cluster sends to an operator's webhooks; undefined for an operator without any. */
  webhookHandler(operator: Operator): WebhookHandler | undefined;
  /** Serves the cluster for kubectl, as its administrator. */
  listen(): Promise<ServedCluster>;
  /** All objects. Rejects with NOT_SUPPORTED on a real cluster, as `restore` does. */
  snapshot(): Promise<Snapshot>;
  restore(snapshot: Snapshot): Promise<void>;
  /** Descriptions of the cluster's pending work. */
  busy(): readonly string[];
  close(): Promise<void>;
}
