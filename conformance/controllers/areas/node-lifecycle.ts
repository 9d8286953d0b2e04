import type { JsonObject } from "@kubewright/core/json";
import { daemonSet, pod, requesting, template } from "../objects.js";
import { area, withOptions } from "../scenario.js";
import {
  create,
  heartbeats,
  node,
  patch,
  patchPods,
  remove,
  terminatingPodsHang,
  terminatingPodsStop,
  together,
  wait,
} from "../step.js";

const nodes = [{ name: "n1" }, { name: "n2" }, { name: "n3" }];
const onHost = (name: string) => ({ nodeSelector: { "kubernetes.io/hostname": name } });
const onN1 = onHost("n1");

/** The controller checks nodes every 5 s. */
const look = 8;

function tolerating(what: string, tolerationSeconds?: number): JsonObject {
  const toleration = { key: `node.kubernetes.io/${what}`, operator: "Exists", effect: "NoExecute" };
  return { tolerations: [{ ...toleration, ...(tolerationSeconds !== undefined && { tolerationSeconds }) }] };
}

/** Sets only this condition on the second node, in addition to Ready. */
function pressure(type: string) {
  const conditions = [
    { type: "Ready", status: "True" },
    { type, status: "True", reason: "Test" },
  ];
  return together(patch("nodes/n2", { status: { conditions } }, "status"), wait(look));
}

/** The node lifecycle, taint eviction and PodGC controllers. */
export const nodeLifecycleArea = area("node-lifecycle", {
  "a node that is not ready is tainted, and its pods are evicted after tolerationSeconds": withOptions({ nodes }, [
    create(pod("brief", { ...onN1, ...tolerating("not-ready", 15) })),
    create(pod("usual", onN1)),
    create(pod("forever", { ...onN1, ...tolerating("not-ready") })),
    terminatingPodsHang,
    together(node("n1", { kind: "ready", ready: false }), wait(look)),
    wait(16),
    terminatingPodsStop,
    together(node("n1", { kind: "ready", ready: true }), wait(look)),
    node("n1", { kind: "patch", patch: { metadata: { labels: { seen: "yes" } } } }),
    create(pod("again", onN1)),
  ]),
  "a node without heartbeats becomes Unknown and recovers": withOptions({ nodes }, [
    create(pod("usual", onN1)),
    create(pod("brief", { ...onN1, ...tolerating("unreachable", 2) })),
    create(daemonSet("agent", { template: template("agent", { spec: onN1 }) })),
    terminatingPodsHang,
    heartbeats("n1", false),
    wait(65),
    terminatingPodsStop,
    together(heartbeats("n1", true), node("n1", { kind: "ready", ready: true }), wait(look)),
    node("n1", { kind: "patch", patch: { metadata: { labels: { seen: "yes" } } } }),
    create(pod("again", onN1)),
  ]),
  "a NoExecute taint evicts pods that do not tolerate it": withOptions({ nodes }, [
    create(pod("plain", onN1)),
    create(pod("brave", { ...onN1, tolerations: [{ key: "drain", operator: "Exists" }] })),
    create(
      pod("short", {
        ...onN1,
        tolerations: [{ key: "drain", operator: "Exists", effect: "NoExecute", tolerationSeconds: 15 }],
      }),
    ),
    terminatingPodsHang,
    node("n1", { kind: "patch", patch: { spec: { taints: [{ key: "drain", value: "now", effect: "NoExecute" }] } } }),
    wait(16),
    terminatingPodsStop,
    create(pod("late", { nodeName: "n1" })),
    node("n1", { kind: "patch", patch: { spec: { taints: null } } }),
    create(pod("back", onN1)),
  ]),
  "a cordoned node and a node under pressure are tainted": withOptions({ nodes }, [
    together(node("n1", { kind: "patch", patch: { spec: { unschedulable: true } } }), wait(look)),
    create(pod("a", onN1)),
    create(
      pod("tolerant", { ...onN1, tolerations: [{ key: "node.kubernetes.io/unschedulable", operator: "Exists" }] }),
    ),
    together(node("n1", { kind: "patch", patch: { spec: { unschedulable: false } } }), wait(look)),
    pressure("MemoryPressure"),
    create(pod("cheap", onHost("n2"))),
    create(pod("dear", { ...requesting({ memory: "1Gi" }), ...onHost("n2") })),
    patchPods("a", { metadata: { labels: { seen: "yes" } } }),
    pressure("DiskPressure"),
    pressure("PIDPressure"),
  ]),
  "PodGC deletes the pods of a deleted node": withOptions({ nodes }, [
    create(pod("lost", onN1)),
    create(pod("kept", onHost("n2"))),
    node("n1", { kind: "remove" }),
    wait(85),
    create(pod("ended", onHost("n3"))),
    create(pod("ghost", { nodeName: "n9" })),
    node("n1", { kind: "add" }),
    create(pod("new", onN1)),
    remove("pods/ghost", { gracePeriodSeconds: 0 }),
    node("n2", { kind: "patch", patch: { metadata: { labels: { "topology.kubernetes.io/zone": "b" } } } }),
  ]),
});
