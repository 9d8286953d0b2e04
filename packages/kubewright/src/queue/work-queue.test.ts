import { FakeClock } from "@kubewright/core/clock";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ItemBackoff, WorkQueue } from "./index.js";

test("WorkQueue hands out a key once when it is added twice before a worker takes it, with both causes", async () => {
  const queue = new WorkQueue<string>({ clock: new FakeClock() });
  queue.add("default/web", "created");
  queue.add("default/web", "updated");
  expect(queue.length).toBe(1);
  expect(await queue.take()).toEqual({
    key: "default/web",
    priority: 0,
    causes: ["created", "updated"],
    droppedCauses: 0,
  });
  expect(queue.length).toBe(0);
});

test("WorkQueue never hands one key to two workers: a key added while it runs is ready again after done", async () => {
  const queue = new WorkQueue<string>({ clock: new FakeClock() });
  queue.add("a");
  await queue.take();
  queue.add("a", "again");
  expect(queue.length).toBe(0);
  expect(queue.idle).toBe(false);
  queue.done("a");
  expect((await queue.take())?.causes).toEqual(["again"]);
});

test("WorkQueue is not idle between handing a key to a waiting worker and done", async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  const taken = queue.take();
  expect(queue.idle).toBe(true);
  queue.add("a");
  expect(queue.idle).toBe(false);
  expect((await taken)?.key).toBe("a");
  queue.done("a");
  expect(queue.idle).toBe(true);
});

test("WorkQueue makes a delayed key ready at its earliest due time, and only once", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  queue.addAfter("a", 3_000);
  queue.addAfter("a", 1_000);
  queue.addAfter("a", 2_000);
  expect(queue.delayed).toBe(1);
  expect(queue.idle).toBe(true);
  clock.advance(999);
  expect(queue.length).toBe(0);
  clock.advance(1);
  expect(queue.length).toBe(1);
  expect(queue.delayed).toBe(0);
  await queue.take();
  queue.done("a");
  clock.advance(10_000);
  expect(queue.length).toBe(0);
  expect(clock.pendingTimers).toBe(0);
});

test("WorkQueue drops the cause of a due time when the key becomes ready before it", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue<string>({ clock, isDueTime: (cause) => cause === "requeue" });
  const causesOfNext = async (): Promise<readonly string[] | undefined> => {
    const entry = await queue.take();
    queue.done("a");
    return entry?.causes;
  };
  queue.addAfter("a", 1_000, "requeue");
  queue.add("a", "patched");
  expect(await causesOfNext()).toEqual(["patched"]);

  queue.addAfter("a", 1_000, "requeue");
  queue.addAfter("a", 10, "echo");
  clock.advance(10);
  expect(await causesOfNext()).toEqual(["echo"]);

  queue.addAfter("a", 1_000, "requeue");
  clock.advance(1_000);
  queue.add("a", "patched");
  expect(await causesOfNext()).toEqual(["requeue", "patched"]);

  queue.addAfter("a", 0, "requeue");
  expect(await causesOfNext()).toEqual(["requeue"]);
});

test("WorkQueue uses one timer for any number of delayed keys", () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  for (let index = 0; index < 1_000; index++) queue.addAfter(`key-${index}`, 1_000 - index);
  expect(clock.pendingTimers).toBe(1);
  clock.advance(1_000);
  expect(queue.length).toBe(1_000);
});

test("WorkQueue backs a failing key off from 5 ms, doubling, up to 1000 s, until it is forgotten", () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  const delays = Array.from({ length: 20 }, () => queue.addRateLimited("a"));
  expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
  expect(delays.at(-1)).toBe(1_000_000);
  expect(queue.failures("a")).toBe(20);
  queue.forget("a");
  expect(queue.addRateLimited("a")).toBe(5);
});

test("ItemBackoff counts each key separately", () => {
  const backoff = new ItemBackoff(1, 100);
  backoff.next("a");
  backoff.next("a");
  expect(backoff.next("b")).toBe(1);
  expect(backoff.next("a")).toBe(4);
});

test("WorkQueue drains ready keys at shutdown, drops delayed ones, and accepts no new ones", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  queue.add("a");
  queue.addAfter("b", 10);
  let drained = false;
  const closing = queue.shutDown().then(() => {
    drained = true;
  });
  queue.add("c");
  expect((await queue.take())?.key).toBe("a");
  expect(drained).toBe(false);
  queue.done("a");
  await closing;
  expect(await queue.take()).toBeUndefined();
  expect(clock.pendingTimers).toBe(0);
});

