import { setImmediate } from "node:timers/promises";
import type { ConversionWebhook, ObjectConverter } from "@kubewright/cluster";
import { describe, expect, test } from "vitest";
import {
  configMaps,
  definitions,
  type Loose,
  sample,
  sampleDefinition,
  startTestCluster,
  type TestCluster,
} from "./test-cluster.js";

const one = "/apis/example.com/v1/namespaces/default/samples";
const two = "/apis/example.com/v2/namespaces/default/samples";

const colored = (name: string, color: string, metadata = {}): Loose => ({
  ...sample(name, { color }, metadata),
  apiVersion: "example.com/v1",
});
const tinted = (name: string, tint: string, metadata = {}): Loose => ({
  ...sample(name, { tint }, metadata),
  apiVersion: "example.com/v2",
});

/** Version v1 stores a color, v2 shows it as a tint and as a label. A broken color has no tint. */
const convert = ({ color, tint, metadata, ...rest }: Loose, apiVersion: string): Loose => {
  if (color === "broken") throw new Error("no such tint");
  const { shade: _, ...labels } = metadata.labels ?? {};
  return apiVersion.endsWith("v1")
    ? { ...rest, apiVersion, metadata: { ...metadata, labels, name: "renamed" }, color: tint }
    : { ...rest, apiVersion, metadata: { ...metadata, labels: { ...labels, shade: color } }, tint: color };
};

/** An asynchronous webhook that reports each call to `onCall`. */
function webhook(
  onCall?: (apiVersion: string, objects: readonly Loose[]) => Promise<void> | undefined,
): ConversionWebhook {
  return {
    async convert(objects, apiVersion) {
      await setImmediate();
      await onCall?.(apiVersion, objects);
      return objects.map((object) => convert(object, apiVersion));
    },
  };
}

async function start(converter: ObjectConverter | ConversionWebhook): Promise<TestCluster> {
  const cluster = await startTestCluster({ converters: new Map([["samples.example.com", converter]]) });
  const spec = { type: "object", properties: { size: { type: "integer" } } };
  const fields = (name: string): Loose => ({
    schema: {
      openAPIV3Schema: { type: "object", properties: { [name]: { type: "string" }, spec, status: spec } },
    },
    subresources: { scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } },
  });
  const versions = [
    { name: "v1", served: true, storage: true, ...fields("color") },
    { name: "v2", served: true, storage: false, ...fields("tint") },
  ];
  const client = { clientConfig: { url: "https://x.example" }, conversionReviewVersions: ["v1"] };
  const conversion = { strategy: "Webhook", webhook: client };
  const { status } = await cluster.post(definitions, sampleDefinition({}, { versions, conversion }));
  expect(status).toBe(201);
  return cluster;
}

