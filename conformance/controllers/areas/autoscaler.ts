import type { JsonObject } from "@kubewright/core/json";
import { deployment, replicationController, requesting, statefulSet, template } from "../objects.js";
import { type Area, scenario } from "../scenario.js";
import { apply, create, patch, remove, scale, together, wait } from "../step.js";

function autoscaler(name: string, target: JsonObject, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name },
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", ...target }, maxReplicas: 5, ...spec },
  };
}

/** Autoscalers are looked at every 15 seconds: so long it takes until one was looked at twice, */
const twice = 35;

/** and so long until it has done all that it does because of a change. */
const settled = 50;

/** Metrics as ordinary objects: an autoscaler asks for them at the place where a metrics server would serve them. */
const metricsDefinition: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "pods.metrics.k8s.io", annotations: { "api-approved.kubernetes.io": "unapproved, for a test" } },
  spec: {
    group: "metrics.k8s.io",
    scope: "Namespaced",
    names: { plural: "pods", singular: "pod", kind: "PodMetrics", listKind: "PodMetricsList" },
    versions: [
      {
        name: "v1beta1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

/** What a pod uses; measured long after it got ready, so that it counts. */
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

interface DefinitionOptions {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly subresources: JsonObject;
}

/** A CustomResourceDefinition without a schema, served and stored in one version. */
function definition({ group, version, plural, kind, subresources }: DefinitionOptions): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      annotations: { "api-approved.kubernetes.io": "unapproved, for a test" },
    },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          subresources,
        },
      ],
    },
  };
}

/** Values of the external metric "queue" as custom resources, at the path where an external metrics server would serve them. */
const queueDefinition = definition({
  group: "external.metrics.k8s.io",
  version: "v1beta1",
  plural: "queue",
  kind: "ExternalMetricValue",
  subresources: {},
});

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

