// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { EmbeddedPersistentVolumeClaim, PodTemplateSpec } from "../core/v1.gen.js";
import type { LabelSelector } from "../meta/v1.gen.js";

/** An object of kind ControllerRevision in apps/v1. */
export interface ControllerRevision {
  apiVersion: "apps/v1";
  kind: "ControllerRevision";
  metadata: ReadMeta;
  data?: Record<string, unknown> | undefined;
  revision: number;
}
interface ControllerRevisionTypes { read: ControllerRevision; write: { data?: Record<string, unknown> | undefined; revision: number; }; status: never; conditions: never }
/** The kind ControllerRevision in apps/v1. */
export const ControllerRevision: Kind<"apps/v1/ControllerRevision", "Namespaced", ControllerRevisionTypes> = /* @__PURE__ */ defineKind({ group: "apps", version: "v1", kind: "ControllerRevision", plural: "controllerrevisions", scope: "Namespaced" });

/** An object of kind DaemonSet in apps/v1. */
export interface DaemonSet {
  apiVersion: "apps/v1";
  kind: "DaemonSet";
  metadata: ReadMeta;
  spec: DaemonSetSpec;
  status?: DaemonSetStatus;
}
interface DaemonSetTypes { read: DaemonSet; write: { spec: DaemonSetSpec; }; status: DaemonSetStatus; conditions: never }
/** The kind DaemonSet in apps/v1. */
export const DaemonSet: Kind<"apps/v1/DaemonSet", "Namespaced", DaemonSetTypes> = /* @__PURE__ */ defineKind({ group: "apps", version: "v1", kind: "DaemonSet", plural: "daemonsets", scope: "Namespaced" });

