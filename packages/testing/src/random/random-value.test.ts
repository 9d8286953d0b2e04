import { type Schema, validateLists, validateValue } from "@kubewright/core/schema";
import { crdOf, defineResource, k, z } from "kubewright";
import { expect, test } from "vitest";
import { randomValue, seededRandom } from "./index.js";

const Everything = defineResource({
  group: "example.com",
  kind: "Everything",
  versions: {
    v1: {
      spec: z.object({
        size: z.int32().min(1).max(9),
        ratio: z.number().gt(0).lt(1),
        tens: z.int().multipleOf(10).max(50),
        name: z
          .string()
          .min(3)
          .max(5)
          .regex(/^[a-z]+$/),
        long: z.string().min(30).max(40),
        storage: k.quantity(),
        port: k.intOrString(),
        at: z.iso.datetime(),
        tags: k.setList(z.enum(["a", "b", "c"])).min(2),
        ports: k.mapList(z.object({ name: z.string(), number: z.int32().optional() }), ["name"]),
        store: z.discriminatedUnion("type", [
          z.object({ type: z.literal("S3"), bucket: z.string() }),
          z.object({ type: z.literal("Disk"), path: z.string() }),
        ]),
        template: k.podTemplate(),
        labels: z.record(z.string(), z.string()).meta({ minProperties: 2 }),
        open: z.looseObject({ known: z.int().optional() }),
      }),
    },
  },
});
const schema: Schema = crdOf(Everything).spec.versions[0]?.schema.openAPIV3Schema ?? {};

test("random values fit their schema, and the same seed returns the same values", () => {
  const make = (seed: number) => randomValue(schema, seededRandom(seed));
  for (let seed = 0; seed < 200; seed++) {
    const value = make(seed);
    expect([...validateValue(value, schema, {}), ...validateLists(value, schema, "")], JSON.stringify(value)).toEqual(
      [],
    );
    expect(make(seed)).toEqual(value);
  }
});

test("some values are invalid with `wrongShare`", () => {
  const random = seededRandom(1);
  const wrong = Array.from({ length: 100 }, () => randomValue(schema, random, { wrongShare: 0.05 }));
  const invalid = wrong.filter((value) => validateValue(value, schema, {}).length > 0).length;
  expect(invalid).toBeGreaterThan(20);
  expect(invalid).toBeLessThan(100);
});
