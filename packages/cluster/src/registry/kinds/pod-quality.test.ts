import { expect, test } from "vitest";
import { qualityOf } from "./pod-quality.js";

const container = (resources: Record<string, Record<string, string>>) => ({ name: "a", resources });

test("a pod that asks for nothing gets what is left", () => {
  expect(qualityOf({ containers: [container({})] })).toBe("BestEffort");
  expect(qualityOf({ containers: [container({ limits: { "example.com/gpu": "1" } })] })).toBe("BestEffort");
});

test("a pod whose containers all ask for exactly their limits is guaranteed them", () => {
  const amounts = { cpu: "1", memory: "1Gi" };
  const equal = container({ limits: amounts, requests: { cpu: "1000m", memory: "1024Mi" } });
  expect(qualityOf({ containers: [equal, equal] })).toBe("Guaranteed");
  expect(qualityOf({ containers: [equal], initContainers: [container({})] })).toBe("Burstable");
});

test("a pod that asks for less than its limits is between the two", () => {
  expect(qualityOf({ containers: [container({ requests: { cpu: "1" } })] })).toBe("Burstable");
  expect(
    qualityOf({
      containers: [container({ limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "1", memory: "1Gi" } })],
    }),
  ).toBe("Burstable");
});
