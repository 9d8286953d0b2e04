/** Watches run for months: ten thousand restarts make the leak of one restart visible. */
import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { FakeClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Transport, TransportRequest, TransportStream } from "@kubewright/core/transport";
import { expect, test } from "vitest";
import { Informer } from "../src/cache/index.js";
import { createClient } from "../src/client/index.js";
import { ConfigMap } from "./kinds.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const object = (version: number) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "one", namespace: "default", uid: "u", resourceVersion: String(version), creationTimestamp: "" },
});

/** A server whose watches deliver one change each, and end in one of several ways. */
class EndingServer implements Transport {
  version = 1;
  opened = 0;

  async send() {
    const metadata = { resourceVersion: String(this.version) };
    const body = { kind: "ConfigMapList", apiVersion: "v1", metadata, items: [object(this.version)] };
    return { status: 200, headers: {}, body };
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    this.opened += 1;
    const way = this.opened % 7;
    if (way === 0) throw new OperatorError("TRANSPORT_FAILED", "connection refused");
    return { kind: "stream", status: 200, headers: {}, items: this.#items(way, request) };
  }

  async close(): Promise<void> {}

  async *#items(way: number, { query }: TransportRequest): AsyncIterable<unknown> {
    this.version += 1;
    yield { type: "MODIFIED", object: object(this.version) };
    if (query?.["sendInitialEvents"] === "true" && way !== 3) {
      const annotations = { "k8s.io/initial-events-end": "true" };
      const metadata = { resourceVersion: String(this.version), annotations };
      yield { type: "BOOKMARK", object: { kind: "ConfigMap", apiVersion: "v1", metadata } };
    }
    if (way === 1) throw new OperatorError("TRANSPORT_FAILED", "connection reset");
    if (way === 2)
      yield { type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired", message: "too old" } };
  }
}

test("ten thousand watch restarts leak no timer, no listener and no memory", async () => {
  const clock = new FakeClock();
  const server = new EndingServer();
  const informer = new Informer({ kind: ConfigMap, client: createClient(server), clock, random: () => 0.5 });
  let changes = 0;
  informer.addHandler(() => {
    changes += 1;
  });
  const abort = new AbortController();
  const running = informer.run(abort.signal);
  const restartUntil = async (count: number) => {
    while (server.opened < count) {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      clock.advance(60_000);
    }
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    collectGarbage();
    return {
      timers: clock.pendingTimers,
      listeners: getEventListeners(abort.signal, "abort").length,
      heapMb: process.memoryUsage().heapUsed / 2 ** 20,
    };
  };
  const before = await restartUntil(1_000);
  const after = await restartUntil(10_000);
  expect(after.timers).toBeLessThanOrEqual(2);
  expect(after.listeners).toBe(before.listeners);
  expect(after.heapMb - before.heapMb).toBeLessThan(2);
  expect(changes).toBeGreaterThan(8_000);
  expect(informer.list()).toHaveLength(1);
  abort.abort();
  await running;
  expect(clock.pendingTimers).toBe(0);
  expect(getEventListeners(abort.signal, "abort")).toHaveLength(0);
});

test("an informer keeps no object of its initial list that the watch has replaced", async () => {
  const initial: WeakRef<object>[] = [];
  let end = (): void => {};
  let replaced = (): void => {};
  const isReplaced = new Promise<void>((resolve) => {
    replaced = resolve;
  });
  const named = (index: number, version: number) => {
    const { metadata, ...rest } = object(version);
    return { ...rest, metadata: { ...metadata, name: `object-${index}`, uid: `u-${index}` } };
  };
  async function* items(): AsyncIterable<unknown> {
    for (let index = 0; index < 100; index++) yield { type: "ADDED", object: named(index, 1) };
    const metadata = { resourceVersion: "1", annotations: { "k8s.io/initial-events-end": "true" } };
    yield { type: "BOOKMARK", object: { kind: "ConfigMap", apiVersion: "v1", metadata } };
    for (let index = 0; index < 100; index++) yield { type: "MODIFIED", object: named(index, index + 2) };
    replaced();
    // Held, or else the open watch would be garbage too.
    await new Promise<void>((resolve) => {
      end = resolve;
    });
  }
  const server = {
    send: () => Promise.reject(new Error("not expected")),
    stream: async (): Promise<TransportStream> => ({ kind: "stream", status: 200, headers: {}, items: items() }),
    close: async () => {},
  } satisfies Transport;
  const client = createClient(server);
  const informer = new Informer({ kind: ConfigMap, client, clock: new FakeClock(), random: () => 0.5 });
  informer.addHandler((change) => {
    if (change.kind === "added") initial.push(new WeakRef(change.new));
  });
  const abort = new AbortController();
  const running = informer.run(abort.signal);
  await isReplaced;
  expect(informer.list().map(({ metadata }) => metadata.resourceVersion)).toContain("101");
  // A WeakRef keeps its target until the end of the turn in which it was made or read.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(initial).toHaveLength(100);
  expect(initial.filter((object) => object.deref() !== undefined).length).toBeLessThan(3);
  abort.abort();
  end();
  await running;
});
