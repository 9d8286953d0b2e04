import { FakeClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { TransportRequest } from "@kubewright/core/transport";
import { afterEach, expect, test } from "vitest";
import { ConfigMap } from "../../test/kinds.js";
import { failure, type ScriptedResponse, ScriptedTransport, turns } from "../../test/scripted-transport.js";
import { createClient } from "../client/index.js";
import { ListWatch, WatchBackoff, type WatchEvent } from "./index.js";

const object = (name: string, resourceVersion: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", uid: name, resourceVersion },
});
const list = (resourceVersion: string, ...items: unknown[]) => ({
  body: { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion }, items },
});
const expired = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  reason: "Expired",
  message: "too old resource version",
  code: 410,
};

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a ListWatch against a scripted server, and records its events as strings. */
async function start(
  respond: (request: TransportRequest) => ScriptedResponse | undefined,
  logger?: Logger,
  streaming = false,
) {
  const clock = new FakeClock();
  const transport = new ScriptedTransport(respond);
  const events: string[] = [];
  const deliver = (event: WatchEvent<typeof ConfigMap>): void => {
    const what =
      event.type === "replaced"
        ? event.objects.map((item) => item.metadata.name).join("+")
        : event.type === "bookmark"
          ? ""
          : event.object.metadata.name;
    events.push(`${event.type} ${what}@${event.resourceVersion}`.replace(" @", "@"));
  };
  const abort = new AbortController();
  const listWatch = new ListWatch({
    kind: ConfigMap,
    client: createClient(transport),
    clock,
    random: () => 0,
    deliver,
    streaming,
    ...(logger === undefined ? {} : { logger }),
  });
  const running = listWatch.run(abort.signal);
  const stop = async () => {
    abort.abort();
    await running;
  };
  stops.push(stop);
  await turns();
  return { clock, transport, events, listWatch, stop };
}

const queries = (transport: ScriptedTransport) => transport.requests.map((request) => request.query);

test("it lists at resourceVersion 0, then watches from the list's resourceVersion, with bookmarks and timeoutSeconds", async () => {
  const { transport, events, listWatch } = await start(() => list("10", object("a", "3"), object("b", "9")));
  expect(queries(transport)).toEqual([{ limit: "500", resourceVersion: "0" }]);
  expect(transport.lastWatch.request.query).toEqual({
    watch: "true",
    allowWatchBookmarks: "true",
    resourceVersion: "10",
    timeoutSeconds: "300",
  });
  transport.lastWatch.send("MODIFIED", object("a", "11"));
  transport.lastWatch.send("DELETED", object("b", "12"));
  transport.lastWatch.send("BOOKMARK", object("", "20"));
  await turns();
  expect(events).toEqual(["replaced a+b@10", "modified a@11", "deleted b@12", "bookmark@20"]);
  expect(listWatch.state).toEqual({ kind: "watch", version: "20", open: true });
  expect(listWatch.idle).toBe(true);
});

test("it reads all pages before it delivers the list", async () => {
  const page = (from: string, next: string | undefined, name: string) => ({
    body: {
      kind: "ConfigMapList",
      metadata: { resourceVersion: "10", continue: next ?? "" },
      items: [object(name, from)],
    },
  });
  const { transport, events } = await start(({ query }) =>
    query?.["continue"] ? page("2", undefined, "b") : page("1", "token", "a"),
  );
  expect(events).toEqual(["replaced a+b@10"]);
  expect(queries(transport)).toEqual([
    { limit: "500", resourceVersion: "0" },
    { limit: "500", continue: "token" },
  ]);
});

test("when the server ends a watch, it resumes from the last resourceVersion, including bookmarks, without a list", async () => {
  const { clock, transport } = await start(() => list("10"));
  transport.lastWatch.send("BOOKMARK", object("", "40"));
  await turns();
  transport.lastWatch.end();
  await turns();
  expect(transport.requests).toHaveLength(1);
  expect(transport.watches).toHaveLength(2);
  expect(transport.lastWatch.request.query?.["resourceVersion"]).toBe("40");
  expect(clock.pendingTimers).toBe(1);
});