export interface DaemonSetCondition {
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface DaemonSetSpec {
  minReadySeconds?: number | undefined;
  revisionHistoryLimit?: number | undefined;
  selector: LabelSelector;
  template: PodTemplateSpec;
  updateStrategy?: DaemonSetUpdateStrategy | undefined;
}

export interface DaemonSetStatus {
  collisionCount?: number | undefined;
  conditions?: DaemonSetCondition[] | undefined;
  currentNumberScheduled: number;
  desiredNumberScheduled: number;
  numberAvailable?: number | undefined;
  numberMisscheduled: number;
  numberReady: number;
  numberUnavailable?: number | undefined;
  observedGeneration?: number | undefined;
  updatedNumberScheduled?: number | undefined;
}

export interface DaemonSetUpdateStrategy {
  rollingUpdate?: RollingUpdateDaemonSet | undefined;
  type?: "OnDelete" | "RollingUpdate" | undefined;
}

/** An object of kind Deployment in apps/v1. */
export interface Deployment {
  apiVersion: "apps/v1";
  kind: "Deployment";
  metadata: ReadMeta;
  spec: DeploymentSpec;
  status?: DeploymentStatus;
}
interface DeploymentTypes { read: Deployment; write: { spec: DeploymentSpec; }; status: DeploymentStatus; conditions: never }
/** The kind Deployment in apps/v1. */
export const Deployment: Kind<"apps/v1/Deployment", "Namespaced", DeploymentTypes> = /* @__PURE__ */ defineKind({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments", scope: "Namespaced" });

export interface DeploymentCondition {
  lastTransitionTime?: string | undefined;
  lastUpdateTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface DeploymentSpec {
  minReadySeconds?: number | undefined;
  paused?: boolean | undefined;
  progressDeadlineSeconds?: number | undefined;
  replicas?: number | undefined;
  revisionHistoryLimit?: number | undefined;
  selector: LabelSelector;
  strategy?: DeploymentStrategy | undefined;
  template: PodTemplateSpec;
}

export interface DeploymentStatus {
  availableReplicas?: number | undefined;
  collisionCount?: number | undefined;
  conditions?: DeploymentCondition[] | undefined;
  observedGeneration?: number | undefined;
  readyReplicas?: number | undefined;
  replicas?: number | undefined;
  terminatingReplicas?: number | undefined;
  unavailableReplicas?: number | undefined;
  updatedReplicas?: number | undefined;
}

export interface DeploymentStrategy {
  rollingUpdate?: RollingUpdateDeployment | undefined;
  type?: "Recreate" | "RollingUpdate" | undefined;
}

/** An object of kind ReplicaSet in apps/v1. */
export interface ReplicaSet {
  apiVersion: "apps/v1";
  kind: "ReplicaSet";
  metadata: ReadMeta;
  spec: ReplicaSetSpec;
  status?: ReplicaSetStatus;
}
interface ReplicaSetTypes { read: ReplicaSet; write: { spec: ReplicaSetSpec; }; status: ReplicaSetStatus; conditions: never }
/** The kind ReplicaSet in apps/v1. */
export const ReplicaSet: Kind<"apps/v1/ReplicaSet", "Namespaced", ReplicaSetTypes> = /* @__PURE__ */ defineKind({ group: "apps", version: "v1", kind: "ReplicaSet", plural: "replicasets", scope: "Namespaced" });

export interface ReplicaSetCondition {
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface ReplicaSetSpec {
  minReadySeconds?: number | undefined;
  replicas?: number | undefined;
  selector: LabelSelector;
  template?: PodTemplateSpec | undefined;
}

export interface ReplicaSetStatus {
  availableReplicas?: number | undefined;
  conditions?: ReplicaSetCondition[] | undefined;
  fullyLabeledReplicas?: number | undefined;
  observedGeneration?: number | undefined;
  readyReplicas?: number | undefined;
  replicas: number;
  terminatingReplicas?: number | undefined;
}

export interface RollingUpdateDaemonSet {
  maxSurge?: number | string | undefined;
  maxUnavailable?: number | string | undefined;
}

export interface RollingUpdateDeployment {
  maxSurge?: number | string | undefined;
  maxUnavailable?: number | string | undefined;
}

export interface RollingUpdateStatefulSetStrategy {
  maxUnavailable?: number | string | undefined;
  partition?: number | undefined;
}

/** An object of kind StatefulSet in apps/v1. */
export interface StatefulSet {
  apiVersion: "apps/v1";
  kind: "StatefulSet";
  metadata: ReadMeta;
  spec: StatefulSetSpec;
  status?: StatefulSetStatus;
}
interface StatefulSetTypes { read: StatefulSet; write: { spec: StatefulSetSpec; }; status: StatefulSetStatus; conditions: never }
/** The kind StatefulSet in apps/v1. */
export const StatefulSet: Kind<"apps/v1/StatefulSet", "Namespaced", StatefulSetTypes> = /* @__PURE__ */ defineKind({ group: "apps", version: "v1", kind: "StatefulSet", plural: "statefulsets", scope: "Namespaced" });

export interface StatefulSetCondition {
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface StatefulSetOrdinals {
  start?: number | undefined;
}

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  whenDeleted?: string | undefined;
  whenScaled?: string | undefined;
}

export interface StatefulSetSpec {
  minReadySeconds?: number | undefined;
  ordinals?: StatefulSetOrdinals | undefined;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined;
  podManagementPolicy?: "OrderedReady" | "Parallel" | undefined;
  replicas?: number | undefined;
  revisionHistoryLimit?: number | undefined;
  selector: LabelSelector;
  serviceName?: string | undefined;
  template: PodTemplateSpec;
  updateStrategy?: StatefulSetUpdateStrategy | undefined;
  volumeClaimTemplates?: EmbeddedPersistentVolumeClaim[] | undefined;
}

export interface StatefulSetStatus {
  availableReplicas?: number | undefined;
  collisionCount?: number | undefined;
  conditions?: StatefulSetCondition[] | undefined;
  currentReplicas?: number | undefined;
  currentRevision?: string | undefined;
  observedGeneration?: number | undefined;
  readyReplicas?: number | undefined;
  replicas: number;
  updateRevision?: string | undefined;
  updatedReplicas?: number | undefined;
}

export interface StatefulSetUpdateStrategy {
  rollingUpdate?: RollingUpdateStatefulSetStrategy | undefined;
  type?: "OnDelete" | "RollingUpdate" | undefined;
}