test("WorkQueue drops ready keys on shutDown with drop, and releases waiting workers", async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  queue.add("a");
  await queue.shutDown({ drop: true });
  expect(await queue.take()).toBeUndefined();
  const other = new WorkQueue({ clock: new FakeClock() });
  const waiting = other.take();
  await other.shutDown();
  expect(await waiting).toBeUndefined();
});

test("WorkQueue keeps the newest causes of a key, and counts the dropped ones", async () => {
  const queue = new WorkQueue<number>({ clock: new FakeClock(), maxCauses: 2 });
  for (const cause of [1, 2, 3, 4, 5]) queue.add("a", cause);
  expect(await queue.take()).toMatchObject({ key: "a", causes: [4, 5], droppedCauses: 3 });
});

test("WorkQueue reports to its observer how long a key waited and how long it ran", async () => {
  const clock = new FakeClock();
  const seen: string[] = [];
  const queue = new WorkQueue({
    clock,
    observer: {
      added: (key) => seen.push(`added ${key}`),
      taken: (key, ms) => seen.push(`taken ${key} ${ms}`),
      done: (key, ms) => seen.push(`done ${key} ${ms}`),
    },
  });
  queue.add("a");
  clock.advance(7);
  await queue.take();
  clock.advance(5);
  expect([queue.unfinishedWorkMs, queue.longestRunningMs]).toEqual([5, 5]);
  queue.done("a");
  expect(seen).toEqual(["added a", "taken a 7", "done a 5"]);
});

/** A model with the same guarantees, as simple as possible: every operation scans everything. */
class Model {
  nowMs = 0;
  ready: { key: string; priority: number; place: number; since: number }[] = [];
  readonly running = new Map<string, number>();
  readonly dirty = new Set<string>();
  readonly asked = new Map<string, number>();
  delayed: { key: string; dueMs: number; order: number }[] = [];
  #orders = 0;
  #overtakes = 0;

  ask(key: string, priority: number): void {
    this.asked.set(key, Math.max(priority, this.asked.get(key) ?? priority));
  }

