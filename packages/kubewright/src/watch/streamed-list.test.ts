import { FakeClock } from "@kubewright/core/clock";
import type { TransportRequest } from "@kubewright/core/transport";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { ConfigMap } from "../../test/kinds.js";
import { failure, type ScriptedResponse, ScriptedTransport, turns } from "../../test/scripted-transport.js";
import { createClient } from "../client/index.js";
import { ListWatch, type WatchEvent } from "./index.js";

const object = (name: string, resourceVersion: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", uid: name, resourceVersion },
});
const bookmark = (resourceVersion: string, end = false) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { resourceVersion, ...(end && { annotations: { "k8s.io/initial-events-end": "true" } }) },
});
const list = (resourceVersion: string, ...items: unknown[]): ScriptedResponse => ({
  body: { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion }, items },
});
const expired = failure(410, "Expired", "too old resource version");
const streams = (request: TransportRequest): boolean => request.query?.["sendInitialEvents"] === "true";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(
  respond: (request: TransportRequest) => ScriptedResponse | undefined = () => undefined,
  respondToWatch?: (request: TransportRequest) => ScriptedResponse | undefined,
) {
  const clock = new FakeClock();
  const transport = new ScriptedTransport(respond);
  if (respondToWatch !== undefined) transport.respondToWatch = respondToWatch;
  const events: string[] = [];
  const deliver = (event: WatchEvent<typeof ConfigMap>): void => {
    if (event.type === "replaced") events.push(`replaced ${event.objects.map(versioned)}@${event.resourceVersion}`);
    else
      events.push(
        event.type === "bookmark" ? `bookmark@${event.resourceVersion}` : `${event.type} ${versioned(event.object)}`,
      );
  };
  const abort = new AbortController();
  const client = createClient(transport);
  const listWatch = new ListWatch({ kind: ConfigMap, client, clock, random: () => 0, deliver });
  const running = listWatch.run(abort.signal);
  stops.push(async () => {
    abort.abort();
    await running;
  });
  await turns();
  return { clock, transport, events, listWatch };
}

const versioned = ({ metadata }: { metadata: { name: string; resourceVersion: string } }): string =>
  `${metadata.name}:${metadata.resourceVersion}`;

test("it reads the initial list through the watch, delivers it when it is complete, and continues in the same request", async () => {
  const { transport, events, listWatch } = await start();
  expect(transport.lastWatch.request.query).toEqual({
    watch: "true",
    allowWatchBookmarks: "true",
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    timeoutSeconds: "300",
  });
  transport.lastWatch.send("ADDED", object("a", "3"));
  transport.lastWatch.send("ADDED", object("b", "7"));
  transport.lastWatch.send("BOOKMARK", bookmark("8"));
  await turns();
  expect(events).toEqual([]);
  expect(listWatch.idle).toBe(false);
  expect(listWatch.state).toEqual({ kind: "stream", version: "" });

  transport.lastWatch.send("BOOKMARK", bookmark("10", true));
  transport.lastWatch.send("MODIFIED", object("a", "11"));
  await turns();
  expect(events).toEqual(["replaced a:3,b:7@10", "modified a:11"]);
  expect(listWatch.idle).toBe(true);
  expect(transport.requests).toEqual([]);
  expect(transport.watches).toHaveLength(1);
});

test("a watch that ends after the initial events resumes from the last resourceVersion without a new stream", async () => {
  const { transport } = await start();
  transport.lastWatch.send("BOOKMARK", bookmark("10", true));
  await turns();
  transport.lastWatch.end();
  await turns();
  expect(transport.watches).toHaveLength(2);
  expect(transport.lastWatch.request.query).toMatchObject({ resourceVersion: "10" });
  expect(streams(transport.lastWatch.request)).toBe(false);
});

test("a 410 event starts a new stream of the most recent state", async () => {
  const { transport, events } = await start();
  transport.lastWatch.send("BOOKMARK", bookmark("10", true));
  transport.lastWatch.send("ERROR", expired.body);
  await turns();
  expect(streams(transport.lastWatch.request)).toBe(true);
  expect(transport.lastWatch.request.query?.["resourceVersion"]).toBeUndefined();
  transport.lastWatch.send("ADDED", object("a", "40"));
  transport.lastWatch.send("BOOKMARK", bookmark("50", true));
  await turns();
  expect(events).toEqual(["replaced @10", "replaced a:40@50"]);
});

test("a rejected watch starts a new stream, not older than the last resourceVersion; after ResourceVersionTooLarge, of the most recent state", async () => {
  const { clock, transport } = await start();
  transport.lastWatch.send("BOOKMARK", bookmark("10", true));
  await turns();
  transport.respondToWatch = (request) => (streams(request) ? undefined : failure(403, "Forbidden", "no"));
  clock.advance(2_000);
  transport.lastWatch.end();
  await turns();
  transport.respondToWatch = () => undefined;
  clock.advance(800);
  await turns();
  expect(transport.lastWatch.request.query).toMatchObject({ sendInitialEvents: "true", resourceVersion: "10" });

  transport.lastWatch.send("ERROR", failure(504, "Timeout", "Too large resource version: 10, current: 3").body);
  await turns();
  expect(transport.lastWatch.request.query?.["resourceVersion"]).toBeUndefined();
  transport.lastWatch.send("BOOKMARK", bookmark("3", true));
  await turns();
  expect(transport.requests).toEqual([]);
});

