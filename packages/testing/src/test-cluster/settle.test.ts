import { FakeClock } from "@kubewright/core/clock";
import { expect, test } from "vitest";
import { RunLog } from "./run-log.js";
import { advance, type SettleSubject, settle } from "./settle.js";

function subject(change: Partial<SettleSubject> & { clock: FakeClock }): SettleSubject {
  return {
    busy: () => [],
    activity: () => 0,
    quietMs: 0,
    patienceMs: 5_000,
    runs: new RunLog(),
    isDenied: () => false,
    maxRuns: 100,
    ...change,
  };
}

test("settle waits until no work is pending", async () => {
  let left = 5;
  await settle(subject({ clock: new FakeClock(), busy: () => (--left > 0 ? ["work"] : []) }), 10_000);
  expect(left).toBeLessThanOrEqual(0);
});

test("settle fires timers within the horizon, nested ones included, and no later ones", async () => {
  const clock = new FakeClock(0);
  const fired: string[] = [];
  clock.startTimer(4_000, () => {
    fired.push("soon");
    clock.startTimer(5_000, () => fired.push("then"));
  });
  clock.startTimer(30_000, () => fired.push("late"));
  await settle(subject({ clock }), 10_000);
  expect(fired).toEqual(["soon", "then"]);
  await advance(subject({ clock }), 30_000);
  expect(fired).toEqual(["soon", "then", "late"]);
  expect(clock.now()).toBe(39_000);
});

test("settle rejects with the names of pending work", async () => {
  const stuck = subject({
    clock: new FakeClock(),
    busy: () => ["controller foo reconciles default/shop"],
    patienceMs: 20,
  });
  await expect(settle(stuck, 0)).rejects.toMatchObject({
    code: "NOT_SETTLED",
    message: expect.stringContaining("default/shop"),
  });
});

test("settle rejects when activity continues with pauses", async () => {
  let count = 0;
  const looping = subject({ clock: new FakeClock(), activity: () => count++, patienceMs: 20 });
  await expect(settle(looping, 0)).rejects.toMatchObject({ code: "NOT_SETTLED" });
});
