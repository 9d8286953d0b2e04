import type { JsonObject } from "@kubewright/core/json";
import { deployment, pod, requesting } from "../objects.js";
import { area, withOptions } from "../scenario.js";
import { create, node, patch, remove, scale, terminatingPodsHang, terminatingPodsStop, wait } from "../step.js";

function small(name: string, cpu: string, labels: Readonly<Record<string, string>> = {}) {
  return { name, labels, capacity: { cpu, memory: "4Gi" } };
}

function cpu(quantity: string, spec: JsonObject = {}): JsonObject {
  return { ...requesting({ cpu: quantity }), ...spec };
}

/** A required node affinity with this term. */
function onNodes(term: JsonObject): JsonObject {
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } };
}

function on(values: readonly string[]): JsonObject {
  return onNodes({ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values }] });
}

const onHost = (name: string): JsonObject => ({ nodeSelector: { "kubernetes.io/hostname": name } });

/** A pod of the app `s` with a topology spread constraint. */
function spread(name: string, topologyKey: string, spec: JsonObject, constraint: JsonObject = {}): JsonObject {
  const labelSelector = { matchLabels: { app: "s" } };
  const base = { maxSkew: 1, topologyKey, whenUnsatisfiable: "DoNotSchedule", labelSelector };
  return pod(name, { ...spec, topologySpreadConstraints: [{ ...base, ...constraint }] }, { labels: { app: "s" } });
}

/** A container that listens on a port. */
function listening(port: JsonObject): JsonObject {
  return { containers: [{ name: "app", image: "app:1", ports: [port] }] };
}

const port = { containerPort: 80, hostPort: 8080 };
const zoneA = { name: "n1", labels: { zone: "a" } };
const zoneB = { name: "n2", labels: { zone: "b" } };

function beside(app: string, topologyKey: string): JsonObject {
  return { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app } }, topologyKey }] };
}

function priorityClass(name: string, value: number, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: `${name}-{ns}` },
    value,
    ...more,
  };
}

