import { expect, test } from "vitest";
import { configMaps, type Loose, startTestCluster } from "./test-cluster.js";

const configMap = (name: string, labels: Record<string, string> = {}) => ({ metadata: { name, labels } });
const named = (list: Loose): string[] => list.items.map((item: Loose) => item.metadata.name);
const short = (event: Loose): string => `${event.type} ${event.object.metadata.name ?? ""}`;

test("list pages are one snapshot, regardless of writes between them", async () => {
  const { post, get, remove } = await startTestCluster();
  for (const name of ["a", "b", "c", "d", "e"]) await post(configMaps, configMap(name));
  const first = await get(configMaps, { limit: "2" });
  expect(named(first.body)).toEqual(["a", "b"]);
  expect(first.body.metadata.remainingItemCount).toBe(3);
  await remove(`${configMaps}/c`);
  await post(configMaps, configMap("bb"));
  const second = await get(configMaps, { limit: "2", continue: first.body.metadata.continue });
  expect(named(second.body)).toEqual(["c", "d"]);
  expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
  const third = await get(configMaps, { limit: "2", continue: second.body.metadata.continue });
  expect(named(third.body)).toEqual(["e"]);
  expect(third.body.metadata.continue).toBeUndefined();
});

test("a continue token from before a compaction expires, with a token to continue inconsistently", async () => {
  const { post, get, cluster } = await startTestCluster();
  for (const name of ["a", "b", "c"]) await post(configMaps, configMap(name));
  const first = await get(configMaps, { limit: "1" });
  await post(configMaps, configMap("d"));
  cluster.compact(cluster.revision);
  const expired = await get(configMaps, { limit: "1", continue: first.body.metadata.continue });
  expect(expired.body).toMatchObject({ code: 410, reason: "Expired" });
  const rest = await get(configMaps, { continue: expired.body.metadata.continue });
  expect(named(rest.body)).toEqual(["b", "c", "d"]);
});

test("list filters by label and field selectors, and rejects invalid ones", async () => {
  const { post, get } = await startTestCluster();
  await post(configMaps, configMap("a", { app: "web", tier: "1" }));
  await post(configMaps, configMap("b", { app: "db" }));
  expect(named((await get(configMaps, { labelSelector: "app in (web,x),tier" })).body)).toEqual(["a"]);
  expect(named((await get(configMaps, { labelSelector: "!tier" })).body)).toEqual(["b"]);
  expect(named((await get(configMaps, { fieldSelector: "metadata.name!=a" })).body)).toEqual(["b"]);
  expect((await get(configMaps, { labelSelector: "a b c" })).body.message).toBe(
    "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
  );
  expect((await get(configMaps, { fieldSelector: "foo=bar" })).body.message).toBe(
    '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
  );
});

