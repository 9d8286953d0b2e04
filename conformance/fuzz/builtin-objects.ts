import type { JsonObject, JsonValue } from "@kubewright/core/json";
import type { Chooser } from "./chooser.js";
import { randomLabels, strings } from "./random-metadata.js";

/** A kind that the fuzzer sends requests for. */
export interface FuzzKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of its collection. */
  readonly path: string;
  /** Fields other than apiVersion, kind and metadata. */
  readonly content: (choose: Chooser, name: string) => JsonObject;
  /** Subresources with the same representation as the object. */
  readonly subresources: readonly string[];
  /** Fields for field selectors. */
  readonly fields: readonly string[];
  /** Whether the kind supports strategic merge patches. */
  readonly isStrategic: boolean;
}

/** An optional field: its probability in percent, and its value. */
export type Part = readonly [percent: number, key: string, make: () => JsonValue];

/** An object of optional fields. */
export function parts(choose: Chooser, given: readonly Part[]): JsonObject {
  return Object.fromEntries(given.filter(([percent]) => choose.chance(percent)).map(([, key, make]) => [key, make()]));
}

const dataKeys = ["a", "b.txt", "C_d", "..e", "bad key", "x/y", "", "."];

function dataOf(choose: Chooser, values: readonly string[]): JsonObject {
  const count = choose.chance(15) ? dataKeys.length : 3;
  return Object.fromEntries(choose.some(dataKeys.slice(0, count), 3).map((key) => [key, choose.of(values)]));
}

const base64 = ["", "aGk=", "aGkK", "AA==", "not base64", "aGk"];

const configMap: FuzzKind = {
  apiVersion: "v1",
  kind: "ConfigMap",
  path: "/api/v1/namespaces/{ns}/configmaps",
  subresources: [],
  fields: ["metadata.name", "metadata.namespace", "data.a"],
  isStrategic: true,
  content: (choose) =>
    parts(choose, [
      [75, "data", () => dataOf(choose, strings)],
      [15, "binaryData", () => dataOf(choose, base64.slice(0, choose.chance(90) ? 4 : 6))],
      [4, "immutable", () => choose.chance(60)],
    ]),
};

const secret: FuzzKind = {
  apiVersion: "v1",
  kind: "Secret",
  path: "/api/v1/namespaces/{ns}/secrets",
  subresources: [],
  fields: ["metadata.name", "type"],
  isStrategic: true,
  content: (choose) =>
    parts(choose, [
      [65, "data", () => dataOf(choose, base64.slice(0, choose.chance(90) ? 4 : 6))],
      [20, "stringData", () => dataOf(choose, strings)],
      [25, "type", () => choose.of(["Opaque", "example.com/own", "kubernetes.io/basic-auth", ""])],
      [3, "immutable", () => choose.chance(60)],
    ]),
};

const quantities = ["100m", "1", "0.5", "128Mi", "1Gi", "1e3", "0"];

function container(choose: Chooser, name: string): JsonObject {
  return {
    name,
    ...(choose.chance(96)
      ? { image: choose.of(["nginx", "nginx:1.27", "example.com/a/b:latest", "busybox@sha256:1"]) }
      : {}),
    ...parts(choose, [
      [30, "env", () => environment(choose)],
      [30, "ports", () => ports(choose)],
      [25, "resources", () => resources(choose)],
      [15, "command", () => ["sh", "-c", choose.of(strings)]],
      [15, "imagePullPolicy", () => choose.of(["Always", "IfNotPresent", "Never", "Often"])],
      [12, "livenessProbe", () => probe(choose)],
      [12, "readinessProbe", () => probe(choose)],
      [
        12,
        "volumeMounts",
        () => [{ name: choose.of(["config", "cache"]), mountPath: choose.of(["/etc/x", "/y", ""]) }],
      ],
      [
        10,
        "securityContext",
        () => choose.of<JsonObject>([{ runAsNonRoot: true }, { privileged: true }, { runAsUser: 7 }]),
      ],
      [5, "terminationMessagePolicy", () => choose.of(["File", "FallbackToLogsOnError"])],
      [4, "workingDir", () => "/w"],
    ]),
  };
}

