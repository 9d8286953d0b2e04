import fc from "fast-check";
import { isForbidden } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { ConfigMap, Namespace, Node, Pod, ResourceQuota } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { startVirtualCluster, type VirtualCluster } from "../../../test/virtual-cluster.js";

const namespace = "team";

async function start(): Promise<VirtualCluster> {
  const world = await startVirtualCluster({ nodes: 1 });
  await world.client.create(Namespace, { metadata: { name: namespace } });
  await world.rest();
  return world;
}

async function limit({ client, rest }: VirtualCluster, hard: Readonly<Record<string, string>>): Promise<void> {
  await client.create(ResourceQuota, { metadata: { namespace, name: "all" }, spec: { hard } });
  await rest();
}

async function used({ client, rest }: VirtualCluster): Promise<Readonly<Record<string, string | number>>> {
  await rest();
  return (await client.get(ResourceQuota, { namespace, name: "all" })).status?.used ?? {};
}

function pod(name: string, cpu: string) {
  const containers = [{ name: "app", image: "app:1", resources: { requests: { cpu } } }];
  return { metadata: { namespace, name }, spec: { containers } };
}

test("for any Pod creations and deletions, a quota is never exceeded and finally reports the actual usage", async () => {
  const steps = fc.array(
    fc.record({ do: fc.constantFrom("create", "delete"), at: fc.nat(5), cpu: fc.integer({ min: 1, max: 9 }) }),
    {
      minLength: 5,
      maxLength: 15,
    },
  );
  await using world = await start();
  const { client } = world;
  await limit(world, { pods: "4", "requests.cpu": "2" });
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const written = plan.map(async ({ do: what, at, cpu }) => {
        if (what === "delete")
          return void (await client.delete(Pod, { namespace, name: `p${at}` }).catch(() => undefined));
        await client.create(Pod, pod(`p${at}`, `${cpu}00m`)).catch(() => undefined);
        let [count, sum] = [0, 0];
        for await (const one of client.list(Pod, { namespace })) {
          count++;
          sum += Number.parseInt(String(one.spec?.containers[0]?.resources?.requests?.["cpu"]), 10);
        }
        expect([count <= 4, sum <= 2_000]).toEqual([true, true]);
      });
      await Promise.all(written);
      await world.advance(60);
      let [count, sum] = [0, 0];
      for await (const one of client.list(Pod, { namespace })) {
        count++;
        sum += Number.parseInt(String(one.spec?.containers[0]?.resources?.requests?.["cpu"]), 10);
      }
      const reported = await used(world);
      expect(reported["pods"]).toBe(String(count));
      expect(reported["requests.cpu"]).toBe(sum % 1_000 === 0 ? String(sum / 1_000) : `${sum}m`);
    }),
    { numRuns: 4 },
  );
});

test("object count quotas count any kind, including a CRD that is created later", async () => {
  await using world = await start();
  const { client, rest } = world;
  await client.create(ConfigMap, { metadata: { namespace, name: "before" } });
  await limit(world, { "count/configmaps": "9", "count/widgets.example.com": "1" });
  const before = Number((await used(world))["count/configmaps"]);
  expect(before).toBeGreaterThan(0);
  await client.create(ConfigMap, { metadata: { namespace, name: "after" } });
  expect(await used(world)).toEqual({ "count/configmaps": String(before + 1) });
  await client.delete(ConfigMap, { namespace, name: "before" });
  expect(await used(world)).toEqual({ "count/configmaps": String(before) });
  const schema = { openAPIV3Schema: { type: "object" } };
  await client.create(CustomResourceDefinition, {
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Widget", plural: "widgets" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
  await rest();
  expect((await used(world))["count/widgets.example.com"]).toBe("0");
  const Widget = await client.kind("widgets.example.com");
  await client.create(Widget, { metadata: { namespace, name: "one" } });
  const rejected = await client
    .create(Widget, { metadata: { namespace, name: "two" } })
    .catch((error: unknown) => error);
  expect(isForbidden(rejected)).toBe(true);
  await client.delete(Widget, { namespace, name: "one" });
  expect((await used(world))["count/widgets.example.com"]).toBe("0");
});

test("a Pod stuck in deletion no longer counts one grace period after its deletionTimestamp", async () => {
  await using world = await start();
  const { client } = world;
  await limit(world, { pods: "1" });
  const silent = { metadata: { annotations: { "simulation.kubewright.dev/silent": "true" } } };
  await client.create(Pod, {
    ...pod("stuck", "1m"),
    metadata: { namespace, name: "stuck", finalizers: ["example.com/hold"] },
  });
  await world.rest();
  await client.patch(Node, "node-1", { merge: silent });
  await world.rest();
  await client.delete(Pod, { namespace, name: "stuck" });
  expect(await used(world)).toEqual({ pods: "1" });
  await world.advance(61);
  expect(await used(world)).toEqual({ pods: "0" });
  expect(await client.find(Pod, { namespace, name: "stuck" })).toBeDefined();
});
