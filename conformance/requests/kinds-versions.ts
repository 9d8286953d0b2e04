import type { JsonObject } from "@kubewright/core/json";
import { apply, get, jsonPatch, mergePatch, post, put, type RequestStep, subject } from "../test-case.js";
import { create, patchSpec, patchStatus, table } from "./object-steps.js";
import { configMap, configMaps } from "./sample-objects.js";

const v1 = "/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers";
const v2 = "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers";
const coreEvents = "/api/v1/namespaces/{ns}/events";
const newEvents = "/apis/events.k8s.io/v1/namespaces/{ns}/events";

const autoscaler = (version: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: `autoscaling/${version}`,
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "a", ...metadata },
  spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, ...spec },
});

const by = (manager: string, path: string, body: JsonObject, force = false): RequestStep =>
  apply(`${path}?fieldManager=${manager}${force ? "&force=true" : ""}`, body);
/** An autoscaling/v1 HorizontalPodAutoscaler with v2 annotations. */
const noted = (maxReplicas: number, annotations: JsonObject): JsonObject =>
  autoscaler("v1", { maxReplicas }, { annotations });
const applyV1 = (manager: string, spec: JsonObject): RequestStep => by(manager, `${v1}/a`, autoscaler("v1", spec));
const applyV2 = (manager: string, spec: JsonObject, metadata: JsonObject = {}): RequestStep =>
  by(manager, `${v2}/a`, autoscaler("v2", spec, metadata));
const forceV2 = (manager: string, spec: JsonObject): RequestStep =>
  by(manager, `${v2}/a`, autoscaler("v2", spec), true);

const cpu = (share: number): JsonObject => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: share } },
});
const memory = (quantity: string): JsonObject => ({
  type: "Resource",
  resource: { name: "memory", target: { type: "AverageValue", averageValue: quantity } },
});

const metric = { name: "m" };
const average = (averageValue: string): JsonObject => ({ type: "AverageValue", averageValue });
const external = (fields: JsonObject): JsonObject => ({ type: "External", external: fields });
const onObject = (describedObject: JsonObject, fields: JsonObject): JsonObject => ({
  type: "Object",
  object: { describedObject, ...fields },
});
const ofContainer = (fields: JsonObject): JsonObject => ({
  type: "ContainerResource",
  containerResource: { name: "cpu", container: "c", ...fields },
});
const patchStatusBy = (manager: string, path: string, status: JsonObject): RequestStep =>
  mergePatch(`${path}/a/status?fieldManager=${manager}`, { status });

const metricsNote = "autoscaling.alpha.kubernetes.io/metrics";
const behaviorNote = "autoscaling.alpha.kubernetes.io/behavior";
const conditionsNote = "autoscaling.alpha.kubernetes.io/conditions";
const ableToScale = '[{"type":"AbleToScale","status":"True"}]';

/** Writes managedFields with an entry per manager: its operation, the version of its fields, and the fields. */
const own = (path: string, entries: Record<string, [operation: string, apiVersion: string, fieldsV1: JsonObject]>) =>
  mergePatch(`${path}?fieldManager=p`, {
    metadata: {
      managedFields: Object.entries(entries).map(([manager, [operation, apiVersion, fieldsV1]]) => ({
        manager,
        operation,
        apiVersion,
        fieldsType: "FieldsV1",
        fieldsV1,
      })),
    },
  });

const coreEvent = (fields: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "e" },
  reason: "Tested",
  type: "Normal",
  involvedObject: { kind: "Pod", namespace: "{ns}", name: "p" },
  message: "hello",
  ...fields,
});
const newEvent = (fields: JsonObject = {}): JsonObject => ({
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  metadata: { name: "e" },
  reason: "Tested",
  type: "Normal",
  regarding: { kind: "Pod", namespace: "{ns}", name: "p" },
  note: "hello",
  eventTime: "2026-01-01T00:00:00.000000Z",
  reportingController: "example.com/c",
  reportingInstance: "i",
  action: "Test",
  ...fields,
});
const applyCore = (manager: string, fields: JsonObject, force = false): RequestStep =>
  by(manager, `${coreEvents}/e`, { apiVersion: "v1", kind: "Event", metadata: { name: "e" }, ...fields }, force);
const applyNew = (manager: string, fields: JsonObject): RequestStep =>
  by(manager, `${newEvents}/e`, { apiVersion: "events.k8s.io/v1", kind: "Event", metadata: { name: "e" }, ...fields });

