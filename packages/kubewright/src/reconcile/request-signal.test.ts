import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { RequestSignal } from "./request-signal.js";

test("many runs share one signal; it is renewed every 1,000 runs and aborts with the controller", () => {
  const stop = new AbortController();
  const requests = new RequestSignal(stop.signal);
  const first = requests.signal;
  for (let run = 1; run < 1_000; run++) requests.runEnded();
  expect(requests.signal).toBe(first);
  requests.runEnded();
  const second = requests.signal;
  expect(second).not.toBe(first);
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
  stop.abort("why");
  expect([first.aborted, second.aborted, second.reason]).toEqual([false, true, "why"]);
  requests.close();
  expect(requests.signal.reason).toBe("why");
});

test("close removes the listener from the controller's signal", () => {
  const stop = new AbortController();
  const requests = new RequestSignal(stop.signal);
  expect(requests.signal.aborted).toBe(false);
  requests.close();
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
});
