import { ResourceQuota } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../../test/virtual-cluster.js";

test("a status that another client changed is corrected by the resync after five minutes", async () => {
  await using world = await startVirtualCluster({ nodes: 0 });
  const { client, rest, advance } = world;
  const quota = { namespace: "default", name: "q" };
  await client.create(ResourceQuota, { metadata: quota, spec: { hard: { configmaps: "10" } } });
  await rest();
  const used = async () => (await client.get(ResourceQuota, quota)).status?.used?.["configmaps"];
  const counted = await used();
  await client.patchStatus(ResourceQuota, quota, { merge: { status: { used: { configmaps: "9" } } } });
  await advance(200);
  expect(await used()).toBe("9");
  await advance(110);
  expect(await used()).toBe(counted);
});
