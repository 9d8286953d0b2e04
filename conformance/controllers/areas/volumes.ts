import type { JsonObject } from "@kubewright/core/json";
import { claim, pod, volume } from "../objects.js";
import { area } from "../scenario.js";
import { create, patch, remove, together, wait } from "../step.js";

/** The controller resyncs unbound PVCs every 15 s. */
const resync = 17;

function size(storage: string): JsonObject {
  return { resources: { requests: { storage } } };
}

function using(name: string): JsonObject {
  return {
    containers: [{ name: "app", image: "app:1", volumeMounts: [{ name: "data", mountPath: "/data" }] }],
    volumes: [{ name: "data", persistentVolumeClaim: { claimName: name } }],
  };
}

function storageClass(volumeBindingMode: string): JsonObject {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "{ns}" },
    provisioner: "kubernetes.io/no-provisioner",
    volumeBindingMode,
  };
}

/** The PersistentVolume binder and protection controllers. */
export const volumesArea = area("volumes", {
  "a PVC binds to the smallest PV that is large enough": [
    create(volume("large", { capacity: { storage: "10Gi" } })),
    create(volume("small", { capacity: { storage: "2Gi" } })),
    create(claim("a", size("1Gi"))),
    create(claim("b", size("3Gi"))),
    create(claim("c", size("20Gi"))),
    remove("persistentvolumeclaims/a"),
    patch("persistentvolumes/small-{ns}", { spec: { claimRef: null } }),
    create(claim("d", size("1Gi"))),
    patch("persistentvolumeclaims/d", { metadata: { labels: { seen: "yes" } } }),
    remove("persistentvolumes/large-{ns}"),
  ],
  "a PVC binds to a PV of its class, mode and labels": [
    create(volume("shared", { accessModes: ["ReadWriteMany", "ReadWriteOnce"] }, { labels: { tier: "gold" } })),
    create(volume("once", {}, { labels: { tier: "tin" } })),
    create(volume("raw", { volumeMode: "Block" })),
    create(claim("gold", { selector: { matchLabels: { tier: "gold" } } })),
    create(claim("many", { accessModes: ["ReadWriteMany"] })),
    create(claim("block", { volumeMode: "Block" })),
    create(claim("classless", { storageClassName: "" })),
    create(claim("tin", {})),
    remove("persistentvolumeclaims/gold"),
    together(create(volume("late", { storageClassName: "" })), wait(resync)),
  ],
  "a PV and a PVC may name each other": [
    create(volume("mine", { claimRef: { namespace: "{ns}", name: "later" } })),
    create(claim("other", size("5Gi"))),
    create(claim("later")),
    create(claim("named", { volumeName: "named-{ns}" })),
    together(create(volume("named")), wait(resync)),
    create(claim("taken", { volumeName: "mine-{ns}" })),
    remove("persistentvolumeclaims/later"),
    remove("persistentvolumes/mine-{ns}"),
    remove("persistentvolumeclaims/taken"),
    remove("persistentvolumeclaims/other"),
  ],
  "a pending PVC binds when a PV is created": [
    create(claim("a")),
    together(create(volume("a")), wait(resync)),
    create(pod("user", using("a"))),
    remove("persistentvolumeclaims/a"),
    remove("persistentvolumes/a-{ns}"),
    remove("pods/user"),
    create(volume("b", { claimRef: { namespace: "{ns}", name: "b" } })),
    create(claim("b")),
    remove("persistentvolumes/b-{ns}"),
    remove("persistentvolumeclaims/b"),
  ],
  "the scheduler binds a PVC with WaitForFirstConsumer": [
    create(storageClass("WaitForFirstConsumer")),
    create(
      volume("here", {
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: ["node-2"] }] },
            ],
          },
        },
      }),
    ),
    create(claim("a")),
    create(pod("user", using("a"))),
    create(claim("b")),
    together(create(pod("second", using("b"))), wait(resync)),
    create(volume("more", { capacity: { storage: "5Gi" } })),
    wait(resync),
    remove("pods/user"),
    remove("persistentvolumeclaims/a"),
  ],
  "pods stay pending while their PVCs are missing or unbound": [
    create(pod("early", using("a"))),
    create(claim("a")),
    together(create(volume("a")), wait(resync)),
    create(claim("bad", { storageClassName: "missing-{ns}" })),
    create(pod("late", using("bad"))),
    remove("pods/late"),
    remove("persistentvolumeclaims/bad"),
    create(pod("none", { volumes: [{ name: "x", emptyDir: {} }] })),
    remove("pods/early"),
    remove("persistentvolumeclaims/a"),
  ],
});
