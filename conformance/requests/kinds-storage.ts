import type { JsonObject } from "@kubewright/core/json";
import { apply, get, mergePatch, post, type RequestStep, remove, subject, wording } from "../test-case.js";
import { create, createSpec, getTable, patchSpec, patchStatus, replace } from "./object-steps.js";
import { claims, configMaps, object, secrets } from "./sample-objects.js";

const volumes = "/api/v1/persistentvolumes";
const storage = "/apis/storage.k8s.io/v1";

const classes = `${storage}/storageclasses`;
const attachments = `${storage}/volumeattachments`;
const drivers = `${storage}/csidrivers`;
const csiNodes = `${storage}/csinodes`;
const capacities = `${storage}/namespaces/{ns}/csistoragecapacities`;
const attributes = `${storage}/volumeattributesclasses`;
const claim: JsonObject = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const createClaim = (name: string, spec: JsonObject = {}): RequestStep =>
  createSpec(claims, name, { ...claim, ...spec });
const sized: JsonObject = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } };
const volume: JsonObject = { ...sized, hostPath: { path: "/tmp/x" } };
const createVolume = (name: string, spec: JsonObject): RequestStep => createSpec(volumes, `{ns}-${name}`, spec);
const wrongLabels: JsonObject = { matchLabels: { "a b": "c" } };

function base64(value: string): string {
  return Buffer.from(value).toString("base64");
}

