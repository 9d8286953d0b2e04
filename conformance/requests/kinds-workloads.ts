import type { JsonObject } from "@kubewright/core/json";
import { apply, get, mergePatch, post, put, remove, type Subject, testCase, wordingCase } from "../test-case.js";

const apps = "/apis/apps/v1/namespaces/{ns}";
const batch = "/apis/batch/v1/namespaces/{ns}";
const table = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

const template = (spec: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "main", image: "nginx" }], ...spec },
});
const chosen = { selector: { matchLabels: { app: "a" } } };
const named = (name: string, spec: JsonObject): JsonObject => ({ metadata: { name }, spec });
const workload = (name: string, spec: JsonObject = {}): JsonObject =>
  named(name, { ...chosen, template: template(), ...spec });
const job = (name: string, spec: JsonObject = {}): JsonObject =>
  named(name, {
    template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "nginx" }] } },
    ...spec,
  });
const cron = (name: string, spec: JsonObject = {}): JsonObject =>
  named(name, { schedule: "*/5 * * * *", jobTemplate: { spec: job("x")["spec"] ?? null }, ...spec });

/** Kinds that make pods. */
export const workloadKinds: Subject = {
  name: "kinds-workloads",
  cases: [
    wordingCase(
      "a ReplicaSet gets its defaults, and is checked",
      post(`${apps}/replicasets`, workload("a")),
      get(`${apps}/replicasets`, table),
      post(`${apps}/replicasets`, named("b", {})),
      post(`${apps}/replicasets`, workload("b", { replicas: -1, minReadySeconds: -1, selector: {} })),
      post(`${apps}/replicasets`, workload("b", { selector: { matchLabels: { app: "other" } } })),
      post(
        `${apps}/replicasets`,
        workload("b", { template: template({ restartPolicy: "Never", activeDeadlineSeconds: 5 }) }),
      ),
      post(`${apps}/replicasets`, workload("b", { selector: { matchExpressions: [{ key: "app", operator: "Odd" }] } })),
      mergePatch(`${apps}/replicasets/a`, {
        spec: { selector: { matchLabels: { app: "b" } }, template: { metadata: { labels: { app: "b" } } } },
      }),
      mergePatch(`${apps}/replicasets/a`, { spec: { replicas: 3 } }),
      mergePatch(`${apps}/replicasets/a/status`, {
        status: { replicas: 2, readyReplicas: 1, availableReplicas: 1, fullyLabeledReplicas: 2 },
      }),
      mergePatch(`${apps}/replicasets/a/status`, { status: { readyReplicas: 9, availableReplicas: 10 } }),
      get(`${apps}/replicasets/a`, table),
      get(`${apps}/replicasets/a/scale`),
      mergePatch(`${apps}/replicasets/a/scale`, { spec: { replicas: 7 } }),
      get(`${apps}/replicasets/a`),
    ),
    wordingCase(
      "a ReplicationController gets its defaults, and is checked",
      post("/api/v1/namespaces/{ns}/replicationcontrollers", named("a", { template: template() })),
      get("/api/v1/namespaces/{ns}/replicationcontrollers", table),
      post("/api/v1/namespaces/{ns}/replicationcontrollers", named("b", {})),
      post(
        "/api/v1/namespaces/{ns}/replicationcontrollers",
        named("b", { selector: { a: "b" }, template: template() }),
      ),
      post(
        "/api/v1/namespaces/{ns}/replicationcontrollers",
        named("b", { replicas: -1, template: template({ restartPolicy: "OnFailure" }) }),
      ),
      post(
        "/api/v1/namespaces/{ns}/replicationcontrollers",
        named("b", { replicas: -1, template: template({ containers: [] }) }),
      ),
      mergePatch("/api/v1/namespaces/{ns}/replicationcontrollers/a/status", {
        status: { replicas: 1, readyReplicas: 1 },
      }),
      get("/api/v1/namespaces/{ns}/replicationcontrollers/a/scale"),
      put("/api/v1/namespaces/{ns}/replicationcontrollers/a/scale", { metadata: { name: "a" }, spec: { replicas: 4 } }),
      remove("/api/v1/namespaces/{ns}/replicationcontrollers/a", { propagationPolicy: "Background" }),
    ),
    testCase(
      "a StatefulSet gets its defaults, and is checked",
      post(`${apps}/statefulsets`, workload("a", { serviceName: "s" })),
      get(`${apps}/statefulsets`, table),
      post(
        `${apps}/statefulsets`,
        workload("full", {
          serviceName: "s",
          podManagementPolicy: "Parallel",
          updateStrategy: { rollingUpdate: { partition: 2 } },
          template: template({
            containers: [{ name: "a", image: "b", volumeMounts: [{ name: "data", mountPath: "/d" }] }],
          }),
          volumeClaimTemplates: [
            {
              metadata: { name: "data" },
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } },
            },
          ],
        }),
      ),
      post(`${apps}/statefulsets`, named("b", {})),
      post(
        `${apps}/statefulsets`,
        workload("Bad.Name", {
          podManagementPolicy: "Odd",
          replicas: -1,
          minReadySeconds: -1,
          ordinals: { start: -1 },
          serviceName: "Bad_",
        }),
      ),
      post(
        `${apps}/statefulsets`,
        workload("b", { updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } } }),
      ),
      post(
        `${apps}/statefulsets`,
        workload("b", {
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: -1 } },
          persistentVolumeClaimRetentionPolicy: { whenDeleted: "Odd" },
        }),
      ),
      post(
        `${apps}/statefulsets`,
        workload("b", { selector: {}, template: template({ restartPolicy: "Never", activeDeadlineSeconds: 3 }) }),
      ),
      post(`${apps}/statefulsets`, workload("b", { volumeClaimTemplates: [{ metadata: { name: "d" }, spec: {} }] })),
      mergePatch(`${apps}/statefulsets/a`, { spec: { serviceName: "t" } }),
      mergePatch(`${apps}/statefulsets/a`, { spec: { replicas: 3, minReadySeconds: 5 } }),
      mergePatch(`${apps}/statefulsets/a/status`, {
        status: { replicas: 2, readyReplicas: 1, currentReplicas: 2, availableReplicas: 1 },
      }),
      mergePatch(`${apps}/statefulsets/a/status`, { status: { readyReplicas: 5, updatedReplicas: 9 } }),
      get(`${apps}/statefulsets/a`, table),
      get(`${apps}/statefulsets/a/scale`),
    ),
    wordingCase(
      "a DaemonSet gets its defaults, and is checked",
      post(`${apps}/daemonsets`, workload("a")),
      get(`${apps}/daemonsets`, table),
      post(`${apps}/daemonsets`, named("b", {})),
      post(`${apps}/daemonsets`, workload("b", { selector: {}, minReadySeconds: -1, revisionHistoryLimit: -1 })),
      post(
        `${apps}/daemonsets`,
        workload("b", {
          selector: { matchLabels: { x: "y" } },
          template: template({ restartPolicy: "Never", activeDeadlineSeconds: 3 }),
        }),
      ),
      post(
        `${apps}/daemonsets`,
        workload("b", { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } }),
      ),
      post(
        `${apps}/daemonsets`,
        workload("b", { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } } }),
      ),
      post(
        `${apps}/daemonsets`,
        workload("b", { updateStrategy: { rollingUpdate: { maxUnavailable: "x", maxSurge: "150%" } } }),
      ),
      mergePatch(`${apps}/daemonsets/a`, { spec: { template: { spec: { nodeSelector: { a: "b" } } } } }),
      mergePatch(`${apps}/daemonsets/a`, { spec: { selector: { matchLabels: { app: "b" } } } }),
      mergePatch(`${apps}/daemonsets/a`, { spec: { minReadySeconds: 3 } }),
      mergePatch(`${apps}/daemonsets/a/status`, {
        status: {
          desiredNumberScheduled: 3,
          currentNumberScheduled: 2,
          numberReady: 1,
          numberAvailable: 1,
          updatedNumberScheduled: 2,
        },
      }),
      mergePatch(`${apps}/daemonsets/a/status`, { status: { numberReady: -1 } }),
      get(`${apps}/daemonsets/a`, table),
    ),
    wordingCase(
      "a ControllerRevision holds data that do not change",
      post(`${apps}/controllerrevisions`, { metadata: { name: "a" }, revision: 1, data: { spec: { x: 1 } } }),
      get(`${apps}/controllerrevisions`, table),
      post(`${apps}/controllerrevisions`, { metadata: { name: "b" }, revision: -1 }),
      mergePatch(`${apps}/controllerrevisions/a`, { data: { spec: { x: 2 } } }),
      mergePatch(`${apps}/controllerrevisions/a`, { revision: 2 }),
    ),
    wordingCase(
      "more of a Deployment is checked",
      post(
        `${apps}/deployments`,
        workload("b", {
          template: template({
            containers: [{ name: "a", image: "b", resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }],
          }),
        }),
      ),
      post(
        `${apps}/deployments`,
        workload("b", {
          template: {
            metadata: { labels: { app: "a", "x y": "z" }, annotations: { "a b": "c" } },
            spec: { containers: [{ name: "a", image: "b" }] },
          },
        }),
      ),
      post(
        `${apps}/deployments`,
        workload("b", {
          template: template({
            volumes: [{ name: "v", secret: {} }],
            ephemeralContainers: [{ name: "e", image: "x" }],
          }),
        }),
      ),
      post(`${apps}/deployments`, workload("b", { minReadySeconds: 700, paused: false, replicas: 0 })),
      post(
        `${apps}/deployments`,
        workload("c", {
          minReadySeconds: 0,
          paused: false,
          replicas: 0,
          template: template({
            hostNetwork: true,
            containers: [{ name: "a", image: "b", ports: [{ containerPort: 80 }] }],
          }),
        }),
      ),
      mergePatch(`${apps}/deployments/c`, { metadata: { annotations: { a: "b" } } }),
      mergePatch(`${apps}/deployments/c/status`, {
        status: { replicas: 1, conditions: [{ type: "Available", status: "True" }], collisionCount: 2 },
        metadata: { labels: { ignored: "x" } },
      }),
      mergePatch(`${apps}/deployments/c/status`, { status: { collisionCount: 1 } }),
      apply(`${apps}/deployments/c/scale?fieldManager=me`, {
        apiVersion: "autoscaling/v1",
        kind: "Scale",
        metadata: { name: "c" },
        spec: { replicas: 2 },
      }),
    ),
    testCase(
      "a Job gets its defaults, and a selector of its own",
      post(`${batch}/jobs`, job("a")),
      get(`${batch}/jobs`, table),
      post(`${batch}/jobs`, job("par", { parallelism: 3 })),
      get(`${batch}/jobs/par`, table),
      post(
        `${batch}/jobs`,
        job("idx", {
          completionMode: "Indexed",
          completions: 2,
          backoffLimitPerIndex: 1,
          podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] },
        }),
      ),
      post(`${batch}/jobs`, named("lab", { template: template({ restartPolicy: "OnFailure" }) })),
      remove(`${batch}/jobs/lab`),
      remove(`${batch}/jobs/par`, { propagationPolicy: "Background" }),
    ),
    testCase(
      "a Job is checked",
      post(`${batch}/jobs`, named("b", {})),
      post(
        `${batch}/jobs`,
        job("b", {
          parallelism: -1,
          completions: -1,
          activeDeadlineSeconds: -1,
          backoffLimit: -1,
          ttlSecondsAfterFinished: -1,
        }),
      ),
      post(`${batch}/jobs`, job("b", { selector: { matchLabels: { x: "y" } } })),
      post(`${batch}/jobs`, job("b", { manualSelector: true })),
      post(`${batch}/jobs`, job("b", { completionMode: "Odd", podReplacementPolicy: "Odd" })),
      post(`${batch}/jobs`, job("b", { completionMode: "Indexed" })),
      post(`${batch}/jobs`, job("b", { maxFailedIndexes: 1, backoffLimitPerIndex: 1 })),
      post(
        `${batch}/jobs`,
        job("b", {
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
      ),
      post(`${batch}/jobs`, job("b", { successPolicy: { rules: [] } })),
      post(
        `${batch}/jobs`,
        job("b", { completionMode: "Indexed", completions: 2, successPolicy: { rules: [{}, { succeededCount: 5 }] } }),
      ),
      post(`${batch}/jobs`, named("b", { template: template({ restartPolicy: "Always" }) })),
      post(
        `${batch}/jobs`,
        named("b", { template: template({ restartPolicy: "OnFailure" }), podFailurePolicy: { rules: [] } }),
      ),
      post(`${batch}/jobs`, job("with.dots")),
    ),
    wordingCase(
      "a Job hardly changes, and its status has rules",
      post(`${batch}/jobs`, job("a", { suspend: true })),
      mergePatch(`${batch}/jobs/a`, { spec: { completions: 5 } }),
      mergePatch(`${batch}/jobs/a`, { spec: { parallelism: 5 } }),
      mergePatch(`${batch}/jobs/a`, { spec: { template: { spec: { nodeSelector: { a: "b" } } } } }),
      mergePatch(`${batch}/jobs/a`, { spec: { suspend: false } }),
      mergePatch(`${batch}/jobs/a`, { spec: { completionMode: "Indexed" } }),
      mergePatch(`${batch}/jobs/a/status`, { status: { active: 1, ready: 1, startTime: "2001-01-01T00:00:00Z" } }),
      get(`${batch}/jobs/a`, table),
      mergePatch(`${batch}/jobs/a/status`, { status: { active: -1, ready: 3 } }),
      mergePatch(`${batch}/jobs/a/status`, { status: { completionTime: "2001-01-01T00:01:00Z" } }),
      mergePatch(`${batch}/jobs/a/status`, { status: { conditions: [{ type: "Complete", status: "True" }] } }),
      mergePatch(`${batch}/jobs/a/status`, {
        status: {
          active: 0,
          ready: 0,
          succeeded: 1,
          completionTime: "2001-01-01T00:01:00Z",
          conditions: [
            { type: "SuccessCriteriaMet", status: "True" },
            { type: "Complete", status: "True" },
          ],
        },
      }),
      get(`${batch}/jobs/a`, table),
    ),
    wordingCase(
      "a CronJob gets its defaults, and is checked",
      post(`${batch}/cronjobs`, cron("a")),
      get(`${batch}/cronjobs`, table),
      post(`${batch}/cronjobs`, named("b", {})),
      post(`${batch}/cronjobs`, cron("b", { schedule: "a b c d e" })),
      post(`${batch}/cronjobs`, cron("b", { schedule: "* * * *" })),
      post(`${batch}/cronjobs`, cron("b", { schedule: "60 * * * *" })),
      post(`${batch}/cronjobs`, cron("b", { schedule: "5-1 * * * *" })),
      post(`${batch}/cronjobs`, cron("b", { schedule: "*/0 * * * *" })),
      post(`${batch}/cronjobs`, cron("b", { schedule: "@often" })),
      post(`${batch}/cronjobs`, cron("b", { schedule: "TZ=UTC * * * * *" })),
      post(`${batch}/cronjobs`, cron("b", { timeZone: "Mars/Base" })),
      post(`${batch}/cronjobs`, cron("b", { timeZone: "Local" })),
      post(`${batch}/cronjobs`, cron("b", { timeZone: "" })),
      post(`${batch}/cronjobs`, cron("tz", { timeZone: "Europe/Berlin", schedule: "@hourly", suspend: true })),
      get(`${batch}/cronjobs/tz`, table),
      post(
        `${batch}/cronjobs`,
        cron("b", {
          concurrencyPolicy: "Odd",
          startingDeadlineSeconds: -1,
          successfulJobsHistoryLimit: -1,
          failedJobsHistoryLimit: -1,
        }),
      ),
      post(`${batch}/cronjobs`, cron("a-name-that-is-too-long-for-a-cron-job-because-jobs-add-to-it")),
      post(
        `${batch}/cronjobs`,
        cron("b", {
          jobTemplate: { spec: { selector: {}, manualSelector: true, template: template({ restartPolicy: "Never" }) } },
        }),
      ),
      mergePatch(`${batch}/cronjobs/a`, { spec: { schedule: "0 0 * JAN-mar MON" } }),
      mergePatch(`${batch}/cronjobs/a/status`, {
        status: { active: [{ kind: "Job", name: "x" }], lastScheduleTime: "2001-01-01T00:00:00Z" },
      }),
      remove(`${batch}/cronjobs/a`),
    ),
    testCase(
      "a PodDisruptionBudget is checked",
      post("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets", named("a", { minAvailable: 1, ...chosen })),
      post("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets", named("none", {})),
      get("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets", table),
      post("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets", named("b", { minAvailable: 1, maxUnavailable: 1 })),
      post("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets", named("b", { minAvailable: -1 })),
      post("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets", named("b", { maxUnavailable: "101%" })),
      post(
        "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
        named("b", { maxUnavailable: "x", unhealthyPodEvictionPolicy: "Odd" }),
      ),
      post(
        "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
        named("b", { selector: { matchLabels: { "a b": "c" } } }),
      ),
      mergePatch("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/a", { spec: { minAvailable: "50%" } }),
      put("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/a", named("a", { minAvailable: 2 })),
      mergePatch("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/a/status", {
        status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 },
      }),
      mergePatch("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/a/status", {
        status: { disruptionsAllowed: -1 },
      }),
    ),
    wordingCase(
      "a PriorityClass is checked",
      post("/apis/scheduling.k8s.io/v1/priorityclasses", { metadata: { name: "{ns}-a" }, value: 10, description: "x" }),
      get("/apis/scheduling.k8s.io/v1/priorityclasses/{ns}-a", table),
      post("/apis/scheduling.k8s.io/v1/priorityclasses", { metadata: { name: "system-mine" }, value: 10 }),
      post("/apis/scheduling.k8s.io/v1/priorityclasses", { metadata: { name: "{ns}-b" }, value: 2000000000 }),
      post("/apis/scheduling.k8s.io/v1/priorityclasses", {
        metadata: { name: "{ns}-b" },
        value: 1,
        preemptionPolicy: "Odd",
      }),
      mergePatch("/apis/scheduling.k8s.io/v1/priorityclasses/{ns}-a", { value: 11 }),
      mergePatch("/apis/scheduling.k8s.io/v1/priorityclasses/{ns}-a", { preemptionPolicy: "Never" }),
      mergePatch("/apis/scheduling.k8s.io/v1/priorityclasses/{ns}-a", { description: "y" }),
      remove("/apis/scheduling.k8s.io/v1/priorityclasses/{ns}-a"),
    ),
    wordingCase(
      "a HorizontalPodAutoscaler is seen in both versions",
      post(
        "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
        named("a", { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, maxReplicas: 3 }),
      ),
      get("/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers/a"),
      post(
        "/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers",
        named("b", {
          scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
          maxReplicas: 3,
          minReplicas: 2,
        }),
      ),
      get("/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers/b"),
      post(
        "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
        named("c", {
          scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
          maxReplicas: 3,
          metrics: [
            {
              type: "Resource",
              resource: { name: "memory", target: { type: "AverageValue", averageValue: "1024Mi" } },
            },
            { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
            { type: "Pods", pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1" } } },
          ],
          behavior: { scaleDown: { stabilizationWindowSeconds: 10 } },
        }),
      ),
      get("/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers/c"),
      get("/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers", table),
      post("/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers", named("x", {})),
      post(
        "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
        named("x", { scaleTargetRef: { kind: "a/b", name: "d" }, maxReplicas: -1, minReplicas: 0 }),
      ),
      post(
        "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
        named("x", {
          scaleTargetRef: { kind: "D", name: "d" },
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
      ),
      post(
        "/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers",
        named("x", { scaleTargetRef: { kind: "D", name: "d" }, maxReplicas: 1, targetCPUUtilizationPercentage: 0 }),
      ),
      mergePatch("/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers/a", {
        spec: { targetCPUUtilizationPercentage: 33 },
      }),
      mergePatch("/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers/a/status", {
        status: { currentReplicas: 1, desiredReplicas: 2 },
      }),
      get("/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers/a", table),
    ),
  ],
};
