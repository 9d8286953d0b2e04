import type { LabelSelector } from "@kubewright/core/selector";
import type { TemplateView } from "../pod/index.js";

/** The common part of a ReplicaSet and a ReplicationController. */
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

/** A failure to create or delete Pods. */
export interface ReplicaFailure {
  readonly reason: "FailedCreate" | "FailedDelete";
  readonly message: string;
  readonly error: unknown;
}
