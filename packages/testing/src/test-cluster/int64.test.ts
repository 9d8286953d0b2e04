import { controller, defineResource, k, operator, z } from "kubewright";
import { expect, test } from "vitest";
import { testCluster } from "./index.js";

const Counter = defineResource({
  group: "example.com",
  kind: "Counter",
  versions: { v1: { spec: z.object({ last: k.int64() }), status: z.object({ next: k.int64().optional() }) } },
});

const counters = operator({
  name: "counters",
  controllers: [
    controller(Counter, {
      reconcile: ({ object, status }) => {
        status.next = BigInt(object.spec.last) + 1n;
      },
    }),
  ],
});

test("an operator reads and writes integers beyond 2^53, and its status settles", async () => {
  await using cluster = await testCluster(counters);
  for (const [name, last] of [
    ["small", 1],
    ["odd", 9007199254740992n],
    ["max", 9223372036854775806n],
  ] as const)
    await cluster.create(Counter, { metadata: { name }, spec: { last } });
  await cluster.settle();
  const next = async (name: string) => (await cluster.get(Counter, name)).status?.next;
  // An integer that fits is a number again, also when it was written as a bigint.
  expect(await next("small")).toBe(2);
  expect(await next("odd")).toBe(9007199254740993n);
  expect(await next("max")).toBe(9223372036854775807n);
  await cluster.patch(Counter, "odd", { merge: { spec: { last: 9007199254740993n } } });
  await cluster.settle();
  expect(await next("odd")).toBe(9007199254740994n);
});
