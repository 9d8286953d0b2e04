import { checkLocally } from "kubewright/crd";
import { expect, test } from "vitest";
import type { ReadEtcdCluster } from "../resources/etcd-cluster.js";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { memberPod } from "./member-pod.js";

function podOf(spec: object) {
  const { object, errors } = checkLocally(EtcdCluster, { metadata: { name: "shop" }, spec: { size: 3, ...spec } });
  expect(errors).toEqual([]);
  const metadata = { ...(object as ReadEtcdCluster).metadata, uid: "1", namespace: "db" };
  const cluster = { ...(object as ReadEtcdCluster), metadata };
  return memberPod({ cluster, member: "shop-a", version: "3.6.4", start: { kind: "new" }, hasVolume: true });
}

test("labels and annotations of the pod policy are added, and cannot hide those of the operator", () => {
  const { metadata } = podOf({ pod: { labels: { team: "a" }, annotations: { "etcd.version": "9.9.9", note: "b" } } });
  expect(metadata.labels).toEqual({ team: "a", app: "etcd", etcd_cluster: "shop", etcd_node: "shop-a" });
  expect(metadata.annotations).toMatchObject({ "etcd.version": "3.6.4", note: "b" });
});

test("a member is ready while it serves clients, and alive while it responds", () => {
  const [etcd] = podOf({}).spec.containers;
  const commands = [etcd?.livenessProbe, etcd?.readinessProbe].map((probe) => probe?.exec?.command?.slice(2));
  expect(commands).toEqual([
    ["endpoint", "status"],
    ["--command-timeout=4s", "get", "health", "--keys-only"],
  ]);
});

test("quota, compaction and environment reach etcd", () => {
  const { spec } = podOf({
    quotaBackendBytes: 4_294_967_296,
    compaction: { mode: "Revision", retention: "1000" },
    pod: { etcdEnv: [{ name: "ETCD_HEARTBEAT_INTERVAL", value: "500" }] },
  });
  expect(spec.containers[0]?.command).toEqual(
    expect.arrayContaining([
      "--quota-backend-bytes=4294967296",
      "--auto-compaction-mode=revision",
      "--auto-compaction-retention=1000",
    ]),
  );
  expect(spec.containers[0]?.env).toContainEqual({ name: "ETCD_HEARTBEAT_INTERVAL", value: "500" });
});

test("antiAffinity keeps members on different nodes, unless affinity is given", () => {
  const required = podOf({ pod: { antiAffinity: true } }).spec.affinity?.podAntiAffinity;
  expect(required?.requiredDuringSchedulingIgnoredDuringExecution).toEqual([
    { labelSelector: { matchLabels: { app: "etcd", etcd_cluster: "shop" } }, topologyKey: "kubernetes.io/hostname" },
  ]);
  expect(podOf({ pod: { antiAffinity: true, affinity: { nodeAffinity: {} } } }).spec.affinity).toEqual({
    nodeAffinity: {},
  });
});

test("a member waits for its own DNS name, for ever or as long as the pod policy says", () => {
  const commandOf = (pod: object) => podOf({ pod }).spec.initContainers?.[0]?.command?.[2];
  expect(commandOf({})).toMatch(/nslookup "shop-a\.shop\.db\.svc\$/);
  expect(commandOf({})).not.toContain("exit 1");
  expect(commandOf({ DNSTimeoutInSecond: 30, ClusterDomain: ".cluster.local" })).toMatch(
    /svc\.cluster\.local\$.*-lt 30 \] \|\| exit 1/,
  );
});
