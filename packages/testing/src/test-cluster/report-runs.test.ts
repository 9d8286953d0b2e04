import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { controller, operator, type RecordedRun } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { describeRuns } from "./describe-runs.js";
import { testCluster } from "./index.js";
import { pauseMsOf } from "./pause.js";
import { currentRunner } from "./test-runner.js";

const noting = operator({
  name: "noting",
  controllers: [
    controller(ConfigMap, {
      name: "noting",
      select: { labels: { noted: "yes" } },
      reconcile: ({ object, log }) => {
        log.info({ size: Object.keys(object.data ?? {}).length }, "Noted");
        if (object.data?.["broken"] !== undefined) throw new Error("it is broken");
      },
    }),
  ],
});
const noted = (name: string, data: Record<string, string> = {}) => ({
  metadata: { name, labels: { noted: "yes" } },
  data,
});

const run = (key: string, at: number, outcome: RecordedRun["outcome"] = { kind: "done" }): RecordedRun => ({
  controller: "site",
  kind: "example.com/v1/Site",
  key,
  run: at,
  verb: "reconcile",
  startedAt: new Date(at * 1_000).toISOString(),
  durationMs: 1,
  causes: [{ source: "retry", error: "x".repeat(500) }],
  reads: [],
  writes: [],
  logs: [],
  status: [],
  conditions: {},
  outcome,
});

test("describeRuns shows failing objects first, the last three runs of each, and never more than 10,000 characters", () => {
  const runs = Array.from({ length: 40 }, (_, index) =>
    Array.from({ length: 10 }, (_, count) => run(`default/${index}`, index + count)),
  ).flat();
  const lines = describeRuns([run("default/broken", 0, { kind: "terminal", error: "it is impossible" }), ...runs]);
  const headings = lines.split("\n").filter((line) => line.startsWith("controller"));
  expect(headings.map((line) => line.slice(line.lastIndexOf(" ") + 1))).toEqual([
    "default/broken",
    "default/39",
    "default/38",
    "default/37",
    "default/36",
  ]);
  expect(lines).toContain("  7 earlier runs\n");
  expect(lines).toContain("and 36 more objects");
  expect(describeRuns(runs.map((one) => ({ ...one, causes: Array(20).fill(one.causes[0]) }))).length).toBeLessThan(
    10_100,
  );
  expect(describeRuns([])).toBe("");
});

describe.skipIf(pauseMsOf(process.env) > 0)("in vitest", () => {
  const printed: string[] = [];
  beforeAll(() => {
    vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  });
  afterAll(() => {
    vi.restoreAllMocks();
    const lines = printed.join("");
    expect(lines).toContain('controller "noting", ConfigMap default/first');
    expect(lines).toContain("log    info Noted size=1");
    expect(lines).not.toContain("default/second");
  });

  test.fails("a failing test prints the runs of its objects, also after its cluster was disposed", async () => {
    await using cluster = await testCluster(noting);
    await cluster.create(ConfigMap, noted("first", { a: "b" }));
    await cluster.settle();
    expect(cluster.namespace).toBe("another");
  });

  test("a passing test prints nothing", async () => {
    await using cluster = await testCluster(noting);
    await cluster.create(ConfigMap, noted("second"));
    await cluster.settle();
    expect(cluster.runs(ConfigMap, "second")).toHaveLength(1);
  });
});

test("in node:test, a failing test prints its runs, and a passing one does not", () => {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-node-test-"));
  try {
    const file = join(folder, "runs.test.mts");
    const [runners, reports] = ["./test-runner.ts", "./report-runs.ts"].map((path) => new URL(path, import.meta.url));
    const script = `import assert from "node:assert/strict";
      import test from "node:test";
      import { currentRunner } from "${runners}";
      import { reportWhenFailing } from "${reports}";
      for (const name of ["good", "bad"]) test(name, async () => {
        reportWhenFailing(await currentRunner(process.env), () => "The runs of " + name);
        assert.equal(name, "good");
      });`;
    writeFileSync(file, script);
    const env = { ...process.env, VITEST: undefined, NODE_OPTIONS: "" };
    const options = ["--conditions=kubewright-source", "--import=tsx", "--test", file];
    const { stdout, stderr } = spawnSync(process.execPath, options, { env, encoding: "utf8" });
    const output = stdout + stderr;
    expect(output).toContain("The runs of bad");
    expect(output).not.toContain("The runs of good");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("without a known runner the runs are a part of the error of settle", async () => {
  vi.stubEnv("VITEST", undefined);
  await using cluster = await testCluster(noting).finally(() => vi.unstubAllEnvs());
  await cluster.create(ConfigMap, noted("third", { broken: "yes" }));
  const error = await cluster.settle().catch((reason: unknown) => reason);
  expect(String(error)).toContain('controller "noting", ConfigMap default/third');
  expect(String(error)).toMatch(/failed in 0 ms \(\d+ times in a row\): it is broken/);
});

test("the runner of this test is found", async () => {
  expect((await currentRunner(process.env))?.onTestEnd).toBeTypeOf("function");
  expect(await currentRunner({})).toBeUndefined();
});
