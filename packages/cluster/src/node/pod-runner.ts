import { deepEqual } from "@kubewright/core/json";
import { parseDuration } from "@kubewright/core/meta";
import { isNotFound, may, type ObjectPatch, type RawController, rawController, watch } from "kubewright";
import { Node, Pod } from "kubewright/k8s/core/v1";
import { deadlineOf, isOver, overdueStatus, stoppedStatus } from "./ended-status.js";
import { isSimulated, nodeAddress } from "./node-object.js";
import { PodAddresses } from "./pod-addresses.js";
import { killingEvents, podEvents } from "./pod-events.js";
import { PodMemory } from "./pod-memory.js";
import { courseOf, PodStage, type PodStageSpec, stageOf } from "./pod-stage.js";
import { podStatus } from "./pod-status.js";
import { podMoment } from "./pod-timeline.js";
import type { ReadPod, ReadPodStatus } from "./read-objects.js";

/**
 * What the kubelets of the simulated nodes do with their pods: make them run and be ready, end or fail, as their stage says, and end them when
 * they are deleted.
 *
 * What a pod is doing is a function of its stage and of the time since that began: nothing is counted, so nothing is lost by a restart.
 */
export function podRunner(): RawController {
  const memory = new PodMemory();
  const addresses = new PodAddresses();
  let hasLooked = false;
  const forget = (pod: ReadPod): void => {
    const forgotten = memory.forget(pod);
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
          return now !== undefined && (old === undefined || !isOwnWrite(memory, old, now));
        },
      }),
      // A node that comes, goes silent or speaks again, and a stage that changes, concern pods that are there.
      watch(Node, {
        to: ({ metadata }, cached) => cached.list(Pod).filter(isOn(metadata.name)).map(metadataOf),
        when: ({ old, new: now }) => isSimulated(old) !== isSimulated(now),
      }),
      watch(PodStage, { to: (_, cached) => cached.list(Pod).filter(isBound).map(metadataOf) }),
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
      if (!hasLooked) for (const other of await list(Pod)) addresses.hold(other);
      hasLooked = true;

      const nowMs = clock.now();
      const stage = stageOf(pod, await list(PodStage));
      const spec = stage?.spec ?? defaultStage(pod);
      const known = memory.of(key, pod, courseOf(stage), nowMs);

      if (pod.metadata.deletionTimestamp !== undefined) {
        if (known.stoppingSinceMs === undefined) {
          for (const { type, reason, note } of killingEvents(pod)) event(Pod, pod, type, reason, note);
          known.stoppingSinceMs = nowMs;
        }
        const latestMs = Math.max(Date.parse(pod.metadata.deletionTimestamp), known.stoppingSinceMs);
        const stopMs = Math.min(known.stoppingSinceMs + parseDuration(spec.stop?.delay ?? "0s"), latestMs);
        if (stopMs > nowMs) return requeueAfter(`${stopMs - nowMs}ms`);
        // Whoever holds the pod by a finalizer reads how it ended; without one it is gone at once.
        if (!isOver(pod) && (pod.metadata.finalizers?.length ?? 0) > 0)
          await patchStatus(Pod, where, asPatch(uid, stoppedStatus(pod, nowMs)));
        return remove(Pod, where, { gracePeriodSeconds: 0, uid });
      }
      if (isOver(pod)) return;

      const moment = podMoment(pod.spec, spec, known.epoch, nowMs);
      const deadlineMs = deadlineOf(pod, known.epoch.atMs);
      const hostIP = nodeAddress(node);
      const place = { hostIP, podIP: pod.spec.hostNetwork === true ? hostIP : addresses.of(pod, node) };
      const next = deadlineMs <= nowMs ? overdueStatus(pod, nowMs) : podStatus(pod, moment, place, nowMs);
      if (!isAlready(pod.status, next)) {
        try {
          known.written = { over: pod.metadata.resourceVersion, status: next };
          await patchStatus(Pod, where, asPatch(uid, next));
        } catch (error) {
          if (!isNotFound(error)) throw error;
          // It went meanwhile.
          forget(pod);
          return;
        }
        for (const { type, reason, note } of podEvents(pod, next)) event(Pod, pod, type, reason, note);
      }
      const changeMs = Math.min(moment.nextMs ?? Number.POSITIVE_INFINITY, deadlineMs);
      if (changeMs > nowMs && changeMs < Number.POSITIVE_INFINITY) return requeueAfter(`${changeMs - nowMs}ms`);
    },
  });
}

const atOnce: PodStageSpec = {};
const completesAtOnce: PodStageSpec = { run: { for: "0s", exitCode: 0 } };

/** What pods do that no stage selects: they are ready at once, and those of a Job have done their work at once. */
function defaultStage({ metadata }: ReadPod): PodStageSpec {
  return metadata.ownerReferences?.some(({ kind, controller }) => kind === "Job" && controller === true) === true
    ? completesAtOnce
    : atOnce;
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

/** Conditions are merged by their type: those of others stay. The uid keeps the patch from another pod of the name. */
function asPatch(uid: string, status: ReadPodStatus): ObjectPatch {
  return { strategic: { metadata: { uid }, status } };
}

/** Whether a change is what the kubelet wrote over the state before it, and nothing else: then there is nothing more to do. */
function isOwnWrite(memory: PodMemory, old: ReadPod, now: ReadPod): boolean {
  const written = memory.writtenOver(old);
  return (
    written !== undefined &&
    old.metadata.generation === now.metadata.generation &&
    old.metadata.deletionTimestamp === now.metadata.deletionTimestamp &&
    deepEqual(old.metadata.labels, now.metadata.labels) &&
    deepEqual(old.metadata.annotations, now.metadata.annotations) &&
    isAlready(now.status, written)
  );
}

/** Whether a status already says all that the next one says. */
function isAlready(status: ReadPodStatus | undefined, next: ReadPodStatus): boolean {
  // First what tells most of them apart.
  if (status === undefined || status.phase !== next.phase) return false;
  for (const wanted of next.conditions ?? []) {
    const there = status.conditions?.find(({ type }) => type === wanted.type);
    if (there?.status !== wanted.status || there.reason !== wanted.reason || there.message !== wanted.message)
      return false;
  }
  const now = status as unknown as Record<string, unknown>;
  for (const [field, value] of Object.entries(next))
    if (field !== "conditions" && !deepEqual(now[field], value)) return false;
  return true;
}
