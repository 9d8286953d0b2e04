/**
 * The runtime against a real kube-apiserver: it must rely on Kubernetes' behaviour, not only on the embedded cluster's.
 */
import { systemClock } from "@kubewright/core/clock";
import { isOperatorError } from "@kubewright/core/errors";
import type { Transport } from "@kubewright/core/transport";
import { afterAll, beforeAll, expect, test } from "vitest";
import { InformerSet } from "../src/cache/index.js";
import { createClient } from "../src/client/index.js";
import { Deployment } from "../src/k8s/apps/v1.gen.js";
import { ConfigMap } from "../src/k8s/core/v1.gen.js";
import { Event } from "../src/k8s/events/v1.gen.js";
import { type Controller, ControllerLoop, controller, may } from "../src/reconcile/index.js";
import { describeCause } from "../src/route/index.js";
import { type RealWorld, startRealWorld, until } from "./real-world.js";
import { streamsLists } from "./streams-lists.js";
import { shop, Website } from "./website.js";

let world: RealWorld;
let transport: RealWorld["transport"];
let client: RealWorld["client"];

beforeAll(async () => {
  world = await startRealWorld();
  ({ transport, client } = world);
}, 60_000);

afterAll(() => world?.stop());

/** Runs a controller on the real server, for one test. */
async function run(description: Controller) {
  const sent: string[] = [];
  const recording: Transport = {
    send: (request) => {
      sent.push(`${request.method} ${request.path}`);
      return transport.send(request);
    },
    stream: (request) => transport.stream(request),
    close: async () => {},
  };
  const common = { client: createClient(recording), clock: systemClock, random: Math.random };
  const informers = new InformerSet({ ...common, managed: description.owns });
  const loop = new ControllerLoop({ ...common, controller: description, informers });
  const abort = new AbortController();
  const watching = informers.run(abort.signal);
  await loop.start(abort.signal);
  return {
    loop,
    writes: () => sent.filter((line) => !line.startsWith("GET ")),
    forget: () => void sent.splice(0),
    [Symbol.asyncDispose]: async () => {
      await loop.stop();
      abort.abort();
      await watching;
      await client.deleteAll(Website);
      await client.deleteAll(Deployment);
      await client.deleteAll(ConfigMap);
      await until(async () => (await client.listPage(Website)).items.length === 0, "everything is deleted");
    },
  };
}

const website = controller(Website, {
  owns: [Deployment],
  reconcile: async ({ object, apply, status, conditions, event }) => {
    const { name } = object.metadata;
    const deployment = await apply(Deployment, {
      metadata: { name, labels: { app: name } },
      spec: {
        replicas: object.spec.replicas,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: {
            containers: [
              {
                name: "web",
                image: object.spec.image,
                ports: [{ containerPort: 80 }],
                env: [{ name: "MODE", value: "fast" }],
              },
            ],
          },
        },
      },
    });
    status.availableReplicas = deployment.status?.availableReplicas ?? 0;
    conditions.set("Ready", { status: false, reason: "Progressing", message: "Waits for its Deployment" });
    event("Normal", "Applied", `Applied ${name}`);
  },
});

