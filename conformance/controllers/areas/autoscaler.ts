import type { JsonObject } from "@kubewright/core/json";
import { deployment, replicationController, requesting, statefulSet, template } from "../objects.js";
import { area, withOptions } from "../scenario.js";
import { apply, create, patch, remove, type Step, scale, together, wait } from "../step.js";

/** A HorizontalPodAutoscaler of the Deployment of the same name, unless `target` names another object. */
function autoscaler(name: string, spec: JsonObject = {}, target: JsonObject = {}): JsonObject {
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name, ...target };
  return {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name },
    spec: { scaleTargetRef, maxReplicas: 5, ...spec },
  };
}

/** A HorizontalPodAutoscaler of the StatefulSet `web` without scale-down stabilization. */
function ofStatefulSet(maxReplicas: number, metric: JsonObject): JsonObject {
  const behavior = { scaleDown: { stabilizationWindowSeconds: 0 } };
  return autoscaler("web", { maxReplicas, behavior, metrics: [metric] }, { kind: "StatefulSet" });
}

/** A merge patch of the HorizontalPodAutoscaler `web`, and the time until it takes effect. */
function change(spec: JsonObject, seconds: number): Step {
  return together(patch("horizontalpodautoscalers/web", { spec }), wait(seconds));
}

/** A StatefulSet whose pods request CPU; its pods have fixed names that metrics can refer to. */
function web(spec: JsonObject = {}): JsonObject {
  const pods = template("web", { spec: requesting({ cpu: "100m" }) });
  return statefulSet("web", { ...spec, podManagementPolicy: "Parallel", template: pods });
}

/** Time for two syncs of a HorizontalPodAutoscaler: the controller syncs every 15 s. */
const twice = 35;

/** Time until a HorizontalPodAutoscaler has fully reacted to a change. */
const settled = 50;

/** Resource usage of a pod, measured long after it became ready, so that it counts. */
function uses(name: string, cpu: string, memory = "10Mi", timestamp = "2040-01-01T00:00:00Z"): JsonObject {
  return {
    apiVersion: "metrics.k8s.io/v1beta1",
    kind: "PodMetrics",
    metadata: { name, labels: { app: "web" } },
    timestamp,
    window: "1s",
    containers: [{ name: "app", usage: { cpu, memory } }],
  };
}

/** A CustomResourceDefinition without a schema, served and stored in one version. */
function definition(plural: string, apiVersion: string, kind: string, rest: JsonObject = {}): JsonObject {
  const [group = "", name = ""] = apiVersion.split("/");
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, annotations: { "api-approved.kubernetes.io": "unapproved, for a test" } },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind },
      versions: [{ name, served: true, storage: true, schema, ...rest }],
    },
  };
}

/** Pod metrics as custom resources, at the path of metrics-server. */
const metricsDefinition = definition("pods", "metrics.k8s.io/v1beta1", "PodMetrics");

/** Values of the external metric "queue" as custom resources, at the path of an external metrics adapter. */
const queueDefinition = definition("queue", "external.metrics.k8s.io/v1beta1", "ExternalMetricValue");

function queued(value: string): JsonObject {
  return {
    apiVersion: "external.metrics.k8s.io/v1beta1",
    kind: "ExternalMetricValue",
    metadata: { name: "queue", labels: { of: "web" } },
    metricName: "queue",
    metricLabels: { of: "web" },
    timestamp: "2040-01-01T00:00:00Z",
    value,
  };
}

/** A custom resource with a scale subresource. */
const farmDefinition = definition("farms", "scenarios.example.com/v1", "Farm", {
  subresources: {
    status: {},
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.selector",
    },
  },
});

function farm(name: string): JsonObject {
  return { apiVersion: "scenarios.example.com/v1", kind: "Farm", metadata: { name }, spec: { replicas: 2 } };
}

const oneNode = { nodes: [{ name: "n1" }] };
const farmTarget = { apiVersion: "scenarios.example.com/v1", kind: "Farm" };
const ofWeb = { name: "queue", selector: { matchLabels: { of: "web" } } };

const utilization = (averageUtilization: number): JsonObject => ({ type: "Utilization", averageUtilization });
const average = (averageValue: string): JsonObject => ({ type: "AverageValue", averageValue });
const total = (value: string): JsonObject => ({ type: "Value", value });

function resourceMetric(name: string, target: JsonObject): JsonObject {
  return { type: "Resource", resource: { name, target } };
}

function containerMetric(name: string, container: string, target: JsonObject): JsonObject {
  return { type: "ContainerResource", containerResource: { name, container, target } };
}

function objectMetric(metric: JsonObject, describedObject: JsonObject, target: JsonObject): JsonObject {
  return { type: "Object", object: { metric, describedObject, target } };
}

function externalMetric(metric: JsonObject, target: JsonObject): JsonObject {
  return { type: "External", external: { metric, target } };
}

