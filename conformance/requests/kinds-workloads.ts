import type { JsonObject } from "@kubewright/core/json";
import { apply, get, mergePatch, put, type RequestStep, remove, subject, wording } from "../test-case.js";
import { create, createSpec, getTable, patchSpec, patchStatus, replace } from "./object-steps.js";
import { container, deployments, object } from "./sample-objects.js";

const apps = "/apis/apps/v1/namespaces/{ns}";
const replicaSets = `${apps}/replicasets`;
const statefulSets = `${apps}/statefulsets`;
const daemonSets = `${apps}/daemonsets`;
const revisions = `${apps}/controllerrevisions`;
const jobs = "/apis/batch/v1/namespaces/{ns}/jobs";
const cronJobs = "/apis/batch/v1/namespaces/{ns}/cronjobs";
const controllers = "/api/v1/namespaces/{ns}/replicationcontrollers";
const budgets = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";
const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
const autoscalersV1 = "/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers";
const autoscalers = "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers";
const odd = { kind: "D", name: "d" };
const target = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };

const template = (spec: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "main", image: "nginx" }], ...spec },
});
/** A template with one container. */
const ofContainer = (fields: JsonObject): JsonObject => template({ containers: [container("a", "b", fields)] });
const chosen = { selector: { matchLabels: { app: "a" } } };
const jobSpec: JsonObject = {
  template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "nginx" }] } },
};
const brief = template({ restartPolicy: "Never", activeDeadlineSeconds: 3 });
const rolling = (maxUnavailable: number, maxSurge: number): JsonObject => ({
  type: "RollingUpdate",
  rollingUpdate: { maxUnavailable, maxSurge },
});
const createWorkload = (path: string, name: string, spec: JsonObject = {}): RequestStep =>
  createSpec(path, name, { ...chosen, template: template(), ...spec });
const createJob = (name: string, spec: JsonObject = {}): RequestStep => createSpec(jobs, name, { ...jobSpec, ...spec });
const createCron = (name: string, spec: JsonObject = {}): RequestStep =>
  createSpec(cronJobs, name, { schedule: "*/5 * * * *", jobTemplate: { spec: jobSpec }, ...spec });