test("a child is applied, the status is written, and then nothing more is sent", async () => {
  await using running = await run(website);
  await client.create(Website, shop);
  await until(
    async () => (await client.get(Website, "shop")).status?.observedGeneration === 1,
    "the status is written",
  );
  await until(() => running.loop.idle, "the controller is idle");
  const { status } = await client.get(Website, "shop");
  expect(status?.conditions).toMatchObject([
    { type: "Ready", status: "False", reason: "Progressing", observedGeneration: 1 },
  ]);
  const child = await client.get(Deployment, "shop");
  expect(child.metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual([
    "website Apply",
  ]);

  const runs = running.loop.runs;
  running.forget();
  await client.patch(Website, "shop", { merge: { metadata: { labels: { look: "again" } } } });
  await until(() => running.loop.runs > runs && running.loop.idle, "it has run again");
  expect(running.writes().filter((line) => !line.includes("/events"))).toEqual([]);
  expect(running.loop.failing.size).toBe(0);
});

test("a changed child is reverted, and an existing object without a controller owner is rejected", async () => {
  await using running = await run(website);
  await client.create(Website, shop);
  await until(async () => (await client.find(Deployment, "shop")) !== undefined, "the child exists");
  await client.patch(Deployment, "shop", { strategic: { spec: { replicas: 5 } } });
  await until(async () => (await client.get(Deployment, "shop")).spec.replicas === 1, "the child is repaired");

  const { spec } = await client.get(Deployment, "shop");
  await client.create(Deployment, { metadata: { name: "taken" }, spec });
  await client.create(Website, { ...shop, metadata: { name: "taken" } });
  await until(() => running.loop.failing.has("default/taken"), "the other one is rejected");
  const error = running.loop.failing.get("default/taken");
  expect(isOperatorError(error) && error.code).toBe("NOT_CONTROLLED");
});

test("events are recorded, and repeated events become a series", async () => {
  await using running = await run(website);
  const { metadata } = await client.create(Website, { ...shop, metadata: { name: "told" } });
  const mine = async () => {
    const found = [];
    for await (const event of client.list(Event)) if (event.regarding?.uid === metadata.uid) found.push(event);
    return found;
  };
  await until(async () => ((await mine())[0]?.series?.count ?? 0) >= 2, "the event is counted");
  expect(await mine()).toHaveLength(1);
  expect((await mine())[0]).toMatchObject({ reason: "Applied", note: "Applied told", reportingController: "website" });
  expect(running.loop.failing.size).toBe(0);
});

test("an object is held by its finalizer until finalize has run", async () => {
  const finalized: string[] = [];
  await using running = await run(
    controller(Website, {
      reconcile: () => undefined,
      finalize: async ({ object }) => void finalized.push(object.metadata.name),
    }),
  );
  await client.create(Website, shop);
  await until(
    async () => (await client.get(Website, "shop")).metadata.finalizers?.length === 1,
    "the finalizer is set",
  );
  await client.delete(Website, "shop");
  await until(async () => (await client.find(Website, "shop")) === undefined, "the object is gone");
  expect(finalized).toEqual(["shop"]);
  expect(running.loop.failing.size).toBe(0);
});

test("children that are no longer desired are pruned, and reads see the controller's own writes", async () => {
  const counts: number[] = [];
  await using running = await run(
    controller(Website, {
      owns: [ConfigMap],
      reconcile: async ({ object, apply, prune, list }) => {
        const names = (object.spec.host ?? "").split(" ");
        for (const name of names) await apply(ConfigMap, { metadata: { name, labels: { made: "here" } } });
        await prune(ConfigMap);
        counts.push((await list(ConfigMap, { labels: { made: "here" } })).length - names.length);
      },
    }),
  );
  await client.create(Website, { ...shop, spec: { image: "x", host: "one two three" } });
  await until(async () => (await client.find(ConfigMap, "three")) !== undefined, "the children exist");
  await client.patch(Website, "shop", { merge: { spec: { host: "two" } } });
  await until(
    async () => (await client.listPage(ConfigMap, { labels: { made: "here" } })).items.length === 1,
    "the others are gone",
  );
  await until(() => running.loop.idle, "the controller is idle");
  expect(new Set(counts)).toEqual(new Set([0]));
  expect(running.loop.failing.size).toBe(0);
});

test("caches are filled by watches with sendInitialEvents, and by a list where the server does not stream lists", async () => {
  await client.create(ConfigMap, { metadata: { name: "there" } });
  const lists: string[] = [];
  const counting: Transport = {
    send: (request) => {
      lists.push(request.path);
      return transport.send(request);
    },
    stream: (request) => transport.stream(request),
    close: async () => {},
  };
  const informers = new InformerSet({ client: createClient(counting), clock: systemClock, random: Math.random });
  const informer = informers.informer(ConfigMap);
  const abort = new AbortController();
  const watching = informers.run(abort.signal);
  await informers.whenSynced();
  expect(informer.find({ namespace: "default", name: "there" })).toBeDefined();
  await client.create(ConfigMap, { metadata: { name: "later" } });
  await until(() => informer.find({ namespace: "default", name: "later" }) !== undefined, "the watch continues");
  abort.abort();
  await watching;
  expect(lists).toEqual((await streamsLists(client)) ? [] : ["/api/v1/configmaps"]);
  await client.deleteAll(ConfigMap);
});

test("an object runs again when what it has read appears and changes, and once more after its own write to it", async () => {
  const seen: string[] = [];
  const reading = controller(Website, {
    name: "reading",
    uses: [ConfigMap, may(ConfigMap, "patch")],
    reconcile: async ({ object, causes, find, list, patch }) => {
      if (object.metadata.name !== "reader") return;
      const labelled = await list(ConfigMap, { labels: "reads in (yes)" });
      const found = await find(ConfigMap, "read");
      seen.push(`${labelled.length} ${found?.data?.["v"]} ${causes.map(describeCause).join("; ")}`);
      if (found?.data?.["v"] === "1") await patch(ConfigMap, "read", { merge: { data: { v: "2" } } });
    },
  });
  await using running = await run(reading);
  await client.create(Website, { metadata: { name: "reader" }, spec: { image: "web:1" } });
  await until(() => seen.length === 1, "the first run");
  await client.create(ConfigMap, { metadata: { name: "read", labels: { reads: "yes" } }, data: { v: "1" } });
  await until(() => seen.length === 3, "runs after the creation and after the own write");
  await client.delete(ConfigMap, "read");
  await until(() => seen.length === 4, "a run after the deletion");
  await until(() => running.loop.idle, "it rests");
  expect(seen).toEqual([
    "0 undefined Website default/reader, added",
    "1 1 read ConfigMap default/read, added",
    "1 2 read ConfigMap default/read, changed .data.v",
    "0 undefined read ConfigMap default/read, deleted",
  ]);
  await client.delete(Website, "reader");
});
