/** The etcd operator as its users run it: real etcd in containers of a real node, backed up, destroyed and restored. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { installedNodePrograms, missingForRealNode } from "@kubewright/cluster/real-node";
import { realCacheDir } from "@kubewright/testing/control-plane";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const execute = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..");
const images = ["etcd-v3.2.13.tar", "busybox-1.28.0-glibc.tar"].map((file) =>
  join(realCacheDir(), "etcd-images", file),
);
const missing = [
  ...missingForRealNode(installedNodePrograms()),
  ...(images.every(existsSync) ? [] : ['images of etcd and busybox: "npm run etcd:images"']),
];
if (missing.length > 0)
  process.stderr.write(`SKIPPED: no etcd runs on this machine. Missing:\n  - ${missing.join("\n  - ")}\n`);

const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";

/** With the image, the command and the environment of the former operator's manifest. */
const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: etcd-operator }
spec:
  replicas: 1
  selector: { matchLabels: { name: etcd-operator } }
  template:
    metadata: { labels: { name: etcd-operator } }
    spec:
      serviceAccountName: etcd-operator
      containers:
        - name: etcd-operator
          image: quay.io/coreos/etcd-operator:v0.9.4
          command: [etcd-operator]
          env:
            - { name: MY_POD_NAMESPACE, valueFrom: { fieldRef: { fieldPath: metadata.namespace } } }
            - { name: MY_POD_NAME, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: install-crds }
rules:
  - { apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [create, get, list, patch, watch] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: install-crds }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: install-crds }
subjects: [{ kind: ServiceAccount, name: etcd-operator, namespace: default }]
`;

const clusterOf = (size: number): string => `
apiVersion: etcd.database.coreos.com/v1beta2
kind: EtcdCluster
metadata: { name: shop }
spec: { size: ${size}, version: "3.2.13" }
`;

const backup = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: backups }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: etcd.database.coreos.com/v1beta2
kind: EtcdBackup
metadata: { name: shop }
spec:
  etcdEndpoints: ["http://shop-client:2379"]
  storageType: PersistentVolumeClaim
  persistentVolumeClaim: { claimName: backups, path: shop/etcd }
`;

const restore = `
apiVersion: etcd.database.coreos.com/v1beta2
kind: EtcdRestore
metadata: { name: shop }
spec:
  etcdCluster: { name: shop }
  backupStorageType: PersistentVolumeClaim
  persistentVolumeClaim: { claimName: backups, path: shop/etcd }
`;

describe.skipIf(missing.length > 0)("the etcd operator on a real node", () => {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-etcd-"));
  const kubeconfig = join(folder, "kubeconfig");
  const env = { ...process.env, KUBEWRIGHT_STATE_DIR: join(folder, "state"), KUBECONFIG: kubeconfig };
  let cluster: ChildProcess;

  const typescript = (...args: string[]): readonly [string, string[]] => [
    process.execPath,
    ["--conditions=kubewright-source", "--import=tsx", ...args],
  ];
  const runTypescript = async (...args: string[]): Promise<void> => {
    await execute(...typescript(...args), { env, cwd: root });
  };
  const cli = join("packages", "cli", "src", "main.ts");
  const run = async (command: string): Promise<string> =>
    (await execute(kubectl, command.split(" "), { env, cwd: root, timeout: 180_000 })).stdout.trim();
  const apply = async (manifest: string): Promise<void> => {
    const file = join(folder, "manifest.yaml");
    writeFileSync(file, manifest);
    await run(`apply -f ${file}`);
  };
  const untilMembers = async (size: number): Promise<void> => {
    await run(`wait etcdcluster/shop --for=jsonpath={.status.size}=${size} --timeout=120s`);
    await run("wait pods -l app=etcd --for=condition=Ready --timeout=60s");
  };
  const member = async (): Promise<string> =>
    run("get pods -l app=etcd --field-selector=status.phase=Running -o jsonpath={.items[0].metadata.name}");
  const etcdctl = async (command: string): Promise<string> =>
    run(`exec ${await member()} -c etcd -- etcdctl ${command}`);
  const revision = async (): Promise<number> =>
    JSON.parse(await etcdctl("endpoint status -w json"))[0].Status.header.revision;

  beforeAll(async () => {
    cluster = spawn(...typescript(cli, "cluster", "start", "--real-node", "--kubeconfig", kubeconfig, "-o", "json"), {
      env,
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (cluster.stdout === null) throw new Error("no standard output");
    await once(createInterface({ input: cluster.stdout }), "line");
    await runTypescript(join("tools", "etcd", "main.ts"), "operator", "--out", folder);
    const operatorImage = join(folder, "etcd-operator-v0.9.4.tar");
    for (const image of [...images, operatorImage]) await runTypescript(cli, "cluster", "load-image", image);
    const source = join("operators", "etcd", "src", "index.ts");
    const config = join(folder, "config");
    await runTypescript(cli, "generate", source, "--out", config, "--namespace", "default", "--image", "unused:1");
    const files = readdirSync(join(config, "rbac")).filter((file) => file !== "kustomization.yaml");
    for (const file of files) await run(`apply -f ${join(config, "rbac", file)}`);
    await apply(deployment);
    await run("rollout status deployment/etcd-operator --timeout=90s");
  }, 300_000);

  afterAll(async () => {
    cluster.kill("SIGTERM");
    await once(cluster, "exit");
    rmSync(folder, { recursive: true });
  });

  test("a cluster of one member gets a second one, which joins it", { timeout: 300_000 }, async () => {
    for (const state of ["create", "condition=Established"])
      await run(`wait crd/etcdclusters.etcd.database.coreos.com --for=${state} --timeout=60s`);
    await apply(clusterOf(1));
    await untilMembers(1);
    await apply(clusterOf(2));
    await untilMembers(2);
    expect((await etcdctl("member list")).split("\n").map((line) => line.split(", ")[1])).toEqual([
      "started",
      "started",
    ]);
  });

  test("after a backup and the deletion of everything else, a restore has the same data and revision", {
    timeout: 300_000,
  }, async () => {
    for (const number of [1, 2, 3]) await etcdctl(`put key${number} value${number}`);
    const before = await revision();
    await apply(backup);
    await run("wait etcdbackup/shop --for=condition=Ready --timeout=120s");
    expect(await run("get etcdbackup shop -o jsonpath={.status.etcdRevision}")).toBe(String(before));
    await run("delete etcdcluster shop");
    await run("wait pods,pvc -l app=etcd --for=delete --timeout=120s");
    await apply(clusterOf(2));
    await apply(restore);
    await run("wait etcdrestore/shop --for=condition=Ready --timeout=180s");
    expect(await revision()).toBe(before);
    expect(await etcdctl("get --prefix key")).toBe("key1\nvalue1\nkey2\nvalue2\nkey3\nvalue3");
    expect(await run("get pods -l app=etcd -o name")).toMatch(/^pod\/shop-\w+\npod\/shop-\w+$/);
  });
});
