import { expect, test } from "vitest";
import { builtinSchema } from "./builtin-api.js";
import { emptyObject, omitEmpty } from "./omit-empty.js";

const podSchema = () => builtinSchema("io.k8s.api.core.v1.Pod");

test("zero values that are not printed vanish, others stay", () => {
  const pod = {
    spec: { hostNetwork: false, terminationGracePeriodSeconds: 0, containers: [{ name: "", image: "", tty: false }] },
  };
  omitEmpty(pod, podSchema());
  expect(pod).toEqual({
    metadata: {},
    spec: { terminationGracePeriodSeconds: 0, containers: [{ name: "", resources: {} }] },
    status: {},
  });
});

test("times that are no pointers are printed as null", () => {
  const pod = { status: { conditions: [{ type: "Ready", status: "True" }] } };
  omitEmpty(pod, podSchema());
  expect(pod.status.conditions).toEqual([
    { type: "Ready", status: "True", lastProbeTime: null, lastTransitionTime: null },
  ]);
});

test("an empty object holds the structs that are always there", () => {
  expect(emptyObject(podSchema())).toEqual({ spec: { containers: null }, status: {} });
});

test("settling twice changes nothing more", () => {
  const pod = { spec: { containers: [{ name: "a", livenessProbe: { grpc: { port: 1 } } }] } };
  omitEmpty(pod, podSchema());
  const once = structuredClone(pod);
  omitEmpty(pod, podSchema());
  expect(pod).toEqual(once);
});
