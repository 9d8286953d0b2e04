import { deepEqual } from "@kubewright/core/json";
import { parseDuration } from "@kubewright/core/meta";
import { isNotFound, may, type ObjectPatch, type RawController, rawController, watch } from "kubewright";
import { Node, Pod } from "kubewright/k8s/core/v1";
import { isSimulated, nodeAddress } from "./node-object.js";
import { PodAddresses } from "./pod-addresses.js";
import { killingEvents, podEvents } from "./pod-events.js";
import { PodStage, type PodStageSpec, stageKey, stageOf } from "./pod-stage.js";
import { PodStates } from "./pod-states.js";
import { podStatus } from "./pod-status.js";
import { podSnapshot } from "./pod-timeline.js";
import type { ReadPod, ReadPodStatus } from "./read-objects.js";
import { activeDeadlineMs, deadlineExceededStatus, isTerminal, terminatedStatus } from "./terminated-status.js";

/**
 * The kubelets of the simulated nodes: they run, fail and complete Pods as their PodStage defines, and terminate deleted
 * Pods.
 *
 * The state of a Pod is a function of its PodStage and the time since that started. There are no counters, so a restart loses nothing.
 */
export function podRunner(): RawController {
  const podStates = new PodStates();
  const addresses = new PodAddresses();
  let hasListed = false;
  const forget = (pod: ReadPod): void => {
    const forgotten = podStates.forget(pod);
    if (forgotten !== undefined) addresses.release(forgotten);
  };
  return rawController({
    name: "kubelet",
    workers: 8,
    uses: [may(Pod, "patchStatus", "delete")],
    watches: [
      watch(Pod, {
        to: ({ metadata, spec }) => (spec?.nodeName === undefined ? undefined : metadata),
        when: ({ old, new: now }) => {
          if (old !== undefined && old.metadata.uid !== now?.metadata.uid) forget(old);
          return now !== undefined && (old === undefined || !isOwnWrite(podStates, old, now));
        },
      }),
      // A node that is added, becomes silent or recovers, and a changed PodStage, affect existing Pods.
      watch(Node, {
        reads: [Pod],
        to: ({ metadata }, cached) => cached.list(Pod).filter(isOn(metadata.name)).map(metadataOf),
        when: ({ old, new: now }) => isSimulated(old) !== isSimulated(now),
      }),
      watch(PodStage, { reads: [Pod], to: (_, cached) => cached.list(Pod).filter(isBound).map(metadataOf) }),
    ],
    reconcile: async ({ key, find, list, patchStatus, delete: remove, event, requeueAfter, clock }) => {
      const slash = key.indexOf("/");
      const [namespace, name] = [key.slice(0, slash), key.slice(slash + 1)];
      const where = { namespace, name };
      const pod = await find(Pod, where);
      if (pod?.spec?.nodeName === undefined) return;
      const { uid = "" } = pod.metadata;
      const node = await find(Node, pod.spec.nodeName);
      if (!isSimulated(node)) return;
      if (!hasListed) for (const other of await list(Pod)) addresses.record(other);
      hasListed = true;

      const nowMs = clock.now();
      const stage = stageOf(pod, await list(PodStage));
      const spec = stage?.spec ?? defaultStage(pod);
      const known = podStates.of(key, pod, stageKey(stage), nowMs);

      if (pod.metadata.deletionTimestamp !== undefined) {
        if (known.terminatingSinceMs === undefined) {
          for (const { type, reason, note } of killingEvents(pod)) event(Pod, pod, type, reason, note);
          known.terminatingSinceMs = nowMs;
        }
        const latestMs = Math.max(Date.parse(pod.metadata.deletionTimestamp), known.terminatingSinceMs);
        const stopMs = Math.min(known.terminatingSinceMs + parseDuration(spec.stop?.delay ?? "0s"), latestMs);
        if (stopMs > nowMs) return requeueAfter(`${stopMs - nowMs}ms`);
        // A Pod with finalizers stays visible, so it needs a final status. Others are removed immediately.
        if (!isTerminal(pod) && (pod.metadata.finalizers?.length ?? 0) > 0)
          await patchStatus(Pod, where, asPatch(uid, terminatedStatus(pod, nowMs)));
        return remove(Pod, where, { gracePeriodSeconds: 0, uid });
      }
      if (isTerminal(pod)) return;

      const snapshot = podSnapshot(pod.spec, spec, known.epoch, nowMs);
      const deadlineMs = activeDeadlineMs(pod, known.epoch.atMs);
      const hostIP = nodeAddress(node);
      const ips = { hostIP, podIP: pod.spec.hostNetwork === true ? hostIP : addresses.of(pod, node) };
      const next = deadlineMs <= nowMs ? deadlineExceededStatus(pod, nowMs) : podStatus(pod, snapshot, ips, nowMs);
      if (!isUpToDate(pod.status, next)) {
        try {
          known.written = { base: pod.metadata.resourceVersion, status: next };
          await patchStatus(Pod, where, asPatch(uid, next));
        } catch (error) {
          if (!isNotFound(error)) throw error;
          // The Pod was deleted meanwhile.
          forget(pod);
          return;
        }
        for (const { type, reason, note } of podEvents(pod, next)) event(Pod, pod, type, reason, note);
      }
      const changeMs = Math.min(snapshot.nextMs ?? Number.POSITIVE_INFINITY, deadlineMs);
      if (changeMs > nowMs && changeMs < Number.POSITIVE_INFINITY) return requeueAfter(`${changeMs - nowMs}ms`);
    },
  });
}