/** Workload kinds. */
export const workloadKinds = subject("kinds-workloads", {
  "a ReplicaSet gets its defaults and is validated": wording(
    createWorkload(replicaSets, "a"),
    getTable(replicaSets),
    createSpec(replicaSets, "b", {}),
    createWorkload(replicaSets, "b", { replicas: -1, minReadySeconds: -1, selector: {} }),
    createWorkload(replicaSets, "b", { selector: { matchLabels: { app: "other" } } }),
    createWorkload(replicaSets, "b", { template: template({ restartPolicy: "Never", activeDeadlineSeconds: 5 }) }),
    createWorkload(replicaSets, "b", { selector: { matchExpressions: [{ key: "app", operator: "Odd" }] } }),
    patchSpec(`${replicaSets}/a`, {
      selector: { matchLabels: { app: "b" } },
      template: { metadata: { labels: { app: "b" } } },
    }),
    patchSpec(`${replicaSets}/a`, { replicas: 3 }),
    patchStatus(`${replicaSets}/a`, { replicas: 2, readyReplicas: 1, availableReplicas: 1, fullyLabeledReplicas: 2 }),
    patchStatus(`${replicaSets}/a`, { readyReplicas: 9, availableReplicas: 10 }),
    getTable(`${replicaSets}/a`),
    get(`${replicaSets}/a/scale`),
    patchSpec(`${replicaSets}/a/scale`, { replicas: 7 }),
    get(`${replicaSets}/a`),
  ),
  "a ReplicationController gets its defaults and is validated": wording(
    createSpec(controllers, "a", { template: template() }),
    getTable(controllers),
    createSpec(controllers, "b", {}),
    createSpec(controllers, "b", { selector: { a: "b" }, template: template() }),
    createSpec(controllers, "b", { replicas: -1, template: template({ restartPolicy: "OnFailure" }) }),
    createSpec(controllers, "b", { replicas: -1, template: template({ containers: [] }) }),
    patchStatus(`${controllers}/a`, { replicas: 1, readyReplicas: 1 }),
    get(`${controllers}/a/scale`),
    put(`${controllers}/a/scale`, { metadata: { name: "a" }, spec: { replicas: 4 } }),
    remove(`${controllers}/a`, { propagationPolicy: "Background" }),
  ),
  "a StatefulSet gets its defaults and is validated": [
    createWorkload(statefulSets, "a", { serviceName: "s" }),
    getTable(statefulSets),
    createWorkload(statefulSets, "full", {
      serviceName: "s",
      podManagementPolicy: "Parallel",
      updateStrategy: { rollingUpdate: { partition: 2 } },
      template: ofContainer({ volumeMounts: [{ name: "data", mountPath: "/d" }] }),
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } },
        },
      ],
    }),
    createSpec(statefulSets, "b", {}),
    createWorkload(statefulSets, "Bad.Name", {
      podManagementPolicy: "Odd",
      replicas: -1,
      minReadySeconds: -1,
      ordinals: { start: -1 },
      serviceName: "Bad_",
    }),
    createWorkload(statefulSets, "b", { updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } } }),
    createWorkload(statefulSets, "b", {
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: -1 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Odd" },
    }),
    createWorkload(statefulSets, "b", { selector: {}, template: brief }),
    createWorkload(statefulSets, "b", { volumeClaimTemplates: [{ metadata: { name: "d" }, spec: {} }] }),
    patchSpec(`${statefulSets}/a`, { serviceName: "t" }),
    patchSpec(`${statefulSets}/a`, { replicas: 3, minReadySeconds: 5 }),
    patchStatus(`${statefulSets}/a`, { replicas: 2, readyReplicas: 1, currentReplicas: 2, availableReplicas: 1 }),
    patchStatus(`${statefulSets}/a`, { readyReplicas: 5, updatedReplicas: 9 }),
    getTable(`${statefulSets}/a`),
    get(`${statefulSets}/a/scale`),
  ],
  "a DaemonSet gets its defaults and is validated": wording(
    createWorkload(daemonSets, "a"),
    getTable(daemonSets),
    createSpec(daemonSets, "b", {}),
    createWorkload(daemonSets, "b", { selector: {}, minReadySeconds: -1, revisionHistoryLimit: -1 }),
    createWorkload(daemonSets, "b", { selector: { matchLabels: { x: "y" } }, template: brief }),
    createWorkload(daemonSets, "b", { updateStrategy: rolling(1, 1) }),
    createWorkload(daemonSets, "b", { updateStrategy: rolling(0, 0) }),
    createWorkload(daemonSets, "b", { updateStrategy: { rollingUpdate: { maxUnavailable: "x", maxSurge: "150%" } } }),
    patchSpec(`${daemonSets}/a`, { template: { spec: { nodeSelector: { a: "b" } } } }),
    patchSpec(`${daemonSets}/a`, { selector: { matchLabels: { app: "b" } } }),
    patchSpec(`${daemonSets}/a`, { minReadySeconds: 3 }),
    patchStatus(`${daemonSets}/a`, {
      desiredNumberScheduled: 3,
      currentNumberScheduled: 2,
      numberReady: 1,
      numberAvailable: 1,
      updatedNumberScheduled: 2,
    }),
    patchStatus(`${daemonSets}/a`, { numberReady: -1 }),
    getTable(`${daemonSets}/a`),
  ),
  "a ControllerRevision is immutable": wording(
    create(revisions, "a", { revision: 1, data: { spec: { x: 1 } } }),
    getTable(revisions),
    create(revisions, "b", { revision: -1 }),
    mergePatch(`${revisions}/a`, { data: { spec: { x: 2 } } }),
    mergePatch(`${revisions}/a`, { revision: 2 }),
  ),
  "other fields of a Deployment are validated": wording(
    createWorkload(deployments, "b", {
      template: ofContainer({ resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }),
    }),
    createWorkload(deployments, "b", {
      template: {
        metadata: { labels: { app: "a", "x y": "z" }, annotations: { "a b": "c" } },
        spec: { containers: [{ name: "a", image: "b" }] },
      },
    }),
    createWorkload(deployments, "b", {
      template: template({ volumes: [{ name: "v", secret: {} }], ephemeralContainers: [{ name: "e", image: "x" }] }),
    }),
    createWorkload(deployments, "b", { minReadySeconds: 700, paused: false, replicas: 0 }),
    createWorkload(deployments, "c", {
      minReadySeconds: 0,
      paused: false,
      replicas: 0,
      template: template({
        hostNetwork: true,
        containers: [{ name: "a", image: "b", ports: [{ containerPort: 80 }] }],
      }),
    }),
    mergePatch(`${deployments}/c`, { metadata: { annotations: { a: "b" } } }),
    mergePatch(`${deployments}/c/status`, {
      status: { replicas: 1, conditions: [{ type: "Available", status: "True" }], collisionCount: 2 },
      metadata: { labels: { ignored: "x" } },
    }),
    patchStatus(`${deployments}/c`, { collisionCount: 1 }),
    apply(`${deployments}/c/scale?fieldManager=me`, object("autoscaling/v1", "Scale", "c", { spec: { replicas: 2 } })),
  ),
  "a Job gets its defaults and a generated selector": [
    createJob("a"),
    getTable(jobs),
    createJob("par", { parallelism: 3 }),
    getTable(`${jobs}/par`),
    createJob("idx", {
      completionMode: "Indexed",
      completions: 2,
      backoffLimitPerIndex: 1,
      podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] },
    }),
    createSpec(jobs, "lab", { template: template({ restartPolicy: "OnFailure" }) }),
    remove(`${jobs}/lab`),
    remove(`${jobs}/par`, { propagationPolicy: "Background" }),
  ],
  "a Job is validated": [
    createSpec(jobs, "b", {}),
    createJob("b", {
      parallelism: -1,
      completions: -1,
      activeDeadlineSeconds: -1,
      backoffLimit: -1,
      ttlSecondsAfterFinished: -1,
    }),
    createJob("b", { selector: { matchLabels: { x: "y" } } }),
    createJob("b", { manualSelector: true }),
    createJob("b", { completionMode: "Odd", podReplacementPolicy: "Odd" }),
    createJob("b", { completionMode: "Indexed" }),
    createJob("b", { maxFailedIndexes: 1, backoffLimitPerIndex: 1 }),
    createJob("b", {
      podFailurePolicy: {
        rules: [
          { action: "Odd" },
          { action: "FailIndex", onExitCodes: { operator: "In", values: [0, 3, 1, 1] } },
          {
            action: "FailJob",
            onExitCodes: { containerName: "no", operator: "Odd", values: [] },
            onPodConditions: [{ type: "a b", status: "Odd" }],
          },
        ],
      },
    }),
    createJob("b", { successPolicy: { rules: [] } }),
    createJob("b", {
      completionMode: "Indexed",
      completions: 2,
      successPolicy: { rules: [{}, { succeededCount: 5 }] },
    }),
    createSpec(jobs, "b", { template: template({ restartPolicy: "Always" }) }),
    createSpec(jobs, "b", { template: template({ restartPolicy: "OnFailure" }), podFailurePolicy: { rules: [] } }),
    createJob("with.dots"),
  ],
  "a Job's spec is mostly immutable, and its status is validated": wording(
    createJob("a", { suspend: true }),
    patchSpec(`${jobs}/a`, { completions: 5 }),
    patchSpec(`${jobs}/a`, { parallelism: 5 }),
    patchSpec(`${jobs}/a`, { template: { spec: { nodeSelector: { a: "b" } } } }),
    patchSpec(`${jobs}/a`, { suspend: false }),
    patchSpec(`${jobs}/a`, { completionMode: "Indexed" }),
    patchStatus(`${jobs}/a`, { active: 1, ready: 1, startTime: "2001-01-01T00:00:00Z" }),
    getTable(`${jobs}/a`),
    patchStatus(`${jobs}/a`, { active: -1, ready: 3 }),
    patchStatus(`${jobs}/a`, { completionTime: "2001-01-01T00:01:00Z" }),
    patchStatus(`${jobs}/a`, { conditions: [{ type: "Complete", status: "True" }] }),
    patchStatus(`${jobs}/a`, {
      active: 0,
      ready: 0,
      succeeded: 1,
      completionTime: "2001-01-01T00:01:00Z",
      conditions: ["SuccessCriteriaMet", "Complete"].map((type) => ({ type, status: "True" })),
    }),
    getTable(`${jobs}/a`),
  ),
  "a CronJob gets its defaults and is validated": wording(
    createCron("a"),
    getTable(cronJobs),
    createSpec(cronJobs, "b", {}),
    ...["a b c d e", "* * * *", "60 * * * *", "5-1 * * * *", "*/0 * * * *", "@often", "TZ=UTC * * * * *"].map(
      (schedule) => createCron("b", { schedule }),
    ),
    ...["Mars/Base", "Local", ""].map((timeZone) => createCron("b", { timeZone })),
    createCron("tz", { timeZone: "Europe/Berlin", schedule: "@hourly", suspend: true }),
    getTable(`${cronJobs}/tz`),
    createCron("b", {
      concurrencyPolicy: "Odd",
      startingDeadlineSeconds: -1,
      successfulJobsHistoryLimit: -1,
      failedJobsHistoryLimit: -1,
    }),
    createCron("a-name-that-is-too-long-for-a-cron-job-because-jobs-add-to-it"),
    createCron("b", {
      jobTemplate: { spec: { selector: {}, manualSelector: true, template: template({ restartPolicy: "Never" }) } },
    }),
    patchSpec(`${cronJobs}/a`, { schedule: "0 0 * JAN-mar MON" }),
    patchStatus(`${cronJobs}/a`, { active: [{ kind: "Job", name: "x" }], lastScheduleTime: "2001-01-01T00:00:00Z" }),
    remove(`${cronJobs}/a`),
  ),
  "a PodDisruptionBudget is validated": [
    createSpec(budgets, "a", { minAvailable: 1, ...chosen }),
    createSpec(budgets, "none", {}),
    getTable(budgets),
    createSpec(budgets, "b", { minAvailable: 1, maxUnavailable: 1 }),
    createSpec(budgets, "b", { minAvailable: -1 }),
    createSpec(budgets, "b", { maxUnavailable: "101%" }),
    createSpec(budgets, "b", { maxUnavailable: "x", unhealthyPodEvictionPolicy: "Odd" }),
    createSpec(budgets, "b", { selector: { matchLabels: { "a b": "c" } } }),
    patchSpec(`${budgets}/a`, { minAvailable: "50%" }),
    replace(budgets, "a", { spec: { minAvailable: 2 } }),
    patchStatus(`${budgets}/a`, { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 }),
    patchStatus(`${budgets}/a`, { disruptionsAllowed: -1 }),
  ],
  "a PriorityClass is validated": wording(
    create(classes, "{ns}-a", { value: 10, description: "x" }),
    getTable(`${classes}/{ns}-a`),
    create(classes, "system-mine", { value: 10 }),
    create(classes, "{ns}-b", { value: 2000000000 }),
    create(classes, "{ns}-b", { value: 1, preemptionPolicy: "Odd" }),
    mergePatch(`${classes}/{ns}-a`, { value: 11 }),
    mergePatch(`${classes}/{ns}-a`, { preemptionPolicy: "Never" }),
    mergePatch(`${classes}/{ns}-a`, { description: "y" }),
    remove(`${classes}/{ns}-a`),
  ),
  "a HorizontalPodAutoscaler is served in both versions": wording(
    createSpec(autoscalers, "a", { scaleTargetRef: target, maxReplicas: 3 }),
    get(`${autoscalersV1}/a`),
    createSpec(autoscalersV1, "b", { scaleTargetRef: target, maxReplicas: 3, minReplicas: 2 }),
    get(`${autoscalers}/b`),
    createSpec(autoscalers, "c", {
      scaleTargetRef: target,
      maxReplicas: 3,
      metrics: [
        { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1024Mi" } } },
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
        { type: "Pods", pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1" } } },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 10 } },
    }),
    get(`${autoscalersV1}/c`),
    getTable(autoscalers),
    createSpec(autoscalers, "x", {}),
    createSpec(autoscalers, "x", { scaleTargetRef: { kind: "a/b", name: "d" }, maxReplicas: -1, minReplicas: 0 }),
    createSpec(autoscalers, "x", {
      scaleTargetRef: odd,
      maxReplicas: 1,
      minReplicas: 2,
      metrics: [
        { type: "Odd" },
        { type: "Resource" },
        { type: "Resource", resource: { name: "", target: { type: "Odd" } } },
        { type: "Pods", pods: { metric: { name: "" }, target: { type: "Value", value: "0" } } },
        {
          type: "External",
          external: { metric: { name: "m" }, target: { type: "Value", value: "1", averageValue: "1" } },
        },
      ],
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 4000,
          policies: [{ type: "Odd", value: 0, periodSeconds: 2000 }],
          selectPolicy: "Odd",
        },
      },
    }),
    createSpec(autoscalersV1, "x", { scaleTargetRef: odd, maxReplicas: 1, targetCPUUtilizationPercentage: 0 }),
    patchSpec(`${autoscalersV1}/a`, { targetCPUUtilizationPercentage: 33 }),
    patchStatus(`${autoscalers}/a`, { currentReplicas: 1, desiredReplicas: 2 }),
    getTable(`${autoscalersV1}/a`),
  ),
});
