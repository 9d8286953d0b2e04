import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isNotFound } from "@kubewright/core/errors";
import { type Logger, silentLogger } from "@kubewright/core/log";
import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { Event } from "../k8s/events/v1.gen.js";
import { watch } from "../route/index.js";
import { controller, live, may, TerminalError } from "./index.js";

test("a run waits for calls that it does not await, and then ends", async () => {
  const writing = controller(Website, {
    owns: [ConfigMap],
    reconcile: ({ apply }) => void apply(ConfigMap, { metadata: { name: "settings" }, data: { a: "b" } }),
  });
  await using running = await runController(writing, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect((await running.client.get(ConfigMap, "settings")).data).toEqual({ a: "b" });
  expect(running.loop.failing.size).toBe(0);
});

test("the rejection of a call that is not awaited fails its run, and not the process", async () => {
  const reading = controller(Website, {
    uses: [live(ConfigMap)],
    reconcile: async ({ get }) => {
      void get(ConfigMap, "missing");
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    },
  });
  await using running = await runController(reading, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(running.loop.failing.get("default/shop")).toSatisfy(isNotFound);
});

test("a rejection that the run catches does not fail it", async () => {
  const reading = controller(Website, {
    uses: [live(ConfigMap)],
    reconcile: async ({ get }) => {
      await get(ConfigMap, "missing").catch(() => undefined);
      const later = get(ConfigMap, "missing");
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      await expect(later).rejects.toSatisfy(isNotFound);
    },
  });
  await using running = await runController(reading, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(running.loop.failing.size).toBe(0);
});

test("a call after the end of a run is rejected with an error that names the run", async () => {
  let late: () => Promise<unknown> = () => Promise.resolve();
  const leaking = controller(Website, {
    uses: [may(ConfigMap, "delete")],
    reconcile: (context) => {
      late = () => context.delete(ConfigMap, "settings");
    },
  });
  await using running = await runController(leaking, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  await expect(late()).rejects.toMatchObject({
    code: "RECONCILE_ENDED",
    message: expect.stringMatching(/^Cannot delete in run [0-9a-f-]+ of controller "website" for "default\/shop"/),
  });
});

test("a mapping that throws for an object is counted and reported by an event on it, and other changes are mapped", async () => {
  const failed: string[] = [];
  const runs: string[] = [];
  const mapping = controller(Website, {
    watches: [
      watch(ConfigMap, {
        to: ({ metadata, data }) => {
          if (data?.["site"] === undefined) throw new Error(`no site in "${metadata.name}"`);
          return data["site"];
        },
      }),
    ],
    reconcile: ({ object }) => void runs.push(object.metadata.name),
  });
  await using running = await runController(mapping, {
    install: [Website],
    observe: { reconcileObserver: { mappingFailed: (kind) => void failed.push(kind) } },
  });
  await running.client.create(Website, shop);
  await running.settle();
  await running.client.create(ConfigMap, { metadata: { name: "broken" } });
  await running.client.create(ConfigMap, { metadata: { name: "sound" }, data: { site: "shop" } });
  await running.settle();
  expect(failed).toEqual(["/v1/ConfigMap"]);
  expect(runs).toEqual(["shop", "shop"]);
  const events: unknown[] = [];
  for await (const { reason, note, regarding } of running.client.list(Event))
    events.push([reason, note, regarding?.name]);
  expect(events).toEqual([
    [
      "MappingFailed",
      'Controller "website" ignores a change, because its mapping failed: no site in "broken"',
      "broken",
    ],
  ]);
});

test("an error that a TerminalError caused is not retried", async () => {
  let runs = 0;
  const wrapping = controller(Website, {
    reconcile: () => {
      runs += 1;
      throw new Error("wrapped", { cause: new Error("again", { cause: new TerminalError("Cannot ever work") }) });
    },
  });
  await using running = await runController(wrapping, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  await running.advance(60_000);
  expect(runs).toBe(1);
});

test("a run that ignores its timeout is reported at the timeout, fails the health check, and does not block stop", async () => {
  const timedOut: string[] = [];
  const stuck = controller(Website, { timeout: "5s", reconcile: () => new Promise(() => {}) });
  const running = await runController(stuck, {
    install: [Website],
    observe: { reconcileObserver: { timedOut: (key) => void timedOut.push(key) } },
  });
  await running.client.create(Website, shop);
  while (running.loop.queue.running.length === 0) await new Promise((resolve) => setImmediate(resolve));
  running.clock.advance(5_000);
  expect(timedOut).toEqual(["default/shop"]);
  expect(running.loop.failing.get("default/shop")).toMatchObject({ code: "RECONCILE_TIMEOUT" });
  expect(running.loop.unhealthy).toBe(
    'The run of controller "website" for "default/shop" exceeded its timeout and has not returned',
  );
  const stopped = running.loop.stop(10_000);
  running.clock.advance(10_000);
  expect(await stopped).toEqual(["default/shop"]);
});

test("an API server that never responds to events holds neither runs nor stop", async () => {
  let runs = 0;
  const talkative = controller(Website, {
    timeout: "5s",
    reconcile: ({ event, requeueAfter }) => {
      runs += 1;
      event("Normal", "Checked", `run ${runs}`);
      return requeueAfter("10s");
    },
  });
  const running = await runController(talkative, {
    install: [Website],
    intercept: ({ method, path }) =>
      method === "POST" && path.endsWith("/events") ? new Promise<void>(() => {}) : undefined,
  });
  const ran = async (count: number): Promise<void> => {
    while (runs < count || running.loop.queue.running.length > 0) await new Promise((resolve) => setImmediate(resolve));
  };
  await running.client.create(Website, shop);
  for (let count = 1; count <= 3; count++) {
    await ran(count);
    running.clock.advance(10_000);
  }
  expect(running.loop.eventsPending).toBeGreaterThan(0);
  expect(running.loop.failing.size).toBe(0);
  expect(running.loop.unhealthy).toBeUndefined();
  const stopped = running.loop.stop(30_000);
  while (running.loop.queue.running.length > 0) await new Promise((resolve) => setImmediate(resolve));
  running.clock.advance(30_000);
  expect(await stopped).toEqual([]);
});

test("the error of a failing object does not keep its run", async () => {
  const signals: WeakRef<AbortSignal>[] = [];
  const failing = controller(Website, {
    owns: [ConfigMap],
    reconcile: async ({ apply, signal }) => {
      // Only the run keeps it.
      signals.push(new WeakRef(signal));
      await apply(ConfigMap, { metadata: { name: "INVALID" } });
    },
  });
  await using running = await runController(failing, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  await running.advance(5);
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  expect(running.loop.failing.size).toBe(1);
  expect(signals).toHaveLength(2);
  expect(signals.map((signal) => signal.deref())).toEqual([undefined, undefined]);
});

test("observers and wrappers that throw change nothing for a key, and stop no worker", async () => {
  const fail = (): never => {
    throw new Error("Observer");
  };
  const reconciled = new Set<string>();
  const counting = controller(Website, {
    reconcile: ({ object }) => {
      reconciled.add(object.metadata.name);
    },
  });
  await using running = await runController(counting, {
    install: [Website],
    observe: { around: fail, reconcileObserver: { started: fail, finished: fail } },
  });
  for (const name of ["a", "b"]) await running.client.create(Website, { ...shop, metadata: { name } });
  await running.settle();
  expect([...reconciled]).toEqual(["a", "b"]);
  expect([running.loop.failing.size, running.loop.unhealthy]).toEqual([0, undefined]);
});

test("a worker that ends restarts after a backoff with its key, and the health check fails meanwhile", async () => {
  let failures = 1;
  const reconciled: string[] = [];
  const counting = controller(Website, { reconcile: ({ object }) => void reconciled.push(object.metadata.name) });
  const ownership = {
    owns: () => true,
    enter: () => {
      if (failures-- > 0) throw new Error("Defect");
      return { signal: new AbortController().signal, end: () => {} };
    },
    onGained: () => () => {},
  };
  await using running = await runController(counting, { install: [Website], observe: { ownership } });
  await running.client.create(Website, shop);
  await running.settle();
  expect(running.loop.unhealthy).toBe('A worker of controller "website" failed, and is about to restart');
  expect(reconciled).toEqual([]);
  await running.advance(100);
  expect(running.loop.unhealthy).toBeUndefined();
  expect(reconciled).toContain("shop");
});

test("a controller chooses the delay of a retry by error and count; the backoff applies where that throws", async () => {
  const delays: unknown[] = [];
  const logger: Logger = {
    ...silentLogger,
    error: ({ delayMs }) => void (delayMs !== undefined && delays.push(delayMs)),
    child: () => logger,
  };
  const messages = ["quota", "quota", "broken", "other"];
  const choosy = controller(Website, {
    retryDelay: ({ key, failures, error }) => {
      expect(key).toBe("default/shop");
      if (error.message === "broken") throw new Error("no idea");
      return error.message === "quota" ? `${failures}m` : "0s";
    },
    reconcile: () => {
      const message = messages.shift();
      if (message !== undefined) throw new Error(message);
    },
  });
  await using running = await runController(choosy, { install: [Website], logger });
  await running.client.create(Website, shop);
  await running.settle();
  await running.advance(60_000);
  await running.advance(120_000);
  await running.advance(20);
  expect(delays).toEqual([60_000, 120_000, 20, 0]);
  expect(running.loop.failing.size).toBe(0);
});