const readyImmediately: PodStageSpec = {};
const completesImmediately: PodStageSpec = { run: { for: "0s", exitCode: 0 } };

/** The behaviour of Pods that no PodStage selects: they become ready immediately, and Pods of a Job complete immediately. */
function defaultStage({ metadata }: ReadPod): PodStageSpec {
  return metadata.ownerReferences?.some(({ kind, controller }) => kind === "Job" && controller === true) === true
    ? completesImmediately
    : readyImmediately;
}

function isBound({ spec }: ReadPod): boolean {
  return spec?.nodeName !== undefined;
}

function isOn(node: string): (pod: ReadPod) => boolean {
  return ({ spec }) => spec?.nodeName === node;
}

function metadataOf({ metadata }: ReadPod): ReadPod["metadata"] {
  return metadata;
}

/** Conditions are merged by type, so those of others stay. The uid is a precondition against another Pod of the same name. */
function asPatch(uid: string, status: ReadPodStatus): ObjectPatch<typeof Pod> {
  return { strategic: { metadata: { uid }, status } };
}

/** Whether a change is only the kubelet's own status write, which needs no reconcile. */
function isOwnWrite(podStates: PodStates, old: ReadPod, now: ReadPod): boolean {
  const written = podStates.writtenFor(old);
  return (
    written !== undefined &&
    old.metadata.generation === now.metadata.generation &&
    old.metadata.deletionTimestamp === now.metadata.deletionTimestamp &&
    deepEqual(old.metadata.labels, now.metadata.labels) &&
    deepEqual(old.metadata.annotations, now.metadata.annotations) &&
    isUpToDate(now.status, written)
  );
}

/** Whether a status already contains everything of the next one. */
function isUpToDate(status: ReadPodStatus | undefined, next: ReadPodStatus): boolean {
  // Compares the phase and conditions first, where most changes are.
  if (status === undefined || status.phase !== next.phase) return false;
  for (const condition of next.conditions ?? []) {
    const current = status.conditions?.find(({ type }) => type === condition.type);
    if (
      current?.status !== condition.status ||
      current.reason !== condition.reason ||
      current.message !== condition.message
    )
      return false;
  }
  const now = status as unknown as Record<string, unknown>;
  for (const [field, value] of Object.entries(next))
    if (field !== "conditions" && !deepEqual(now[field], value)) return false;
  return true;
}
