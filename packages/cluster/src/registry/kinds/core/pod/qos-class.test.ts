import { expect, test } from "vitest";
import { qosClassOf } from "./qos-class.js";

const container = (resources: Record<string, Record<string, string>>) => ({ name: "a", resources });

test("a pod without requests and limits is BestEffort", () => {
  expect(qosClassOf({ containers: [container({})] })).toBe("BestEffort");
  expect(qosClassOf({ containers: [container({ limits: { "example.com/gpu": "1" } })] })).toBe("BestEffort");
});

test("a pod whose containers all request exactly their limits is Guaranteed", () => {
  const limits = { cpu: "1", memory: "1Gi" };
  const equal = container({ limits, requests: { cpu: "1000m", memory: "1024Mi" } });
  expect(qosClassOf({ containers: [equal, equal] })).toBe("Guaranteed");
  expect(qosClassOf({ containers: [equal], initContainers: [container({})] })).toBe("Burstable");
});

test("a pod that requests less than its limits is Burstable", () => {
  expect(qosClassOf({ containers: [container({ requests: { cpu: "1" } })] })).toBe("Burstable");
  expect(
    qosClassOf({
      containers: [container({ limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "1", memory: "1Gi" } })],
    }),
  ).toBe("Burstable");
});
