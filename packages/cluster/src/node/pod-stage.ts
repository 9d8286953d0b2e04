import { type DeepReadonly, stringifyJson } from "@kubewright/core/json";
import { labelSelectorFrom } from "@kubewright/core/selector";
import { defineKind, type ReadMeta, type ReadOf } from "kubewright";
import type { LabelSelector } from "kubewright/k8s/meta/v1";

/** Resource quantities, such as `"250m"` CPU and `"64Mi"` memory. */
export interface UsedResources {
  readonly cpu?: string;
  readonly memory?: string;
}

/** The resource usage of running containers. An omitted resource counts as 0. */
export interface PodUsageSpec extends UsedResources {
  /** Usage of single containers, by name. */
  readonly containers?: Readonly<Record<string, UsedResources>>;
  /** Usage after a container has run for some time. */
  readonly later?: readonly (UsedResources & {
    readonly after: string;
    /** The container that it applies to. @default all */
    readonly container?: string;
  })[];
}

/** The behaviour of the selected Pods on simulated nodes. Durations are strings such as `"3s"`; an omitted step is immediate or never happens. */
export interface PodStageSpec {
  /** Selects Pods by label. @default all Pods */
  readonly selector?: DeepReadonly<LabelSelector>;
  /** The namespaces of the Pods. @default all namespaces */
  readonly namespaces?: readonly string[];
  /** If several PodStages select a Pod, the highest priority wins; ties are broken by name. @default 0 */
  readonly priority?: number;
  /** The fraction of the selected Pods that it applies to, from 0 to 1; the other Pods get the next PodStage that selects them. @default 1 */
  readonly probability?: number;
  /** Image pull. */
  readonly pull?: { readonly delay?: string; readonly fails?: boolean };
  /** The time from the image pull to the start of the containers. */
  readonly start?: { readonly delay?: string };
  /** The time from the start to readiness; with `never`, containers do not become ready. */
  readonly ready?: { readonly delay?: string; readonly never?: boolean };
  /** A period without readiness; `after` counts from when the Pod became ready. */
  readonly unready?: { readonly after?: string; readonly for?: string };
  /** Makes containers terminate. */
  readonly run?: {
    /** How long they run before they terminate. @default "0s" */
    readonly for?: string;
    /** @default 0 */
    readonly exitCode?: number;
    /** @default "Completed", or "Error" if the exit code is not 0 */
    readonly reason?: string;
    /** How many times they terminate before they keep running. @default unlimited */
    readonly times?: number;
    /** The container that terminates. @default all */
    readonly container?: string;
  };
  /** How long containers take to terminate after a deletion, within the grace period. */
  readonly stop?: { readonly delay?: string };
  /** The log lines of each container run, for `kubectl logs`. The last 10,000 lines of a container are kept. */
  readonly logs?: readonly {
    /** The container that logs. @default all */
    readonly container?: string;
    readonly lines: readonly string[];
    /** The delay after the start of the container. @default "0s" */
    readonly after?: string;
    /** The period of repetition while the container runs. @default no repetition */
    readonly every?: string;
  }[];
  /** The resource usage of running containers. While a PodStage defines usage, the cluster serves the metrics API. */
  readonly usage?: PodUsageSpec;
}

/** A PodStage object. */
export interface PodStage {
  readonly apiVersion: "simulation.kubewright.dev/v1";
  readonly kind: "PodStage";
  readonly metadata: ReadMeta;
  readonly spec?: PodStageSpec;
}

/** The kind PodStage: the behaviour of Pods on simulated nodes. */
export const PodStage = /* @__PURE__ */ defineKind<
  "simulation.kubewright.dev/v1/PodStage",
  "Cluster",
  { read: PodStage; write: { spec?: PodStageSpec }; status: never; conditions: never }
>({ group: "simulation.kubewright.dev", version: "v1", kind: "PodStage", plural: "podstages", scope: "Cluster" });

/** A PodStage as the cache returns it. */
export type ReadPodStage = ReadOf<typeof PodStage>;

/** The Pod fields that select a PodStage. */
interface StagedPod {
  readonly metadata: {
    readonly namespace?: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** The PodStage of a Pod; undefined if none selects it. Stable for each Pod, also with `probability`. */
export function stageOf(pod: StagedPod, stages: readonly ReadPodStage[]): ReadPodStage | undefined {
  return [...stages].sort(byPriority).find((stage) => selects(stage, pod));
}

const stageKeys = new WeakMap<ReadPodStage, string>();

/** Identifies the behaviour of a PodStage. When it changes, the PodStage starts again for its Pods. Usage is excluded. */
export function stageKey(stage: ReadPodStage | undefined): string {
  if (stage === undefined) return "";
  const known = stageKeys.get(stage) ?? `${stage.metadata.uid} ${stringifyJson({ ...stage.spec, usage: undefined })}`;
  stageKeys.set(stage, known);
  return known;
}

function byPriority(a: ReadPodStage, b: ReadPodStage): number {
  return (b.spec?.priority ?? 0) - (a.spec?.priority ?? 0) || (a.metadata.name < b.metadata.name ? -1 : 1);
}

function selects({ metadata, spec = {} }: ReadPodStage, pod: StagedPod): boolean {
  const { namespace = "", labels = {}, uid } = pod.metadata;
  if (spec.namespaces !== undefined && !spec.namespaces.includes(namespace)) return false;
  if (spec.selector !== undefined && !labelSelectorFrom(spec.selector).matches(labels)) return false;
  return hashFraction(`${metadata.name} ${uid}`) < (spec.probability ?? 1);
}

/** A deterministic number from 0 up to 1 for a string: FNV-1a with a finalizer, so that similar strings differ in all bits. */
function hashFraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