test("a broken watch of a server that was restored from a backup is replaced by a relist, although the server would accept it", async () => {
  let restored = false;
  const { clock, transport, events } = await start(() => (restored ? list("30", object("a", "20")) : list("40")));
  restored = true;
  transport.version = undefined;
  transport.lastWatch.end(new Error("connection lost"));
  for (const version of [undefined, "29"]) {
    transport.version = version;
    clock.advance(10_000);
    await turns();
  }
  expect(events).toEqual(["replaced@40", "replaced a@30"]);
  expect(transport.watches).toHaveLength(2);
  expect(transport.lastWatch.request.query?.["resourceVersion"]).toBe("30");
});

test.each([
  ["an older version of the last changed object", object("a", "30")],
  ["a newer version of it", object("a", "60")],
  ["not the object", undefined],
])("a broken watch is replaced by a relist if the server has %s, although it is not behind", async (_, found) => {
  const { clock, transport, events } = await start(() => list("40", object("b", "20")));
  transport.lastWatch.send("MODIFIED", object("a", "50"));
  await turns();
  transport.lastWatch.end(new Error("connection lost"));
  if (found === undefined) transport.objects.delete("a");
  else transport.objects.set("a", found);
  await turns();
  clock.advance(10_000);
  await turns();
  expect(events).toEqual(["replaced b@40", "modified a@50", "replaced b@40"]);
});

test("a broken watch resumes if the last changed object, or its absence after a delete, is as it was", async () => {
  const { clock, transport } = await start(() => list("40", object("a", "20")));
  for (const type of ["MODIFIED", "DELETED"]) {
    transport.lastWatch.send(type, object("a", "50"));
    await turns();
    transport.lastWatch.end(new Error("connection lost"));
    await turns();
    clock.advance(10_000);
    await turns();
  }
  expect([transport.requests.length, transport.watches.length]).toEqual([1, 3]);
});

test("a watch that ends by its timeout resumes without another request", async () => {
  const { clock, transport } = await start(() => list("40"));
  transport.version = undefined;
  transport.lastWatch.send("BOOKMARK", object("", "50"));
  for (let minute = 0; minute < 5; minute++) {
    clock.advance(60_000);
    transport.lastWatch.send("BOOKMARK", object("", "50"));
    await turns();
  }
  transport.lastWatch.end();
  await turns();
  expect(transport.watches).toHaveLength(2);
});

test("a 410 event causes an immediate relist of the most recent state", async () => {
  const { transport, events } = await start(({ query }) =>
    query?.["resourceVersion"] === "0" ? list("10", object("a", "3")) : list("50"),
  );
  transport.lastWatch.send("ERROR", expired);
  await turns();
  expect(queries(transport)).toEqual([{ limit: "500", resourceVersion: "0" }, { limit: "500" }]);
  expect(events).toEqual(["replaced a@10", "replaced@50"]);
  expect(transport.lastWatch.request.query?.["resourceVersion"]).toBe("50");
});

test("a 410 response to the watch causes a relist; a second one in a row waits first", async () => {
  const transportOf = await start(() => list("10"));
  const { transport, clock, listWatch } = transportOf;
  transport.respondToWatch = () => ({ status: 410, body: expired });
  transport.lastWatch.end(new Error("connection lost"));
  await turns();
  clock.advance(800);
  await turns();
  expect(listWatch.state).toMatchObject({ kind: "backoff", next: { kind: "list", version: "" } });
  const lists = transport.requests.length;
  clock.advance(1_599);
  await turns();
  expect(transport.requests).toHaveLength(lists);
  clock.advance(1);
  await turns();
  expect(transport.requests.length).toBe(lists + 1);
});

test("a list with 410 or ResourceVersionTooLarge is retried at once for the most recent state", async () => {
  for (const rejection of [
    { status: 410, body: expired },
    { ...failure(504, "Timeout", "Too large resource version: 10, current: 3") },
  ]) {
    const { events } = await start(({ query }) => (query?.["resourceVersion"] === "0" ? rejection : list("7")));
    expect(events).toEqual(["replaced@7"]);
  }
});

