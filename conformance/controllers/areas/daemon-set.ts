import { daemonSet, image, template } from "../objects.js";
import { area, withOptions } from "../scenario.js";
import {
  become,
  create,
  newPods,
  node,
  patch,
  remove,
  removePods,
  terminatingPodsHang,
  terminatingPodsStop,
  wait,
} from "../step.js";

const agent = "daemonsets/agent";
const two = { nodes: [{ name: "n1" }, { name: "n2" }] };
const three = { nodes: [{ name: "n1" }, { name: "n2" }, { name: "n3" }], anyNode: true };
const unready = { of: "agent", state: "unready" } as const;

function rolling(rollingUpdate: { readonly maxUnavailable?: number | string; readonly maxSurge?: number | string }) {
  return { updateStrategy: { type: "RollingUpdate", rollingUpdate } };
}

/** The DaemonSet controller. */
export const daemonSetArea = area("daemon-set", {
  "a DaemonSet runs a pod on every matching node as nodes and labels change": withOptions(
    { nodes: [{ name: "n1", labels: { disk: "ssd" } }, { name: "n2" }] },
    [
      create(daemonSet("agent", { template: template("agent", { spec: { nodeSelector: { disk: "ssd" } } }) })),
      node("n2", { kind: "patch", patch: { metadata: { labels: { disk: "ssd" } } } }),
      node("n1", { kind: "patch", patch: { metadata: { labels: { disk: "hdd" } } } }),
      node("n3", { kind: "add", labels: { disk: "ssd" } }),
      node("n4", { kind: "add" }),
      patch(agent, { spec: { template: { spec: { nodeSelector: null } } } }),
      node("n2", { kind: "patch", patch: { spec: { unschedulable: true } } }),
      removePods({ of: "agent", node: "n2" }),
      remove(agent),
      create(daemonSet("agent")),
    ],
  ),
  "a DaemonSet avoids nodes whose taints it does not tolerate": withOptions(
    { nodes: [{ name: "n1" }, { name: "n2", taints: [{ key: "special", value: "yes", effect: "NoSchedule" }] }] },
    [
      create(daemonSet("agent")),
      node("n1", { kind: "patch", patch: { spec: { taints: [{ key: "drain", effect: "NoExecute" }] } } }),
      node("n1", { kind: "patch", patch: { spec: { taints: null } } }),
      patch(agent, { spec: { template: { spec: { tolerations: [{ key: "special", operator: "Exists" }] } } } }),
      node("n1", { kind: "patch", patch: { spec: { taints: [{ key: "other", effect: "NoSchedule" }] } } }),
      removePods({ of: "agent", node: "n1" }),
      node("n1", {
        kind: "patch",
        patch: { spec: { taints: [{ key: "node.kubernetes.io/disk-pressure", effect: "NoSchedule" }] } },
      }),
      node("n3", { kind: "add" }),
      node("n3", { kind: "patch", patch: { spec: { taints: [{ key: "soft", effect: "PreferNoSchedule" }] } } }),
      remove(agent),
    ],
  ),
  "a DaemonSet rolls out one node at a time": withOptions(three, [
    create(daemonSet("agent")),
    newPods("running"),
    patch(agent, image("app:2")),
    become(unready, "ready"),
    become(unready, "ready"),
    become(unready, "ready"),
    patch(agent, rollingPatch(2)),
    patch(agent, image("app:3")),
    become({ ...unready, oldest: 1 }, "ready"),
    become(unready, "ready"),
    patch(agent, image("app:2")),
    become(unready, "ready"),
    become(unready, "ready"),
  ]),
  "a DaemonSet with maxSurge deletes an old pod when the new one is ready": withOptions(
    { ...three, nodes: [{ name: "n1" }, { name: "n2" }] },
    [
      create(daemonSet("agent", rolling({ maxSurge: 1, maxUnavailable: 0 }))),
      newPods("running"),
      patch(agent, image("app:2")),
      become(unready, "ready"),
      become(unready, "ready"),
      patch(agent, { spec: rolling({ maxSurge: "100%", maxUnavailable: 0 }) }),
      patch(agent, image("app:3")),
      become({ ...unready, oldest: 1 }, "ready"),
      become(unready, "ready"),
      patch(agent, image("app:1")),
    ],
  ),
  "a DaemonSet with OnDelete waits until its pods are deleted": withOptions(two, [
    create(daemonSet("agent", { updateStrategy: { type: "OnDelete" } })),
    patch(agent, image("app:2")),
    removePods({ of: "agent", node: "n1" }),
    terminatingPodsHang,
    removePods({ of: "agent", node: "n2" }),
    terminatingPodsStop,
    patch(agent, image("app:1")),
    patch(agent, { spec: { updateStrategy: { type: "RollingUpdate" } } }),
    node("n3", { kind: "add" }),
    patch(agent, { spec: { template: { metadata: { labels: { extra: "x" } } } } }),
  ]),
  "a DaemonSet replaces pods that have failed": withOptions(two, [
    create(daemonSet("agent", { minReadySeconds: 20 })),
    wait(21),
    become({ of: "agent", node: "n1" }, "exit 1"),
    wait(25),
    become({ of: "agent", node: "n2" }, "running"),
    become({ of: "agent", node: "n2" }, "ready"),
    patch(agent, { spec: { minReadySeconds: 0 } }),
    remove(agent, { propagationPolicy: "Foreground" }),
    create(daemonSet("agent")),
    become({ of: "agent", node: "n1" }, "crashing"),
  ]),
  "a DaemonSet keeps revisions up to its history limit and adopts matching pods": withOptions(
    { nodes: [{ name: "n1" }] },
    [
      create(daemonSet("agent", { revisionHistoryLimit: 1 })),
      patch(agent, image("app:2")),
      patch(agent, image("app:3")),
      patch(agent, image("app:2")),
      patch(agent, { spec: { template: { metadata: { annotations: { note: "x" } } } } }),
      remove(agent, { propagationPolicy: "Orphan" }),
      create(daemonSet("agent")),
      node("n1", { kind: "remove" }),
      node("n2", { kind: "add" }),
      patch(agent, image("app:4")),
    ],
  ),
});

function rollingPatch(maxUnavailable: number) {
  return { spec: { updateStrategy: { rollingUpdate: { maxUnavailable } } } };
}
