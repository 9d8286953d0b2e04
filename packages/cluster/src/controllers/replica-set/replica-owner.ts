import type { LabelSelector } from "@kubewright/core/selector";
import type { TemplateView } from "../pod/index.js";

/** Who wants how many pods of which kind. */
export interface ReplicaOwner {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
  };
  readonly replicas: number;
  readonly selector: LabelSelector;
  readonly template: TemplateView;
  readonly minReadySeconds: number;
}

/** What could not be done. */
export interface ReplicaFailure {
  readonly reason: "FailedCreate" | "FailedDelete";
  readonly message: string;
  readonly error: unknown;
}
