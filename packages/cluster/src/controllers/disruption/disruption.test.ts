import { isTooManyRequests } from "kubewright/errors";
import { Deployment } from "kubewright/k8s/apps/v1";
import { Pod } from "kubewright/k8s/core/v1";
import { PodDisruptionBudget } from "kubewright/k8s/policy/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../../test/virtual-cluster.js";

test("a PDB counts the Pods of its Deployment, allows as many evictions as maxUnavailable, and recovers with its Pods", async () => {
  await using world = await startVirtualCluster({ nodes: 1 });
  const { client, rest } = world;
  const labels = { app: "web" };
  await client.create(Deployment, {
    metadata: { name: "web" },
    spec: {
      replicas: 4,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "web:1" }] } },
    },
  });
  const selector = { matchLabels: labels };
  await client.create(PodDisruptionBudget, { metadata: { name: "web" }, spec: { selector, maxUnavailable: "25%" } });
  await rest();
  const status = async () => (await client.get(PodDisruptionBudget, "web")).status;
  expect(await status()).toMatchObject({
    expectedPods: 4,
    desiredHealthy: 3,
    currentHealthy: 4,
    disruptionsAllowed: 1,
  });
  const [first, second] = (await client.listPage(Pod)).items.map(({ metadata }) => metadata.name);
  await client.evict(first ?? "");
  const rejected = await client.evict(second ?? "").catch((error: unknown) => error);
  expect(isTooManyRequests(rejected)).toBe(true);
  await rest();
  expect(await status()).toMatchObject({ currentHealthy: 4, disruptionsAllowed: 1 });
  expect(await client.find(Pod, first ?? "")).toBeUndefined();
  await client.patch(PodDisruptionBudget, "web", { merge: { spec: { maxUnavailable: null, minAvailable: 4 } } });
  await rest();
  expect((await status())?.conditions).toMatchObject([
    { type: "DisruptionAllowed", status: "False", reason: "InsufficientPods" },
  ]);
});

test("a DisruptionTarget condition becomes False after two minutes if the Pod is not deleted", async () => {
  await using world = await startVirtualCluster({ nodes: 1 });
  const { client, advance, clock } = world;
  await client.create(Pod, { metadata: { name: "one" }, spec: { containers: [{ name: "main", image: "web:1" }] } });
  const lastTransitionTime = new Date(clock.now()).toISOString().replace(/\.\d+/, "");
  const conditions = [
    { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI", lastTransitionTime },
  ];
  await client.patchStatus(Pod, "one", { strategic: { status: { conditions } } });
  const disrupted = async () =>
    (await client.get(Pod, "one")).status?.conditions?.find(({ type }) => type === "DisruptionTarget")?.status;
  await advance(119);
  expect(await disrupted()).toBe("True");
  await advance(2);
  expect(await disrupted()).toBe("False");
});