function environment(choose: Chooser): JsonValue {
  return choose
    .some(["A", "B", "C"], 3)
    .map(
      (name): JsonObject =>
        choose.of<JsonObject>([
          { name, value: "x" },
          { name, value: "" },
          { name },
          { name, valueFrom: { configMapKeyRef: { name: "a", key: "k" } } },
          { name, valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
          { name, valueFrom: { secretKeyRef: { name: "a", key: "k", optional: true } } },
        ]),
    );
}

function ports(choose: Chooser): JsonValue {
  return choose.some([80, 443, 8080, 0, 70_000], 2).map((containerPort) => ({
    containerPort,
    ...parts(choose, [
      [40, "name", () => choose.of(["http", "web", "Bad_Name"])],
      [30, "protocol", () => choose.of(["TCP", "UDP", "SCTP", "X"])],
      [8, "hostPort", () => containerPort],
    ]),
  }));
}

function resources(choose: Chooser): JsonObject {
  return parts(choose, [
    [70, "requests", () => ({ cpu: choose.of(quantities), memory: choose.of(quantities) })],
    [50, "limits", () => ({ cpu: choose.of(quantities), memory: choose.of(quantities) })],
  ]);
}

function probe(choose: Chooser): JsonObject {
  return {
    ...choose.of<JsonObject>([
      { httpGet: { path: "/healthz", port: 80 } },
      { httpGet: { port: "http", scheme: "HTTPS" } },
      { tcpSocket: { port: 80 } },
      { exec: { command: ["true"] } },
      { grpc: { port: 90 } },
      {},
    ]),
    ...parts(choose, [
      [30, "initialDelaySeconds", () => choose.of([0, 5])],
      [30, "periodSeconds", () => choose.of([0, 3, -1])],
      [20, "failureThreshold", () => choose.of([1, 3])],
    ]),
  };
}

function podSpec(choose: Chooser): JsonObject {
  const containers = choose.some(["main", "side", "third"], 2);
  return {
    containers: (containers.length === 0 ? ["main"] : containers).map((name) => container(choose, name)),
    ...parts(choose, [
      [20, "volumes", () => volumes(choose)],
      [20, "restartPolicy", () => choose.of(["Always", "Always", "Never", "OnFailure"])],
      [15, "terminationGracePeriodSeconds", () => choose.of([0, 5, 30, -1])],
      [15, "nodeSelector", () => ({ disk: "ssd" })],
      [
        12,
        "tolerations",
        () => [
          choose.of<JsonObject>([
            { key: "k", operator: "Exists" },
            { operator: "Exists" },
            { key: "k", value: "v", effect: "NoSchedule" },
          ]),
        ],
      ],
      [12, "initContainers", () => [container(choose, "init")]],
      [10, "securityContext", () => choose.of<JsonObject>([{}, { runAsUser: 1000 }, { fsGroup: 5 }])],
      [10, "serviceAccountName", () => choose.of(["default", "robot"])],
      [8, "hostNetwork", () => choose.chance(50)],
      [8, "dnsPolicy", () => choose.of(["ClusterFirst", "Default", "None", "Odd"])],
      [6, "imagePullSecrets", () => [{ name: "pull" }]],
      [6, "hostAliases", () => [{ ip: "127.0.0.1", hostnames: ["a.example.com"] }]],
      [5, "activeDeadlineSeconds", () => choose.of([10, 0])],
      [5, "enableServiceLinks", () => choose.chance(50)],
      [5, "automountServiceAccountToken", () => false],
      [
        5,
        "affinity",
        () => ({
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "kubernetes.io/hostname" }],
          },
        }),
      ],
      [5, "topologySpreadConstraints", () => [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" }]],
      [4, "hostname", () => choose.of(["web", "Bad.Name"])],
      [4, "schedulerName", () => "own"],
    ]),
  };
}

function volumes(choose: Chooser): JsonValue {
  return choose.some(["config", "cache"], 2).map((name) => ({
    name,
    ...choose.of<JsonObject>([
      { configMap: { name: "a" } },
      { emptyDir: {} },
      { secret: { secretName: "a", defaultMode: 0o400 } },
      { hostPath: { path: "/x" } },
      { persistentVolumeClaim: { claimName: "c" } },
      { emptyDir: { medium: "Memory", sizeLimit: "1Gi" } },
      { downwardAPI: { items: [{ path: "l", fieldRef: { fieldPath: "metadata.labels" } }] } },
      { projected: { sources: [{ configMap: { name: "a" } }] } },
      {},
    ]),
  }));
}

const pod: FuzzKind = {
  apiVersion: "v1",
  kind: "Pod",
  path: "/api/v1/namespaces/{ns}/pods",
  subresources: ["status"],
  fields: ["metadata.name", "spec.nodeName", "status.phase", "spec.restartPolicy"],
  isStrategic: true,
  content: (choose) => ({
    spec: podSpec(choose),
    ...(choose.chance(10) ? { status: { phase: choose.of(["Running", "Pending"]), podIP: "10.0.0.7" } } : {}),
  }),
};

const deployment: FuzzKind = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  path: "/apis/apps/v1/namespaces/{ns}/deployments",
  subresources: ["status"],
  fields: ["metadata.name", "spec.replicas"],
  isStrategic: true,
  content(choose, name) {
    const spec = podSpec(choose);
    return {
      spec: {
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { ...randomLabels(choose), app: choose.chance(97) ? name : "other" } },
          spec: choose.chance(90) ? { ...spec, restartPolicy: "Always" } : spec,
        },
        ...parts(choose, [
          [60, "replicas", () => choose.of([0, 1, 3, -1])],
          [25, "strategy", () => strategy(choose)],
          [15, "minReadySeconds", () => choose.of([0, 10])],
          [15, "revisionHistoryLimit", () => choose.of([0, 5])],
          [10, "paused", () => choose.chance(50)],
          [10, "progressDeadlineSeconds", () => choose.of([60, 700, 0])],
        ]),
      },
      ...(choose.chance(8) ? { status: { replicas: 2, observedGeneration: 1 } } : {}),
    };
  },
};

function strategy(choose: Chooser): JsonObject {
  return choose.of<JsonObject>([
    { type: "Recreate" },
    { type: "RollingUpdate" },
    { rollingUpdate: { maxSurge: 1 } },
    { type: "RollingUpdate", rollingUpdate: { maxSurge: "50%", maxUnavailable: 0 } },
    { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
    { type: "Odd" },
  ]);
}

/** All built-in kinds other than Services. */
export const plainKinds: readonly FuzzKind[] = [configMap, secret, pod, deployment];
