import { expect, test } from "vitest";
import { FairQueue, TooManyRequests } from "./fair-queue.js";

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a user with many requests waits for later turns, another user does not", async () => {
  const queue = new FairQueue();
  const order: string[] = [];
  const flood = Array.from({ length: 40 }, async (_, index) => {
    await queue.turn("flooder");
    order.push(`flooder ${index}`);
  });
  await nextTurn();
  expect(queue.turn("jane")).toBeUndefined();
  expect(order.length).toBeLessThan(40);
  await Promise.all(flood);
  expect(order).toEqual(Array.from({ length: 40 }, (_, index) => `flooder ${index}`));
});

test("users who wait get a share of each turn", async () => {
  const queue = new FairQueue();
  const order: string[] = [];
  const all = Array.from({ length: 64 }, (_, index) => index).flatMap((index) =>
    ["a", "b"].map(async (user) => {
      await queue.turn(user);
      order.push(`${user}${index}`);
    }),
  );
  await Promise.all(all);
  // In any prefix no user is ahead by more than one share.
  let lead = 0;
  for (const one of order) {
    lead += one.startsWith("a") ? 1 : -1;
    expect(Math.abs(lead)).toBeLessThanOrEqual(16);
  }
});

test("a user with 600 requests in flight is rejected until one has ended", () => {
  const queue = new FairQueue();
  const ends = Array.from({ length: 600 }, () => queue.arrive("flooder"));
  expect(() => queue.arrive("flooder")).toThrow(TooManyRequests);
  expect(() => queue.arrive("jane")).not.toThrow();
  ends[0]?.();
  expect(() => queue.arrive("flooder")).not.toThrow();
});