/** PersistentVolumes, PVCs, StorageClasses, CSI, Secrets and ConfigMaps: defaults, validation, Tables. */
export const storageKinds = subject("kinds-storage", {
  "a PersistentVolumeClaim gets its defaults, and its spec is mostly immutable": [
    createClaim("a"),
    getTable(claims),
    patchSpec(`${claims}/a`, { resources: { requests: { storage: "2Gi" } } }),
    patchSpec(`${claims}/a`, { accessModes: ["ReadWriteMany"] }),
    mergePatch(`${claims}/a`, { metadata: { labels: { a: "b" } } }),
    patchStatus(`${claims}/a`, { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] }),
    getTable(claims),
    patchSpec(`${claims}/a`, { volumeName: "v" }),
    remove(`${claims}/a`),
  ],
  "a bound PersistentVolumeClaim may be expanded": wording(
    createClaim("a", { volumeName: "v" }),
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
    createClaim("ref", { dataSourceRef: { apiGroup: "example.com", kind: "Thing", name: "t" } }),
    apply(`${claims}/applied?fieldManager=me`, object("v1", "PersistentVolumeClaim", "applied", { spec: claim })),
    getTable(claims),
  ),
  "a PersistentVolumeClaim is validated": wording(
    createSpec(claims, "a", {}),
    createClaim("a", { accessModes: ["Some", "ReadWriteOncePod"] }),
    createClaim("a", { accessModes: ["ReadWriteOnce", "ReadWriteOncePod"] }),
    createClaim("a", { resources: { requests: { storage: "-1" } } }),
    createClaim("a", { resources: { requests: { storage: "0" } } }),
    createClaim("a", { storageClassName: "A_", volumeMode: "Some", selector: wrongLabels }),
    createClaim("a", { dataSource: { kind: "", name: "" } }),
    createClaim("full", {
      storageClassName: "fast",
      volumeMode: "Block",
      volumeName: "v",
      selector: { matchLabels: { a: "b" } },
      dataSource: { kind: "PersistentVolumeClaim", name: "other" },
    }),
    createClaim("small", { resources: { requests: { storage: "100m" } } }),
  ),
  "a PersistentVolume gets its defaults and is validated": [
    createVolume("a", volume),
    getTable(`${volumes}/{ns}-a`),
    createVolume("b", {}),
    createVolume("b", {
      ...volume,
      nfs: { server: "s", path: "/p" },
      persistentVolumeReclaimPolicy: "Some",
      accessModes: ["X"],
    }),
    createVolume("b", { ...volume, capacity: { storage: "0", cpu: "1" }, storageClassName: "A_", volumeMode: "X" }),
    createVolume("b", { ...sized, csi: { driver: "A_", volumeHandle: "" } }),
    createVolume("local", { ...sized, local: { path: "/x" } }),
    createVolume("full", {
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
  ],
  "a StorageClass gets its defaults and is immutable": wording(
    create(classes, "{ns}", { provisioner: "example.com/p" }),
    getTable(`${classes}/{ns}`),
    create(classes, "{ns}-b"),
    create(classes, "{ns}-b", {
      provisioner: "A_/b c",
      reclaimPolicy: "Recycle",
      volumeBindingMode: "Some",
      parameters: { "": "x" },
    }),
    post(classes, {
      metadata: { name: "{ns}-c", annotations: { "storageclass.kubernetes.io/is-default-class": "false" } },
      provisioner: "example.com/p",
      parameters: { a: "b" },
      reclaimPolicy: "Retain",
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
      mountOptions: ["ro"],
      allowedTopologies: [{ matchLabelExpressions: [{ key: "k", values: ["v"] }] }],
    }),
    getTable(`${classes}/{ns}-c`),
    mergePatch(`${classes}/{ns}`, { parameters: { a: "b" }, provisioner: "x", reclaimPolicy: "Retain" }),
    mergePatch(`${classes}/{ns}`, { volumeBindingMode: "WaitForFirstConsumer" }),
    mergePatch(`${classes}/{ns}`, { allowVolumeExpansion: true }),
    mergePatch(`${classes}/{ns}-c`, { metadata: { annotations: null } }),
    remove(`${classes}/{ns}`),
  ),
  "a VolumeAttributesClass is created with its protection finalizer": wording(
    post(attributes, {
      metadata: { name: "{ns}-a", finalizers: ["example.com/f"] },
      driverName: "d.example.com",
      parameters: { a: "b" },
    }),
    mergePatch(`${attributes}/{ns}-a`, { parameters: { a: "c" } }),
    mergePatch(`${attributes}/{ns}-a`, { metadata: { finalizers: null } }),
    post(`${attributes}?dryRun=All`, {
      metadata: { name: "{ns}-b", finalizers: ["kubernetes.io/vac-protection"] },
      driverName: "d.example.com",
      parameters: { a: "b" },
    }),
    remove(`${attributes}/{ns}-a`),
  ),
  "a VolumeAttachment is immutable": [
    createSpec(attachments, "{ns}", { attacher: "example.com", nodeName: "n", source: { persistentVolumeName: "v" } }),
    getTable(`${attachments}/{ns}`),
    createSpec(attachments, "{ns}-b", {}),
    createSpec(attachments, "{ns}-b", { attacher: "A_", nodeName: "", source: { persistentVolumeName: "" } }),
    patchSpec(`${attachments}/{ns}`, { nodeName: "m" }),
    patchStatus(`${attachments}/{ns}`, { attached: true, attachmentMetadata: { a: "b" } }),
    getTable(`${attachments}/{ns}`),
    remove(`${attachments}/{ns}`),
  ],
  "a CSIDriver gets its defaults": wording(
    createSpec(drivers, "{ns}", {}),
    getTable(`${drivers}/{ns}`),
    createSpec(drivers, "{ns}-b", {
      fsGroupPolicy: "Some",
      volumeLifecycleModes: ["Some"],
      tokenRequests: [{ audience: "a", expirationSeconds: 10 }, { audience: "a" }],
    }),
    patchSpec(`${drivers}/{ns}`, { attachRequired: false, podInfoOnMount: true }),
    createSpec(drivers, "{ns}-c", {
      volumeLifecycleModes: ["Ephemeral", "Persistent"],
      tokenRequests: [{ audience: "a" }],
    }),
    getTable(`${drivers}/{ns}-c`),
  ),
  "a CSINode keeps its drivers": [
    createSpec(csiNodes, "{ns}", {
      drivers: [{ name: "a.example.com", nodeID: "n", topologyKeys: ["k"], allocatable: { count: 3 } }],
    }),
    getTable(`${csiNodes}/{ns}`),
    createSpec(csiNodes, "{ns}-b", { drivers: [] }),
    createSpec(csiNodes, "{ns}-c", {
      drivers: [
        { name: "A_", nodeID: "", topologyKeys: ["a b", "a b", ""] },
        { name: "a", nodeID: "x", topologyKeys: null },
        { name: "a", nodeID: "x", topologyKeys: null, allocatable: { count: -1 } },
      ],
    }),
    patchSpec(`${csiNodes}/{ns}`, { drivers: [{ name: "a.example.com", nodeID: "m", topologyKeys: null }] }),
  ],
  "a CSIStorageCapacity is validated": wording(
    create(capacities, "a", { storageClassName: "fast", capacity: "1Gi", nodeTopology: { matchLabels: { a: "b" } } }),
    getTable(capacities),
    create(capacities, "b", {
      storageClassName: "A_",
      capacity: "-1",
      maximumVolumeSize: "-2",
      nodeTopology: wrongLabels,
    }),
    mergePatch(`${capacities}/a`, { storageClassName: "slow" }),
    mergePatch(`${capacities}/a`, { capacity: "2Gi" }),
  ),
  "typed Secrets must have the keys of their type": [
    create(secrets, "docker", { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": base64("{}") } }),
    create(secrets, "bad", { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": base64("x") } }),
    create(secrets, "bad", { type: "kubernetes.io/dockercfg", data: { ".dockercfg": base64("") } }),
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
  ],
  "a ConfigMap may be made immutable": wording(
    create(configMaps, "a", { data: { k: "v" }, immutable: true }),
    mergePatch(`${configMaps}/a`, { data: { k: "w" } }),
    mergePatch(`${configMaps}/a`, { immutable: false, binaryData: { x: "eA==" } }),
    mergePatch(`${configMaps}/a`, { metadata: { labels: { a: "b" } } }),
    create(configMaps, "big", { data: { k: "x".repeat(1024 * 1024 + 1) } }),
    create(secrets, "big", { stringData: { k: "x".repeat(1024 * 1024 + 1) } }),
  ),
});
