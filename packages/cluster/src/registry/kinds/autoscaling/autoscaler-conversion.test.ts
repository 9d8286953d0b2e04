import fc from "fast-check";
import { expect, test } from "vitest";
import { objectAt } from "../../draft.js";
import { autoscalerFromV2, autoscalerToV2 } from "./autoscaler-conversion.js";

const quantity = fc.nat(999).map(String);
const metric = fc.oneof(
  fc.record({
    type: fc.constant("Pods"),
    pods: fc.record({
      metric: fc.record({ name: fc.string() }),
      target: quantity.map((averageValue) => ({ type: "AverageValue", averageValue })),
    }),
  }),
  fc.record({
    type: fc.constant("External"),
    external: fc.record({
      metric: fc.record({ name: fc.string() }),
      target: quantity.map((value) => ({ type: "Value", value })),
    }),
  }),
  fc.record({
    type: fc.constant("Resource"),
    resource: fc.record({
      name: fc.constantFrom("memory", "disk"),
      target: fc.nat(100).map((averageUtilization) => ({ type: "Utilization", averageUtilization })),
    }),
  }),
);
const rules = fc.record(
  {
    stabilizationWindowSeconds: fc.nat(100),
    selectPolicy: fc.constantFrom("Max", "Min"),
    policies: fc.array(fc.record({ type: fc.string(), value: fc.nat(), periodSeconds: fc.nat() }), { minLength: 1 }),
    tolerance: quantity,
  },
  { requiredKeys: [] },
);

test("metrics and behavior survive a round trip through autoscaling/v1", () => {
  fc.assert(
    fc.property(fc.array(metric, { minLength: 1 }), rules, (metrics, scaleUp) => {
      const stored = { metadata: { name: "a" }, spec: { maxReplicas: 1, metrics, behavior: { scaleUp } } };
      const old = JSON.parse(JSON.stringify(autoscalerFromV2(stored)));
      expect(autoscalerToV2(old)).toMatchObject(stored);
      expect(autoscalerToV2(old)["metadata"]).toEqual(stored.metadata);
    }),
  );
});

test("autoscalerToV2 accepts any annotation values", () => {
  const annotation = fc.oneof(fc.string(), fc.json());
  fc.assert(
    fc.property(annotation, annotation, annotation, annotation, (metrics, behavior, conditions, current) => {
      const prefix = "autoscaling.alpha.kubernetes.io";
      const annotations = {
        [`${prefix}/metrics`]: metrics,
        [`${prefix}/behavior`]: behavior,
        [`${prefix}/conditions`]: conditions,
        [`${prefix}/current-metrics`]: current,
      };
      const stored = autoscalerToV2({ metadata: { name: "a", annotations }, spec: { maxReplicas: 1 } });
      expect(objectAt(stored, "metadata")).toEqual({ name: "a" });
      expect(objectAt(stored, "spec")["metrics"]).not.toEqual([]);
    }),
  );
});