/** The scheduler. */
export const schedulerArea = area("scheduler", {
  "pods are scheduled where resources suffice, and stay pending otherwise": withOptions(
    { nodes: [small("n1", "2"), small("n2", "1")] },
    [
      create(pod("a", cpu("1500m"))),
      create(pod("b", cpu("800m"))),
      create(pod("c", cpu("600m"))),
      remove("pods/a"),
      create(pod("d", cpu("3"))),
      create(pod("e", requesting({ memory: "5Gi" }))),
      create(pod("f", requesting({ "example.com/gpu": "1" }))),
      node("n3", { kind: "add", capacity: { cpu: "4", "example.com/gpu": "2" } }),
      remove("pods/d"),
      remove("pods/c"),
    ],
  ),
  "pods are spread over nodes by free resources": withOptions({ nodes: [small("n1", "4"), small("n2", "2")] }, [
    create(pod("a", cpu("500m"))),
    create(pod("b", cpu("1"))),
    create(pod("c", cpu("1"))),
    create(pod("d", cpu("1"))),
    create(pod("e", cpu("1"))),
    create(pod("f", cpu("1"))),
    create(pod("g", cpu("1"))),
    remove("pods/b"),
    create(pod("h", cpu("250m"))),
    create(pod("i", { ...cpu("250m"), ...onHost("n2") })),
  ]),
  "pods follow their node selector and node affinity": withOptions(
    {
      nodes: [
        { name: "n1", labels: { disk: "ssd" } },
        { name: "n2", labels: { zone: "b", size: "9" } },
      ],
    },
    [
      create(pod("a", { nodeSelector: { disk: "ssd" } })),
      create(pod("b", { affinity: on(["n2"]) })),
      create(pod("c", { nodeSelector: { disk: "none" } })),
      create(pod("d", { affinity: on(["n1"]), nodeSelector: { zone: "b" } })),
      create(
        pod("e", {
          affinity: onNodes({
            matchExpressions: [
              { key: "size", operator: "Gt", values: ["5"] },
              { key: "disk", operator: "DoesNotExist" },
            ],
          }),
        }),
      ),
      create(
        pod("f", {
          affinity: {
            nodeAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 100, preference: { matchExpressions: [{ key: "disk", operator: "Exists" }] } },
              ],
            },
          },
        }),
      ),
      node("n2", { kind: "patch", patch: { metadata: { labels: { disk: "none" } } } }),
      node("n1", { kind: "patch", patch: { metadata: { labels: { zone: "b" } } } }),
      create(
        pod("g", { affinity: onNodes({ matchFields: [{ key: "metadata.name", operator: "In", values: ["n2"] }] }) }),
      ),
      create(pod("h", { affinity: on(["n3"]) })),
    ],
  ),
  "pods run on tainted nodes only if they tolerate the taint": withOptions(
    {
      nodes: [
        { name: "n1", taints: [{ key: "special", value: "yes", effect: "NoSchedule" }] },
        { name: "n2", taints: [{ key: "rather", effect: "PreferNoSchedule" }] },
      ],
    },
    [
      create(pod("a")),
      create(pod("b", { tolerations: [{ key: "special", operator: "Equal", value: "yes", effect: "NoSchedule" }] })),
      node("n2", { kind: "patch", patch: { spec: { unschedulable: true } } }),
      create(pod("c")),
      create(pod("d", { tolerations: [{ operator: "Exists" }], affinity: on(["n2"]) })),
      node("n2", { kind: "patch", patch: { spec: { taints: [{ key: "x", value: "y", effect: "NoExecute" }] } } }),
      node("n2", { kind: "patch", patch: { spec: { unschedulable: null } } }),
      node("n1", { kind: "patch", patch: { spec: { taints: null } } }),
      create(
        pod("e", {
          tolerations: [{ key: "x", operator: "Equal", value: "z", effect: "NoExecute" }],
          affinity: on(["n2"]),
        }),
      ),
      node("n2", { kind: "patch", patch: { spec: { taints: null } } }),
    ],
  ),
  "pods follow pod affinity and anti-affinity": withOptions({ nodes: [zoneA, zoneB] }, [
    create(pod("db", { nodeSelector: { zone: "b" } })),
    create(pod("web", { affinity: { podAffinity: beside("db", "zone") } })),
    create(pod("alone", { affinity: { podAntiAffinity: beside("db", "zone") } })),
    create(pod("never", { affinity: { podAffinity: beside("nobody", "zone") } })),
    create(pod("nowhere", { affinity: { podAntiAffinity: beside("db", "zone"), podAffinity: beside("db", "zone") } })),
    create(pod("db2", { nodeSelector: { zone: "a" } }, { labels: { app: "db" } })),
    create(pod("self", { affinity: { podAffinity: beside("self", "zone") }, nodeSelector: { zone: "b" } })),
    remove("pods/db"),
    create(pod("nobody", { nodeSelector: { zone: "a" } })),
    remove("pods/nobody"),
  ]),
  "topologySpreadConstraints spread pods evenly": withOptions({ nodes: [zoneA, zoneB, { name: "n3" }] }, [
    create(spread("s1", "zone", { affinity: on(["n1", "n2"]), nodeSelector: { zone: "a" } })),
    create(spread("s2", "zone", { affinity: on(["n1", "n2"]) })),
    create(spread("stuck", "kubernetes.io/hostname", onHost("n1"), { nodeAffinityPolicy: "Ignore" })),
    remove("pods/s1"),
    create(spread("must", "rack", {})),
    node("n3", { kind: "patch", patch: { metadata: { labels: { rack: "r1" } } } }),
    create(pod("s4", onHost("n3"), { labels: { app: "s" } })),
    remove("pods/must"),
    remove("pods/stuck"),
    create(spread("any", "zone", { nodeSelector: { zone: "b" } }, { whenUnsatisfiable: "ScheduleAnyway" })),
  ]),
  "a pod of high priority preempts one of low priority": withOptions({ nodes: [small("n1", "2")] }, [
    create(priorityClass("high", 1_000)),
    create(priorityClass("polite", 1_000, { preemptionPolicy: "Never" })),
    create(pod("low", cpu("1500m"))),
    terminatingPodsHang,
    create(pod("polite", cpu("1", { priorityClassName: "polite-{ns}" }))),
    create(pod("high", cpu("1", { priorityClassName: "high-{ns}" }))),
    terminatingPodsStop,
    wait(2),
    create(pod("late", cpu("1500m"))),
    remove("pods/high"),
    wait(2),
    create(pod("huge", cpu("5", { priorityClassName: "high-{ns}" }))),
    create(pod("wrong", { priorityClassName: "missing-{ns}" })),
  ]),
  "a pod with scheduling gates is not scheduled until they are removed": withOptions({ nodes: [{ name: "n1" }] }, [
    create(pod("gated", { schedulingGates: [{ name: "example.com/a" }, { name: "example.com/b" }] })),
    patch("pods/gated", { spec: { schedulingGates: [{ name: "example.com/b" }] } }),
    patch("pods/gated", { spec: { nodeSelector: { "kubernetes.io/hostname": "n1" } } }),
    patch("pods/gated", { spec: { schedulingGates: null } }),
    create(pod("other", { schedulerName: "someone-else" })),
    create(pod("fixed", { nodeName: "n1" })),
    create(pod("ghost", { nodeName: "n9" })),
    remove("pods/ghost"),
    create(pod("closed", { schedulingGates: [{ name: "example.com/a" }] })),
    remove("pods/closed"),
  ]),
  "two pods cannot use the same host port of a node": withOptions({ nodes: [{ name: "n1" }] }, [
    ...["a", "b"].map((name) => create(pod(name, listening(port)))),
    node("n2", { kind: "add" }),
    create(pod("c", { ...listening({ ...port, protocol: "UDP" }), ...onHost("n1") })),
    create(pod("d", listening(port))),
    remove("pods/a"),
    remove("pods/b"),
    remove("pods/c"),
    create(pod("e", { hostNetwork: true, ...listening({ containerPort: 8080 }), ...onHost("n2") })),
    remove("pods/d"),
  ]),
  "pods stay pending without nodes and are scheduled when nodes join": withOptions({ nodes: [], anyNode: true }, [
    create(deployment("web", { replicas: 2 })),
    node("n1", { kind: "add", capacity: { pods: "1" } }),
    node("n2", { kind: "add", capacity: { pods: "1" } }),
    scale("deployments/web", 3),
    scale("deployments/web", 2),
    node("n1", { kind: "patch", patch: { spec: { unschedulable: true } } }),
    scale("deployments/web", 4),
    node("n3", { kind: "add" }),
    node("n1", { kind: "patch", patch: { spec: { unschedulable: null } } }),
    scale("deployments/web", 0),
  ]),
});