test("requests to an unreachable server are retried after 800 ms, 1.6 s, 3.2 s …", async () => {
  const { clock, transport, listWatch } = await start(() => undefined);
  const waits: number[] = [];
  for (let attempt = 0; attempt < 8; attempt++) {
    expect(listWatch.idle).toBe(false);
    expect(transport.requests).toHaveLength(attempt + 1);
    const waitMs = clock.nextTimerInMs ?? 0;
    waits.push(waitMs);
    clock.advance(waitMs);
    await turns();
  }
  expect(waits).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
});

test("a broken watch resumes from the last resourceVersion after a backoff, without a relist", async () => {
  const { clock, transport, events } = await start(() => list("10"));
  transport.lastWatch.send("ADDED", object("a", "11"));
  await turns();
  transport.lastWatch.end(new Error("socket hang up"));
  await turns();
  expect(transport.watches).toHaveLength(1);
  clock.advance(800);
  await turns();
  expect(transport.watches).toHaveLength(2);
  expect(transport.lastWatch.request.query?.["resourceVersion"]).toBe("11");
  expect(events).toEqual(["replaced@10", "added a@11"]);
});

test("429 keeps the resourceVersion and waits for Retry-After", async () => {
  const { clock, transport, listWatch } = await start(() => list("10"));
  transport.respondToWatch = () => ({ ...failure(429, "TooManyRequests", "busy"), headers: { "retry-after": "7" } });
  clock.advance(2_000);
  transport.lastWatch.end();
  await turns();
  expect(listWatch.state).toMatchObject({ kind: "backoff", delayMs: 7_000, next: { kind: "resume", version: "10" } });
});

test("a watch that ends within a second without an event is a failure with a backoff", async () => {
  const { transport, listWatch } = await start(() => list("10"));
  transport.lastWatch.end();
  await turns();
  expect(transport.watches).toHaveLength(1);
  expect(listWatch.state).toMatchObject({ kind: "backoff", delayMs: 800, next: { kind: "resume", version: "10" } });
});

test("a watch that is rejected for another reason relists, not older than the last resourceVersion", async () => {
  const { clock, transport } = await start(() => list("10"));
  transport.respondToWatch = () => failure(403, "Forbidden", "no");
  clock.advance(2_000);
  transport.lastWatch.end();
  await turns();
  clock.advance(800);
  await turns();
  expect(queries(transport).at(-1)).toEqual({ resourceVersion: "10" });
});

test("a watch that keeps failing with 500 relists after three failures; one event ends the count", async () => {
  const { clock, transport } = await start(() => list("10"));
  const internalError = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 500 };
  const pause = async (): Promise<void> => {
    await turns();
    clock.advance(30_000);
    await turns();
  };
  clock.advance(2_000);
  transport.respondToWatch = () => failure(500, "InternalError", "etcdserver: mvcc: database space exceeded");
  transport.lastWatch.end();
  await pause();
  transport.respondToWatch = () => undefined;
  await pause();
  transport.lastWatch.send("BOOKMARK", object("", "11"));
  for (let failures = 0; failures < 3; failures++) {
    expect(transport.requests).toHaveLength(1);
    transport.lastWatch.send("ERROR", internalError);
    await pause();
  }
  expect(queries(transport)).toEqual([{ limit: "500", resourceVersion: "0" }, { resourceVersion: "11" }]);
});

test("a watch whose next event is not JSON relists after three failures", async () => {
  const { clock, transport, events } = await start(({ query }) =>
    list(query?.["resourceVersion"] === "0" ? "10" : "20"),
  );
  for (let failures = 0; failures < 3; failures++) {
    const cause = new SyntaxError("Unexpected token");
    transport.lastWatch.end(new OperatorError("TRANSPORT_FAILED", "Cannot read watch event", { cause }));
    await turns();
    clock.advance(30_000);
    await turns();
  }
  expect(events).toEqual(["replaced@10", "replaced@20"]);
});

