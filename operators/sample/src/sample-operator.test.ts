import { PermissionLog, testCluster } from "@kubewright/testing";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { Sample, sampleOperator } from "./index.js";

test("every Sample has a report, those created before the operator started included", async () => {
  await using cluster = await testCluster(sampleOperator, { start: false });
  await cluster.create(Sample, { metadata: { name: "early" }, testString: "first" });
  await cluster.startOperator();
  await cluster.create(Sample, { metadata: { name: "late" }, testString: "second" });
  await cluster.settle();
  expect((await cluster.get(ConfigMap, "early-report")).data).toEqual({ sample: "early", testString: "first" });
  expect((await cluster.get(ConfigMap, "late-report")).data).toEqual({ sample: "late", testString: "second" });
});

test("a change of a Sample updates its report", async () => {
  await using cluster = await testCluster(sampleOperator);
  await cluster.create(Sample, { metadata: { name: "one" }, testString: "before" });
  await cluster.settle();
  await cluster.patch(Sample, "one", { merge: { testString: "after" } });
  await cluster.settle();
  expect((await cluster.get(ConfigMap, "one-report")).data?.["testString"]).toBe("after");
});

test("a report that was changed or deleted is repaired", async () => {
  await using cluster = await testCluster(sampleOperator);
  await cluster.create(Sample, { metadata: { name: "one" }, testString: "true" });
  await cluster.settle();
  await cluster.patch(ConfigMap, "one-report", { merge: { data: { testString: "forged" } } });
  await cluster.settle();
  expect((await cluster.get(ConfigMap, "one-report")).data?.["testString"]).toBe("true");
  await cluster.delete(ConfigMap, "one-report");
  await cluster.settle();
  expect((await cluster.get(ConfigMap, "one-report")).data?.["testString"]).toBe("true");
});

test("the report of a deleted Sample is garbage-collected", async ({ skip }) => {
  await using cluster = await testCluster(sampleOperator);
  if (!cluster.collectsGarbage) skip("kube-controller-manager is not installed: no garbage collection");
  await cluster.create(Sample, { metadata: { name: "one" } });
  await cluster.settle();
  await cluster.delete(Sample, "one");
  await cluster.settle();
  expect(await cluster.find(ConfigMap, "one-report")).toBeUndefined();
});

test("an idle operator sends no requests", async () => {
  await using cluster = await testCluster(sampleOperator);
  for (const name of ["one", "two", "three"]) await cluster.create(Sample, { metadata: { name } });
  await cluster.settle();
  const before = cluster.operatorRequests;
  await cluster.advance("80s"); // shorter than the time after which an idle watch is reopened
  expect(cluster.operatorRequests).toBe(before);
});

test("the operator uses exactly the permissions of its role", async () => {
  const permissions = new PermissionLog();
  await using cluster = await testCluster(sampleOperator, { permissions });
  await cluster.create(Sample, { metadata: { name: "one" }, testString: "a" });
  await cluster.settle();
  permissions.check(sampleOperator.rules(), {
    neverUsed: [
      "create events.events.k8s.io", // only after failures
      "patch events.events.k8s.io",
      "delete configmaps", // by garbage collection
      "get configmaps", // after a conflict
      "get samples.example.com", // after a conflict
      "patch samples.example.com", // for a finalizer, which it does not have
    ],
  });
});
