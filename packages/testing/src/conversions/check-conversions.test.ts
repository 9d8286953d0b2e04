import { defineResource, z } from "kubewright";
import { expect, test } from "vitest";
import { checkConversions } from "../index.js";

const v1 = z.object({
  image: z.string().min(1),
  replicas: z.int32().min(0).max(9).default(1),
  host: z.string().optional(),
});
const v1alpha1 = z.object({ image: z.string().min(1), size: z.int32().min(0).max(9) });
const websiteWith = (size: (replicas: number) => number, lossy = false) =>
  defineResource({
    group: "web.example.com",
    kind: "Website",
    hub: "v1",
    versions: { v1: { spec: v1, status: z.object({ url: z.string() }) }, v1alpha1: { spec: v1alpha1 } },
    convert: {
      v1alpha1: {
        toHub: ({ spec }) => ({ spec: { image: spec.image, replicas: spec.size } }),
        fromHub: ({ spec }) => ({ spec: { image: spec.image, size: size(spec.replicas) } }),
        lossy,
      },
    },
  });

test("correct conversions have no problem, also when a version lacks a field of the hub", () => {
  const report = checkConversions(websiteWith((replicas) => replicas));
  expect(report).toEqual({ tried: 200, problems: [] });
});

test("a conversion whose result is invalid, and one that throws, are problems that show the object", () => {
  const { problems } = checkConversions(websiteWith((replicas) => replicas - 1));
  expect(problems[0]).toMatch(
    /v1alpha1.*an object written in v1alpha1 is read with changes|the result is invalid \(spec.size.*/,
  );
  expect(problems.length).toBeLessThanOrEqual(20);
  const broken = checkConversions(
    websiteWith(() => {
      throw new Error("no size");
    }),
  );
  expect(broken.problems[0]).toContain('Cannot convert Website "b/a" from "web.example.com/v1"');
  expect(broken.problems[0]).toContain("no size");
});

test("a loss is no problem with `lossy: true`", () => {
  expect(checkConversions(websiteWith(() => 0, true)).problems).toEqual([]);
});
