import { createClient, isForbidden } from "kubewright";
import { Namespace, Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../../test/virtual-cluster.js";
import { startCluster } from "../../index.js";

const containers = [{ name: "main", image: "a:1" }];

test("a pod in a new namespace waits for the ServiceAccount default, which starts workloads that start when needed", async () => {
  await using cluster = await startCluster({ workloads: { nodes: 0, start: "when needed" } });
  const client = createClient(cluster.transport);
  await client.create(Namespace, { metadata: { name: "team" } });
  const pod = await client.create(Pod, { metadata: { namespace: "team", name: "a" }, spec: { containers } });
  expect(pod.spec?.serviceAccountName).toBe("default");
  expect(pod.spec?.volumes?.[0]?.name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
});

test("pods with equal specs share their spec, the token volume included", async () => {
  await using world = await startVirtualCluster({ nodes: 0 });
  const { client } = world;
  const create = (name: string) =>
    client.create(Pod, { metadata: { namespace: "default", name }, spec: { containers } });
  const [first, second] = [await create("a"), await create("b")];
  expect(second.spec?.volumes).toEqual(first.spec?.volumes);
});

test("without the ServiceAccount controller the plugin is off", async () => {
  await using world = await startVirtualCluster({ nodes: 0, without: ["serviceaccount-controller"] });
  const { client } = world;
  const pod = await client.create(Pod, { metadata: { namespace: "default", name: "a" }, spec: { containers } });
  expect(pod.spec?.serviceAccountName).toBeUndefined();
});

test("without controllers a pod without the ServiceAccount default is rejected at once", async () => {
  await using cluster = await startCluster({ enableAdmissionPlugins: ["ServiceAccount"] });
  const client = createClient(cluster.transport);
  const create = client.create(Pod, { metadata: { namespace: "default", name: "a" }, spec: { containers } });
  const error = await create.catch((why: unknown) => why);
  expect(isForbidden(error)).toBe(true);
  expect(String(error)).toContain(
    'error looking up service account default/default: serviceaccount "default" not found',
  );
});
