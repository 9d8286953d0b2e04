import { expect, test } from "vitest";
import { createMetrics } from "./index.js";

async function series(text: Promise<string>, name: string): Promise<string[]> {
  return (await text).split("\n").filter((line) => line.startsWith(name) && /[{ ]/.test(line.charAt(name.length)));
}

test("the series of a controller exist at zero before its first reconcile", async () => {
  const metrics = await createMetrics();
  metrics.controller("foo", 2);
  expect(await series(metrics.text(), "controller_runtime_reconcile_total")).toEqual(
    ["success", "error", "requeue", "requeue_after"].map(
      (result) => `controller_runtime_reconcile_total{controller="foo",result="${result}"} 0`,
    ),
  );
  expect(await series(metrics.text(), "controller_runtime_max_concurrent_reconciles")).toEqual([
    `controller_runtime_max_concurrent_reconciles{controller="foo"} 2`,
  ]);
});

test("reconciles are counted by result, and errors and terminal errors separately", async () => {
  const metrics = await createMetrics();
  const foo = metrics.controller("foo", 1);
  foo.runStarted();
  foo.runEnded("success", 0.007);
  foo.runStarted();
  foo.runEnded("error", 0.1, { terminal: true });
  foo.runStarted();
  const text = metrics.text();
  expect(await series(text, "controller_runtime_reconcile_total")).toContain(
    `controller_runtime_reconcile_total{controller="foo",result="success"} 1`,
  );
  expect(await series(text, "controller_runtime_reconcile_errors_total")).toEqual([
    `controller_runtime_reconcile_errors_total{controller="foo"} 1`,
  ]);
  expect(await series(text, "controller_runtime_terminal_reconcile_errors_total")).toEqual([
    `controller_runtime_terminal_reconcile_errors_total{controller="foo"} 1`,
  ]);
  expect(await series(text, "controller_runtime_active_workers")).toEqual([
    `controller_runtime_active_workers{controller="foo"} 1`,
  ]);
  expect(await series(text, "controller_runtime_reconcile_time_seconds_bucket")).toHaveLength(41);
});

test("the queue depth, by priority, is collected at scrape time", async () => {
  const metrics = await createMetrics();
  const queue = { lengths: new Map([[-100, 3]]), unfinishedWorkMs: 0, longestRunningMs: 0 };
  metrics.controller("foo", 1).watchQueue(queue);
  const depth = (priority: number, keys: number) =>
    `workqueue_depth{name="foo",controller="foo",priority="${priority}"} ${keys}`;
  expect(await series(metrics.text(), "workqueue_depth")).toEqual([depth(0, 0), depth(-100, 3)]);
  queue.lengths = new Map([[0, 7]]);
  expect(await series(metrics.text(), "workqueue_depth")).toEqual([depth(0, 7)]);
});

test("leader_election_master_status is collected at scrape time", async () => {
  const metrics = await createMetrics();
  let leads = false;
  metrics.watchLeader("foo-operator", () => leads);
  expect(await series(metrics.text(), "leader_election_master_status")).toEqual([
    `leader_election_master_status{name="foo-operator"} 0`,
  ]);
  leads = true;
  expect(await series(metrics.text(), "leader_election_master_status")).toEqual([
    `leader_election_master_status{name="foo-operator"} 1`,
  ]);
});

test("cache metrics are summed per kind over its selections, and removed with the last one", async () => {
  const metrics = await createMetrics();
  const still = { watchRestarts: 0, relists: 0, expired: 0, lastEventAgeMs: 0 };
  let caches = [
    { kind: "/v1/Secret", objects: 2, bytes: 200, ...still },
    { kind: "/v1/Secret", objects: 1, bytes: 50, ...still },
  ];
  metrics.watchCaches(() => caches);
  expect(await series(metrics.text(), "kubewright_cache_objects")).toEqual([
    `kubewright_cache_objects{kind="/v1/Secret"} 3`,
  ]);
  expect(await series(metrics.text(), "kubewright_cache_bytes")).toEqual([
    `kubewright_cache_bytes{kind="/v1/Secret"} 250`,
  ]);
  caches = [];
  expect(await series(metrics.text(), "kubewright_cache_objects")).toEqual([]);
});

test("the activity of watches is counted per kind, and the age is that of the oldest cache", async () => {
  const metrics = await createMetrics();
  const cache = {
    kind: "/v1/Pod",
    objects: 1,
    bytes: 1,
    watchRestarts: 2,
    relists: 1,
    expired: 1,
    lastEventAgeMs: 500,
  };
  metrics.watchCaches(() => [cache, { ...cache, lastEventAgeMs: 9_000 }]);
  // A scrape does not add up.
  await metrics.text();
  const text = await metrics.text();
  expect(text).toContain('kubewright_watch_restarts_total{kind="/v1/Pod"} 4');
  expect(text).toContain('kubewright_watch_relists_total{kind="/v1/Pod"} 2');
  expect(text).toContain('kubewright_watch_expired_total{kind="/v1/Pod"} 2');
  expect(text).toContain('kubewright_cache_last_event_age_seconds{kind="/v1/Pod"} 9');
});