describe.each([
  ["a function", () => convert],
  ["a webhook that is awaited", () => webhook()],
])("with %s that converts", (_, converter) => {
  test("an object is returned in every version, and only labels and annotations of its metadata change", async () => {
    const { get, post } = await start(converter());
    await post(one, { ...colored("a", "red", { labels: { own: "1" } }), spec: { size: 2 } });
    const { body } = await get(`${two}/a`);
    expect(body).toMatchObject({ apiVersion: "example.com/v2", tint: "red" });
    expect(body.metadata).toMatchObject({ name: "a", labels: { own: "1", shade: "red" } });
    expect((await get(`${two}/a/scale`)).body).toMatchObject({ kind: "Scale", spec: { replicas: 2 } });
  });

  test("a paged list selects by the labels of converted objects", async () => {
    const { get, post } = await start(converter());
    for (const [name, color] of Object.entries({ a: "red", b: "blue", c: "red", d: "blue", e: "red" }))
      await post(one, colored(name, color));
    const names = ({ body }: Loose): string[] => body.items.map((item: Loose) => `${item.metadata.name} ${item.tint}`);
    const first = await get(two, { labelSelector: "shade=red", limit: "2" });
    expect(names(first)).toEqual(["a red", "c red"]);
    const next = { labelSelector: "shade=red", limit: "2", continue: first.body.metadata.continue };
    expect(names(await get(two, next))).toEqual(["e red"]);
    const page = await get(two, { limit: "2" });
    expect(names(page)).toEqual(["a red", "b blue"]);
    expect(page.body.metadata.remainingItemCount).toBe(3);
    expect(names(await get(two, { fieldSelector: "metadata.name=d" }))).toEqual(["d blue"]);
  });

  test("a watch delivers initial and later events in order, selected by converted objects", async () => {
    const { post, merge, remove, watch } = await start(converter());
    for (const name of ["a", "b"]) await post(one, colored(name, "red"));
    const events = await watch(two, { labelSelector: "shade=red" });
    await merge(`${one}/a`, { color: "blue" });
    await merge(`${one}/b`, { metadata: { labels: { own: "1" } } });
    await post(two, tinted("c", "red"));
    await remove(`${one}/b`);
    const seen: string[] = [];
    for (let left = 6; left > 0; left--) {
      const { type, object } = await events.next();
      seen.push(`${type} ${object.metadata.name} ${object.tint}`);
    }
    expect(seen).toEqual([
      "ADDED a red",
      "ADDED b red",
      "DELETED a red",
      "MODIFIED b red",
      "ADDED c red",
      "DELETED b red",
    ]);
    await events.close();
  });

  test("a watch with initial events marks their end with a bookmark", async () => {
    const { post, watch } = await start(converter());
    await post(one, colored("a", "red"));
    const query = { sendInitialEvents: "true", allowWatchBookmarks: "true", resourceVersionMatch: "NotOlderThan" };
    const events = await watch(two, query);
    expect([(await events.next()).type, (await events.next()).type]).toEqual(["ADDED", "BOOKMARK"]);
    await events.close();
    expect(await events.next()).toBeUndefined();
  });

  test("a failed conversion is a 500 that names the webhook, and terminates a watch with an ERROR event", async () => {
    const { get, post, watch } = await start(converter());
    const events = await watch(two);
    const others = await watch(one);
    await post(one, colored("a", "red"));
    await post(one, colored("b", "broken"));
    await post(one, colored("c", "red"));
    const message = "conversion webhook for example.com/v1, Kind=Sample failed: no such tint";
    expect(await get(`${two}/b`)).toMatchObject({ status: 500, body: { message } });
    expect(await get(two)).toMatchObject({ status: 500, body: { message } });
    expect((await events.next()).object.tint).toBe("red");
    expect(await events.next()).toMatchObject({ type: "ERROR", object: { code: 500, message } });
    expect(await events.next()).toBeUndefined();
    for (const name of ["a", "b", "c"]) expect((await others.next()).object.metadata.name).toBe(name);
    await others.close();
    expect(await (await watch(two, { labelSelector: "shade=broken" })).next()).toMatchObject({ type: "ERROR" });
  });

  test("writes through another version are stored in the storage version", async () => {
    const { get, post, put, merge, apply, patch, cluster } = await start(converter());
    const stored = async (name: string): Promise<Loose> => (await get(`${one}/${name}`)).body;
    const created = await post(two, tinted("a", "red"));
    expect(created).toMatchObject({ status: 201, body: { tint: "red", metadata: { labels: { shade: "red" } } } });
    expect(await stored("a")).toMatchObject({ color: "red", metadata: { uid: created.body.metadata.uid } });
    expect((await stored("a")).metadata.resourceVersion).toBe(created.body.metadata.resourceVersion);
    expect((await post(two, tinted("a", "red"))).status).toBe(409);
    const updated = await put(`${two}/a`, { ...created.body, tint: "blue" });
    expect(updated.body).toMatchObject({ tint: "blue", metadata: { labels: { shade: "blue" } } });
    expect(await stored("a")).toMatchObject({ color: "blue" });
    await merge(`${two}/a`, { tint: "green" });
    expect(await stored("a")).toMatchObject({ color: "green" });
    await patch("application/json-patch+json", `${two}/a`, [{ op: "replace", path: "/tint", value: "red" }]);
    expect(await stored("a")).toMatchObject({ color: "red" });
    const scaled = await merge(`${two}/a/scale`, { spec: { replicas: 3 } });
    expect(scaled.body.spec.replicas).toBe(3);
    expect(await stored("a")).toMatchObject({ color: "red", spec: { size: 3 } });
    expect((await apply(`${two}/b`, tinted("b", "red"), "first")).status).toBe(201);
    expect((await apply(`${two}/b`, tinted("b", "blue"), "first")).status).toBe(200);
    expect(await stored("b")).toMatchObject({ color: "blue" });
    const dry = await post(two, tinted("c", "red"), { dryRun: "All" });
    expect(dry).toMatchObject({ status: 201, body: { tint: "red" } });
    expect((await get(`${one}/c`)).status).toBe(404);
    expect(cluster.idle).toBe(true);
  });

  test("an unchanged write is not stored", async () => {
    const { get, post, put } = await start(converter());
    await post(two, tinted("a", "red"));
    const { body } = await get(`${two}/a`);
    expect((await put(`${two}/a`, body)).body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  });

  test("an object can be deleted through any version, and keeps its finalizers", async () => {
    const { get, post, merge, remove } = await start(converter());
    await post(two, tinted("a", "red"));
    expect(await remove(`${two}/a`)).toMatchObject({ status: 200, body: { status: "Success" } });
    await post(two, tinted("b", "red", { finalizers: ["example.com/held"] }));
    const { body } = await remove(`${two}/b`);
    expect(body).toMatchObject({ apiVersion: "example.com/v2", tint: "red" });
    expect(body.metadata.deletionTimestamp).toBeDefined();
    expect((await merge(`${two}/b`, { metadata: { finalizers: null } })).body.tint).toBe("red");
    await post(two, tinted("c", "red"));
    const all = await remove(two);
    expect(all.body.items.map((item: Loose) => item.tint)).toEqual(["red"]);
    expect((await get(one)).body.items).toEqual([]);
  });

  test("an object is garbage collected with its owner, even if it cannot be converted", async () => {
    const { get, post, remove } = await start(converter());
    const { uid } = (await post(configMaps, { metadata: { name: "owner" } })).body.metadata;
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid }];
    await post(two, tinted("a", "red", { ownerReferences }));
    await post(one, colored("b", "broken", { ownerReferences }));
    await remove(`${configMaps}/owner`);
    expect((await get(one)).body.items).toEqual([]);
  });

  test("Foreground deletes an owner after its dependents, and Orphan orphans them", async () => {
    const { cluster, get, post, remove } = await start(converter());
    for (const propagationPolicy of ["Foreground", "Orphan"]) {
      const { uid } = (await post(two, tinted("owner", "red"))).body.metadata;
      const owner = { apiVersion: "example.com/v2", kind: "Sample", name: "owner", uid, blockOwnerDeletion: true };
      const name = propagationPolicy.toLowerCase();
      await post(two, tinted(name, "red", { ownerReferences: [owner] }));
      await remove(`${two}/owner`, { propagationPolicy });
      // The garbage collector's deletes pass admission, which sees converted objects.
      while (!cluster.idle) await setImmediate();
      expect((await get(`${two}/owner`)).status).toBe(404);
      const { status, body } = await get(`${two}/${name}`);
      if (propagationPolicy === "Foreground") expect(status).toBe(404);
      else expect(body.metadata.ownerReferences).toBeUndefined();
      if (status === 200) expect(JSON.stringify(body.metadata.managedFields)).toContain("f:tint");
    }
  });

  test("a CRD is deleted with its custom resources, even if they cannot be converted", async () => {
    const { get, post, remove } = await start(converter());
    await post(one, colored("a", "broken"));
    await remove(`${definitions}/samples.example.com`);
    expect((await get(`${definitions}/samples.example.com`)).status).toBe(404);
  });

  test("managedFields of other versions are converted", async () => {
    const { apply, merge } = await start(converter());
    await apply(`${one}/a`, colored("a", "red"), "first");
    const blue = tinted("a", "blue");
    expect((await apply(`${two}/a`, blue, "second")).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "first": .color',
    );
    const owners = ({ body }: Loose): unknown =>
      body.metadata.managedFields.map((entry: Loose) => [entry.manager, entry.fieldsV1]);
    const applied = await apply(`${two}/a`, blue, "second", { force: "true" });
    expect(owners(applied)).toEqual([["second", { "f:tint": {} }]]);
    const merged = await merge(`${one}/a`, { color: "red", spec: { size: 1 } }, { fieldManager: "third" });
    expect(owners(merged)).toEqual([["third", { "f:color": {}, "f:spec": { ".": {}, "f:size": {} } }]]);
  });
});

