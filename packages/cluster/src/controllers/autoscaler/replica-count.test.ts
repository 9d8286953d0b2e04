import fc from "fast-check";
import { expect, test } from "vitest";
import type { PodGroups, PodSample } from "./pod-groups.js";
import {
  byAverageValue,
  byUtilization,
  replicasByAverageValue,
  replicasByPods,
  replicasByValue,
} from "./replica-count.js";

const tolerances = { down: 0.1, up: 0.1 };
const sample = (milli: number): PodSample => ({ milli: BigInt(milli), atMs: 0, windowMs: 0 });
const samplesOf = (used: readonly number[]) => new Map(used.map((milli, at) => [`pod-${at}`, sample(milli)]));
const groups = (ready: number, more: Partial<Record<"unready" | "missing" | "ignored", string[]>> = {}): PodGroups => ({
  ready,
  unready: new Set(more.unready),
  missing: new Set(more.missing),
  ignored: new Set(more.ignored),
});
const of = (target: number) => ({ measure: byAverageValue(BigInt(target)), assumed: () => BigInt(target) });

test("usage within the tolerance does not change the replica count", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30 }),
      fc.double({ min: 0.91, max: 1.09, noNaN: true }),
      fc.integer({ min: 1_000, max: 10 ** 12 }),
      (count, ratio, target) => {
        const samples = samplesOf(Array.from({ length: count }, () => Math.round(target * ratio)));
        expect(replicasByPods(count, { samples, groups: groups(count), ...of(target) }, tolerances).replicas).toBe(
          count,
        );
      },
    ),
  );
});

test("the proposed replica count keeps the average usage of each Pod at or below its target", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10 ** 6 }), { minLength: 1, maxLength: 20 }), (used) => {
      const target = 1_000;
      const count = used.length;
      const { replicas, measured } = replicasByPods(
        count,
        { samples: samplesOf(used), groups: groups(count), ...of(target) },
        { down: 0, up: 0 },
      );
      expect(Number(measured.averageMilli) * count).toBeLessThanOrEqual(replicas * target);
      if (replicas > 0) expect(Number(measured.averageMilli) * count).toBeGreaterThan((replicas - 1) * target);
    }),
  );
});

test("Pods without metrics never reverse the scaling direction, and dampen it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 0, max: 8 }),
      fc.integer({ min: 0, max: 8 }),
      (milli, known, missing, unready) => {
        const current = known + missing + unready;
        const names = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => `${prefix}-${at}`);
        const samples = samplesOf(Array.from({ length: known }, () => milli));
        const grouped = groups(known, { missing: names(missing, "m"), unready: names(unready, "u") });
        const { replicas } = replicasByPods(current, { samples, groups: grouped, ...of(1_000) }, tolerances);
        const all = Math.ceil((milli / 1_000) * current);
        if (milli > 1_000) {
          expect(replicas).toBeLessThanOrEqual(Math.max(current, all));
          if (missing > 0 || unready > 0) expect(replicas).toBeGreaterThanOrEqual(current);
        }
        if (milli < 1_000 && unready === 0) {
          expect(replicas).toBeLessThanOrEqual(current);
          expect(replicas).toBeGreaterThanOrEqual(Math.min(current, missing));
        }
      },
    ),
  );
});

test("utilization is the usage of all Pods with requests, divided by their requests", () => {
  const requests = new Map([
    ["pod-0", 100n],
    ["pod-1", 300n],
  ]);
  const measured = byUtilization(
    requests,
    50,
  )(
    new Map([
      ["pod-0", 100n],
      ["pod-1", 101n],
      ["stranger", 10_000n],
    ]),
  );
  expect(measured).toEqual({ ratio: 1, averageMilli: 100n, utilization: 50 });
  expect(() => byUtilization(new Map(), 50)(new Map([["pod-0", 1n]]))).toThrow(
    "no metrics returned matched known pods",
  );
});

test("a Value target scales by the ready Pods, an AverageValue target by the status replicas", () => {
  expect(replicasByValue(3, 2, () => 2, tolerances)).toBe(4);
  expect(replicasByValue(3, 1.05, () => 2, tolerances)).toBe(3);
  expect(replicasByValue(0, 0.3, () => 0, tolerances)).toBe(1);
  expect(replicasByAverageValue(2, 400_000n, 50_000n, tolerances)).toEqual({ replicas: 8, averageMilli: 200_000n });
  expect(replicasByAverageValue(2, 105_000n, 50_000n, tolerances)).toEqual({ replicas: 2, averageMilli: 52_500n });
  expect(replicasByValue(10, 10 ** 12, () => 10, tolerances)).toBe(2 ** 31 - 1);
});