test("a bookmark of an older resourceVersion, from a restored etcd, causes a relist; versions without an order do not", async () => {
  const { transport, events } = await start(({ query }) =>
    query?.["resourceVersion"] === "0" ? list("1000") : list("500"),
  );
  transport.lastWatch.send("BOOKMARK", object("", "500"));
  await turns();
  expect(events).toEqual(["replaced@1000", "replaced@500"]);
  const opaque = await start(() => list("zz"));
  opaque.transport.lastWatch.send("BOOKMARK", object("", "a"));
  await turns();
  expect(opaque.events).toEqual(["replaced@zz", "bookmark@a"]);
});

test("a silent watch of a kind with bookmarks is replaced by a relist: its resourceVersion may be in the server's future", async () => {
  const { clock, transport } = await start(() => list("10"));
  const silence = async (): Promise<void> => {
    clock.advance(90_000);
    await turns();
  };
  // Events have no bookmarks.
  await silence();
  await silence();
  transport.lastWatch.send("BOOKMARK", object("", "11"));
  await turns();
  await silence();
  expect(transport.requests).toHaveLength(1);
  await silence();
  expect(queries(transport)).toEqual([{ limit: "500", resourceVersion: "0" }, { resourceVersion: "11" }]);
});

test("keepManagedFields ends the watch, the backoff or the list, and relists once", async () => {
  const { transport, events, listWatch } = await start(() => list("10", object("a", "3")));
  const lean = () =>
    [...transport.requests, ...transport.watches.map(({ request }) => request)].map(
      (request) => request.withoutManagedFields === true,
    );
  expect(lean()).toEqual([true, true]);
  listWatch.keepManagedFields();
  expect(listWatch.relisting).toBe(true);
  await turns();
  expect(listWatch.relisting).toBe(false);
  expect(events).toEqual(["replaced a@10", "replaced a@10"]);
  expect(lean()).toEqual([true, false, true, false]);
  expect(listWatch.lastError).toBeUndefined();
  transport.lastWatch.send("ADDED", object("b", "11"));
  await turns();
  expect(events.at(-1)).toBe("added b@11");
});

test("a watch without an event for 90 seconds is aborted and resumed, and is an error until it is open", async () => {
  const { clock, transport, listWatch } = await start(() => list("10"));
  clock.advance(60_000);
  transport.lastWatch.send("BOOKMARK", object("", "12"));
  await turns();
  clock.advance(89_000);
  await turns();
  expect(transport.watches).toHaveLength(1);
  clock.advance(1_000);
  expect(listWatch.idle).toBe(false);
  expect(listWatch.lastError).toMatchObject({ message: expect.stringContaining("the server sent nothing for 90 s") });
  await turns();
  expect(listWatch.idle).toBe(true);
  expect(transport.watches).toHaveLength(2);
  expect(transport.lastWatch.request.query?.["resourceVersion"]).toBe("12");
});

test("objects of another kind are logged and skipped, and the watch continues", async () => {
  const reports: string[] = [];
  const logger: Logger = {
    debug() {},
    info() {},
    warn() {},
    error: (_, message) => reports.push(message),
    child: () => logger,
  };
  const { transport, events } = await start(
    () => list("10", object("a", "1"), { kind: "Secret", metadata: { name: "x" } }, 5),
    logger,
  );
  transport.lastWatch.send("ADDED", {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "x", resourceVersion: "11" },
  });
  transport.lastWatch.sendRaw("garbage");
  transport.lastWatch.send("ADDED", object("b", "12"));
  await turns();
  expect(events).toEqual(["replaced a@10", "added b@12"]);
  expect(reports).toHaveLength(4);
});

test("it stops in any state when the signal aborts, and leaves no timer", async () => {
  const watching = await start(() => list("10"));
  await watching.stop();
  expect(watching.listWatch.state).toEqual({ kind: "stopped" });
  expect(watching.clock.pendingTimers).toBe(0);
  const waiting = await start(() => undefined);
  await waiting.stop();
  expect(waiting.listWatch.state).toEqual({ kind: "stopped" });
  expect(waiting.clock.pendingTimers).toBe(0);
});

test("WatchBackoff has jitter of up to 100 %, and resets after two minutes without a failure", () => {
  const backoff = new WatchBackoff(() => 0.5);
  expect([backoff.next(0), backoff.next(1_000), backoff.next(121_001)]).toEqual([1_200, 2_400, 1_200]);
});
