import fc from "fast-check";
import type { Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { isPodAvailable, nextAvailableInMs, type PodView, podsToDelete, slowStart } from "./index.js";

const now = Date.UTC(2030, 0, 2);
const at = (agoMs: number): string => new Date(now - agoMs).toISOString();

interface Sketch {
  node?: string;
  phase?: "Pending" | "Running";
  readyAgoMs?: number;
  cost?: string;
  restarts?: number;
  ageMs?: number;
}

function pod(uid: string, { node = "n", phase = "Running", readyAgoMs, cost, restarts = 0, ageMs = 1_000 }: Sketch) {
  const ready = { type: "Ready", status: "True", lastTransitionTime: at(readyAgoMs ?? 0) };
  const container = { name: "c", image: "i", imageID: "", ready: true, restartCount: restarts };
  return {
    metadata: {
      name: uid,
      uid,
      creationTimestamp: at(ageMs),
      ...(cost !== undefined && { annotations: { "controller.kubernetes.io/pod-deletion-cost": cost } }),
    },
    spec: { containers: [], ...(node !== "" && { nodeName: node }) },
    status: { phase, conditions: readyAgoMs === undefined ? [] : [ready], containerStatuses: [container] },
  } as unknown as Pod as PodView;
}

const hour = 3_600_000;

/** Each is deleted before all that follow. */
const inOrder: readonly (readonly [why: string, Sketch])[] = [
  ["it is unscheduled", { node: "" }],
  ["it is pending", { phase: "Pending" }],
  ["it is not ready and restarted often", { restarts: 3 }],
  ["it is not ready and young", { ageMs: 1_000 }],
  ["it is not ready and old", { ageMs: hour }],
  ["its deletion cost is low", { readyAgoMs: hour, cost: "-5" }],
  ["it shares its node", { readyAgoMs: 1, node: "full" }],
  ["it has been ready for a short time", { readyAgoMs: 1_000 }],
  ["it restarted", { readyAgoMs: hour, restarts: 1 }],
  ["it is young", { readyAgoMs: hour, ageMs: 2 * hour }],
  ["it is old", { readyAgoMs: hour, ageMs: 200 * hour }],
  ["its deletion cost is high", { readyAgoMs: hour, cost: "7" }],
];

test.each(inOrder.slice(0, -1).map(([why], index) => [why, index] as const))(
  "a pod is deleted before others because %s",
  (_, index) => {
    const pods = inOrder.slice(index).map(([why, sketch]) => pod(why, sketch));
    const related = [pod("x", { node: "full" }), pod("y", { node: "full" })];
    for (const order of [pods, [...pods].reverse()])
      expect(podsToDelete(order, related, 1, now).map(({ metadata }) => metadata.name)).toEqual([inOrder[index]?.[0]]);
  },
);

test("a deletion cost that is no int32 counts as 0", () => {
  for (const cost of ["+5", "007", "1e3", "", "99999999999", "x"]) {
    const costly = pod("costly", { cost: "1", readyAgoMs: 1 });
    const [first] = podsToDelete([costly, pod("a", { cost, readyAgoMs: hour })], [], 1, now);
    expect(first?.metadata.name).toBe("a");
  }
});

test("a Pod is available after exactly minReadySeconds of readiness", () => {
  const ready = pod("a", { readyAgoMs: 9_000 });
  expect(isPodAvailable(ready, 9, now)).toBe(true);
  expect(isPodAvailable(ready, 10, now)).toBe(false);
  expect(isPodAvailable(pod("b", {}), 0, now)).toBe(false);
  expect(nextAvailableInMs([ready, pod("b", {}), pod("c", { readyAgoMs: 2_000 })], 10, now)).toBe(1_000);
  expect(nextAvailableInMs([pod("b", {})], 10, now)).toBeUndefined();
});

test("slowStart makes all calls if none fails, and starts no batch after a failure", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(40), fc.nat(60), async (count, failing) => {
      let calls = 0;
      const { succeeded, error } = await slowStart(count, async (index) => {
        calls += 1;
        if (index === failing) throw new Error("full");
      });
      if (failing >= count) {
        expect([calls, succeeded, error]).toEqual([count, count, undefined]);
        return;
      }
      expect(error).toBeInstanceOf(Error);
      expect(succeeded).toBe(calls - 1);
      // The batches are 1, 2, 4, ...: the failing call is in the last batch that started.
      expect(calls).toBeLessThanOrEqual(2 * failing + 1);
      expect(calls).toBeGreaterThan(failing);
    }),
    { numRuns: 60 },
  );
});
