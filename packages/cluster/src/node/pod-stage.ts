import type { DeepReadonly } from "@kubewright/core/json";
import { labelSelectorFrom } from "@kubewright/core/selector";
import { defineKind, type ReadMeta, type ReadOf } from "kubewright";
import type { LabelSelector } from "kubewright/k8s/meta/v1";

/** Amounts of resources, such as `"250m"` of CPU and `"64Mi"` of memory. */
export interface UsedResources {
  readonly cpu?: string;
  readonly memory?: string;
}

/** What containers use while they run. What is left out is nothing. */
export interface PodUsageSpec extends UsedResources {
  /** Containers that use something else than the others, by their names. */
  readonly containers?: Readonly<Record<string, UsedResources>>;
  /** What changes when a container has run for a while. */
  readonly later?: readonly (UsedResources & {
    readonly after: string;
    /** The only one that it is for. @default all of them */
    readonly container?: string;
  })[];
}

/** How the pods that it selects go through life on simulated nodes. Times are such as `"3s"`; what is left out happens at once, or never. */
export interface PodStageSpec {
  /** Which pods, by their labels; all where it is left out. */
  readonly selector?: DeepReadonly<LabelSelector>;
  /** The namespaces of the pods; all where it is left out. */
  readonly namespaces?: readonly string[];
  /** Of several stages that select a pod the highest counts; of equal ones the first by name. @default 0 */
  readonly priority?: number;
  /** The share of the selected pods that it is for, from 0 to 1; the others go on to the next stage that selects them. @default 1 */
  readonly probability?: number;
  /** How images are pulled. */
  readonly pull?: { readonly delay?: string; readonly fails?: boolean };
  /** How long containers take to start, once their images are there. */
  readonly start?: { readonly delay?: string };
  /** How long containers take to be ready, once they run; `never` keeps them from it. */
  readonly ready?: { readonly delay?: string; readonly never?: boolean };
  /** A time during which the pod is not ready, counted from when it was. */
  readonly unready?: { readonly after?: string; readonly for?: string };
  /** Containers that end by themselves. */
  readonly run?: {
    /** How long they run. @default "0s" */
    readonly for?: string;
    /** @default 0 */
    readonly exitCode?: number;
    /** @default "Completed", or "Error" where the exit code is not 0 */
    readonly reason?: string;
    /** How many times they end before they stay. @default for ever */
    readonly times?: number;
    /** The only one that ends. @default all of them */
    readonly container?: string;
  };
  /** How long containers take to end when they are asked to. */
  readonly stop?: { readonly delay?: string };
  /** What containers write, in each of their runs anew: `kubectl logs` shows it. The last 10,000 lines of a container are kept. */
  readonly logs?: readonly {
    /** The container that writes. @default every one */
    readonly container?: string;
    readonly lines: readonly string[];
    /** When, counted from the start of the container. @default "0s" */
    readonly after?: string;
    /** How often they come again while it runs. @default once only */
    readonly every?: string;
  }[];
  /** What each container uses while it runs. Where a stage says so, the cluster serves metrics of pods and nodes. */
  readonly usage?: PodUsageSpec;
}

/** A stage as an object of the cluster. */
export interface PodStage {
  readonly apiVersion: "simulation.kubewright.dev/v1";
  readonly kind: "PodStage";
  readonly metadata: ReadMeta;
  readonly spec?: PodStageSpec;
}

/** The kind PodStage: what pods on simulated nodes do. */
export const PodStage = /* @__PURE__ */ defineKind<
  "simulation.kubewright.dev/v1/PodStage",
  "Cluster",
  { read: PodStage; write: { spec?: PodStageSpec }; status: never; conditions: never }
>({ group: "simulation.kubewright.dev", version: "v1", kind: "PodStage", plural: "podstages", scope: "Cluster" });

/** A stage as caches give it. */
export type ReadPodStage = ReadOf<typeof PodStage>;

/** What a stage is chosen by. */
interface StagedPod {
  readonly metadata: {
    readonly namespace?: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** The stage that a pod is in; undefined where none selects it. The same for one pod each time, also where chance decides. */
export function stageOf(pod: StagedPod, stages: readonly ReadPodStage[]): ReadPodStage | undefined {
  return [...stages].sort(byPriority).find((stage) => selects(stage, pod));
}

const courses = new WeakMap<ReadPodStage, string>();

/** What a stage makes pods go through, as a text: one that differs begins anew for its pods. What they use meanwhile is no part of it. */
export function courseOf(stage: ReadPodStage | undefined): string {
  if (stage === undefined) return "";
  const known = courses.get(stage) ?? `${stage.metadata.uid} ${JSON.stringify({ ...stage.spec, usage: undefined })}`;
  courses.set(stage, known);
  return known;
}

function byPriority(a: ReadPodStage, b: ReadPodStage): number {
  return (b.spec?.priority ?? 0) - (a.spec?.priority ?? 0) || (a.metadata.name < b.metadata.name ? -1 : 1);
}

function selects({ metadata, spec = {} }: ReadPodStage, pod: StagedPod): boolean {
  const { namespace = "", labels = {}, uid } = pod.metadata;
  if (spec.namespaces !== undefined && !spec.namespaces.includes(namespace)) return false;
  if (spec.selector !== undefined && !labelSelectorFrom(spec.selector).matches(labels)) return false;
  return share(`${metadata.name} ${uid}`) < (spec.probability ?? 1);
}

/** A number from 0 up to 1 that a text always gives: FNV-1a, stirred so that texts that differ at their end differ in all bits. */
function share(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
