import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import { expect, test } from "vitest";
import { shop, Website } from "../../test/website.js";
import { createClient } from "../client/index.js";
import { crdOf, ofCluster } from "../definition/index.js";
import { CustomResourceDefinition } from "../k8s/apiextensions/v1.gen.js";
import { ConfigMap, Pod, Secret } from "../k8s/core/v1.gen.js";
import { Event } from "../k8s/events/v1.gen.js";
import { controller, may } from "../reconcile/index.js";
import { watch } from "../route/index.js";
import { operator } from "./index.js";

const EdgeConfigMap = ofCluster("edge", ConfigMap);
const EdgeSecret = ofCluster("edge", Secret);
const EdgeWebsite = ofCluster("edge", Website);

async function twoClusters() {
  const clock = new FakeClock();
  const [home, edge] = await Promise.all([startCluster({ clock }), startCluster({ clock })]);
  return {
    clock,
    home: createClient(home.transport),
    edge: createClient(edge.transport),
    options: {
      transport: home.transport,
      clusters: { edge: { transport: edge.transport } },
      clock,
      random: () => 0.5,
      installCRDs: true,
    },
    settle: async (running: { readonly idle: boolean }): Promise<void> => {
      for (let quiet = 0; quiet < 3; quiet = home.idle && edge.idle && running.idle ? quiet + 1 : 0)
        await new Promise((resolve) => setImmediate(resolve));
    },
    [Symbol.asyncDispose]: async () => {
      await home.close();
      await edge.close();
    },
  };
}

test("a controller watches and reads a second cluster, and writes there what it declared", async () => {
  await using clusters = await twoClusters();
  const { home, edge } = clusters;
  const website = controller(Website, {
    uses: [may(EdgeSecret, "create")],
    watches: [watch(EdgeConfigMap, { labels: "site", to: ({ metadata }) => metadata.labels?.["site"] })],
    reconcile: async ({ object, list, create, status }) => {
      const [settings] = await list(EdgeConfigMap, { labels: { site: object.metadata.name } });
      status.url = settings?.data?.["url"] ?? "none";
      if (settings && status.availableReplicas !== 1)
        await create(EdgeSecret, { metadata: { name: "made", namespace: "default" } });
      status.availableReplicas = settings === undefined ? 0 : 1;
    },
  });
  await using running = await operator({ name: "two", controllers: [website] }).start(clusters.options);
  await home.create(Website, shop);
  await clusters.settle(running);
  expect((await home.get(Website, "shop")).status?.url).toBe("none");
  await edge.create(ConfigMap, { metadata: { name: "a", labels: { site: "shop" } }, data: { url: "https://edge" } });
  await home.create(ConfigMap, { metadata: { name: "b", labels: { site: "shop" } }, data: { url: "https://home" } });
  await clusters.settle(running);
  expect((await home.get(Website, "shop")).status?.url).toBe("https://edge");
  expect(await edge.find(Secret, "made")).toBeDefined();
  expect(await home.find(Secret, "made")).toBeUndefined();
  expect(running.failing()).toEqual([]);
});

test("a controller for a kind in another cluster uses that cluster for the CRD, children, status and events", async () => {
  await using clusters = await twoClusters();
  const { home, edge } = clusters;
  const website = controller(EdgeWebsite, {
    owns: [EdgeConfigMap],
    reconcile: async ({ object, apply, status, event }) => {
      await apply(EdgeConfigMap, { metadata: { name: object.metadata.name } });
      status.url = "https://edge";
      event("Normal", "Made", "It is there");
    },
  });
  await using running = await operator({ name: "away", controllers: [website] }).start(clusters.options);
  await edge.create(Website, shop);
  await clusters.settle(running);
  expect((await edge.get(Website, "shop")).status?.url).toBe("https://edge");
  expect((await edge.get(ConfigMap, "shop")).metadata.ownerReferences).toMatchObject([
    { kind: "Website", name: "shop" },
  ]);
  const reasons: unknown[] = [];
  for await (const { reason } of edge.list(Event)) reasons.push(reason);
  expect(reasons).toEqual(["Made"]);
  expect(await home.find(CustomResourceDefinition, "websites.web.example.com")).toBeUndefined();
});

