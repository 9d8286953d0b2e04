import type { JsonObject } from "@kubewright/core/json";
import { deployment, requesting, statefulSet, template } from "../objects.js";
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
function uses(name: string, cpu: string, memory = "10Mi"): JsonObject {
  return {
    apiVersion: "metrics.k8s.io/v1beta1",
    kind: "PodMetrics",
    metadata: { name, labels: { app: "web" } },
    timestamp: "2040-01-01T00:00:00Z",
    window: "1s",
    containers: [{ name: "app", usage: { cpu, memory } }],
  };
}

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
  ],
};
