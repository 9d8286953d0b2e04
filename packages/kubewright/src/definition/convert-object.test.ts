import type { JsonObject } from "@kubewright/core/json";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { convertObject, defineResource, lostAnnotation } from "./index.js";

const Website = defineResource({
  group: "web.example.com",
  kind: "Website",
  hub: "v1",
  versions: {
    v1: {
      spec: z.object({
        image: z.string(),
        replicas: z.int32(),
        host: z.string().optional(),
        speed: z.enum(["slow", "medium", "fast"]).optional(),
        ports: z.array(z.object({ name: z.string(), port: z.int32(), note: z.string().optional() })).optional(),
      }),
      status: z.object({ url: z.string(), ready: z.boolean() }),
    },
    v1beta1: { spec: z.object({ image: z.string(), replicas: z.int32() }), status: z.object({ ready: z.boolean() }) },
    v1alpha1: {
      spec: z.object({
        image: z.string(),
        size: z.int32(),
        fast: z.boolean().optional(),
        ports: z.array(z.object({ name: z.string(), port: z.int32() })).optional(),
      }),
    },
  },
  convert: {
    v1beta1: {
      toHub: ({ spec }) => ({ spec }),
      fromHub: ({ spec: { image, replicas } }) => ({ spec: { image, replicas } }),
    },
    v1alpha1: {
      toHub: ({ spec: { image, size, fast, ports } }) => ({
        spec: {
          image,
          replicas: size,
          ...(fast !== undefined && { speed: fast ? ("fast" as const) : ("slow" as const) }),
          ...(ports && { ports }),
        },
      }),
      fromHub: ({ spec: { image, replicas, speed, ports } }) => ({
        spec: {
          image,
          size: replicas,
          ...(speed && { fast: speed === "fast" }),
          ...(ports && { ports: ports.map(({ name, port }) => ({ name, port })) }),
        },
      }),
    },
  },
});

const object = (version: string, body: object): JsonObject =>
  ({
    apiVersion: `web.example.com/${version}`,
    kind: "Website",
    metadata: { name: "shop", namespace: "a" },
    ...body,
  }) as JsonObject;
const hub = object("v1", {
  spec: {
    image: "shop:1",
    replicas: 3,
    host: "shop.example.com",
    speed: "medium",
    ports: [
      { name: "http", port: 80, note: "open" },
      { name: "admin", port: 81, note: "closed" },
    ],
  },
  status: { url: "https://shop", ready: true },
});
type Editable = { spec: Record<string, unknown>; metadata: { annotations?: Record<string, string> } };
const edited = (value: JsonObject, edit: (copy: Editable) => void): JsonObject => {
  const copy = structuredClone(value) as unknown as Editable;
  edit(copy);
  return copy as unknown as JsonObject;
};

test("an object converted to a version with fewer fields gets the lost values back in a round trip", () => {
  const alpha = convertObject(Website, hub, "v1alpha1");
  expect(alpha).toMatchObject({
    apiVersion: "web.example.com/v1alpha1",
    metadata: { name: "shop", namespace: "a" },
    spec: {
      image: "shop:1",
      size: 3,
      fast: false,
      ports: [
        { name: "http", port: 80 },
        { name: "admin", port: 81 },
      ],
    },
  });
  expect(alpha["status"]).toBeUndefined();
  const { annotations = {} } = alpha["metadata"] as { annotations?: Record<string, string> };
  // Only the difference is stored: a large object with a small loss must not exceed the size limit of annotations.
  expect(JSON.parse(annotations[lostAnnotation] ?? "").v1.before.spec).not.toHaveProperty("image");
  expect(convertObject(Website, alpha, "v1")).toEqual(hub);
});

test("changes made in the version with fewer fields win, and the other lost values are restored", () => {
  const alpha = edited(convertObject(Website, hub, "v1alpha1"), ({ spec }) => {
    spec["size"] = 5;
    spec["fast"] = true;
    spec["ports"] = [
      { name: "new", port: 1 },
      { name: "admin", port: 82 },
      { name: "http", port: 80 },
    ];
  });
  expect(convertObject(Website, alpha, "v1")).toMatchObject({
    spec: {
      image: "shop:1",
      replicas: 5,
      host: "shop.example.com",
      speed: "fast",
      ports: [
        { name: "new", port: 1 },
        { name: "admin", port: 82, note: "closed" },
        { name: "http", port: 80, note: "open" },
      ],
    },
    status: { url: "https://shop", ready: true },
  });
});