test("a concurrent change during an awaited conversion is not lost", async () => {
  let isFirst = true;
  const cluster: TestCluster = await start(
    webhook(async (apiVersion) => {
      if (apiVersion !== "example.com/v1" || !isFirst) return;
      isFirst = false;
      await cluster.merge(`${one}/a`, { spec: { size: 5 } });
    }),
  );
  await cluster.post(one, colored("a", "red"));
  const { status, body } = await cluster.merge(`${two}/a`, { tint: "blue" });
  expect([status, body.tint, body.spec.size]).toEqual([200, "blue", 5]);
  expect((await cluster.get(`${one}/a`)).body).toMatchObject({ color: "blue", spec: { size: 5 } });
});

test("an update with a resourceVersion conflicts if the object changes during an awaited conversion", async () => {
  let isFirst = true;
  const cluster: TestCluster = await start(
    webhook(async (apiVersion) => {
      if (apiVersion !== "example.com/v1" || !isFirst) return;
      isFirst = false;
      await cluster.merge(`${one}/a`, { spec: { size: 5 } });
    }),
  );
  const { resourceVersion } = (await cluster.post(one, colored("a", "red"))).body.metadata;
  expect((await cluster.put(`${two}/a`, tinted("a", "blue", { resourceVersion }))).status).toBe(409);
  expect((await cluster.get(`${one}/a`)).body).toMatchObject({ color: "red", spec: { size: 5 } });
});

