import { expect, test } from "vitest";
import { builtinSchema } from "./builtin-api.js";
import { emptyObject, omitEmpty } from "./omit-empty.js";

const podSchema = () => builtinSchema("io.k8s.api.core.v1.Pod");

test("omitEmpty drops zero values with omitempty and keeps others", () => {
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

test("omitEmpty sets an unset metav1.Time that is not a pointer to null", () => {
  const pod = { status: { conditions: [{ type: "Ready", status: "True" }] } };
  omitEmpty(pod, podSchema());
  expect(pod.status.conditions).toEqual([
    { type: "Ready", status: "True", lastProbeTime: null, lastTransitionTime: null },
  ]);
});

test("emptyObject holds the structs without omitempty", () => {
  expect(emptyObject(podSchema())).toEqual({ spec: { containers: null }, status: {} });
});

test("omitEmpty is idempotent", () => {
  const pod = { spec: { containers: [{ name: "a", livenessProbe: { grpc: { port: 1 } } }] } };
  omitEmpty(pod, podSchema());
  const once = structuredClone(pod);
  omitEmpty(pod, podSchema());
  expect(pod).toEqual(once);
});