/** Built-in kinds that are served in several versions: managedFields in each of them. */
export const kindVersions = subject("kinds-versions", {
  "an apply to a HorizontalPodAutoscaler in one version conflicts in the other": [
    applyV1("one", { maxReplicas: 3, targetCPUUtilizationPercentage: 50 }),
    applyV2("two", { maxReplicas: 3 }),
    applyV2("two", { maxReplicas: 4 }),
    applyV2("two", { maxReplicas: 3, metrics: [cpu(50)] }),
    applyV2("two", { maxReplicas: 3, metrics: [cpu(60)] }),
    forceV2("two", { maxReplicas: 3, metrics: [cpu(60)] }),
    get(`${v1}/a`),
    applyV1("one", { maxReplicas: 3, targetCPUUtilizationPercentage: 50 }),
    applyV1("one", { maxReplicas: 3 }),
    applyV2("two", { maxReplicas: 3 }),
  ],
  "one manager applies a HorizontalPodAutoscaler in both versions": [
    applyV2("one", { maxReplicas: 3, metrics: [memory("1Gi"), cpu(50)] }),
    applyV1("one", { maxReplicas: 3, targetCPUUtilizationPercentage: 50 }),
    get(`${v2}/a`),
    applyV1("one", { maxReplicas: 3, minReplicas: 2 }),
    get(`${v2}/a`),
    applyV2("one", { maxReplicas: 3, behavior: { scaleDown: { stabilizationWindowSeconds: 10 } } }),
    get(`${v1}/a`),
    applyV1("one", { maxReplicas: 5 }),
    get(`${v2}/a`),
  ],
  "a HorizontalPodAutoscaler applied in one version is changed in the other": [
    applyV2("one", {
      maxReplicas: 3,
      minReplicas: 2,
      metrics: [memory("1Gi"), cpu(50)],
      behavior: { scaleUp: { selectPolicy: "Min" } },
    }),
    patchSpec(`${v1}/a?fieldManager=p`, { maxReplicas: 6 }),
    patchSpec(`${v1}/a?fieldManager=p`, { targetCPUUtilizationPercentage: 33 }),
    get(`${v2}/a`),
    mergePatch(`${v1}/a?fieldManager=p`, { metadata: { annotations: { [behaviorNote]: null, mine: "1" } } }),
    get(`${v2}/a`),
    mergePatch(`${v1}/a?fieldManager=p`, { metadata: { annotations: { [metricsNote]: null } } }),
    get(`${v2}/a`),
    jsonPatch(`${v1}/a?fieldManager=q`, [{ op: "remove", path: "/spec/minReplicas" }]),
    applyV2("one", { maxReplicas: 3 }),
    forceV2("one", { maxReplicas: 3 }),
  ],
  "a HorizontalPodAutoscaler applied with v2 annotations is changed in v2": [
    by(
      "one",
      `${v1}/a`,
      noted(3, {
        [metricsNote]: '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]',
        mine: "1",
      }),
    ),
    get(`${v2}/a`),
    patchSpec(`${v2}/a?fieldManager=p`, { metrics: [memory("1Gi"), cpu(70)] }),
    get(`${v1}/a`),
    patchSpec(`${v2}/a?fieldManager=p`, { metrics: [cpu(70)] }),
    get(`${v1}/a`),
    patchSpec(`${v2}/a?fieldManager=p`, { behavior: { scaleDown: { selectPolicy: "Disabled" } } }),
    get(`${v1}/a`),
    by("one", `${v1}/a`, noted(3, { mine: "1" })),
    get(`${v2}/a`),
  ],
  "invalid v2 annotations are ignored": [
    post(v1, noted(3, { [metricsNote]: "{", [behaviorNote]: "[]", mine: "1" })),
    get(`${v2}/a`),
    put(`${v1}/a`, noted(4, { [metricsNote]: "[]", [behaviorNote]: "{}" })),
    get(`${v2}/a`),
  ],
  "the status of a HorizontalPodAutoscaler is owned in the version that wrote it": [
    post(v2, autoscaler("v2", { maxReplicas: 3 })),
    patchStatusBy("s", v1, { currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 40 }),
    get(`${v2}/a`),
    patchStatusBy("t", v2, {
      currentReplicas: 2,
      conditions: [{ type: "AbleToScale", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
    }),
    get(`${v1}/a`),
    patchStatusBy("t", v2, { currentMetrics: null }),
    get(`${v1}/a`),
    patchStatusBy("s", v1, { desiredReplicas: 0 }),
    put(`${v1}/a?fieldManager=w`, autoscaler("v1", { maxReplicas: 3 })),
    get(`${v2}/a`),
  ],
  "a HorizontalPodAutoscaler without managedFields is applied in the other version": [
    post(v2, autoscaler("v2", { maxReplicas: 3, metrics: [memory("1Gi")] })),
    mergePatch(`${v1}/a`, { metadata: { managedFields: [] } }),
    get(`${v2}/a`),
    applyV1("one", { maxReplicas: 3, targetCPUUtilizationPercentage: 9 }),
    get(`${v2}/a`),
    applyV2("two", { maxReplicas: 4 }),
  ],
  "managers of removed versions own no field of a HorizontalPodAutoscaler": [
    post(v2, autoscaler("v2", { maxReplicas: 3 })),
    own(`${v2}/a`, {
      old: ["Update", "autoscaling/v2beta2", { "f:spec": { "f:maxReplicas": {} } }],
      other: [
        "Update",
        "autoscaling/v1",
        { "f:spec": { "f:maxReplicas": {}, "f:targetCPUUtilizationPercentage": {} } },
      ],
    }),
    applyV2("one", { maxReplicas: 4 }),
    applyV2("one", { maxReplicas: 3, metrics: [cpu(70)] }),
    patchSpec(`${v2}/a?fieldManager=p`, { metrics: [cpu(70)] }),
  ],
  "a core Event is changed and applied as an events.k8s.io Event": [
    post(`${coreEvents}?fieldManager=c`, coreEvent({ count: 1, source: { component: "k" } })),
    mergePatch(`${newEvents}/e?fieldManager=n`, { note: "changed" }),
    mergePatch(`${newEvents}/e?fieldManager=n`, { metadata: { labels: { a: "b" } } }),
    get(`${coreEvents}/e`),
    mergePatch(`${newEvents}/e?fieldManager=n`, { deprecatedCount: 2, deprecatedSource: { component: "j" } }),
    applyNew("one", { metadata: { name: "e", labels: { a: "c" } } }),
    applyNew("one", { note: "hello" }),
    applyCore("two", { count: 4 }),
    applyCore("two", { count: 4 }, true),
    applyCore("one", { message: "changed" }),
    get(`${newEvents}/e`),
  ],
  "an events.k8s.io Event is changed and applied as a core Event": [
    by("one", `${newEvents}/e`, newEvent()),
    mergePatch(`${coreEvents}/e?fieldManager=c`, { message: "changed" }),
    mergePatch(`${coreEvents}/e?fieldManager=c`, { reportingInstance: "j", metadata: { labels: { a: "b" } } }),
    get(`${newEvents}/e`),
    applyCore("two", { action: "Do" }),
    applyCore("one", { reason: "Tested" }),
    get(`${newEvents}/e`),
  ],
  "an events.k8s.io Event is mostly immutable": [
    post(newEvents, newEvent()),
    mergePatch(`${newEvents}/e`, { series: { count: 1 } }),
    mergePatch(`${newEvents}/e`, { series: { count: 2, lastObservedTime: "2026-01-01T00:00:01.000000Z" } }),
    mergePatch(`${newEvents}/e`, {
      regarding: { name: "q", uid: "u" },
      reason: "Other",
      note: "Other",
      type: "Warning",
      action: "Do",
      related: { kind: "Pod", name: "r" },
      eventTime: "2026-01-01T00:00:01.000000Z",
      reportingController: "example.com/d",
      reportingInstance: "j",
      deprecatedFirstTimestamp: "2026-01-01T00:00:01Z",
      deprecatedLastTimestamp: "2026-01-01T00:00:02Z",
    }),
    mergePatch(`${coreEvents}/e`, {
      related: { kind: "Pod", name: "r" },
      firstTimestamp: "2026-01-01T00:00:01Z",
      series: { count: 1 },
    }),
    mergePatch(`${newEvents}/e`, { related: null, deprecatedFirstTimestamp: null, metadata: { labels: { a: "b" } } }),
    mergePatch(`${newEvents}/e`, { eventTime: null }),
    mergePatch(`${coreEvents}/e`, { eventTime: null, type: "Odd" }),
    mergePatch(`${newEvents}/e`, { metadata: { labels: { a: "b" } } }),
  ],
  "deprecated fields of an events.k8s.io Event are validated": [
    post(
      newEvents,
      newEvent({
        type: "Odd",
        deprecatedFirstTimestamp: "2026-01-01T00:00:01Z",
        deprecatedLastTimestamp: "2026-01-01T00:00:02Z",
        deprecatedCount: 1,
        deprecatedSource: { host: "h" },
        series: { count: 1, lastObservedTime: null },
      }),
    ),
    post(
      newEvents,
      newEvent({
        reportingInstance: "i".repeat(129),
        action: "a".repeat(129),
        reason: "r".repeat(129),
        note: "n".repeat(1025),
        reportingController: "a b",
        regarding: { kind: "Pod", name: "p" },
      }),
    ),
    post(coreEvents, coreEvent({ eventTime: "2026-01-01T00:00:00.000000Z", series: { count: 1 } })),
    post(
      coreEvents,
      coreEvent({
        eventTime: "2026-01-01T00:00:00.000000Z",
        reportingComponent: "c",
        reportingInstance: "i",
        action: "a",
        involvedObject: { kind: "Pod", namespace: "other", name: "p" },
      }),
    ),
    post(newEvents, newEvent({ eventTime: null, regarding: { kind: "Node", name: "p" } })),
  ],
  "managers of removed versions own no field of a kind with one version": [
    create(configMaps, "a", { data: { k: "1", l: "1" } }),
    own(`${configMaps}/a`, {
      old: ["Update", "v2", { "f:data": { "f:k": {} } }],
      other: ["Apply", "odd/v1", { "f:data": { "f:k": {}, "f:l": {} } }],
    }),
    by("other", `${configMaps}/a`, configMap("a", { k: "1" })),
    mergePatch(`${configMaps}/a?fieldManager=p`, { data: { m: "1" } }),
  ],
  "every metric type round-trips through autoscaling/v1": [
    post(
      v2,
      autoscaler("v2", {
        maxReplicas: 3,
        metrics: [
          cpu(50),
          cpu(60),
          onObject(
            { kind: "Ingress", name: "i", apiVersion: "networking.k8s.io/v1" },
            {
              metric: { name: "m", selector: { matchLabels: { b: "1", a: "2" } } },
              target: { type: "Value", value: "1000m" },
            },
          ),
          onObject({ kind: "Service", name: "i" }, { metric, target: average("1024Ki") }),
          external({
            metric: { name: "m", selector: { matchExpressions: [{ key: "a", operator: "Exists" }] } },
            target: average("3"),
          }),
          external({ metric, target: { type: "Value", value: "3" } }),
          ofContainer({ target: { type: "Utilization", averageUtilization: 5 } }),
          { type: "Pods", pods: { metric, target: average("1") } },
        ],
        behavior: { scaleUp: { tolerance: "0.10", policies: [{ type: "Pods", value: 1, periodSeconds: 2 }] } },
      }),
    ),
    get(`${v1}/a`),
    get(`${v1}/a`, { ...table, fields: ["rows"] }),
    patchStatus(`${v2}/a`, {
      currentMetrics: [
        { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 7, averageValue: "70m" } } },
        { type: "Resource", resource: { name: "memory", current: { averageValue: "1Gi" } } },
        onObject({ kind: "Service", name: "i" }, { metric, current: { value: "5" } }),
        { type: "Pods", pods: { metric, current: { averageValue: "1" } } },
        external({ metric, current: { averageValue: "1" } }),
        ofContainer({ current: { averageValue: "1" } }),
      ],
      conditions: [
        {
          type: "AbleToScale",
          status: "True",
          reason: "R",
          message: "<m> & more",
          lastTransitionTime: "2026-01-01T00:00:00Z",
        },
      ],
      desiredReplicas: 1,
      currentReplicas: 1,
    }),
    get(`${v1}/a`),
    patchSpec(`${v1}/a`, { maxReplicas: 4 }),
    get(`${v2}/a`),
    patchStatus(`${v1}/a`, { currentCPUUtilizationPercentage: 9, desiredReplicas: 2 }),
    get(`${v2}/a`),
    mergePatch(`${v2}/a`, { metadata: { annotations: { [metricsNote]: "[]", mine: "1" } } }),
    applyV2("one", { maxReplicas: 4 }, { annotations: { [behaviorNote]: "{}" } }),
  ],
  "v2 annotations are parsed as in Go": [
    post(
      v1,
      noted(3, {
        [metricsNote]:
          '[{"Type":"Resource","resource":{"name":"memory","TargetAverageValue":"1024Mi","odd":1}},{"type":"Pods","pods":{"metricName":"m","targetAverageValue":2}},{"type":"Object","object":{"target":{"kind":"Service","name":"s"},"metricName":"o","averageValue":"1"}}]',
        [behaviorNote]: '{"scaleUp":{"policies":[{"type":"Pods","value":1,"periodSeconds":3}]},"ScaleDown":null}',
        [conditionsNote]: ableToScale,
        "autoscaling.alpha.kubernetes.io/scale-up-tolerance": "1",
      }),
    ),
    get(`${v2}/a`),
    mergePatch(`${v1}/a/status`, { metadata: { annotations: { [conditionsNote]: ableToScale, [metricsNote]: null } } }),
    get(`${v2}/a`),
    mergePatch(`${v1}/a`, {
      metadata: {
        annotations: {
          [metricsNote]: '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"x"}}]',
          [behaviorNote]: '{"ScaleUp":{"Policies":[{"Value":"1"}]}}',
          [conditionsNote]: null,
        },
      },
    }),
    get(`${v2}/a`),
  ],
});
