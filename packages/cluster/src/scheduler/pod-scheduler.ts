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
  untracked,
  watch,
} from "kubewright";
import { Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { PodDisruptionBudget } from "kubewright/k8s/policy/v1";
import { StorageClass } from "kubewright/k8s/storage/v1";
import { boundByController, selectedNode } from "../volume-binding/index.js";
import { ClusterState } from "./cluster-state.js";
import { type Filter, filtersFor, type Rejection } from "./filters.js";
import { fitErrorMessage } from "./fit-error.js";
import { namedNodes } from "./node-selection.js";
import type { NodeState } from "./node-state.js";
import { PodVolumes, type VolumeObjects } from "./pod-volumes.js";
import { findPreemption, type Preemption, waitingForVictims } from "./preemption.js";
import { priorityOf, type ReadPod } from "./scheduler-objects.js";
import { bestNode } from "./scores.js";

const schedulerName = "default-scheduler";
/** One key for all pending Pods, because they compete for the same resources. */
const allPods = "pods";

const uses = [
  untracked(Namespace),
  untracked(PodDisruptionBudget),
  may(Pod, "bind", "patchStatus", "delete"),
  may(PersistentVolumeClaim, "patch"),
  may(PersistentVolume, "patch"),
] as const;
/** The predicates update `state`: each change passes them in order. */
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
 * Schedules Pods by priority, each on the best node that it fits on. An unschedulable Pod gets a condition with the reason, and is retried once a
 * change could make it schedulable.
 */
export function podScheduler(): RawController {
  const state = new ClusterState();
  /** The state at the last failed attempt, by Pod uid. */
  const triedAt = new Map<string, string>();
  return rawController({
    name: schedulerName,
    fieldManager: "kube-scheduler",
    uses,
    watches: watchesFor(state),
    reconcile: async (context) => {
      const { unscheduled } = state;
      if (unscheduled.length === 0) return triedAt.clear();
      const { pods, snapshot } = await takeSnapshot(context, unscheduled);
      const pending = pods.filter(isPending).sort(byPriority);
      const pendingUids = new Set(pending.map(({ metadata }) => metadata.uid));
      for (const uid of triedAt.keys()) if (!pendingUids.has(uid)) triedAt.delete(uid);
      const pass = new SchedulingPass(context, state, snapshot);
      for (const pod of pending) {
        const { uid } = pod.metadata;
        // The version before the attempt: changes during the status write were not considered.
        const now = `${state.version} ${pass.volumesVersion} ${pod.metadata.generation}`;
        if (triedAt.get(uid) === now) continue;
        const isScheduled = await pass.schedule(pod);
        if (isScheduled) triedAt.delete(uid);
        else triedAt.set(uid, now);
      }
      await pass.end();
    },
  });
}

/** Other objects that affect scheduling. */
interface Snapshot {
  readonly volumes: VolumeObjects;
  readonly volumesVersion: string;
  readonly labelsOf: (namespace: string) => Readonly<Record<string, string>>;
  readonly budgets: readonly Parameters<typeof findPreemption>[0]["budgets"][number][];
}

/** Reads the Pods and other objects at one point in time. The Pods include the scheduler's own writes that the watch has not reported yet. */
async function takeSnapshot(
  { find, list }: Context,
  unscheduled: readonly ReadPod[],
): Promise<{ readonly pods: readonly ReadPod[]; readonly snapshot: Snapshot }> {
  const [namespaces, claims, volumes, classes, budgets, ...pods] = await Promise.all([
    list(Namespace),
    list(PersistentVolumeClaim),
    list(PersistentVolume),
    list(StorageClass),
    list(PodDisruptionBudget),
    ...unscheduled.map(({ metadata: { namespace = "", name } }) => find(Pod, { namespace, name })),
  ]);
  const labels = new Map(namespaces.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
  const claimOf = new Map(claims.map((claim) => [`${claim.metadata.namespace}/${claim.metadata.name}`, claim]));
  const volumeOf = new Map(volumes.map((volume) => [volume.metadata.name, volume]));
  const classOf = new Map(classes.map((one) => [one.metadata.name, one]));
  const newest = [...claims, ...volumes, ...classes].map(({ metadata }) => metadata.resourceVersion);
  const snapshot: Snapshot = {
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
  return { pods: pods.filter((pod) => pod !== undefined), snapshot };
}

/** One pass over all pending Pods. */
class SchedulingPass {
  readonly #context: Context;
  readonly #state: ClusterState;
  readonly #snapshot: Snapshot;
  /** Nominated Pods, which reserve resources until their victims are gone. */
  readonly #reserved: { readonly pod: ReadPod; readonly node: NodeState }[] = [];
  readonly #binding: Promise<void>[] = [];

  constructor(context: Context, state: ClusterState, snapshot: Snapshot) {
    this.#context = context;
    this.#state = state;
    this.#snapshot = snapshot;
  }

  get volumesVersion(): string {
    return this.#snapshot.volumesVersion;
  }

  /** Schedules a Pod or reports why not. Returns whether it was scheduled. */
  async schedule(pod: ReadPod): Promise<boolean> {
    const { nodes } = this.#state;
    const volumes = new PodVolumes(pod, this.#snapshot.volumes);
    if (nodes.length === 0) return this.#handleFailure(pod, "no nodes available to schedule pods", undefined);
    const filters = (): Filter => filtersFor(pod, nodes, this.#snapshot.labelsOf, (node) => volumes.check(node));
    // A PreFilter failure: no node was checked, so preemption cannot help and the message has no preemption part.
    if (volumes.problem !== undefined)
      return this.#handleFailure(pod, `${fitErrorMessage(nodes.length, [], volumes.problem)} not found`, undefined);
    const filter = filters();
    const named = namedNodes(pod);
    const rejections = new Map<NodeState, Rejection>();
    const feasible: NodeState[] = [];
    for (const node of nodes) {
      const isExcluded = named !== undefined && !named.has(node.name);
      const rejection = isExcluded
        ? { reasons: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"], resolvable: false }
        : filter(node);
      if (rejection === undefined) feasible.push(node);
      else rejections.set(node, rejection);
    }
    const nominated = feasible.find(({ name }) => name === pod.status?.nominatedNodeName);
    const best = nominated ?? bestNode(pod, feasible, nodes, this.#snapshot.labelsOf);
    if (best === undefined) {
      const reasons = [...rejections.values()].flatMap((rejection) => rejection.reasons);
      return this.#postFilter(pod, fitErrorMessage(nodes.length, reasons), rejections, filters);
    }
    if (!(await this.#volumesReady(volumes, best))) return false;
    this.#state.assume(pod, best.name);
    this.#binding.push(this.#bind(pod, best.name));
    return true;
  }

  /** Waits for the bindings. */
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
      // The Pod was deleted, or bound by another scheduler. The watch reports it.
      if (isNotFound(error) || isConflict(error)) return;
      throw error;
    }
    const note = `Successfully assigned ${namespace}/${name} to ${node}`;
    this.#context.event(Pod, pod, "Normal", "Scheduled", note, { action: "Binding" });
  }

  /** Binds PVs, or selects the node for dynamic provisioning. Returns whether all volumes are bound already. */
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

  /** PostFilter: tries preemption for a Pod that fits on no node. */
  async #postFilter(
    pod: ReadPod,
    message: string,
    rejections: ReadonlyMap<NodeState, Rejection>,
    filters: () => Filter,
  ): Promise<false> {
    const { nodes } = this.#state;
    const found = findPreemption({ pod, nodes, rejections, filters, budgets: this.#snapshot.budgets });
    // Victims are still terminating, so the condition does not change.
    if (found === waitingForVictims) return false;
    // kube-scheduler tries to deallocate ResourceClaims before preemption. There are none here.
    if (typeof found === "string")
      return this.#handleFailure(pod, `${message} no new claims to deallocate, preemption: ${found}`, undefined);
    await this.#preempt(pod, found);
    const { node } = found;
    this.#reserved.push({ pod, node });
    await this.#handleFailure(pod, message, node.name);
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

  /** Sets the PodScheduled condition and emits an event. `nomination` is the node on which Pods were preempted. */
  async #handleFailure(pod: ReadPod, message: string, nomination: string | undefined): Promise<false> {
    const { namespace = "", name, uid, generation } = pod.metadata;
    const before = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
    const isSame = before?.status === "False" && before.reason === "Unschedulable" && before.message === message;
    this.#context.event(Pod, pod, "Warning", "FailedScheduling", message, { action: "Scheduling" });
    if (isSame && pod.status?.nominatedNodeName === nomination) return false;
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

function isPending({ spec, metadata, status }: ReadPod): boolean {
  return (
    spec?.nodeName === undefined &&
    metadata.deletionTimestamp === undefined &&
    (spec?.schedulerName ?? schedulerName) === schedulerName &&
    (spec?.schedulingGates ?? []).length === 0 &&
    status?.phase !== "Succeeded" &&
    status?.phase !== "Failed"
  );
}

function byPriority(a: ReadPod, b: ReadPod): number {
  return (
    priorityOf(b) - priorityOf(a) ||
    compare(a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? "") ||
    Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether no part of a node changed that affects scheduling. Heartbeats do not. */
function sameNode(old: ChangeView<typeof Node>["old"], now: ChangeView<typeof Node>["new"]): boolean {
  return (
    old !== undefined &&
    now !== undefined &&
    deepEqual(old.spec, now.spec) &&
    deepEqual(old.metadata.labels, now.metadata.labels) &&
    deepEqual(old.status?.allocatable, now.status?.allocatable)
  );
}
