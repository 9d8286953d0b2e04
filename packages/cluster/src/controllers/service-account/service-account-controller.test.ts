import { Namespace, ServiceAccount } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../../test/virtual-cluster.js";

test("every namespace has the ServiceAccount default, recreated after a deletion, except while it terminates", async () => {
  await using world = await startVirtualCluster({ nodes: 0 });
  const { client, rest } = world;
  const account = { namespace: "team", name: "default" };
  await client.create(Namespace, { metadata: { name: "team" } });
  await rest();
  const first = await client.get(ServiceAccount, account);
  await client.delete(ServiceAccount, account);
  await rest();
  expect((await client.get(ServiceAccount, account)).metadata.uid).not.toBe(first.metadata.uid);
  await client.delete(Namespace, "team");
  await rest();
  expect(await client.find(Namespace, "team")).toBeUndefined();
  expect(await client.find(ServiceAccount, { namespace: "default", name: "default" })).toBeDefined();
});