  add(key: string): void {
    const priority = this.asked.get(key) ?? 0;
    this.delayed = this.delayed.filter((item) => item.key !== key);
    const before = this.ready.find((item) => item.key === key);
    if (this.running.has(key)) this.dirty.add(key);
    else if (before === undefined) this.ready.push({ key, priority, place: this.#orders++, since: this.#orders++ });
    else if (before.priority < priority) Object.assign(before, { priority, place: this.#orders++ });
  }

  addAfter(key: string, delayMs: number): void {
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const dueMs = this.nowMs + delayMs;
    const before = this.delayed.find((item) => item.key === key);
    if (before && before.dueMs <= dueMs) return;
    this.delayed = this.delayed.filter((item) => item !== before);
    this.delayed.push({ key, dueMs, order: this.#orders++ });
  }

  advance(ms: number): void {
    this.nowMs += ms;
    const due = this.delayed.filter((item) => item.dueMs <= this.nowMs);
    for (const { key } of due.sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)) this.add(key);
  }

  take(): string | undefined {
    const [first] = this.ready.sort((a, b) => b.priority - a.priority || a.place - b.place);
    const overtaken = this.ready.filter(({ priority }) => priority < (first?.priority ?? 0));
    let next = first;
    if (overtaken.length === 0) this.#overtakes = 0;
    else if (this.#overtakes < 9) this.#overtakes += 1;
    else {
      this.#overtakes = 0;
      next = overtaken[0];
    }
    if (next === undefined) return undefined;
    this.ready = this.ready.filter((item) => item !== next);
    this.running.set(next.key, next.priority);
    this.asked.delete(next.key);
    return next.key;
  }

  done(key: string): void {
    this.running.delete(key);
    if (this.dirty.delete(key)) this.add(key);
  }
}

test("WorkQueue behaves like the simple model for any order of operations", async () => {
  const key = fc.constantFrom("a", "b", "c", "d", "e", "f");
  const priority = fc.constantFrom(0, -100);
  const operation = fc.oneof(
    fc.record({ op: fc.constant("add" as const), key, priority }),
    fc.record({ op: fc.constant("after" as const), key, priority, ms: fc.integer({ min: -1, max: 20 }) }),
    fc.record({ op: fc.constant("take" as const) }),
    fc.record({ op: fc.constant("done" as const), key }),
    fc.record({ op: fc.constant("advance" as const), ms: fc.integer({ min: 0, max: 15 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 100 }), async (operations) => {
      const clock = new FakeClock(0);
      const queue = new WorkQueue<number>({ clock, priorityOf: (cause) => cause });
      const model = new Model();
      for (const step of operations) {
        if (step.op === "add") {
          queue.add(step.key, step.priority);
          model.ask(step.key, step.priority);
          model.add(step.key);
        } else if (step.op === "after") {
          queue.addAfter(step.key, step.ms, step.priority);
          model.ask(step.key, model.running.get(step.key) ?? step.priority);
          model.addAfter(step.key, step.ms);
        } else if (step.op === "advance") {
          clock.advance(step.ms);
          model.advance(step.ms);
        } else if (step.op === "done") {
          queue.done(step.key);
          model.done(step.key);
        } else if (model.ready.length > 0) {
          const [taken, expected] = [await queue.take(), model.take()];
          expect(taken?.key).toBe(expected);
          expect(taken?.priority).toBe(model.running.get(expected ?? ""));
        }
        expect(queue.length).toBe(model.ready.length);
        expect([...queue.lengths.values()].reduce((sum, length) => sum + length, 0)).toBe(queue.length);
        expect(queue.delayed).toBe(model.delayed.length);
        expect([...queue.running].sort()).toEqual([...model.running.keys()].sort());
      }
    }),
    { numRuns: 300 },
  );
});

test("WorkQueue hands out keys of higher priority first, and a raised key after the others of its new priority", async () => {
  const queue = new WorkQueue<number>({ clock: new FakeClock(), priorityOf: (cause) => cause });
  for (const key of ["old-1", "old-2", "old-3"]) queue.add(key, -100);
  queue.add("new", 0);
  queue.add("old-3", 0);
  expect(queue.lengths).toEqual(
    new Map([
      [0, 2],
      [-100, 2],
    ]),
  );
  const taken: string[] = [];
  for (let count = 0; count < 4; count++) taken.push((await queue.take())?.key ?? "");
  expect(taken).toEqual(["new", "old-3", "old-1", "old-2"]);
});

test("WorkQueue keeps the priority of a key that its worker re-adds; other causes can only raise it", async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue<number>({ clock, priorityOf: (cause) => cause });
  queue.add("a", -100);
  await queue.take();
  queue.addRateLimited("a", 0);
  queue.done("a");
  clock.advance(5);
  expect((await queue.take())?.priority).toBe(-100);
  queue.addAfter("a", 1_000, 0);
  queue.add("a", 0);
  queue.done("a");
  expect((await queue.take())?.priority).toBe(0);
});

test("WorkQueue does not starve a key: the n-th of a low priority is taken after at most 10 n others", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 12 }), async (low, high) => {
      const queue = new WorkQueue<number>({ clock: new FakeClock(), priorityOf: (cause) => cause });
      for (let index = 0; index < low; index++) queue.add(`low-${index}`, -100);
      let urgent = 0;
      for (; urgent < high; urgent++) queue.add(`urgent-${urgent}`, 0);
      const places: number[] = [];
      for (let taken = 0; places.length < low; taken++) {
        const key = (await queue.take())?.key ?? "";
        // A constant stream of high-priority keys.
        if (key.startsWith("urgent")) queue.add(`urgent-${urgent++}`, 0);
        else places.push(taken);
      }
      for (const [index, place] of places.entries()) expect(place).toBeLessThan(10 * (index + 1));
    }),
  );
});

test("WorkQueue with a rate limit waits for the longer of the key's backoff and the bucket", () => {
  const queue = new WorkQueue({ clock: new FakeClock(), baseDelayMs: 5, rateLimit: { perSecond: 10, burst: 1 } });
  expect([queue.addRateLimited("a"), queue.addRateLimited("b"), queue.addRateLimited("c")]).toEqual([5, 100, 200]);
});

test("with gather, keys added in one event loop turn are taken once, and the queue is never idle meanwhile", async () => {
  const queue = new WorkQueue<string>({ clock: new FakeClock(), gather: true });
  const taken = queue.take();
  queue.add("a", "first");
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
  queue.add("a", "second");
  queue.add("b", "third");
  expect(queue.idle).toBe(false);
  expect(await taken).toMatchObject({ key: "a", causes: ["first", "second"] });
  queue.done("a");
  expect(await queue.take()).toMatchObject({ key: "b" });
  queue.done("b");
  expect(queue.idle).toBe(true);
});

test("with gather, a shutdown hands ready keys to the workers", async () => {
  const queue = new WorkQueue<string>({ clock: new FakeClock(), gather: true });
  const taken = [queue.take(), queue.take()];
  queue.add("a");
  const drained = queue.shutDown();
  expect((await taken[0])?.key).toBe("a");
  expect(await taken[1]).toBeUndefined();
  queue.done("a");
  await drained;
  expect(await queue.take()).toBeUndefined();
});