test.each([
  [{ limit: "x" }, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  [
    { resourceVersion: "abc" },
    400,
    'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  ],
  [{ resourceVersion: "999999999" }, 504, /^Timeout: Too large resource version: 999999999, current: \d+$/],
  [
    { resourceVersionMatch: "Exact" },
    422,
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
  ],
  [
    { watch: "1", sendInitialEvents: "true" },
    422,
    /sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/,
  ],
])("list rejects %j with %i", async (query, code, message) => {
  const { get } = await startTestCluster();
  const response = await get(configMaps, query as Record<string, string>);
  expect(response.status).toBe(code);
  expect(response.body.message).toMatch(message);
});

test("list at an exact resourceVersion returns that snapshot", async () => {
  const { post, get } = await startTestCluster();
  const { body } = await post(configMaps, configMap("a"));
  await post(configMaps, configMap("b"));
  const version = body.metadata.resourceVersion;
  const past = await get(configMaps, { resourceVersion: version, resourceVersionMatch: "Exact" });
  expect(named(past.body)).toEqual(["a"]);
  expect(named((await get(configMaps, { resourceVersion: version })).body)).toEqual(["a", "b"]);
});

test("a watch without a resourceVersion starts with ADDED events for existing objects", async () => {
  const { post, merge, remove, watch } = await startTestCluster();
  await post(configMaps, configMap("a"));
  const events = await watch(configMaps);
  expect(short(await events.next())).toBe("ADDED a");
  await merge(`${configMaps}/a`, { data: { x: "1" } });
  const gone = await remove(`${configMaps}/a`);
  expect(gone.status).toBe(200);
  expect(short(await events.next())).toBe("MODIFIED a");
  const deleted = await events.next();
  expect(short(deleted)).toBe("DELETED a");
  expect(deleted.object.data).toEqual({ x: "1" });
  expect(Number(deleted.object.metadata.resourceVersion)).toBeGreaterThan(6);
});

test("a watch resumes after a resourceVersion", async () => {
  const { post, watch } = await startTestCluster();
  const { body } = await post(configMaps, configMap("a"));
  await post(configMaps, configMap("b"));
  await post("/api/v1/namespaces/kube-public/configmaps", configMap("elsewhere"));
  await post(configMaps, configMap("c"));
  const events = await watch(configMaps, { resourceVersion: body.metadata.resourceVersion });
  expect([short(await events.next()), short(await events.next())]).toEqual(["ADDED b", "ADDED c"]);
});

test("a watch with a selector reports objects that start or stop matching as ADDED and DELETED", async () => {
  const { post, merge, watch } = await startTestCluster();
  await post(configMaps, configMap("a", { x: "1" }));
  const events = await watch(configMaps, { labelSelector: "x=1" });
  expect(short(await events.next())).toBe("ADDED a");
  const { body } = await merge(`${configMaps}/a`, { metadata: { labels: { x: "2" } } });
  const left = await events.next();
  expect(short(left)).toBe("DELETED a");
  expect(left.object.metadata.labels).toEqual({ x: "1" });
  expect(left.object.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  await merge(`${configMaps}/a`, { metadata: { labels: { y: "3" } } });
  await merge(`${configMaps}/a`, { metadata: { labels: { x: "1" } } });
  expect(short(await events.next())).toBe("ADDED a");
});

test("a streaming list marks the end of the initial events with a bookmark", async () => {
  const { post, watch, cluster } = await startTestCluster();
  await post(configMaps, configMap("a"));
  const events = await watch(configMaps, {
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    allowWatchBookmarks: "true",
  });
  expect(short(await events.next())).toBe("ADDED a");
  expect(await events.next()).toEqual({
    type: "BOOKMARK",
    object: {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { resourceVersion: String(cluster.revision), annotations: { "k8s.io/initial-events-end": "true" } },
    },
  });
  await post(configMaps, configMap("b"));
  expect(short(await events.next())).toBe("ADDED b");
});

test("a watch terminates after timeoutSeconds of the cluster's clock, after a last bookmark", async () => {
  const { clock, watch, cluster } = await startTestCluster();
  const events = await watch(configMaps, { timeoutSeconds: "10", allowWatchBookmarks: "true" });
  const first = events.next();
  clock.advance(8_000);
  expect((await first).type).toBe("BOOKMARK");
  const second = events.next();
  clock.advance(2_000);
  expect(await second).toBeUndefined();
  expect(clock.pendingTimers).toBe(0);
  expect(cluster.idle).toBe(true);
});

test("a watch from before the history gets an ERROR event with code 410, and terminates", async () => {
  const { post, watch, merge } = await startTestCluster({ historyLimit: 10 });
  const { body } = await post(configMaps, configMap("a"));
  for (let count = 0; count < 50; count++) await merge(`${configMaps}/a`, { data: { count: String(count) } });
  const events = await watch(configMaps, { resourceVersion: body.metadata.resourceVersion });
  const error = await events.next();
  expect(error).toMatchObject({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } });
  expect(error.object.message).toMatch(/^too old resource version: \d+ \(\d+\)$/);
  expect(await events.next()).toBeUndefined();
});

test("a watch terminates when its reader closes it, its request is aborted, or the cluster closes", async () => {
  const { cluster, watch } = await startTestCluster();
  const left = await watch(configMaps);
  const waiting = left.next();
  await left.close();
  expect(await waiting).toBeUndefined();
  const abort = new AbortController();
  const response = await cluster.transport.stream({
    method: "GET",
    path: configMaps,
    query: { watch: "1" },
    signal: abort.signal,
  });
  if (response.kind !== "stream") throw new Error("no stream");
  const next = response.items[Symbol.asyncIterator]().next();
  abort.abort();
  expect((await next).done).toBe(true);
  const last = (await watch(configMaps)).next();
  await cluster.close();
  expect(await last).toBeUndefined();
  await expect(cluster.transport.send({ method: "GET", path: configMaps })).rejects.toMatchObject({
    code: "TRANSPORT_FAILED",
  });
});

test("the cluster is idle only when every watcher has received its events and waits", async () => {
  const { cluster, post, watch } = await startTestCluster();
  const events = await watch(configMaps);
  expect(cluster.idle).toBe(false);
  let waiting = events.next();
  expect(cluster.idle).toBe(true);
  await post(configMaps, configMap("a"));
  expect(cluster.idle).toBe(false);
  await waiting;
  expect(cluster.idle).toBe(false);
  waiting = events.next();
  expect(cluster.idle).toBe(true);
  await cluster.close();
  await waiting;
});

test("an in-process reader keeps up with a writer that never pauses", async () => {
  const { post, watch } = await startTestCluster({ historyLimit: 50 });
  const events = await watch(configMaps);
  const types: string[] = [];
  const reading = (async () => {
    while (types.length < 500) types.push((await events.next()).type);
  })();
  for (let count = 0; count < 500; count++) await post(configMaps, configMap(`c${count}`));
  await reading;
  expect(new Set(types)).toEqual(new Set(["ADDED"]));
});
