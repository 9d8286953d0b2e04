import { Quantity } from "@kubewright/core/quantity";
import type { ContainerUsage } from "./container-usage.js";

/** What is measured: a container, by `namespace/pod/container`, or the node itself. */
type Measured = string;
const theNode = "";

/** A measurement of a kubelet. */
interface Sample {
  readonly timeMs: number;
  /** Since the container was started. */
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly startMs: number | undefined;
}

/** What is used, with the time of the measurement. */
export interface MeasuredUsage {
  readonly timeMs: number;
  readonly windowMs: number;
  readonly usage: ContainerUsage;
}

/** A container's CPU usage is known at its first measurement only if it is this old and not older: an average over a longer time says nothing. */
const [youngestMs, oldestMs] = [10_000, 30_000];

/** What a kubelet measured of its node and its containers. */
export class KubeletUsage {
  #samples: ReadonlyMap<Measured, Sample> = new Map();
  #usages: ReadonlyMap<Measured, MeasuredUsage> = new Map();

  /** Takes the kubelet's `/metrics/resource`, in the Prometheus text format. */
  update(text: string): void {
    const samples = readSamples(text);
    const usages = new Map<Measured, MeasuredUsage>();
    for (const [measured, sample] of samples) {
      const earlier = this.#samples.get(measured);
      const usage =
        earlier?.timeMs === sample.timeMs
          ? this.#usages.get(measured)
          : usageBetween(earlier ?? startOf(sample), sample);
      if (usage !== undefined) usages.set(measured, usage);
    }
    this.#samples = samples;
    this.#usages = usages;
  }

  /** The usage of the node; undefined until it was measured twice, because CPU usage is a rate. */
  get node(): MeasuredUsage | undefined {
    return this.#usages.get(theNode);
  }

  /** The usage of a container; undefined until it was measured. */
  container(namespace: string, pod: string, container: string): MeasuredUsage | undefined {
    return this.#usages.get(`${namespace}/${pod}/${container}`);
  }
}

/** When a container was young enough, its start is a sample. */
function startOf({ timeMs, startMs }: Sample): Sample | undefined {
  if (startMs === undefined || timeMs - startMs < youngestMs || timeMs - startMs > oldestMs) return undefined;
  return { timeMs: startMs, cpuSeconds: 0, memoryBytes: 0, startMs };
}

function usageBetween(earlier: Sample | undefined, later: Sample): MeasuredUsage | undefined {
  // A container that was started again counts from 0.
  if (earlier === undefined || earlier.startMs !== later.startMs || earlier.cpuSeconds > later.cpuSeconds)
    return undefined;
  const windowMs = later.timeMs - earlier.timeMs;
  if (windowMs <= 0) return undefined;
  const nanoCores = Math.round(((later.cpuSeconds - earlier.cpuSeconds) * 1e12) / windowMs);
  return {
    timeMs: later.timeMs,
    windowMs,
    // With the units of metrics-server.
    usage: {
      cpu: Quantity.parse(`${nanoCores}n`),
      memory: Quantity.parse(`${Math.floor(later.memoryBytes / 1_024)}Ki`),
    },
  };
}

const fields: Readonly<Record<string, "cpuSeconds" | "memoryBytes" | "startSeconds">> = {
  container_cpu_usage_seconds_total: "cpuSeconds",
  container_memory_working_set_bytes: "memoryBytes",
  container_start_time_seconds: "startSeconds",
  node_cpu_usage_seconds_total: "cpuSeconds",
  node_memory_working_set_bytes: "memoryBytes",
};

const line = /^([a-z_]+)(?:\{([^}]*)\})? (\S+)(?: (\d+))?$/;

function readSamples(text: string): ReadonlyMap<Measured, Sample> {
  const found = new Map<
    Measured,
    { timeMs?: number; cpuSeconds?: number; memoryBytes?: number; startSeconds?: number }
  >();
  for (const [, metric = "", labels = "", value, time] of text.split("\n").flatMap((one) => [line.exec(one) ?? []])) {
    const field = Object.hasOwn(fields, metric) ? fields[metric] : undefined;
    if (field === undefined) continue;
    const of = (label: string): string => new RegExp(`(?:^|,)${label}="([^"]*)"`).exec(labels)?.[1] ?? "";
    const measured = metric.startsWith("node_") ? theNode : `${of("namespace")}/${of("pod")}/${of("container")}`;
    const sample = found.get(measured) ?? {};
    found.set(measured, sample);
    sample[field] = Number(value);
    if (field === "cpuSeconds" && time !== undefined) sample.timeMs = Number(time);
  }
  const samples = new Map<Measured, Sample>();
  for (const [measured, { timeMs, cpuSeconds, memoryBytes, startSeconds }] of found) {
    if (timeMs === undefined || cpuSeconds === undefined || memoryBytes === undefined) continue;
    const startMs = startSeconds === undefined ? undefined : startSeconds * 1_000;
    const sample = { timeMs, cpuSeconds, memoryBytes, startMs };
    if (!Object.values(sample).some(Number.isNaN)) samples.set(measured, sample);
  }
  return samples;
}
