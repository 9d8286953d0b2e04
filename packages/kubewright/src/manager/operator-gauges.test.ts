import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import { Counter, Gauge } from "prom-client";
import { beforeEach, expect, test } from "vitest";
import { CustomResourceDefinition } from "../../test/kinds.js";
import { shop, Website } from "../../test/website.js";
import { createClient } from "../client/index.js";
import { crdOf } from "../definition/index.js";
import { createMetrics } from "../metrics/index.js";
import { controller } from "../reconcile/index.js";
import { operator } from "./index.js";

const sites = new Gauge({ name: "sites_open", help: "Open sites", labelNames: ["name"], registers: [] });

beforeEach(() => sites.reset());

const website = controller(Website, {
  backoff: { first: "1h", max: "1h" },
  gone: ({ name }) => sites.remove({ name }),
  reconcile: ({ object, conditions }) => {
    if (object.spec.image === "broken:1") throw new Error("it is broken");
    sites.set({ name: object.metadata.name }, 1);
    conditions.set("Ready", { status: true, reason: "Available" });
  },
});

test("failing objects, conditions, watches and metrics of the program are served together, and follow what happens", async () => {
  const clock = new FakeClock();
  await using cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  await client.create(CustomResourceDefinition, crdOf(Website));
  const metrics = await createMetrics();
  const websites = operator({ name: "websites", controllers: [website], metrics: [sites] });
  await using running = await websites.start({ transport: cluster.transport, clock, metrics });
  const settled = async (): Promise<string[]> => {
    for (let quiet = 0; quiet < 3; quiet = cluster.idle && running.idle ? quiet + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
    const names = /^(kubewright_failing_objects|kubewright_conditions|sites_open|kubewright_cache_last_event_age)/;
    return (await metrics.text()).split("\n").filter((line) => names.test(line));
  };
  const series = 'kind="web.example.com/v1/Website"';
  expect(await settled()).toContain('kubewright_failing_objects{controller="website"} 0');
  await client.create(Website, shop);
  await client.create(Website, { metadata: { name: "bad" }, spec: { image: "broken:1" } });
  const lines = await settled();
  expect(lines).toContain('kubewright_failing_objects{controller="website"} 1');
  expect(lines).toContain(`kubewright_conditions{${series},type="Ready",status="True",reason="Available"} 1`);
  expect(lines).toContain('sites_open{name="shop"} 1');
  clock.advance(5_000);
  expect(await settled()).toContain(`kubewright_cache_last_event_age_seconds{${series}} 5`);
  await client.delete(Website, "shop");
  await client.delete(Website, "bad");
  const after = await settled();
  expect(after).toContain('kubewright_failing_objects{controller="website"} 0');
  expect(after.filter((line) => /^(sites_open|kubewright_conditions)/.test(line))).toEqual([]);
});

test("an object that two controllers select counts once, also while it enters and leaves a selection, and when a controller is removed", async () => {
  const clock = new FakeClock();
  await using cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  await client.create(CustomResourceDefinition, crdOf(Website));
  const metrics = await createMetrics();
  const some = controller(Website, { name: "some", select: { labels: { tier: "web" } }, reconcile: () => {} });
  const blue = controller(Website, { name: "blue", select: { labels: "colour=blue" }, reconcile: () => {} });
  const all = controller(Website, {
    name: "all",
    reconcile: ({ conditions }) => conditions.set("Ready", { status: true, reason: "Available" }),
  });
  const websites = operator({ name: "websites", controllers: [some, blue, all] });
  await using running = await websites.start({ transport: cluster.transport, clock, metrics });
  const counted = async (): Promise<string[]> => {
    for (let quiet = 0; quiet < 3; quiet = cluster.idle && running.idle ? quiet + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
    const lines = (await metrics.text()).split("\n").filter((line) => line.startsWith("kubewright_conditions{"));
    return lines.map((line) => line.slice(line.lastIndexOf(" ") + 1));
  };
  const label = (labels: Record<string, string | null>) =>
    client.patch(Website, "shop", { merge: { metadata: { labels } } });
  await client.create(Website, shop);
  await client.create(Website, { ...shop, metadata: { name: "other", labels: { tier: "web", colour: "blue" } } });
  expect(await counted()).toEqual(["2"]);
  await label({ tier: "web" });
  expect(await counted()).toEqual(["2"]);
  await label({ tier: null, colour: "blue" });
  expect(await counted()).toEqual(["2"]);
  await running.remove("some");
  expect(await counted()).toEqual(["2"]);
  await running.remove("all");
  expect(await counted()).toEqual(["2"]);
  await label({ colour: "red" });
  expect(await counted()).toEqual(["1"]);
  await client.delete(Website, "other");
  expect(await counted()).toEqual([]);
});

test("a metric of the program with a name that is taken fails the start, and names it", async () => {
  const clock = new FakeClock();
  await using cluster = await startCluster({ clock });
  await createClient(cluster.transport).create(CustomResourceDefinition, crdOf(Website));
  const taken = new Counter({ name: "workqueue_adds_total", help: "mine", registers: [] });
  const websites = operator({ name: "websites", controllers: [website], metrics: [taken] });
  await expect(websites.start({ transport: cluster.transport, clock, metrics: await createMetrics() })).rejects.toThrow(
    'Cannot serve metric "workqueue_adds_total": a metric of that name exists',
  );
});
