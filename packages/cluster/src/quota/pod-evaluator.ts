import type { Quantity } from "@kubewright/core/quantity";
import { type Amounts, addAmounts, amountsFrom, one } from "./amounts.js";
import { meansClass, type ScopeRequirement } from "./scope.js";

interface Resources {
  readonly requests?: Readonly<Record<string, unknown>>;
  readonly limits?: Readonly<Record<string, unknown>>;
}

interface CountedContainer {
  readonly name: string;
  readonly restartPolicy?: string;
  readonly resources?: Resources;
}

interface AffinityTerm {
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: object;
}

interface Affinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly AffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly { readonly podAffinityTerm?: AffinityTerm }[];
}

/** The fields of a Pod that quotas count. */
export interface CountedPod {
  readonly metadata: {
    readonly deletionTimestamp?: string | undefined;
    readonly deletionGracePeriodSeconds?: number | undefined;
  };
  readonly spec?: {
    readonly activeDeadlineSeconds?: number;
    readonly priorityClassName?: string;
    readonly affinity?: { readonly podAffinity?: Affinity; readonly podAntiAffinity?: Affinity };
    readonly containers?: readonly CountedContainer[];
    readonly initContainers?: readonly CountedContainer[];
    readonly overhead?: Readonly<Record<string, unknown>>;
    readonly resources?: Resources;
  };
  readonly status?: { readonly phase?: string; readonly qosClass?: string };
}

const counted: ReadonlySet<string> = new Set([
  "count/pods",
  "pods",
  ...["cpu", "memory", "ephemeral-storage"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

/** Resources that each container must specify where a quota limits them. */
const required: ReadonlySet<string> = new Set(
  ["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

function isExtended(name: string): boolean {
  return name.includes("/") && !name.includes("kubernetes.io/");
}

/** Whether a quota's resource name counts Pods. */
export function tracksPods(name: string): boolean {
  if (counted.has(name) || name.startsWith("hugepages-") || name.startsWith("requests.hugepages-")) return true;
  return name.startsWith("requests.") && (isExtended(name) || name.startsWith("requests.deviceclass.resource."));
}

/** When the grace period of a terminating Pod ends. Quotas count it no longer, although it still exists. */
export function doneCountingMs({ metadata }: Pick<CountedPod, "metadata">): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds: grace } = metadata;
  return deletionTimestamp === undefined || grace === undefined
    ? undefined
    : Date.parse(deletionTimestamp) + grace * 1_000;
}

/** The quota usage of a Pod at `nowMs`. */
export function podUsage(pod: CountedPod, nowMs: number): Amounts {
  const usage = new Map<string, Quantity>([["count/pods", one]]);
  const phase = pod.status?.phase;
  if (phase === "Failed" || phase === "Succeeded") return usage;
  if (nowMs > (doneCountingMs(pod) ?? Number.POSITIVE_INFINITY)) return usage;
  addAmounts(usage, named(amountsOf(pod, "requests"), amountsOf(pod, "limits")));
  return usage;
}

/** Requests and limits under their quota resource names. */
function named(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const result = new Map<string, Quantity>([["pods", one]]);
  for (const [name, amount] of requests) {
    const isPlain =
      name === "cpu" || name === "memory" || name === "ephemeral-storage" || name.startsWith("hugepages-");
    if (isPlain) result.set(name, amount);
    if (isPlain || isExtended(name)) result.set(`requests.${name}`, amount);
  }
  for (const name of ["cpu", "memory", "ephemeral-storage"]) {
    const limit = limits.get(name);
    if (limit !== undefined) result.set(`limits.${name}`, limit);
  }
  return result;
}

/** The requests or limits of a Pod's containers: per resource, the larger of their sum and the largest init container; both include sidecars. */
export function containerAmounts(
  spec: Readonly<Partial<Record<"containers" | "initContainers", readonly Omit<CountedContainer, "name">[]>>>,
  part: "requests" | "limits",
): Map<string, Quantity> {
  const sum = new Map<string, Quantity>();
  for (const { resources } of spec.containers ?? []) addAmounts(sum, amountsFrom(resources?.[part]));
  const sidecars = new Map<string, Quantity>();
  const largest = new Map<string, Quantity>();
  for (const { restartPolicy, resources } of spec.initContainers ?? []) {
    const own = amountsFrom(resources?.[part]);
    const during = new Map(sidecars);
    addAmounts(during, own);
    if (restartPolicy === "Always") addAmounts(sidecars, own);
    keepLargest(largest, during);
  }
  addAmounts(sum, sidecars);
  keepLargest(sum, largest);
  return sum;
}

/** Whether a Pod may specify this resource at pod level (`spec.resources`). */
export function isOfWholePods(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith("hugepages-");
}

function amountsOf({ spec = {} }: CountedPod, part: "requests" | "limits"): Amounts {
  const sum = containerAmounts(spec, part);
  for (const [name, amount] of amountsFrom(spec.resources?.[part])) if (isOfWholePods(name)) sum.set(name, amount);
  for (const [name, amount] of amountsFrom(spec.overhead)) {
    const before = sum.get(name);
    if (part === "requests" || (before !== undefined && before.sign !== 0))
      sum.set(name, before?.add(amount) ?? amount);
  }
  return sum;
}

function keepLargest(into: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const before = into.get(name);
    if (before === undefined || amount.compare(before) > 0) into.set(name, amount);
  }
}

/** kube-apiserver's error for containers without requests or limits that a quota requires; undefined if none is missing. */
export function unsaidOf({ spec = {} }: CountedPod, limited: readonly string[]): string | undefined {
  const { requests = {}, limits = {} } = spec.resources ?? {};
  if (Object.keys(requests).length + Object.keys(limits).length > 0) return undefined;
  const missing = new Map<string, Set<string>>();
  for (const { name, resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    const specified = named(amountsFrom(resources?.requests), amountsFrom(resources?.limits));
    for (const resource of limited) {
      if (!required.has(resource) || specified.has(resource)) continue;
      missing.set(resource, (missing.get(resource) ?? new Set()).add(name));
    }
  }
  if (missing.size === 0) return undefined;
  const parts = [...missing]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, containers]) => `${resource} for: ${[...containers].sort().join(",")}`);
  return `must specify ${parts.join("; ")}`;
}

/** Whether a Pod sets activeDeadlineSeconds. */
export function hasDeadline({ spec }: CountedPod): boolean {
  return (spec?.activeDeadlineSeconds ?? -1) >= 0;
}

/** Whether a Pod matches a scope. */
export function isPodIn(scope: ScopeRequirement, pod: CountedPod): boolean {
  const priorityClass = pod.spec?.priorityClassName ?? "";
  switch (scope.scopeName) {
    case "Terminating":
      return hasDeadline(pod);
    case "NotTerminating":
      return !hasDeadline(pod);
    case "BestEffort":
      return pod.status?.qosClass === "BestEffort";
    case "NotBestEffort":
      return pod.status?.qosClass !== "BestEffort";
    case "PriorityClass":
      return meansClass(scope, priorityClass === "" ? undefined : priorityClass);
    case "CrossNamespacePodAffinity":
      return [pod.spec?.affinity?.podAffinity, pod.spec?.affinity?.podAntiAffinity].some(looksElsewhere);
    default:
      return false;
  }
}

function looksElsewhere(affinity: Affinity | undefined): boolean {
  const terms = [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ];
  return terms.some((term) => (term?.namespaces?.length ?? 0) > 0 || term?.namespaceSelector !== undefined);
}
