import { expect, test } from "vitest";
import { withTimeLimit } from "./time-limit.js";

/** A clock whose timer fires on `fire()`. */
function manualClock() {
  const clock = {
    fire: () => {},
    cancelled: 0,
    startTimer: (_: number, callback: () => void) => {
      clock.fire = callback;
      return { cancel: () => void clock.cancelled++ };
    },
  };
  return clock;
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("the connection was closed"))));

test("what takes too long is aborted, and rejects with the message of the limit", async () => {
  const clock = manualClock();
  const { signal } = new AbortController();
  const limited = withTimeLimit({ clock, ms: 90_000, message: "90 s have passed", signal }, untilAborted);
  clock.fire();
  await expect(limited).rejects.toThrow("90 s have passed");
});

test("an abort of the caller is passed on", async () => {
  const caller = new AbortController();
  const limit = { clock: manualClock(), ms: 90_000, message: "90 s have passed", signal: caller.signal };
  const limited = withTimeLimit(limit, untilAborted);
  caller.abort();
  await expect(limited).rejects.toThrow("the connection was closed");
});

test("what ends in time leaves no timer", async () => {
  const clock = manualClock();
  const limit = { clock, ms: 90_000, message: "90 s have passed", signal: new AbortController().signal };
  expect(await withTimeLimit(limit, async () => "result")).toBe("result");
  expect(clock.cancelled).toBe(1);
});
