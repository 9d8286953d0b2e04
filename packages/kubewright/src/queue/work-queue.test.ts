import { FakeClock } from "@kubewright/core/clock";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ItemBackoff, WorkQueue } from "./index.js";

test("WorkQueue hands out a key once when it is added twice before a worker takes it, with both causes", async () => {
  const queue = new WorkQueue<string>({ clock: new FakeClock() });
  queue.add("default/web", "created");
  queue.add("default/web", "updated");
  expect(queue.length).toBe(1);
  expect(await queue.take()).toEqual({ key: "default/web", causes: ["created", "updated"], droppedCauses: 0 });
  expect(queue.length).toBe(0);
});

test("WorkQueue never gives one key to two workers: a key added while it runs comes again after done", async () => {
  const queue = new WorkQueue<string>({ clock: new FakeClock() });
  queue.add("a");
  await queue.take();
  queue.add("a", "again");
  expect(queue.length).toBe(0);
  expect(queue.idle).toBe(false);
  queue.done("a");
  expect((await queue.take())?.causes).toEqual(["again"]);
});

test("WorkQueue is not idle between the moment a waiting taker gets a key and done", async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  const taken = queue.take();
  expect(queue.idle).toBe(true);
  queue.add("a");
  expect(queue.idle).toBe(false);
  expect((await taken)?.key).toBe("a");
  queue.done("a");
  expect(queue.idle).toBe(true);
});

test("WorkQueue makes a delayed key ready at the earliest moment that was asked for, and only once", async () => {
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

test("WorkQueue keeps one timer, however many keys are delayed", () => {
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

test("ItemBackoff counts each key by itself", () => {
  const backoff = new ItemBackoff(1, 100);
  backoff.next("a");
  backoff.next("a");
  expect(backoff.next("b")).toBe(1);
  expect(backoff.next("a")).toBe(4);
});

test("WorkQueue drains what is ready at shutdown, drops what is delayed, and takes nothing in", async () => {
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

test("WorkQueue drops what is ready when it is told to, and releases waiting takers", async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  queue.add("a");
  await queue.shutDown({ drop: true });
  expect(await queue.take()).toBeUndefined();
  const other = new WorkQueue({ clock: new FakeClock() });
  const waiting = other.take();
  await other.shutDown();
  expect(await waiting).toBeUndefined();
});

test("WorkQueue keeps the newest causes of a key, and counts those it dropped", async () => {
  const queue = new WorkQueue<number>({ clock: new FakeClock(), maxCauses: 2 });
  for (const cause of [1, 2, 3, 4, 5]) queue.add("a", cause);
  expect(await queue.take()).toEqual({ key: "a", causes: [4, 5], droppedCauses: 3 });
});

test("WorkQueue tells its observer how long a key waited and how long it was worked on", async () => {
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

/** The same promises, written as plainly as possible: every operation looks at everything. */
class Model {
  nowMs = 0;
  readonly ready: string[] = [];
  readonly running = new Set<string>();
  readonly dirty = new Set<string>();
  delayed: { key: string; dueMs: number; order: number }[] = [];
  #orders = 0;

  add(key: string): void {
    this.delayed = this.delayed.filter((item) => item.key !== key);
    if (this.running.has(key)) this.dirty.add(key);
    else if (!this.ready.includes(key)) this.ready.push(key);
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
    const key = this.ready.shift();
    if (key !== undefined) this.running.add(key);
    return key;
  }

  done(key: string): void {
    this.running.delete(key);
    if (this.dirty.delete(key)) this.add(key);
  }
}

test("WorkQueue does what the simple model does, for any order of operations", async () => {
  const key = fc.constantFrom("a", "b", "c", "d");
  const operation = fc.oneof(
    fc.record({ op: fc.constant("add" as const), key }),
    fc.record({ op: fc.constant("after" as const), key, ms: fc.integer({ min: -1, max: 20 }) }),
    fc.record({ op: fc.constant("take" as const) }),
    fc.record({ op: fc.constant("done" as const), key }),
    fc.record({ op: fc.constant("advance" as const), ms: fc.integer({ min: 0, max: 15 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 60 }), async (operations) => {
      const clock = new FakeClock(0);
      const queue = new WorkQueue({ clock });
      const model = new Model();
      for (const step of operations) {
        if (step.op === "add") {
          queue.add(step.key);
          model.add(step.key);
        } else if (step.op === "after") {
          queue.addAfter(step.key, step.ms);
          model.addAfter(step.key, step.ms);
        } else if (step.op === "advance") {
          clock.advance(step.ms);
          model.advance(step.ms);
        } else if (step.op === "done") {
          queue.done(step.key);
          model.done(step.key);
        } else if (model.ready.length > 0) {
          expect((await queue.take())?.key).toBe(model.take());
        }
        expect(queue.length).toBe(model.ready.length);
        expect(queue.delayed).toBe(model.delayed.length);
        expect([...queue.running].sort()).toEqual([...model.running].sort());
      }
    }),
  );
});

test("WorkQueue with a rate limit waits for the longer of the key's backoff and the bucket", () => {
  const queue = new WorkQueue({ clock: new FakeClock(), baseDelayMs: 5, rateLimit: { perSecond: 10, burst: 1 } });
  expect([queue.addRateLimited("a"), queue.addRateLimited("b"), queue.addRateLimited("c")]).toEqual([5, 100, 200]);
});
