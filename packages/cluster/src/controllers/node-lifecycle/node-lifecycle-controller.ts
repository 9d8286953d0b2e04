import { formatTime } from "@kubewright/core/meta";
import { isNotFound, may, type RawController, type ReadOf, rawController, select, watch } from "kubewright";
import { Lease } from "kubewright/k8s/coordination/v1";
import { Node, type NodeCondition, Pod } from "kubewright/k8s/core/v1";
import { wantedTaints } from "./node-taints.js";

type ReadNode = ReadOf<typeof Node>;

const leaseNamespace = "kube-node-lease";
/** How long a node may be silent, and how long one that has never spoken. */
const graceMs = 50_000;
const startGraceMs = 60_000;
const heartbeatTypes = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

/** The last sign of life of a node, and when it was seen. */
interface Sign {
  readonly what: string;
  readonly seenMs: number;
}

/**
 * Taints nodes by their conditions, and finds those that have gone silent: their conditions become unknown, and their pods are not ready any more.
 */
export function nodeLifecycleController(): RawController {
  const signs = new Map<string, Sign>();
  return rawController({
    name: "node-controller",
    fieldManager: "kube-controller-manager",
    uses: [
      select(Pod, { indexes: { node: ({ spec }) => spec?.nodeName } }),
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
      if (node === undefined) return void signs.delete(name);
      const nowMs = clock.now();
      const lease = await find(Lease, { namespace: leaseNamespace, name });
      const what = `${lease?.spec?.renewTime} ${readyOf(node)?.lastHeartbeatTime}`;
      const known = signs.get(name);
      // By when it was seen, not by what it says: clocks of nodes may be wrong.
      const sign = known?.what === what ? known : { what, seenMs: nowMs };
      signs.set(name, sign);
      const isNew = lease === undefined && readyOf(node)?.lastHeartbeatTime === undefined;
      const silentMs = sign.seenMs + (isNew ? startGraceMs : graceMs);
      if (silentMs <= nowMs) {
        const conditions = unknownConditions(node, nowMs);
        if (conditions.length > 0) {
          const wasReady = readyOf(node)?.status === "True";
          node = await patchStatus(Node, name, { strategic: { status: { conditions } } });
          // What was written is no sign of life.
          signs.set(name, {
            what: `${lease?.spec?.renewTime} ${readyOf(node)?.lastHeartbeatTime}`,
            seenMs: sign.seenMs,
          });
          if (wasReady) event(Node, node, "Normal", "NodeNotReady", `Node ${name} status is now: NodeNotReady`);
        }
      }
      const taints = wantedTaints(node, formatTime(nowMs));
      if (taints !== undefined) {
        const { resourceVersion } = node.metadata;
        await patch(Node, name, {
          merge: { metadata: { resourceVersion }, spec: { taints: taints.length === 0 ? null : taints } },
        });
      }
      // A node that says itself that it is not ready says the same of its pods, when that is so.
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
      if (silentMs > nowMs) return requeueAfter(`${silentMs - nowMs}ms`);
    },
  });
}

function readyOf(node: ReadNode): NodeCondition | undefined {
  return node.status?.conditions?.find(({ type }) => type === "Ready");
}

/** The conditions that have to be unknown, and are not yet. */
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
