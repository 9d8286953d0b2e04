import type { JsonObject } from "@kubewright/core/json";
import { formatTime } from "@kubewright/core/meta";
import { Quantity } from "@kubewright/core/quantity";
import { type ContainerUsage, containerUsage } from "./container-usage.js";
import type { KubeletUsage } from "./kubelet-usage.js";
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

/** The metrics window of simulated nodes. The HPA ignores CPU samples whose window started before the Pod was ready. */
const windowMs = 15_000;

const nothing: ContainerUsage = { cpu: Quantity.of(0), memory: Quantity.of(0, "BinarySI") };

/** What kubelets measured last, by node. */
type KubeletUsages = ReadonlyMap<string, KubeletUsage>;

/** PodMetrics of running Pods, with their running containers: on simulated nodes by their PodStages, on real ones as the kubelet measured. */
function podMetrics(source: MetricsSource, namespace: string, usages: KubeletUsages): JsonObject[] {
  const nodes = simulatedNodes(source);
  const simulated = simulatedPods(source, namespace).filter(({ pod }) => nodes.has(pod.spec?.nodeName ?? ""));
  return [...simulated, ...kubeletPods(source, namespace, usages)].sort(byName).map((measured) => {
    const { pod, containers } = measured;
    const { name, labels } = pod.metadata;
    return {
      metadata: { name, namespace: pod.metadata.namespace ?? "", ...created(source), ...(labels && { labels }) },
      ...measuredAt(measured),
      containers: containers.map(([container, usage]) => ({ name: container, usage: printed(usage) })),
    };
  });
}

function byName({ pod: a }: MeasuredPod, { pod: b }: MeasuredPod): number {
  const of = ({ metadata }: ReadPod): string => `${metadata.namespace}/${metadata.name}`;
  return of(a) < of(b) ? -1 : 1;
}

/** NodeMetrics: of simulated nodes the sum of their Pods. */
function nodeMetrics(source: MetricsSource, usages: KubeletUsages): JsonObject[] {
  const used = new Map<string, ContainerUsage>();
  for (const { pod, containers } of simulatedPods(source, "")) {
    const node = pod.spec?.nodeName ?? "";
    used.set(node, sum([used.get(node) ?? nothing, ...containers.map(([, usage]) => usage)]));
  }
  return nodesOf(source).flatMap((node) => {
    const { name, labels } = node.metadata;
    const measured = isSimulated(node)
      ? { timeMs: source.nowMs, windowMs, usage: used.get(name) ?? nothing }
      : usages.get(name)?.node;
    if (measured === undefined) return [];
    return [
      {
        metadata: { name, ...created(source), ...(labels && { labels }) },
        ...measuredAt(measured),
        usage: printed(measured.usage),
      },
    ];
  });
}

interface MeasuredPod {
  readonly pod: ReadPod;
  readonly containers: readonly (readonly [name: string, usage: ContainerUsage])[];
  readonly timeMs: number;
  readonly windowMs: number;
}

/** Pods on nodes with a kubelet, once all their running containers are measured. */
function kubeletPods({ read }: MetricsSource, namespace: string, usages: KubeletUsages): MeasuredPod[] {
  if (usages.size === 0) return [];
  return (read("", "v1", "pods", namespace) as unknown as readonly ReadPod[]).flatMap((pod) => {
    const kubelet = usages.get(pod.spec?.nodeName ?? "");
    const running = runningContainers(pod);
    if (kubelet === undefined || running.length === 0) return [];
    const { name, namespace: home = "" } = pod.metadata;
    const containers: (readonly [name: string, usage: ContainerUsage])[] = [];
    let [timeMs, longestMs] = [Number.POSITIVE_INFINITY, 0];
    for (const container of running) {
      const measured = kubelet.container(home, name, container.name);
      if (measured === undefined) return [];
      containers.push([container.name, measured.usage]);
      timeMs = Math.min(timeMs, measured.timeMs);
      longestMs = Math.max(longestMs, measured.windowMs);
    }
    return [{ pod, containers, timeMs, windowMs: longestMs }];
  });
}

function simulatedPods({ nowMs, read }: MetricsSource, namespace: string): MeasuredPod[] {
  const { group, plural } = PodStage;
  const stages = read(group, PodStage.version, plural, "") as unknown as readonly ReadPodStage[];
  return (read("", "v1", "pods", namespace) as unknown as readonly ReadPod[]).flatMap((pod) => {
    if (pod.status?.phase !== "Running") return [];
    const usage = stageOf(pod, stages)?.spec?.usage;
    const containers = runningContainers(pod).map(
      ({ name, startedAt }) => [name, containerUsage(usage, name, nowMs - Date.parse(startedAt))] as const,
    );
    return containers.length === 0 ? [] : [{ pod, containers, timeMs: nowMs, windowMs }];
  });
}

function runningContainers({ status }: ReadPod): readonly { readonly name: string; readonly startedAt: string }[] {
  const { initContainerStatuses = [], containerStatuses = [] } = status ?? {};
  return [...containerStatuses, ...initContainerStatuses].flatMap(({ name, state }) => {
    const startedAt = state?.running?.startedAt;
    return startedAt === undefined ? [] : [{ name, startedAt }];
  });
}

function nodesOf({ read }: MetricsSource): readonly ReadNode[] {
  return read("", "v1", "nodes", "") as unknown as readonly ReadNode[];
}

function simulatedNodes(source: MetricsSource): ReadonlySet<string> {
  return new Set(
    nodesOf(source)
      .filter(isSimulated)
      .map(({ metadata }) => metadata.name),
  );
}

function sum(usages: readonly ContainerUsage[]): ContainerUsage {
  return usages.reduce((a, b) => ({ cpu: a.cpu.add(b.cpu), memory: a.memory.add(b.memory) }), nothing);
}

function printed({ cpu, memory }: ContainerUsage): JsonObject {
  return { cpu: cpu.toString(), memory: memory.toString() };
}

function created({ nowMs }: MetricsSource): { readonly creationTimestamp: string } {
  return { creationTimestamp: formatTime(nowMs) };
}

function measuredAt({ timeMs, windowMs }: { readonly timeMs: number; readonly windowMs: number }) {
  return { timestamp: formatTime(timeMs), window: `${windowMs / 1_000}s` };
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

/** The resources of the metrics API. */
export function metricsResources(usages: KubeletUsages) {
  return [
    {
      group: metricsGroup,
      version,
      plural: "nodes",
      singular: "",
      kind: "NodeMetrics",
      namespaced: false,
      columns: columns(usageOf.node),
      list: (source: MetricsSource) => nodeMetrics(source, usages),
    },
    {
      group: metricsGroup,
      version,
      plural: "pods",
      singular: "",
      kind: "PodMetrics",
      namespaced: true,
      columns: columns(usageOf.pod),
      list: (source: MetricsSource, namespace: string) => podMetrics(source, namespace, usages),
    },
  ] as const;
}
