import { controller, defineResource, k, operator, z } from "kubewright";
import { expect, test } from "vitest";
import { testCluster } from "./index.js";

const some = z.string().max(10).optional();

/** A field for each function of `k` that adds CEL rules. */
const Ruled = defineResource({
  group: "example.com",
  kind: "Ruled",
  versions: {
    v1: {
      spec: z.object({
        fixed: k.immutable(z.string().max(10)).optional(),
        even: k.rules(z.int(), { rule: "self % 2 == 0", message: "must be even" }).optional(),
        one: k.exactlyOneOf(z.object({ a: some, b: some, c: some }), "a", "b").optional(),
        few: k.atMostOneOf(z.object({ a: some, b: some }), "a", "b").optional(),
        many: k.atLeastOneOf(z.object({ a: some, b: some }), "a", "b").optional(),
      }),
    },
  },
});

test("a test cluster without options evaluates the rules of every function of k that adds them", async () => {
  const ruled = operator({ name: "ruled", controllers: [controller(Ruled, { reconcile: () => {} })] });
  await using cluster = await testCluster(ruled);
  const sound = { fixed: "x", even: 2, one: { b: "1", c: "1" }, few: {}, many: { a: "1", b: "2" } };
  await cluster.create(Ruled, { metadata: { name: "sound" }, spec: sound });
  await cluster.settle();
  const rejections = {
    "spec.even: Invalid value: 3: must be even": { even: 3 },
    "exactly one of the fields in [a b] must be set": { one: { a: "1", b: "1" } },
    "at most one of the fields in [a b] must be set": { few: { a: "1", b: "1" } },
    "at least one of the fields in [a b] must be set": { many: {} },
  };
  for (const [message, spec] of Object.entries(rejections))
    await expect(cluster.create(Ruled, { metadata: { name: "broken" }, spec })).rejects.toThrow(message);
  await expect(cluster.patch(Ruled, "sound", { merge: { spec: { fixed: "y" } } })).rejects.toThrow(
    "field is immutable",
  );
});

test("a rule that an API server would reject is an error with its path, its column and the type of self", async () => {
  const rule = { rule: "self.replica <= 10", message: "at most ten" };
  const spec = k.rules(z.object({ replicas: z.int32(), hosts: z.array(z.string()).optional() }), rule);
  const Broken = defineResource({ group: "example.com", kind: "Broken", versions: { v1: { spec } } });
  const broken = operator({ name: "broken", controllers: [controller(Broken, { reconcile: () => {} })] });
  await expect(testCluster(broken)).rejects.toMatchObject({
    code: "DEFINITION_INVALID",
    message: [
      "Cannot use the CRD of Broken: an API server would reject these CEL rules:",
      "- v1.schema.properties[spec].x-kubernetes-validations[0].rule: compilation failed: ERROR: <input>:1:5: undefined field 'replica'",
      " | self.replica <= 10",
      " | ....^",
      "  where self is an object with replicas: int, hosts: list(string)",
    ].join("\n"),
  });
});
