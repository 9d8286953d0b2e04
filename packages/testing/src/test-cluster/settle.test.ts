import { FakeClock } from "@kubewright/core/clock";
import { expect, test } from "vitest";
import { advance, type SettleSubject, settle } from "./settle.js";

function subject(change: Partial<SettleSubject> & { clock: FakeClock }): SettleSubject {
  return { busy: () => [], activity: () => 0, quietMs: 0, patienceMs: 5_000, ...change };
}

test("settle waits until nothing is under way", async () => {
  let left = 5;
  await settle(subject({ clock: new FakeClock(), busy: () => (--left > 0 ? ["work"] : []) }), 10_000);
  expect(left).toBeLessThanOrEqual(0);
});

test("settle fires timers within the horizon, also those that others start, and leaves later ones", async () => {
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

test("settle gives up with the names of what is busy", async () => {
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

test("settle does not take a loop for rest, although it pauses", async () => {
  let count = 0;
  const looping = subject({ clock: new FakeClock(), activity: () => count++, patienceMs: 20 });
  await expect(settle(looping, 0)).rejects.toMatchObject({ code: "NOT_SETTLED" });
});