test("a create is rejected if another client creates the name during an awaited conversion", async () => {
  const cluster: TestCluster = await start(
    webhook(async (apiVersion) => {
      if (apiVersion === "example.com/v1") await cluster.post(one, colored("a", "red"));
    }),
  );
  expect((await cluster.post(two, tinted("a", "blue"))).status).toBe(409);
});

test("a list is converted in one call, and conversions are cached", async () => {
  const calls: number[] = [];
  const { get, post } = await start(
    webhook((_, objects) => {
      calls.push(objects.length);
      return undefined;
    }),
  );
  for (const name of ["a", "b", "c"]) await post(one, colored(name, "red"));
  await get(two);
  await get(two);
  await get(`${two}/a`);
  expect(calls).toEqual([3]);
});

test("all watches of an event share one conversion call", async () => {
  const calls: string[] = [];
  const { post, watch } = await start(
    webhook((_, [object]) => {
      calls.push(object.metadata.name);
      return undefined;
    }),
  );
  const watches = [await watch(two), await watch(two), await watch(two)];
  await post(one, colored("a", "red"));
  for (const events of watches) expect((await events.next()).object.tint).toBe("red");
  expect(calls).toEqual(["a"]);
});

test("a watch that is closed during an awaited conversion terminates", async () => {
  const { post, watch } = await start(webhook());
  await post(one, colored("a", "red"));
  const events = await watch(two);
  const next = events.next();
  await events.close();
  expect(await next).toBeUndefined();
});
