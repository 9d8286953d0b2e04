import { PermissionLog, PodStage, type TestCluster, testCluster } from "@kubewright/testing";
import { isInvalid } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { Event } from "kubewright/k8s/events/v1";
import { expect, test } from "vitest";
import { Foo, fooOperator } from "./index.js";

const foo = (name: string, replicas?: number) => ({
  metadata: { name },
  spec: { deploymentName: `${name}-web`, ...(replicas !== undefined && { replicas }) },
});

async function eventReasons(cluster: TestCluster, name: string): Promise<string[]> {
  const reasons: string[] = [];
  for await (const event of cluster.list(Event)) {
    if (event.regarding?.name === name) reasons.push(`${event.type} ${event.reason}`);
  }
  return reasons.sort();
}

test("a Foo creates the Deployment that it names, and owns it", async () => {
  await using cluster = await testCluster(fooOperator);
  const { metadata } = await cluster.create(Foo, foo("shop", 3));
  await cluster.settle();
  const deployment = await cluster.get(Deployment, "shop-web");
  expect(deployment.spec.replicas).toBe(3);
  expect(deployment.spec.selector.matchLabels).toEqual({ app: "nginx", controller: "shop" });
  expect(deployment.spec.template.spec?.containers).toMatchObject([{ name: "nginx", image: "nginx:latest" }]);
  expect(deployment.metadata.ownerReferences).toEqual([
    {
      apiVersion: "samplecontroller.k8s.io/v1alpha1",
      kind: "Foo",
      name: "shop",
      uid: metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ]);
  expect(deployment.metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`)).toContain(
    "sample-controller Apply",
  );
  expect(await eventReasons(cluster, "shop")).toEqual(["Normal Synced"]);
});

test("without webhooks, a Foo without spec.replicas gets one replica of its Deployment", async () => {
  await using cluster = await testCluster(fooOperator, { webhooks: false });
  await cluster.create(Foo, foo("shop"));
  await cluster.settle();
  expect((await cluster.get(Deployment, "shop-web")).spec.replicas).toBe(1);
});

test("a change of a Foo updates its Deployment", async () => {
  await using cluster = await testCluster(fooOperator);
  await cluster.create(Foo, foo("shop", 1));
  await cluster.settle();
  await cluster.patch(Foo, "shop", { merge: { spec: { replicas: 4 } } });
  await cluster.settle();
  expect((await cluster.get(Deployment, "shop-web")).spec.replicas).toBe(4);
});

test("drift of the Deployment is repaired", async () => {
  await using cluster = await testCluster(fooOperator);
  await cluster.create(Foo, foo("shop", 2));
  await cluster.settle();
  await cluster.patch(Deployment, "shop-web", { merge: { spec: { replicas: 7 } } });
  await cluster.settle();
  expect((await cluster.get(Deployment, "shop-web")).spec.replicas).toBe(2);
});

test("a deleted Deployment is recreated", async () => {
  await using cluster = await testCluster(fooOperator);
  await cluster.create(Foo, foo("shop", 2));
  await cluster.settle();
  const { uid } = (await cluster.get(Deployment, "shop-web")).metadata;
  await cluster.delete(Deployment, "shop-web");
  await cluster.settle();
  const again = await cluster.get(Deployment, "shop-web");
  expect(again.metadata.uid).not.toBe(uid);
  expect(again.spec.replicas).toBe(2);
});

test("a Foo reports the available replicas of its Deployment", async () => {
  await using cluster = await testCluster(fooOperator, { workloads: false });
  await cluster.create(Foo, foo("shop", 2));
  await cluster.settle();
  expect((await cluster.get(Foo, "shop")).status?.availableReplicas).toBe(0);
  await cluster.patchStatus(Deployment, "shop-web", {
    merge: { status: { replicas: 2, availableReplicas: 2, readyReplicas: 2 } },
  });
  await cluster.settle();
  expect((await cluster.get(Foo, "shop")).status?.availableReplicas).toBe(2);
});

test("a Foo reports Pods that become available, fail and recover", async ({ skip }) => {
  await using cluster = await testCluster(fooOperator, { workloads: true });
  if (!cluster.runsPods) skip("This cluster has no nodes: Pods do not run");
  await cluster.create(Foo, foo("shop", 3));
  await cluster.settle();
  expect((await cluster.get(Foo, "shop")).status?.availableReplicas).toBe(3);

  const failing = { selector: { matchLabels: { controller: "shop" } }, run: { exitCode: 1 } };
  await cluster.create(PodStage, { metadata: { name: "failing" }, spec: failing });
  await cluster.settle();
  expect((await cluster.get(Foo, "shop")).status?.availableReplicas).toBe(0);

  await cluster.delete(PodStage, "failing");
  await cluster.settle();
  expect((await cluster.get(Foo, "shop")).status?.availableReplicas).toBe(3);
});

test("a Deployment that the Foo does not control is not changed: a Warning event is recorded, and the Foo recovers once it is deleted", async () => {
  await using cluster = await testCluster(fooOperator);
  const labels = { app: "other" };
  await cluster.create(Deployment, {
    metadata: { name: "shop-web" },
    spec: {
      replicas: 5,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "other", image: "other:1" }] } },
    },
  });
  await cluster.create(Foo, foo("shop", 2));
  await cluster.settle({ allowFailing: true });
  const foreign = await cluster.get(Deployment, "shop-web");
  expect(foreign.spec.replicas).toBe(5);
  expect(foreign.metadata.ownerReferences).toBeUndefined();
  expect(await eventReasons(cluster, "shop")).toEqual(["Warning ErrResourceExists"]);

  await cluster.delete(Deployment, "shop-web");
  await cluster.advance("40s"); // past the next resync and every pending retry
  expect((await cluster.get(Deployment, "shop-web")).spec.replicas).toBe(2);
  expect(await eventReasons(cluster, "shop")).toEqual(["Normal Synced", "Warning ErrResourceExists"]);
});

test("the Deployment of a deleted Foo is garbage-collected", async ({ skip }) => {
  await using cluster = await testCluster(fooOperator);
  if (!cluster.collectsGarbage) skip("kube-controller-manager is not installed: no garbage collection");
  await cluster.create(Foo, foo("shop"));
  await cluster.settle();
  await cluster.delete(Foo, "shop");
  await cluster.settle();
  expect(await cluster.find(Deployment, "shop-web")).toBeUndefined();
  expect(await cluster.find(Foo, "shop")).toBeUndefined();
});

test("without webhooks, a Foo without spec.deploymentName is reconciled once it is set", async () => {
  await using cluster = await testCluster(fooOperator, { webhooks: false });
  await cluster.create(Foo, { metadata: { name: "shop" }, spec: { deploymentName: "" } });
  await cluster.settle();
  expect((await cluster.get(Foo, "shop")).status).toBeUndefined();
  await cluster.patch(Foo, "shop", { merge: { spec: { deploymentName: "late" } } });
  await cluster.settle();
  expect((await cluster.get(Deployment, "late")).spec.replicas).toBe(1);
});

test("a Foo with more than ten replicas is rejected by its schema", async () => {
  await using cluster = await testCluster(fooOperator);
  const error = await cluster.create(Foo, foo("shop", 11)).catch((reason: unknown) => reason);
  expect(isInvalid(error) && error.status.message).toContain(
    "spec.replicas in body should be less than or equal to 10",
  );
});

test("a settled Foo causes no writes on resync", async () => {
  await using cluster = await testCluster(fooOperator);
  await cluster.create(Foo, foo("shop", 2));
  await cluster.settle();
  const before = { foo: await cluster.get(Foo, "shop"), deployment: await cluster.get(Deployment, "shop-web") };
  await cluster.advance("5m");
  expect(await cluster.get(Foo, "shop")).toEqual(before.foo);
  expect(await cluster.get(Deployment, "shop-web")).toEqual(before.deployment);
});

test("the operator uses exactly the permissions of its role", async () => {
  const permissions = new PermissionLog();
  await using cluster = await testCluster(fooOperator, { permissions });
  await cluster.create(Foo, foo("shop", 3));
  await cluster.settle();
  permissions.check(fooOperator.rules(), {
    neverUsed: [
      "delete deployments.apps", // by garbage collection
      "get deployments.apps", // after a conflict
      "get foos.samplecontroller.k8s.io", // after a conflict
      "patch foos.samplecontroller.k8s.io", // for a finalizer, which it does not have
    ],
  });
});
