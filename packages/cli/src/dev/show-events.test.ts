import { FakeClock } from "@kubewright/core/clock";
import type { Client, Operator } from "kubewright";
import { expect, test } from "vitest";
import { LiveView } from "./live-view.js";
import { showEvents } from "./show-events.js";

const controllers = [{ name: "website" }];

function eventAt(resourceVersion: string, reason: string, clock: FakeClock, controller = "website") {
  return {
    type: "ADDED",
    object: {
      metadata: { name: reason, resourceVersion },
      reason,
      note: "a note",
      reportingController: controller,
      eventTime: new Date(clock.now()).toISOString(),
      regarding: { kind: "Website", namespace: "default", name: "shop" },
    },
  };
}

test("events are shown again after the server closed the watch, from where it ended, and after an expired version from now on", async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const from: unknown[] = [];
  const old = eventAt("1", "Old", clock);
  clock.advance(10);
  const streams = [
    () => [old, eventAt("5", "Created", clock), eventAt("6", "Other", clock, "another")],
    () => [{ type: "ERROR", status: { code: 410 } }],
    () => {
      throw new Error("the server is not reachable");
    },
    () => [old, eventAt("9", "Deleted", clock)],
    () => {
      stop.abort();
      return [];
    },
  ];
  const watch = async (_: unknown, { resourceVersion }: { resourceVersion?: string }) => {
    from.push(resourceVersion);
    const events = streams.shift()?.() ?? [];
    return (async function* () {
      yield* events;
    })();
  };
  const lines: string[] = [];
  const view = new LiveView({ out: { write: (text) => lines.push(text) }, err: { write: () => true } }, "text");
  const shown = showEvents({ watch } as unknown as Client, {
    view,
    operator: () => ({ controllers }) as unknown as Operator,
    signal: stop.signal,
    clock,
  });
  let ended = false;
  void shown.then(() => (ended = true));
  while (!ended) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_000);
  }
  expect(from).toEqual([undefined, "6", undefined, undefined, "9"]);
  expect(lines.map((line) => line.trim())).toEqual([
    "event  Normal Created Website default/shop: a note",
    "event  Normal Deleted Website default/shop: a note",
  ]);
});
