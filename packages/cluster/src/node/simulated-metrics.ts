import type { JsonObject } from "@kubewright/core/json";
import { formatTime } from "@kubewright/core/meta";
import { Quantity } from "@kubewright/core/quantity";
import { type ContainerUsage, containerUsage } from "./container-usage.js";
import { isSimulated } from "./node-object.js";
import { PodStage, type ReadPodStage, stageOf } from "./pod-stage.js";
import type { ReadNode, ReadPod } from "./read-objects.js";

/** The objects of a cluster at a point in time. */
interface MetricsSource {
  readonly nowMs: number;
  read(group: string, version: string, plural: string, namespace: string): readonly JsonObject[];
}

/** The metrics API group. */
export const metricsGroup = "metrics.k8s.io";
const version = "v1beta1";

/** The metrics window. The HPA ignores CPU samples whose window started before the Pod was ready. */
const window = "15s";

const nothing: ContainerUsage = { cpu: Quantity.of(0), memory: Quantity.of(0, "BinarySI") };

/** PodMetrics of running Pods on simulated nodes, with their running containers. */
function podMetrics(source: MetricsSource, namespace: string): JsonObject[] {
  const nodes = simulatedNodes(source);
  return measuredPods(source, namespace).flatMap(({ pod, containers }) => {
    if (!nodes.has(pod.spec?.nodeName ?? "")) return [];
    const { name, labels } = pod.metadata;
    return [
      {
        metadata: { name, namespace: pod.metadata.namespace ?? "", ...measuredNow(source), ...(labels && { labels }) },
        ...when(source),
        containers: containers.map(([container, usage]) => ({ name: container, usage: printed(usage) })),
      },
    ];
  });
}

/** NodeMetrics of simulated nodes: the sum of their Pods. */
function nodeMetrics(source: MetricsSource): JsonObject[] {
  const used = new Map<string, ContainerUsage>();
  for (const { pod, containers } of measuredPods(source, "")) {
    const node = pod.spec?.nodeName ?? "";
    used.set(node, sum([used.get(node) ?? nothing, ...containers.map(([, usage]) => usage)]));
  }
  return [...simulatedNodes(source).values()].map(({ metadata: { name, labels } }) => ({
    metadata: { name, ...measuredNow(source), ...(labels && { labels }) },
    ...when(source),
    usage: printed(used.get(name) ?? nothing),
  }));
}

interface MeasuredPod {
  readonly pod: ReadPod;
  readonly containers: readonly (readonly [name: string, usage: ContainerUsage])[];
}

function measuredPods({ nowMs, read }: MetricsSource, namespace: string): MeasuredPod[] {
  const { group, plural } = PodStage;
  const stages = read(group, PodStage.version, plural, "") as unknown as readonly ReadPodStage[];
  return (read("", "v1", "pods", namespace) as unknown as readonly ReadPod[]).flatMap((pod) => {
    if (pod.status?.phase !== "Running") return [];
    const usage = stageOf(pod, stages)?.spec?.usage;
    const { initContainerStatuses = [], containerStatuses = [] } = pod.status;
    const containers = [...containerStatuses, ...initContainerStatuses].flatMap(({ name, state }) => {
      const startedAt = state?.running?.startedAt;
      if (startedAt === undefined) return [];
      return [[name, containerUsage(usage, name, nowMs - Date.parse(startedAt))] as const];
    });
    return containers.length === 0 ? [] : [{ pod, containers }];
  });
}

function simulatedNodes({ read }: MetricsSource): Map<string, ReadNode> {
  const nodes = read("", "v1", "nodes", "") as unknown as readonly ReadNode[];
  return new Map(nodes.filter(isSimulated).map((node) => [node.metadata.name, node]));
}

function sum(usages: readonly ContainerUsage[]): ContainerUsage {
  return usages.reduce((a, b) => ({ cpu: a.cpu.add(b.cpu), memory: a.memory.add(b.memory) }), nothing);
}

function printed({ cpu, memory }: ContainerUsage): JsonObject {
  return { cpu: cpu.toString(), memory: memory.toString() };
}

function measuredNow({ nowMs }: MetricsSource): { readonly creationTimestamp: string } {
  return { creationTimestamp: formatTime(nowMs) };
}

function when({ nowMs }: MetricsSource): { readonly timestamp: string; readonly window: string } {
  return { timestamp: formatTime(nowMs), window };
}

type Usage = "cpu" | "memory";

const usageOf = {
  pod: (object: JsonObject, resource: Usage): string =>
    (object["containers"] as readonly { readonly usage: Record<Usage, string> }[])
      .reduce((total, { usage }) => total.add(Quantity.parse(usage[resource])), Quantity.of(0))
      .toString(),
  node: (object: JsonObject, resource: Usage): string => (object["usage"] as Record<Usage, string>)[resource],
};

function columns(used: (object: JsonObject, resource: Usage) => string) {
  const of = (resource: Usage) =>
    ({
      name: resource,
      type: "string",
      format: "quantity",
      cell: (object: JsonObject) => used(object, resource),
    }) as const;
  return [
    {
      name: "Name",
      type: "string",
      format: "name",
      description: "Name of the resource",
      cell: ({ metadata }: JsonObject) => (metadata as { readonly name: string }).name,
    },
    of("cpu"),
    of("memory"),
    {
      name: "Window",
      type: "string",
      format: "duration",
      cell: (object: JsonObject) => String(object["window"]),
    },
  ] as const;
}

/** The resources of the metrics API, computed from PodStages. */
export const metricsResources = [
  {
    group: metricsGroup,
    version,
    plural: "nodes",
    singular: "",
    kind: "NodeMetrics",
    namespaced: false,
    columns: columns(usageOf.node),
    list: nodeMetrics,
  },
  {
    group: metricsGroup,
    version,
    plural: "pods",
    singular: "",
    kind: "PodMetrics",
    namespaced: true,
    columns: columns(usageOf.pod),
    list: podMetrics,
  },
] as const;
