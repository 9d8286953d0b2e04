import { expect, test } from "vitest";
import { startWorld } from "../../test/embedded-world.js";
import { select } from "../cache/index.js";
import { ConfigMap, Node, Pod, Service } from "../k8s/core/v1.gen.js";
import { Event } from "../k8s/events/v1.gen.js";
import { operator } from "../manager/index.js";
import { watch } from "../route/index.js";
import { controller, may, rawController } from "./index.js";

const spec = { containers: [{ name: "main", image: "web:1" }] };

test("a controller binds, patches the status of, evicts and deletes Pods when it declares those verbs, and records an event", async () => {
  await using world = await startWorld();
  const { client } = world;
  const podController = rawController({
    name: "pod",
    uses: [may(Pod, "bind", "patchStatus", "evict", "delete")],
    watches: [watch(Pod, { to: ({ metadata }) => metadata })],
    reconcile: async ({ key, find, bind, patchStatus, evict, delete: remove, event }) => {
      const [namespace = "", name = ""] = key.split("/");
      const where = { namespace, name };
      const pod = await find(Pod, where);
      if (pod === undefined) return;
      if (pod.metadata.deletionTimestamp !== undefined) await remove(Pod, where, { gracePeriodSeconds: 0 });
      else if (pod.spec?.nodeName === undefined) await bind(Pod, where, "node-a");
      else if (pod.status?.phase === "Pending")
        await patchStatus(Pod, where, { merge: { status: { phase: "Running" } } });
      else if (pod.metadata.labels?.["leave"] === "yes") {
        event(Pod, pod, "Normal", "Leaving", "The label leave=yes is set");
        await evict(Pod, where);
      }
    },
  });
  const rules = operator({ name: "pods", controllers: [podController] }).rules();
  expect(rules).toContainEqual({ apiGroups: [""], resources: ["pods/binding", "pods/eviction"], verbs: ["create"] });
  expect(rules).toContainEqual({ apiGroups: [""], resources: ["pods/status"], verbs: ["patch"] });
  await using running = await operator({ name: "pods", controllers: [podController] }).start(world.options);
  await client.create(Node, { metadata: { name: "node-a" } });
  await client.create(Pod, { metadata: { name: "one" }, spec });
  await world.settle(running);
  const pod = await client.get(Pod, "one");
  expect([pod.spec?.nodeName, pod.status?.phase]).toEqual(["node-a", "Running"]);

  await client.patch(Pod, "one", { merge: { metadata: { labels: { leave: "yes" } } } });
  await world.settle(running);
  expect(await client.find(Pod, "one")).toBeUndefined();
  const { items } = await client.listPage(Event);
  expect(items).toMatchObject([{ reason: "Leaving", regarding: { kind: "Pod", name: "one" } }]);
});

test("a controller adopts an orphan that matches, releases a child that no longer matches, and cannot adopt another owner's child", async () => {
  await using world = await startWorld();
  const { client } = world;
  const fits = (labels: Readonly<Record<string, string>> | undefined, name: string) => labels?.["of"] === name;
  const owner = controller(Service, {
    name: "owner",
    owns: [ConfigMap],
    reconcile: async ({ object, list, adopt, release }) => {
      const { uid, name } = object.metadata;
      for (const { metadata } of await list(ConfigMap)) {
        const isMine = metadata.ownerReferences?.some((reference) => reference.uid === uid) === true;
        if (isMine && !fits(metadata.labels, name)) await release(ConfigMap, metadata.name);
        if (!isMine && fits(metadata.labels, name)) await adopt(ConfigMap, metadata.name);
      }
    },
  });
  const owners = operator({ name: "owners", controllers: [owner] });
  const { metadata } = await client.create(Node, { metadata: { name: "x" } });
  const other = { apiVersion: "v1", kind: "Node", name: "x", uid: metadata.uid };
  await client.create(ConfigMap, { metadata: { name: "map", labels: { of: "a" }, ownerReferences: [other] } });
  await client.create(Service, { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } });
  await using running = await owners.start(world.options);
  await world.settle(running);
  const owned = await client.get(ConfigMap, "map");
  expect(owned.metadata.ownerReferences).toMatchObject([other, { kind: "Service", name: "a", controller: true }]);

  await client.create(Service, { metadata: { name: "b" }, spec: { ports: [{ port: 80 }] } });
  await client.patch(ConfigMap, "map", { merge: { metadata: { labels: { of: "b" } } } });
  await world.settle(running);
  // Service b adopts the ConfigMap only after Service a released it, in whichever order they ran.
  await client.patch(Service, "b", { merge: { metadata: { labels: { look: "again" } } } });
  await world.settle(running);
  const moved = await client.get(ConfigMap, "map");
  expect(moved.metadata.ownerReferences).toMatchObject([other, { kind: "Service", name: "b", controller: true }]);

  await running.stop();
  const thief = controller(Service, {
    name: "thief",
    owns: [ConfigMap],
    reconcile: async ({ object, adopt }) => void (object.metadata.name === "a" && (await adopt(ConfigMap, "map"))),
  });
  await using stealing = await operator({ name: "thieves", controllers: [thief] }).start(world.options);
  await world.settle(stealing);
  expect(stealing.failing()).toMatchObject([
    { key: "default/a", error: { code: "NOT_CONTROLLED", message: expect.stringContaining('by Service "b"') } },
  ]);
});

test("a mapping reads the caches of the kinds that its watch declares, with the controller's selection, and no others", async () => {
  await using world = await startWorld();
  const { client } = world;
  const runs: string[] = [];
  const selecting = controller(Service, {
    name: "selecting",
    when: () => false,
    uses: [select(Node, { labels: { pool: "web" } })],
    watches: [
      watch(Pod, {
        reads: [Node, Service],
        to: ({ metadata }, cached) => {
          cached.find(Node, { namespace: "", name: "node-a" });
          // @ts-expect-error: not in `reads`
          if (metadata.name === "bad") cached.list(ConfigMap);
          return cached
            .list(Service, { namespace: metadata.namespace ?? "" })
            .filter(({ spec }) => spec?.selector?.["app"] === metadata.labels?.["app"])
            .map((service) => service.metadata.name);
        },
      }),
    ],
    reconcile: ({ object }) => void runs.push(object.metadata.name),
  });
  for (const app of ["a", "b"])
    await client.create(Service, { metadata: { name: app }, spec: { selector: { app }, ports: [{ port: 80 }] } });
  await using running = await operator({ name: "mapping", controllers: [selecting] }).start(world.options);
  await client.create(Pod, { metadata: { name: "one", labels: { app: "b" } }, spec });
  await client.create(Pod, { metadata: { name: "bad", labels: { app: "b" } }, spec });
  await world.settle(running);
  expect(runs).toEqual(["b"]);
  // What a mapping reads is cached and in the Role, once, with the selection that the controller declares.
  expect(selecting.uses.map(({ kind, selection }) => [kind.id, selection.labels])).toEqual([["/v1/Node", "pool=web"]]);
  const reading = rawController({
    name: "reading",
    watches: [watch(Pod, { reads: [Pod, Node], to: () => undefined })],
    reconcile: () => undefined,
  });
  expect(reading.uses.map(({ kind, verbs }) => [kind.id, verbs])).toEqual([["/v1/Node", ["get", "list", "watch"]]]);
});
