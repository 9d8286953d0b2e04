import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReadRules } from "./autoscaler-objects.js";
import { type Bounds, boundedReplicas, longestPeriod, windowSeconds } from "./bounded-replicas.js";
import { initialHistory, type ScalingHistory, withChange, withRecommendation } from "./scaling-history.js";

const rules: fc.Arbitrary<ReadRules> = fc.record({
  stabilizationWindowSeconds: fc.constantFrom(0, 30, 300),
  selectPolicy: fc.constantFrom("Max", "Min", "Disabled"),
  policies: fc.array(
    fc.record({
      type: fc.constantFrom("Pods", "Percent"),
      value: fc.integer({ min: 1, max: 150 }),
      periodSeconds: fc.constantFrom(15, 45, 120),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
const behaviors = fc.option(fc.record({ scaleUp: rules, scaleDown: rules }), { nil: undefined });
const desiredCounts = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 40 });
const limits = fc.record({ min: fc.integer({ min: 1, max: 5 }), more: fc.integer({ min: 0, max: 40 }) });

/** The replicas after each desired count, with one sync every 15 seconds. */
function follow(bounds: Bounds, counts: readonly number[]): { readonly replicas: number; readonly atMs: number }[] {
  const { behavior } = bounds;
  let { current } = bounds;
  let history: ScalingHistory = initialHistory(current, 0);
  const { up, down } = windowSeconds(behavior);
  return counts.map((desired, turn) => {
    const atMs = (turn + 1) * 15_000;
    const { replicas } = boundedReplicas(desired, { ...bounds, current }, history, atMs);
    history = withRecommendation(history, desired, atMs, Math.max(up, down));
    const changed = replicas > current ? behavior?.scaleUp : behavior?.scaleDown;
    if (replicas !== current) history = withChange(history, replicas - current, atMs, longestPeriod(changed));
    current = replicas;
    return { replicas, atMs };
  });
}

test("the replica count stays between minReplicas and maxReplicas for any recommendation", () => {
  fc.assert(
    fc.property(behaviors, desiredCounts, limits, fc.nat(), (behavior, desired, { min, more }, start) => {
      const max = min + more;
      const current = min + (start % (more + 1));
      for (const { replicas } of follow({ current, min, max, behavior }, desired)) {
        expect(replicas).toBeGreaterThanOrEqual(min);
        expect(replicas).toBeLessThanOrEqual(max);
      }
    }),
    { numRuns: 60 },
  );
});

test("the replica count changes no faster than the scaling policies allow", () => {
  fc.assert(
    fc.property(
      desiredCounts,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(15, 30, 60),
      (desired, up, down, periodSeconds) => {
        const only = (value: number): ReadRules => ({
          stabilizationWindowSeconds: 0,
          selectPolicy: "Max",
          policies: [{ type: "Pods", value, periodSeconds }],
        });
        const behavior = { scaleUp: only(up), scaleDown: only(down) };
        const seen = follow({ current: 10, min: 1, max: 50, behavior }, desired);
        const all = [{ replicas: 10, atMs: 0 }, ...seen];
        const at = (ms: number): number => all.findLast(({ atMs }) => atMs <= Math.max(0, ms))?.replicas ?? 10;
        for (const { replicas, atMs } of seen) {
          const [before, start] = [at(atMs - 1), at(atMs - periodSeconds * 1_000)];
          if (replicas > before) expect(replicas).toBeLessThanOrEqual(start + up);
          if (replicas < before) expect(replicas).toBeGreaterThanOrEqual(start - down);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("selectPolicy Disabled blocks scaling, and without a behavior one sync at most doubles the replicas", () => {
  const rule = (selectPolicy: string): ReadRules => ({
    stabilizationWindowSeconds: 0,
    selectPolicy,
    policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
  });
  const behavior = { scaleUp: rule("Disabled"), scaleDown: rule("Max") };
  const counts = (bounds: Bounds, desired: number[]) => follow(bounds, desired).map(({ replicas }) => replicas);
  expect(counts({ current: 5, min: 1, max: 9, behavior }, [9, 3, 9])).toEqual([5, 3, 3]);
  expect(counts({ current: 1, min: 1, max: 30, behavior: undefined }, [50, 50, 50, 50])).toEqual([4, 8, 16, 30]);
});

test("scale-down uses the highest recommendation of its stabilization window, scale-up the lowest", () => {
  const steady = { current: 8, min: 1, max: 9, behavior: undefined };
  const first = follow(
    steady,
    Array.from({ length: 20 }, () => 2),
  ).findIndex(({ replicas }) => replicas < 8);
  expect(first).toBe(19);
  const policies = [{ type: "Pods", value: 100, periodSeconds: 15 }];
  const scaleUp = { stabilizationWindowSeconds: 60, selectPolicy: "Max", policies };
  const behavior = { scaleUp, scaleDown: { ...scaleUp, stabilizationWindowSeconds: 0 } };
  const replicaCounts = follow({ current: 2, min: 1, max: 9, behavior }, [7, 6, 8, 9, 9]).map(
    ({ replicas }) => replicas,
  );
  expect(replicaCounts).toEqual([2, 2, 2, 6, 6]);
});
