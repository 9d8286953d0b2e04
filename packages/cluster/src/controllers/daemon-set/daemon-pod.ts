import type { ReadOf } from "kubewright";
import type { DaemonSet } from "kubewright/k8s/apps/v1";
import type { PodView, TemplateView } from "../pod/index.js";

/** A DaemonSet from the cache. */
export type DaemonSetView = ReadOf<typeof DaemonSet>;

type Spec = NonNullable<TemplateView["spec"]>;
type Toleration = NonNullable<Spec["tolerations"]>[number];

/** On Pods and ControllerRevisions: the hash of the template. */
export const revisionLabel = "controller-revision-hash";
const generationLabel = "pod-template-generation";
const generationAnnotation = "deprecated.daemonset.template.generation";

/** Taints that all DaemonSet Pods tolerate, by the last part of their key. */
const tolerated: readonly (readonly [taint: string, effect: "NoExecute" | "NoSchedule"])[] = [
  ["not-ready", "NoExecute"],
  ["unreachable", "NoExecute"],
  ["disk-pressure", "NoSchedule"],
  ["memory-pressure", "NoSchedule"],
  ["pid-pressure", "NoSchedule"],
  ["unschedulable", "NoSchedule"],
];

/** The tolerations of a DaemonSet's Pods: those of the template, and those that the controller adds. */
export function daemonTolerations({ tolerations = [], hostNetwork = false }: Spec): readonly Toleration[] {
  const all = hostNetwork ? [...tolerated, ["network-unavailable", "NoSchedule"] as const] : tolerated;
  let result = tolerations;
  for (const [taint, effect] of all) {
    const added: Toleration = { key: `node.kubernetes.io/${taint}`, operator: "Exists", effect };
    const isSame = (one: Toleration) =>
      one.key === added.key && one.effect === effect && one.operator === "Exists" && (one.value ?? "") === "";
    result = result.some(isSame) ? result.map((one) => (isSame(one) ? added : one)) : [...result, added];
  }
  return result;
}

/** The Pod template for one node. */
export function templateFor({ metadata, spec }: DaemonSetView, node: string, hash: string): TemplateView {
  const { template } = spec;
  const pod = template.spec ?? { containers: [] };
  const generation = generationOf(metadata);
  const { nodeAffinity } = pod.affinity ?? {};
  const required = {
    ...nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution,
    nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In" as const, values: [node] }] }],
  };
  return {
    metadata: {
      ...template.metadata,
      labels: {
        ...template.metadata?.labels,
        ...(generation !== undefined && { [generationLabel]: generation }),
        [revisionLabel]: hash,
      },
    },
    spec: {
      ...pod,
      tolerations: daemonTolerations(pod),
      affinity: {
        ...pod.affinity,
        nodeAffinity: { ...nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required },
      },
    },
  };
}

/** Whether a Pod was created from the template with this hash. */
export function isUpdated(pod: PodView, { metadata }: DaemonSetView, hash: string): boolean {
  const { labels = {} } = pod.metadata;
  const generation = generationOf(metadata);
  return labels[revisionLabel] === hash || (generation !== undefined && labels[generationLabel] === generation);
}

/** The node of a Pod, or the target of its node affinity; undefined if it has neither. */
export function nodeOf({ spec }: PodView): string | undefined {
  if (spec?.nodeName !== undefined && spec.nodeName !== "") return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const named = terms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === "metadata.name" && operator === "In");
  return named?.values?.length === 1 ? named.values[0] : undefined;
}

function generationOf({ annotations }: DaemonSetView["metadata"]): string | undefined {
  const text = annotations?.[generationAnnotation] ?? "";
  return /^-?\d{1,19}$/.test(text) ? String(BigInt(text)) : undefined;
}
