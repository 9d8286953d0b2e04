import { deepEqual } from "@kubewright/core/json";
import { formatTime } from "@kubewright/core/meta";
import {
  type ChangeView,
  isConflict,
  isNotFound,
  may,
  type RawContext,
  type RawController,
  rawController,
  watch,
} from "kubewright";
import { Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { PodDisruptionBudget } from "kubewright/k8s/policy/v1";
import { StorageClass } from "kubewright/k8s/storage/v1";
import { boundByController, selectedNode } from "../claims/index.js";
import { ClusterState } from "./cluster-state.js";
import { type Filter, filtersFor, type Refusal } from "./filters.js";
import { fitMessage } from "./fit-message.js";
import { namedNodes } from "./node-selection.js";
import type { NodeState } from "./node-state.js";
import { PodVolumes, type VolumeObjects } from "./pod-volumes.js";
import { findPreemption, type Preemption, waitingForVictims } from "./preemption.js";
import { priorityOf, type ReadPod } from "./scheduler-objects.js";
import { bestNode } from "./scores.js";

const schedulerName = "default-scheduler";
/** All pods that wait are looked at in one run: they compete for the same room. */
const allPods = "pods";

const uses = [
  Namespace,
  PodDisruptionBudget,
  may(Pod, "bind", "patchStatus", "delete"),
  may(PersistentVolumeClaim, "patch"),
  may(PersistentVolume, "patch"),
] as const;
/** `state` follows the changes: a predicate is asked of each, in their order. */
const watchesFor = (state: ClusterState) =>
  [
    watch(Pod, { to: () => allPods, when: ({ old, new: now }) => state.podChanged(old, now) }),
    watch(Node, {
      to: () => allPods,
      when: ({ old, new: now }) => {
        if (sameNode(old, now)) return false;
        state.nodeChanged(old, now);
        return true;
      },
    }),
    watch(PersistentVolumeClaim, { to: () => allPods }),
    watch(PersistentVolume, { to: () => allPods }),
    watch(StorageClass, { to: () => allPods }),
  ] as const;
type Context = RawContext<typeof uses, ReturnType<typeof watchesFor>>;

/**
 * Gives pods their nodes: the most important first, each to the best of the nodes that it fits on. A pod that fits nowhere says why, and is looked at
 * again when something has changed that could let it fit.
 */
export function podScheduler(): RawController {
  const state = new ClusterState();
  /** What there was when a pod last fitted nowhere. */
  const triedAt = new Map<string, string>();
  return rawController({
    name: schedulerName,
    fieldManager: "kube-scheduler",
    uses,
    watches: watchesFor(state),
    reconcile: async (context) => {
      const { homeless } = state;
      if (homeless.length === 0) return triedAt.clear();
      const { pods, around } = await lookAround(context, homeless);
      const waiting = pods.filter(isWaiting).sort(byImportance);
      const there = new Set(waiting.map(({ metadata }) => metadata.uid));
      for (const uid of triedAt.keys()) if (!there.has(uid)) triedAt.delete(uid);
      const round = new Round(context, state, around);
      for (const pod of waiting) {
        const { uid } = pod.metadata;
        // As it is before: what changes while a refusal is written was not looked at.
        const now = `${state.version} ${round.volumesVersion} ${pod.metadata.generation}`;
        if (triedAt.get(uid) === now) continue;
        const isPlaced = await round.place(pod);
        if (isPlaced) triedAt.delete(uid);
        else triedAt.set(uid, now);
      }
      await round.end();
    },
  });
}

/** What else counts for where pods can be. */
interface Surroundings {
  readonly volumes: VolumeObjects;
  readonly volumesVersion: string;
  readonly labelsOf: (namespace: string) => Readonly<Record<string, string>>;
  readonly budgets: readonly Parameters<typeof findPreemption>[0]["budgets"][number][];
}

/** The pods as the scheduler itself last left them, of which the watch may not have told yet, and what is around them: at one moment, and soon. */
async function lookAround(
  { find, list }: Context,
  homeless: readonly ReadPod[],
): Promise<{ readonly pods: readonly ReadPod[]; readonly around: Surroundings }> {
  const [namespaces, claims, volumes, classes, budgets, ...pods] = await Promise.all([
    list(Namespace),
    list(PersistentVolumeClaim),
    list(PersistentVolume),
    list(StorageClass),
    list(PodDisruptionBudget),
    ...homeless.map(({ metadata: { namespace = "", name } }) => find(Pod, { namespace, name })),
  ]);
  const labels = new Map(namespaces.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
  const claimOf = new Map(claims.map((claim) => [`${claim.metadata.namespace}/${claim.metadata.name}`, claim]));
  const volumeOf = new Map(volumes.map((volume) => [volume.metadata.name, volume]));
  const classOf = new Map(classes.map((one) => [one.metadata.name, one]));
  const newest = [...claims, ...volumes, ...classes].map(({ metadata }) => metadata.resourceVersion);
  const around: Surroundings = {
    volumes: {
      claim: (namespace, name) => claimOf.get(`${namespace}/${name}`),
      volume: (name) => volumeOf.get(name),
      volumes,
      storageClass: (name) => classOf.get(name),
    },
    volumesVersion: newest.join(),
    labelsOf: (namespace) => labels.get(namespace) ?? {},
    budgets,
  };
  return { pods: pods.filter((pod) => pod !== undefined), around };
}

/** One look at all pods that wait. */
class Round {
  readonly #context: Context;
  readonly #state: ClusterState;
  readonly #around: Surroundings;
  /** Room that is kept for pods that wait for others to go. */
  readonly #reserved: { readonly pod: ReadPod; readonly node: NodeState }[] = [];
  readonly #binding: Promise<void>[] = [];

  constructor(context: Context, state: ClusterState, around: Surroundings) {
    this.#context = context;
    this.#state = state;
    this.#around = around;
  }

  get volumesVersion(): string {
    return this.#around.volumesVersion;
  }

  /** Gives a pod a node, or says why not. Whether it got one. */
  async place(pod: ReadPod): Promise<boolean> {
    const { nodes } = this.#state;
    const volumes = new PodVolumes(pod, this.#around.volumes);
    if (nodes.length === 0) return this.#failed(pod, "no nodes available to schedule pods", undefined);
    const filters = (): Filter => filtersFor(pod, nodes, this.#around.labelsOf, (node) => volumes.check(node));
    // No node was asked: then there is nothing that others could make room for, which a scheduler says so.
    if (volumes.problem !== undefined)
      return this.#failed(pod, `${fitMessage(nodes.length, [], volumes.problem)} not found`, undefined);
    const filter = filters();
    const named = namedNodes(pod);
    const refusals = new Map<NodeState, Refusal>();
    const fitting: NodeState[] = [];
    for (const node of nodes) {
      const isOut = named !== undefined && !named.has(node.name);
      const refusal = isOut
        ? { reasons: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"], resolvable: false }
        : filter(node);
      if (refusal === undefined) fitting.push(node);
      else refusals.set(node, refusal);
    }
    const nominated = fitting.find(({ name }) => name === pod.status?.nominatedNodeName);
    const best = nominated ?? bestNode(pod, fitting, nodes, this.#around.labelsOf);
    if (best === undefined) {
      const reasons = [...refusals.values()].flatMap((refusal) => refusal.reasons);
      return this.#refused(pod, fitMessage(nodes.length, reasons), refusals, filters);
    }
    if (!(await this.#volumesReady(volumes, best))) return false;
    this.#state.assume(pod, best.name);
    this.#binding.push(this.#bind(pod, best.name));
    return true;
  }

  /** Waits for what was decided to be written. */
  async end(): Promise<void> {
    for (const { pod, node } of this.#reserved) node.remove(pod.metadata.uid);
    await Promise.all(this.#binding);
  }

  async #bind(pod: ReadPod, node: string): Promise<void> {
    const { namespace = "", name } = pod.metadata;
    try {
      await this.#context.bind(Pod, { namespace, name }, node);
    } catch (error) {
      this.#state.forget(pod);
      // It went, or somebody else gave it a node: a change will tell.
      if (isNotFound(error) || isConflict(error)) return;
      throw error;
    }
    const note = `Successfully assigned ${namespace}/${name} to ${node}`;
    this.#context.event(Pod, pod, "Normal", "Scheduled", note, { action: "Binding" });
  }

  /** Binds volumes, or asks for them on the node. Whether all are there already. */
  async #volumesReady(volumes: PodVolumes, node: NodeState): Promise<boolean> {
    const { bind = [], provision = [] } = volumes.plan(node) ?? {};
    for (const { claim, volume } of bind) {
      const { namespace, name, uid, resourceVersion } = claim.metadata;
      const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid, resourceVersion };
      const annotations = { [boundByController]: "yes" };
      if (volume.spec?.claimRef?.uid !== uid)
        await this.#context.patch(PersistentVolume, volume.metadata.name, {
          merge: { metadata: { annotations }, spec: { claimRef } },
        });
    }
    for (const { metadata } of provision)
      if (metadata.annotations?.[selectedNode] === undefined) {
        const merge = { metadata: { annotations: { [selectedNode]: node.name } } };
        await this.#context.patch(
          PersistentVolumeClaim,
          { namespace: metadata.namespace ?? "", name: metadata.name },
          { merge },
        );
      }
    return bind.length + provision.length === 0;
  }

  /** Nothing fits: others may have to go. */
  async #refused(
    pod: ReadPod,
    message: string,
    refusals: ReadonlyMap<NodeState, Refusal>,
    filters: () => Filter,
  ): Promise<false> {
    const { nodes } = this.#state;
    const found = findPreemption({ pod, nodes, refusals, filters, budgets: this.#around.budgets });
    // Others are on their way out for it: what it says stays true until they have gone.
    if (found === waitingForVictims) return false;
    // Claims of devices, which are none here, are asked before pods of lower priority.
    if (typeof found === "string")
      return this.#failed(pod, `${message} no new claims to deallocate, preemption: ${found}`, undefined);
    await this.#preempt(pod, found);
    const { node } = found;
    this.#reserved.push({ pod, node });
    await this.#failed(pod, message, node.name);
    node.put(pod);
    return false;
  }

  async #preempt(pod: ReadPod, { node, victims }: Preemption): Promise<void> {
    for (const victim of victims) {
      const { namespace = "", name, uid, deletionTimestamp } = victim.metadata;
      if (deletionTimestamp !== undefined) continue;
      const condition = {
        type: "DisruptionTarget",
        status: "True",
        reason: "PreemptionByScheduler",
        message: `${schedulerName}: preempting to accommodate a higher priority pod`,
        observedGeneration: victim.metadata.generation,
        lastTransitionTime: formatTime(this.#context.clock.now()),
      };
      const where = { namespace, name };
      const note = `Preempted by pod ${pod.metadata.uid} on node ${node.name}`;
      try {
        await this.#context.patchStatus(Pod, where, {
          strategic: { metadata: { uid }, status: { conditions: [condition] } },
        });
        await this.#context.delete(Pod, where, { uid });
        this.#context.event(Pod, victim, "Normal", "Preempted", note, { action: "Preempting" });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  }

  /** Says on the pod why it has no node. `nomination` is where it will be once others have gone. */
  async #failed(pod: ReadPod, message: string, nomination: string | undefined): Promise<false> {
    const { namespace = "", name, uid, generation } = pod.metadata;
    const before = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
    const isSaid = before?.status === "False" && before.reason === "Unschedulable" && before.message === message;
    this.#context.event(Pod, pod, "Warning", "FailedScheduling", message, { action: "Scheduling" });
    if (isSaid && pod.status?.nominatedNodeName === nomination) return false;
    const condition = {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message,
      observedGeneration: generation,
      lastTransitionTime:
        before?.status === "False" ? before.lastTransitionTime : formatTime(this.#context.clock.now()),
    };
    const status = { conditions: [condition], nominatedNodeName: nomination ?? null };
    try {
      await this.#context.patchStatus(Pod, { namespace, name }, { strategic: { metadata: { uid }, status } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return false;
  }
}

function isWaiting({ spec, metadata, status }: ReadPod): boolean {
  return (
    spec?.nodeName === undefined &&
    metadata.deletionTimestamp === undefined &&
    (spec?.schedulerName ?? schedulerName) === schedulerName &&
    (spec?.schedulingGates ?? []).length === 0 &&
    status?.phase !== "Succeeded" &&
    status?.phase !== "Failed"
  );
}

function byImportance(a: ReadPod, b: ReadPod): number {
  return (
    priorityOf(b) - priorityOf(a) ||
    compare(a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? "") ||
    Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether nothing of a node changed that a scheduler looks at: heartbeats are no news. */
function sameNode(old: ChangeView<typeof Node>["old"], now: ChangeView<typeof Node>["new"]): boolean {
  return (
    old !== undefined &&
    now !== undefined &&
    deepEqual(old.spec, now.spec) &&
    deepEqual(old.metadata.labels, now.metadata.labels) &&
    deepEqual(old.status?.allocatable, now.status?.allocatable)
  );
}
