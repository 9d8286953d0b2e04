import { formatMicroTime } from "@kubewright/core/meta";
import { events, isAlreadyExists, may, type RawController, rawController, watch } from "kubewright";
import { Lease } from "kubewright/k8s/coordination/v1";
import { Node } from "kubewright/k8s/core/v1";
import { HeartbeatTimers } from "./heartbeat-timers.js";
import { healthyConditions, isSimulated, type NodeCapacity, nodeObject } from "./node-object.js";
import type { ReadNode } from "./read-objects.js";

const leaseNamespace = "kube-node-lease";
const leaseSeconds = 40;
const renewMs = 10_000;

/**
 * Registers the simulated nodes and renews their Leases, as kubelets do. A node that is not ready becomes ready
 * again.
 */
export function nodeHeartbeat(names: readonly string[], capacity: NodeCapacity): RawController {
  const unregistered = new Set(names);
  const renewedMs = new Map<string, number>();
  const timers = new HeartbeatTimers();
  return rawController({
    name: "node-heartbeat",
    fieldManager: "kubelet",
    keys: names,
    sources: [events((signal) => timers.due(signal))],
    uses: [may(Node, "create", "patchStatus"), may(Lease, "create", "patch")],
    watches: [
      watch(Node, {
        to: ({ metadata }) => metadata.name,
        when: ({ old, new: now }) => isSimulated(old) !== isSimulated(now) || !isReady(now),
      }),
    ],
    reconcile: async ({ key: name, find, create, patch, patchStatus, clock }) => {
      const nowMs = clock.now();
      let node = await find(Node, name);
      if (node === undefined && unregistered.has(name)) {
        node = await create(Node, nodeObject(name, names.indexOf(name), capacity, nowMs));
      }
      // Registers only once: a deleted node returns only after a restart of its kubelet.
      unregistered.delete(name);
      if (!isSimulated(node)) {
        timers.stop(name);
        return void renewedMs.delete(name);
      }
      if (!isReady(node)) {
        const conditions = healthyConditions(nowMs).map((condition) => {
          const before = node.status?.conditions?.find(({ type }) => type === condition.type);
          return before?.status === condition.status
            ? { ...condition, lastTransitionTime: before.lastTransitionTime }
            : condition;
        });
        await patchStatus(Node, name, { strategic: { status: { conditions } } });
      }
      const dueMs = (renewedMs.get(name) ?? Number.NEGATIVE_INFINITY) + renewMs;
      if (dueMs > nowMs) return timers.start(clock, name, dueMs - nowMs);
      const lease = { namespace: leaseNamespace, name };
      const renewTime = formatMicroTime(nowMs);
      if (renewedMs.has(name)) await patch(Lease, lease, { merge: { spec: { renewTime } } });
      else {
        const spec = { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime };
        const ownerReferences = [{ apiVersion: "v1", kind: "Node", name, uid: node.metadata.uid }];
        try {
          await create(Lease, { metadata: { ...lease, ownerReferences }, spec });
        } catch (error) {
          if (!isAlreadyExists(error)) throw error;
          await patch(Lease, lease, { merge: { spec } });
        }
      }
      renewedMs.set(name, nowMs);
      timers.start(clock, name, renewMs);
    },
  });
}

function isReady(node: ReadNode | undefined): boolean {
  return node?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
}
