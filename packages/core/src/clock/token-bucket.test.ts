import fc from "fast-check";
import { expect, test } from "vitest";
import { FakeClock, TokenBucket } from "./index.js";

test("a burst passes immediately, the rest at the rate, in order", async () => {
  const clock = new FakeClock(0);
  const limit = new TokenBucket(clock, { perSecond: 10, burst: 2 });
  const sent: [number, number][] = [];
  const all = Array.from({ length: 5 }, (_, n) => limit.take().then(() => sent.push([n, clock.now()])));
  for (let step = 0; step < 10; step++) {
    await new Promise(setImmediate);
    clock.advance(50);
  }
  await Promise.all(all);
  expect(sent.map(([n]) => n)).toEqual([0, 1, 2, 3, 4]);
  expect(sent.map(([, at]) => at)).toEqual([0, 0, 100, 200, 300]);
});

test("an aborted take returns its token and leaves no timer", async () => {
  const clock = new FakeClock(0);
  const limit = new TokenBucket(clock, { perSecond: 1, burst: 1 });
  await limit.take();
  const abort = new AbortController();
  const waiting = limit.take(abort.signal);
  abort.abort();
  await waiting;
  expect(clock.pendingTimers).toBe(0);
  clock.advance(1_000);
  let sent = false;
  void limit.take().then(() => {
    sent = true;
  });
  await new Promise(setImmediate);
  expect(sent).toBe(true);
});

test("no interval has more takes than burst and rate allow", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 25 }),
      async (qps, burst, gaps) => {
        const clock = new FakeClock(0);
        const limit = new TokenBucket(clock, { perSecond: qps, burst });
        const sent: number[] = [];
        for (const gap of gaps) {
          void limit.take().then(() => sent.push(clock.now()));
          await Promise.resolve();
          await pass(clock, gap);
        }
        await pass(clock, 60_000);
        expect(sent.length).toBe(gaps.length);
        sent.forEach((from, first) => {
          for (let last = first; last < sent.length; last++) {
            const allowed = burst + (((sent[last] ?? 0) - from) / 1_000) * qps;
            expect(last - first + 1).toBeLessThanOrEqual(allowed + 1e-6);
          }
        });
      },
    ),
    { numRuns: 60 },
  );
});

/** Advances time timer by timer, so that each waiter sees the time at which it was woken. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  const endMs = clock.now() + ms;
  for (let next = clock.nextTimerInMs; next !== undefined && clock.now() + next <= endMs; next = clock.nextTimerInMs) {
    clock.advance(next);
    await new Promise(setImmediate);
  }
  clock.advance(endMs - clock.now());
  await new Promise(setImmediate);
}

test.each([
  [{ perSecond: 0 }, /perSecond must be above 0/],
  [{ perSecond: 1, burst: 0 }, /burst must be at least 1/],
])("a limit of %j is rejected", (options, message) => {
  expect(() => new TokenBucket(new FakeClock(), options)).toThrow(message);
});

test("reserve returns the delay of each token without waiting for it", () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket(clock, { perSecond: 10, burst: 2 });
  expect([bucket.reserve(), bucket.reserve(), bucket.reserve(), bucket.reserve()]).toEqual([0, 0, 100, 200]);
});
