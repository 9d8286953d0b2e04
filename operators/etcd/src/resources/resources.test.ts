import { checkLocally } from "kubewright/crd";
import { expect, test } from "vitest";
import { fieldOf, storageTypes } from "./backup-source.js";
import { EtcdBackup } from "./etcd-backup.js";
import { EtcdCluster } from "./etcd-cluster.js";
import { EtcdRestore } from "./etcd-restore.js";

const cluster = (spec: object, name = "shop") =>
  checkLocally(EtcdCluster, { metadata: { name }, spec: { size: 3, ...spec } });

test("an EtcdCluster gets the repository and version that manifests of the former operator rely on", () => {
  const { object, errors } = cluster({});
  expect(errors).toEqual([]);
  expect(object).toMatchObject({ spec: { repository: "quay.io/coreos/etcd", version: "3.2.13" } });
});

test("fields of the former operator are accepted", () => {
  const spec = {
    version: "v3.5.21",
    paused: true,
    pod: {
      labels: { team: "a" },
      annotations: { a: "b" },
      nodeSelector: { disk: "ssd" },
      antiAffinity: true,
      affinity: { nodeAffinity: {} },
      resources: { limits: { cpu: "1" } },
      tolerations: [{ key: "a", operator: "Exists" }],
      etcdEnv: [{ name: "ETCD_AUTO_COMPACTION_RETENTION", value: "1" }],
      persistentVolumeClaimSpec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      busyboxImage: "busybox:1",
      securityContext: { runAsNonRoot: true },
      DNSTimeoutInSecond: 30,
      ClusterDomain: ".cluster.local",
    },
    TLS: { static: { member: { peerSecret: "a", serverSecret: "b" }, operatorSecret: "c" } },
  };
  const { errors, unknownFields } = cluster(spec);
  expect([errors, unknownFields]).toEqual([[], []]);
});

test.each([
  ["a reserved label", { pod: { labels: { app: "x" } } }, "are reserved for the operator"],
  ["a label of members", { pod: { labels: { etcd_node: "x" } } }, "are reserved for the operator"],
  ["TLS for clients only", { TLS: { static: { operatorSecret: "c" } } }, "are given together or not at all"],
  ["a version without a patch", { version: "3.5" }, "should match"],
])("%s is rejected with the reason", (_, spec, why) => {
  expect(cluster(spec).errors.join()).toContain(why);
});

test("a name that leaves no room for names of members is rejected", () => {
  expect(cluster({}, "s".repeat(52)).errors).toEqual([]);
  expect(cluster({}, "s".repeat(53)).errors.join()).toContain("at most 52 characters");
});

const sources = {
  s3: { path: "bucket/key", awsSecret: "aws" },
  abs: { path: "a/b", absSecret: "abs" },
  gcs: { path: "a/b", gcpSecret: "gcp" },
  oss: { path: "a/b", ossSecret: "oss" },
  persistentVolumeClaim: { path: "a", claimName: "backups" },
};

test.each(storageTypes)("a backup to %s needs its source", (storageType) => {
  const spec = { etcdEndpoints: ["http://shop-client:2379"], storageType };
  const field = fieldOf(storageType);
  const errorsOf = (more: object) =>
    checkLocally(EtcdBackup, { metadata: { name: "b" }, spec: { ...spec, ...more } }).errors;
  expect(errorsOf({ [field]: sources[field] })).toEqual([]);
  expect(errorsOf({}).join()).toContain("the field of the chosen storageType is required");
});

test("an EtcdRestore has the name of its cluster, unless it creates another one", () => {
  const errorsOf = (name: string, etcdCluster: object) =>
    checkLocally(EtcdRestore, { metadata: { name }, spec: { backupStorageType: "S3", s3: sources.s3, etcdCluster } })
      .errors;
  expect(errorsOf("shop", { name: "shop" })).toEqual([]);
  expect(errorsOf("other", { name: "shop" }).join()).toContain("must equal spec.etcdCluster.name");
  expect(errorsOf("other", { name: "shop", newName: "copy" })).toEqual([]);
});
