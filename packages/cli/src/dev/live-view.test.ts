import type { RecordedRun } from "kubewright";
import { expect, test } from "vitest";
import { LiveView } from "./live-view.js";

function viewOf(format = "text") {
  const lines: string[] = [];
  const view = new LiveView({ out: { write: (text) => lines.push(text) }, err: { write: () => true } }, format);
  return { view, taken: () => lines.splice(0).join("") };
}

function run(number: number, key: string, more: object = {}): RecordedRun {
  return {
    run: number,
    controller: "website",
    kind: "example.com/v1/Website",
    key,
    startedAt: "2026-01-02T03:04:05.000Z",
    verb: "reconcile",
    causes: [{ source: "for", change: "added", kind: "example.com/v1/Website", namespace: "default", name: "shop" }],
    reads: [],
    writes: [],
    logs: [],
    status: [],
    conditions: {},
    durationMs: 1,
    truncated: false,
    outcome: { kind: "done" },
    ...more,
  } as unknown as RecordedRun;
}

function failed(number: number, error: string, more: object = {}): RecordedRun {
  const causes =
    number === 1 ? [{ source: "timer" }, { source: "requeue" }] : [{ source: "retry", error: "no such bucket" }];
  return run(number, "default/shop", {
    causes,
    outcome: { kind: "retry", error, failures: number, nextAfterMs: 5 * 2 ** number },
    ...more,
  });
}

const reconcileFailed = { type: "Warning", reason: "ReconcileFailed", object: "Website default/shop" };

test("a failure is shown once: what repeats it is one line each, and its event is left out", () => {
  const { view, taken } = viewOf();
  view.run(failed(1, "no such bucket"));
  expect(taken()).toBe(
    "03:04:05  Website default/shop  run 1  cause: timer\n          cause: requeue\n          failed in 1 ms: no such bucket; next: in 10 ms or on change\n",
  );
  view.run(failed(2, "no such bucket"));
  view.event({ ...reconcileFailed, note: "no such bucket" });
  view.run(failed(3, "no such bucket"));
  expect(taken()).toBe(
    "03:04:05  Website default/shop  run 2  failed in the same way, 2 times in a row; next: in 20 ms or on change\n" +
      "03:04:05  Website default/shop  run 3  failed in the same way, 3 times in a row; next: in 40 ms or on change\n",
  );
  view.run(failed(4, "no such bucket", { logs: [{ level: "info", message: "looked elsewhere" }] }));
  expect(taken()).toContain("log    info looked elsewhere");
  view.run(failed(5, "forbidden"));
  view.event({ ...reconcileFailed, note: "another failure" });
  expect(taken()).toBe(
    "03:04:05  Website default/shop  run 5  cause: retry after: the failure above\n" +
      "          failed in 1 ms (5 times in a row): forbidden; next: in 160 ms or on change\n" +
      "          event  Warning ReconcileFailed Website default/shop: another failure\n",
  );
  view.run(run(6, "default/shop"));
  view.run(failed(1, "forbidden"));
  expect(taken()).toContain("failed in 1 ms: forbidden");
});

test("JSON has every failure in full", () => {
  const { view, taken } = viewOf("json");
  for (const number of [1, 2]) view.run(failed(number, "no such bucket"));
  expect(taken().match(/"error":"no such bucket","failures"/g)).toHaveLength(2);
});

test("a filter hides other objects, and a pause holds runs back", () => {
  const { view, taken } = viewOf();
  view.filter("SHOP");
  view.run(run(1, "default/shop"));
  view.run(run(1, "default/blog"));
  expect(taken()).toMatch(
    /^Showing objects that contain "SHOP"\n03:04:05 {2}Website default\/shop {2}run 1 .*\n.*done in 1 ms.*\n$/,
  );
  view.togglePause();
  view.run(run(2, "default/shop"));
  view.event({ type: "Normal", reason: "Published", object: "Website default/shop", note: "hello" });
  expect(taken()).toBe("Paused; p continues\n");
  view.togglePause();
  expect(taken()).toMatch(/^Continues\n.*run 2.*\n.*\n.*event {2}Normal Published Website default\/shop: hello\n$/);
});