/** A kind of which the autoscaler knows only the scale subresource. */
const farmDefinition = definition({
  group: "scenarios.example.com",
  version: "v1",
  plural: "farms",
  kind: "Farm",
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

const farmTarget = { apiVersion: "scenarios.example.com/v1", kind: "Farm" };
const ofWeb = { name: "queue", selector: { matchLabels: { of: "web" } } };

/** What the autoscaler does, without metrics and with them. */
export const autoscalerArea: Area = {
  name: "autoscaler",
  scenarios: [
    scenario(
      "an autoscaler without metrics says so, and keeps to its bounds",
      {},
      create(deployment("web", { replicas: 1 })),
      together(create(autoscaler("web", { name: "web" }, { minReplicas: 2 })), wait(twice)),
      together(scale("deployments/web", 7), wait(twice)),
      together(scale("deployments/web", 0), wait(twice)),
      together(scale("deployments/web", 3), wait(twice)),
      together(patch("horizontalpodautoscalers/web", { spec: { minReplicas: 1, maxReplicas: 2 } }), wait(twice)),
      remove("horizontalpodautoscalers/web"),
    ),
    scenario(
      "an autoscaler whose target is missing or has no scale says so",
      {},
      together(
        create(autoscaler("lost", { name: "lost" })),
        create(autoscaler("odd", { name: "x", kind: "DaemonSet" })),
        create(autoscaler("unknown", { name: "x", kind: "Nothing", apiVersion: "example.com/v1" })),
        wait(twice),
      ),
      together(create(deployment("lost", { replicas: 2 })), wait(twice)),
      together(patch("horizontalpodautoscalers/lost", { spec: { maxReplicas: 1 } }), wait(twice)),
      remove("horizontalpodautoscalers/odd"),
      together(remove("deployments/lost"), wait(twice)),
    ),
    scenario(
      "an autoscaler follows what pods use",
      { nodes: [{ name: "n1" }] },
      create(metricsDefinition),
      create(
        statefulSet("web", {
          podManagementPolicy: "Parallel",
          template: template("web", { spec: requesting({ cpu: "100m" }) }),
        }),
      ),
      create(
        autoscaler(
          "web",
          { kind: "StatefulSet", name: "web" },
          {
            maxReplicas: 6,
            behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
            metrics: [
              { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
            ],
          },
        ),
      ),
      together(apply(uses("web-0", "100m")), wait(settled)),
      together(apply(uses("web-0", "52m")), apply(uses("web-1", "50m")), wait(settled)),
      together(apply(uses("web-0", "150m")), apply(uses("web-1", "150m")), wait(settled)),
      together(...[0, 1, 2, 3, 4, 5].map((ordinal) => apply(uses(`web-${ordinal}`, "10m"))), wait(settled)),
      together(
        patch("horizontalpodautoscalers/web", {
          spec: {
            metrics: [
              { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "5Mi" } } },
            ],
          },
        }),
        wait(settled),
      ),
    ),
    scenario(
      "an autoscaler whose metrics nobody serves says so for each",
      {},
      create(deployment("web", { replicas: 2 })),
      together(
        create(
          autoscaler(
            "web",
            { name: "web" },
            {
              metrics: [
                {
                  type: "Pods",
                  pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "5" } },
                },
                {
                  type: "Object",
                  object: {
                    metric: { name: "requests", selector: { matchLabels: { of: "web" } } },
                    describedObject: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "front" },
                    target: { type: "Value", value: "2k" },
                  },
                },
                {
                  type: "Object",
                  object: {
                    metric: { name: "shared" },
                    describedObject: { apiVersion: "v1", kind: "Service", name: "front" },
                    target: { type: "AverageValue", averageValue: "10" },
                  },
                },
                { type: "External", external: { metric: ofWeb, target: { type: "Value", value: "30" } } },
                {
                  type: "External",
                  external: {
                    metric: {
                      name: "lag",
                      selector: { matchExpressions: [{ key: "of", operator: "In", values: ["a", "b"] }] },
                    },
                    target: { type: "AverageValue", averageValue: "30" },
                  },
                },
                {
                  type: "ContainerResource",
                  containerResource: {
                    name: "memory",
                    container: "app",
                    target: { type: "Utilization", averageUtilization: 60 },
                  },
                },
                { type: "Resource", resource: { name: "cpu", target: { type: "AverageValue", averageValue: "100m" } } },
              ],
            },
          ),
        ),
        wait(twice),
      ),
    ),
    scenario(
      "an autoscaler follows a metric from outside, no faster than its policies let it",
      { nodes: [{ name: "n1" }] },
      create(queueDefinition),
      // A real autoscaler learns of new kinds every half a minute.
      together(create(farmDefinition), wait(twice)),
      create(deployment("web", { replicas: 2 })),
      together(
        create(queued("400")),
        create(farm("north")),
        patch("farms/north", { status: { replicas: 2, selector: "app=north" } }, "status"),
        create(farm("bare")),
        create(
          autoscaler(
            "web",
            { name: "web" },
            {
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
              metrics: [{ type: "External", external: { metric: ofWeb, target: { type: "Value", value: "100" } } }],
            },
          ),
        ),
        create(
          autoscaler(
            "north",
            { ...farmTarget, name: "north" },
            {
              metrics: [
                { type: "External", external: { metric: ofWeb, target: { type: "AverageValue", averageValue: "50" } } },
                { type: "External", external: { metric: { name: "queue" }, target: { type: "Value", value: "100" } } },
              ],
            },
          ),
        ),
        create(autoscaler("bare", { ...farmTarget, name: "bare" })),
        wait(twice),
      ),
      wait(settled),
      together(apply(queued("110")), wait(twice)),
      together(
        patch("horizontalpodautoscalers/web", { spec: { behavior: { scaleUp: { tolerance: "0.05" } } } }),
        wait(twice),
      ),
      together(apply(queued("10")), wait(twice)),
      together(
        patch("horizontalpodautoscalers/web", { spec: { behavior: { scaleDown: { selectPolicy: "Disabled" } } } }),
        wait(settled),
      ),
    ),
    scenario(
      "an autoscaler is careful where it does not know what pods use, or they are not ready",
      { nodes: [{ name: "n1" }] },
      create(metricsDefinition),
      together(
        create(
          statefulSet("web", {
            replicas: 4,
            podManagementPolicy: "Parallel",
            template: template("web", { spec: requesting({ cpu: "100m" }) }),
          }),
        ),
        create(replicationController("old", { replicas: 1 })),
      ),
      together(
        ...[0, 1].map((ordinal) => apply(uses(`web-${ordinal}`, "150m"))),
        create(autoscaler("old", { apiVersion: "v1", kind: "ReplicationController", name: "old" }, { minReplicas: 2 })),
        create(
          autoscaler(
            "web",
            { kind: "StatefulSet", name: "web" },
            {
              maxReplicas: 10,
              behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
              metrics: [
                {
                  type: "ContainerResource",
                  containerResource: {
                    name: "cpu",
                    container: "app",
                    target: { type: "Utilization", averageUtilization: 50 },
                  },
                },
              ],
            },
          ),
        ),
        wait(settled),
      ),
      together(...[0, 1, 2].map((ordinal) => apply(uses(`web-${ordinal}`, "10m"))), wait(twice)),
      together(...[3, 4].map((ordinal) => apply(uses(`web-${ordinal}`, "10m"))), wait(settled)),
      together(
        apply(uses("web-0", "400m")),
        ...[1, 2].map((ordinal) => apply(uses(`web-${ordinal}`, "400m", "10Mi", "2000-01-01T00:00:00Z"))),
        wait(settled),
      ),
      together(
        patch("horizontalpodautoscalers/web", {
          spec: {
            metrics: [
              {
                type: "ContainerResource",
                containerResource: {
                  name: "cpu",
                  container: "other",
                  target: { type: "Utilization", averageUtilization: 50 },
                },
              },
              { type: "Resource", resource: { name: "cpu", target: { type: "AverageValue", averageValue: "300m" } } },
            ],
          },
        }),
        wait(twice),
      ),
    ),
  ],
};
