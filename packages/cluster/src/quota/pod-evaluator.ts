import type { Quantity } from "@kubewright/core/quantity";
import { addResources, one, parseResourceList, type ResourceList } from "./resource-list.js";
import { classMatches, type ScopeRequirement } from "./scope.js";

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

/** When quotas stop counting a terminating Pod that still exists: one grace period after its deletionTimestamp. */
export function countedUntilMs({ metadata }: Pick<CountedPod, "metadata">): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds: grace } = metadata;
  return deletionTimestamp === undefined || grace === undefined
    ? undefined
    : Date.parse(deletionTimestamp) + Number(grace) * 1_000;
}

/** The quota usage of a Pod at `nowMs`. */
export function podUsage(pod: CountedPod, nowMs: number): ResourceList {
  const usage = new Map<string, Quantity>([["count/pods", one]]);
  const phase = pod.status?.phase;
  if (phase === "Failed" || phase === "Succeeded") return usage;
  if (nowMs > (countedUntilMs(pod) ?? Number.POSITIVE_INFINITY)) return usage;
  addResources(usage, named(podResources(pod, "requests"), podResources(pod, "limits")));
  return usage;
}

/** Requests and limits under their quota resource names. */
function named(requests: ResourceList, limits: ResourceList): Map<string, Quantity> {
  const result = new Map<string, Quantity>([["pods", one]]);
  for (const [name, quantity] of requests) {
    const isPlain =
      name === "cpu" || name === "memory" || name === "ephemeral-storage" || name.startsWith("hugepages-");
    if (isPlain) result.set(name, quantity);
    if (isPlain || isExtended(name)) result.set(`requests.${name}`, quantity);
  }
  for (const name of ["cpu", "memory", "ephemeral-storage"]) {
    const limit = limits.get(name);
    if (limit !== undefined) result.set(`limits.${name}`, limit);
  }
  return result;
}

/** The requests or limits of a Pod's containers: per resource, the larger of their sum and the largest init container; both include sidecars. */
export function containerResources(
  spec: Readonly<Partial<Record<"containers" | "initContainers", readonly Omit<CountedContainer, "name">[]>>>,
  part: "requests" | "limits",
): Map<string, Quantity> {
  const sum = new Map<string, Quantity>();
  for (const { resources } of spec.containers ?? []) addResources(sum, parseResourceList(resources?.[part]));
  const sidecars = new Map<string, Quantity>();
  const largest = new Map<string, Quantity>();
  for (const { restartPolicy, resources } of spec.initContainers ?? []) {
    const own = parseResourceList(resources?.[part]);
    const during = new Map(sidecars);
    addResources(during, own);
    if (restartPolicy === "Always") addResources(sidecars, own);
    keepLargest(largest, during);
  }
  addResources(sum, sidecars);
  keepLargest(sum, largest);
  return sum;
}

/** Whether a Pod may specify this resource at pod level (`spec.resources`). */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith("hugepages-");
}

function podResources({ spec = {} }: CountedPod, part: "requests" | "limits"): ResourceList {
  const sum = containerResources(spec, part);
  for (const [name, quantity] of parseResourceList(spec.resources?.[part]))
    if (isPodLevelResource(name)) sum.set(name, quantity);
  for (const [name, quantity] of parseResourceList(spec.overhead)) {
    const before = sum.get(name);
    if (part === "requests" || (before !== undefined && before.sign !== 0))
      sum.set(name, before?.add(quantity) ?? quantity);
  }
  return sum;
}

function keepLargest(into: Map<string, Quantity>, resources: ResourceList): void {
  for (const [name, quantity] of resources) {
    const before = into.get(name);
    if (before === undefined || quantity.compare(before) > 0) into.set(name, quantity);
  }
}

/** kube-apiserver's error for containers without requests or limits that a quota requires; undefined if none is missing. */
export function missingResources({ spec = {} }: CountedPod, limited: readonly string[]): string | undefined {
  const { requests = {}, limits = {} } = spec.resources ?? {};
  if (Object.keys(requests).length + Object.keys(limits).length > 0) return undefined;
  const missing = new Map<string, Set<string>>();
  for (const { name, resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    const specified = named(parseResourceList(resources?.requests), parseResourceList(resources?.limits));
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
export function podMatchesScope(scope: ScopeRequirement, pod: CountedPod): boolean {
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
      return classMatches(scope, priorityClass === "" ? undefined : priorityClass);
    case "CrossNamespacePodAffinity":
      return [pod.spec?.affinity?.podAffinity, pod.spec?.affinity?.podAntiAffinity].some(isCrossNamespace);
    default:
      return false;
  }
}

function isCrossNamespace(affinity: Affinity | undefined): boolean {
  const terms = [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ];
  return terms.some((term) => (term?.namespaces?.length ?? 0) > 0 || term?.namespaceSelector !== undefined);
}