test("a server without sendInitialEvents gets list requests, now and later", async () => {
  const reject = (request: TransportRequest) =>
    streams(request)
      ? failure(422, "Invalid", "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled")
      : undefined;
  const { transport, events } = await start(() => list("10", object("a", "3")), reject);
  expect(events).toEqual(["replaced a:3@10"]);
  expect(transport.requests[0]?.query).toEqual({ limit: "500", resourceVersion: "0" });
  let asked = 0;
  transport.respondToWatch = (request) => {
    if (streams(request)) asked += 1;
    return undefined;
  };
  transport.lastWatch.send("ERROR", expired.body);
  await turns();
  expect(events).toEqual(["replaced a:3@10", "replaced a:3@10"]);
  expect(asked).toBe(0);
});

test("a server that fails to stream gets a list request, and a stream request the next time", async () => {
  const broken = (request: TransportRequest) =>
    streams(request) ? failure(500, "InternalError", "no stream today") : undefined;
  const { transport, events } = await start(() => list("10"), broken);
  expect(events).toEqual(["replaced @10"]);
  transport.respondToWatch = () => undefined;
  transport.lastWatch.send("ERROR", expired.body);
  await turns();
  expect(streams(transport.lastWatch.request)).toBe(true);
});

test("a server that ignores sendInitialEvents is detected by inactivity or by the end of the stream", async () => {
  const silent = await start(() => list("10", object("a", "3")));
  silent.transport.lastWatch.send("ADDED", object("a", "3"));
  await turns();
  silent.clock.advance(29_999);
  await turns();
  expect(silent.events).toEqual([]);
  silent.clock.advance(1);
  await turns();
  expect(silent.events).toEqual(["replaced a:3@10"]);
  expect(streams(silent.transport.lastWatch.request)).toBe(false);

  const ended = await start(() => list("10"));
  ended.transport.lastWatch.send("ADDED", object("a", "3"));
  ended.transport.lastWatch.end();
  await turns();
  expect(ended.events).toEqual(["replaced @10"]);
});

test("when the server is unreachable or throttles, it waits and streams again; partial initial events are not delivered", async () => {
  const { clock, transport, events, listWatch } = await start();
  transport.lastWatch.send("ADDED", object("gone", "3"));
  await turns();
  transport.lastWatch.end(new Error("socket hang up"));
  await turns();
  expect(listWatch.state).toMatchObject({ kind: "backoff", delayMs: 800, next: { kind: "stream", version: "" } });
  transport.respondToWatch = () => ({ ...failure(429, "TooManyRequests", "busy"), headers: { "retry-after": "7" } });
  clock.advance(800);
  await turns();
  expect(listWatch.state).toMatchObject({ kind: "backoff", delayMs: 7_000, next: { kind: "stream", version: "" } });
  transport.respondToWatch = () => undefined;
  clock.advance(7_000);
  await turns();
  transport.lastWatch.send("BOOKMARK", bookmark("10", true));
  await turns();
  expect(events).toEqual(["replaced @10"]);
  expect(transport.requests).toEqual([]);
});

test("objects of another kind are skipped in a stream too", async () => {
  const { transport, events } = await start();
  transport.lastWatch.send("ADDED", { ...object("x", "2"), kind: "Secret" });
  transport.lastWatch.sendRaw("garbage");
  transport.lastWatch.send("ADDED", object("a", "3"));
  transport.lastWatch.send("BOOKMARK", bookmark("10", true));
  await turns();
  expect(events).toEqual(["replaced a:3@10"]);
});

test("after the initial events a watch is aborted after 90 seconds of inactivity, not thirty seconds", async () => {
  const { clock, transport } = await start();
  transport.lastWatch.send("BOOKMARK", bookmark("10", true));
  await turns();
  clock.advance(89_999);
  await turns();
  expect(transport.watches).toHaveLength(1);
  clock.advance(1);
  await turns();
  expect(transport.watches).toHaveLength(2);
  expect(transport.lastWatch.request.query?.["resourceVersion"]).toBe("10");
});

test("for any initial events, the delivered list has the last state of each object", async () => {
  const name = fc.constantFrom("a", "b", "c");
  const type = fc.constantFrom("ADDED", "MODIFIED", "DELETED");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(type, name), { maxLength: 20 }), async (sent) => {
      const { transport, events } = await start();
      const model = new Map<string, string>();
      for (const [index, [what, which]] of sent.entries()) {
        transport.lastWatch.send(what, object(which, `${index + 1}`));
        if (what === "DELETED") model.delete(which);
        else model.set(which, `${index + 1}`);
      }
      transport.lastWatch.send("BOOKMARK", bookmark("99", true));
      await turns(200);
      expect(events).toHaveLength(1);
      const delivered = events[0]?.replace(/^replaced (.*)@99$/, "$1");
      expect(new Set(delivered === "" ? [] : delivered?.split(","))).toEqual(
        new Set([...model].map(([key, at]) => `${key}:${at}`)),
      );
    }),
    { numRuns: 50 },
  );
});
