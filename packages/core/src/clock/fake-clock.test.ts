import { expect, test } from "vitest";
import { FakeClock, sleep } from "./index.js";

test("FakeClock fires timers in the order of their due times, each at its due time", () => {
  const clock = new FakeClock(0);
  const fired: string[] = [];
  clock.startTimer(20, () => fired.push(`b at ${clock.now()}`));
  clock.startTimer(10, () => fired.push(`a at ${clock.now()}`));
  clock.startTimer(20, () => fired.push(`c at ${clock.now()}`));
  clock.advance(30);
  expect(fired).toEqual(["a at 10", "b at 20", "c at 20"]);
  expect(clock.now()).toBe(30);
});

test("FakeClock fires a timer that another timer started within the same advance", () => {
  const clock = new FakeClock(0);
  const fired: number[] = [];
  clock.startTimer(10, () => clock.startTimer(5, () => fired.push(clock.now())));
  clock.advance(14);
  expect(fired).toEqual([]);
  clock.advance(1);
  expect(fired).toEqual([15]);
});

test("FakeClock does not fire a cancelled timer, and reports when the next one is due", () => {
  const clock = new FakeClock(0);
  const timer = clock.startTimer(10, () => expect.unreachable());
  clock.startTimer(40, () => {});
  timer.cancel();
  clock.advance(15);
  expect(clock.nextTimerInMs).toBe(25);
  expect(clock.pendingTimers).toBe(1);
});

test("FakeClock does not count background timers as next, and fires them when time is advanced beyond them", () => {
  const clock = new FakeClock(0);
  const fired: string[] = [];
  clock.startTimer(10, () => fired.push(`heartbeat at ${clock.now()}`), { background: true });
  expect(clock.nextTimerInMs).toBeUndefined();
  clock.startTimer(40, () => fired.push(`work at ${clock.now()}`));
  expect(clock.nextTimerInMs).toBe(40);
  clock.advance(40);
  expect(fired).toEqual(["heartbeat at 10", "work at 40"]);
});

test("sleep resolves early on abort and leaves no timer", async () => {
  const clock = new FakeClock();
  const abort = new AbortController();
  const slept = sleep(clock, 1_000, abort.signal);
  abort.abort();
  await slept;
  expect(clock.pendingTimers).toBe(0);
});
