import type { JsonObject } from "@kubewright/core/json";
import { apply, get, mergePatch, post, put, remove, type Subject, testCase, wordingCase } from "../test-case.js";

const volumes = "/api/v1/persistentvolumes";
const claims = "/api/v1/namespaces/{ns}/persistentvolumeclaims";
const storage = "/apis/storage.k8s.io/v1";
const secrets = "/api/v1/namespaces/{ns}/secrets";
const configMaps = "/api/v1/namespaces/{ns}/configmaps";
const table = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

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
export const storageKinds: Subject = {
  name: "kinds-storage",
  cases: [
    testCase(
      "a PersistentVolumeClaim gets its defaults, and hardly changes",
      post(claims, { metadata: { name: "a" }, spec: claim }),
      get(claims, table),
      mergePatch(`${claims}/a`, { spec: { resources: { requests: { storage: "2Gi" } } } }),
      mergePatch(`${claims}/a`, { spec: { accessModes: ["ReadWriteMany"] } }),
      mergePatch(`${claims}/a`, { metadata: { labels: { a: "b" } } }),
      mergePatch(`${claims}/a/status`, {
        status: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
      }),
      get(claims, table),
      mergePatch(`${claims}/a`, { spec: { volumeName: "v" } }),
      remove(`${claims}/a`),
    ),
    wordingCase(
      "a PersistentVolumeClaim that is bound may grow",
      post(claims, { metadata: { name: "a" }, spec: { ...claim, volumeName: "v" } }),
      mergePatch(`${claims}/a/status`, { status: { phase: "Bound", capacity: { storage: "1Gi" } } }),
      mergePatch(`${claims}/a`, { spec: { resources: { requests: { storage: "2Gi" } } } }),
      mergePatch(`${claims}/a`, { spec: { resources: { requests: { storage: "1500Mi" } } } }),
      mergePatch(`${claims}/a`, { spec: { resources: { requests: { storage: "500Mi" } } } }),
      mergePatch(`${claims}/a`, { spec: { volumeMode: "Block" } }, { fields: ["code", "reason"] }),
      mergePatch(`${claims}/a`, { spec: { storageClassName: "fast" } }),
      mergePatch(`${claims}/a`, { spec: { storageClassName: "slow" } }, { fields: ["code", "reason"] }),
      post(claims, {
        metadata: { name: "old", annotations: { "volume.beta.kubernetes.io/storage-class": "fast" } },
        spec: claim,
      }),
      post(claims, {
        metadata: { name: "ref" },
        spec: { ...claim, dataSourceRef: { apiGroup: "example.com", kind: "Thing", name: "t" } },
      }),
      apply(`${claims}/applied?fieldManager=me`, {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "applied" },
        spec: claim,
      }),
      get(claims, table),
    ),
    wordingCase(
      "a PersistentVolumeClaim is checked",
      post(claims, { metadata: { name: "a" }, spec: {} }),
      post(claims, { metadata: { name: "a" }, spec: { ...claim, accessModes: ["Some", "ReadWriteOncePod"] } }),
      post(claims, { metadata: { name: "a" }, spec: { ...claim, accessModes: ["ReadWriteOnce", "ReadWriteOncePod"] } }),
      post(claims, { metadata: { name: "a" }, spec: { ...claim, resources: { requests: { storage: "-1" } } } }),
      post(claims, { metadata: { name: "a" }, spec: { ...claim, resources: { requests: { storage: "0" } } } }),
      post(claims, {
        metadata: { name: "a" },
        spec: { ...claim, storageClassName: "A_", volumeMode: "Some", selector: { matchLabels: { "a b": "c" } } },
      }),
      post(claims, { metadata: { name: "a" }, spec: { ...claim, dataSource: { kind: "", name: "" } } }),
      post(claims, {
        metadata: { name: "full" },
        spec: {
          ...claim,
          storageClassName: "fast",
          volumeMode: "Block",
          volumeName: "v",
          selector: { matchLabels: { a: "b" } },
          dataSource: { kind: "PersistentVolumeClaim", name: "other" },
        },
      }),
      post(claims, { metadata: { name: "small" }, spec: { ...claim, resources: { requests: { storage: "100m" } } } }),
    ),
    testCase(
      "a PersistentVolume gets its defaults, and is checked",
      post(volumes, { metadata: { name: "{ns}-a" }, spec: volume }),
      get(`${volumes}/{ns}-a`, table),
      post(volumes, { metadata: { name: "{ns}-b" }, spec: {} }),
      post(volumes, {
        metadata: { name: "{ns}-b" },
        spec: {
          ...volume,
          nfs: { server: "s", path: "/p" },
          persistentVolumeReclaimPolicy: "Some",
          accessModes: ["X"],
        },
      }),
      post(volumes, {
        metadata: { name: "{ns}-b" },
        spec: { ...volume, capacity: { storage: "0", cpu: "1" }, storageClassName: "A_", volumeMode: "X" },
      }),
      post(volumes, {
        metadata: { name: "{ns}-b" },
        spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, csi: { driver: "A_", volumeHandle: "" } },
      }),
      post(volumes, {
        metadata: { name: "{ns}-local" },
        spec: {
          accessModes: ["ReadWriteOnce"],
          capacity: { storage: "1Gi" },
          local: { path: "/x" },
        },
      }),
      post(volumes, {
        metadata: { name: "{ns}-full" },
        spec: {
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
        },
      }),
      get(`${volumes}/{ns}-full`, table),
      mergePatch(`${volumes}/{ns}-a`, { spec: { hostPath: { path: "/other" } } }),
      mergePatch(`${volumes}/{ns}-a`, {
        spec: { capacity: { storage: "3Gi" }, persistentVolumeReclaimPolicy: "Delete" },
      }),
      mergePatch(`${volumes}/{ns}-a`, { spec: { volumeMode: "Block" } }),
      mergePatch(`${volumes}/{ns}-a/status`, { status: { phase: "Available", message: "m", reason: "r" } }),
      get(`${volumes}/{ns}-a`, table),
      remove(`${volumes}/{ns}-full`),
    ),
    wordingCase(
      "a StorageClass gets its defaults, and does not change",
      post(`${storage}/storageclasses`, { metadata: { name: "{ns}" }, provisioner: "example.com/p" }),
      get(`${storage}/storageclasses/{ns}`, table),
      post(`${storage}/storageclasses`, { metadata: { name: "{ns}-b" } }),
      post(`${storage}/storageclasses`, {
        metadata: { name: "{ns}-b" },
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
      get(`${storage}/storageclasses/{ns}-c`, table),
      mergePatch(`${storage}/storageclasses/{ns}`, {
        parameters: { a: "b" },
        provisioner: "x",
        reclaimPolicy: "Retain",
      }),
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
      post(`${storage}/volumeattachments`, {
        metadata: { name: "{ns}" },
        spec: { attacher: "example.com", nodeName: "n", source: { persistentVolumeName: "v" } },
      }),
      get(`${storage}/volumeattachments/{ns}`, table),
      post(`${storage}/volumeattachments`, { metadata: { name: "{ns}-b" }, spec: {} }),
      post(`${storage}/volumeattachments`, {
        metadata: { name: "{ns}-b" },
        spec: { attacher: "A_", nodeName: "", source: { persistentVolumeName: "" } },
      }),
      mergePatch(`${storage}/volumeattachments/{ns}`, { spec: { nodeName: "m" } }),
      mergePatch(`${storage}/volumeattachments/{ns}/status`, {
        status: { attached: true, attachmentMetadata: { a: "b" } },
      }),
      get(`${storage}/volumeattachments/{ns}`, table),
      remove(`${storage}/volumeattachments/{ns}`),
    ),
    wordingCase(
      "a CSIDriver gets its defaults",
      post(`${storage}/csidrivers`, { metadata: { name: "{ns}" }, spec: {} }),
      get(`${storage}/csidrivers/{ns}`, table),
      post(`${storage}/csidrivers`, {
        metadata: { name: "{ns}-b" },
        spec: {
          fsGroupPolicy: "Some",
          volumeLifecycleModes: ["Some"],
          tokenRequests: [{ audience: "a", expirationSeconds: 10 }, { audience: "a" }],
        },
      }),
      mergePatch(`${storage}/csidrivers/{ns}`, { spec: { attachRequired: false, podInfoOnMount: true } }),
      post(`${storage}/csidrivers`, {
        metadata: { name: "{ns}-c" },
        spec: { volumeLifecycleModes: ["Ephemeral", "Persistent"], tokenRequests: [{ audience: "a" }] },
      }),
      get(`${storage}/csidrivers/{ns}-c`, table),
    ),
    testCase(
      "a CSINode keeps its drivers",
      post(`${storage}/csinodes`, {
        metadata: { name: "{ns}" },
        spec: { drivers: [{ name: "a.example.com", nodeID: "n", topologyKeys: ["k"], allocatable: { count: 3 } }] },
      }),
      get(`${storage}/csinodes/{ns}`, table),
      post(`${storage}/csinodes`, { metadata: { name: "{ns}-b" }, spec: { drivers: [] } }),
      post(`${storage}/csinodes`, {
        metadata: { name: "{ns}-c" },
        spec: {
          drivers: [
            { name: "A_", nodeID: "", topologyKeys: ["a b", "a b", ""] },
            { name: "a", nodeID: "x", topologyKeys: null },
            { name: "a", nodeID: "x", topologyKeys: null, allocatable: { count: -1 } },
          ],
        },
      }),
      mergePatch(`${storage}/csinodes/{ns}`, {
        spec: { drivers: [{ name: "a.example.com", nodeID: "m", topologyKeys: null }] },
      }),
    ),
    wordingCase(
      "a CSIStorageCapacity tells of a class",
      post(`${storage}/namespaces/{ns}/csistoragecapacities`, {
        metadata: { name: "a" },
        storageClassName: "fast",
        capacity: "1Gi",
        nodeTopology: { matchLabels: { a: "b" } },
      }),
      get(`${storage}/namespaces/{ns}/csistoragecapacities`, table),
      post(`${storage}/namespaces/{ns}/csistoragecapacities`, {
        metadata: { name: "b" },
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
      post(secrets, {
        metadata: { name: "docker" },
        type: "kubernetes.io/dockerconfigjson",
        data: { ".dockerconfigjson": text("{}") },
      }),
      post(secrets, {
        metadata: { name: "bad" },
        type: "kubernetes.io/dockerconfigjson",
        data: { ".dockerconfigjson": text("x") },
      }),
      post(secrets, { metadata: { name: "bad" }, type: "kubernetes.io/dockercfg", data: { ".dockercfg": text("") } }),
      post(secrets, { metadata: { name: "tls" }, type: "kubernetes.io/tls", data: { "tls.crt": "", "tls.key": "" } }),
      post(secrets, { metadata: { name: "basic" }, type: "kubernetes.io/basic-auth", stringData: { username: "u" } }),
      post(secrets, {
        metadata: { name: "ssh" },
        type: "kubernetes.io/ssh-auth",
        stringData: { "ssh-privatekey": "k" },
      }),
      post(secrets, { metadata: { name: "ssh-bad" }, type: "kubernetes.io/ssh-auth", data: { "ssh-privatekey": "" } }),
      post(`${secrets}?dryRun=All`, {
        metadata: { name: "token", annotations: { "kubernetes.io/service-account.name": "default" } },
        type: "kubernetes.io/service-account-token",
      }),
      post(secrets, {
        metadata: { name: "token-bad", annotations: { "kubernetes.io/service-account.name": "" } },
        type: "kubernetes.io/service-account-token",
      }),
      post(secrets, { metadata: { name: "own" }, type: "example.com/own", data: { "bad key": "" } }),
      get(secrets, table),
      put(`${secrets}/basic`, { metadata: { name: "basic" }, stringData: { password: "p" } }),
      put(`${secrets}/tls`, { metadata: { name: "tls" }, type: "Opaque" }),
      get(`${secrets}?fieldSelector=type%3Dkubernetes.io/tls`, { fields: ["kind"] }),
    ),
    wordingCase(
      "a ConfigMap may be frozen",
      post(configMaps, { metadata: { name: "a" }, data: { k: "v" }, immutable: true }),
      mergePatch(`${configMaps}/a`, { data: { k: "w" } }),
      mergePatch(`${configMaps}/a`, { immutable: false, binaryData: { x: "eA==" } }),
      mergePatch(`${configMaps}/a`, { metadata: { labels: { a: "b" } } }),
      post(configMaps, { metadata: { name: "big" }, data: { k: "x".repeat(1024 * 1024 + 1) } }),
      post(secrets, { metadata: { name: "big" }, stringData: { k: "x".repeat(1024 * 1024 + 1) } }),
    ),
  ],
};
