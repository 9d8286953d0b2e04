import { FakeClock } from "@kubewright/core/clock";
import fc from "fast-check";
import { expect, test } from "vitest";
import { WorkQueue } from "./index.js";
import { TokenBucket } from "./token-bucket.js";

test("a burst goes through at once, then one at a time by the rate", () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ perSecond: 10, burst: 2 }, clock);
  expect([bucket.reserve(), bucket.reserve(), bucket.reserve(), bucket.reserve()]).toEqual([0, 0, 100, 200]);
  clock.advance(300);
  expect(bucket.reserve()).toBe(0);
});

test("whatever comes when, no second sees more than burst and rate together", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(500), { minLength: 1, maxLength: 60 }), (gapsMs) => {
      const clock = new FakeClock();
      const bucket = new TokenBucket({ perSecond: 5, burst: 3 }, clock);
      const moments = gapsMs.map((gapMs) => {
        clock.advance(gapMs);
        return clock.monotonic() + bucket.reserve();
      });
      for (const start of moments)
        expect(moments.filter((at) => at >= start && at < start + 999).length).toBeLessThanOrEqual(3 + 5);
    }),
  );
});

test("a queue with a rate limit waits for the longer of the key's backoff and the bucket", () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock, baseDelayMs: 5, rateLimit: { perSecond: 10, burst: 1 } });
  expect(queue.addRateLimited("a")).toBe(5);
  expect(queue.addRateLimited("b")).toBe(100);
  expect(queue.addRateLimited("c")).toBe(200);
});
