import type { JsonObject } from "@kubewright/core/json";
import { type GoodKind, goodKind } from "./good-kind.js";
import { fullPodSpec, goodConditions, goodTemplate, smallPodSpec } from "./good-pod-template.js";

const selector = { matchLabels: { app: "a" }, matchExpressions: [{ key: "tier", operator: "In", values: ["t"] }] };
const full = { selector, template: goodTemplate(fullPodSpec) };
const small = { selector: { matchLabels: { app: "a" } }, template: goodTemplate(smallPodSpec) };

const claim: JsonObject = {
  metadata: { name: "data", labels: { a: "b" } },
  spec: { accessModes: ["ReadWriteOnce"], storageClassName: "fast", resources: { requests: { storage: "1Gi" } } },
};

const jobTemplate = (spec: JsonObject): JsonObject => goodTemplate({ restartPolicy: "Never", ...spec });

const jobs: readonly JsonObject[] = [
  { template: jobTemplate(smallPodSpec) },
  {
    template: jobTemplate(fullPodSpec),
    parallelism: 2,
    completions: 3,
    activeDeadlineSeconds: 60,
    backoffLimit: 4,
    ttlSecondsAfterFinished: 10,
    completionMode: "Indexed",
    suspend: true,
    podReplacementPolicy: "Failed",
    podFailurePolicy: {
      rules: [
        { action: "FailJob", onExitCodes: { containerName: "main", operator: "In", values: [1, 2] } },
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
      ],
    },
  },
  {
    template: jobTemplate(smallPodSpec),
    completionMode: "Indexed",
    completions: 5,
    parallelism: 5,
    backoffLimitPerIndex: 1,
    maxFailedIndexes: 2,
    successPolicy: { rules: [{ succeededIndexes: "0-2,4", succeededCount: 2 }] },
    managedBy: "example.com/own",
  },
  {
    template: { metadata: { labels: { app: "a" } }, spec: { ...smallPodSpec, restartPolicy: "OnFailure" } },
    manualSelector: true,
    selector: { matchLabels: { app: "a" } },
  },
];

const rolling = {
  replicas: 3,
  readyReplicas: 2,
  availableReplicas: 1,
  observedGeneration: 1,
  conditions: goodConditions,
};

/** Kinds that make pods. */
export const goodWorkloads: readonly GoodKind[] = [
  goodKind({
    version: "apps/v1",
    kind: "StatefulSet",
    plural: "statefulsets",
    objects: [
      { spec: { ...small, serviceName: "s" } },
      {
        spec: {
          ...full,
          serviceName: "s",
          replicas: 3,
          minReadySeconds: 4,
          revisionHistoryLimit: 5,
          podManagementPolicy: "Parallel",
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
          persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" },
          ordinals: { start: 2 },
          volumeClaimTemplates: [claim],
        },
      },
      { spec: { ...small, updateStrategy: { type: "OnDelete" }, volumeClaimTemplates: [claim] } },
    ],
    statuses: [
      {
        ...rolling,
        currentReplicas: 2,
        updatedReplicas: 1,
        currentRevision: "a",
        updateRevision: "b",
        collisionCount: 1,
      },
    ],
  }),
  goodKind({
    version: "apps/v1",
    kind: "DaemonSet",
    plural: "daemonsets",
    objects: [
      { spec: small },
      {
        spec: {
          ...full,
          minReadySeconds: 3,
          revisionHistoryLimit: 4,
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%", maxSurge: 0 } },
        },
      },
      { spec: { ...small, updateStrategy: { type: "OnDelete" } } },
    ],
    statuses: [
      {
        currentNumberScheduled: 1,
        numberMisscheduled: 2,
        desiredNumberScheduled: 3,
        numberReady: 1,
        observedGeneration: 1,
        updatedNumberScheduled: 1,
        numberAvailable: 1,
        numberUnavailable: 1,
        collisionCount: 1,
        conditions: goodConditions,
      },
    ],
  }),
  goodKind({
    version: "batch/v1",
    kind: "Job",
    // Labels that are taken over when it is read make a real server write anew what did not change.
    isEffective: true,
    plural: "jobs",
    objects: jobs.map((spec) => ({ spec })),
    statuses: [
      {
        active: 1,
        ready: 1,
        succeeded: 1,
        failed: 1,
        terminating: 0,
        startTime: "2026-01-01T00:00:00Z",
        uncountedTerminatedPods: { succeeded: ["u"], failed: ["v"] },
        completedIndexes: "0,2-3",
        failedIndexes: "1",
      },
      {
        succeeded: 1,
        startTime: "2026-01-01T00:00:00Z",
        completionTime: "2026-01-01T00:01:00Z",
        conditions: [
          { type: "SuccessCriteriaMet", status: "True" },
          { type: "Complete", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" },
        ],
      },
    ],
  }),
  goodKind({
    version: "batch/v1",
    kind: "CronJob",
    plural: "cronjobs",
    objects: [
      { spec: { schedule: "*/5 * * * *", jobTemplate: { spec: jobs[0] ?? {} } } },
      {
        spec: {
          schedule: "@daily",
          timeZone: "Europe/Berlin",
          startingDeadlineSeconds: 20,
          concurrencyPolicy: "Forbid",
          suspend: true,
          successfulJobsHistoryLimit: 2,
          failedJobsHistoryLimit: 3,
          jobTemplate: { metadata: { labels: { a: "b" } }, spec: jobs[1] ?? {} },
        },
      },
    ],
    statuses: [
      {
        active: [{ apiVersion: "batch/v1", kind: "Job", name: "j", namespace: "n", uid: "u" }],
        lastScheduleTime: "2026-01-01T00:00:00Z",
        lastSuccessfulTime: "2026-01-01T00:00:00Z",
      },
    ],
  }),
  goodKind({
    version: "apps/v1",
    kind: "ReplicaSet",
    plural: "replicasets",
    objects: [{ spec: small }, { spec: { ...full, replicas: 2, minReadySeconds: 3 } }],
    statuses: [{ ...rolling, fullyLabeledReplicas: 2, terminatingReplicas: 1 }],
  }),
  goodKind({
    version: "v1",
    kind: "ReplicationController",
    plural: "replicationcontrollers",
    objects: [
      { spec: { template: goodTemplate(smallPodSpec) } },
      { spec: { selector: { app: "a" }, template: goodTemplate(fullPodSpec), replicas: 2, minReadySeconds: 3 } },
    ],
    statuses: [{ ...rolling, fullyLabeledReplicas: 2 }],
  }),
  goodKind({
    version: "apps/v1",
    kind: "Deployment",
    plural: "deployments",
    objects: [
      { spec: small },
      {
        spec: {
          ...full,
          replicas: 2,
          minReadySeconds: 3,
          progressDeadlineSeconds: 60,
          revisionHistoryLimit: 3,
          paused: true,
          strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 1 } },
        },
      },
      { spec: { ...small, strategy: { type: "Recreate" } } },
    ],
    statuses: [{ ...rolling, updatedReplicas: 2, unavailableReplicas: 1, collisionCount: 1, terminatingReplicas: 1 }],
  }),
  goodKind({
    version: "v1",
    kind: "PodTemplate",
    plural: "podtemplates",
    objects: [{ template: goodTemplate(smallPodSpec) }, { template: goodTemplate(fullPodSpec) }],
  }),
];