test("a conversion between two other versions goes through the hub, and loses nothing either", () => {
  const alpha = object("v1alpha1", { spec: { image: "a", size: 1, fast: true } });
  const beta = convertObject(Website, alpha, "v1beta1");
  expect(beta["spec"]).toEqual({ image: "a", replicas: 1 });
  expect(convertObject(Website, beta, "v1alpha1")).toEqual(alpha);
});

test("a malformed annotation is ignored, and other annotations stay", () => {
  const alpha = edited(convertObject(Website, hub, "v1alpha1"), ({ metadata }) => {
    metadata.annotations = { [lostAnnotation]: "{", other: "kept" };
  });
  expect(convertObject(Website, alpha, "v1")).toMatchObject({
    metadata: { annotations: { other: "kept" } },
    spec: { replicas: 3, speed: "slow" },
  });
});

test("values in the annotation are restored only where the version's schema accepts them", () => {
  const alpha = object("v1alpha1", { spec: { image: "a", size: 1 } });
  const forged = (spec: object) =>
    edited(alpha, ({ metadata }) => {
      metadata.annotations = { [lostAnnotation]: JSON.stringify({ v1: { before: { spec }, after: { spec: {} } } }) };
    });
  expect(convertObject(Website, forged({ host: "h" }), "v1")["spec"]).toEqual({ image: "a", replicas: 1, host: "h" });
  expect(convertObject(Website, forged({ speed: "warp" }), "v1")["spec"]).toEqual({ image: "a", replicas: 1 });
  expect(convertObject(Website, forged({ unknown: 1 }), "v1")["spec"]).toEqual({ image: "a", replicas: 1 });
});

test("a lossy conversion stores no annotation", () => {
  const Lossy = defineResource({
    group: "example.com",
    kind: "Lossy",
    hub: "v2",
    versions: { v1: { spec: z.object({}) }, v2: { spec: z.object({ a: z.string().optional() }) } },
    convert: { v1: { toHub: () => ({ spec: {} }), fromHub: () => ({ spec: {} }), lossy: true } },
  });
  const two = { apiVersion: "example.com/v2", kind: "Lossy", metadata: { name: "a" }, spec: { a: "b" } };
  expect(convertObject(Lossy, two, "v1")).toEqual({ ...two, apiVersion: "example.com/v1", spec: {} });
});

test("an object of another kind, an unknown version and a function that throws are errors with the object's name", () => {
  expect(() => convertObject(Website, { ...hub, kind: "Other" }, "v1alpha1")).toThrow(
    'Cannot convert Website "a/shop" from "web.example.com/v1" to "web.example.com/v1alpha1": it is not a Website',
  );
  expect(() => convertObject(Website, hub, "v7")).toThrow('version "v7" is not defined');
  expect(() => convertObject(Website, { ...hub, spec: null }, "v1alpha1")).toThrow(
    /Cannot convert Website "a\/shop".*null/,
  );
});

const ports = fc.array(
  fc.record(
    { name: fc.constantFrom("a", "b", "c"), port: fc.nat(3), note: fc.constantFrom("x", "y") },
    { requiredKeys: ["name", "port"], noNullPrototype: true },
  ),
  { maxLength: 4 },
);
const specs = fc.record(
  {
    image: fc.constantFrom("i", "j"),
    replicas: fc.nat(3),
    host: fc.constantFrom("h", "g"),
    speed: fc.constantFrom("slow", "medium", "fast"),
    ports,
  },
  { requiredKeys: ["image", "replicas"], noNullPrototype: true },
);

test("an object read in another version and written back unchanged stays equal; a spec written there is read back", () => {
  fc.assert(
    fc.property(specs, specs, fc.constantFrom("v1alpha1", "v1beta1"), (before, after, version) => {
      const one = object("v1", { spec: before });
      const there = convertObject(Website, one, version);
      expect(convertObject(Website, there, "v1")).toEqual(one);
      const written = { ...there, spec: convertObject(Website, object("v1", { spec: after }), version)["spec"] ?? {} };
      const stored = convertObject(Website, written, "v1");
      expect(convertObject(Website, stored, version)["spec"]).toEqual(written.spec);
    }),
    { numRuns: 300 },
  );
});
