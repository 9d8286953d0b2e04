import { type Duration, durationMs, formatTime } from "@kubewright/core/meta";
import { isNotFound, may, type RawController, type ReadOf, rawController, select, untracked, watch } from "kubewright";
import { Lease } from "kubewright/k8s/coordination/v1";
import { Node, type NodeCondition, Pod } from "kubewright/k8s/core/v1";
import { isSimulated } from "../../node/index.js";
import { desiredTaints } from "./node-taints.js";

type ReadNode = ReadOf<typeof Node>;

const leaseNamespace = "kube-node-lease";
/** --node-startup-grace-period, for a node that never reported. */
const startupGracePeriodMs = 60_000;
const heartbeatTypes = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

/** The last heartbeat of a node, and when the controller saw it. */
interface Heartbeat {
  readonly value: string;
  readonly seenMs: number;
}

/**
 * The node lifecycle controller: taints nodes by their conditions. When heartbeats stop, it sets node conditions to Unknown and marks the
 * node's Pods not ready.
 */
export function nodeLifecycleController(monitorGracePeriod: Duration = "50s"): RawController {
  const monitorGracePeriodMs = durationMs("nodeMonitorGracePeriod", monitorGracePeriod);
  const heartbeats = new Map<string, Heartbeat>();
  return rawController({
    name: "node-controller",
    fieldManager: "kube-controller-manager",
    uses: [
      untracked(select(Pod, { indexes: { node: ({ spec }) => spec?.nodeName } })),
      may(Node, "patch", "patchStatus"),
      may(Pod, "patchStatus"),
    ],
    watches: [
      watch(Node, { to: ({ metadata }) => metadata.name }),
      watch(Lease, {
        to: ({ metadata }) => (metadata.namespace === leaseNamespace ? { name: metadata.name } : undefined),
      }),
    ],
    reconcile: async ({ key, find, list, patch, patchStatus, event, requeueAfter, clock }) => {
      const name = key.slice(key.indexOf("/") + 1);
      let node = await find(Node, name);
      if (node === undefined) return void heartbeats.delete(name);
      const nowMs = clock.now();
      const lease = await find(Lease, { namespace: leaseNamespace, name });
      const value = `${lease?.spec?.renewTime} ${readyOf(node)?.lastHeartbeatTime}`;
      const known = heartbeats.get(name);
      // Uses the time of observation, not the node's timestamp: node clocks may be wrong.
      const heartbeat = known?.value === value ? known : { value, seenMs: nowMs };
      heartbeats.set(name, heartbeat);
      const isNew = lease === undefined && readyOf(node)?.lastHeartbeatTime === undefined;
      // The kubelet of a simulated node is in this process. It has no deadline, because virtual time skips heartbeats that nothing observes.
      const graceMs = isNew ? startupGracePeriodMs : monitorGracePeriodMs;
      const deadlineMs = isSimulated(node) ? Number.POSITIVE_INFINITY : heartbeat.seenMs + graceMs;
      if (deadlineMs <= nowMs) {
        const conditions = unknownConditions(node, nowMs);
        if (conditions.length > 0) {
          const wasReady = readyOf(node)?.status === "True";
          node = await patchStatus(Node, name, { strategic: { status: { conditions } } });
          // The controller's own write is no heartbeat.
          heartbeats.set(name, {
            value: `${lease?.spec?.renewTime} ${readyOf(node)?.lastHeartbeatTime}`,
            seenMs: heartbeat.seenMs,
          });
          if (wasReady) event(Node, node, "Normal", "NodeNotReady", `Node ${name} status is now: NodeNotReady`);
        }
      }
      const taints = desiredTaints(node, formatTime(nowMs));
      if (taints !== undefined) {
        const { resourceVersion } = node.metadata;
        await patch(Node, name, {
          merge: { metadata: { resourceVersion }, spec: { taints: taints.length === 0 ? null : taints } },
        });
      }
      // Only for Unknown: a kubelet that reports itself not ready also reports the readiness of its Pods.
      if (readyOf(node)?.status === "Unknown") {
        for (const pod of await list(Pod, { index: { node: name } })) {
          const { namespace = "", name: podName, uid } = pod.metadata;
          if (pod.status?.conditions?.find(({ type }) => type === "Ready")?.status !== "True") continue;
          const lastTransitionTime = formatTime(nowMs);
          const conditions = [{ type: "Ready", status: "False", lastTransitionTime }];
          try {
            await patchStatus(
              Pod,
              { namespace, name: podName },
              { strategic: { metadata: { uid }, status: { conditions } } },
            );
            event(Pod, pod, "Warning", "NodeNotReady", "Node is not ready");
          } catch (error) {
            if (!isNotFound(error)) throw error;
          }
        }
      }
      if (deadlineMs > nowMs && deadlineMs < Number.POSITIVE_INFINITY) return requeueAfter(`${deadlineMs - nowMs}ms`);
    },
  });
}

function readyOf(node: ReadNode): NodeCondition | undefined {
  return node.status?.conditions?.find(({ type }) => type === "Ready");
}

/** The conditions to set to Unknown. */
function unknownConditions(node: ReadNode, nowMs: number): NodeCondition[] {
  const now = formatTime(nowMs);
  return heartbeatTypes.flatMap((type) => {
    const before = node.status?.conditions?.find((condition) => condition.type === type);
    if (before?.status === "Unknown") return [];
    const unknown = { type, status: "Unknown", lastTransitionTime: now };
    return before === undefined
      ? [
          {
            ...unknown,
            reason: "NodeStatusNeverUpdated",
            message: "Kubelet never posted node status.",
            lastHeartbeatTime: node.metadata.creationTimestamp,
          },
        ]
      : [{ ...before, ...unknown, reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status." }];
  });
}
