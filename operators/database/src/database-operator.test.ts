import { fileURLToPath } from "node:url";
import { PermissionLog, type TestCluster, testCluster } from "@kubewright/testing";
import { StatefulSet } from "kubewright/k8s/apps/v1";
import { Job } from "kubewright/k8s/batch/v1";
import { Secret, Service } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { Database, databaseOperator } from "./index.js";

const samples = fileURLToPath(new URL("../samples", import.meta.url));

async function jobNames(cluster: TestCluster): Promise<string[]> {
  const names: string[] = [];
  for await (const job of cluster.list(Job)) names.push(job.metadata.name);
  return names;
}

/** Pods become ready by themselves in the embedded cluster; a real control plane has no nodes. */
async function becomeReady(cluster: TestCluster, replicas: number): Promise<void> {
  await cluster.settle();
  if (!cluster.runsPods) {
    const status = { replicas, readyReplicas: replicas, currentReplicas: replicas, updatedReplicas: replicas };
    await cluster.patchStatus(StatefulSet, "shop", { merge: { status } });
  }
  await cluster.settle();
}

test("a Database becomes Ready with a StatefulSet, a Service and a password that stays", async () => {
  await using cluster = await testCluster(databaseOperator, { manifests: [samples] });
  await becomeReady(cluster, 2);
  expect((await cluster.conditions(Database, "shop")).Ready?.reason).toBe("Available");
  expect((await cluster.get(Service, "shop")).spec?.clusterIP).toBe("None");
  const { data } = await cluster.get(Secret, "shop-password");
  expect(data?.["password"]).toHaveLength(44);
  await cluster.patch(Database, "shop", { merge: { spec: { image: "postgres:18" } } });
  await cluster.settle();
  expect((await cluster.get(Secret, "shop-password")).data).toEqual(data);
});

test("a Database waits for the Secret that it names, and restarts its Pods when the password changes", async () => {
  await using cluster = await testCluster(databaseOperator);
  const spec = { image: "postgres:17", passwordSecret: "given" };
  await cluster.create(Database, { metadata: { name: "shop" }, spec });
  await cluster.settle();
  expect((await cluster.conditions(Database, "shop")).Ready?.reason).toBe("PasswordMissing");
  expect(await cluster.find(StatefulSet, "shop")).toBeUndefined();

  await cluster.create(Secret, { metadata: { name: "given" }, stringData: { password: "one" } });
  await becomeReady(cluster, 1);
  expect((await cluster.conditions(Database, "shop")).Ready?.reason).toBe("Available");
  const { annotations } = (await cluster.get(StatefulSet, "shop")).spec.template.metadata ?? {};

  await cluster.patch(Secret, "given", { merge: { stringData: { password: "two" } } });
  await cluster.settle();
  expect((await cluster.get(StatefulSet, "shop")).spec.template.metadata?.annotations).not.toEqual(annotations);
});

test("a Database is backed up every hour, and the last three Jobs are kept", async ({ skip }) => {
  await using cluster = await testCluster(databaseOperator, { manifests: [samples] });
  if (!cluster.runsPods) skip("Hours take minutes on a real server, where each timer is followed by a quiet second");
  await cluster.patch(Database, "shop", { merge: { spec: { backup: { everyHours: 1 } } } });
  await becomeReady(cluster, 2);
  const [first = "", ...others] = await jobNames(cluster);
  expect(others).toEqual([]);
  await cluster.advance("50m");
  expect(await jobNames(cluster)).toEqual([first]);
  await cluster.advance("3h");
  const names = await jobNames(cluster);
  expect(names).toHaveLength(3);
  expect(names).not.toContain(first);
  expect((await cluster.get(Database, "shop")).status?.lastSuccessfulBackup).toBe(names[2]);
});

test("a deleted password is generated again, and the Pods restart with it", async () => {
  await using cluster = await testCluster(databaseOperator, { manifests: [samples] });
  await becomeReady(cluster, 2);
  const before = await cluster.get(StatefulSet, "shop");
  await cluster.delete(Secret, "shop-password");
  await cluster.settle();
  expect((await cluster.get(Secret, "shop-password")).data?.["password"]).toHaveLength(44);
  expect((await cluster.get(StatefulSet, "shop")).metadata.generation).toBeGreaterThan(before.metadata.generation ?? 0);
});

test("the operator uses only the permissions of its role", async () => {
  const permissions = new PermissionLog();
  await using cluster = await testCluster(databaseOperator, { manifests: [samples], permissions });
  await becomeReady(cluster, 2);
  expect(permissions.compare(databaseOperator.rules()).undeclared).toEqual([]);
});
