import { expect, test } from "vitest";
import { SkippingClock } from "./skipping-clock.js";

test("SkippingClock fires the timers that advance skips, in order, and no later ones", () => {
  const clock = new SkippingClock();
  const startMs = clock.monotonic();
  const fired: string[] = [];
  clock.startTimer(60_000, () => fired.push("second"));
  clock.startTimer(30_000, () => fired.push("first"));
  const last = clock.startTimer(600_000, () => fired.push("never"));
  clock.advance(60_000);
  expect(fired).toEqual(["first", "second"]);
  expect(clock.monotonic() - startMs).toBeGreaterThanOrEqual(60_000);
  expect(clock.nextTimerInMs).toBeGreaterThan(500_000);
  last.cancel();
  expect(clock.nextTimerInMs).toBeUndefined();
});

test("SkippingClock fires timers in real time too", async () => {
  const clock = new SkippingClock();
  await new Promise<void>((resolve) => clock.startTimer(1, resolve));
  expect(clock.nextTimerInMs).toBeUndefined();
});