test("what a run may do with a Pod of another cluster, it does there", async () => {
  await using clusters = await twoClusters();
  const { home, edge } = clusters;
  const EdgePod = ofCluster("edge", Pod);
  const failures: unknown[] = [];
  const website = controller(Website, {
    uses: [may(EdgePod, "evict", "exec", "log")],
    reconcile: async ({ evict, exec, logs }) => {
      await exec(EdgePod, "web", { command: ["ls"] }).catch(({ message }: Error) => failures.push(message));
      await logs(EdgePod, "web").catch(({ message }: Error) => failures.push(message));
      await evict(EdgePod, "web");
    },
  });
  await using running = await operator({ name: "two", controllers: [website] }).start(clusters.options);
  const spec = { nodeName: "edge-node", containers: [{ name: "web", image: "web:1" }] };
  for (const client of [home, edge]) await client.create(Pod, { metadata: { name: "web" }, spec });
  await home.create(Website, shop);
  await clusters.settle(running);
  // Only the edge has the Pod that is evicted; neither has its node.
  expect(failures).toHaveLength(2);
  const evicted = await edge.find(Pod, "web");
  expect(evicted === undefined || evicted.metadata.deletionTimestamp !== undefined).toBe(true);
  expect((await home.get(Pod, "web")).metadata.deletionTimestamp).toBeUndefined();
  expect(running.failing()).toEqual([]);
});

test("RBAC rules are per cluster; an unknown cluster, and children in another cluster, are rejected", async () => {
  const website = controller(Website, {
    uses: [EdgeSecret],
    watches: [watch(EdgeConfigMap, { to: () => "shop" })],
    reconcile: () => {},
  });
  const two = operator({ name: "two", controllers: [website] });
  const read = ["get", "list", "watch"];
  expect(two.rules({ cluster: "edge" })).toEqual([
    { apiGroups: [""], resources: ["configmaps", "secrets"], verbs: read },
  ]);
  expect(JSON.stringify(two.rules())).not.toContain("configmaps");
  await using clusters = await twoClusters();
  const { transport } = clusters.options;
  await expect(two.start({ transport })).rejects.toThrow(
    'Cannot reach cluster "edge": the operator was not started with it; give it in `clusters`',
  );
  await expect(two.start({ ...clusters.options, installCRDs: false })).rejects.toThrow(/does not serve Website/);
  expect(() => controller(Website, { owns: [EdgeConfigMap], reconcile: () => {} })).toThrow(
    "owner references do not cross clusters",
  );
  expect(() => ofCluster("No/Name", Secret)).toThrow('Cannot name a cluster "No/Name"');
});

test("a kind whose CRD is created is watched immediately, also after the CRD was deleted and created again", async () => {
  await using clusters = await twoClusters();
  const { home, clock } = clusters;
  const seen: string[] = [];
  const website = controller(Website, { reconcile: ({ object }) => void seen.push(object.metadata.name) });
  const { clusters: _, installCRDs: __, ...options } = clusters.options;
  const start = { ...options, missingKinds: "wait" as const };
  await using running = await operator({ name: "waiting", controllers: [website] }).start(start);
  const turns = async (): Promise<void> => {
    for (let count = 0; count < 100; count++) await new Promise((resolve) => setImmediate(resolve));
  };
  await turns();
  expect([running.synced, running.whyNotReady()]).toEqual([false, undefined]);
  for (let round = 1; round <= 3; round++) {
    await home.create(CustomResourceDefinition, crdOf(Website));
    await turns();
    expect(running.whyNotReady()).toBeUndefined();
    await home.create(Website, { ...shop, metadata: { name: `shop-${round}` } });
    await turns();
    expect(seen.at(-1)).toBe(`shop-${round}`);
    await home.delete(CustomResourceDefinition, "websites.web.example.com");
    await turns();
    // The backoff after the server closed the watch.
    clock.advance(2_000);
    await turns();
    expect(running.whyNotReady()).toBeUndefined();
  }
  expect([...new Set(seen)]).toEqual(["shop-1", "shop-2", "shop-3"]);
});

test("clusters can be added and removed while the operator runs; a cluster's controllers are removed with it", async () => {
  await using clusters = await twoClusters();
  const { edge } = clusters;
  const { clusters: others, installCRDs: _, ...options } = clusters.options;
  const seen: string[] = [];
  const own = controller(ConfigMap, { name: "own", reconcile: () => {} });
  const away = controller(EdgeSecret, {
    name: "away",
    reconcile: ({ object }) => void seen.push(object.metadata.name),
  });
  await using running = await operator({ name: "fleet", controllers: [own] }).start(options);
  await expect(running.add(away)).rejects.toThrow('Cannot reach cluster "edge"');
  for (const round of ["one", "two"]) {
    running.addCluster("edge", { ...others.edge, namespace: "default" });
    expect(() => running.addCluster("edge", others.edge)).toThrow("the name is taken");
    await running.add(away);
    await edge.create(Secret, { metadata: { name: round } });
    await clusters.settle(running);
    expect(seen).toContain(round);
    await running.removeCluster("edge");
    await edge.create(Secret, { metadata: { name: `${round}-unseen` } });
    await clusters.settle(running);
    expect(seen).not.toContain(`${round}-unseen`);
    await edge.delete(Secret, `${round}-unseen`);
  }
  await running.removeCluster("edge");
  expect(running.whyNotReady()).toBeUndefined();
});
