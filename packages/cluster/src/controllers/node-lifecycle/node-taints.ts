import type { ReadOf } from "kubewright";
import type { Node } from "kubewright/k8s/core/v1";

type ReadNode = ReadOf<typeof Node>;
export type ReadTaint = NonNullable<NonNullable<ReadNode["spec"]>["taints"]>[number];

const prefix = "node.kubernetes.io/";
const notReady = `${prefix}not-ready`;
const unreachable = `${prefix}unreachable`;
const unschedulable = `${prefix}unschedulable`;

/** The taints by condition type and status. */
const byCondition: Readonly<Record<string, string>> = {
  "Ready False": notReady,
  "Ready Unknown": unreachable,
  "MemoryPressure True": `${prefix}memory-pressure`,
  "DiskPressure True": `${prefix}disk-pressure`,
  "NetworkUnavailable True": `${prefix}network-unavailable`,
  "PIDPressure True": `${prefix}pid-pressure`,
};
const managedKeys: ReadonlySet<string> = new Set([...Object.values(byCondition), unschedulable]);

/** The desired taints of a node; undefined if it has them already. Taints of others stay. */
export function desiredTaints({ spec, status }: ReadNode, now: string): readonly ReadTaint[] | undefined {
  const taints = spec?.taints ?? [];
  const conditions = status?.conditions ?? [];
  const keys = conditions.flatMap(({ type, status: is }) => byCondition[`${type} ${is}`] ?? []);
  if (spec?.unschedulable === true) keys.push(unschedulable);
  const ready = conditions.find(({ type }) => type === "Ready")?.status;
  const noExecuteKey = ready === "False" ? notReady : ready === "Unknown" ? unreachable : undefined;
  const isKept = ({ key, effect }: ReadTaint): boolean => {
    if (effect === "NoSchedule" && managedKeys.has(key)) return keys.includes(key);
    if (effect === "NoExecute" && (key === notReady || key === unreachable)) return key === noExecuteKey;
    return true;
  };
  const kept = taints.filter(isKept);
  const has = (key: string, effect: string): boolean =>
    kept.some((taint) => taint.key === key && taint.effect === effect);
  const added: ReadTaint[] = keys
    .filter((key) => !has(key, "NoSchedule"))
    .map((key) => ({ key, effect: "NoSchedule", timeAdded: now }));
  if (noExecuteKey !== undefined && !has(noExecuteKey, "NoExecute"))
    added.push({ key: noExecuteKey, effect: "NoExecute", timeAdded: now });
  return added.length === 0 && kept.length === taints.length ? undefined : [...kept, ...added];
}