/** The horizontal pod autoscaler controller, with and without metrics. */
export const autoscalerArea = area("autoscaler", {
  "a HorizontalPodAutoscaler without metrics reports it and enforces its bounds": [
    create(deployment("web", { replicas: 1 })),
    together(create(autoscaler("web", { minReplicas: 2 })), wait(twice)),
    together(scale("deployments/web", 7), wait(twice)),
    together(scale("deployments/web", 0), wait(twice)),
    together(scale("deployments/web", 3), wait(twice)),
    change({ minReplicas: 1, maxReplicas: 2 }, twice),
    remove("horizontalpodautoscalers/web"),
  ],
  "a HorizontalPodAutoscaler reports a target that is missing or has no scale subresource": [
    together(
      create(autoscaler("lost")),
      create(autoscaler("odd", {}, { name: "x", kind: "DaemonSet" })),
      create(autoscaler("unknown", {}, { name: "x", kind: "Nothing", apiVersion: "example.com/v1" })),
      wait(twice),
    ),
    together(create(deployment("lost", { replicas: 2 })), wait(twice)),
    together(patch("horizontalpodautoscalers/lost", { spec: { maxReplicas: 1 } }), wait(twice)),
    remove("horizontalpodautoscalers/odd"),
    together(remove("deployments/lost"), wait(twice)),
  ],
  "a HorizontalPodAutoscaler follows the resource usage of pods": withOptions(oneNode, [
    create(metricsDefinition),
    create(web()),
    create(ofStatefulSet(6, resourceMetric("cpu", utilization(50)))),
    together(apply(uses("web-0", "100m")), wait(settled)),
    together(apply(uses("web-0", "52m")), apply(uses("web-1", "50m")), wait(settled)),
    together(apply(uses("web-0", "150m")), apply(uses("web-1", "150m")), wait(settled)),
    together(...[0, 1, 2, 3, 4, 5].map((ordinal) => apply(uses(`web-${ordinal}`, "10m"))), wait(settled)),
    change({ metrics: [resourceMetric("memory", average("5Mi"))] }, settled),
  ]),
  "a HorizontalPodAutoscaler reports each metric that is not served": [
    create(deployment("web", { replicas: 2 })),
    together(
      create(
        autoscaler("web", {
          metrics: [
            { type: "Pods", pods: { metric: { name: "hits" }, target: average("5") } },
            objectMetric(
              { name: "requests", selector: { matchLabels: { of: "web" } } },
              { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "front" },
              total("2k"),
            ),
            objectMetric({ name: "shared" }, { apiVersion: "v1", kind: "Service", name: "front" }, average("10")),
            externalMetric(ofWeb, total("30")),
            externalMetric(
              { name: "lag", selector: { matchExpressions: [{ key: "of", operator: "In", values: ["a", "b"] }] } },
              average("30"),
            ),
            containerMetric("memory", "app", utilization(60)),
            resourceMetric("cpu", average("100m")),
          ],
        }),
      ),
      wait(twice),
    ),
  ],
  "a HorizontalPodAutoscaler follows an external metric within its scaling policies": withOptions(oneNode, [
    create(queueDefinition),
    // The real controller refreshes discovery every 30 s.
    together(create(farmDefinition), wait(twice)),
    create(deployment("web", { replicas: 2 })),
    together(
      create(queued("400")),
      create(farm("north")),
      patch("farms/north", { status: { replicas: 2, selector: "app=north" } }, "status"),
      create(farm("bare")),
      create(
        autoscaler("web", {
          maxReplicas: 9,
          behavior: {
            scaleUp: { policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] },
            scaleDown: {
              stabilizationWindowSeconds: 0,
              policies: [
                { type: "Percent", value: 50, periodSeconds: 60 },
                { type: "Pods", value: 1, periodSeconds: 60 },
              ],
              selectPolicy: "Min",
            },
          },
          metrics: [externalMetric(ofWeb, total("100"))],
        }),
      ),
      create(
        autoscaler(
          "north",
          { metrics: [externalMetric(ofWeb, average("50")), externalMetric({ name: "queue" }, total("100"))] },
          farmTarget,
        ),
      ),
      create(autoscaler("bare", {}, farmTarget)),
      wait(twice),
    ),
    wait(settled),
    together(apply(queued("110")), wait(twice)),
    change({ behavior: { scaleUp: { tolerance: "0.05" } } }, twice),
    together(apply(queued("10")), wait(twice)),
    change({ behavior: { scaleDown: { selectPolicy: "Disabled" } } }, settled),
  ]),
  "a HorizontalPodAutoscaler is conservative about pods that are unready or have no metrics": withOptions(oneNode, [
    create(metricsDefinition),
    together(create(web({ replicas: 4 })), create(replicationController("old", { replicas: 1 }))),
    together(
      ...[0, 1].map((ordinal) => apply(uses(`web-${ordinal}`, "150m"))),
      create(autoscaler("old", { minReplicas: 2 }, { apiVersion: "v1", kind: "ReplicationController" })),
      create(ofStatefulSet(10, containerMetric("cpu", "app", utilization(50)))),
      wait(settled),
    ),
    together(...[0, 1, 2].map((ordinal) => apply(uses(`web-${ordinal}`, "10m"))), wait(twice)),
    together(...[3, 4].map((ordinal) => apply(uses(`web-${ordinal}`, "10m"))), wait(settled)),
    together(
      apply(uses("web-0", "400m")),
      ...[1, 2].map((ordinal) => apply(uses(`web-${ordinal}`, "400m", "10Mi", "2000-01-01T00:00:00Z"))),
      wait(settled),
    ),
    change(
      { metrics: [containerMetric("cpu", "other", utilization(50)), resourceMetric("cpu", average("300m"))] },
      twice,
    ),
  ]),
});
