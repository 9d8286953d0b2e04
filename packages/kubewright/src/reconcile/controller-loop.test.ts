import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import { isOperatorError } from "@kubewright/core/errors";
import type { LogFields, Logger } from "@kubewright/core/log";
import { expect, test } from "vitest";
import { CustomResourceDefinition } from "../../test/kinds.js";
import { runController } from "../../test/running-controller.js";
import { Warnings } from "../../test/warnings.js";
import { shop, Tenant, Website } from "../../test/website.js";
import { InformerSet } from "../cache/index.js";
import { createClient } from "../client/index.js";
import { crdOf } from "../definition/index.js";
import { ConfigMap, Secret } from "../k8s/core/v1.gen.js";
import { type Cause, events, every, priorityOf, watch } from "../route/index.js";
import { ControllerLoop, controller, live, TerminalError } from "./index.js";

/** A promise that the test resolves. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("requeueAfter runs the key after its delay, and not before", async () => {
  let runs = 0;
  const polling = controller(Website, {
    reconcile: async ({ requeueAfter }) => {
      runs += 1;
      return requeueAfter("30s");
    },
  });
  await using running = await runController(polling, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  const before = runs;
  await running.advance(29_999);
  expect(runs).toBe(before);
  await running.advance(1);
  expect(runs).toBe(before + 1);
});

test("many concurrent workers cause no MaxListenersExceededWarning", async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): unknown => warnings.push(name);
  process.on("warning", onWarning);
  const held = gate();
  let most = 0;
  let now = 0;
  const busy = controller(Website, {
    workers: 20,
    reconcile: async () => {
      now += 1;
      most = Math.max(most, now);
      await held.opened;
      now -= 1;
    },
  });
  await using running = await runController(busy, { install: [Website] });
  for (let index = 0; index < 20; index++)
    await running.client.create(Website, { ...shop, metadata: { name: `shop-${index}` } });
  while (now < 20) await turn();
  held.open();
  await running.settle();
  process.off("warning", onWarning);
  expect(most).toBe(20);
  expect(warnings).toEqual([]);
});

test("a run that throws is retried with exponential backoff, which a success resets", async () => {
  let failures = 3;
  const causes: Cause[] = [];
  const failing = controller(Website, {
    reconcile: async (context) => {
      causes.push(...context.causes);
      if (failures-- > 0) throw new Error("not yet");
    },
  });
  await using running = await runController(failing, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(running.loop.failing.get("default/shop")?.message).toBe("not yet");
  const delays: number[] = [];
  while (running.loop.queue.delayed > 0) {
    const waitMs = (running.loop.queue.nextDelayedAtMs ?? 0) - running.clock.monotonic();
    delays.push(waitMs);
    await running.advance(waitMs);
  }
  expect(delays).toEqual([5, 10, 20]);
  expect(causes).toContainEqual({ source: "retry", error: "not yet" });
  expect(running.loop.failing.size).toBe(0);
});

test("a terminal error is not retried until the next change", async () => {
  let runs = 0;
  const impossible = controller(Website, {
    reconcile: async ({ object }) => {
      runs += 1;
      if (object.spec.image === "shop:1") throw new TerminalError("The image is not allowed");
    },
  });
  await using running = await runController(impossible, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  const before = runs;
  await running.advance(3_600_000);
  expect(runs).toBe(before);
  await running.client.patch(Website, "shop", { merge: { spec: { image: "shop:2" } } });
  await running.settle();
  expect(runs).toBeGreaterThan(before);
  expect(running.loop.failing.size).toBe(0);
});

test("a thrown value that is not an Error is wrapped in one", async () => {
  const throwing = controller(Website, {
    reconcile: () => {
      throw "a string";
    },
  });
  await using running = await runController(throwing, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(running.loop.failing.get("default/shop")?.message).toContain(
    "it threw a value that is not an Error: a string",
  );
});

test("a run receives its causes: which object, which change, which fields", async () => {
  let last: readonly Cause[] = [];
  const curious = controller(Website, {
    watches: [watch(ConfigMap, { to: ({ metadata }) => metadata.labels?.["website"] })],
    reconcile: async ({ causes }) => {
      last = causes;
    },
  });
  await using running = await runController(curious, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  await running.client.patch(Website, "shop", { merge: { spec: { image: "shop:2" } } });
  await running.settle();
  await running.client.create(ConfigMap, { metadata: { name: "settings", labels: { website: "shop" } } });
  await running.settle();
  expect(last).toMatchObject([
    { source: "watches", change: "added", kind: "/v1/ConfigMap", namespace: "default", name: "settings" },
  ]);
});

test("a timeout aborts the signal of the run, and the run is retried", async () => {
  const reasons: unknown[] = [];
  const slow = controller(Website, {
    timeout: "10s",
    reconcile: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason);
          reject(signal.reason);
        });
      }),
  });
  await using running = await runController(slow, { install: [Website] });
  await running.client.create(Website, shop);
  for (let turns = 0; running.loop.queue.running.length === 0 && turns < 100; turns++) await turn();
  expect(running.loop.idle).toBe(false);
  await running.advance(10_000);
  expect(isOperatorError(reasons[0]) && reasons[0].code).toBe("RECONCILE_TIMEOUT");
  expect(running.loop.queue.delayed).toBe(1);
});

test("one key never runs concurrently with itself, however many workers there are; two keys do run concurrently", async () => {
  const active = new Map<string, number>();
  let most = 0;
  let overlap = 0;
  const busy = controller(Website, {
    workers: 4,
    reconcile: async ({ object }) => {
      const { name } = object.metadata;
      active.set(name, (active.get(name) ?? 0) + 1);
      overlap = Math.max(overlap, active.get(name) ?? 0);
      most = Math.max(
        most,
        [...active.values()].reduce((sum, count) => sum + count, 0),
      );
      for (let turns = 0; turns < 5; turns++) await turn();
      active.set(name, (active.get(name) ?? 0) - 1);
    },
  });
  await using running = await runController(busy, { install: [Website] });
  for (const name of ["a", "b"]) await running.client.create(Website, { ...shop, metadata: { name } });
  for (const image of ["x", "y", "z"]) {
    await turn();
    await running.client.patch(Website, "a", { merge: { spec: { image } } });
  }
  await running.settle();
  expect(overlap).toBe(1);
  expect(most).toBe(2);
});

test("stop aborts the signal of a run, awaits the run, and still writes its status", async () => {
  const started = gate();
  const writing = controller(Website, {
    reconcile: async ({ status, signal }) => {
      started.open();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      status.url = "written at the end";
    },
  });
  await using running = await runController(writing, { install: [Website] });
  await running.client.create(Website, shop);
  await started.opened;
  await running.loop.stop();
  expect((await running.client.get(Website, "shop")).status?.url).toBe("written at the end");
  expect(running.loop.idle).toBe(true);
});

test("when the lease is lost, the signal aborts and nothing more is written, not even the status", async () => {
  const started = gate();
  const clock = new FakeClock();
  await using cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  await client.create(CustomResourceDefinition, crdOf(Website));
  await client.create(Website, shop);
  const reasons: unknown[] = [];
  const losing = controller(Website, {
    reconcile: async ({ status, event, signal }) => {
      started.open();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      reasons.push(signal.reason);
      status.url = "too late";
      event("Normal", "TooLate", "Too late");
    },
  });
  const common = { client, clock, random: () => 0.5 };
  const informers = new InformerSet({ ...common, managed: losing.owns });
  const loop = new ControllerLoop({ ...common, controller: losing, informers });
  const [stop, lease] = [new AbortController(), new AbortController()];
  const watching = informers.run(stop.signal);
  await loop.start(lease.signal);
  await started.opened;
  const before = cluster.revision;
  lease.abort(new Error("lease lost"));
  await loop.stop();
  stop.abort();
  await watching;
  expect(reasons).toEqual([new Error("lease lost")]);
  expect(cluster.revision).toBe(before);
});

test("a run that fails because its controller stops is not logged as a failure", async () => {
  const lines: string[] = [];
  const logger: Logger = {
    debug() {},
    info() {},
    warn() {},
    error: (_, message) => lines.push(message),
    child: () => logger,
  };
  const started = gate();
  const waiting = controller(Website, {
    reconcile: ({ signal }) => {
      started.open();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  await using running = await runController(waiting, { install: [Website], logger });
  await running.client.create(Website, shop);
  await started.opened;
  await running.loop.stop();
  expect(lines).toEqual([]);
});

test("each log line of a run has the controller, the key and the reconcileId", async () => {
  const lines: LogFields[] = [];
  const logging = (bound: LogFields): Logger => {
    const write = (fields: LogFields): void => void lines.push({ ...bound, ...fields });
    return { debug() {}, info: write, warn: write, error: write, child: (fields) => logging({ ...bound, ...fields }) };
  };
  const failing = controller(Website, {
    reconcile: async ({ log }) => {
      log.info({}, "Looking");
      throw new Error("failed");
    },
  });
  await using running = await runController(failing, { install: [Website], logger: logging({}) });
  await running.client.create(Website, shop);
  await running.settle();
  expect(lines.slice(0, 2)).toMatchObject([
    { controller: "website", key: "default/shop" },
    { controller: "website", key: "default/shop", attempt: 1, delayMs: 5 },
  ]);
  expect(lines[0]?.["reconcileId"]).toMatch(/^[0-9a-f]{8}-/);
  expect(lines[1]?.["reconcileId"]).toBe(lines[0]?.["reconcileId"]);
});

test("requeueAfter of zero runs again at once", async () => {
  for (const delay of [0, "0s"] as const) {
    let runs = 0;
    const circling = controller(Website, {
      reconcile: ({ requeueAfter }) => (++runs < 5 ? requeueAfter(delay) : undefined),
    });
    await using running = await runController(circling, { install: [Website] });
    await running.client.create(Website, shop);
    await running.settle();
    expect(runs).toBe(5);
    expect(running.loop.failing.size).toBe(0);
  }
});

test("only the returned requeueAfter counts, and one that is not returned is reported once", async () => {
  const logger = new Warnings();
  let runs = 0;
  const forgetful = controller(Website, {
    reconcile: ({ object, requeueAfter }) => {
      runs += 1;
      const short = requeueAfter("1s");
      return object.metadata.name === "long"
        ? requeueAfter("1h")
        : object.metadata.name === "short"
          ? short
          : undefined;
    },
  });
  await using running = await runController(forgetful, { install: [Website], logger });
  await running.client.create(Website, { ...shop, metadata: { name: "long" } });
  await running.settle();
  await running.advance(60_000);
  expect(runs).toBe(1);
  expect(logger.all).toEqual([]);
  for (const name of ["one", "two"]) await running.client.create(Website, { ...shop, metadata: { name } });
  await running.settle();
  await running.advance(60_000);
  expect(runs).toBe(3);
  expect(logger.all.map(({ message }) => message)).toEqual([
    "A run called `requeueAfter` and did not return its result, which has no effect; return it",
  ]);
  await running.client.create(Website, { ...shop, metadata: { name: "short" } });
  await running.settle();
  await running.advance(1_000);
  expect(runs).toBe(5);
});

test("a result with a priority runs before others, and one of low priority after them", async () => {
  const order: string[] = [];
  const first = new Set<string>();
  const ranked = controller(Website, {
    reconcile: ({ object, requeueAfter }) => {
      const { name } = object.metadata;
      if (first.has(name)) return void order.push(name);
      first.add(name);
      return name === "plain" ? requeueAfter("1s") : requeueAfter("1s", { priority: name === "urgent" ? 100 : -100 });
    },
  });
  await using running = await runController(ranked, { install: [Website] });
  for (const name of ["idle", "plain", "urgent"]) await running.client.create(Website, { ...shop, metadata: { name } });
  await running.settle();
  await running.advance(1_000);
  expect(order).toEqual(["urgent", "plain", "idle"]);
  const { requeueAfterOf } = await import("./outcome.js");
  expect(() => requeueAfterOf("1s", { priority: 0.5 })).toThrow(/priority 0.5: it must be an integer/);
});

test("a kind without a status subresource has no status in its context, and no status is written", async () => {
  const seen: unknown[] = [];
  const plain = controller(Tenant, {
    reconcile: async (context) => {
      seen.push(context.status, context.conditions, context.saveStatus);
    },
  });
  await using running = await runController(plain, { install: [Tenant] });
  await running.client.create(Tenant, { metadata: { name: "acme" }, spec: { team: "a" } });
  await running.settle();
  expect(seen).toEqual([undefined, undefined, undefined]);
  expect(running.sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
});

test("reads see the controller's own writes immediately", async () => {
  const seen: unknown[] = [];
  const writing = controller(Website, {
    owns: [ConfigMap],
    reconcile: async ({ apply, get, list }) => {
      await apply(ConfigMap, { metadata: { name: "settings" }, data: { mode: "fast" } });
      seen.push((await get(ConfigMap, "settings")).data, (await list(ConfigMap)).length);
    },
  });
  await using running = await runController(writing, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(seen.slice(0, 2)).toEqual([{ mode: "fast" }, 1]);
});

test("a kind that is read live is neither listed nor watched; each read is a GET", async () => {
  const tokens: unknown[] = [];
  const reading = controller(Website, {
    uses: [live(Secret)],
    reconcile: async ({ find, requeueAfter }) => {
      tokens.push((await find(Secret, "token"))?.metadata.name);
      return requeueAfter("1m");
    },
  });
  await using running = await runController(reading, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  await running.client.create(Secret, { metadata: { name: "token" } });
  await running.settle();
  expect(tokens.at(-1)).toBeUndefined();
  await running.advance(60_000);
  expect(tokens.at(-1)).toBe("token");
  expect(running.sent.some((line) => line === "GET /api/v1/secrets")).toBe(false);
});

test("external sources trigger runs: every object once per period, and the names that events yield", async () => {
  const runs: string[] = [];
  const message = gate();
  const outside = controller(Website, {
    sources: [
      every("1m"),
      events(async function* () {
        await message.opened;
        yield { name: "a" };
      }),
    ],
    reconcile: async ({ object, causes }) => {
      runs.push(`${object.metadata.name} ${causes.map(({ source }) => source).join()}`);
    },
  });
  await using running = await runController(outside, { install: [Website] });
  for (const name of ["a", "b"]) await running.client.create(Website, { ...shop, metadata: { name } });
  await running.settle();
  runs.length = 0;
  await running.advance(60_000);
  expect(runs).toEqual(["a every", "b every"]);
  message.open();
  await running.settle();
  expect(runs.at(-1)).toBe("a events");
});

test("a controller cannot start twice", async () => {
  await using running = await runController(controller(Website, { reconcile: () => undefined }), {
    install: [Website],
  });
  await expect(running.loop.start(new AbortController().signal)).rejects.toThrow(
    'Cannot start controller "website" again',
  );
});

test("invalid controller options are rejected when the controller is defined", () => {
  const reconcile = (): undefined => undefined;
  expect(() => controller(Website, { workers: 0, reconcile })).toThrow("`workers` must be a whole number above zero");
  expect(() => controller(Website, { finalizer: "plain", reconcile })).toThrow(
    'the finalizer "plain" is not of the form "domain/name"',
  );
  expect(() => controller(Website, { timeout: "-1s", reconcile })).toThrow(
    'Cannot use "-1s" as "timeout": it must be a duration such as "30s" or "1m30s", and not negative',
  );
});

test("objects that change during startup are reconciled before those of the initial list", async () => {
  const order: string[] = [];
  const first = gate();
  const slow = controller(Website, {
    when: ({ old, new: next }) => old?.metadata.generation !== next?.metadata.generation,
    reconcile: async ({ object }) => {
      order.push(object.metadata.name);
      if (order.length === 1) await first.opened;
    },
  });
  const idle = controller(Website, { name: "idle", when: () => false, reconcile: () => {} });
  await using before = await runController(idle, { install: [Website] });
  for (const name of ["a", "b", "c"]) await before.client.create(Website, { ...shop, metadata: { name } });
  const restarting = before.restart(slow);
  for (let turns = 0; order.length === 0 && turns < 1_000; turns++) await turn();
  await before.client.create(Website, { ...shop, metadata: { name: "new" } });
  for (let turns = 0; turns < 20; turns++) await turn();
  first.open();
  const running = await restarting;
  expect(order).toEqual(["a", "new", "b", "c"]);
  await running.loop.stop();
});

test("resync reconciles every cached object once per period, at low priority, with the cause replayed", async () => {
  const causes: string[] = [];
  const resynced = controller(Website, {
    resync: "10m",
    owns: [ConfigMap],
    reconcile: async ({ object, apply, causes: why }) => {
      for (const cause of why)
        causes.push("change" in cause ? `${cause.source} ${cause.change} ${priorityOf(cause)}` : cause.source);
      await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { a: "b" } });
    },
  });
  await using running = await runController(resynced, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  causes.length = 0;
  await running.advance(9 * 60_000);
  expect(causes).toEqual([]);
  await running.advance(2 * 60_000);
  expect(causes.sort()).toEqual(["for replayed -100", "owns replayed -100"]);
  expect(() => controller(Website, { resync: "10ms", reconcile: () => undefined })).toThrow("`resync`");
});

test("a failing key is retried with the controller's backoff", async () => {
  let runs = 0;
  const failing = controller(Website, {
    backoff: { first: "1s", max: "2s" },
    reconcile: () => {
      runs += 1;
      throw new Error("it fails");
    },
  });
  await using running = await runController(failing, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  const after = async (ms: number): Promise<number> => {
    await running.advance(ms);
    return runs;
  };
  expect([runs, await after(999), await after(1), await after(2_000), await after(2_000)]).toEqual([1, 1, 2, 3, 4]);
  const make = (backoff: object) => () => controller(Website, { backoff, reconcile: () => undefined });
  expect(make({ first: "2s", max: "1s" })).toThrow("`backoff.first` must be above zero");
});
