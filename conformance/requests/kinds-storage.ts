import type { JsonObject } from "@kubewright/core/json";
import { apply, get, mergePatch, post, remove, type Subject, subject, testCase, wordingCase } from "../test-case.js";
import { create, createSpec, getTable, patchSpec, patchStatus, replace } from "./object-steps.js";
import { object } from "./sample-objects.js";

const volumes = "/api/v1/persistentvolumes";
const claims = "/api/v1/namespaces/{ns}/persistentvolumeclaims";
const storage = "/apis/storage.k8s.io/v1";
const secrets = "/api/v1/namespaces/{ns}/secrets";
const configMaps = "/api/v1/namespaces/{ns}/configmaps";

const claim: JsonObject = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const volume: JsonObject = {
  accessModes: ["ReadWriteOnce"],
  capacity: { storage: "1Gi" },
  hostPath: { path: "/tmp/x" },
};

function text(value: string): string {
  return Buffer.from(value).toString("base64");
}

/** Volumes, classes, and data: defaults, rules, tables. */
export const storageKinds: Subject = subject(
  "kinds-storage",
  testCase(
    "a PersistentVolumeClaim gets its defaults, and hardly changes",
    createSpec(claims, "a", claim),
    getTable(claims),
    patchSpec(`${claims}/a`, { resources: { requests: { storage: "2Gi" } } }),
    patchSpec(`${claims}/a`, { accessModes: ["ReadWriteMany"] }),
    mergePatch(`${claims}/a`, { metadata: { labels: { a: "b" } } }),
    patchStatus(`${claims}/a`, { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] }),
    getTable(claims),
    patchSpec(`${claims}/a`, { volumeName: "v" }),
    remove(`${claims}/a`),
  ),
  wordingCase(
    "a PersistentVolumeClaim that is bound may grow",
    createSpec(claims, "a", { ...claim, volumeName: "v" }),
    patchStatus(`${claims}/a`, { phase: "Bound", capacity: { storage: "1Gi" } }),
    patchSpec(`${claims}/a`, { resources: { requests: { storage: "2Gi" } } }),
    patchSpec(`${claims}/a`, { resources: { requests: { storage: "1500Mi" } } }),
    patchSpec(`${claims}/a`, { resources: { requests: { storage: "500Mi" } } }),
    patchSpec(`${claims}/a`, { volumeMode: "Block" }, { fields: ["code", "reason"] }),
    patchSpec(`${claims}/a`, { storageClassName: "fast" }),
    patchSpec(`${claims}/a`, { storageClassName: "slow" }, { fields: ["code", "reason"] }),
    post(claims, {
      metadata: { name: "old", annotations: { "volume.beta.kubernetes.io/storage-class": "fast" } },
      spec: claim,
    }),
    createSpec(claims, "ref", { ...claim, dataSourceRef: { apiGroup: "example.com", kind: "Thing", name: "t" } }),
    apply(`${claims}/applied?fieldManager=me`, object("v1", "PersistentVolumeClaim", "applied", { spec: claim })),
    getTable(claims),
  ),
  wordingCase(
    "a PersistentVolumeClaim is checked",
    createSpec(claims, "a", {}),
    createSpec(claims, "a", { ...claim, accessModes: ["Some", "ReadWriteOncePod"] }),
    createSpec(claims, "a", { ...claim, accessModes: ["ReadWriteOnce", "ReadWriteOncePod"] }),
    createSpec(claims, "a", { ...claim, resources: { requests: { storage: "-1" } } }),
    createSpec(claims, "a", { ...claim, resources: { requests: { storage: "0" } } }),
    createSpec(claims, "a", {
      ...claim,
      storageClassName: "A_",
      volumeMode: "Some",
      selector: { matchLabels: { "a b": "c" } },
    }),
    createSpec(claims, "a", { ...claim, dataSource: { kind: "", name: "" } }),
    createSpec(claims, "full", {
      ...claim,
      storageClassName: "fast",
      volumeMode: "Block",
      volumeName: "v",
      selector: { matchLabels: { a: "b" } },
      dataSource: { kind: "PersistentVolumeClaim", name: "other" },
    }),
    createSpec(claims, "small", { ...claim, resources: { requests: { storage: "100m" } } }),
  ),
  testCase(
    "a PersistentVolume gets its defaults, and is checked",
    createSpec(volumes, "{ns}-a", volume),
    getTable(`${volumes}/{ns}-a`),
    createSpec(volumes, "{ns}-b", {}),
    createSpec(volumes, "{ns}-b", {
      ...volume,
      nfs: { server: "s", path: "/p" },
      persistentVolumeReclaimPolicy: "Some",
      accessModes: ["X"],
    }),
    createSpec(volumes, "{ns}-b", {
      ...volume,
      capacity: { storage: "0", cpu: "1" },
      storageClassName: "A_",
      volumeMode: "X",
    }),
    createSpec(volumes, "{ns}-b", {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      csi: { driver: "A_", volumeHandle: "" },
    }),
    createSpec(volumes, "{ns}-local", {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      local: { path: "/x" },
    }),
    createSpec(volumes, "{ns}-full", {
      accessModes: ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"],
      capacity: { storage: "10Gi" },
      csi: { driver: "d.example.com", volumeHandle: "h", fsType: "ext4" },
      claimRef: { kind: "PersistentVolumeClaim", namespace: "{ns}", name: "c", apiVersion: "v1" },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: "fast",
      mountOptions: ["ro"],
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "k", operator: "In", values: ["v"] }] }] },
      },
    }),
    getTable(`${volumes}/{ns}-full`),
    patchSpec(`${volumes}/{ns}-a`, { hostPath: { path: "/other" } }),
    patchSpec(`${volumes}/{ns}-a`, { capacity: { storage: "3Gi" }, persistentVolumeReclaimPolicy: "Delete" }),
    patchSpec(`${volumes}/{ns}-a`, { volumeMode: "Block" }),
    patchStatus(`${volumes}/{ns}-a`, { phase: "Available", message: "m", reason: "r" }),
    getTable(`${volumes}/{ns}-a`),
    remove(`${volumes}/{ns}-full`),
  ),
  wordingCase(
    "a StorageClass gets its defaults, and does not change",
    create(`${storage}/storageclasses`, "{ns}", { provisioner: "example.com/p" }),
    getTable(`${storage}/storageclasses/{ns}`),
    create(`${storage}/storageclasses`, "{ns}-b"),
    create(`${storage}/storageclasses`, "{ns}-b", {
      provisioner: "A_/b c",
      reclaimPolicy: "Recycle",
      volumeBindingMode: "Some",
      parameters: { "": "x" },
    }),
    post(`${storage}/storageclasses`, {
      metadata: { name: "{ns}-c", annotations: { "storageclass.kubernetes.io/is-default-class": "false" } },
      provisioner: "example.com/p",
      parameters: { a: "b" },
      reclaimPolicy: "Retain",
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
      mountOptions: ["ro"],
      allowedTopologies: [{ matchLabelExpressions: [{ key: "k", values: ["v"] }] }],
    }),
    getTable(`${storage}/storageclasses/{ns}-c`),
    mergePatch(`${storage}/storageclasses/{ns}`, { parameters: { a: "b" }, provisioner: "x", reclaimPolicy: "Retain" }),
    mergePatch(`${storage}/storageclasses/{ns}`, { volumeBindingMode: "WaitForFirstConsumer" }),
    mergePatch(`${storage}/storageclasses/{ns}`, { allowVolumeExpansion: true }),
    mergePatch(`${storage}/storageclasses/{ns}-c`, { metadata: { annotations: null } }),
    remove(`${storage}/storageclasses/{ns}`),
  ),
  wordingCase(
    "a VolumeAttributesClass is protected from the beginning",
    post("/apis/storage.k8s.io/v1/volumeattributesclasses", {
      metadata: { name: "{ns}-a", finalizers: ["example.com/f"] },
      driverName: "d.example.com",
      parameters: { a: "b" },
    }),
    mergePatch("/apis/storage.k8s.io/v1/volumeattributesclasses/{ns}-a", { parameters: { a: "c" } }),
    mergePatch("/apis/storage.k8s.io/v1/volumeattributesclasses/{ns}-a", { metadata: { finalizers: null } }),
    post("/apis/storage.k8s.io/v1/volumeattributesclasses?dryRun=All", {
      metadata: { name: "{ns}-b", finalizers: ["kubernetes.io/vac-protection"] },
      driverName: "d.example.com",
      parameters: { a: "b" },
    }),
    remove("/apis/storage.k8s.io/v1/volumeattributesclasses/{ns}-a"),
  ),
  testCase(
    "a VolumeAttachment does not change",
    createSpec(`${storage}/volumeattachments`, "{ns}", {
      attacher: "example.com",
      nodeName: "n",
      source: { persistentVolumeName: "v" },
    }),
    getTable(`${storage}/volumeattachments/{ns}`),
    createSpec(`${storage}/volumeattachments`, "{ns}-b", {}),
    createSpec(`${storage}/volumeattachments`, "{ns}-b", {
      attacher: "A_",
      nodeName: "",
      source: { persistentVolumeName: "" },
    }),
    patchSpec(`${storage}/volumeattachments/{ns}`, { nodeName: "m" }),
    patchStatus(`${storage}/volumeattachments/{ns}`, { attached: true, attachmentMetadata: { a: "b" } }),
    getTable(`${storage}/volumeattachments/{ns}`),
    remove(`${storage}/volumeattachments/{ns}`),
  ),
  wordingCase(
    "a CSIDriver gets its defaults",
    createSpec(`${storage}/csidrivers`, "{ns}", {}),
    getTable(`${storage}/csidrivers/{ns}`),
    createSpec(`${storage}/csidrivers`, "{ns}-b", {
      fsGroupPolicy: "Some",
      volumeLifecycleModes: ["Some"],
      tokenRequests: [{ audience: "a", expirationSeconds: 10 }, { audience: "a" }],
    }),
    patchSpec(`${storage}/csidrivers/{ns}`, { attachRequired: false, podInfoOnMount: true }),
    createSpec(`${storage}/csidrivers`, "{ns}-c", {
      volumeLifecycleModes: ["Ephemeral", "Persistent"],
      tokenRequests: [{ audience: "a" }],
    }),
    getTable(`${storage}/csidrivers/{ns}-c`),
  ),
  testCase(
    "a CSINode keeps its drivers",
    createSpec(`${storage}/csinodes`, "{ns}", {
      drivers: [{ name: "a.example.com", nodeID: "n", topologyKeys: ["k"], allocatable: { count: 3 } }],
    }),
    getTable(`${storage}/csinodes/{ns}`),
    createSpec(`${storage}/csinodes`, "{ns}-b", { drivers: [] }),
    createSpec(`${storage}/csinodes`, "{ns}-c", {
      drivers: [
        { name: "A_", nodeID: "", topologyKeys: ["a b", "a b", ""] },
        { name: "a", nodeID: "x", topologyKeys: null },
        { name: "a", nodeID: "x", topologyKeys: null, allocatable: { count: -1 } },
      ],
    }),
    patchSpec(`${storage}/csinodes/{ns}`, { drivers: [{ name: "a.example.com", nodeID: "m", topologyKeys: null }] }),
  ),
  wordingCase(
    "a CSIStorageCapacity tells of a class",
    create(`${storage}/namespaces/{ns}/csistoragecapacities`, "a", {
      storageClassName: "fast",
      capacity: "1Gi",
      nodeTopology: { matchLabels: { a: "b" } },
    }),
    getTable(`${storage}/namespaces/{ns}/csistoragecapacities`),
    create(`${storage}/namespaces/{ns}/csistoragecapacities`, "b", {
      storageClassName: "A_",
      capacity: "-1",
      maximumVolumeSize: "-2",
      nodeTopology: { matchLabels: { "a b": "c" } },
    }),
    mergePatch(`${storage}/namespaces/{ns}/csistoragecapacities/a`, { storageClassName: "slow" }),
    mergePatch(`${storage}/namespaces/{ns}/csistoragecapacities/a`, { capacity: "2Gi" }),
  ),
  testCase(
    "typed Secrets must hold what their type says",
    create(secrets, "docker", { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": text("{}") } }),
    create(secrets, "bad", { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": text("x") } }),
    create(secrets, "bad", { type: "kubernetes.io/dockercfg", data: { ".dockercfg": text("") } }),
    create(secrets, "tls", { type: "kubernetes.io/tls", data: { "tls.crt": "", "tls.key": "" } }),
    create(secrets, "basic", { type: "kubernetes.io/basic-auth", stringData: { username: "u" } }),
    create(secrets, "ssh", { type: "kubernetes.io/ssh-auth", stringData: { "ssh-privatekey": "k" } }),
    create(secrets, "ssh-bad", { type: "kubernetes.io/ssh-auth", data: { "ssh-privatekey": "" } }),
    post(`${secrets}?dryRun=All`, {
      metadata: { name: "token", annotations: { "kubernetes.io/service-account.name": "default" } },
      type: "kubernetes.io/service-account-token",
    }),
    post(secrets, {
      metadata: { name: "token-bad", annotations: { "kubernetes.io/service-account.name": "" } },
      type: "kubernetes.io/service-account-token",
    }),
    create(secrets, "own", { type: "example.com/own", data: { "bad key": "" } }),
    getTable(secrets),
    replace(secrets, "basic", { stringData: { password: "p" } }),
    replace(secrets, "tls", { type: "Opaque" }),
    get(`${secrets}?fieldSelector=type%3Dkubernetes.io/tls`, { fields: ["kind"] }),
  ),
  wordingCase(
    "a ConfigMap may be frozen",
    create(configMaps, "a", { data: { k: "v" }, immutable: true }),
    mergePatch(`${configMaps}/a`, { data: { k: "w" } }),
    mergePatch(`${configMaps}/a`, { immutable: false, binaryData: { x: "eA==" } }),
    mergePatch(`${configMaps}/a`, { metadata: { labels: { a: "b" } } }),
    create(configMaps, "big", { data: { k: "x".repeat(1024 * 1024 + 1) } }),
    create(secrets, "big", { stringData: { k: "x".repeat(1024 * 1024 + 1) } }),
  ),
);
